"""``forge build``: the main job (DEC-01)."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer

from flows.cli.common import (
    Assume,
    Contract,
    File,
    Json,
    StoreOption,
    Text,
    assumptions,
    directory,
    locked_wheels,
    named,
    print_json,
    requirement_text,
    requirements,
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


class SandboxName(StrEnum):
    """Where the candidate runs."""

    BUBBLEWRAP = "bubblewrap"
    DOCKER = "docker"


class EngineName(StrEnum):
    """What runs the stages."""

    INLINE = "inline"
    PREFECT = "prefect"


def build(  # noqa: PLR0917 - Typer calls it by keyword
    text: Text = None,
    file: File = None,
    candidate: Annotated[
        str | None,
        typer.Option("--candidate", metavar="DIR", help="Judge this directory, not a coder's answer."),
    ] = None,
    reading: Annotated[
        list[str] | None,
        typer.Option("--reading", metavar="DIR", help="A reference implementation; give it again for another one."),
    ] = None,
    assume: Assume = None,
    contract: Contract = None,
    sandbox: Annotated[
        SandboxName, typer.Option("--sandbox", help="Where the candidate runs.")
    ] = SandboxName.BUBBLEWRAP,
    engine: Annotated[
        EngineName | None,
        typer.Option("--engine", help="inline, unless `forge serve` is alive or FORGE_PREFECT_API_URL is set."),
    ] = None,
    out: Annotated[
        str | None,
        typer.Option("--out", metavar="DIR", help="A new directory for record and package; else forge-out/RUN."),
    ] = None,
    store: StoreOption = None,
    rounds: Annotated[int, typer.Option("--rounds", min=0, max=10, help="Repair rounds of the coder.")] = 1,
    require: Annotated[
        list[str] | None,
        typer.Option("--require", metavar="LIMIT=kernel|polled", help="Run nothing where a limit is held less firmly."),
    ] = None,
    provider: Provider = None,
    model: ModelName = None,
    reader_model: ReaderModel = None,
    base_url: BaseUrl = None,
    agent: AgentDirectory = None,
    models: ModelsFile = None,
    budget: BudgetOption = None,
    exchanges: Exchanges = None,
    record: Record = None,
    wheels: Annotated[
        str | None,
        typer.Option("--wheels", metavar="DIR", help="Packages that may be imported: wheels, locked by SHA256SUMS."),
    ] = None,
    key: Annotated[
        str | None,
        typer.Option("--key", metavar="FILE", help="Sign with this key; else $FORGE_SIGNING_KEY or your own."),
    ] = None,
    json: Json = False,
    verbose: Annotated[bool, typer.Option("--verbose", "-v", help="Log what happens on standard error.")] = False,
) -> int:
    """Build from a requirement, or judge --candidate against it.

    Exit status: 0 verified, 1 validation failed, 2 usage, 3 infeasible, 4 infrastructure, 130 interrupted.
    """
    from flows.build import Interrupted
    from flows.cli.running import run_build
    from flows.cli.summary import exit_status, show
    from flows.parameters import BuildParameters, by_digest
    from flows.report import unrecorded
    from tasks.errors import InfrastructureError
    from tasks.evidence.signing import key_from

    words = requirement_text(text, file)
    location = store_location(store)
    parameters = BuildParameters(
        requirement=by_digest(words, location),
        sandbox=sandbox.value,
        rounds=rounds,
        assumptions=assumptions(assume, contract),
        candidate=directory("--candidate", candidate) if candidate is not None else None,
        readings=[directory("--reading", path) for path in reading or []],
        store=location,
        require=requirements(require),
        wheels=locked_wheels(wheels) if wheels is not None else None,
        models=settings_of(provider, model, reader_model, base_url, agent, models, budget, exchanges, record),
    )
    signer = key_from(named("--key", key)) if key is not None else None
    destination = named("--out", out) if out is not None else None
    try:
        report = run_build(
            parameters, engine.value if engine else None, destination, signer, quiet=json, verbose=verbose
        )
    except Interrupted as stop:
        if json:
            print_json(stop.report)
        raise
    except InfrastructureError as error:
        if not json:
            raise
        report = unrecorded(error, engine.value if engine else EngineName.INLINE.value, sandbox.value)
    if json:
        print_json(report)
    else:
        show(report, words)
    return exit_status(report)
