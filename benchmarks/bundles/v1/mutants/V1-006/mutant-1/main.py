"""Balanced brackets, by a stack."""

import sys

CLOSES = {")": "(", "]": "[", "}": "{"}


def is_balanced(text):
    stack = []
    for char in text:
        if char in CLOSES.values():
            stack.append(char)
        elif char in CLOSES:
            if not stack or stack.pop() != CLOSES[char]:
                return False
    return True


def main(argv=None):
    balanced = is_balanced(sys.stdin.readline())
    print("balanced" if balanced else "unbalanced")
    return 0 if balanced else 1


if __name__ == "__main__":
    raise SystemExit(main())
