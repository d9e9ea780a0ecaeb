#!/bin/sh
# What `make lint` checks. The tools are pinned by tools/go.mod; the first run builds them.
set -eu
cd "$(dirname "$0")/.."

tool() { go tool -modfile=tools/go.mod "$@"; }
files() { find . -path './.*' -prune -o -path ./demo -prune -o -type f \( "$@" \) -print; }

unformatted=$(files -name '*.go' | xargs gofmt -l)
if [ -n "$unformatted" ]; then
    printf 'not formatted, run `make fmt`:\n%s\n' "$unformatted" >&2
    exit 1
fi
status=0
go vet -tags real ./... || status=1
tool staticcheck -tags real ./... || status=1
tool go-errorlint ./... || status=1
files -name '*.go' | xargs go tool -modfile=tools/go.mod misspell -error -source go -i rela || status=1
files -name '*.md' -o -name '*.py' -o -name '*.sh' -o -name Makefile | xargs go tool -modfile=tools/go.mod misspell -error -i rela || status=1
exit $status
