"""The delivered package: only what was validated (law 5)."""
