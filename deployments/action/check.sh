#!/usr/bin/env bash
# One step of the action: checks, writes the report to the job's summary, sets the outputs, ends with forge's own status.
set -uo pipefail

bootstrap=$(dirname "$0")/../bootstrap.py
forge() { ${FORGE:-python3 "$bootstrap" forge} "$@"; }

# Some runners keep user namespaces from ordinary programs; the sandbox is made of them.
restricted=kernel.apparmor_restrict_unprivileged_userns
if [ "$(sysctl -n "$restricted" 2>/dev/null)" = 1 ]; then sudo sysctl -qw "$restricted=0"; fi

arguments=("$CANDIDATE" "$TASK" --out "$OUT" --json)
[ -z "${REVISION:-}" ] || arguments+=(--git "$REVISION")
[ -z "${BASE:-}" ] || arguments+=(--base "$BASE")

report=$(forge check "${arguments[@]}")
status=$?
verdict=$(printf '%s' "$report" | python3 -c 'import json, sys; print(json.load(sys.stdin)["status"])' 2>/dev/null)
echo "forge: ${verdict:-no verdict} (exit status $status)"
echo "status=${verdict:-FAIL}" >>"${GITHUB_OUTPUT:-/dev/null}"
if [ -f "$OUT/record.json" ]; then
    echo "record=$OUT/record.json" >>"${GITHUB_OUTPUT:-/dev/null}"
    forge view "$OUT" -o "$OUT/report.md" >/dev/null && cat "$OUT/report.md" >>"${GITHUB_STEP_SUMMARY:-/dev/null}"
fi
exit "$status"
