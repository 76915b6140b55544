import sys

PAIRS = {"(": ")", "[": "]", "{": "}"}
expected = []
good = True
for char in sys.stdin.readline():
    if char in PAIRS:
        expected.append(PAIRS[char])
    elif char in ")]}":
        good = good and bool(expected) and expected.pop() == char
good = good and not expected
print("balanced" if good else "unbalanced")
sys.exit(not good)
