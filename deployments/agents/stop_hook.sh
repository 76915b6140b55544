#!/bin/sh
# For command-line agents that run a hook before they stop: exit 0 lets the agent stop, exit 2 sends it back to work with
# what stands on standard error. Set FORGE_TASK, and FORGE_BASE where the task needs the state before the change.
# A fault of the gate itself (exit 2 and above) does not keep the agent: its author is told, and nothing is claimed.

out=$(mktemp -d) || exit 1
trap 'rm -rf "$out"' EXIT
set -- . "${FORGE_TASK:?names the task}" --out "$out/record"
[ -z "${FORGE_BASE:-}" ] || set -- "$@" --base "$FORGE_BASE"

${FORGE:-forge} check "$@" >"$out/report" 2>"$out/errors"
case $? in
    0) exit 0 ;;
    1) echo "The change is not done: forge check says FAIL." >&2; cat "$out/report" >&2; exit 2 ;;
    *) cat "$out/errors" >&2; exit 1 ;;
esac
