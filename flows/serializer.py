"""Persisted results: a type tag and a JSON document, from a closed registry of our models (PRE-14).

Prefect's own serializers execute code on read, and model output lands in results. Here nothing is imported by a name
that the data holds: a tag that is not in the registry is refused, and data stays data.
"""

from __future__ import annotations

from typing import Any, Literal

from prefect.serializers import Serializer

from contracts.candidate import Candidate
from contracts.canonical import Json, canonical_bytes
from contracts.evidence import BuildReport
from contracts.isolation import IsolationReport
from contracts.loading import RECORD_BYTES, load_json
from contracts.model import Model
from contracts.modelling import Written
from contracts.package import PackageManifest
from contracts.plan import FeasiblePlan, InfeasibilityCertificate
from contracts.reading import ReadingSet
from contracts.requirement import BuildSpec
from contracts.verdict import LayerEvidence

MODELS: dict[str, type[Model]] = {
    model.__name__: model
    for model in (
        BuildReport,
        BuildSpec,
        Candidate,
        FeasiblePlan,
        InfeasibilityCertificate,
        IsolationReport,
        LayerEvidence,
        PackageManifest,
        ReadingSet,
        Written,
    )
}
FAULT = "fault"
NOTHING: dict[str, Json] = {"type": "nothing", "document": None}


class StageFault(Exception):  # noqa: N818 - it stands for whatever was raised
    """An exception that came back from storage, as text: its class is not looked up."""


class ForgeSerializer(Serializer):
    """Canonical JSON of ``{"type": tag, "document": document}``."""

    type: Literal["forge"] = "forge"

    def dumps(self, obj: Any) -> bytes:
        """Serialize a registered model, or an exception as its text.

        Raises:
            TypeError: the type of ``obj`` is not in the registry.
        """
        if isinstance(obj, BaseException):
            return canonical_bytes({"type": FAULT, "document": _words(obj)})
        if obj is None:  # the data of a failed run
            return canonical_bytes(NOTHING)
        tag = type(obj).__name__
        if MODELS.get(tag) is not type(obj):
            raise TypeError(f"not a type of results: {tag}")
        return canonical_bytes({"type": tag, "document": obj.document()})

    def loads(self, blob: bytes) -> Any:
        """The value that `dumps` was given; an exception comes back as `StageFault`.

        Raises:
            ValueError: the bytes are not such a document, or their tag is unknown.
        """
        value = load_json(blob, RECORD_BYTES)
        if not isinstance(value, dict) or value.keys() != {"type", "document"}:
            raise ValueError("not a persisted result")
        if value == NOTHING:
            return None
        tag, document = value["type"], value["document"]
        if tag == FAULT:
            return StageFault(document)
        if not isinstance(tag, str) or tag not in MODELS:
            raise ValueError(f"not a type of results: {tag!r}")
        return MODELS[tag].model_validate(document)


def _words(error: BaseException) -> str:
    return f"{type(error).__name__}: {error}".encode("utf-8", "replace").decode()
