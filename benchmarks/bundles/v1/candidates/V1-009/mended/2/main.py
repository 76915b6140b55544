"""Merging of intervals, as a fold."""

from functools import reduce


def _join(done, interval):
    start, end = interval
    if done and done[-1][1] >= start:
        return [*done[:-1], [done[-1][0], max(end, done[-1][1])]]
    return [*done, [start, end]]


def merge(intervals):
    return reduce(_join, sorted(map(tuple, intervals)), [])
