# shellcheck shell=bash
# Starts a server for a suite of this folder, on a free port and a database of its own; the suite
# sources it. It needs TEST_DATABASE_URL, a superuser's, and what docker/test.sh has built.
#
# Sets "work", "port" and "log", stops what was started when the suite ends, and gives it "report PASSED
# FAILED SKIPPED", which the runner reads, and "check" and "refused" for those that count one by one.
set -euo pipefail
project=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
# shellcheck source=docker/processes.sh
source "$project/docker/processes.sh"

suite=$(basename "$0" .sh)
work=$(mktemp -d "/tmp/madang-$suite.XXXXXX")
log=$work/server.log

report() {
    echo "$suite: $1 passed, $2 failed, $3 skipped"
    echo "$1 $2 $3" >"${RESULTS:-/dev/null}"
    (($2 == 0))
}

finish() {
    local status=$? name
    trap - EXIT
    for name in "${!process_of[@]}"; do
        if ! stop TERM 12 "$name"; then
            warn "$name did not end well; its log ends:"
            tail -n 20 "${log_of[$name]}" >&2
            status=1
        fi
    done
    rm -rf "$work"
    exit "$status"
}

# check NAME COMMAND... : a check passes when the command does; its output is shown when not.
check() {
    local name=$1
    shift
    if "$@" >"$work/output" 2>&1; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        warn "FAILED: $name"
        sed 's/^/  /' "$work/output" >&2
    fi
}

# refused NAME TEXT COMMAND... : a check passes when the command fails and says TEXT.
refused() {
    local name=$1 text=$2
    shift 2
    if "$@" >"$work/output" 2>&1 || ! grep -q "$text" "$work/output"; then
        failed=$((failed + 1))
        warn "FAILED: $name was not refused for \"$text\""
        sed 's/^/  /' "$work/output" >&2
    else
        passed=$((passed + 1))
    fi
}

# start_server EXECUTABLE : waits until it is ready. What is exported configures it.
start_server() {
    : "${TEST_DATABASE_URL:?a superuser of a PostgreSQL to make a database on; make test sets it}"
    database=third_party_${suite//-/_}
    PGOPTIONS=--client-min-messages=warning psql --no-psqlrc --quiet --dbname="$TEST_DATABASE_URL" \
        --command="drop database if exists $database with (force)" \
        --command="create database $database"
    port=$(random_free_port)
    trap finish EXIT
    trap 'exit 130' INT
    trap 'exit 143' TERM
    executable=$1
    launch
}

# restart_server : the same executable on the same database and port, as it is configured by now.
restart_server() {
    stop TERM 12 server
    launch
}

launch() {
    DATABASE_URL=${TEST_DATABASE_URL%/*}/$database PORT=$port REQUESTS_PER_MINUTE=0 LOG_LEVEL=warning \
        start server "$log" "$project/.build/debug/$executable"
    if ! wait_until 30 answers_or_died || ! runs server; then
        warn "$executable did not start:"
        tail -n 20 "$log" >&2
        exit 1
    fi
}

answers_or_died() {
    ! runs server || curl --silent --fail --max-time 2 --output /dev/null "http://127.0.0.1:$port/health/ready"
}

# environment NAME PACKAGE==VERSION... : a Python environment in .venv/NAME; sets "python".
environment() {
    local folder=$project/.venv/$1
    shift
    python=$folder/bin/python
    if [[ $(cat "$folder/installed" 2>/dev/null) != "$*" ]]; then
        echo "Installing $* into ${folder#"$project/"}"
        # Debian's own Python: one of a version manager may lack parts.
        /usr/bin/python3 -m venv --clear "$folder"
        "$python" -m pip install --quiet --disable-pip-version-check "$@"
        echo "$*" >"$folder/installed"
    fi
}
