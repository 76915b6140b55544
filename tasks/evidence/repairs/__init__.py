"""The record of a repair."""
