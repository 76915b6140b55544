"""Compositions of the stages, the engines that run them, and the command line."""
