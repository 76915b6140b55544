"""``forge check``: the gate (DEC-01)."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from flows.cli.build import SandboxName
from flows.cli.common import (
    Json,
    StoreOption,
    directory,
    named,
    print_json,
    read_file,
    refuse,
    requirements,
    store_location,
)

if TYPE_CHECKING:
    from contracts.gate import CheckReport, CheckRequest
    from tasks.evidence.signing import SigningKey

PATCH_BYTES = 1024 * 1024
"""More is read than a patch may hold, so that one too long is refused by the rule for it (PAT-38)."""


def check(  # noqa: PLR0917 - Typer calls it by keyword
    candidate: Annotated[
        str, typer.Argument(metavar="CANDIDATE", help="The directory to judge; with --git a repository.")
    ],
    spec: Annotated[str, typer.Argument(metavar="SPEC", help="The task, in YAML or JSON.")],
    patch: Annotated[
        str | None,
        typer.Option("--patch", metavar="F", help="Judge CANDIDATE with this change; CANDIDATE is then the base."),
    ] = None,
    git: Annotated[
        str | None, typer.Option("--git", metavar="REV", help="Judge this revision of the repository CANDIDATE.")
    ] = None,
    base: Annotated[
        str | None,
        typer.Option("--base", metavar="DIR|REV", help="The state before: a directory, or with --git a revision."),
    ] = None,
    sandbox: Annotated[SandboxName, typer.Option("--sandbox", help="Where the checks run.")] = SandboxName.BUBBLEWRAP,
    out: Annotated[
        str | None, typer.Option("--out", metavar="DIR", help="A new directory for the record; else forge-out/RUN.")
    ] = None,
    store: StoreOption = None,
    require: Annotated[
        list[str] | None,
        typer.Option("--require", metavar="LIMIT=kernel|polled", help="Run nothing where a limit is held less firmly."),
    ] = None,
    key: Annotated[
        str | None,
        typer.Option("--key", metavar="FILE", help="Sign with this key; else $FORGE_SIGNING_KEY or your own."),
    ] = None,
    json: Json = False,
    verbose: Annotated[bool, typer.Option("--verbose", "-v", help="Log what happens on standard error.")] = False,
) -> int:
    """Judge a change against a task: PASS or FAIL, and a signed record of why.

    Exit status: 0 PASS, 1 FAIL, 2 usage, 4 infrastructure, 130 interrupted.
    """
    from contracts.gate import CheckRequest, CheckVerdict
    from contracts.isolation import SandboxPolicy
    from contracts.verdict import Fault
    from flows.check import Interrupted, unrecorded
    from flows.cli.gate_summary import show
    from tasks.errors import InfrastructureError
    from tasks.evidence.signing import key_from
    from tasks.gate.spec import read_task

    try:
        task, overlay = read_task(named("SPEC", spec))
    except OSError as error:
        refuse(f"SPEC: {spec}: {error.strerror}")
    source = directory("CANDIDATE", candidate)
    if git == "":
        refuse("--git is empty")
    request = CheckRequest(
        task=task,
        overlay=str(overlay) if overlay is not None else None,
        candidate=source if git is None else git,
        git=source if git is not None else None,
        base=_base(base, git),
        patch=read_file(named("--patch", patch), PATCH_BYTES) if patch is not None else None,
        store=store_location(store),
        policy=SandboxPolicy(backend=sandbox.value, require=requirements(require)),
    )
    signer = key_from(named("--key", key)) if key is not None else None
    destination = named("--out", out) if out is not None else None
    try:
        report = _run(request, destination, Path(source), signer, quiet=json, verbose=verbose)
    except Interrupted as stop:
        if json:
            print_json(stop.report)
        raise
    except InfrastructureError as error:
        if not json:
            raise
        report = unrecorded(error, "inline", sandbox.value)
    if json:
        print_json(report)
    else:
        show(report)
    if report.fault is Fault.INFRASTRUCTURE:
        return 4
    return 0 if report.status is CheckVerdict.PASS else 1


def _base(base: str | None, git: str | None) -> str | None:
    if base is None:
        return None
    if git is None:
        return directory("--base", base)
    return base or refuse("--base is empty")


def _run(
    request: CheckRequest, out: Path | None, source: Path, key: SigningKey | None, *, quiet: bool, verbose: bool
) -> CheckReport:
    """Without ``out`` the record goes below ``forge-out``, unless that would change what is judged the next time."""
    from flows.check import check as run_check
    from flows.cli.progress import watching
    from flows.cli.running import interruptible
    from flows.report import check_output
    from flows.run import run_name

    check_output(out)
    name = run_name(request.task.spec.brief)
    here = Path.cwd()
    if out is None and not here.resolve().is_relative_to(source.resolve()):
        out = here / "forge-out" / name
    with interruptible(), watching(quiet=quiet, verbose=verbose) as listener:
        return run_check(request, None, listener, out=out, name=name, key=key)
