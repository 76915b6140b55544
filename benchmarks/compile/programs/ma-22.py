"""Prints the depth of a JSON document, as ma-22 asks."""

import json
import sys


def _depth(value: object) -> int:
    inner = list(value.values()) if isinstance(value, dict) else value if isinstance(value, list) else []
    return 1 + max(map(_depth, inner), default=0) if isinstance(value, dict | list) else 0


text = sys.stdin.read()
if not text.strip():
    sys.exit(2)
try:
    print(_depth(json.loads(text)))
except ValueError:
    print("invalid", file=sys.stderr)
    sys.exit(1)
