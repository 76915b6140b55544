"""Compile a text into the sealed contract: nothing lost silently, what can be executed executable (laws 2, 3, 8)."""
