"""Count the words on standard input."""

import sys


def main() -> int:
    words = sys.stdin.read().split()
    if not words:
        print("NONE")
        return 1
    print(len(words))
    return 0


if __name__ == "__main__":
    sys.exit(main())
