#!/usr/bin/env bash
# RFC 6455 by kosoku, which sends Autobahn's cases to our server and to our client: all but 12 and 13,
# which are of a compression that both decline.
# shellcheck source=Tests/ThirdParty/server.sh
source "$(dirname "${BASH_SOURCE[0]}")/server.sh"

environment kosoku kosoku==0.1.0
kosoku=${python%/*}/kosoku
passed=0 failed=0

# count SIDE FOLDER : adds up the report there. kosoku's own exit status takes "non-strict" for good.
count() {
    local counts
    if ! counts=$("$python" - "$1" "$2/index.json" <<'PYTHON'
import json, sys

passed = failed = 0
for agent in json.load(open(sys.argv[2])).values():
    for case, result in agent.items():
        verdicts = result["behavior"], result["behaviorClose"]
        if all(verdict in ("OK", "INFORMATIONAL") for verdict in verdicts):
            passed += 1
        else:
            failed += 1
            print(f"{sys.argv[1]}, case {case}: {verdicts[0]}, closing: {verdicts[1]}", file=sys.stderr)
if passed + failed < 301:
    sys.exit(f"only {passed + failed} of 301 cases ran")
print(passed, failed)
PYTHON
    ); then
        tail -n 20 "$work/$1.log" >&2
        counts="0 1"
    fi
    ((passed += ${counts% *}, failed += ${counts#* })) || true
}

start_services benchmark-server
"$kosoku" --mode fuzzingclient --exclude '12.*' --exclude '13.*' --outdir "$work/our-server" \
    "127.0.0.1:${port_of[benchmark-server]}/v1/bench/echo" >"$work/our-server.log" 2>&1 || true
count our-server "$work/our-server"

# The client is driven by a Swift test, which make test has built.
fuzzer_port=$(random_free_port)
start fuzzer "$work/our-client.log" "$kosoku" --mode fuzzingserver --exclude '12.*' --exclude '13.*' \
    --outdir "$work/our-client" "127.0.0.1:$fuzzer_port"
if wait_until 30 port_is_busy "$fuzzer_port"; then
    (cd "$project" && KOSOKU_ADDRESS=127.0.0.1:$fuzzer_port \
        swift test --skip-build --filter KosokuClientTests >>"$work/our-client.log" 2>&1) || true
fi
stop INT 10 fuzzer || true
count our-client "$work/our-client"

report "$passed" "$failed" 0
