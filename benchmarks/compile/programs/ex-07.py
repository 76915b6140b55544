"""Reverses every line of a file, as ex-07 asks."""

import sys
from pathlib import Path

if len(sys.argv) != 2:
    print("usage: reverse FILE", file=sys.stderr)
    sys.exit(64)
try:
    lines = Path(sys.argv[1]).read_text(encoding="utf-8").splitlines()
except OSError:
    print("cannot open", file=sys.stderr)
    sys.exit(66)
for line in lines if "".join(lines).strip() else ():  # the contract: white space alone is empty
    print(line[::-1])
