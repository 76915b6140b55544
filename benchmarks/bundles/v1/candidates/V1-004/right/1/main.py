"""Leap years by the calendar."""

import calendar
import re
import sys


def main(argv=None):
    args = sys.argv[1:] if argv is None else list(argv)
    if not args or not re.fullmatch("[0-9]{1,9}", args[0]) or not 0 < int(args[0]) < 10000:
        sys.stderr.write("not a year\n")
        return 1
    print(("common", "leap")[calendar.isleap(int(args[0]))])
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
