#!/bin/sh
# Runs every fuzz target of the repository in turn, each for FUZZTIME (default 1m). Arguments: packages (default: all).
set -eu
cd "$(dirname "$0")/.."

[ $# -gt 0 ] || set -- ./...
ran=0
for package in $(go list "$@"); do
    # The names come before the closing "ok" line.
    for target in $(go test -run '^$' -list '^Fuzz' "$package" | grep '^Fuzz' || true); do
        printf '== %s %s, %s\n' "$package" "$target" "${FUZZTIME:=1m}"
        # By default every new input is minimised for up to a minute, which with inputs of kilobytes is all that happens.
        go test -run '^$' -fuzz "^$target\$" -fuzztime "$FUZZTIME" -fuzzminimizetime 100x "$package"
        ran=$((ran + 1))
    done
done
printf '%d fuzz targets ran\n' "$ran"
