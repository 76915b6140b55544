"""Looks for three names, as ma-11 asks."""

import sys

names = sys.stdin.read().split()
if not names:
    print("none")
    sys.exit(4)
if {"alice", "bob", "carol"} <= set(names):
    print("complete")
