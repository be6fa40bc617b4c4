# shellcheck shell=bash
# Starts services for a suite of this folder, each on a free port and a database of its own; the suite
# sources it. It needs TEST_DATABASE_URL, a superuser's, and what docker/test.sh has built.
#
# Sets "work", stops what was started when the suite ends, and gives it "report PASSED FAILED SKIPPED",
# which the runner reads, and "check" and "refused" for those that count one by one.
set -euo pipefail
project=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
# shellcheck source=docker/processes.sh
source "$project/docker/processes.sh"

suite=$(basename "$0" .sh)
work=$(mktemp -d "/tmp/madang-$suite.XXXXXX")
# Of each service that was started.
declare -A port_of=() database_of=()
# What every service shows auth for its token.
secret='secret-of-the-third-parties'

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

sql() {
    PGOPTIONS=--client-min-messages=warning psql --no-psqlrc --quiet --output=/dev/null --dbname="$TEST_DATABASE_URL" "$@"
}

# start_services EXECUTABLE... : waits until all are ready. They know each other's addresses and secrets;
# what is exported besides configures them.
start_services() {
    : "${TEST_DATABASE_URL:?a superuser of a PostgreSQL to make databases on; make test sets it}"
    local name port
    if [[ -z ${SIGNING_KEY_FILE:-} ]]; then
        openssl genpkey -algorithm ed25519 -out "$work/signing-key.pem" 2>/dev/null
        export SIGNING_KEY_FILE=$work/signing-key.pem
    fi
    export CLIENT_SECRET=$secret
    for name in PARTIES MEETINGS MARKET SPORTS; do export "${name}_CLIENT_SECRET=$secret"; done
    for name in "$@"; do
        port=$(random_free_port)
        while [[ " ${port_of[*]} " == *" $port "* ]]; do port=$(random_free_port); done
        port_of[$name]=$port
        database_of[$name]=third_party_${suite//-/_}_${name//-/_}
        sql --command="drop database if exists ${database_of[$name]} with (force)" \
            --command="create database ${database_of[$name]}"
        name=${name//-/_}
        export "${name^^}_URL=http://127.0.0.1:$port"
    done
    for name in "$@"; do launch "$name"; done
    for name in "$@"; do wait_for "$name"; done
}

# restart_service EXECUTABLE : the same one on the same database and port, as it is configured by now.
restart_service() {
    stop TERM 12 "$1"
    launch "$1"
    wait_for "$1"
}

launch() {
    DATABASE_URL=${TEST_DATABASE_URL%/*}/${database_of[$1]} PORT=${port_of[$1]} REQUESTS_PER_MINUTE=0 \
        LOG_LEVEL=${LOG_LEVEL:-warning} DEMO_HISTORY_MINUTES=${DEMO_HISTORY_MINUTES:-10} \
        DEMO_LEAGUES_PER_COUNTRY=${DEMO_LEAGUES_PER_COUNTRY:-1} \
        start "$1" "$work/$1.log" "$project/.build/debug/$1"
}

wait_for() {
    if ! wait_until 60 ready_or_died "$1" || ! runs "$1"; then
        warn "$1 did not start:"
        tail -n 20 "$work/$1.log" >&2
        exit 1
    fi
}

ready_or_died() {
    ! runs "$1" ||
        curl --silent --fail --max-time 2 --output /dev/null "http://127.0.0.1:${port_of[$1]}/health/ready"
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

trap finish EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
