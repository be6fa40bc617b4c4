#!/usr/bin/env bash
# Runs everything on this machine: a private PostgreSQL, the five services and the edge (make run).
#
# All it writes is in .run: data in .run/postgres, logs in .run/logs, passwords and keys in
# .run/secrets. Ctrl-C or SIGTERM stops all in order; data stays.
set -euo pipefail
shopt -s inherit_errexit
cd "$(dirname "${BASH_SOURCE[0]}")/.."
# shellcheck source=docker/processes.sh
source docker/processes.sh
# shellcheck source=docker/postgres.sh
source docker/postgres.sh
# shellcheck source=docker/databases.sh
source docker/databases.sh
# shellcheck source=docker/local-postgres.sh
source docker/local-postgres.sh

declare -A port_of=(
    [auth]=${AUTH_PORT:-8081} [parties]=${PARTIES_PORT:-8082} [meetings]=${MEETINGS_PORT:-8083}
    [market]=${MARKET_PORT:-8084} [sports]=${SPORTS_PORT:-8085} [edge]=${EDGE_PORT:-8080}
    [postgres]=$postgres_port
)
build_folder=.build/release
unclean=
postgres_ends=0

port_is_free() { ! port_is_busy "$1"; }

check_ports() {
    local name port owner variable
    declare -A taken=()
    for name in edge "${services[@]}" postgres; do
        port=${port_of[$name]} variable=${name^^}_PORT
        if [[ ! $port =~ ^[1-9][0-9]{0,4}$ ]] || ((port > 65535)); then
            die "$variable must be a port number from 1 to 65535, not '$port'."
        fi
        if [[ -n ${taken[$port]:-} ]]; then
            die "$variable and ${taken[$port]} are both $port. Give each a port of its own."
        fi
        taken[$port]=$variable
    done
    for name in "${!port_of[@]}"; do
        port=${port_of[$name]} variable=${name^^}_PORT
        port_is_busy "$port" || continue
        # A killed run's services may still be ending.
        if [[ -n $unclean ]] && wait_until 12 port_is_free "$port"; then continue; fi
        owner=$(who_listens "$port")
        die "Port $port, meant for $name, is in use${owner:+ by $owner}. Free it, or choose another:
  $variable=$((port + 1000)) make run"
    done
}

prepare_folders() {
    if ! lock_run; then
        die "'make run' is already running in this folder (process $(cat .run/lock.process 2>/dev/null))."
    fi
    # Removed at a clean end.
    if [[ -e .run/lock.process ]]; then unclean=yes; fi
    echo $$ >.run/lock.process
    local log
    for log in "$logs"/*.log; do
        [[ -e $log ]] && mv "$log" "${log%.log}.previous"
    done
    return 0
}

make_signing_key() {
    local file=$secrets/signing-key.pem
    [[ -s $file ]] && return
    (umask 077 && openssl genpkey -algorithm ed25519 -out "$file.new" && mv "$file.new" "$file")
}

build() {
    local stamp=.build/.run-built product
    if [[ -e $stamp && -z $(find Package.swift Services Shared -newer "$stamp" -print -quit) ]]; then
        for product in "${services[@]}"; do [[ -x $build_folder/$product ]] || break; done
        [[ -x $build_folder/$product ]] && return
    fi
    step "Building the services (the first time takes minutes)"
    mkdir -p .build
    touch "$stamp.new"
    for product in "${services[@]}"; do
        # In the background, so that a signal ends the wait and then the build.
        swift build --configuration release --product "$product" --static-swift-stdlib 9>&- &
        process_of[build]=$!
        wait "${process_of[build]}" ||
            die "Building $product failed; the compiler's messages are above."
        unset "process_of[build]"
    done
    mv "$stamp.new" "$stamp"
}

start_services() {
    local name password client
    for name in "${services[@]}"; do
        export "${name^^}_URL=http://127.0.0.1:${port_of[$name]}"
    done
    for name in "${services[@]}"; do
        password=$(<"$(secret "$name.database")")
        local settings=(
            HOST=127.0.0.1 "PORT=${port_of[$name]}"
            "DATABASE_URL=postgres://$name:$password@127.0.0.1:${port_of[postgres]}/$name"
        )
        if [[ $name == auth ]]; then
            settings+=("SIGNING_KEY_FILE=$secrets/signing-key.pem")
            for client in "${services[@]:1}"; do
                settings+=("${client^^}_CLIENT_SECRET_FILE=$(secret "$client.client")")
            done
        else
            settings+=("CLIENT_SECRET_FILE=$(secret "$name.client")")
        fi
        start_with_settings "$name" "${settings[@]}"
    done
}

# The settings go by the environment of the script, not by "env NAME=…", which "ps" would show.
start_with_settings() {
    local name=$1 setting
    shift
    for setting in "$@"; do export "${setting?}"; done
    start "$name" "$logs/$name.log" "$build_folder/$name"
    for setting in "$@"; do unset "${setting%%=*}"; done
}

start_edge() {
    local addresses=127.0.0.1 name
    # localhost is ::1 first for many clients.
    if grep -q '^0\{31\}1 ' /proc/net/if_inet6 2>/dev/null; then addresses+=" ::1"; fi
    export EDGE_ADDRESSES=${EDGE_ADDRESSES:-$addresses} EDGE_PORT=${port_of[edge]}
    for name in "${services[@]}"; do export "${name^^}_HOST=127.0.0.1" "${name^^}_PORT=${port_of[$name]}"; done
    # Caddy keeps a copy of its configuration where it is told, else in the user's home.
    export XDG_CONFIG_HOME=$project/.run/caddy XDG_DATA_HOME=$project/.run/caddy
    start edge "$logs/edge.log" caddy run --config docker/Caddyfile --adapter caddyfile
}

service_is_ready() {
    curl --silent --fail --max-time 2 --output /dev/null "http://127.0.0.1:${port_of[$1]}/health/ready"
}

ready_or_died() { ! runs "$1" || service_is_ready "$1"; }
edge_answers_or_died() { ! runs edge || port_is_busy "${port_of[edge]}"; }

wait_for_all() {
    local name
    for name in "${services[@]}"; do
        if ! wait_until 120 ready_or_died "$name"; then
            warn "$name is not ready after 120 s. It says:"
            curl --silent --show-error --max-time 2 "http://127.0.0.1:${port_of[$name]}/health/ready" >&2 || true
            show_log "$name"
            exit 1
        fi
        runs "$name" || died "$name"
    done
    wait_until 20 edge_answers_or_died || die "The edge does not listen; see $logs/edge.log."
    runs edge || died edge
}

# show_log NAME : the end of its log.
show_log() {
    warn "The end of ${log_of[$1]}:"
    tail -n 20 "${log_of[$1]}" | sed 's/^/  /' >&2
}

# died NAME [STATUS] : tells of a process that ended, and ends the script.
died() {
    local status=${2:-0}
    if [[ -z ${2:-} ]]; then wait "${process_of[$1]}" 2>/dev/null || status=$?; fi
    unset "process_of[$1]"
    warn ""
    warn "$1 ended with status $status, so everything stops."
    show_log "$1"
    exit 1
}

# Sleeps until one of them ends. A service never should, so that stops everything; PostgreSQL is
# started again, since the services live through its absence.
watch() {
    local ended='' name status=0
    wait -n -p ended "${process_of[@]}" 2>/dev/null || status=$?
    for name in "${!process_of[@]}"; do
        [[ ${process_of[$name]} == "$ended" ]] || continue
        if [[ $name != postgres ]] || ((++postgres_ends > 5)); then died "$name" "$status"; fi
        unset 'process_of[postgres]'
        warn "PostgreSQL ended with status $status; it is started again in 3 s ($logs/postgres.log)."
        sleep 3
        start_postgres
        say "PostgreSQL runs again."
        return
    done
}

# Stops in the order of the requests: the edge, the services, the database.
stop_everything() {
    local failed=0
    trap 'hurry=yes' INT TERM
    if [[ -n ${process_of[build]:-} ]]; then
        kill "${process_of[build]}" 2>/dev/null
        wait "${process_of[build]}" 2>/dev/null
        unset "process_of[build]"
    fi
    if ((${#process_of[@]} == 0)); then return 0; fi
    printf '\n==> Stopping\n'
    stop TERM 10 edge || failed=1
    stop TERM 12 "${services[@]}" || failed=1
    hurry='' stop INT 30 postgres || failed=1
    return "$failed"
}

on_exit() {
    local status=$?
    trap - EXIT
    set +e
    stop_everything || status=1
    rm -f .run/lock.process
    exit "$status"
}

print_table() {
    local edge=http://localhost:${port_of[edge]} name
    printf '\nMadang runs (started in %s s).\n\n' "$SECONDS"
    printf '  %-9s %-24s %-8s %s\n' name address process log
    for name in edge "${services[@]}" postgres; do
        local address=http://127.0.0.1:${port_of[$name]}
        if [[ $name == edge ]]; then address=$edge; fi
        if [[ $name == postgres ]]; then address=127.0.0.1:${port_of[$name]}; fi
        printf '  %-9s %-24s %-8s %s\n' "$name" "$address" "${process_of[$name]}" ".run/logs/$name.log"
    done
    cat <<TEXT

Try it in another terminal:
  curl -i $edge/v1/auth/jwks
  make demo
Ctrl-C stops everything. The data stays in .run/postgres; remove .run to begin anew.
TEXT
}

main() {
    docker/packages.sh build run
    prepare_folders
    trap on_exit EXIT
    trap 'exit 130' INT
    trap 'exit 143' TERM
    place_cluster
    stop_leftover_cluster "$data/cluster"
    check_ports
    build
    SECONDS=0
    step "Starting"
    ulimit -n "$(ulimit -Hn)" 2>/dev/null || true
    start_postgres
    make_all_databases
    make_signing_key
    start_services
    start_edge
    wait_for_all
    print_table
    trap 'exit 0' INT TERM
    while true; do watch; done
}

main "$@"
