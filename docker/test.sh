#!/usr/bin/env bash
# Runs every test (make test): the Swift ones, then each suite in Tests/ThirdParty.
#
# They get a PostgreSQL of their own by TEST_DATABASE_URL, a superuser's, which ends with the run.
# The last line counts all: "N passed, N failed". The status is 0 only when something ran and
# nothing failed.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
# shellcheck source=docker/processes.sh
source docker/processes.sh
# shellcheck source=docker/postgres.sh
source docker/postgres.sh

passed=0 failed=0 skipped=0
failures=()

step() { printf '\n==> %s\n' "$*"; }

finish() {
    local status=$?
    trap - EXIT INT TERM
    set +e
    stop INT 20 postgres
    as_cluster_owner rm -rf "$folder/data"
    rm -rf "$folder"
    if ((${#failures[@]})); then
        printf '\nFailed:\n'
        printf '  %s\n' "${failures[@]}"
    fi
    if ((status != 0 && failed == 0)); then failed=1; fi
    printf '\n%d passed, %d failed' "$passed" "$failed"
    if ((skipped)); then printf ', %d skipped' "$skipped"; fi
    printf '\n'
    if ((failed > 0 || passed == 0)); then exit "$((status == 0 ? 1 : status))"; fi
    exit "$status"
}

# count_xunit FILE : prints "passed failed skipped", then the names of the tests that failed.
# A test counts once, however many of its expectations failed; the header's figures count those.
count_xunit() {
    awk '
        function close_case() {
            if (name == "") return
            if (bad) { failed++; names = names name "\n" } else if (left) skipped++; else passed++
            name = ""; bad = 0; left = 0
        }
        /<testcase / {
            close_case()
            name = $0
            sub(/.*classname="/, "", name); sub(/" name="/, ".", name); sub(/".*/, "", name)
        }
        /<(failure|error)/ { bad = 1 }
        /<skipped/ { left = 1 }
        END { close_case(); printf "%d %d %d\n%s", passed, failed, skipped, names }
    ' "$1"
}

add() {
    ((passed += $1, failed += $2, skipped += ${3:-0})) || true
}

run_swift_tests() {
    step "Building the tests"
    if ! swift build --build-tests; then
        failures+=("the build; its messages are above")
        add 0 1
        return
    fi
    step "Running the Swift tests"
    local status=0 counts=() report=$folder/swift.xml
    # One after the other: each has servers and races of its own, and two cores are few.
    swift test --skip-build --disable-xctest --no-parallel --xunit-output "$report" || status=$?
    if [[ -s $report ]]; then
        mapfile -t counts < <(count_xunit "$report")
        # shellcheck disable=SC2086
        add ${counts[0]}
        failures+=("${counts[@]:1}")
    fi
    if ((status != 0 && failed == 0)); then
        failures+=("swift test ended with status $status, and named no failed test (a crash?)")
        add 0 1
    fi
}

# A suite writes "passed failed skipped" to the file RESULTS and what it has to say to its output.
run_third_party_suite() {
    local suite=$1 name status=0 counts
    name=$(basename "$suite" .sh)
    step "Running $name"
    RESULTS=$folder/$name.results "$suite" || status=$?
    counts=$(cat "$folder/$name.results" 2>/dev/null) || counts=
    if [[ $counts =~ ^[0-9]+\ [0-9]+\ [0-9]+$ ]]; then
        # shellcheck disable=SC2086
        add $counts
        if [[ $counts == *" 0 "* ]]; then counts=; else failures+=("$name: see above"); fi
    elif ((status == 0)); then
        status=1
    fi
    if ((status != 0)) && [[ -z $counts ]]; then
        failures+=("$name ended with status $status")
        add 0 1
    fi
}

docker/packages.sh build test
folder=$(mktemp -d /tmp/madang-test.XXXXXX)
trap finish EXIT
trap 'failures+=("interrupted"); exit 130' INT
trap 'failures+=("interrupted"); exit 143' TERM

step "Starting a throw-away PostgreSQL"
throwaway_cluster "$folder"
export TEST_DATABASE_URL=$cluster_url
# libpq takes these where a URL is silent, and the tests are to see none of the machine's.
unset PGHOST PGPORT PGUSER PGPASSWORD PGDATABASE PGSERVICE DATABASE_URL

run_swift_tests
for suite in Tests/ThirdParty/*.sh; do
    if [[ -x $suite ]]; then run_third_party_suite "$suite"; fi
done
