"""The options of what judges a change, and the request that they make."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from flows.cli.build import SandboxName
from flows.cli.common import directory, locked_wheels, named, read_file, refuse, requirements, store_location

if TYPE_CHECKING:
    from contracts.gate import CheckRequest, CheckVerdict
    from contracts.verdict import Fault

PATCH_BYTES = 1024 * 1024
"""More is read than a patch may hold, so that one too long is refused by the rule for it (PAT-38)."""

Candidate = Annotated[str, typer.Argument(metavar="CANDIDATE", help="The directory to judge; with --git a repository.")]
Spec = Annotated[str, typer.Argument(metavar="SPEC", help="The task, in YAML or JSON.")]
Patch = Annotated[
    str | None,
    typer.Option("--patch", metavar="F", help="Judge CANDIDATE with this change; CANDIDATE is then the base."),
]
Git = Annotated[
    str | None, typer.Option("--git", metavar="REV", help="Judge this revision of the repository CANDIDATE.")
]
Base = Annotated[
    str | None,
    typer.Option("--base", metavar="DIR|REV", help="The state before: a directory, or with --git a revision."),
]
Sandbox = Annotated[SandboxName, typer.Option("--sandbox", help="Where the checks run.")]
Out = Annotated[
    str | None, typer.Option("--out", metavar="DIR", help="A new directory for the record; else forge-out/RUN.")
]
Require = Annotated[
    list[str] | None,
    typer.Option("--require", metavar="LIMIT=kernel|polled", help="Run nothing where a limit is held less firmly."),
]
Wheels = Annotated[
    str | None,
    typer.Option("--wheels", metavar="DIR", help="Packages that may be imported: wheels, locked by SHA256SUMS."),
]
Key = Annotated[
    str | None,
    typer.Option("--key", metavar="FILE", help="Sign with this key; else $FORGE_SIGNING_KEY or your own."),
]
Verbose = Annotated[bool, typer.Option("--verbose", "-v", help="Log what happens on standard error.")]


def request_of(  # noqa: PLR0917 - one argument for each option
    candidate: str,
    spec: str,
    patch: str | None,
    git: str | None,
    base: str | None,
    sandbox: SandboxName,
    store: str | None,
    require: list[str] | None,
    wheels: str | None,
) -> CheckRequest:
    """What is to be checked; everything is read and found well-formed before any work.

    Raises:
        UsageError, DocumentError: an argument cannot be used, or the task is none (CLI-12).
    """
    from contracts.gate import CheckRequest
    from contracts.isolation import SandboxPolicy
    from tasks.gate.spec import read_task

    try:
        task, overlay = read_task(named("SPEC", spec))
    except OSError as error:
        refuse(f"SPEC: {spec}: {error.strerror}")
    source = directory("CANDIDATE", candidate)
    if git == "":
        refuse("--git is empty")
    return CheckRequest(
        task=task,
        overlay=str(overlay) if overlay is not None else None,
        candidate=source if git is None else git,
        git=source if git is not None else None,
        base=_base(base, git),
        patch=read_file(named("--patch", patch), PATCH_BYTES) if patch is not None else None,
        store=store_location(store),
        policy=SandboxPolicy(
            backend=sandbox.value,
            require=requirements(require),
            wheels=locked_wheels(wheels) if wheels is not None else None,
        ),
    )


def record_directory(request: CheckRequest, out: str | None, name: str) -> Path | None:
    """Where the record goes: ``out``, else below ``forge-out``; nowhere where that would change what is judged next.

    Raises:
        OutputError: it cannot be written there.
    """
    from flows.report import check_output

    if out is not None:
        place = named("--out", out)
        check_output(place)
        return place
    here, source = Path.cwd(), Path(request.git or request.candidate)
    return None if here.resolve().is_relative_to(source.resolve()) else here / "forge-out" / name


def exit_status(status: CheckVerdict, fault: Fault) -> int:
    """0 PASS, 1 FAIL, 4 infrastructure (DEC-02)."""
    from contracts.gate import CheckVerdict
    from contracts.verdict import Fault

    if fault is Fault.INFRASTRUCTURE:
        return 4
    return 0 if status is CheckVerdict.PASS else 1


def _base(base: str | None, git: str | None) -> str | None:
    if base is None:
        return None
    if git is None:
        return directory("--base", base)
    return base or refuse("--base is empty")
