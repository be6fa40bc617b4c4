#!/usr/bin/env bash
# Alerts that would come: promtool reads Prometheus's settings, the rules, their cases and what the services
# serve; a Prometheus that watches all five has what each alert looks at, and notices what is broken here.
# shellcheck source=Tests/ThirdParty/server.sh
source "$(dirname "${BASH_SOURCE[0]}")/server.sh"
environment observe pyyaml==6.0.4
passed=0 failed=0
services=(auth parties meetings market sports)
cd "$project"

look() { "$python" Tests/ThirdParty/observe.py "$@"; }

check "Prometheus's settings" promtool check config docker/observe/prometheus.yml
check "the rules" promtool check rules docker/observe/alerts.yml
check "each rule's cases" promtool test rules docker/observe/alerts.test.yml
cp docker/observe/*.yml "$work"
sed -i 's/expr: madang_ready == 0/expr: madang_ready == 1/' "$work/alerts.yml"
refused "a rule that says the opposite" MadangNotReady promtool test rules "$work/alerts.test.yml"
check "a case for and against each alert" look cases
check "the services of compose.yaml" look places

serves() { curl --silent --fail --max-time 2 --output "$work/$1.$2" "http://127.0.0.1:${port_of[$1]}/$3"; }

export LOOPS=1
start_services "${services[@]}"
for service in "${services[@]}"; do
    serves "$service" live health/live
    serves "$service" openapi openapi.json
    serves "$service" metrics metrics
    check "the metrics of $service" promtool check metrics <"$work/$service.metrics"
done
printf '# TYPE madang_requests counter\nmadang_requests 1\n' >"$work/metrics"
refused "a counter that is not called one" madang_requests promtool check metrics <"$work/metrics"
# So that there are refused log-ins.
curl --silent --output /dev/null "http://127.0.0.1:${port_of[auth]}/v1/auth/sessions" \
    --json '{"email": "nobody@example.com", "password": "not the password"}'

targets=()
for service in "${services[@]}"; do targets+=("$service=${port_of[$service]}"); done
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
sql --command="alter database ${database_of[market]} allow_connections false" --command="
    select pg_terminate_backend(pid) from pg_stat_activity where datname = '${database_of[market]}'"
wait_until 30 notices MadangNotReady market || true
check "a service without its database is noticed" look noticed "$prometheus" MadangNotReady market
stop TERM 12 sports
wait_until 30 notices MadangServiceDown sports || true
check "a service that is gone is noticed" look noticed "$prometheus" MadangServiceDown sports
sql --command="alter database ${database_of[market]} allow_connections true"
report "$passed" "$failed" 0
