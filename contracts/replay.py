"""What running a record's checks again showed (RPL)."""

from __future__ import annotations

from contracts.model import Model


class Difference(Model):
    """Where a step now gives something else than was sealed, in words. ``flaky``: two runs here differed as well."""

    step: str
    sealed: str
    now: str
    flaky: bool = False


class ReplayReport(Model):
    """``differences`` in the order of a build; none means reproduced.

    ``environment`` lists what is not as it was; ``notes`` are differences that changed no verdict.
    """

    run: str
    reproduced: bool
    steps: tuple[str, ...]
    differences: tuple[Difference, ...]
    environment: tuple[Difference, ...]
    notes: tuple[str, ...]
