"""The Caesar cipher by a table."""

import string
import sys

LOW, HIGH = string.ascii_lowercase, string.ascii_uppercase


def main(argv=None):
    args = sys.argv[1:] if argv is None else list(argv)
    if len(args) != 2 or args[0] not in {str(number) for number in range(26)}:
        sys.stderr.write("bad shift\n")
        return 3
    n = int(args[0])
    print(args[1].translate(str.maketrans(LOW + HIGH, LOW[n:] + LOW[:n] + HIGH[n:] + HIGH[:n])))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
