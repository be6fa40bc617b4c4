#!/usr/bin/env bash
# Makes one database and role a service. docker/local.sh takes the SQL; compose.yaml runs the file, which takes
# what SERVICE/database-url in /secrets says and leaves databases on other servers alone.
set -euo pipefail

# database_sql NAME PASSWORD : a role that owns its database and may not connect to another.
database_sql() {
    cat <<SQL
select 'create role $1 login' where not exists (select from pg_roles where rolname = '$1') \\gexec
alter role $1 password '$2';
select 'create database $1 owner $1'
 where not exists (select from pg_database where datname = '$1') \\gexec
revoke all on database $1 from public;
SQL
}

# Others' databases are not to be looked into.
closed_databases_sql="revoke connect on database postgres, template1 from public;"

make_databases() {
    local file url pattern='^postgres(ql)?://([a-z_]+):([A-Za-z0-9_.~-]+)@postgres(:5432)?/([a-z_]+)$'
    echo "$closed_databases_sql"
    for file in /secrets/*/database-url; do
        url=$(<"$file")
        [[ $url == *@postgres[:/]* ]] || continue
        if [[ ! $url =~ $pattern || ${BASH_REMATCH[2]} != "${BASH_REMATCH[5]}" ]]; then
            echo "$file must be postgres://NAME:PASSWORD@postgres:5432/NAME, PASSWORD of letters and digits" >&2
            return 1
        fi
        database_sql "${BASH_REMATCH[2]}" "${BASH_REMATCH[3]}"
    done
}

if [[ ${BASH_SOURCE[0]} == "$0" ]]; then
    sql=$(make_databases)
    PGPASSWORD=$(</secrets/postgres/password) psql --no-psqlrc --quiet --set=ON_ERROR_STOP=1 \
        --dbname="host=postgres user=postgres dbname=postgres" <<<"$sql"
fi
