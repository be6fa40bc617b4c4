#!/usr/bin/env bash
# Migrations that are safe while the last release still runs, by squawk's rules. It reads what the services
# really run, the runtime's own included; docker/test.sh has built the test that writes it out. Then it is
# shown migrations that it must refuse.
# shellcheck source=Tests/ThirdParty/server.sh
source "$(dirname "${BASH_SOURCE[0]}")/server.sh"

environment squawk squawk-cli==2.70.0
passed=0
failed=0

# What has run somewhere can't change, so what squawk says of it stays: SERVICE/FILE RULE, the service "*" for
# the runtime's. The columns hold numbers that are small by their meaning: the status of an answer, seats of
# a car, digits behind the point, places in a ranking, people in a meeting.
accepted=(
    "*/m0000_create_idempotency_key prefer-bigint-over-int"
    "market/m0001_create_market prefer-bigint-over-smallint"
    "market/m0001_create_market prefer-bigint-over-int"
    "meetings/m0001_create_meeting prefer-bigint-over-int"
    "parties/m0001_create_party prefer-bigint-over-smallint"
)

# Postgres.Migrator gives every migration a lock timeout. How long a statement runs is no matter where it
# holds no lock that keeps others out, which is what the other rules look at; a limit would only keep a
# big table from ever being validated.
everywhere=require-lock-timeout,require-statement-timeout

# squawk FILE RULES : complains of all but the rules.
squawk() {
    local mode=--assume-in-transaction
    if [[ $(head -n 1 "$1") == "-- no transaction" ]]; then mode=--no-assume-in-transaction; fi
    "$(dirname "$python")/squawk" --pg-version=15 "$mode" --exclude="$2" --reporter=gcc "$1"
}

# safe FILE : no rule is broken but the accepted ones.
safe() {
    local name=${1#"$work/migrations/"} rules=$everywhere line
    for line in "${accepted[@]}"; do
        # shellcheck disable=SC2053 # a pattern
        if [[ ${name%.sql} == ${line% *} ]]; then rules+=,${line#* }; fi
    done
    squawk "$1" "$rules"
}

MIGRATIONS_FOLDER=$work/migrations swift test --package-path "$project" --skip-build --disable-xctest \
    --filter MigrationFilesTests >"$work/written" 2>&1 || {
    cat "$work/written" >&2
    exit 1
}
for file in "$work"/migrations/*/*.sql; do check "${file#"$work/migrations/"}" safe "$file"; done
for service in "$project"/Services/*/; do
    for file in "$service"Migrations/*.sql; do
        name=$(basename "$service")
        check "$file is among them" cmp "$file" "$work/migrations/${name,,}/$(basename "$file")"
    done
done
for line in "${accepted[@]}"; do
    # shellcheck disable=SC2086 # a pattern
    for file in "$work"/migrations/${line% *}.sql; do
        refused "$line, which is accepted and not needed," "${line#* }" squawk "$file" "$everywhere"
    done
done

# unsafe RULE SQL : squawk refuses this migration of parties by the rule.
unsafe() {
    echo "$2" >"$work/migrations/parties/m9999_unsafe.sql"
    refused "$2" "$1" safe "$work/migrations/parties/m9999_unsafe.sql"
}
unsafe ban-drop-column "alter table party drop column note;"
unsafe renaming-column "alter table party rename column note to remark;"
unsafe changing-column-type "alter table party alter column note type bytea using note::bytea;"
unsafe adding-not-nullable-field "alter table party alter column note set not null;"
unsafe require-concurrent-index-creation "create index party_by_note on party (note);"
unsafe constraint-missing-not-valid "alter table party add constraint party_note check (note <> '');"
unsafe ban-concurrent-index-creation-in-transaction "
    alter table party add column remark text;
    create index concurrently if not exists party_by_remark on party (remark);"
report "$passed" "$failed" 0
