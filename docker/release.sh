#!/usr/bin/env bash
# Records what a release promises, for the tests of the next one: docker/release.sh VERSION [EXECUTABLES]
#
# Tests/Releases/VERSION gets the services' OpenAPI documents, and each database as it is after the demo
# scenario, with the statements that the services sent for it. The executables are those of the folder EXECUTABLES, by default .build/debug, and come from
# the commit that is released. Run it once, when the version is decided, and commit the folder; it is
# never changed afterwards.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
# shellcheck source=docker/processes.sh
source docker/processes.sh
# shellcheck source=docker/postgres.sh
source docker/postgres.sh

version=${1:?the version, such as 0.2.0}
executables=${2:-.build/debug}
services=(auth parties meetings market sports)
release=Tests/Releases/$version
declare -A port_of=()
# Little of both, so that the files stay small.
export DEMO_HISTORY_MINUTES=30 DEMO_LEAGUES_PER_COUNTRY=1

finish() {
    local status=$?
    trap - EXIT
    set +e
    stop TERM 10 edge
    stop TERM 12 "${services[@]}"
    stop INT 20 postgres
    as_cluster_owner rm -rf "$folder/data"
    rm -rf "$folder"
    exit "$status"
}

service_answers() {
    curl --silent --fail --max-time 2 --output /dev/null "http://127.0.0.1:${port_of[$1]}/health/ready"
}

edge_listens() { port_is_busy "$EDGE_PORT"; }

start_services() {
    local name client
    for name in "${services[@]}"; do
        port_of[$name]=$(random_free_port)
        export "${name^^}_URL=http://127.0.0.1:${port_of[$name]}"
        export "${name^^}_HOST=127.0.0.1" "${name^^}_PORT=${port_of[$name]}"
    done
    openssl genpkey -algorithm ed25519 -out "$folder/signing-key.pem"
    for client in "${services[@]:1}"; do export "${client^^}_CLIENT_SECRET=secret-of-$client-here"; done
    for name in "${services[@]}"; do
        psql --no-psqlrc --quiet --dbname="$cluster_url" --command="create database $name"
        HOST=127.0.0.1 PORT=${port_of[$name]} DATABASE_URL=${cluster_url%/*}/$name \
            SIGNING_KEY_FILE=$folder/signing-key.pem CLIENT_SECRET=secret-of-$name-here LOOPS=1 \
            start "$name" "$folder/$name.log" "$executables/$name"
    done
    for name in "${services[@]}"; do
        if ! wait_until 120 service_answers "$name"; then
            warn "$name is not ready:"
            tail -n 20 "$folder/$name.log" >&2
            exit 1
        fi
    done
}

start_edge() {
    EDGE_PORT=$(random_free_port)
    export EDGE_PORT EDGE_ADDRESSES=127.0.0.1 XDG_CONFIG_HOME=$folder/caddy XDG_DATA_HOME=$folder/caddy
    start edge "$folder/edge.log" caddy run --config docker/Caddyfile --adapter caddyfile
    wait_until 20 edge_listens
}

# statements SERVICE : what it sent, each once; not what migrates, which the next release does in its own way.
statements() {
    as_cluster_owner cat "$folder/data/log/statements.json" | /usr/bin/python3 -c '
import json, subprocess, sys

service, database = sys.argv[1:]
sent = set()
for line in sys.stdin:
    entry = json.loads(line)
    kind, _, text = entry.get("message", "").partition(": ")
    if entry.get("application_name") == "madang " + service and kind.startswith("execute "):
        sent.add(text)
own = ("schema_migration", "advisory_lock", "sha256(convert_to")
sent = {text for text in sent - {"begin", "commit", "rollback", "select 1"} if not any(word in text for word in own)}

def is_complete(text):
    command = ["psql", "--no-psqlrc", "--dbname=" + database, "--command=prepare statement as " + text]
    return subprocess.run(command, capture_output=True).returncode == 0

complete = sorted(filter(is_complete, sent))
print(f"-- What {service} sent in the demo scenario, each once; but for {len(sent) - len(complete)}, whose parameters")
print("-- have types that the text does not tell.")
for text in complete:
    print(text, ";", sep="\n")' "$1" "${cluster_url%/*}/$1"
}

if [[ -e $release/data ]]; then
    warn "$release/data is there already; a release does not change."
    exit 1
fi
folder=$(mktemp -d /tmp/madang-release.XXXXXX)
trap finish EXIT
trap 'exit 130' INT TERM
throwaway_cluster "$folder" log_statement=all log_destination=jsonlog logging_collector=on \
    log_directory=log log_filename=statements log_rotation_size=0
start_services
start_edge
MADANG_URL=http://127.0.0.1:$EDGE_PORT "$executables/demo"

mkdir -p "$release/openapi" "$release/data.unfinished"
for name in "${services[@]}"; do
    # A dump of today's documents: those of another release come from its own commit.
    if [[ $executables == .build/debug ]]; then
        cp "Services/${name^}/openapi.json" "$release/openapi/$name.json"
    fi
    # Newer servers' dumps begin and end with a word that older versions of psql do not know.
    pg_dump --no-owner --no-privileges --dbname="${cluster_url%/*}/$name" |
        sed '/^\\restrict /d; /^\\unrestrict /d' >"$release/data.unfinished/$name.sql"
    statements "$name" >"$release/data.unfinished/$name.statements.sql"
done
mv "$release/data.unfinished" "$release/data"
ls -l "$release"/*
