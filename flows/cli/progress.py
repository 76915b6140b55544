"""Stages as they run, on standard error: a person's terminal only, or the log with ``--verbose``."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from contracts.verdict import Failure
from flows.listening import Listener, Report, Silent

if TYPE_CHECKING:
    from rich.console import Console
    from rich.status import Status

TITLES = {
    "compile": "compiling the requirement",
    "plan": "planning",
    "isolate": "measuring the sandbox",
    "read": "running the readings",
    "code": "coding",
    "validate_runtime": "validating: runtime",
    "validate_obligations": "validating: obligations",
    "validate_adversarial": "validating: adversarial",
    "package": "packaging",
    "read_change": "reading the change",
    "check": "checking",
}


@contextmanager
def watching(*, quiet: bool, verbose: bool) -> Iterator[Listener]:
    """The listener for a run of the command line."""
    if verbose:
        yield Logging()
    elif quiet or not sys.stderr.isatty():
        yield Silent()
    else:
        from rich.console import Console

        console = Console(stderr=True, highlight=False)
        with console.status("starting") as status:
            yield Showing(console, status)


class Showing:
    """A line for each stage that is done, and a spinner for the one that runs."""

    def __init__(self, console: Console, status: Status) -> None:
        self._console, self._status = console, status

    def started(self, stage: str, attempt: int) -> None:
        """As `Listener.started`."""
        self._status.update(_title(stage) + (f" (attempt {attempt + 1})" if attempt else ""))

    def finished(self, stage: str, milliseconds: int) -> None:
        """As `Listener.finished`."""
        self._console.print(f"  {_title(stage):<28}{milliseconds / 1000:>7.1f} s", style="dim")

    def faulted(self, stage: str, failure: Failure) -> None:
        """As `Listener.faulted`."""
        from rich.text import Text

        self._console.print(Text(f"  {_title(stage)}: {failure.signature.value}: {failure.detail}", style="yellow"))

    def ended(self, report: Report) -> None:
        """As `Listener.ended`."""


class Logging:
    """Every event as a line of the log."""

    def __init__(self) -> None:
        import structlog

        structlog.configure(
            processors=[
                structlog.processors.add_log_level,
                structlog.processors.TimeStamper(fmt="iso"),
                structlog.processors.LogfmtRenderer(key_order=["timestamp", "level", "event"]),
            ],
            logger_factory=structlog.PrintLoggerFactory(sys.stderr),
        )
        self._log: Any = structlog.get_logger()

    def started(self, stage: str, attempt: int) -> None:
        """As `Listener.started`."""
        self._log.info("started", stage=stage, attempt=attempt)

    def finished(self, stage: str, milliseconds: int) -> None:
        """As `Listener.finished`."""
        self._log.info("finished", stage=stage, milliseconds=milliseconds)

    def faulted(self, stage: str, failure: Failure) -> None:
        """As `Listener.faulted`."""
        self._log.warning("faulted", stage=stage, signature=failure.signature.value, detail=failure.detail)

    def ended(self, report: Report) -> None:
        """As `Listener.ended`."""
        self._log.info("ended", run=report.run, status=report.status.value, fault=report.fault.value)


def _title(stage: str) -> str:
    return TITLES.get(stage, stage)
