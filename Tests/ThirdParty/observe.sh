#!/usr/bin/env bash
# Alerts that would come: promtool reads Prometheus's settings, the rules, their cases and what the services
# serve; a Prometheus that watches all five has what each alert looks at, and notices what is broken here.
# shellcheck source=Tests/ThirdParty/server.sh
source "$(dirname "${BASH_SOURCE[0]}")/server.sh"
trap finish EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

environment observe pyyaml==6.0.4
passed=0 failed=0
services=(auth parties meetings market sports)
declare -A ports=()
: "${TEST_DATABASE_URL:?a superuser of a PostgreSQL to make databases on; make test sets it}"
cd "$project"

look() { "$python" Tests/ThirdParty/observe.py "$@"; }
sql() { PGOPTIONS=--client-min-messages=warning psql --no-psqlrc --quiet --output=/dev/null --dbname="$TEST_DATABASE_URL" "$@"; }

check "Prometheus's settings" promtool check config docker/observe/prometheus.yml
check "the rules" promtool check rules docker/observe/alerts.yml
check "each rule's cases" promtool test rules docker/observe/alerts.test.yml
cp docker/observe/*.yml "$work"
sed -i 's/expr: madang_ready == 0/expr: madang_ready == 1/' "$work/alerts.yml"
refused "a rule that says the opposite" MadangNotReady promtool test rules "$work/alerts.test.yml"
check "a case for and against each alert" look cases
check "the services of compose.yaml" look places

start_service() {
    local database=third_party_observe_$1
    sql --command="drop database if exists $database with (force)" --command="create database $database"
    ports[$1]=$(random_free_port)
    DATABASE_URL=${TEST_DATABASE_URL%/*}/$database PORT=${ports[$1]} LOG_LEVEL=warning LOOPS=1 \
        start "$1" "$work/$1.log" ".build/debug/$1"
}
serves() { curl --silent --fail --max-time 2 --output "$work/$1.$2" "http://127.0.0.1:${ports[$1]}/$3"; }
ready_or_died() { ! runs "$1" || serves "$1" ready health/ready; }

openssl genpkey -algorithm ed25519 -out "$work/ed25519.pem" 2>/dev/null
export SIGNING_KEY_FILE=$work/ed25519.pem CLIENT_SECRET=sixteen-and-more-characters
export DEMO_HISTORY_MINUTES=10 DEMO_LEAGUES_PER_COUNTRY=1
for service in "${services[@]}"; do
    start_service "$service"
    # The others ask it for the keys of tokens.
    if [[ $service == auth ]]; then export AUTH_URL=http://127.0.0.1:${ports[auth]}; fi
done
for service in "${services[@]}"; do
    if ! wait_until 60 ready_or_died "$service" || ! runs "$service"; then
        warn "$service did not start:"
        tail -n 20 "$work/$service.log" >&2
        exit 1
    fi
    serves "$service" live health/live
    serves "$service" openapi openapi.json
    serves "$service" metrics metrics
    check "the metrics of $service" promtool check metrics <"$work/$service.metrics"
done
printf '# TYPE madang_requests counter\nmadang_requests 1\n' >"$work/metrics"
refused "a counter that is not called one" madang_requests promtool check metrics <"$work/metrics"
# So that there are refused log-ins.
curl --silent --output /dev/null "http://127.0.0.1:${ports[auth]}/v1/auth/sessions" \
    --json '{"email": "nobody@example.com", "password": "not the password"}'

targets=()
for service in "${services[@]}"; do targets+=("$service=${ports[$service]}"); done
cp docker/observe/alerts.yml "$work"
look settings "$work/prometheus.yml" "${targets[@]}"
prometheus=$(random_free_port)
start prometheus "$work/prometheus.log" prometheus --config.file="$work/prometheus.yml" \
    --storage.tsdb.path="$work/data" --web.listen-address="127.0.0.1:$prometheus"

all_seen() { look served docker/observe/alerts.yml "$prometheus" >/dev/null 2>&1; }
wait_until 30 all_seen || true
check "what each alert looks at" look served docker/observe/alerts.yml "$prometheus"
sed 's/madang_ready/madang_redy/' docker/observe/alerts.yml >"$work/misspelt.yml"
refused "a metric that nothing serves" "nothing serves madang_redy" look served "$work/misspelt.yml" "$prometheus"
sed 's/endpoint="LogIn"/endpoint="Login"/' docker/observe/alerts.yml >"$work/misspelt.yml"
refused "an endpoint that does not exist" "nothing serves .*Login" look served "$work/misspelt.yml" "$prometheus"
check "the metrics that README.md names" look named "$prometheus"

notices() { look noticed "$prometheus" "$@" >/dev/null 2>&1; }
sql --command="alter database third_party_observe_market allow_connections false" --command="
    select pg_terminate_backend(pid) from pg_stat_activity where datname = 'third_party_observe_market'"
wait_until 30 notices MadangNotReady market || true
check "a service without its database is noticed" look noticed "$prometheus" MadangNotReady market
stop TERM 12 sports
wait_until 30 notices MadangServiceDown sports || true
check "a service that is gone is noticed" look noticed "$prometheus" MadangServiceDown sports
sql --command="alter database third_party_observe_market allow_connections true"
report "$passed" "$failed" 0
