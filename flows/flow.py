"""The Prefect flow of a build; ``flows.flow:build_flow`` is the deployment's entry point.

Importing it does no work but Prefect's own (PRE-23). A verdict is data: the flow ends in a named state that carries
the report, and only a fault of the infrastructure is a failed run (PRE-11).
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from pathlib import Path
from typing import Any

from flows import prefect_settings

prefect_settings.apply(None)

import prefect  # noqa: E402 - settings come first (PRE-01)
from prefect import Flow, State  # noqa: E402
from prefect.artifacts import create_markdown_artifact  # noqa: E402
from prefect.client.schemas.objects import FlowRun  # noqa: E402
from prefect.exceptions import TerminationSignal  # noqa: E402
from prefect.runtime import flow_run as this_run  # noqa: E402
from prefect.settings import PREFECT_FLOWS_HEARTBEAT_FREQUENCY, temporary_settings  # noqa: E402
from prefect.states import Completed, Failed  # noqa: E402

from contracts.evidence import BuildReport, Record  # noqa: E402
from contracts.loading import RECORD_BYTES, load_document  # noqa: E402
from contracts.verdict import Fault, TerminalStatus  # noqa: E402
from flows.build import build  # noqa: E402
from flows.listening import Listener, Silent  # noqa: E402
from flows.parameters import BuildParameters, default_output  # noqa: E402
from flows.prefect_engine import PrefectEngine  # noqa: E402
from flows.run import title_slug  # noqa: E402
from flows.serializer import ForgeSerializer  # noqa: E402
from tasks.evidence.render import render_markdown  # noqa: E402
from tasks.evidence.signing import SigningKey  # noqa: E402
from tasks.evidence.store import open_store  # noqa: E402
from tasks.evidence.trust import own_trust  # noqa: E402

STATE_NAMES = {
    TerminalStatus.VERIFIED: "Verified",
    TerminalStatus.VALIDATION_FAILED: "ValidationFailed",
    TerminalStatus.INFEASIBLE_PROVEN: "InfeasibleProven",
}
Destination = Callable[[str], Path]
"""Where a run of this name leaves record and package."""

log = logging.getLogger("forge")


def make_flow(
    listener: Listener,
    destination: Destination,
    keep: Callable[[BuildReport], None],
    key: SigningKey | None = None,
) -> Flow[[BuildParameters], State[Any]]:
    """The flow, with what a caller in this process wants to be told."""

    def build_flow(parameters: BuildParameters) -> State[Any]:
        """Build from a requirement and judge it; every stage and every validator layer is a task."""
        name = _record_name()
        report = build(parameters.request(), PrefectEngine(), listener, out=destination(name), name=name, key=key)
        keep(report)
        _publish(report, parameters.request().settings.store)
        return final_state(report)

    as_flow = prefect.flow(
        name="forge-build",
        flow_run_name=_flow_run_name,
        persist_result=True,
        result_serializer=ForgeSerializer(),
        on_cancellation=[reap],
        on_crashed=[reap],
        on_failure=[reap],
        log_prints=False,
    )
    return as_flow(build_flow)


def build_with_prefect(
    parameters: BuildParameters, listener: Listener, destination: Destination, key: SigningKey | None = None
) -> BuildReport:
    """Run the flow here and now, reporting to the API that the settings name.

    Raises:
        UsageError, StoreError, KeyboardInterrupt: as `flows.build.build`.
    """
    reports: list[BuildReport] = []
    with temporary_settings({PREFECT_FLOWS_HEARTBEAT_FREQUENCY: None}):  # PRE-02
        try:
            state = make_flow(listener, destination, reports.append, key)(parameters, return_state=True)
        except TerminationSignal as signal:
            raise KeyboardInterrupt from signal
    if not reports:
        state.result()  # raises what the flow raised
    return reports[0]


def final_state(report: BuildReport) -> State[Any]:
    """The named state of a verdict; the report is its data, but for a failed run, which can carry none (PRE-11)."""
    message = ", ".join(dict.fromkeys(failure.signature.value for failure in report.failures)) or report.status.value
    if report.fault is Fault.INFRASTRUCTURE:
        return Failed(message=message)
    return Completed(name=STATE_NAMES[report.status], message=message, data=report)


def reap(flow: Flow[..., Any], flow_run: FlowRun, state: State[Any]) -> None:  # noqa: ARG001 - the form of a hook
    """Remove what a run that ended badly left behind: containers, scratch directories (PRE-20)."""
    from sandbox.gc import reap as reap_sandboxes

    reap_sandboxes()


def _publish(report: BuildReport, store: str) -> None:
    try:
        kept = open_store(store)
        record = load_document(Record, kept.get_record(report.run), RECORD_BYTES)
        markdown = render_markdown(record, kept, own_trust())
        create_markdown_artifact(key="forge-verdict", markdown=markdown, description=report.run)
    except Exception as error:  # noqa: BLE001 - the record is the evidence; a picture of it must not fail the run
        log.warning("the verdict was not published as an artifact: %s", error)


def _flow_run_name() -> str:
    """Title and the random end of the run's id (its start is a time)."""
    parameters = BuildParameters.model_validate(this_run.parameters["parameters"])
    return f"{title_slug(parameters.request().requirement)}-{str(this_run.id)[-8:]}"


def _record_name() -> str:
    """The flow run's name; a resumed run makes a record of its own, since records are never replaced (law 6)."""
    count = this_run.run_count or 1
    return str(this_run.name) if count == 1 else f"{this_run.name}-{count}"


build_flow = make_flow(Silent(), default_output, lambda _report: None)
