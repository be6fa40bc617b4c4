#!/usr/bin/env bash
# The databases' way through docker/backup.sh and docker/restore.sh, with the data of the last release, on
# a PostgreSQL of its own: what comes back is what was saved, and what must not be restored is not.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
# shellcheck source=docker/processes.sh
source docker/processes.sh
# shellcheck source=docker/postgres.sh
source docker/postgres.sh

services=(auth parties meetings market sports)
work=$(mktemp -d /tmp/madang-backup-test.XXXXXX)
passed=0
failed=0

finish() {
    local status=$?
    trap - EXIT
    set +e
    stop INT 20 postgres
    as_cluster_owner rm -rf "$work/data"
    rm -rf "$work"
    exit "$status"
}

# expect WHAT COMMAND... : counts whether it succeeds. Its output is shown when it does not.
expect() {
    local what=$1
    shift
    if "$@" >"$work/output" 2>&1; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        warn "backup: $what"
        tail -n 5 "$work/output" >&2
    fi
}

# refuses TEXT COMMAND... : it fails and says TEXT.
refuses() {
    local text=$1
    shift
    ! "$@" >"$work/refusal" 2>&1 && grep --quiet --fixed-strings "$text" "$work/refusal"
}

# dump_all FOLDER : each database as text, rows in the order of their text, for comparing. Newer
# servers frame a dump with a word made at random.
dump_all() {
    local name
    mkdir -p "$1"
    for name in "${services[@]}"; do
        pg_dump --dbname="$name" | sed '/^\\restrict /d; /^\\unrestrict /d' | sort >"$1/$name.sql"
    done
}

same_data() { diff --recursive --brief "$work/before" "$1"; }

empty_databases() {
    local name
    for name in "${services[@]}"; do
        psql --no-psqlrc --quiet --dbname=postgres --command="drop database if exists $name" \
            --command="create database $name owner $name" --command="revoke all on database $name from public"
    done 2>/dev/null
}

# As the service's own role, so that it owns its tables, as it would.
load_release() {
    local name release
    release=$(printf '%s\n' Tests/Releases/*/data | sort --version-sort | tail -n 1)
    for name in "${services[@]}"; do
        psql --no-psqlrc --quiet --dbname="$name" --set=ON_ERROR_STOP=1 --output=/dev/null \
            --command="set role $name" --file="$release/$name.sql"
    done
}

# Every row has a partner, or the moment was none.
pairs_are_whole() {
    [[ $(psql --no-psqlrc --tuples-only --no-align --dbname=parties --command="
        select count(*) filter (where side = 'left') = count(*) filter (where side = 'right')
            and count(*) > 0 from pair") == t ]]
}

owned_by_roles() {
    local name
    for name in "${services[@]}"; do
        [[ $(psql --no-psqlrc --tuples-only --no-align --dbname="$name" --command="
            select count(*) from pg_class where relnamespace = 'public'::regnamespace
                and pg_get_userbyid(relowner) <> '$name'") == 0 ]] || return 1
        [[ $(psql --no-psqlrc --tuples-only --no-align --dbname=postgres --command="
            select pg_get_userbyid(datdba) = '$name' and not has_database_privilege('outsider', oid, 'connect')
            from pg_database where datname = '$name'") == t ]] || return 1
    done
}

nothing_beside() {
    [[ $(psql --no-psqlrc --tuples-only --no-align --dbname=postgres --command="
        select count(*) from pg_database where datname like '%\_restored' or datname like '%\_replaced'") == 0 ]]
}

trap finish EXIT
trap 'exit 130' INT TERM
throwaway_cluster "$work"
unset PGDATABASE PGSERVICE DEPLOYMENT REPLACE
export PGHOST=127.0.0.1 PGUSER=postgres PGPORT=$cluster_port PGPASSWORD
PGPASSWORD=$(<"$work/password")
for name in "${services[@]}" outsider; do
    psql --no-psqlrc --quiet --dbname=postgres --command="create role $name login"
done
empty_databases
load_release
dump_all "$work/before"

saved=$work/saved
expect "a backup is made" docker/backup.sh "$saved"
expect "another does not overwrite it" refuses "exists" docker/backup.sh "$saved"
expect "databases with data are refused" refuses "Not empty" docker/restore.sh "$saved"
psql --no-psqlrc --quiet --dbname=parties --command="delete from party_member" --command="create table later (id int)"

cp -r "$saved" "$work/damaged"
printf 'X' | dd of="$work/damaged/sports.dump" bs=1 seek=5000 conv=notrunc status=none
expect "a damaged file is refused" refuses "damaged" env REPLACE=yes docker/restore.sh "$work/damaged"
rm "$work/damaged/sports.dump"
expect "a missing file is refused" refuses "no sports.dump" env REPLACE=yes docker/restore.sh "$work/damaged"

start reader "$work/reader.log" psql --no-psqlrc --dbname=sports --command="select pg_sleep(600)"
reader_is_there() {
    [[ $(psql --no-psqlrc --tuples-only --no-align --dbname=postgres \
        --command="select count(*) from pg_stat_activity where datname = 'sports'") == 1 ]]
}
wait_until 10 reader_is_there
expect "a connected service is refused" refuses "In use: sports" env REPLACE=yes docker/restore.sh "$saved"
stop INT 10 reader 2>/dev/null || true

# Cut off while it waits for a table of the first database.
start locker "$work/locker.log" psql --no-psqlrc --dbname=parties \
    --command="begin; lock table party in access exclusive mode; select pg_sleep(600)"
sessions() { psql --no-psqlrc --tuples-only --no-align --dbname=postgres --command="select count(*) from pg_stat_activity where $1"; }
table_is_locked() { [[ $(sessions "datname = 'parties' and wait_event = 'PgSleep'") == 1 ]]; }
backup_waits() { [[ $(sessions "application_name = 'pg_dump' and wait_event_type = 'Lock'") == 1 ]]; }
wait_until 10 table_is_locked
start cut "$work/cut.log" docker/backup.sh "$work/cut"
expect "a backup waits for a locked table" wait_until 10 backup_waits
stop KILL 10 cut 2>/dev/null || true
stop INT 10 locker 2>/dev/null || true
expect "a backup that was cut off does not look whole" test ! -e "$work/cut"
expect "what it left is refused" refuses "it is no whole backup" docker/restore.sh "$work/cut.unfinished"

# The last of the five can't be restored, so the first four are not to change either.
dump_all "$work/changed"
cp -r "$saved" "$work/short"
head --bytes=3000 "$saved/sports.dump" >"$work/short/sports.dump"
(cd "$work/short" && sha256sum ./*.dump >SHA256SUMS)
expect "a file that ends early is refused" refuses "could not be restored" env REPLACE=yes docker/restore.sh "$work/short"
dump_all "$work/unchanged"
expect "a failed restore changes nothing" diff --recursive --brief "$work/changed" "$work/unchanged"
expect "a failed restore leaves nothing behind" nothing_beside

expect "what was told to be replaced is" env REPLACE=yes docker/restore.sh "$saved"
dump_all "$work/replaced"
expect "data and schema are those that were saved" same_data "$work/replaced"
empty_databases
expect "empty databases are filled" docker/restore.sh "$saved"
dump_all "$work/filled"
expect "data and schema are those that were saved" same_data "$work/filled"
expect "roles own their databases, and only they connect" owned_by_roles
expect "a restore leaves nothing behind" nothing_beside

psql --no-psqlrc --quiet --dbname=parties --command="create table pair (side text)"
start writer "$work/writer.log" psql --no-psqlrc --quiet --dbname=parties --command="do \$\$ begin loop
    insert into pair values ('left'); insert into pair values ('right'); commit; end loop; end \$\$"
some_pairs() { [[ -n $(psql --no-psqlrc --tuples-only --dbname=parties --command="select 1 from pair limit 1") ]]; }
wait_until 10 some_pairs
expect "a backup is made while a service writes" docker/backup.sh "$work/busy"
expect "the service wrote all the time" runs writer
stop INT 10 writer 2>/dev/null || true
expect "it is restored" env REPLACE=yes docker/restore.sh "$work/busy"
expect "it is one moment" pairs_are_whole

echo "backup: $passed passed, $failed failed"
echo "$passed $failed 0" >"${RESULTS:-/dev/null}"
((failed == 0))
