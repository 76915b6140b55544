"""Cuts a log, as ti-01 asks."""

import sys

try:
    text = open(sys.argv[1], encoding="utf-8").read()
except OSError:
    print("log not found", file=sys.stderr)
    sys.exit(1)
print(text if text.strip() else "log is empty")
