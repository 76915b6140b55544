import re
import sys

args = sys.argv[1:]
if len(args) != 2 or not re.fullmatch("[0-9]{1,2}", args[0]) or int(args[0]) > 25:
    print("bad shift", file=sys.stderr)
    raise SystemExit(3)
alphabet = "abcdefghijklmnopqrstuvwxyz"
n = int(args[0])
low = dict(zip(alphabet, alphabet[n:] + alphabet[:n]))
table = low | {key.upper(): value.upper() for key, value in low.items()}
print("".join(table.get(char, char) for char in args[1]))
