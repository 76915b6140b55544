"""The ledger: a page made from sealed results and from nothing else, unwelcome ones included."""

from __future__ import annotations

from collections.abc import Sequence

from contracts.bundle import BenchRun, Metric, Score

_UNIT = 100
_HEAD = """# Ledger of blind benchmarks

Made by `forge bench ledger` from sealed runs; not edited by hand. A blind baseline is written once, every later run of
the same bundle is a post-fix replay. Shares are in per cent, with Wilson's interval of 95 %.
"""
_TIMES = ("wall_ms_p50", "wall_ms_p95", "tokens_per_accepted", "cost_per_accepted")


def render(runs: Sequence[tuple[str, BenchRun, Score]]) -> str:
    """The page, in Markdown: one section per run, in the order given, each named by the digest of its record."""
    if not runs:
        return _HEAD + "\nNo run is recorded yet.\n"
    return _HEAD + "".join(_section(record, run, score) for record, run, score in runs)


def _section(record: str, run: BenchRun, score: Score) -> str:
    of = run.settings
    kind = "Blind baseline" if of.kind == "blind_baseline" else "Post-fix replay"
    lines = [
        f"\n## {kind}, {run.started}\n",
        f"- record `{record}`",
        f"- bundle `{of.bundle}`",
        f"- Forge code `{of.forge.code}`, lock file `{of.forge.lock}`, policy `{of.policy.seal()}`",
        f"- providers: {', '.join(of.forge.providers)}",
        f"- why of this kind: {of.reason}; log {of.log or 'none'}, {of.log_size} entries searched",
        "",
        "| metric | of | share | interval |",
        "|---|---|---|---|",
        *(f"| {name.replace('_', ' ')} | {_of(metric)} |" for name, metric in score.metrics.items()),
        "",
        *(f"- {name.replace('_', ' ')}: {_said(getattr(score, name))}" for name in _TIMES),
        "",
        "| case | status | oracle | signatures | attempts |",
        "|---|---|---|---|---|",
        *(
            f"| {result.case_id} | {result.status or _cell(f'error: {result.error}')} | {result.oracle.state} | "
            f"{', '.join(result.signatures)} | {result.attempts} |"
            for result in run.results
        ),
    ]
    if score.excluded:
        lines += ["", *(f"- label of {case} left out: {reason}" for case, reason in sorted(score.excluded.items()))]
    return "\n".join(lines) + "\n"


def _of(metric: Metric) -> str:
    if metric.share is None or metric.low is None or metric.high is None:
        return "0 of 0 | not defined | "
    low, high = metric.low / _UNIT, metric.high / _UNIT
    return f"{metric.numerator} of {metric.denominator} | {metric.share / _UNIT:.1f} | {low:.1f} to {high:.1f}"


def _said(value: int | str | None) -> str:
    return "not known" if value is None else str(value)


def _cell(text: str) -> str:
    """Text of an exception, on one line that cannot end a cell or hold markup."""
    return "".join(char if char.isprintable() and char not in "|<>`\\" else " " for char in text)[:200]
