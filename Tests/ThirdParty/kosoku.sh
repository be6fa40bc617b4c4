#!/usr/bin/env bash
# RFC 6455 by kosoku, which sends Autobahn's cases: all but 12 and 13, which are of a compression
# that the server declines.
# shellcheck source=Tests/ThirdParty/server.sh
source "$(dirname "${BASH_SOURCE[0]}")/server.sh"

environment kosoku kosoku==0.1.0
start_server benchmark-server
"${python%/*}/kosoku" --mode fuzzingclient --exclude '12.*' --exclude '13.*' --outdir "$work/report" \
    "127.0.0.1:$port/v1/bench/echo" >"$work/output" 2>&1 || true
# Its own exit status takes "non-strict" for good, so the index is read.
"$python" - "$work/report/index.json" >"$work/counts" <<'PYTHON' || { tail -n 20 "$work/output" >&2; }
import json, sys

passed = failed = 0
for agent in json.load(open(sys.argv[1])).values():
    for case, result in agent.items():
        verdicts = result["behavior"], result["behaviorClose"]
        if all(verdict in ("OK", "INFORMATIONAL") for verdict in verdicts):
            passed += 1
        else:
            failed += 1
            print(f"case {case}: {verdicts[0]}, closing: {verdicts[1]}", file=sys.stderr)
if passed + failed < 301:
    sys.exit(f"only {passed + failed} of 301 cases ran")
print(passed, failed)
PYTHON
read -r passed failed <"$work/counts" || { passed=0 failed=1; }
report "$passed" "$failed" 0
