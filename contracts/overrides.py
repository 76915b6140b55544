"""What a user settles in a file: conventions, and what the text leaves out of the program's interface."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from contracts.model import Model
from contracts.requirement import Argument, Column


class InterfaceFacts(Model):
    """Facts of the interface; None leaves what the text says. ``bound`` are the channels that are compared."""

    arguments: tuple[Argument, ...] | None = None
    columns: Annotated[tuple[Column, ...] | None, Field(min_length=1)] = None
    reads_stdin: bool | None = None
    bound: tuple[Literal["exit", "stdout", "stderr", "files"], ...] | None = None


class Overrides(Model):
    """A contract file. ``assume`` holds values by key of convention, as ``--assume`` takes them."""

    assume: dict[str, str | int] = {}
    interface: InterfaceFacts = InterfaceFacts()
