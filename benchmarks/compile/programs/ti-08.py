"""The job of ti-08."""

import os
import sys

if len(sys.argv) > 2:
    print("too many arguments", file=sys.stderr)
    sys.exit(9)
if not os.path.exists(sys.argv[1]):
    sys.exit(9)
