#!/usr/bin/env bash
# Deploys compose.yaml to Docker Swarm, or updates what runs: docker/swarm.sh [STACK], by default "madang".
#
# Run it on a manager. With more than one node, MADANG_REGISTRY names the registry that has the images, as in
# "registry.example.com/". Secrets come from .secrets, which docker/secrets.sh fills.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
stack=${1:-madang}

node=$(docker info --format '{{if .Swarm.ControlAvailable}}{{.Swarm.NodeID}}{{end}}')
if [[ -z $node ]]; then
    echo "This is no manager of a swarm; docker swarm init makes it one." >&2
    exit 1
fi
docker/secrets.sh
# The database's volume is on one node, and that node is marked.
if [[ -z $(docker node ls --quiet --filter node.label=madang.postgres=true) ]]; then
    docker node update --label-add madang.postgres=true "$node" >/dev/null
fi

# Swarm's secrets and configurations never change: each gets a name that tells what is in it.
named_by_content() {
    local line name=
    while IFS= read -r line; do
        if [[ $line == "    name: "* ]]; then
            name=$line
            continue
        fi
        if [[ $line == "    file: "* ]]; then
            name+=-$(sha256sum "${line#*: }" | head -c 12)
        fi
        if [[ -n $name ]]; then echo "$name"; fi
        name=
        echo "$line"
    done
}

# It reads an older dialect: no name of the project, numbers and texts where Compose writes the other.
export COMPOSE_PROJECT_NAME=$stack
docker compose --file compose.yaml --file docker/swarm.yaml config 2>/dev/null | named_by_content |
    sed --regexp-extended '/^name:/d; s/^( +published: )"([0-9]+)"$/\1\2/; s/^( +cpus: )([0-9.]+)$/\1"\2"/' |
    docker stack deploy --compose-file - --resolve-image never --detach "$stack"
