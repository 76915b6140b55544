"""The job of ti-08."""

import sys
from pathlib import Path

if len(sys.argv) > 2:
    print("too many arguments", file=sys.stderr)
    sys.exit(9)
if not Path(sys.argv[1]).exists():
    sys.exit(9)
