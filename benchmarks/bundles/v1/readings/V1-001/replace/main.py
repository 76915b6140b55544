import sys


def roman(number):
    text = "I" * number
    for old, new in (("IIIII", "V"), ("VV", "X"), ("XXXXX", "L"), ("LL", "C"), ("CCCCC", "D"), ("DD", "M"),
                     ("DCCCC", "CM"), ("CCCC", "CD"), ("LXXXX", "XC"), ("XXXX", "XL"), ("VIIII", "IX"), ("IIII", "IV")):
        text = text.replace(old, new)
    return text


try:
    value = int(sys.argv[1])
    if value < 1 or value > 3999:
        raise ValueError
except (IndexError, ValueError):
    sys.exit(print("invalid number", file=sys.stderr) or 2)
print(roman(value))
