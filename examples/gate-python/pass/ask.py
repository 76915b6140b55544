"""Can the room be had?  python3 ask.py WANTED TAKEN...   with times as 9:00-10:30."""

import sys

from rooms.slots import overlap


def minutes(text):
    hours, minute = text.split(":")
    return int(hours) * 60 + int(minute)


def meeting(text):
    start, end = text.split("-")
    return minutes(start), minutes(end)


if __name__ == "__main__":
    wanted, *taken = map(meeting, sys.argv[1:])
    print("no" if any(overlap(wanted, other) for other in taken) else "yes")
