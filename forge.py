"""The command line of Forge; its commands are in `flows.cli`."""

from __future__ import annotations

import signal
import sys


def main() -> None:
    """The console script ``forge``; ``python forge.py TEXT`` is ``forge build TEXT``. Signals: exit 130."""
    try:
        signal.signal(signal.SIGTERM, signal.default_int_handler)
        from flows.cli.app import run

        status = run(sys.argv[1:])
    except KeyboardInterrupt:
        print("forge: interrupted", file=sys.stderr)
        status = 130
    sys.exit(status)


if __name__ == "__main__":
    main()
