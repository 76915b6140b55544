#!/bin/sh
# For command-line agents that run a hook before they stop: exit 0 lets the agent stop, exit 2 sends it back to work with
# what stands on standard error. Set FORGE_TASK, and FORGE_BASE where the task needs the state before the change.
# A fault of the gate itself (exit 2 and above) does not keep the agent: its user is told, and nothing is claimed.

[ -n "${FORGE_TASK:-}" ] || { echo "FORGE_TASK names no task" >&2; exit 1; }
set -- . "$FORGE_TASK"
[ -z "${FORGE_BASE:-}" ] || set -- "$@" --base "$FORGE_BASE"

report=$(${FORGE:-forge} check "$@" 2>&1)
case $? in
    0) exit 0 ;;
    1) printf 'The change is not done: forge check says FAIL.\n%s\n' "$report" >&2; exit 2 ;;
    *) printf '%s\n' "$report" >&2; exit 1 ;;
esac
