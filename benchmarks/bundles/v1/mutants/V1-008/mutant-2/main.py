"""The greatest common divisor."""

import math
import sys


def main(argv=None):
    argv = sys.argv[1:] if argv is None else argv
    try:
        a, b = (int(text) for text in argv)
        if a <= 0 or b <= 0:
            raise ValueError
    except ValueError:
        print("two positive integers", file=sys.stderr)
        return 2
    print(min(a, b))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
