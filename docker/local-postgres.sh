# shellcheck shell=bash
# shellcheck disable=SC2034,SC2154
# The PostgreSQL of `make run` and the five databases in it: source it after processes.sh, postgres.sh
# and databases.sh, in the project's top folder.

services=(auth parties meetings market sports)
project=$PWD
secrets=$project/.run/secrets
logs=$project/.run/logs
data=$project/.run/postgres
postgres_port=${POSTGRES_PORT:-54320}

step() { printf '\n==> %s\n' "$*"; }
die() {
    warn "$*"
    exit 1
}

# lock_run : makes the folders that all use, and takes what only one may have at a time.
lock_run() {
    mkdir -p .run "$secrets" "$logs"
    # PostgreSQL's user passes through .run but does not look into it.
    chmod 711 .run
    chmod 700 "$secrets"
    exec 9>>.run/lock
    flock --nonblock 9
}

# secret NAME : prints the path of a secret of that name, made at the first call.
secret() {
    local file=$secrets/$1
    if [[ ! -s $file ]]; then
        (umask 077 && openssl rand -hex 24 >"$file.new" && mv "$file.new" "$file")
    fi
    echo "$file"
}

# Chooses the cluster's folder and owner. Root hands it to PostgreSQL's own user, who may not reach
# a clone in /root: then the data lies in /var/lib/madang and .run/postgres is a link to it.
place_cluster() {
    local owner
    if [[ -e $data ]]; then
        owner=$(stat --dereference --format=%U "$data")
        if ((EUID == 0)); then
            if [[ $owner != root ]]; then cluster_owner=$owner; fi
        elif [[ $owner != "$cluster_owner" ]]; then
            die "$data belongs to $owner, from a run as another user. Run as before, or remove .run."
        fi
    fi
    if ((EUID != 0)); then
        mkdir -p "$data"
        chmod 700 "$data"
        return
    fi
    id "$cluster_owner" >/dev/null 2>&1 ||
        die "PostgreSQL does not run as root and there is no user '$cluster_owner'. Install postgresql."
    if [[ -L $data && ! -e $data ]]; then rm "$data"; fi
    if [[ ! -e $data ]]; then
        mkdir "$data"
        chown "$cluster_owner:" "$data"
        chmod 700 "$data"
        if ! as_cluster_owner test -w "$data"; then
            rmdir "$data"
            local elsewhere
            elsewhere=/var/lib/madang/$(basename "$project")-$(cksum <<<"$project" | cut -d ' ' -f 1)
            mkdir -p "$elsewhere"
            chown "$cluster_owner:" "$elsewhere"
            chmod 700 "$elsewhere"
            ln -s "$elsewhere" "$data"
        fi
    fi
    if [[ -L $data ]]; then
        data=$(readlink --canonicalize "$data")
        say "PostgreSQL's user does not reach $project, so the data is in $data."
    fi
}

start_postgres() {
    local password
    password=$(secret postgres)
    if ! as_cluster_owner test -d "$data/cluster"; then
        step "Making the PostgreSQL cluster"
        # Under another name until it is whole.
        as_cluster_owner rm -rf "$data/unfinished"
        make_cluster "$data/unfinished" "$password" || die "The PostgreSQL cluster could not be made."
        as_cluster_owner mv "$data/unfinished" "$data/cluster"
    fi
    # Each loop of a service, one a core, may open 10 connections and a listener.
    start_cluster "$data/cluster" "$postgres_port" "$logs/postgres.log" \
        "max_connections=$((50 + 5 * 11 * $(nproc)))" cluster_name=madang || exit 1
}

make_all_databases() {
    local name password
    {
        echo "$closed_databases_sql"
        for name in "${services[@]}"; do
            password=$(<"$(secret "$name.database")")
            database_sql "$name" "$password"
        done
    } | PGPASSWORD=$(<"$secrets/postgres") psql --no-psqlrc --quiet --set=ON_ERROR_STOP=1 \
        --dbname="host=127.0.0.1 port=$postgres_port user=postgres dbname=postgres" ||
        die "The services' databases could not be made."
}
