"""What readings agreed on is derived again by the same generators, and said to be unchecked elsewhere."""

from __future__ import annotations

from typing import Any

import pytest

from contracts.canonical import digest
from contracts.model import Model
from contracts.verdict import FailureSignature
from tasks.evidence.generators import generators
from tasks.evidence.trust import Trust
from tasks.evidence.verify import NotIntact, Verification, verify_bytes
from tasks.reading.admission import conclude_readings

OTHER = digest(b"other generators")


def record(maker: Any, made_by: str | None, readings: Model) -> Any:
    """A run that was interrupted after its readings."""
    models = [*maker.contract(), maker.isolation(), readings, maker.fault("code", FailureSignature.INTERRUPTED)]
    models[0] = models[0].model_copy(update={"generators": made_by})
    return maker.seal([*models, maker.outcome(models)])


def verified(maker: Any, made_by: str | None, readings: Model) -> Verification:
    data = record(maker, made_by, readings).canonical()
    return verify_bytes(data, maker.store, trusted=Trust.of(maker.key.public))


def unchecked(found: Verification) -> list[str]:
    return [item for item in found.not_checked if "readings" in item]


def test_evi_06_derived_again_by_the_same_generators(maker: Any) -> None:
    derived = conclude_readings(maker.spec, maker.settings.seed, [])
    assert unchecked(verified(maker, generators(), derived)) == []


def test_evi_06_probes_that_the_generators_do_not_give_are_refused(maker: Any) -> None:
    """Law 7: invented probes, though chained and signed by a trusted key."""
    with pytest.raises(NotIntact, match="the probes are not those") as caught:
        verified(maker, generators(), maker.readings)
    assert caught.value.step == "verdicts"


@pytest.mark.parametrize("made_by", [OTHER, None])
def test_evi_09_other_generators_are_said_and_not_guessed(maker: Any, made_by: str | None) -> None:
    (said,) = unchecked(verified(maker, made_by, maker.readings))
    assert said.endswith(made_by or "unknown generators")


def test_the_seed_is_that_of_the_settings(maker: Any) -> None:
    plan = maker.probes.model_copy(update={"seed": maker.settings.seed + 1})
    with pytest.raises(NotIntact, match="another seed"):
        verified(maker, None, maker.readings.model_copy(update={"plan": plan}))


def test_the_identity_is_that_of_the_sources() -> None:
    assert generators() == generators.__wrapped__()
    assert str(generators()).startswith("sha256:")
