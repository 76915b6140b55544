"""The Prefect engine: the same record, retries by class of fault, named states, the form (PRE-10 to PRE-14)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from contracts.evidence import EntryKind, Record
from contracts.verdict import FailureSignature, Fault, TerminalStatus
from flows.build import build
from flows.listening import Silent
from sandbox.base import SandboxLost, SandboxUnavailable
from tasks.errors import UsageError

pytest.importorskip("prefect")
pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("prefect_api")]


def raising(error: BaseException) -> Any:
    def function(*_args: Any) -> Any:
        raise error

    return function


@pytest.fixture
def prefect_build(line: Any, tmp_path: Path) -> Any:
    """Build the fake line through the flow, with the settings of its requests."""
    from flows.flow import build_with_prefect
    from flows.parameters import BuildParameters

    def run(**values: Any) -> Any:
        parameters = BuildParameters(requirement=line.request().requirement, store=line.store, **values)
        return build_with_prefect(parameters, Silent(), lambda _name: None)

    return run


def normal(record: Record) -> list[Any]:
    """Entries without what may differ: engine, ids, times."""
    return [
        (entry.kind, entry.content if entry.kind not in (EntryKind.RUN, EntryKind.OUTCOME) else _stable(entry.body))
        for entry in record.entries
    ]


def _stable(body: Any) -> Any:
    return {
        key: value for key, value in body.items() if key not in ("run", "engine", "started", "finished", "stage_ms")
    }


@pytest.mark.parametrize("broken", [set(), {0}, {0, 1}])
def test_both_engines_give_the_same_record(line: Any, prefect_build: Any, broken: set[int]) -> None:
    line.broken = broken
    from flows.parameters import BuildParameters

    request = BuildParameters(requirement=line.request().requirement, store=line.store).request()
    inline = build(request)
    prefect = prefect_build()
    assert (inline.engine, prefect.engine) == ("inline", "prefect")
    assert normal(line.record(inline.run)) == normal(line.record(prefect.run))
    assert inline.run != prefect.run
    same = {"run", "record", "engine", "stage_ms", "notices"}
    assert inline.model_dump(exclude=same) == prefect.model_dump(exclude=same)


def test_only_infrastructure_is_tried_again(line: Any, prefect_build: Any) -> None:
    """Planted faults: one that may be retried, one that must not (PRE-12); both stay in the record (law 6)."""
    errors: list[Exception] = [SandboxLost("gone once")]

    def runtime(*args: Any) -> Any:
        if errors:
            raise errors.pop()
        return line.validate_runtime(*args)

    line.act["validate_runtime"] = runtime
    line.act["package"] = raising(ValueError("bug"))
    report = prefect_build()
    assert line.calls.count("validate_runtime") == 2
    assert line.calls.count("package") == 1
    assert (report.fault, report.failures[-1].signature) == (
        Fault.INFRASTRUCTURE,
        FailureSignature.INFRASTRUCTURE_ERROR,
    )
    faults = [entry.body for entry in line.record(report.run).entries if entry.kind is EntryKind.FAULT]
    assert [fault["failure"]["detail"] for fault in faults] == ["gone once", "ValueError: bug"]


def test_the_line_ends_in_a_state_of_a_known_name(line: Any) -> None:
    """PRE-11: a verdict is data, a fault of the infrastructure is a failed run."""
    from flows.flow import make_flow
    from flows.parameters import BuildParameters

    flow = make_flow(Silent(), lambda _name: None, lambda _report: None)
    parameters = BuildParameters(requirement=line.request().requirement, store=line.store, rounds=0)

    line.broken = {0}
    failed = flow(parameters, return_state=True)
    assert (failed.name, failed.message, failed.type.value) == (
        "ValidationFailed",
        "entry_point_missing",
        "COMPLETED",
    )
    assert failed.result().status is TerminalStatus.VALIDATION_FAILED

    line.act["isolate"] = raising(SandboxUnavailable("none"))
    lost = flow(parameters, return_state=True)
    assert (lost.type.value, lost.message) == ("FAILED", "sandbox_unavailable")


def test_usage_errors_come_through_unrecorded(line: Any, prefect_build: Any) -> None:
    line.act["compile"] = raising(UsageError("no such convention: x"))
    with pytest.raises(UsageError, match="no such convention"):
        prefect_build()
    assert not (Path(line.store) / "runs").exists()


def test_an_interruption_is_sealed_and_raised(line: Any, prefect_build: Any) -> None:
    line.act["read"] = raising(KeyboardInterrupt())
    with pytest.raises(KeyboardInterrupt):
        prefect_build()
    body = line.only_record().entries[-1].body
    assert [failure["signature"] for failure in body["failures"]] == ["interrupted"]


def test_a_large_requirement_goes_by_digest(line: Any) -> None:
    """PRE-10: parameters are capped at 512 KiB."""
    from flows.parameters import MAX_CHARACTERS, BuildParameters, by_digest

    text = "# Long\n" + "word " * MAX_CHARACTERS
    digest = by_digest(text, line.store)
    assert digest.startswith("sha256:")
    assert BuildParameters(requirement=digest, store=line.store).request().requirement == text
    assert by_digest("short", line.store) == "short"


def test_the_form_has_titles_bounds_and_choices() -> None:
    """PRE-10."""
    from prefect.utilities.callables import parameter_schema

    from flows.flow import build_flow

    schema = parameter_schema(build_flow.fn)
    (form,) = schema.definitions.values()
    fields = form["properties"]
    assert all(field["title"] and field["description"] for field in fields.values())
    assert fields["sandbox"]["enum"] == ["bubblewrap", "docker"]
    assert (fields["rounds"]["minimum"], fields["rounds"]["maximum"]) == (0, 10)
    assert form["required"] == ["requirement"]


def test_a_resumed_run_takes_the_stages_that_succeeded(line: Any) -> None:
    """PRE-13: what measures the host or has effects is done again, and the record of the first try stays (law 6)."""
    from prefect.client.orchestration import get_client
    from prefect.flow_engine import run_flow
    from prefect.states import AwaitingRetry

    from flows.flow import make_flow
    from flows.parameters import BuildParameters

    reports: list[Any] = []
    flow = make_flow(Silent(), lambda _name: None, reports.append)
    parameters = BuildParameters(requirement=line.request().requirement, store=line.store)
    line.act["validate_adversarial"] = raising(ValueError("a fault that an operator mends"))
    state = flow(parameters, return_state=True)
    del line.act["validate_adversarial"]
    with get_client(sync_client=True) as client:
        client.set_flow_run_state(state.state_details.flow_run_id, AwaitingRetry(), force=True)
        flow_run = client.read_flow_run(state.state_details.flow_run_id)
    run_flow(flow, flow_run=flow_run, parameters={"parameters": parameters}, return_type="state")
    first, second = reports
    assert (first.fault, second.status) == (Fault.INFRASTRUCTURE, TerminalStatus.VERIFIED)
    assert {name: line.calls.count(name) for name in ("compile", "code", "isolate", "validate_adversarial")} == {
        "compile": 1,
        "code": 1,
        "isolate": 2,
        "validate_adversarial": 2,
    }
    assert second.run == f"{first.run}-2"
    assert line.record(first.run).entries[-1].kind is EntryKind.OUTCOME
