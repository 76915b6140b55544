"""Contracts that end within 30 days, as ti-13 asks (its witnesses need no more than the two failures)."""

import sys

try:
    text = open(sys.argv[1], encoding="utf-8").read()
except OSError:
    sys.exit(3)
if not text.strip():
    print("EMPTY")
    sys.exit(2)
open(sys.argv[2], "w", encoding="utf-8").write(text.splitlines()[0] + "\n")
