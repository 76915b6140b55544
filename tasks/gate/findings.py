"""What stands against one run of a check. Pure."""

from __future__ import annotations

import shlex
from collections.abc import Iterator

from contracts.gate import CheckRun
from contracts.probe import Observation
from contracts.taskspec import CallCheck, Check, CommandCheck, ProbeCheck, SuiteCheck
from contracts.verdict import Failure, FailureSignature, Witness
from tasks.gate.manifest import asked, read_manifest
from tasks.gate.plan import Case, cases
from tasks.gate.suites import fate, tally
from tasks.validation.check import check as unmet
from tasks.validation.check import is_cut
from tasks.validation.readable import KEPT, command, inputs, plain, quoted, seen, wanted

_TOLD = 10
_SHOWN = 700


def weak_failures(check: Check, observation: Observation) -> Iterator[Failure]:
    """A check by exit status passes iff it exits 0 in time; nothing else decides (SBX-21)."""
    if (observation.outcome, observation.exit_code) == ("exited", 0):
        return
    yield _failure(_ending(observation), f"check {check.name}: {_how(observation)}", _shell_witness(check, observation))


def suite_failures(check: SuiteCheck, run: CheckRun, observation: Observation) -> Iterator[Failure]:
    """As `weak_failures`, and every required test was executed and passed, as the reporter saw it."""
    yield from weak_failures(check, observation)
    manifest = read_manifest(observation, run.key)
    if manifest.broken is not None:
        yield _failure(FailureSignature.REQUIRED_TEST_MISSING, f"check {check.name}: {manifest.broken}")
        return
    if asked(observation, run.key):
        yield _failure(FailureSignature.REQUIRED_TEST_MISSING, f"check {check.name}: too many calls of the subject")
    if manifest.changed:
        names = ", ".join(manifest.changed[:_TOLD])
        yield _failure(FailureSignature.VERIFIER_TAMPERING, f"the test framework was changed while it ran: {names}")
    if manifest.status != 0 and observation.exit_code == 0:
        yield _failure(
            FailureSignature.VERIFIER_TAMPERING, f"the tests ended with {manifest.status}, the process with 0"
        )
    count = tally(check.tests, manifest)
    if count.missing:
        named = [f"{name} ({fate(name, check.tests, manifest)})" for name in count.missing[:_TOLD]]
        more = len(count.missing) - _TOLD
        words = ", ".join(named) + (f" and {more} more" if more > 0 else "")
        yield _failure(FailureSignature.REQUIRED_TEST_MISSING, f"check {check.name}: {words}")
    if count.passed < check.tests.at_least:
        words = f"{count.passed} tests passed, at least {check.tests.at_least} have to"
        yield _failure(FailureSignature.REQUIRED_TEST_MISSING, f"check {check.name}: {words}")


def structured_failures(check: ProbeCheck | CallCheck, run: CheckRun) -> Iterator[Failure]:
    """Each run against its expectations, which were never inside."""
    planned = list(cases(check))
    if [case.probe.id for case in planned] != [item.probe for item in run.observations]:
        yield _failure(FailureSignature.SEAL_MISMATCH, f"the runs of check {check.name} are not those of the task")
        return
    for case, observation in zip(planned, run.observations, strict=True):
        if observation.outcome != "exited":
            detail = f"check {check.name}: {_how(observation)}"
            yield _failure(_ending(observation), detail, _witness(case, observation))
        elif any(is_cut(item, observation) for item in case.expectations):
            detail = f"check {check.name}: the output is too long to be judged"
            yield _failure(FailureSignature.OUTPUT_TRUNCATED, detail, _witness(case, observation))
        else:
            reasons = [reason for item in case.expectations if (reason := unmet(item, observation, {})) is not None]
            if reasons:
                detail = f"check {check.name}: {'; '.join(reasons)}"
                yield _failure(FailureSignature.CHECK_FAILED, detail, _witness(case, observation))


def _ending(observation: Observation) -> FailureSignature:
    """The class of a run that did not exit with 0."""
    if observation.outcome == "limit":
        hit = observation.limit
        timed_out = hit is not None and hit.name == "wall_ms"
        return FailureSignature.CHECK_TIMED_OUT if timed_out else FailureSignature.RESOURCE_LIMIT
    if observation.outcome == "tampering":
        return FailureSignature.VERIFIER_TAMPERING
    return FailureSignature.KILLED_BY_SIGNAL if observation.outcome == "signalled" else FailureSignature.CHECK_FAILED


def _how(observation: Observation) -> str:
    if observation.outcome == "exited":
        return f"exit status {observation.exit_code}"
    if observation.limit is not None:
        return f"stopped at the limit {observation.limit.name}={observation.limit.configured}"
    return plain(observation.detail or f"{observation.outcome} {observation.signal or ''}")[:400].strip()


def _shell_witness(check: Check, observation: Observation) -> Witness:
    if isinstance(check, CommandCheck):
        line = check.run
    elif isinstance(check, SuiteCheck):
        line = shlex.join((check.tests.runner, *check.tests.paths))
    else:
        line = check.name
    return Witness(
        probe=check.name, command=plain(line)[:KEPT], files={}, expected="exit status 0", observed=_shown(observation)
    )


def _shown(observation: Observation) -> str:
    """How it ended, and the end of each output, where runners say what failed."""
    parts = [_how(observation)]
    for name, stream in (("stdout", observation.stdout), ("stderr", observation.stderr)):
        if stream.length:
            parts.append(f"{name} ends {quoted((stream.head + stream.tail)[-_SHOWN:], _SHOWN)}")
    return "; ".join(parts)


def _witness(case: Case, observation: Observation) -> Witness:
    return Witness(
        probe=case.probe.id,
        command=command(case.probe),
        files=inputs(case.probe),
        expected=wanted(case.expectations),
        observed=seen(observation),
    )


def _failure(signature: FailureSignature, detail: str, witness: Witness | None = None) -> Failure:
    return Failure(signature=signature, detail=detail, witness=witness)
