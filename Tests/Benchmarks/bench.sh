#!/usr/bin/env bash
# Measures what the foundation costs (make bench): installs, builds release, starts a throw-away
# PostgreSQL on core 0, and lets bench.py beside it measure. Writes .bench/latest.json and .md.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
# shellcheck source=docker/processes.sh
source docker/processes.sh
# shellcheck source=docker/postgres.sh
source docker/postgres.sh

docker/packages.sh build bench
if (($(nproc) < 2)); then
    warn "The measurement needs two cores: the server's and the load's."
    exit 1
fi

python=.venv/socketify/bin/python
if [[ $(cat .venv/socketify/installed 2>/dev/null) != socketify==0.0.31 ]]; then
    say "Installing socketify into .venv/socketify"
    /usr/bin/python3 -m venv --clear .venv/socketify
    "$python" -m pip install --quiet --disable-pip-version-check socketify==0.0.31
    echo socketify==0.0.31 >.venv/socketify/installed
fi

say "==> Building release"
for product in benchmark-server auth parties meetings market sports; do
    swift build --configuration release --product "$product" --static-swift-stdlib
done
mkdir -p .bench
cc -O2 -Wall -o .bench/broadcast_client Tests/Benchmarks/broadcast_client.c

folder=$(mktemp -d /tmp/madang-bench.XXXXXX)
finish() {
    local status=$?
    trap - EXIT
    stop INT 20 postgres || true
    as_cluster_owner rm -rf "$folder/data"
    rm -rf "$folder"
    exit "$status"
}
trap finish EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
throwaway_cluster "$folder"
# What it forks from now on inherits the core.
taskset --all-tasks --cpu-list --pid 0 "${process_of[postgres]}" >/dev/null
ulimit -n "$(ulimit -Hn)"

export BENCH_DATABASE_URL=$cluster_url BENCH_POSTGRES_PROCESS=${process_of[postgres]}
PATH=$PATH:/usr/sbin:$(postgres_programs)
/usr/bin/python3 Tests/Benchmarks/bench.py
