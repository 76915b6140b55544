"""What a build says when its record is sealed: the object of ``forge build --json`` (DEC-01)."""

from __future__ import annotations

import os
from pathlib import Path

from contracts.evidence import BuildReport, Outcome, Record
from contracts.log import Inclusion
from contracts.verdict import LAYERS, Fault, LayerResult, TerminalStatus
from flows.run import Run, Running, failure_of
from tasks.errors import OutputError
from tasks.evidence.verify import LOG_FILE


def report_on(run: Run, out: Path | None) -> BuildReport:
    """Seal the record, export it with the package to ``out`` if that is given, and report.

    Raises:
        OutputError: ``out`` cannot be written; the record is in the store all the same.
    """
    outcome, record, inclusion = run.seal(Outcome)
    record_path = exported(run, record, inclusion, out)
    package_path = Path(record_path).parent / "package" / run.package.filename if out and run.package else None
    report = BuildReport(
        status=outcome.status,
        fault=outcome.fault,
        failures=outcome.failures,
        layers=outcome.layers,
        record=record_path,
        package=str(package_path) if package_path else None,
        strength=outcome.strength,
        assumptions=_assumptions(run),
        engine=run.engine.name,
        sandbox=run.settings.policy.backend,
        run=run.name,
        stage_ms=outcome.stage_ms,
        usage=outcome.usage,
        notices=run.notices,
    )
    run.listener.ended(report)
    return report


def unrecorded(error: Exception, engine: str, sandbox: str) -> BuildReport:
    """What can be said where the infrastructure fails before or beside the record: nothing was judged (DEC-02)."""
    failure = failure_of(error)
    layers = tuple(
        LayerResult(layer=layer, executed=False, passed=False, not_executed=failure.detail) for layer in LAYERS
    )
    return BuildReport(
        status=TerminalStatus.VALIDATION_FAILED,
        fault=Fault.INFRASTRUCTURE,
        failures=(failure,),
        layers=layers,
        record=None,
        package=None,
        strength=None,
        assumptions={},
        engine=engine,
        sandbox=sandbox,
        run="",
        stage_ms={},
    )


def _assumptions(run: Run) -> dict[str, str]:
    """What the text leaves unsaid and a convention or the caller settled."""
    conventions = run.spec.conventions if run.spec else ()
    return {item.key: item.value for item in conventions if item.source != "text"}


def check_output(out: Path | None) -> None:
    """Refuse a destination before any work is done for it (OUT-03, OUT-05, OUT-09).

    Raises:
        OutputError: it exists, or cannot be made.
    """
    if out is None:
        return
    if os.path.lexists(out):
        raise OutputError(f"{out} exists; an earlier result is never replaced")
    above = next(parent for parent in out.absolute().parents if os.path.lexists(parent))
    if not above.is_dir() or not os.access(above, os.W_OK | os.X_OK):
        raise OutputError(f"{out} cannot be made: {above} is not a directory that can be written")


def exported(run: Running, record: Record, inclusion: Inclusion | None, out: Path | None) -> str:
    """Where the record is: its file below ``out``, where everything is written now, else its name in the store.

    Raises:
        OutputError: ``out`` cannot be written.
    """
    if out is None:
        return run.name
    from tasks.evidence.export import export
    from tasks.evidence.summary import summaries

    beside = summaries(record, run.store, run.key)
    if inclusion is not None:
        beside[LOG_FILE] = inclusion.canonical()
    try:
        return str(export(record, run.store, out, beside))
    except OutputError as error:
        raise OutputError(f"{error}; the record is kept in the store as {run.name}") from error
