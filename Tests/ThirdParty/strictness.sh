#!/usr/bin/env bash
# What RFC 9112 says of malformed and awkward requests, sent by a tool that lies beside the project
# and is not part of it. Without the tool there is nothing to run, which counts as skipped.
# shellcheck source=Tests/ThirdParty/server.sh
source "$(dirname "${BASH_SOURCE[0]}")/server.sh"

tool=$project/../shared/tools/http-strictness.py
if [[ ! -e $tool ]]; then
    echo "There is no ${tool##*/} beside the project."
    report 0 0 1
    exit
fi

start_services benchmark-server
# The server's own deadlines for a head and a body are within these seconds.
/usr/bin/python3 "$tool" "${port_of[benchmark-server]}" --post /v1/bench/document \
    --deadline "${DEADLINE_SECONDS:-12}" | tee "$work/output" |
    sed "s/^\([0-9]* passed\)/the tool: \1/" || true
counts=$(tail -n 1 "$work/output" | sed -nE 's/.*\b([0-9]+) passed, ([0-9]+) failed.*/\1 \2/p')
# shellcheck disable=SC2086
report ${counts:-0 1} 0
