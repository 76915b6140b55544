"""The instructions of each role: files beside this one, the same for every run, so that providers' caches hold them."""

from __future__ import annotations

from importlib.resources import files
from typing import Literal

from contracts.calls import Role
from contracts.modelling import ModelSettings

Name = Literal["coder", "repair", "reader", "patch", "explainer", "formaliser"]


def prompt(name: Name) -> str:
    """The text of a prompt file."""
    return files("tasks.models").joinpath("prompts", f"{name}.md").read_text(encoding="utf-8")


def instructions(role: Role, settings: ModelSettings) -> str:
    """What a role is told before anything else: the person's own prompt, else the one that ships with Forge."""
    own = settings.role(role)
    return own.prompt if own is not None and own.prompt is not None else prompt(role)
