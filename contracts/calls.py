"""What models were asked, what it cost, and what they said for people. No verdict rests on any of it (laws 1, 3)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Annotated, Literal

from pydantic import Field

from contracts.model import Count, Model, Sha256

Role = Literal["coder", "reader", "formaliser", "explainer"]
Short = Annotated[str, Field(min_length=1, max_length=200)]
Cost = Annotated[str, Field(pattern=r"^(0|[1-9]\d{0,11})(\.\d{0,11}[1-9])?$")]
"""An exact decimal number in the currency of the price table; written one way, without needless zeros."""

EXPLANATION_CHARACTERS = 20_000
_CUT = "\n[cut here: the text was longer]"


class ModelCall(Model):
    """One call of a model (REC-21). What is not known is null, never zero.

    ``request`` and ``response`` are digests of the exact bytes that were sent and received; ``error`` says in one line
    why there is no usable answer. ``purpose`` is a word such as ``attempt`` or ``reading-2``.
    """

    role: Role
    provider: Short
    model: Short
    purpose: Short
    attempt: Count
    tokens_in: Count | None = None
    tokens_out: Count | None = None
    tokens_cached: Count | None = None
    tokens_reasoning: Count | None = None
    duration_ms: Count
    finish_reason: Annotated[str, Field(max_length=64)] | None = None
    request: Sha256
    response: Sha256 | None = None
    cost: Cost | None = None
    error: Annotated[str, Field(min_length=1, max_length=1_000)] | None = None

    @property
    def name(self) -> str:
        """Provider and model: how a text credits its author."""
        return f"{self.provider}/{self.model}"


class Usage(Model):
    """What the calls of a run add up to (VER-05). A sum is over the calls that tell; null where none does.

    ``untold`` calls say nothing of their tokens, and ``unpriced`` ones have no known cost: the sums leave them out.
    """

    calls: Count
    failed: Count
    untold: Count
    unpriced: Count
    tokens_in: Count | None
    tokens_out: Count | None
    tokens_cached: Count | None
    tokens_reasoning: Count | None
    duration_ms: Count
    cost: Cost | None


class Reference(Model):
    """A page that an explanation leans on (BND-08)."""

    title: Annotated[str, Field(max_length=300)]
    url: Annotated[str, Field(max_length=2_000)]
    excerpt: Annotated[str, Field(max_length=2_000)] = ""


class Explanation(Model):
    """A failure in plain words, for people (REC-22). ``author`` is the `ModelCall.name` that wrote it, or ``forge``.

    ``error`` is why a model's words failed, where Forge's own stand in their place (REP-09). ``degraded`` is why no
    references were found, where they were to be looked up (ADP-12).
    """

    attempt: Count
    author: Annotated[str, Field(min_length=1, max_length=401)]
    text: Annotated[str, Field(min_length=1, max_length=EXPLANATION_CHARACTERS)]
    references: Annotated[tuple[Reference, ...], Field(max_length=3)] = ()
    error: Annotated[str, Field(min_length=1, max_length=1_000)] | None = None
    degraded: Annotated[str, Field(min_length=1, max_length=300)] | None = None


def usage_of(calls: Sequence[ModelCall]) -> Usage | None:
    """What ``calls`` add up to; None where no model was called."""
    if not calls:
        return None
    return Usage(
        calls=len(calls),
        failed=sum(call.error is not None for call in calls),
        untold=sum(call.tokens_in is None or call.tokens_out is None for call in calls),
        unpriced=sum(call.cost is None for call in calls),
        tokens_in=_sum(call.tokens_in for call in calls),
        tokens_out=_sum(call.tokens_out for call in calls),
        tokens_cached=_sum(call.tokens_cached for call in calls),
        tokens_reasoning=_sum(call.tokens_reasoning for call in calls),
        duration_ms=sum(call.duration_ms for call in calls),
        cost=_total(call.cost for call in calls),
    )


def commentary(text: str) -> str:
    """A model's words as they can be sealed: surrogates degraded (ENC-04), the cut of a long text marked (BND-07)."""
    sound = re.sub("[\ud800-\udfff]", "\ufffd", text)
    if len(sound) <= EXPLANATION_CHARACTERS:
        return sound
    return sound[: EXPLANATION_CHARACTERS - len(_CUT)] + _CUT


def decimal_cost(value: object) -> Cost:
    """A number, or its text, as a `Cost`; digits behind the twelfth are rounded away. Raises ValueError."""
    from decimal import Decimal, InvalidOperation

    try:
        text = f"{Decimal(str(value)):.12f}".rstrip("0").rstrip(".")
    except InvalidOperation:
        raise ValueError(f"not a cost: {value!r}") from None
    return text


def _sum(values: Iterable[int | None]) -> int | None:
    known = [value for value in values if value is not None]
    return sum(known) if known else None


def _total(costs: Iterable[str | None]) -> str | None:
    from decimal import Decimal

    known = [Decimal(cost) for cost in costs if cost is not None]
    return decimal_cost(sum(known)) if known else None
