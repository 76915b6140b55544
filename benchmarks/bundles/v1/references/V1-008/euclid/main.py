"""The greatest common divisor, as Euclid."""

import re
import sys


def gcd(a, b):
    while b:
        a, b = b, a % b
    return a


def main(argv=None):
    args = sys.argv[1:] if argv is None else list(argv)
    if len(args) != 2 or not all(re.fullmatch(r"0*[1-9][0-9]*", arg) for arg in args):
        sys.stderr.write("two positive integers\n")
        return 2
    sys.stdout.write(str(gcd(*map(int, args))) + "\n")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
