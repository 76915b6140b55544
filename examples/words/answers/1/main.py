"""Count the words on standard input."""

import sys


def main() -> int:
    text = sys.stdin.read()
    if not text.strip():
        print("NONE")
        return 1
    print(len([word for word in text.split(" ") if word]))
    return 0


if __name__ == "__main__":
    sys.exit(main())
