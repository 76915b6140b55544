"""``forge check``: the gate (DEC-01)."""

from __future__ import annotations

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


def check(  # noqa: PLR0917 - Typer calls it by keyword
    candidate: Candidate,
    spec: Spec,
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
    """Judge a change against a task: PASS or FAIL, and a signed record of why.

    Exit status: 0 PASS, 1 FAIL, 2 usage, 4 infrastructure, 130 interrupted.
    """
    from flows.check import Interrupted, unrecorded
    from flows.check import check as run_check
    from flows.cli.gate_summary import show
    from flows.cli.progress import watching
    from flows.cli.running import interruptible
    from flows.run import run_name
    from tasks.errors import InfrastructureError
    from tasks.evidence.signing import key_from

    request = request_of(candidate, spec, patch, git, base, sandbox, store, require, wheels)
    signer = key_from(named("--key", key)) if key is not None else None
    name = run_name(request.task.spec.brief)
    directory = record_directory(request, out, name)
    try:
        with interruptible(), watching(quiet=json, verbose=verbose) as listener:
            report = run_check(request, None, listener, out=directory, name=name, key=signer)
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
    return exit_status(report.status, report.fault)
