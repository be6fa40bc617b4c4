#!/usr/bin/env bash
# Checks form: the Swift sources by swift format, the shell scripts by shellcheck (make lint).
# What those cannot see, RepositoryTests checks as part of make test.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
docker/packages.sh lint

failed=0
swift format lint --strict --parallel --recursive Package.swift Shared Services Tests || failed=1

mapfile -t scripts < <(git ls-files --cached --others --exclude-standard '*.sh' .ci/run)
shellcheck "${scripts[@]}" || failed=1

if ((failed)); then
    echo "Lint found faults. 'make format' mends the layout of Swift sources." >&2
    exit 1
fi
echo "Lint found no faults."
