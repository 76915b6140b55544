"""The command line of Forge; its commands are in `flows.cli`."""

from __future__ import annotations

import sys

from flows.cli.app import run


def main() -> None:
    """The console script ``forge``; ``python forge.py TEXT`` is ``forge build TEXT``."""
    sys.exit(run(sys.argv[1:]))


if __name__ == "__main__":
    main()
