#!/bin/sh
# Creates the private toolchain: a virtual environment with exactly the packages of tools/requirements.
#
#     tools/setup.sh compiler            what `hlocc build` and the demo need
#     tools/setup.sh compiler runtime    and the stock runtime, which tests and benchmarks compare with
#     tools/setup.sh xla                 XLA, for `make test-xla`; in an environment of its own, .toolchain-xla
#     tools/setup.sh peers               other engines, for `make bench-peers`; likewise, .peers/venv
#
# It goes to .toolchain, where bin/hlocc finds it. PYTHON names the interpreter to use. What is already there
# is left alone: each part leaves a stamp with the digest of its requirements.
set -eu
cd "$(dirname "$0")/.."

venv=.toolchain
case "$*" in
xla) venv=.toolchain-xla ;;
peers) venv=.peers/venv ;;
esac
supported='import sys; sys.exit(not ((3, 10) <= sys.version_info[:2] <= (3, 14)))'

say() { printf 'setup: %s\n' "$*" >&2; }
fail() {
    say "$*"
    exit 1
}

digest() { "$venv/bin/python3" -c 'import hashlib, sys; print(hashlib.sha256(open(sys.argv[1], "rb").read()).hexdigest())' "$1"; }

find_python() {
    if [ -n "${PYTHON:-}" ]; then
        "$PYTHON" -c "$supported" || fail "PYTHON=$PYTHON is not a CPython 3.10 to 3.14"
        echo "$PYTHON"
        return
    fi
    for candidate in python3 python3.14 python3.13 python3.12 python3.11 python3.10; do
        if "$candidate" -c "$supported" >/dev/null 2>&1; then
            echo "$candidate"
            return
        fi
    done
    fail "no Python 3.10 to 3.14 found, which installs the compiler; install one (Debian: apt-get install python3-venv) or set PYTHON"
}

create() {
    python=$(find_python)
    if ! "$python" -c 'import venv, ensurepip' >/dev/null 2>&1; then
        fail "$python cannot create virtual environments; install its venv module (Debian: apt-get install python3-venv)"
    fi
    say "creating $venv with $("$python" --version)"
    rm -rf "$venv"
    mkdir -p "$(dirname "$venv")"
    "$python" -m venv "$venv"
}

# A virtual environment is no use any more when the interpreter it points to is gone.
"$venv/bin/python3" -c "$supported" >/dev/null 2>&1 || create

for part in "$@"; do
    requirements=tools/requirements/$part.txt
    [ -f "$requirements" ] || fail "no $requirements"
    stamp=$venv/.$part.sha256
    want=$(digest "$requirements")
    if [ "$(cat "$stamp" 2>/dev/null)" = "$want" ]; then
        continue
    fi
    say "installing $(sed -n 's/^\([a-z0-9.-]*==[0-9.]*\).*/\1/p' "tools/requirements/$part.in")"
    # The list is complete: no dependency is looked for.
    "$venv/bin/python3" -m pip install --quiet --disable-pip-version-check --no-deps --require-hashes --only-binary=:all: -r "$requirements" ||
        fail "pip could not install $requirements; run again when the cause is gone"
    echo "$want" >"$stamp"
done
