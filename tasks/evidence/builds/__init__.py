"""The record of a build: what is in it, and what follows from that."""
