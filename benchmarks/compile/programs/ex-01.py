"""The mean of temperatures, as ex-01 asks."""

import sys
from pathlib import Path

text = Path(sys.argv[1]).read_text(encoding="utf-8")
if not text.strip():
    print("no data")
    sys.exit(3)
values = [float(line) for line in text.split() if line.replace(".", "", 1).lstrip("-").isdecimal()]
print(f"{sum(values) / max(1, len(values)):.2f}")
