"""Persisted results come from a closed registry, and data stays data (PRE-14)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from contracts.canonical import canonical_bytes
from contracts.plan import FeasiblePlan, PlanStep
from contracts.verdict import Failure, FailureSignature

pytest.importorskip("prefect")
pytestmark = pytest.mark.usefixtures("prefect_import")


@pytest.fixture
def serializer() -> Any:
    from flows.serializer import ForgeSerializer

    return ForgeSerializer()


def plan_with(text: str) -> FeasiblePlan:
    step = PlanStep(criterion="ac-1", method="example", text=text)
    return FeasiblePlan(build_spec="sha256:" + "0" * 64, steps=(step,), hints=(), lenses=(), unlowered=())


def test_a_model_comes_back_as_it_was(serializer: Any) -> None:
    assert serializer.loads(serializer.dumps(plan_with("x"))) == plan_with("x")


def test_data_that_names_a_class_stays_data(serializer: Any, tmp_path: Path) -> None:
    """Planted fault: text that Prefect's own JSON serializer would import and call, at every level (PRE-14)."""
    marker = tmp_path / "executed"
    call = json.dumps({"__class__": "os.system", "data": f"touch {marker}"})
    assert serializer.loads(serializer.dumps(plan_with(call))) == plan_with(call)
    for document in ({"__class__": "os.system", "data": f"touch {marker}"}, {"__exc_type__": "x.y", "message": ""}):
        blob = canonical_bytes({"type": "FeasiblePlan", "document": {"steps": [document], **document}})
        with pytest.raises(ValueError):
            serializer.loads(blob)
        with pytest.raises(ValueError, match="not a persisted result"):
            serializer.loads(canonical_bytes(document))
    assert not marker.exists()


@pytest.mark.parametrize("tag", ["subprocess.Popen", "os.system", "Failure", "dict", 3, None, ["FeasiblePlan"]])
def test_an_unknown_tag_is_refused(serializer: Any, tag: Any) -> None:
    with pytest.raises(ValueError, match="not a type of results"):
        serializer.loads(canonical_bytes({"type": tag, "document": {}}))


@pytest.mark.parametrize(
    "value", [{"a": 1}, "text", object(), Failure(signature=FailureSignature.INTERRUPTED, detail="x")]
)
def test_only_registered_models_are_written(serializer: Any, value: object) -> None:
    with pytest.raises(TypeError, match="not a type of results"):
        serializer.dumps(value)


def test_nothing_comes_back_as_nothing(serializer: Any) -> None:
    assert serializer.loads(serializer.dumps(None)) is None


def test_an_exception_comes_back_as_text(serializer: Any) -> None:
    from flows.serializer import StageFault

    back = serializer.loads(serializer.dumps(ValueError("lost \udc80 byte")))
    assert type(back) is StageFault
    assert str(back) == "ValueError: lost ? byte"


def test_prefect_finds_it_by_its_type(serializer: Any) -> None:
    from prefect.serializers import Serializer

    assert type(Serializer(type="forge")) is type(serializer)
