"""Integers in ascending order, as ex-12 asks."""

import sys
from pathlib import Path

lines = Path(sys.argv[1]).read_text(encoding="utf-8").split()
for number, line in enumerate(lines, 1):
    if not line.lstrip("-").isdecimal():
        print(number, file=sys.stderr)
        sys.exit(5)
Path(sys.argv[2]).write_text("".join(f"{value}\n" for value in sorted(map(int, lines))), encoding="utf-8")
