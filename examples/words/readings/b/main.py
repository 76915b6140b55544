"""Another reading: a regular expression over the bytes."""

import re
import sys


def main() -> int:
    found = re.findall(rb"[^ \t\n\r\v\f]+", sys.stdin.buffer.read())
    sys.stdout.write(f"{len(found)}\n" if found else "NONE\n")
    return int(not found)


if __name__ == "__main__":
    sys.exit(main())
