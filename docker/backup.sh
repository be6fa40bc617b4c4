#!/usr/bin/env bash
# Saves the five databases while the services run (make backup): docker/backup.sh [FOLDER]
#
# FOLDER, by default one of .backups named by the time, gets a file a service in pg_dump's own format,
# and checksums. Each file is one moment of its database. They are not the same moment: auth comes last,
# so that no other file tells of a user that it does not know; events that a service had not sent yet
# are in its file and are sent after a restore. docker/restore.sh brings them back.
#
# It holds what people wrote and their passwords' hashes: keep it as safe as the database. Keys and
# passwords of the services are not in it.
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

folder=${1:-.backups/$(date --utc +%Y-%m-%dT%H-%M-%SZ)}
unfinished=$folder.unfinished

finish() {
    local status=$?
    trap - EXIT
    set +e
    leave_postgres
    if [[ -n ${own:-} ]]; then rm -rf "$unfinished"; fi
    exit "$status"
}

# save SERVICE : its database as a file, which is then read to the end.
save() {
    local file=$unfinished/$1.dump
    in_postgres pg_dump --format=custom --dbname="$1" >"$file" </dev/null ||
        die "The database $1 could not be saved."
    in_postgres pg_restore --file=/dev/null <"$file" ||
        die "What was saved of the database $1 can't be read."
}

if [[ -e $folder ]]; then die "$folder exists. Name a folder that does not."; fi
trap finish EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
umask 077
choose_deployment
reach_postgres
mkdir -p "$(dirname "$folder")"
# Fails when another backup is writing there.
mkdir "$unfinished"
own=yes
for name in "${services[@]:1}" auth; do
    save "$name"
done
(cd "$unfinished" && sha256sum ./*.dump >SHA256SUMS)
sync "$unfinished"/* "$unfinished"
mv --no-target-directory "$unfinished" "$folder"
own=
say "Saved ${#services[@]} databases in $folder ($(du --summarize --human-readable "$folder" | cut -f 1))."
say "Bring them back with: make restore FROM=$folder"
