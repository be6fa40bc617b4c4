#!/usr/bin/env bash
# Replaces each replica of the services by a new one of the present image and settings, one after the other and
# without dropping a request: docker/rolling.sh [SERVICE...], by default all five. Build the new images before.
#
# The new replica is healthy before the old one is told to stop, and that one answers while it drains. One that
# does not become healthy ends this; its predecessor still runs.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

services=("$@")
if (($# == 0)); then services=(auth parties meetings market sports); fi

for service in "${services[@]}"; do
    mapfile -t replicas < <(docker compose ps --quiet "$service")
    if ((${#replicas[@]} == 0)); then
        echo "$service does not run; start it with docker compose up." >&2
        exit 1
    fi
    for replica in "${replicas[@]}"; do
        docker compose --progress quiet up --detach --no-build --no-deps --no-recreate \
            --scale "$service=$((${#replicas[@]} + 1))" --wait --wait-timeout 120 "$service"
        docker stop --time 12 "$replica" >/dev/null
        status=$(docker inspect --format '{{.State.ExitCode}}' "$replica")
        docker rm "$replica" >/dev/null
        if ((status != 0)); then
            echo "A replica of $service ended with status $status; it did not finish its requests." >&2
            exit 1
        fi
    done
    echo "$service: ${#replicas[@]} replaced"
done
