import re
import sys

text = re.sub(r"[^()\[\]{}]", "", sys.stdin.readline())
count = 1
while count:
    text, count = re.subn(r"\(\)|\[\]|\{\}", "", text)
print("unbalanced" if text else "balanced")
raise SystemExit(1 if text else 0)
