"""Blind bundles: frozen, preflighted, run once, scored (law 6, law 7)."""
