#!/usr/bin/env bash
# Brings back what docker/backup.sh saved (make restore FROM=FOLDER): docker/restore.sh FOLDER
#
# The services must not run: for a compose deployment stop them and leave postgres; for `make run`, stop
# it, and this starts its PostgreSQL for the occasion. Databases with tables in them are refused unless
# REPLACE=yes. All five are restored beside the present ones and take their places in one transaction at
# the end, so a failure leaves everything as it was. Services of the same or a later release than the
# backup's bring the schema up to date when they start.
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
# shellcheck source=docker/deployment.sh
source docker/deployment.sh

folder=${1:?the folder that docker/backup.sh wrote}

finish() {
    local status=$?
    trap - EXIT
    set +e
    if [[ -n ${reached:-} ]]; then drop_beside restored; fi
    leave_postgres
    exit "$status"
}

# drop_beside SUFFIX : removes the databases that stand beside the services'.
drop_beside() {
    local name
    for name in "${services[@]}"; do
        if database_exists "${name}_$1"; then sql postgres "drop database ${name}_$1"; fi
    done
}

check_files() {
    local name
    for name in "${services[@]}"; do
        [[ -s $folder/$name.dump ]] || die "$folder has no $name.dump: it is no whole backup."
    done
    (cd "$folder" && sha256sum --check --quiet --strict SHA256SUMS) ||
        die "$folder is damaged, or was changed after it was made."
}

# A service that comes or stays would write to the database that is about to go.
refuse_connected() {
    local connected
    connected=$(sql postgres "select string_agg(distinct datname::text, ', ') from pg_stat_activity
        where datname in ('auth', 'parties', 'meetings', 'market', 'sports')")
    [[ -z $connected ]] || die "In use: $connected. Stop the services first, and leave PostgreSQL running."
}

# database_exists NAME
database_exists() { [[ $(sql postgres "select 1 from pg_database where datname = '$1'") == 1 ]]; }

refuse_full() {
    local name full=()
    [[ ${REPLACE:-} == yes ]] && return
    for name in "${services[@]}"; do
        database_exists "$name" || continue
        if [[ $(sql "$name" "select exists (select from pg_class
            where relkind in ('r', 'p') and relnamespace = 'public'::regnamespace)") == t ]]; then
            full+=("$name")
        fi
    done
    ((${#full[@]} == 0)) ||
        die "Not empty: ${full[*]}. Say REPLACE=yes to put the backup in the place of what they hold."
}

# restore_beside SERVICE : a new database SERVICE_restored, owned by the service's role.
restore_beside() {
    sql postgres "create database ${1}_restored owner $1"
    sql postgres "revoke all on database ${1}_restored from public"
    in_postgres pg_restore --dbname="${1}_restored" --single-transaction --exit-on-error --no-owner \
        --no-privileges --role="$1" <"$folder/$1.dump" || die "The database $1 could not be restored."
}

take_places() {
    local name swap=
    for name in "${services[@]}"; do
        if database_exists "$name"; then swap+="alter database $name rename to ${name}_replaced;"; fi
        swap+="alter database ${name}_restored rename to $name;"
    done
    sql postgres "begin; $swap commit;" || die "The restored databases could not take the places; nothing has changed."
}

trap finish EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
check_files
choose_deployment
if [[ $deployment == run && -e .run/lock ]] && ! flock --nonblock .run/lock true; then
    die "'make run' is running. Stop it first; the restore starts its PostgreSQL by itself."
fi
reach_postgres
refuse_connected
refuse_full
reached=yes
drop_beside restored
drop_beside replaced
for name in "${services[@]}"; do
    restore_beside "$name"
done
refuse_connected
take_places
drop_beside replaced
say "Restored ${#services[@]} databases from $folder. Start the services."
