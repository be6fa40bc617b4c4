#!/usr/bin/env bash
# Runs each fuzzer of Tests/Fuzz for FUZZ_SECONDS (make fuzz). What one finds is kept beside its growing
# corpus in .build/fuzz; to try an input again, give its path to the executable that is named there.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
docker/packages.sh build
export FUZZ=1

failed=()
for folder in Tests/Fuzz/*/; do
    name=$(basename "$folder")
    echo "==> Fuzzing $name"
    swift build --scratch-path .build/fuzz --sanitize=fuzzer --product "fuzz-$name"
    mkdir -p ".build/fuzz/$name"
    if ! ".build/fuzz/debug/fuzz-$name" -max_total_time="${FUZZ_SECONDS:-60}" -max_len=8192 -timeout=10 \
        -rss_limit_mb=2048 -print_final_stats=1 -verbosity=1 -artifact_prefix=".build/fuzz/$name-" \
        ".build/fuzz/$name" "${folder}corpus"; then
        failed+=("$name")
    fi
done
if ((${#failed[@]})); then
    echo "Found something: ${failed[*]}. The inputs are in .build/fuzz." >&2
    exit 1
fi
echo "The fuzzers found nothing."
