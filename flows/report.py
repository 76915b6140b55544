"""What a build says when its record is sealed: the object of ``forge build --json`` (DEC-01)."""

from __future__ import annotations

from pathlib import Path

from contracts.evidence import BuildReport, Outcome, Record
from contracts.verdict import LAYERS, LayerResult
from flows.run import Run


def report_on(run: Run, out: Path | None) -> BuildReport:
    """Seal the record, export it with the package to ``out`` if that is given, and report.

    Raises:
        OutputError: ``out`` cannot be written; the record is in the store all the same.
    """
    outcome, record = run.seal()
    record_path, package_path = _export(run, record, out)
    report = BuildReport(
        status=outcome.status,
        fault=outcome.fault,
        failures=outcome.failures,
        layers=_layers(run.layers, outcome),
        record=record_path,
        package=package_path,
        strength=outcome.strength,
        assumptions=_assumptions(run),
        engine=run.engine.name,
        sandbox=run.settings.policy.backend,
        run=run.name,
        stage_ms=outcome.stage_ms,
        notices=_notices(run),
    )
    run.listener.ended(report)
    return report


def _layers(judged: list[LayerResult], outcome: Outcome) -> tuple[LayerResult, ...]:
    """The layers that were judged, and of the rest that they were not executed and why (law 4)."""
    from tasks.validation.judge import not_executed

    reason = outcome.failures[0].detail if outcome.failures else "there was nothing to judge"
    return (*judged, *(not_executed(layer, reason) for layer in LAYERS[len(judged) :]))


def _assumptions(run: Run) -> dict[str, str]:
    """What the text leaves unsaid and a convention or the caller settled."""
    conventions = run.spec.conventions if run.spec else ()
    return {item.key: item.value for item in conventions if item.source != "text"}


def _notices(run: Run) -> tuple[str, ...]:
    return (f"a signing key of your own was made: {run.key.source}",) if run.key.created else ()


def _export(run: Run, record: Record, out: Path | None) -> tuple[str | None, str | None]:
    if out is None:
        return None, None
    raise NotImplementedError
