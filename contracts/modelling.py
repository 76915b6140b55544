"""Which models answer in which roles, within which budgets, at which prices. No keys: those stay in the environment.

Coder and reader never share a call or a context (law 1); the other roles propose and explain, and decide nothing.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from contracts.calls import Cost, ModelCall, Role
from contracts.candidate import Candidate
from contracts.model import Count, Model

ProviderName = Literal["openai", "anthropic", "google", "command", "recorded"]
"""``openai`` is every endpoint with that interface. ``scripted`` answers need no settings: they are the default."""


ModelId = Annotated[str, Field(min_length=1, max_length=200, pattern=r"^[!-~]([ -~]*[!-~])?$")]
"""A model's name as its provider spells it (ADP-04)."""


class ModelChoice(Model):
    """One model behind one provider. ``base_url`` None is the provider's own address.

    For ``command`` the model is the command line that is started, and ``agent`` the directory at /candidate.
    """

    provider: ProviderName
    model: ModelId
    base_url: Annotated[str, Field(pattern=r"^https?://[!-~]{1,500}$")] | None = None
    agent: str | None = None


class Budget(Model):
    """What a run, or a role in it, may spend; None is no bound. ``seconds`` are those spent waiting for answers."""

    tokens: Count | None = None
    money: Cost | None = None
    seconds: Count | None = None


class RoleSettings(Model):
    """How a role is filled. A reader may have several models, one for each reading.

    ``prompt`` replaces the instructions that ship with Forge.
    """

    models: Annotated[tuple[ModelChoice, ...], Field(min_length=1, max_length=5)]
    budget: Budget = Budget()
    prompt: Annotated[str, Field(min_length=1, max_length=20_000)] | None = None
    output_tokens: Annotated[int, Field(strict=True, ge=64, le=200_000)] = 8_000


class Price(Model):
    """The price of a million tokens; ``cached`` for those of the input that a provider's cache held."""

    input: Cost
    output: Cost
    cached: Cost | None = None


class ModelSettings(Model):
    """The roles that models fill. A role without settings stays with the scripted answers, or is not filled.

    ``prices`` are by model; the cost of a call of any other is unknown. ``exchanges`` is a directory of saved
    exchanges: what it holds is replayed, and with ``save`` what it lacks is asked and saved there.
    """

    coder: RoleSettings | None = None
    reader: RoleSettings | None = None
    formaliser: RoleSettings | None = None
    explainer: RoleSettings | None = None
    readings: Annotated[int, Field(strict=True, ge=1, le=5)] = 2
    budget: Budget = Budget()
    prices: dict[ModelId, Price] = {}
    timeout_s: Annotated[int, Field(strict=True, ge=1, le=3_600)] = 300
    retries: Annotated[int, Field(strict=True, ge=0, le=5)] = 2
    exchanges: str | None = None
    save: bool = False

    def role(self, role: Role) -> RoleSettings | None:
        """The settings of a role, or None where no model fills it."""
        found: RoleSettings | None = getattr(self, role)
        return found


class Written(Model):
    """Trees that models wrote, in order, and every call that it took: failed ones too."""

    trees: tuple[Candidate, ...]
    calls: tuple[ModelCall, ...]
