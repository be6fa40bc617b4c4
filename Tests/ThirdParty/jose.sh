#!/usr/bin/env bash
# RFC 7515, 7517, 7519 and 7638 by three other people's libraries: they verify the tokens of auth with
# the keys it publishes, and forge some that it must refuse. Half-way the keys are rotated.
# shellcheck source=Tests/ThirdParty/server.sh
source "$(dirname "${BASH_SOURCE[0]}")/server.sh"

environment jose pyjwt==2.15.1 joserfc==1.8.0 jwcrypto==1.6.1 cryptography==50.0.2
openssl genpkey -algorithm ed25519 -out "$work/ed25519.pem" 2>/dev/null
openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -out "$work/p256.pem" 2>/dev/null

run_checks() {
    "$python" -W ignore "$project/Tests/ThirdParty/jose.py" "${port_of[auth]}" "$work" "$1" >"$work/counts" || true
    local counts=(0 1)
    read -ra counts <"$work/counts" || true
    passed=$((passed + counts[0]))
    failed=$((failed + counts[1]))
}

passed=0
failed=0
export SIGNING_KEY_FILE=$work/ed25519.pem NEXT_SIGNING_KEY_FILE=$work/p256.pem
start_services auth
run_checks before
export SIGNING_KEY_FILE=$work/p256.pem PREVIOUS_SIGNING_KEY_FILE=$work/ed25519.pem
unset NEXT_SIGNING_KEY_FILE
restart_service auth
run_checks after
# The old key is withdrawn, and with it what it signed.
unset PREVIOUS_SIGNING_KEY_FILE
restart_service auth
run_checks withdrawn
report "$passed" "$failed" 0
