"""Roman numerals by a table of values."""

import sys

VALUES = [(1000, "M"), (900, "CM"), (500, "D"), (400, "CD"), (100, "C"), (90, "XC"), (50, "L"), (40, "XL"),
          (10, "X"), (9, "IX"), (5, "V"), (4, "IV"), (1, "I")]


def numeral(number):
    text = ""
    for value, letters in VALUES:
        while number >= value:
            text += letters
            number -= value
    return text


def main(argv=None):
    argv = sys.argv[1:] if argv is None else argv
    try:
        number = int(argv[0])
    except (IndexError, ValueError):
        number = 0
    if not 1 <= number <= 4000:
        print("invalid number", file=sys.stderr)
        return 2
    print(numeral(number))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
