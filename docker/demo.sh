#!/usr/bin/env bash
# Drives a scenario through the running edge with the client library (make demo). The edge is at
# MADANG_URL, by default http://localhost:8080 or the port of EDGE_PORT.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
docker/packages.sh build
export MADANG_URL=${MADANG_URL:-http://localhost:${EDGE_PORT:-8080}}
if ! curl --silent --max-time 5 --output /dev/null "$MADANG_URL"; then
    echo "Nothing answers at $MADANG_URL. Start everything with 'make run' in another terminal." >&2
    exit 1
fi
swift build --quiet --product demo
exec .build/debug/demo
