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
        go test -run '^$' -fuzz "^$target\$" -fuzztime "$FUZZTIME" "$package"
        ran=$((ran + 1))
    done
done
printf '%d fuzz targets ran\n' "$ran"
