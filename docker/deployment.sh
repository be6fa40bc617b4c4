# shellcheck shell=bash
# shellcheck disable=SC2154
# Which PostgreSQL holds the services' databases, for the scripts that save and restore them: source it
# after local-postgres.sh, then call choose_deployment.
#
# server    what PGHOST, PGPORT, PGUSER and PGPASSWORD name, when PGHOST is set: any server at all
# run       that of `make run`, which is started for the occasion when it does not run
# compose   the container "postgres" of compose.yaml, when it runs

# choose_deployment : sets "deployment", unless DEPLOYMENT has told it.
choose_deployment() {
    local found=()
    deployment=${DEPLOYMENT:-}
    if [[ -z $deployment && -n ${PGHOST:-} ]]; then deployment=server; fi
    if [[ -z $deployment ]]; then
        if [[ -e .run/postgres ]]; then found+=(run); fi
        if compose_runs; then found+=(compose); fi
        case ${#found[@]} in
            0) die "There is nothing here: neither .run of 'make run' nor a running compose project." ;;
            1) deployment=${found[0]} ;;
            *) die "Both 'make run' and compose have databases here. Say DEPLOYMENT=run or DEPLOYMENT=compose." ;;
        esac
    fi
    case $deployment in
        run | compose | server) ;;
        *) die "DEPLOYMENT is '$deployment'; it must be run, compose or server." ;;
    esac
    if [[ $deployment == compose ]] && ! compose_runs; then
        die "The container postgres does not run. Start it: docker compose up --detach postgres"
    fi
}

compose_runs() {
    [[ -e compose.yaml ]] && command -v docker >/dev/null &&
        [[ -n $(docker compose ps --status running --quiet postgres 2>/dev/null) ]]
}

# reach_postgres : makes "in_postgres" work. For make run it starts the server unless that runs; then
# "started" is set, and "leave_postgres" stops it.
reach_postgres() {
    started=
    [[ $deployment == run ]] || return 0
    if lock_run; then
        place_cluster
        stop_leftover_cluster "$data/cluster"
        if port_is_busy "$postgres_port"; then
            die "Port $postgres_port, meant for PostgreSQL, is in use. Choose another: POSTGRES_PORT=$((postgres_port + 1000))"
        fi
        start_postgres
        started=yes
        make_all_databases
    fi
    export PGHOST=127.0.0.1 PGPORT=$postgres_port PGUSER=postgres PGPASSWORD
    PGPASSWORD=$(<"$secrets/postgres")
}

leave_postgres() {
    if [[ -n ${started:-} ]]; then stop INT 30 postgres; fi
}

# in_postgres PROGRAM ARGUMENT... : psql, pg_dump or pg_restore as a superuser of that server, with
# this script's input and output.
in_postgres() {
    if [[ $deployment == compose ]]; then
        docker compose exec --no-TTY postgres "$1" --username=postgres "${@:2}"
    else
        "$@"
    fi
}

# sql DATABASE TEXT : runs statements; prints rows, a tab between columns.
sql() {
    in_postgres psql --no-psqlrc --quiet --tuples-only --no-align --field-separator=$'\t' \
        --set=ON_ERROR_STOP=1 --dbname="$1" --command="$2" </dev/null
}
