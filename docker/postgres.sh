# shellcheck shell=bash
# A PostgreSQL cluster of our own, apart from the system's: source it after processes.sh.
#
# It listens on loopback TCP only and asks for passwords: a Unix socket would need a path short
# enough and a folder that both users reach, and other users of the machine are not to get in.
# PostgreSQL refuses to run as root, so root drops to the user that Debian's package made for it.

# postgres_programs [DATA] : the folder of the server's programs, of DATA's version where it exists.
postgres_programs() {
    local version folder
    if [[ -n ${1:-} ]] && version=$(as_cluster_owner cat "$1/PG_VERSION" 2>/dev/null); then
        folder=/usr/lib/postgresql/$version/bin
        if [[ ! -x $folder/postgres ]]; then
            folder=$(pg_config --bindir 2>/dev/null) || folder=
            if [[ ! -x $folder/postgres || $("$folder/postgres" --version) != *" $version."* ]]; then
                warn "The data in $1 is of PostgreSQL $version, which is not installed."
                warn "Install it (sudo apt-get install postgresql-$version) or move that folder away."
                return 1
            fi
        fi
        echo "$folder"
        return
    fi
    folder=$(compgen -G '/usr/lib/postgresql/*/bin' | sort --version-sort | tail -n 1) || true
    if [[ ! -x $folder/initdb ]]; then folder=$(dirname "$(command -v initdb)" 2>/dev/null) || true; fi
    if [[ ! -x $folder/initdb ]]; then
        warn "PostgreSQL's server programs were not found. Install the package postgresql."
        return 1
    fi
    echo "$folder"
}

# The user whom the cluster runs as.
cluster_owner=$(id -un)
if ((EUID == 0)); then cluster_owner=postgres; fi

# Fills the array "privileges" with what setpriv needs to become the cluster's owner.
owner_privileges() {
    privileges=()
    if ((EUID == 0)); then
        privileges=("--reuid=$cluster_owner" "--regid=$(id -g "$cluster_owner")" --init-groups)
    fi
}

as_cluster_owner() {
    local privileges
    owner_privileges
    (cd / && exec setpriv "${privileges[@]}" "$@")
}

# make_cluster DATA PASSWORD_FILE [OPTION...] : a new cluster in the empty or absent folder DATA.
make_cluster() {
    local data=$1 password_file=$2 programs report
    shift 2
    programs=$(postgres_programs) || return 1
    # The password comes by standard input: its file is not the cluster owner's to read.
    # shellcheck disable=SC2016
    if ! report=$(as_cluster_owner sh -c '
        umask 077
        file=$(mktemp) && trap "rm -f \"$file\"" EXIT && cat >"$file" && "$@" --pwfile="$file"' \
        sh "$programs/initdb" --pgdata="$data" --username=postgres --encoding=UTF8 \
        --locale=C.UTF-8 --auth=scram-sha-256 "$@" <"$password_file" 2>&1); then
        warn "$report"
        return 1
    fi
}

# start_cluster DATA PORT LOG [SETTING...] : starts it as the process "postgres", waits until it answers.
start_cluster() {
    local data=$1 port=$2 log=$3 programs setting privileges settings=()
    shift 3
    programs=$(postgres_programs "$data") || return 1
    for setting in "$@"; do settings+=(-c "$setting"); done
    owner_privileges
    # INT is PostgreSQL's fast stop: sessions are ended, data is written.
    death_signal=INT start postgres "$log" "$programs/postgres" -D "$data" -p "$port" -c listen_addresses=127.0.0.1 \
        -c unix_socket_directories= -c timezone=UTC -c log_timezone=UTC "${settings[@]}"
    wait_until 60 cluster_answers_or_died "$programs" "$port"
    if ! runs postgres; then
        warn "PostgreSQL did not start; the end of $log:"
        tail -n 15 "$log" >&2
        return 1
    fi
}

cluster_answers_or_died() {
    runs postgres || return 0
    "$1/pg_isready" --quiet --host=127.0.0.1 --port="$2" --timeout=2
}

# stop_leftover_cluster DATA : ends a server that a killed run left behind on DATA.
stop_leftover_cluster() {
    local process
    process=$(as_cluster_owner head -n 1 "$1/postmaster.pid" 2>/dev/null) || return 0
    [[ $process =~ ^[0-9]+$ && $(readlink "/proc/$process/cwd") == "$(readlink -f "$1")" ]] || return 0
    say "Stopping the PostgreSQL that an earlier run left behind (process $process)."
    kill -s INT "$process" 2>/dev/null || true
    wait_until 30 eval "! kill -0 $process 2>/dev/null"
}

# throwaway_cluster FOLDER [SETTING...] : makes and starts a cluster that is not kept, in FOLDER,
# which has to be new; sets cluster_port and cluster_url, the superuser's.
throwaway_cluster() {
    local folder=$1 password attempt
    shift
    if ((EUID == 0)); then chown "$cluster_owner:" "$folder"; fi
    # Root's logs beside it, so others may pass.
    chmod 711 "$folder"
    password=$(openssl rand -hex 16)
    (umask 077 && echo "$password" >"$folder/password")
    make_cluster "$folder/data" "$folder/password" --no-sync || return 1
    # Another program may take the port between the look and the start.
    for attempt in 1 2 3 4 5; do
        cluster_port=$(random_free_port)
        if start_cluster "$folder/data" "$cluster_port" "$folder/postgres.log" \
            fsync=off synchronous_commit=off full_page_writes=off max_connections=400 "$@"; then
            # shellcheck disable=SC2034
            cluster_url=postgres://postgres:$password@127.0.0.1:$cluster_port/postgres
            return 0
        fi
        warn "Attempt $attempt to start a throw-away PostgreSQL failed."
    done
    return 1
}
