import itertools
import re
import sys

found = sorted(word.lower() for word in re.split("[^A-Za-z]+", sys.stdin.read()) if word)
rows = [(-len(list(group)), word) for word, group in itertools.groupby(found)]
if not rows:
    print("no words")
    sys.exit(1)
for count, word in sorted(rows):
    sys.stdout.write(f"{word} {-count}\n")
