"""Balanced brackets, by erasing pairs."""

import sys


def main(argv=None):
    line = sys.stdin.readline()
    rest = "".join(char for char in line if char in "()[]{}")
    while True:
        shorter = rest.replace("()", "").replace("[]", "").replace("{}", "")
        if shorter == rest:
            break
        rest = shorter
    sys.stdout.write("unbalanced\n" if rest else "balanced\n")
    return int(bool(rest))


if __name__ == "__main__":
    raise SystemExit(main())
