import sys


def divisor(a, b):
    return divisor(b, a % b) if b else a


args = sys.argv[1:]
if len(args) != 2 or any(not arg.isascii() or not arg.isdigit() or int(arg) == 0 for arg in args):
    print("two positive integers", file=sys.stderr)
    raise SystemExit(2)
print(divisor(int(args[0]), int(args[1])))
