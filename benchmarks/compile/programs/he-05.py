"""Says what a file is, as he-05 asks."""

import sys
from pathlib import Path

try:
    text = Path(sys.argv[1]).read_text(encoding="utf-8")
except OSError:
    print("nothing")
    sys.exit(1)
print("text" if text.strip() else "empty")
