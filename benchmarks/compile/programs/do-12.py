"""Each different line once with its count, as do-12 asks."""

import sys

if len(sys.argv) > 1:
    print("uniqc takes no arguments", file=sys.stderr)
    sys.exit(64)
counts: dict[str, int] = {}
for line in sys.stdin.read().split():
    counts[line] = counts.get(line, 0) + 1
for line, count in counts.items():
    print(line, count)
