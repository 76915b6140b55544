"""The record of a run over a bundle: what is in it, and what follows from that."""
