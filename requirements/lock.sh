#!/bin/sh
# Recompiles the hash-locked requirement files (needs uv). One file per way of installing:
# main: the core and the solver, what the main job needs; full: every extra; dev: full and the tools of the tests.
set -eu
cd "$(dirname "$0")/.."
lock() {
    out=$1
    shift
    uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-annotate --no-header \
        --group build "$@" --output-file "requirements/$out.txt" pyproject.toml
}
lock main --extra solver
lock full --all-extras
lock dev --all-extras --group dev
