#!/usr/bin/env bash
# The containers as they are run (make containers-test): needs Docker with Compose, and reaches its images.
#
# Under a project name of its own: starts all, drives the demo, scales each service to three, and then races,
# replaces and kills replicas under load, looking at what clients see. Prints the sizes of the images and the
# time that a changed line takes to be built. CONTAINERS_STEPS chooses among the steps, with spaces between.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
tests=Tests/Containers

export COMPOSE_PROJECT_NAME=madang-test
export EDGE_PORT=${CONTAINERS_EDGE_PORT:-18080}
# All load comes from one address, and on a small machine from few users.
export REQUESTS_PER_MINUTE=0
services=(auth parties meetings market sports)
three=()
for service in "${services[@]}"; do three+=(--scale "$service=3"); done
work=$(mktemp -d /tmp/madang-containers.XXXXXX)
failures=()

step() { printf '\n==> %s\n' "$*"; }
fail() {
    echo "FAILED: $*" >&2
    failures+=("$*")
}
compose() { docker compose --progress quiet "$@"; }

finish() {
    local status=$?
    trap - EXIT
    set +e
    if ((status != 0 || ${#failures[@]})); then compose logs --tail 40 >"$work/logs" 2>&1; fi
    step "Removing the containers"
    compose down --volumes --timeout 12
    if ((${#failures[@]})); then
        printf '\nFailed; the ends of the logs are in %s:\n' "$work/logs"
        printf '  %s\n' "${failures[@]}"
        exit 1
    fi
    if ((status == 0)); then rm -rf "$work"; else echo "Ended early; the ends of the logs are in $work/logs"; fi
    exit "$status"
}

replicas() { docker compose ps --quiet "$1"; }

# ask CONTAINER TARGET PORT : what a replica answers inside of its own network.
ask() {
    docker run --rm --network "container:$1" --entrypoint bash debian:bookworm-slim -c \
        "exec 3<>/dev/tcp/127.0.0.1/$3; printf 'GET $2 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n' >&3; cat <&3"
}

# answered CONTAINER PORT : how many requests a replica has answered, without those about its health.
answered() {
    ask "$1" /metrics "$2" | tr -d '\r' | awk '
        /^madang_requests_total/ && !/"(Ready|Live|Metrics)"/ { sum += $NF } END { print sum + 0 }'
}

start_load() {
    mkfifo "$work/load"
    /usr/bin/python3 "$tests/load.py" "$@" <"$work/load" >"$work/load.out" 2>&1 &
    load=$!
    exec 5>"$work/load"
    until grep -q running "$work/load.out" || ! kill -0 "$load" 2>/dev/null; do sleep 0.1; done
}

# end_load NAME : its last line is "sent N, failed N".
end_load() {
    exec 5>&-
    local status=0
    wait "$load" || status=$?
    rm "$work/load"
    sed '/^running$/d' "$work/load.out"
    if ((status != 0)); then fail "$1: $(tail -n 1 "$work/load.out")"; fi
}

start() {
    step "docker compose up --build"
    local began=$SECONDS
    compose up --build --detach --wait --wait-timeout 600 >"$work/build" 2>&1 || {
        tail -n 20 "$work/build"
        exit 1
    }
    echo "Ready after $((SECONDS - began)) s, the build included."
}

sizes() {
    step "Sizes of the images"
    local base size service
    base=$(docker image inspect --format '{{.Size}}' debian:bookworm-slim)
    printf '  %-10s %6s\n' image MB
    printf '  %-10s %6.1f\n' debian "$((base / 100000))e-1"
    for service in "${services[@]}"; do
        size=$(docker image inspect --format '{{.Size}}' "madang-$service")
        printf '  %-10s %6.1f\n' "$service" "$((size / 100000))e-1"
        if ((size > 120000000)); then fail "the image of $service is larger than 120 MB"; fi
    done
}

confinement() {
    step "What a service may do in its container"
    local container user
    for service in "${services[@]}"; do
        container=$(replicas "$service" | head -n 1)
        user=$(docker top "$container" -eo pid,uid | awk 'NR > 1 { print $2 }')
        docker inspect --format '{{.HostConfig.ReadonlyRootfs}} {{.HostConfig.CapDrop}} {{.HostConfig.SecurityOpt}}' \
            "$container" >"$work/confinement"
        printf '  %-10s user %s, read-only and capabilities dropped: %s\n' "$service" "$user" "$(<"$work/confinement")"
        if [[ $user != 10001 || $(<"$work/confinement") != "true [ALL] [no-new-privileges:true]" ]]; then
            fail "$service may do more in its container than it needs to"
        fi
        if docker exec "$container" /usr/local/bin/madang --health; then :; else fail "$service --health"; fi
    done
}

demo() {
    step "The demo through the edge"
    MADANG_URL=http://127.0.0.1:$EDGE_PORT docker/demo.sh || fail "the demo"
}

scale() {
    step "Three replicas of each service, found by the edge that runs"
    local edge service port=8081 container count
    edge=$(replicas edge)
    compose up --detach --no-build --no-recreate --wait --wait-timeout 120 "${three[@]}"
    sleep 2 # The edge looks names up again after a second.
    start_load 60
    sleep 5
    end_load "load on three replicas"
    for service in "${services[@]}"; do
        printf '  %-10s' "$service"
        for container in $(replicas "$service"); do
            count=$(answered "$container" "$port")
            printf ' %6d' "$count"
            if ((count < 5)); then fail "a replica of $service got $count requests"; fi
        done
        printf ' requests answered by each\n'
        ((++port))
    done
    if [[ $(replicas edge) != "$edge" ]]; then fail "the edge was started again"; fi
}

# Nothing answers /socket.io yet, so a 404 is an answer; which replica gave it is what counts.
sockets() {
    step "Engine.IO sessions stay on their replica"
    local container session number
    declare -A before=()
    for number in 1 2 3; do
        session=$(</proc/sys/kernel/random/uuid).abc
        for container in $(replicas parties); do before[$container]=$(answered "$container" 8082); done
        for _ in $(seq 20); do
            curl --silent --output /dev/null "http://127.0.0.1:$EDGE_PORT/socket.io/?EIO=4&transport=polling&t=$RANDOM&sid=$session"
        done
        local got=()
        for container in $(replicas parties); do
            got+=("$(($(answered "$container" 8082) - before[$container]))")
        done
        echo "  session $number: ${got[*]} of 20 requests to each replica"
        if [[ $(printf '%s\n' "${got[@]}" | sort -n | xargs) != "0 0 20" ]]; then
            fail "a session was spread over replicas: ${got[*]}"
        fi
    done
}

races() {
    step "Races between replicas"
    /usr/bin/python3 "$tests/races.py" || fail "races"
}

rolling() {
    step "Every replica of every service replaced under load; nothing is sent twice"
    start_load 60
    docker/rolling.sh || fail "docker/rolling.sh"
    end_load "replacing replicas"
}

restart() {
    step "Every service restarted in place under load, one replica at a time"
    local service container
    start_load 60
    for service in "${services[@]}"; do
        for container in $(replicas "$service"); do
            docker restart --time 12 "$container" >/dev/null
            until [[ $(docker inspect --format '{{.State.Health.Status}}' "$container") == healthy ]]; do sleep 0.5; done
        done
    done
    end_load "restarting replicas"
}

killing() {
    step "A replica of each service killed under 200 requests a second that may be repeated"
    local service
    start_load 200 idempotent
    for service in "${services[@]}"; do
        sleep 3
        docker kill "$(replicas "$service" | head -n 1)" >/dev/null
        echo "  killed one of $service"
    done
    sleep 5
    end_load "killing replicas"
    compose up --detach --no-build --no-recreate --wait --wait-timeout 120 "${three[@]}"
}

rebuild() {
    step "A changed line in one service, built"
    local tree=$work/tree began
    mkdir "$tree"
    git ls-files -z --cached --others --exclude-standard |
        xargs -0 tar --create --ignore-failed-read | tar --extract --directory "$tree"
    echo "// changed $(date +%s%N)" >>"$tree/Services/Market/Coins.swift"
    began=$(date +%s%N)
    docker build --quiet --build-arg SERVICE=market --file docker/Dockerfile --tag madang-market:changed "$tree" \
        >/dev/null 2>"$work/rebuild" || fail "the build: $(tail -n 5 "$work/rebuild")"
    began=$((($(date +%s%N) - began) / 100000000))
    printf '  market rebuilt in %.1f s\n' "${began}e-1"
    if ((began > 600)); then fail "a changed line took longer than a minute to build"; fi
    docker image rm --force madang-market:changed >/dev/null
}

trap finish EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
for name in ${CONTAINERS_STEPS:-start sizes confinement demo scale sockets races rolling restart killing rebuild demo}; do
    "$name"
done
if ((${#failures[@]} == 0)); then printf '\nAll container tests passed.\n'; fi
