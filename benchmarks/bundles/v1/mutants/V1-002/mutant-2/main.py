"""Words by frequency."""

import re
import sys
from collections import Counter


def main(argv=None):
    counts = Counter(re.findall("[a-z]+", sys.stdin.read().lower()))
    if not counts:
        print("no words")
        return 1
    for word, count in sorted(counts.items(), key=lambda item: (-item[1], len(item[0]))):
        print(word, count)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
