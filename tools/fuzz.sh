#!/usr/bin/env bash
# Runs every fuzz target of the repository in turn, each for FUZZTIME (default 1m). Arguments: packages (default: all).
set -euo pipefail
cd "$(dirname "$0")/.."

[ $# -gt 0 ] || set -- ./...
log=$(mktemp)
trap 'rm -f "$log"' EXIT
ran=0
failed=()
for package in $(go list "$@"); do
    # The names come before the closing "ok" line.
    for target in $(go test -run '^$' -list '^Fuzz' "$package" | grep '^Fuzz' || true); do
        printf '== %s %s, %s\n' "$package" "$target" "${FUZZTIME:=1m}"
        ran=$((ran + 1))
        # By default every new input is minimised for up to a minute, which with inputs of kilobytes is all that happens.
        if go test -run '^$' -fuzz "^$target\$" -fuzztime "$FUZZTIME" -fuzzminimizetime 100x "$package" 2>&1 | tee "$log"; then
            continue
        fi
        # go test sometimes calls it a failure that the time ran out while a worker was busy. A real one leaves an input.
        if grep -q 'context deadline exceeded' "$log" && ! grep -q 'Failing input written' "$log"; then
            echo "(the time was over; no input fails)"
            continue
        fi
        failed+=("$package $target")
    done
done
printf '%d fuzz targets ran, %d failed\n' "$ran" "${#failed[@]}"
if [ "${#failed[@]}" -gt 0 ]; then
    printf '  %s\n' "${failed[@]}"
    exit 1
fi
