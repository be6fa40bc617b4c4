#!/usr/bin/env bash
# Makes what is missing of the secrets of the containers: docker/secrets.sh [FOLDER], by default .secrets.
#
# compose.yaml runs it at each start, so nobody has to; whoever brings secrets of their own puts them there
# before. A folder for each service holds what that service may read, a file each:
#   postgres/password        the superuser's
#   SERVICE/database-url     postgres://ROLE:PASSWORD@HOST:PORT/DATABASE
#   SERVICE/client-secret    what the service shows auth; auth has each as SERVICE-client-secret
#   auth/signing-key.pem     signs access tokens
# Nobody but the owner passes the outer folder; inside, files are readable, so that a container which is
# given one folder reads it as whatever user it runs.
set -euo pipefail
script=$(readlink --canonicalize "${BASH_SOURCE[0]}")
folder=${1:-$(dirname "$script")/../.secrets}
umask 022
mkdir -p "$folder"
chmod 700 "$folder"
cd "$folder"

# keep NAME COMMAND... : the output of COMMAND becomes the file NAME, unless there is one.
keep() {
    local name=$1
    shift
    [[ -s $name ]] && return
    mkdir -p "$(dirname "$name")"
    "$@" >"$name.new"
    mv "$name.new" "$name"
    echo "Made $name."
}

random() { openssl rand -hex 24; }
database_url() { echo "postgres://$1:$(random)@postgres:5432/$1"; }

keep postgres/password random
keep auth/signing-key.pem openssl genpkey -algorithm ed25519
for service in auth parties meetings market sports; do
    keep "$service/database-url" database_url "$service"
    if [[ $service != auth ]]; then
        keep "$service/client-secret" random
        keep "auth/$service-client-secret" cat "$service/client-secret"
    fi
done

# In a container this runs as root; the files are for whoever has the clone.
if ((EUID == 0)); then chown --recursive --reference="$script" .; fi
