"""Text statistics, as ti-16 asks."""

import sys
from pathlib import Path

if len(sys.argv) < 2:
    print("usage: stats FILE", file=sys.stderr)
    sys.exit(22)
if Path(sys.argv[1]).is_dir():
    print("is a directory", file=sys.stderr)
    sys.exit(21)
text = Path(sys.argv[1]).read_text(encoding="utf-8")
print(len(text.splitlines()), len(text.split()), len(text))
