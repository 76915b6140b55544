"""``forge bench``: frozen bundles, run blind once (law 6)."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, ParamSpec

import typer

from flows.cli.bench_summary import chosen, contents_of, show, show_comparison, show_score, tell
from flows.cli.build import SandboxName
from flows.cli.changes import Key, Require, Sandbox
from flows.cli.common import (
    Json,
    StoreOption,
    directory,
    named,
    print_document,
    print_json,
    refuse,
    requirements,
    say,
    store_location,
)
from flows.cli.models import (
    AgentDirectory,
    BaseUrl,
    BudgetOption,
    Exchanges,
    ModelName,
    ModelsFile,
    Provider,
    ReaderModel,
    Record,
    settings_of,
)
from flows.cli.verify import TrustOption, trust_from

if TYPE_CHECKING:
    from benchmarks.blind.layout import Bundle
    from contracts.isolation import SandboxPolicy
    from flows.bench_case import BenchRequest
    from tasks.evidence.signing import SigningKey

P = ParamSpec("P")

BundleArgument = Annotated[str, typer.Argument(metavar="BUNDLE", help="The directory of a frozen bundle.")]
RunArgument = Annotated[str, typer.Argument(metavar="RUN", help="The name of a run, in the store.")]
Quality = Annotated[
    str | None,
    typer.Option("--candidates", metavar="QUALITY", help="The bundle's own scripted candidates of this quality."),
]
Jobs = Annotated[int, typer.Option("--jobs", min=1, max=64, help="Cases in work at once.")]
Rounds = Annotated[int, typer.Option("--rounds", min=0, max=10, help="Repair rounds of the coder.")]


def guarded(command: Callable[P, int]) -> Callable[P, int]:
    """A bundle that is not what it has to be is one line and exit 1; nothing was written."""

    @wraps(command)
    def inner(*args: P.args, **kwargs: P.kwargs) -> int:
        from benchmarks.blind.layout import BundleError

        try:
            return command(*args, **kwargs)
        except BundleError as error:
            say(f"bundle: {error}")
            return 1

    return inner


@guarded
def freeze(  # noqa: PLR0917 - Typer calls it by keyword
    bundle: Annotated[str, typer.Argument(metavar="DIR", help="The directory of a bundle that is not frozen.")],
    name: Annotated[str, typer.Option("--name", help="The bundle's name.")],
    version: Annotated[str, typer.Option("--version", help="The bundle's version.")] = "1",
    regression: Annotated[
        bool, typer.Option("--regression", help="Forge has seen it from birth: it is never a blind measure.")
    ] = False,
    key: Key = None,
    json: Json = False,
) -> int:
    """List every file of a bundle, sign the list, and never change either again.

    Exit status: 0 frozen, 1 it is no bundle, or frozen already.
    """
    from flows.bundles import freeze as freeze_bundle
    from tasks.evidence.signing import key_from, load_key

    signer = key_from(named("--key", key)) if key is not None else load_key()
    frozen = freeze_bundle(Path(directory("DIR", bundle)), name, version, signer, regression=regression)
    if json:
        print_document({"bundle": frozen.seal, "root": frozen.manifest.root, "files": len(frozen.manifest.files)})
    else:
        say(f"{frozen.seal}: {len(frozen.cases)} cases, {len(frozen.manifest.files)} files")
    return 0


@guarded
def preflight(  # noqa: PLR0917 - Typer calls it by keyword
    bundle: BundleArgument,
    sandbox: Sandbox = SandboxName.BUBBLEWRAP,
    store: StoreOption = None,
    require: Require = None,
    trust: TrustOption = None,
    json: Json = False,
) -> int:
    """Put the oracles on trial: read them, run them on programs whose quality is known.

    Exit status: 0 all valid, 1 one is not, 4 infrastructure.
    """
    from flows.bench import trials_of

    frozen = _opened(bundle, trust)
    trials = []
    for trial in trials_of(frozen, store_location(store), _policy(sandbox, require)):
        trials.append(trial)
        if not json:
            say(f"{trial.case_id}: {'valid' if trial.valid else 'oracle_invalid'} ({trial.runs} runs)")
            for flaw in trial.flaws:
                place = f"oracle.py:{flaw.line}: " if flaw.line is not None else ""
                say(f"  {place}{flaw.kind}: {flaw.reason}")
    if json:
        print_document({"bundle": frozen.seal, "trials": [trial.document() for trial in trials]})
    return 0 if all(trial.valid for trial in trials) else 1


@guarded
def run(  # noqa: PLR0917 - Typer calls it by keyword
    bundle: BundleArgument,
    candidates: Quality = None,
    case: Annotated[
        list[str] | None, typer.Option("--case", metavar="ID", help="Only this case, as a replay; give it again.")
    ] = None,
    resume: Annotated[
        str | None, typer.Option("--resume", metavar="RUN", help="Go on with a run that stopped.")
    ] = None,
    jobs: Jobs = 1,
    rounds: Rounds = 1,
    sandbox: Sandbox = SandboxName.BUBBLEWRAP,
    store: StoreOption = None,
    require: Require = None,
    trust: TrustOption = None,
    provider: Provider = None,
    model: ModelName = None,
    reader_model: ReaderModel = None,
    base_url: BaseUrl = None,
    agent: AgentDirectory = None,
    models: ModelsFile = None,
    budget: BudgetOption = None,
    exchanges: Exchanges = None,
    record: Record = None,
    key: Key = None,
    json: Json = False,
) -> int:
    """Run a bundle: a blind baseline the first time, a replay ever after.

    Exit status: 0 every case has a result, 1 it is no bundle, 4 infrastructure (--resume goes on), 130 interrupted.
    """
    from flows.bench_case import BenchRequest

    request = BenchRequest(
        bundle=_opened(bundle, trust),
        store=store_location(store),
        policy=_policy(sandbox, require),
        quality=candidates,
        models=settings_of(provider, model, reader_model, base_url, agent, models, budget, exchanges, record),
        rounds=rounds,
        only=tuple(case or ()),
        jobs=jobs,
    )
    return _run(request, resume, _signer(key), json)


@guarded
def replay(  # noqa: PLR0917 - Typer calls it by keyword
    bundle: BundleArgument,
    against: Annotated[str, typer.Option("--against", metavar="RUN", help="The run to compare with.")],
    signature: Annotated[
        list[str] | None, typer.Option("--signature", help="Only cases that ended with this failure signature.")
    ] = None,
    case: Annotated[list[str] | None, typer.Option("--case", metavar="ID", help="Only this case.")] = None,
    candidates: Quality = None,
    jobs: Jobs = 1,
    rounds: Rounds = 1,
    sandbox: Sandbox = SandboxName.BUBBLEWRAP,
    store: StoreOption = None,
    require: Require = None,
    trust: TrustOption = None,
    key: Key = None,
    json: Json = False,
) -> int:
    """Run cases again and compare: fixed, still failing, regressed. Never a baseline.

    Exit status: 0 nothing regressed, 1 something did, 4 infrastructure.
    """
    from benchmarks.blind.compare import compare as compare_runs
    from flows.bench import run_bench
    from flows.bench_case import BenchRequest
    from flows.bench_kind import new_name

    frozen, location = _opened(bundle, trust), store_location(store)
    before = contents_of(against, location).bench_run
    cases_again = chosen(before.results, case, signature)
    if not cases_again:
        refuse("no case of that run is concerned")
    request = BenchRequest(
        bundle=frozen,
        store=location,
        policy=_policy(sandbox, require),
        quality=candidates or before.settings.quality,
        rounds=rounds,
        only=cases_again,
        jobs=jobs,
        replay=True,
    )
    report = run_bench(request, new_name(frozen), _signer(key), None if json else tell)
    after = contents_of(report.run, location).bench_run
    cases = tuple(item for item in frozen.cases if item.case_id in cases_again)
    comparison = compare_runs(before, after, cases)
    print_json(comparison) if json else show_comparison(comparison)
    if not report.outcome.passed:
        return 4
    return 1 if comparison.counts.get("regressed") else 0


@guarded
def score(run: RunArgument, store: StoreOption = None, json: Json = False) -> int:
    """Show the metrics of a run, each with its interval."""
    contents = contents_of(run, store_location(store))
    if contents.outcome is None:
        refuse(f"{run} has no outcome")
    print_json(contents.outcome.score) if json else show_score(contents.outcome.score)
    return 0


@guarded
def compare(
    first: RunArgument,
    second: Annotated[str, typer.Argument(metavar="OTHER", help="The name of another run of the same bundle.")],
    store: StoreOption = None,
    json: Json = False,
) -> int:
    """Compare two runs of one bundle, case by case."""
    from benchmarks.blind.compare import compare as compare_runs

    location = store_location(store)
    one, other = contents_of(first, location), contents_of(second, location)
    comparison = compare_runs(one.bench_run, other.bench_run, one.bundle.cases)
    print_json(comparison) if json else show_comparison(comparison)
    return 0


@guarded
def ledger(
    out: Annotated[
        str | None, typer.Option("--output", "-o", metavar="FILE", help="Write the page here; else print it.")
    ] = None,
    store: StoreOption = None,
) -> int:
    """Make the page of all runs that the store's log holds, unwelcome ones included."""
    from benchmarks.blind.ledger import render
    from contracts.canonical import digest
    from flows.bench_kind import runs_of
    from tasks.evidence.files import replace_regular
    from tasks.evidence.store import open_store

    location = store_location(store)
    rows = []
    for name, record in runs_of(open_store(location, read_only=True)):
        contents = contents_of(name, location)
        if contents.outcome is not None:
            rows.append((digest(record.canonical()), contents.bench_run, contents.outcome.score))
    page = render(rows)
    if out is None:
        say(page.rstrip("\n"))
    else:
        replace_regular(named("--output", out), page.encode("utf-8"), ())
    return 0


@guarded
def import_(  # noqa: PLR0917 - Typer calls it by keyword
    source: Annotated[str, typer.Argument(metavar="DIR", help="A bundle of the layout that others publish.")],
    out: Annotated[str, typer.Option("--output", "-o", metavar="DIR", help="A new directory for it.")],
    producer: Annotated[str, typer.Option("--producer", help="Who made it.")],
    made: Annotated[str, typer.Option("--made", metavar="YYYY-MM-DD", help="When it was made.")],
    tools: Annotated[str, typer.Option("--tools", help="With which tools or models.")] = "not known",
    having_seen: Annotated[str, typer.Option("--having-seen", help="What its producer had seen.")] = "not known",
) -> int:
    """Copy a foreign bundle into a new directory, to be completed and frozen."""
    from benchmarks.blind.importer import import_bundle
    from contracts.bundle import PartProvenance
    from contracts.loading import parse_document

    part = {"part": ".", "producer": producer, "made": made, "tools": tools, "having_seen": having_seen}
    provenance = parse_document(PartProvenance, {**part})
    cases = import_bundle(Path(directory("DIR", source)), named("--output", out), provenance)
    say(f"{len(cases.cases)} cases in {out}")
    return 0


def _run(request: BenchRequest, resume: str | None, key: SigningKey | None, json: bool) -> int:
    from flows.bench import run_bench
    from flows.bench_kind import new_name, was_begun
    from flows.cli.running import interruptible

    if resume is not None and not was_begun(request.store, resume):
        refuse(f"--resume: no run {resume!r} was begun in this store")
    if request.quality is None and request.models is None:
        refuse("no coder is configured: --candidates QUALITY, or --provider")
    name = resume or new_name(request.bundle)
    if not json:
        say(f"run {name}")
    with interruptible():
        report = run_bench(request, name, key, None if json else tell)
    show(report, json)
    return 0 if report.outcome.passed else 4


def _opened(bundle: str, trust: str | None) -> Bundle:
    from flows.bundles import open_frozen

    return open_frozen(Path(directory("BUNDLE", bundle)), trust_from(trust))


def _policy(sandbox: SandboxName, require: list[str] | None) -> SandboxPolicy:
    from contracts.isolation import SandboxPolicy

    return SandboxPolicy(backend=sandbox.value, require=requirements(require))


def _signer(key: str | None) -> SigningKey | None:
    from tasks.evidence.signing import key_from

    return key_from(named("--key", key)) if key is not None else None
