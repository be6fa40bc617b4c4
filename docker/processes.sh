# shellcheck shell=bash
# shellcheck disable=SC2034
# Child processes and ports for the scripts beside this file; source it.
#
# Each child gets a session of its own, so that Ctrl-C reaches only the script, which then stops them
# in order, and is told to end when the script itself is killed.

declare -A process_of=() log_of=()
privileges=()

say() { printf '%s\n' "$*"; }
warn() { printf '%s\n' "$*" >&2; }

# start NAME LOG COMMAND... : starts in the background; process_of[NAME] is the process itself.
# It does not inherit descriptor 9, the script's lock.
# The array "privileges" holds options for setpriv, death_signal what to send when the script dies.
start() {
    local name=$1 log=$2
    shift 2
    setsid setpriv "${privileges[@]}" --pdeathsig "${death_signal:-TERM}" "$@" >>"$log" 2>&1 </dev/null 9>&- &
    process_of[$name]=$!
    log_of[$name]=$log
}

runs() { [[ -n ${process_of[$1]:-} ]] && kill -0 "${process_of[$1]}" 2>/dev/null; }

# stop SIGNAL SECONDS NAME... : signals all, waits for all, and kills what is left after SECONDS.
# Fails when one had to be killed or ended with an error.
stop() {
    local signal=$1 seconds=$2 name status failed=0
    shift 2
    for name in "$@"; do
        if runs "$name"; then kill -s "$signal" "${process_of[$name]}" 2>/dev/null; fi
    done
    local deadline=$((SECONDS + seconds))
    for name in "$@"; do
        [[ -n ${process_of[$name]:-} ]] || continue
        while runs "$name" && ((SECONDS < deadline)) && [[ -z ${hurry:-} ]]; do sleep 0.05; done
        if runs "$name"; then
            warn "$name did not stop within $seconds s and was killed."
            kill -s KILL "${process_of[$name]}" 2>/dev/null
            failed=1
        fi
        status=0
        wait "${process_of[$name]}" 2>/dev/null || status=$?
        if ((status != 0 && failed == 0)); then
            warn "$name ended with status $status."
            failed=1
        fi
        unset "process_of[$name]"
    done
    return "$failed"
}

# wait_until SECONDS COMMAND... : repeats COMMAND until it succeeds or SECONDS have passed.
wait_until() {
    local deadline=$((SECONDS + $1))
    shift
    until "$@"; do
        ((SECONDS < deadline)) || return 1
        sleep 0.05
    done
}

port_is_busy() { (exec 3<>"/dev/tcp/127.0.0.1/$1") 2>/dev/null; }

# Below 32768, where Linux takes the ports of outgoing connections from.
random_free_port() {
    local port
    while true; do
        port=$((RANDOM % 12000 + 20000))
        port_is_busy "$port" || break
    done
    echo "$port"
}

# who_listens PORT : names the listening process where the system tells, else prints nothing.
who_listens() {
    command -v ss >/dev/null || return 0
    ss -Hltnp "sport = :$1" 2>/dev/null | sed -n 's/.*users:(("\([^"]*\)",pid=\([0-9]*\).*/\1, process \2/p' | head -n 1
}
