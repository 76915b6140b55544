"""Times of a day in minutes; a meeting is a pair of its start and its end."""


def overlap(one, other):
    """Whether two meetings need the room at the same time."""
    return one[0] < other[1] and other[0] < one[1]


def free(day, meetings):
    """The pairs of a day that no meeting takes, in order."""
    gaps, start = [], day[0]
    for begin, end in sorted(meetings):
        if begin > start:
            gaps.append((start, begin))
        start = max(start, end)
    if start < day[1]:
        gaps.append((start, day[1]))
    return gaps
