#!/usr/bin/env bash
# Installs the Debian or Ubuntu packages that a task needs: docker/packages.sh TASK...
# Tasks: build, run, test, lint, ci, bench. Says and does nothing when all is there, so every recipe may
# call it first. Where it may not install, it prints the command that does.
set -euo pipefail

packages_for() {
    case $1 in
        build) echo libpq-dev libssl-dev libcurl4-openssl-dev pkg-config ;;
        run) echo postgresql caddy curl openssl ;;
        test) echo postgresql caddy curl openssl python3-venv prometheus ;;
        lint) echo shellcheck git ;;
        ci) echo make ;;
        bench) echo postgresql curl openssl python3-venv nginx-light wrk gcc libc6-dev libuv1 ;;
        *)
            echo "packages.sh: unknown task '$1' (build, run, test, lint, ci or bench)" >&2
            exit 2
            ;;
    esac
}

# The oldest Swift that reads Package.swift.
swift_needed=6.2

check_swift() {
    if ! command -v swift >/dev/null; then
        echo "No 'swift' in PATH. Install Swift $swift_needed or later (https://www.swift.org/install)," >&2
        echo "then run this again." >&2
        exit 1
    fi
}

wanted=()
for task in "$@"; do
    [[ $task == build ]] && check_swift
    names=$(packages_for "$task")
    read -ra names <<<"$names"
    wanted+=("${names[@]}")
done
((${#wanted[@]})) || exit 0

if ! command -v dpkg-query >/dev/null; then
    echo "This is not a Debian or Ubuntu machine, so nothing was installed. Needed are the equivalents of:" >&2
    echo "  ${wanted[*]}" >&2
    exit 0
fi

find_missing() {
    local installed name
    installed=$(dpkg-query --show --showformat='${Package} ${db:Status-Status}\n' "${wanted[@]}" \
        2>/dev/null || true)
    missing=()
    for name in "${wanted[@]}"; do
        # A program counts however it came here. pkg-config is a virtual package on newer releases.
        case $name in
            nginx-light) command -v nginx >/dev/null && continue ;;
            caddy | curl | gcc | git | make | openssl | pkg-config | prometheus | shellcheck | wrk)
                command -v "$name" >/dev/null && continue
                ;;
        esac
        grep -qx "$name installed" <<<"$installed" || missing+=("$name")
    done
}

find_missing
((${#missing[@]})) || exit 0

as_root=()
if ((EUID != 0)); then
    if command -v sudo >/dev/null && sudo -n true 2>/dev/null; then
        as_root=(sudo -n)
    else
        echo "These packages are missing. Install them with" >&2
        echo "  sudo apt-get update && sudo apt-get install --yes ${missing[*]}" >&2
        echo "and run this again." >&2
        exit 1
    fi
fi

echo "Installing ${missing[*]}" >&2
apt_get() { "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -qq --yes -o Dpkg::Use-Pty=0 "$@" >&2; }
lists_are_empty() { ! compgen -G '/var/lib/apt/lists/*_Packages*' >/dev/null; }

if lists_are_empty; then apt_get update; fi
if ! apt_get install --no-install-recommends "${missing[@]}"; then
    # Lists of an older day name versions that the mirror no longer has.
    apt_get update
    if ! apt_get install --no-install-recommends "${missing[@]}"; then
        echo "apt could not install all of: ${missing[*]}" >&2
        echo "A release older than Debian 12 or Ubuntu 24.04 may lack one; install it by other means." >&2
        exit 1
    fi
fi

# Only the programs are wanted. Debian would also start each as a service, on ports of its own.
if [[ -d /run/systemd/system ]]; then
    for unit in caddy nginx postgresql prometheus; do
        if [[ " ${missing[*]} " == *" $unit"* ]]; then
            "${as_root[@]}" systemctl disable --quiet --now "$unit" >&2 || true
            echo "Turned off the system's own $unit service, which came with its package." >&2
        fi
    done
fi
