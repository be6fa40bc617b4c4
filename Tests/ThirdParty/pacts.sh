#!/usr/bin/env bash
# What services expect of each other (Tests/PactTests/Pacts), held against the providers' executables by
# pact-python. Then each member that a consumer reads is renamed on its way, and that has to be noticed.
# shellcheck source=Tests/ThirdParty/server.sh
source "$(dirname "${BASH_SOURCE[0]}")/server.sh"

environment pacts pact-python==4.2.0
export PACT_DO_NOT_TRACK=true
start_services auth parties
"$python" "$project/Tests/ThirdParty/pacts.py" "$project/Tests/PactTests/Pacts" "$secret" \
    "auth=${port_of[auth]}" "parties=${port_of[parties]}" >"$work/counts" || true
read -r passed failed < <(tail -n 1 "$work/counts" | grep -E "^[0-9]+ [0-9]+$") || passed=0 failed=1
report "$passed" "$failed" 0
