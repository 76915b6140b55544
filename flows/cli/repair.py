"""``forge repair``: the gate, and a bounded loop that mends what fails."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from flows.cli.build import SandboxName
from flows.cli.changes import (
    Base,
    Candidate,
    Git,
    Key,
    Out,
    Patch,
    Require,
    Sandbox,
    Spec,
    Verbose,
    Wheels,
    exit_status,
    record_directory,
    request_of,
)
from flows.cli.common import Json, StoreOption, named, print_json
from flows.cli.models import BaseUrl, BudgetOption, Exchanges, ModelName, ModelsFile, Provider, Record, settings_of

if TYPE_CHECKING:
    from contracts.gate import CheckRequest
    from contracts.modelling import ModelSettings
    from tasks.models.base import Adviser

Rounds = Annotated[int, typer.Option("--max-rounds", min=0, max=10, help="How many proposals there may be.")]
PatchedOut = Annotated[
    str | None,
    typer.Option("--patched-out", metavar="DIR", help="A new directory for the mended files, if a proposal helped."),
]


def repair(  # noqa: PLR0917 - Typer calls it by keyword
    candidate: Candidate,
    spec: Spec,
    max_rounds: Rounds = 3,
    patched_out: PatchedOut = None,
    provider: Provider = None,
    model: ModelName = None,
    base_url: BaseUrl = None,
    models_file: ModelsFile = None,
    budget: BudgetOption = None,
    exchanges: Exchanges = None,
    record: Record = None,
    patch: Patch = None,
    git: Git = None,
    base: Base = None,
    sandbox: Sandbox = SandboxName.BUBBLEWRAP,
    out: Out = None,
    store: StoreOption = None,
    require: Require = None,
    wheels: Wheels = None,
    key: Key = None,
    json: Json = False,
    verbose: Verbose = False,
) -> int:
    """Judge a change, and have what fails mended on a copy until it passes.

    Exit status: 0 PASS, 1 FAIL, 2 usage, 4 infrastructure, 130 interrupted.
    """
    from contracts.repair import RepairRequest
    from flows.cli.progress import watching
    from flows.cli.repair_summary import show
    from flows.cli.running import interruptible
    from flows.repair import Interrupted, unrecorded
    from flows.repair import repair as run_repair
    from flows.run import run_name
    from tasks.errors import InfrastructureError
    from tasks.evidence.signing import key_from
    from tasks.repair.lookup import lookup_from

    request = request_of(candidate, spec, patch, git, base, sandbox, store, require, wheels)
    readers = [model] if model is not None else None  # nobody reads here, and a choice of models names one who does
    models = settings_of(provider, model, readers, base_url, None, models_file, budget, exchanges, record)
    signer = key_from(named("--key", key)) if key is not None else None
    destination = named("--patched-out", patched_out) if patched_out is not None else None
    lookup = lookup_from()
    name = run_name(request.task.spec.brief)
    directory = record_directory(request, out, name)
    adviser = _adviser(request, models)
    try:
        with interruptible(), watching(quiet=json, verbose=verbose) as listener:
            report = run_repair(
                RepairRequest(check=request, max_rounds=max_rounds), adviser, None, listener,
                lookup=lookup, out=directory, patched_out=destination, name=name, key=signer,
            )  # fmt: skip
    except Interrupted as stop:
        if json:
            print_json(stop.report)
        raise
    except InfrastructureError as error:
        if not json:
            raise
        report = unrecorded(error, adviser.name, sandbox.value)
    if json:
        print_json(report)
    else:
        show(report)
    return exit_status(report.status, report.fault)


def _adviser(request: CheckRequest, models: ModelSettings | None) -> Adviser:
    """Who proposes: the models of the settings, else the scripted answers of the samples."""
    from tasks.evidence.store import open_store

    if models is None:
        from tasks.repair.scripted import Scripted

        return Scripted(request.task.spec)
    from tasks.models.adviser import ModelAdviser

    return ModelAdviser(models, request.policy, open_store(request.store))
