"""A record is believed only if everything in it follows. Each defect is caught by the step for it.

EVI-01, EVI-06, EVI-09, VER-02, VER-07, VER-08, VER-11.
"""

from __future__ import annotations

import base64
import errno
import json
import os
import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from contracts.candidate import Candidate
from contracts.canonical import canonical_bytes, digest
from contracts.evidence import Outcome, Record, RunInfo
from contracts.isolation import IsolationReport
from contracts.loading import DocumentError
from contracts.model import Model
from contracts.package import PackageManifest
from contracts.plan import FeasiblePlan, InfeasibilityCertificate
from contracts.reading import ReadingSet
from contracts.repair import RepairDirective
from contracts.requirement import BuildSpec, Requirement
from contracts.settings import BuildSettings
from contracts.verdict import Fault, Floor, LayerEvidence, TerminalStatus, ValidationArtifact
from tasks.errors import StoreUnavailable, UsageError
from tasks.evidence import dsse, statement, store
from tasks.evidence.bindings import Bindings, read_bindings
from tasks.evidence.export import export
from tasks.evidence.signing import SigningKey
from tasks.evidence.trust import Trust
from tasks.evidence.verify import STEPS, NotIntact, UntrustedSigner, Verification, verify_bytes, verify_record

KINDS = ("verified", "failed", "infeasible", "underspecified", "unavailable", "interrupted", "gave_up")
Models = list[Model]


def verify(maker: Any, record: Record, **options: Any) -> Verification:
    return verify_bytes(record.canonical(), maker.store, trusted=Trust.of(maker.key.public), **options)


@pytest.mark.parametrize("kind", KINDS)
def test_rec_16_what_is_recorded_verifies(maker: Any, kind: str) -> None:
    """REC-15, REC-16: a record of every end, pass or not."""
    record = maker.record(kind)
    verification = verify(maker, record)
    assert verification.signed_by == maker.key.public.id
    assert verification.checked == STEPS[:-1]
    assert STEPS[-1] == "log"
    expected = {"verified": "verified", "infeasible": "infeasible_proven"}.get(kind, "validation_failed")
    assert verification.status == expected
    assert "that no other run came before: no log is part of the record" in verification.not_checked


def test_evi_09_verification_by_the_name_of_a_run(maker: Any) -> None:
    record = maker.record("failed")
    maker.store.put_record("run-1", record.canonical())
    assert verify_record("run-1", maker.store, trusted=Trust.of(maker.key.public)).run == "run-1"
    for run, kept in (("run-2", maker.store), ("run-1", None), ("../x", maker.store)):
        with pytest.raises(DocumentError):
            verify_record(run, kept)


# Defects in what the entries say. Each is chained and signed anew with the trusted key, so that only their meaning
# can give them away. Step that must catch it, kind of record, and the change.


def without(models: Models, kind: type[Model], number: int = 0) -> Models:
    place = [index for index, model in enumerate(models) if isinstance(model, kind)][number]
    return models[:place] + models[place + 1 :]


def moved(models: Models, kind: type[Model], to: int) -> Models:
    place = next(index for index, model in enumerate(models) if isinstance(model, kind))
    rest = models[:place] + models[place + 1 :]
    return [*rest[:to], models[place], *rest[to:]]


def changed(models: Models, kind: type[Model], number: int = 0, **fields: object) -> Models:
    place = [index for index, model in enumerate(models) if isinstance(model, kind)][number]
    return [*models[:place], models[place].model_copy(update=fields), *models[place + 1 :]]


def find(models: Models, kind: type[Any], number: int = 0) -> Any:
    return [model for model in models if isinstance(model, kind)][number]


def passing_artifact(models: Models) -> Models:
    layers = tuple(
        layer.model_copy(update={"executed": True, "passed": True, "failures": (), "not_executed": None})
        for layer in find(models, ValidationArtifact).layers
    )
    return changed(models, ValidationArtifact, layers=layers)


def verified_outcome(models: Models) -> Models:
    return changed(models, Outcome, status=TerminalStatus.VERIFIED, fault=Fault.NONE, failures=())


def rewritten_observation(models: Models) -> Models:
    evidence = find(models, LayerEvidence, 1)
    right = b"EMPTY\n"
    stream = evidence.observations[0].stdout.model_copy(
        update={"head": right, "length": len(right), "digest": digest(right)}
    )
    seen = evidence.observations[0].model_copy(update={"stdout": stream})
    return changed(models, LayerEvidence, 1, observations=(seen,))


def probe_left_out(models: Models) -> Models:
    return changed(models, LayerEvidence, 1, cases=(), observations=())


def expectation_dropped(models: Models) -> Models:
    evidence = find(models, LayerEvidence, 1)
    case = evidence.cases[0].model_copy(update={"expectations": ()})
    return changed(models, LayerEvidence, 1, cases=(case,))


OTHER = "sha256:" + "0" * 64
DEFECTS: dict[str, tuple[str, str, Callable[[Models], Models]]] = {
    "run_missing": ("order", "failed", lambda m: without(m, RunInfo)),
    "run_twice": ("order", "failed", lambda m: [m[0], *m]),
    "requirement_missing": ("order", "failed", lambda m: without(m, Requirement)),
    "settings_missing": ("order", "failed", lambda m: without(m, BuildSettings)),
    "contract_missing": ("order", "failed", lambda m: without(m, BuildSpec)),
    "plan_missing": ("order", "failed", lambda m: without(m, FeasiblePlan)),
    "isolation_missing": ("order", "failed", lambda m: without(m, IsolationReport)),
    "readings_missing": ("order", "failed", lambda m: without(m, ReadingSet)),
    "candidate_missing": ("order", "failed", lambda m: without(m, Candidate)),
    "candidate_before_contract": ("order", "failed", lambda m: moved(m, Candidate, 3)),
    "candidate_before_readings": ("order", "failed", lambda m: moved(m, Candidate, 6)),
    "readings_after_evidence": ("order", "failed", lambda m: moved(m, ReadingSet, 9)),
    "contract_twice": ("order", "failed", lambda m: [*m[:4], *m[3:]]),
    "first_attempt_dropped": ("order", "verified", lambda m: [*m[:7], *m[13:]]),
    "attempt_misnumbered": ("order", "failed", lambda m: changed(m, Candidate, attempt=1)),
    "layer_repeated": ("order", "failed", lambda m: [*m[:9], *m[8:]]),
    "layers_out_of_order": ("order", "failed", lambda m: [*m[:8], m[9], m[8], *m[10:]]),
    "outcome_missing": ("order", "failed", lambda m: without(m, Outcome)),
    "outcome_twice": ("order", "failed", lambda m: [*m, m[-1]]),
    "outcome_not_last": ("order", "gave_up", lambda m: [*m[:-2], m[-1], m[-2]]),
    "directive_missing": ("order", "verified", lambda m: without(m, RepairDirective)),
    "package_before_judgement": ("order", "verified", lambda m: moved(m, PackageManifest, 17)),
    "run_with_a_name_that_is_none": ("order", "failed", lambda m: changed(m, RunInfo, run="\x1b[31mrun")),
    "package_with_a_name_that_is_none": (
        "seals",
        "verified",
        lambda m: changed(m, PackageManifest, filename="\x1b[31m/../tool.whl"),
    ),
    "file_missing_from_the_store": (
        "blobs",
        "failed",
        lambda m: changed(m, Candidate, files=(find(m, Candidate).files[0].model_copy(update={"digest": OTHER}),)),
    ),
    "file_of_another_size": (
        "blobs",
        "failed",
        lambda m: changed(m, Candidate, files=(find(m, Candidate).files[0].model_copy(update={"size": 1}),)),
    ),
    "package_missing_from_the_store": ("blobs", "verified", lambda m: changed(m, PackageManifest, wheel=OTHER)),
    "package_is_no_wheel": (
        "blobs",
        "verified",
        lambda m: changed(
            m, PackageManifest, wheel=find(m, Candidate).files[0].digest, size=find(m, Candidate).files[0].size
        ),
    ),
    "contract_of_another_requirement": ("seals", "failed", lambda m: changed(m, Requirement, text="Print FULL.\n")),
    "plan_of_another_contract": ("seals", "failed", lambda m: changed(m, FeasiblePlan, build_spec=OTHER)),
    "readings_of_another_contract": ("seals", "failed", lambda m: changed(m, ReadingSet, build_spec=OTHER)),
    "contract_edited": ("seals", "failed", lambda m: changed(m, BuildSpec, acceptance_criteria=())),
    "policy_of_another_measurement": ("seals", "failed", lambda m: changed(m, IsolationReport, policy=OTHER)),
    "isolation_not_proven": ("seals", "failed", lambda m: changed(m, IsolationReport, checks=())),
    "tree_digest_of_another_tree": ("seals", "failed", lambda m: changed(m, Candidate, tree=OTHER)),
    "file_twice": ("seals", "failed", lambda m: changed(m, Candidate, files=find(m, Candidate).files * 2)),
    "evidence_of_another_candidate": ("seals", "failed", lambda m: changed(m, LayerEvidence, 2, candidate=OTHER)),
    "two_layers_judged": (
        "seals",
        "failed",
        lambda m: changed(m, ValidationArtifact, layers=find(m, ValidationArtifact).layers[:2]),
    ),
    "directive_of_another_judgement": ("verdicts", "verified", lambda m: changed(m, RepairDirective, artifact=OTHER)),
    "directive_misnumbered": ("verdicts", "verified", lambda m: changed(m, RepairDirective, attempt=2)),
    "more_attempts_than_allowed": ("seals", "verified", lambda m: changed(m, BuildSettings, rounds=0)),
    "package_of_another_judgement": ("seals", "verified", lambda m: changed(m, PackageManifest, artifact=OTHER)),
    "package_of_another_candidate": ("seals", "verified", lambda m: changed(m, PackageManifest, candidate=OTHER)),
    "failed_candidate_stated_as_passed": ("verdicts", "failed", passing_artifact),
    "observation_rewritten": ("verdicts", "failed", rewritten_observation),
    "probe_left_out": ("verdicts", "verified", probe_left_out),
    "expectation_dropped": ("verdicts", "failed", expectation_dropped),
    "evidence_left_out": ("verdicts", "failed", lambda m: without(m, LayerEvidence, 1)),
    "floor_lowered_afterwards": (
        "verdicts",
        "failed",
        lambda m: changed(m, BuildSettings, floor=Floor(mutants_killed_percent=1, mutants_at_least=1)),
    ),
    "judgement_of_another_contract": (
        "verdicts",
        "failed",
        lambda m: changed(m, ValidationArtifact, build_spec=OTHER),
    ),
    "judgement_of_other_probes": ("verdicts", "failed", lambda m: changed(m, ValidationArtifact, probe_plan=OTHER)),
    "certificate_of_constraints_that_can_hold": (
        "verdicts",
        "infeasible",
        lambda m: changed(m, InfeasibilityCertificate, constraints=find(m, InfeasibilityCertificate).constraints[:1]),
    ),
    "certificate_by_no_checker": (
        "verdicts",
        "infeasible",
        lambda m: changed(m, InfeasibilityCertificate, checker="x"),
    ),
    "certificate_of_another_contract": (
        "seals",
        "infeasible",
        lambda m: changed(m, InfeasibilityCertificate, build_spec=OTHER),
    ),
    "directive_not_drawn_from_the_failures": (
        "verdicts",
        "verified",
        lambda m: changed(m, RepairDirective, items=(*find(m, RepairDirective).items, *find(m, RepairDirective).items)),
    ),
    "verified_over_failed": ("outcome", "failed", verified_outcome),
    "verified_without_package": ("outcome", "verified", lambda m: without(m, PackageManifest)),
    "failure_left_out": ("outcome", "failed", lambda m: changed(m, Outcome, failures=())),
    "fault_of_the_infrastructure_hidden": ("outcome", "unavailable", lambda m: [*m[:-2], m[-1]]),
    "fault_put_on_the_candidate": ("outcome", "unavailable", lambda m: changed(m, Outcome, fault=Fault.CANDIDATE)),
    "interruption_as_verified": ("outcome", "interrupted", verified_outcome),
    "strength_embellished": ("outcome", "failed", lambda m: changed(m, Outcome, strength=None)),
}


@pytest.mark.parametrize("defect", DEFECTS)
def test_evi_pitfall_12_a_verdict_that_its_parts_do_not_give(maker: Any, defect: str) -> None:
    """REC-13, VER-03, VER-04, VER-06 to VER-09: verdicts, order, attempts, bounds are derived again."""
    step, kind, change = DEFECTS[defect]
    models = maker.all_models(kind)
    verify(maker, maker.seal(models))
    with pytest.raises(NotIntact) as caught:
        verify(maker, maker.seal(change(models)))
    assert caught.value.step == step, str(caught.value)
    assert str(caught.value).isprintable()


def test_law_3_a_layer_without_evidence_is_not_a_pass(maker: Any) -> None:
    """A layer that did not run is recorded as such, and the record ends with the reason."""
    candidate = maker.candidate(0, b"EMPTY\n")
    evidence = maker.evidence(candidate, b"EMPTY\n")[:1]
    before = [*maker.contract(), maker.isolation(), maker.readings, candidate, *evidence]
    models = [*before, maker.artifact(candidate, evidence)]
    outcome = maker.outcome(models)
    assert (outcome.status, outcome.fault) == (TerminalStatus.VALIDATION_FAILED, Fault.INFRASTRUCTURE)
    assert [failure.detail for failure in outcome.failures] == [
        "the layer obligations was not executed: the sandbox was lost",
    ]
    verify(maker, maker.seal([*models, outcome]))
    stated = passing_artifact([*models, outcome])
    with pytest.raises(NotIntact, match="judged without evidence"):
        verify(maker, maker.seal(stated))


# Defects in the signed form. The pitfalls of rules EVI-04 to EVI-08 by number.

Document = dict[str, Any]


def payload_of(document: Document) -> Document:
    text = base64.b64decode(document["bundle"]["dsseEnvelope"]["payload"])
    value: Document = json.loads(text)
    return value


def resigned(document: Document, maker: Any, change: Callable[[Document], object]) -> Document:
    """The record with another statement, signed with the trusted key."""
    payload = payload_of(document)
    change(payload)
    return {**document, "bundle": dsse.sign(canonical_bytes(payload), maker.key)}


def envelope(document: Document) -> Document:
    inner: Document = document["bundle"]["dsseEnvelope"]
    return inner


@pytest.fixture
def document(maker: Any) -> Document:
    record: Record = maker.record("verified")
    return record.document()


def refuse(maker: Any, document: Document, step: str) -> None:
    with pytest.raises(NotIntact) as caught:
        verify_bytes(canonical_bytes(document), maker.store, trusted=Trust.of(maker.key.public))
    assert caught.value.step == step, str(caught.value)


def test_evi_pitfall_01_another_payload_type(maker: Any, document: Document) -> None:
    envelope(document)["payloadType"] = "application/json"
    refuse(maker, document, "signature")


@pytest.mark.parametrize("field", ["_type", "predicateType"])
def test_evi_pitfall_02_another_statement_or_predicate_type(maker: Any, document: Document, field: str) -> None:
    refuse(maker, resigned(document, maker, lambda p: p.update({field: "https://example.org/v1"})), "statement")


def test_evi_pitfall_03_untrusted_key(maker: Any, other_key: SigningKey) -> None:
    record = maker.seal(maker.all_models("verified"), other_key)
    with pytest.raises(UntrustedSigner) as caught:
        verify(maker, record)
    assert caught.value.key == other_key.public.id
    with pytest.raises(UntrustedSigner):
        verify_bytes(record.canonical(), maker.store)
    verification = verify(maker, record, integrity_only=True)
    assert verification.signed_by == other_key.public.id
    assert "trust" not in verification.checked
    assert any("who signed" in item for item in verification.not_checked)


def test_evi_pitfall_03_signed_by_another_than_the_statement_names(
    maker: Any, document: Document, other_key: SigningKey
) -> None:
    document["bundle"] = dsse.sign(canonical_bytes(payload_of(document)), other_key)
    refuse(maker, document, "signature")


@pytest.mark.parametrize("signatures", ["missing", "empty", "twice", "empty_text"])
def test_evi_pitfall_04_signatures_missing_empty_or_repeated(maker: Any, document: Document, signatures: str) -> None:
    held = envelope(document)["signatures"]
    if signatures == "missing":
        del envelope(document)["signatures"]
    elif signatures == "empty_text":
        held[0]["sig"] = ""
    else:
        envelope(document)["signatures"] = [] if signatures == "empty" else held * 2
    refuse(maker, document, "signature")


@pytest.mark.parametrize("place", ["keyid", "hint"])
@pytest.mark.parametrize("key", ["another", "", None])
def test_evi_pitfall_05_the_key_id_decides_nothing(
    maker: Any, document: Document, place: str, key: str | None, other_key: SigningKey
) -> None:
    """A wrong or absent id is another form than ours, and the id of a trusted key makes no other key trusted."""
    name = other_key.public.id if key == "another" else key
    target = envelope(document)["signatures"][0]
    if place == "hint":
        target = document["bundle"]["verificationMaterial"]["publicKey"]
    if name is None:
        del target[place]
    else:
        target[place] = name
    refuse(maker, document, "signature")


def test_evi_pitfall_05_a_trusted_id_on_another_key(maker: Any, other_key: SigningKey) -> None:
    document = maker.seal(maker.all_models("failed"), other_key).document()
    envelope(document)["signatures"][0]["keyid"] = maker.key.public.id
    document["bundle"]["verificationMaterial"]["publicKey"]["hint"] = maker.key.public.id
    refuse(maker, document, "signature")


@pytest.mark.parametrize("variant", ["url_safe", "line_break", "no_padding", "padding_bits", "space"])
@pytest.mark.parametrize("field", ["payload", "sig"])
def test_evi_pitfall_06_base64_variants(maker: Any, document: Document, field: str, variant: str) -> None:
    place = envelope(document) if field == "payload" else envelope(document)["signatures"][0]
    text: str = place[field]
    variants = {
        "url_safe": text.replace("+", "-").replace("/", "_"),
        "line_break": text[:8] + "\n" + text[8:],
        "no_padding": text.rstrip("="),
        "padding_bits": text.rstrip("=")[:-1] + chr(ord(text.rstrip("=")[-1]) + 1) + "=" * text.count("="),
        "space": text + " ",
    }
    if variants[variant] == text:
        place[field] = text + "===="
    else:
        place[field] = variants[variant]
    refuse(maker, document, "signature")


def test_evi_pitfall_07_duplicate_keys_in_the_record(maker: Any, document: Document) -> None:
    """VER-12: two parsers could read two verdicts."""
    data = canonical_bytes(document)
    for twice in (
        b'{"format":"forge-record/1",' + data[1:],
        data.replace(b'"dsseEnvelope":{', b'"dsseEnvelope":{"payload":"",', 1),
        data.replace(b'"signatures":[{', b'"signatures":[{"\\u0073ig":"",', 1),
        data.replace(b'"index":0', b'"index":0,"index":0', 1),
    ):
        assert twice != data
        with pytest.raises(DocumentError, match="repeated"):
            verify_bytes(twice, maker.store, trusted=Trust.of(maker.key.public))


def test_evi_pitfall_07_duplicate_keys_in_the_statement(maker: Any, document: Document) -> None:
    payload = canonical_bytes(payload_of(document))
    twice = payload.replace(b'"predicateType"', b'"_type":"x","predicateType"', 1)
    document["bundle"] = dsse.sign(twice, maker.key)
    refuse(maker, document, "signature")


@pytest.mark.parametrize("subject", ["none", "another", "empty_list"])
def test_evi_pitfall_08_no_subject_or_another(maker: Any, document: Document, subject: str) -> None:
    def change(payload: Document) -> None:
        if subject == "none":
            del payload["subject"]
        elif subject == "empty_list":
            payload["subject"] = []
        else:
            payload["subject"][0]["digest"]["sha256"] = "0" * 64

    refuse(maker, resigned(document, maker, change), "statement")


def test_evi_pitfall_08_the_statement_of_another_record(maker: Any, document: Document) -> None:
    other = maker.record("failed")
    refuse(maker, {**document, "bundle": other.bundle}, "statement")


def test_evi_pitfall_09_an_extra_subject(maker: Any, document: Document) -> None:
    extra = {"name": "another", "digest": {"sha256": "0" * 64}}
    refuse(maker, resigned(document, maker, lambda p: p["subject"].append(extra)), "statement")


@pytest.mark.parametrize("algorithm", ["gitTree", "sha1", "md5"])
def test_evi_pitfall_10_digests_of_which_a_weak_one_holds(maker: Any, document: Document, algorithm: str) -> None:
    def weaken(payload: Document) -> None:
        held = payload["subject"][0]["digest"]
        held["sha256"] = "0" * 64
        held[algorithm] = held["gitTree"]

    refuse(maker, resigned(document, maker, weaken), "statement")

    def only_weak(payload: Document) -> None:
        del payload["subject"][0]["digest"]["sha256"]

    refuse(maker, resigned(document, maker, only_weak), "statement")


def test_evi_pitfall_11_same_json_other_bytes(maker: Any, document: Document) -> None:
    for data in (
        json.dumps(document).encode(),
        json.dumps(document, indent=1, sort_keys=True).encode(),
        canonical_bytes(document) + b"\n",
        canonical_bytes(document).replace(b"EMPTY", b"\\u0045MPTY", 1),
    ):
        with pytest.raises(NotIntact, match="form"):
            verify_bytes(data, maker.store, trusted=Trust.of(maker.key.public))
    payload = json.dumps(payload_of(document)).encode()
    refuse(maker, {**document, "bundle": dsse.sign(payload, maker.key)}, "statement")


def test_evi_pitfall_11_a_body_moved_out_of_the_record(maker: Any, document: Document) -> None:
    maker.store.put(canonical_bytes(document["entries"][0]["body"]))
    document["entries"][0]["body"] = None
    refuse(maker, document, "chain")


def test_evi_pitfall_15_times_are_bound_and_decide_nothing(maker: Any, document: Document) -> None:
    """VER-16: metadata are sealed like all else.

    The only times are those of the sealed entries; nothing outside of them is read as one.
    """
    document["bundle"]["verificationMaterial"]["timestampVerificationData"] = {"rfc3161Timestamps": []}
    refuse(maker, document, "signature")


def test_evi_pitfall_16_an_attestation_of_another_type(maker: Any, document: Document) -> None:
    """A true statement of the same signer about something else does not answer."""

    def as_other(payload: Document) -> None:
        payload["predicateType"] = "https://in-toto.io/attestation/test-result/v0.1"
        payload["predicate"] = {"result": "PASSED", "signer": payload["predicate"]["signer"]}

    refuse(maker, resigned(document, maker, as_other), "statement")


def test_evi_pitfall_19_a_blob_with_wrong_bytes(maker: Any) -> None:
    record = maker.record("verified")
    blobs = sorted((maker.store.root / "sha256").iterdir())
    assert len(blobs) >= 4
    for blob in blobs:
        data = blob.read_bytes()
        blob.chmod(0o644)
        blob.write_bytes(data[:-1] + bytes([data[-1] ^ 1]))
        with pytest.raises(NotIntact, match="other bytes"):
            verify(maker, record)
        blob.unlink()
        with pytest.raises(NotIntact, match="has no"):
            verify(maker, record)
        blob.write_bytes(data)
    verify(maker, record)


def test_law_3_a_store_that_does_not_answer_is_not_the_records_fault(
    maker: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    record = maker.record("failed")
    maker.store.put_record("run-1", record.canonical())

    def broken(path: Path, limit: int) -> bytes:
        raise OSError(errno.EIO, "Input/output error")

    monkeypatch.setattr(store, "read_regular", broken)
    with pytest.raises(StoreUnavailable):
        verify(maker, record)
    with pytest.raises(StoreUnavailable):
        verify_record("run-1", maker.store)


# Shapes, sizes, and files.


@pytest.mark.parametrize(
    "data",
    [b"", b"{", b"\xff", b"[" * 200_000, b'{"a":1.5}', b'{"a":NaN}', b'{"a":"\\ud800"}', b'{"\xc3\xa9":1}'],
    ids=["empty", "cut", "not_utf8", "deep", "float", "nan", "surrogate", "key_not_ascii"],
)
def test_cli_12_what_is_no_document_is_a_usage_error(maker: Any, data: bytes) -> None:
    """VER-13, ENC-06: surrogates too are judged, not crashed on."""
    with pytest.raises(DocumentError):
        verify_bytes(data, maker.store)


@pytest.mark.parametrize("value", [[], {}, "x", 1, None, {"entries": "x"}, {"entries": [1]}])
def test_ver_11_other_shapes_are_not_intact(maker: Any, value: object) -> None:
    with pytest.raises(NotIntact):
        verify_bytes(canonical_bytes(value), maker.store)


RETYPES: tuple[object, ...] = (None, True, 7, "x", [], {}, [[]], {"a": []}, "sha256:" + "0" * 64)


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    yield path
    if isinstance(value, dict):
        for key in value:
            yield from places(value[key], (*path, key))
    elif isinstance(value, list):
        for index in range(len(value)):
            yield from places(value[index], (*path, index))


def replaced(value: Any, path: tuple[Any, ...], new: object) -> Any:
    if not path:
        return new
    copy: Any = dict(value) if isinstance(value, dict) else list(value)
    copy[path[0]] = replaced(value[path[0]], path[1:], new)
    return copy


@pytest.mark.parametrize(
    "share",
    [pytest.param(60, id="some"), pytest.param(2, id="many", marks=[pytest.mark.slow, pytest.mark.timeout(1_800)])],
)
def test_ver_11_every_field_retyped(maker: Any, document: Document, share: int) -> None:
    """VER-10, REC-03: none is accepted, and none is a traceback."""
    source = random.Random(share)
    for path in places(document):
        for new in RETYPES:
            if source.randrange(share):
                continue
            mutant = replaced(document, path, new)
            if mutant == document:
                continue
            with pytest.raises((NotIntact, UntrustedSigner, DocumentError)):
                verify_bytes(canonical_bytes(mutant), maker.store, trusted=Trust.of(maker.key.public))


@pytest.mark.parametrize(
    "count",
    [pytest.param(60, id="some"), pytest.param(4_000, id="many", marks=[pytest.mark.slow, pytest.mark.timeout(1_800)])],
)
def test_flip_a_byte_of_an_exported_record(maker: Any, tmp_path: Path, count: int) -> None:
    """DEC-02: a flipped byte of record, blob or package never leaves a record intact; untouched, it is intact."""
    file = export(maker.record("verified"), maker.store, tmp_path / "out")
    source = random.Random(count)
    files = [path for path in file.parent.rglob("*") if path.is_file()]
    assert {path.parent.name for path in files} == {"out", "sha256", "package"}
    trusted = Trust.of(maker.key.public)
    for path in files:
        path.chmod(0o644)
        data = path.read_bytes()
        for _ in range(count // len(files)):
            place = source.randrange(len(data))
            path.write_bytes(data[:place] + bytes([data[place] ^ source.randrange(1, 256)]) + data[place + 1 :])
            with pytest.raises((NotIntact, DocumentError)):
                verify_record(file, trusted=trusted)
            with pytest.raises((NotIntact, DocumentError)):
                verify_record(file, integrity_only=True)
        path.write_bytes(data)
    assert verify_record(file, trusted=trusted).status == TerminalStatus.VERIFIED


def test_the_record_file_is_a_bounded_regular_file(maker: Any, tmp_path: Path) -> None:
    """VER-14: nothing blocks, and nothing larger than the bound is read."""
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "large").touch()
    os.truncate(tmp_path / "large", 64 * 1024 * 1024 + 1)
    for name in ("pipe", "large", "missing", "."):
        with pytest.raises(DocumentError):
            verify_record(tmp_path / name, maker.store)


# Bindings: what lies outside.


def test_ver_02_bindings_that_hold_are_no_longer_unchecked(maker: Any, tmp_path: Path) -> None:
    file = export(maker.record("verified"), maker.store, tmp_path / "out")
    (tmp_path / "requirement.md").write_bytes(maker.requirement.text.encode())
    package = next((tmp_path / "out" / "package").iterdir())
    bindings = read_bindings(tmp_path / "requirement.md", tmp_path / "candidate-1", package)
    verification = verify_record(file, trusted=Trust.of(maker.key.public), bindings=bindings)
    assert not [item for item in verification.not_checked if "given" in item]


@pytest.mark.parametrize("field", ["spec", "candidate", "package"])
@pytest.mark.parametrize("kind", ["verified", "unavailable"])
def test_ver_02_another_requirement_candidate_or_package(maker: Any, field: str, kind: str) -> None:
    with pytest.raises(NotIntact, match="bindings"):
        verify(maker, maker.record(kind), bindings=Bindings(**{field: OTHER}))


def test_a_flipped_byte_of_the_candidate_is_another_candidate(maker: Any, tmp_path: Path) -> None:
    record = maker.record("verified")
    main = tmp_path / "candidate-1" / "main.py"
    data = main.read_bytes()
    for place in range(0, len(data), 6):
        main.write_bytes(data[:place] + bytes([data[place] ^ 1]) + data[place + 1 :])
        with pytest.raises(NotIntact, match="another candidate"):
            verify(maker, record, bindings=read_bindings(None, tmp_path / "candidate-1", None))


def test_bindings_that_cannot_be_read_are_usage_errors(tmp_path: Path) -> None:
    for missing in ((tmp_path / "x", None, None), (None, tmp_path / "x", None), (None, None, tmp_path)):
        with pytest.raises(UsageError):
            read_bindings(*missing)


@pytest.mark.parametrize("change", ["added", "missing", "renamed"])
def test_package_folder_holds_the_sealed_package_and_nothing_else(maker: Any, tmp_path: Path, change: str) -> None:
    file = export(maker.record("verified"), maker.store, tmp_path / "out")
    wheel = next((tmp_path / "out" / "package").iterdir())
    if change == "added":
        (wheel.parent / "another.whl").write_bytes(wheel.read_bytes())
    elif change == "missing":
        wheel.unlink()
    else:
        wheel.rename(wheel.with_name("another.whl"))
    with pytest.raises(NotIntact, match="bindings"):
        verify_record(file, trusted=Trust.of(maker.key.public))


def test_a_failed_record_with_a_package_beside_it_is_not_intact(maker: Any, tmp_path: Path) -> None:
    file = export(maker.record("failed"), maker.store, tmp_path / "out")
    verify_record(file, trusted=Trust.of(maker.key.public))
    (tmp_path / "out" / "package").mkdir()
    (tmp_path / "out" / "package" / "tool.whl").touch()
    with pytest.raises(NotIntact, match="bindings"):
        verify_record(file, trusted=Trust.of(maker.key.public))


def test_evi_05_the_subjects_of_a_statement(maker: Any) -> None:
    """REC-10: what was judged is named by its digests."""
    subjects = payload_of(maker.record("verified").document())["subject"]
    assert [sorted(subject["digest"]) for subject in subjects] == [["gitTree", "sha256"], ["sha256"]]
    (only,) = payload_of(maker.record("underspecified").document())["subject"]
    assert only == {
        "name": "requirement",
        "digest": {"sha256": digest(maker.requirement.text.encode()).removeprefix("sha256:")},
    }
    assert statement.PREDICATE_TYPE.startswith("urn:")
