"""Blind bundles, and the scripts that measure Forge (the scripts are run, never imported)."""
