"""``forge doctor``: what works on this host, and why not."""

from __future__ import annotations

from typing import get_args

from flows.cli.common import Json, print_document, say


def doctor(json: Json = False) -> int:
    """Say which sandboxes work here, and why not.

    Each is opened and tests itself from inside. Exit status: 0 if any works, else 4.
    """
    from contracts.isolation import Backend

    sandboxes = {name: _sandbox(name) for name in get_args(Backend)}
    extras = {name: _installed(module) for name, module in (("prefect", "prefect"), ("solver", "z3"), ("s3", "boto3"))}
    if json:
        print_document({"sandboxes": sandboxes, "extras": extras})
    else:
        for name, found in sandboxes.items():
            say(f"{name:<12} {'works' if found['works'] else 'does not work'}: {found['detail']}")
        for name, installed in extras.items():
            say(
                f"{name:<12} "
                + (
                    "installed"
                    if installed
                    else f"not installed: the extra `{name}`, or deployments/bootstrap.py --full"
                )
            )
    return 0 if any(found["works"] for found in sandboxes.values()) else 4


def _sandbox(name: str) -> dict[str, object]:
    from contracts.isolation import SandboxPolicy
    from contracts.settings import BuildSettings
    from flows.places import default_store
    from sandbox.base import SandboxError
    from tasks.isolation import measure

    policy = SandboxPolicy.model_validate({"backend": name})
    try:
        report = measure(BuildSettings(store=default_store(), policy=policy))
    except SandboxError as error:
        return {"works": False, "detail": str(error), "enforced": {}}
    held = sum(check.held for check in report.checks)
    limits = ", ".join(f"{limit} {how}" for limit, how in report.enforced.items())
    detail = f"{held} of {len(report.checks)} promises held; limits: {limits}"
    return {"works": report.isolated, "detail": detail, "enforced": dict(report.enforced)}


def _installed(module: str) -> bool:
    from importlib.util import find_spec

    return find_spec(module) is not None
