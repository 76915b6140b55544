"""Outside oracles in a sandbox: asked about a program, and put on trial before they are believed (law 7, SCN-51).

An oracle is a pytest file, so it is run as the tests of a task are, by a reporter of ours (DEC-03 names that channel
weak: it never decides a build, and nothing of it is fed back).
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from benchmarks.blind.layout import ORACLE, Bundle
from benchmarks.blind.statics import Finding, findings, ids_of_tests
from contracts.bundle import Case, OracleResult
from contracts.candidate import Candidate, FileEntry, Provenance
from contracts.canonical import digest
from contracts.gate import CheckVerdict, Subject
from contracts.isolation import SandboxPolicy
from contracts.model import Model
from contracts.taskspec import Capture, Suite, SuiteCheck, TaskSpec
from sandbox.workspace import populate
from tasks.evidence.store import open_store
from tasks.gate.judge import judge
from tasks.gate.observe import observe
from tasks.trees import ingest

REPEATS = 5
_TIMEOUT_S = 120


class Flaw(Model):
    """Why an oracle is invalid: the kind, the line of the oracle where reading it finds the place, and the reason."""

    kind: str
    line: int | None
    reason: str


class Preflight(Model):
    """The trial of one oracle. ``runs`` counts the sandboxed runs that it took."""

    case_id: str
    flaws: tuple[Flaw, ...]
    runs: int

    @property
    def valid(self) -> bool:
        """True iff nothing was found."""
        return not self.flaws


@dataclass(frozen=True)
class OracleRoom:
    """Where oracles run: a policy, and the location of the store that keeps the trees."""

    policy: SandboxPolicy
    store: str

    def ask(self, oracle: Mapping[str, bytes], program: Candidate, capture: Capture = "fd") -> OracleResult:
        """What the oracle, which reading has found sound, says of a program: accepted iff each of its tests passed.

        Raises:
            SandboxError, InfrastructureError: it could not be asked; that says nothing of either.
        """
        tests = ids_of_tests(oracle[ORACLE])
        suite = Suite(runner="pytest", paths=(ORACLE,), required=tests, at_least=len(tests), capture=capture)
        check = SuiteCheck(name="oracle", timeout_s=_TIMEOUT_S, tests=suite)
        task = TaskSpec(brief="an outside oracle", checks=(check,), overlay="oracle")
        subject = Subject(task=task.seal(), candidate=program, overlay=self.kept(oracle))
        verdict = judge(task, subject, observe(task, subject, self.policy, self.store))
        found = [*verdict.failures, *(failure for result in verdict.results for failure in result.failures)]
        accepted = verdict.verdict is CheckVerdict.PASS
        detail = "; ".join(failure.detail for failure in found)[:1_000]
        return OracleResult(state="accepted" if accepted else "rejected", detail=detail)

    def kept(self, files: Mapping[str, bytes]) -> Candidate:
        """A tree of a bundle, in the store."""
        with written(files) as tree:
            return ingest(tree, open_store(self.store), Provenance(source="directory", label="bundle"), 0)


@contextmanager
def written(files: Mapping[str, bytes]) -> Iterator[Path]:
    """A directory with the files, by path text, for as long as it is needed."""
    with tempfile.TemporaryDirectory(prefix="forge-bundle-") as scratch:
        tree = Path(scratch, "tree")
        tree.mkdir()
        populate(tree, ((_entry(path, data), data) for path, data in files.items()))
        yield tree


def preflight(bundle: Bundle, case: Case, room: OracleRoom) -> Preflight:
    """Put the oracle of a case on trial: read it, then run it on programs whose quality is known.

    Each reference has to pass every time, in both capture modes; the program that does nothing and each mutant have to
    fail. Nothing is run of an oracle that reading it condemns.

    Raises:
        SandboxError, InfrastructureError: as `OracleRoom.ask`.
    """
    trial = _Trial(bundle, case, room)
    read = [Flaw(kind=flaw.kind, line=flaw.line, reason=flaw.reason) for flaw in _read(case, trial.oracle)]
    flaws = tuple(read) or tuple(trial.flaws())
    return Preflight(case_id=case.case_id, flaws=flaws, runs=trial.runs)


def _read(case: Case, oracle: Mapping[str, bytes]) -> list[Finding]:
    return findings(case, oracle) if ORACLE in oracle else [Finding("no_oracle", 1, "there is none")]


class _Trial:
    def __init__(self, bundle: Bundle, case: Case, room: OracleRoom) -> None:
        self.oracle = bundle.oracle(case.case_id)
        self.runs = 0
        self._bundle, self._case, self._room = bundle, case, room

    def flaws(self) -> Iterator[Flaw]:
        references = self._bundle.trees("references", self._case.case_id)
        if len(references) < 2:  # one alone would pass what only it can pass
            yield Flaw(kind="too_few_references", line=None, reason=f"{len(references)} references; two at least")
        for name, files in references.items():
            yield from self._reference(name, files)
        for name, files in self._bundle.trees("mutants", self._case.case_id).items():
            if self._asked(files, "fd").state == "accepted":
                yield Flaw(kind="mutant_accepted", line=None, reason=f"{name}, which is wrong, is accepted")
        null = null_program(self._case)
        if null is not None and self._asked(null, "fd").state == "accepted":
            yield Flaw(kind="null_accepted", line=None, reason="a program that does nothing is accepted")

    def _reference(self, name: str, files: Mapping[str, bytes]) -> Iterator[Flaw]:
        modes: list[Capture] = ["fd", "sys"]
        said = [self._asked(files, modes[number % len(modes)]) for number in range(REPEATS)]
        rejected = [result for result in said if result.state == "rejected"]
        if rejected:
            kind = "reference_rejected" if len(rejected) == REPEATS else "unstable"
            reason = f"{name} is rejected {len(rejected)} times of {REPEATS}: {rejected[0].detail}"
            yield Flaw(kind=kind, line=None, reason=reason)

    def _asked(self, files: Mapping[str, bytes], capture: Capture) -> OracleResult:
        self.runs += 1
        return self._room.ask(self.oracle, self._room.kept(files), capture)


def null_program(case: Case) -> dict[str, bytes] | None:
    """A program with the public contract that does nothing; None where the case names no contract."""
    contract = case.public_contract
    if contract is None:
        return None
    parts = contract.module.split(".")
    value = "0" if contract.kind == "cli_entrypoint" else "None"
    code = f"def {contract.symbol}(*arguments, **named):\n    return {value}\n".encode()
    packages = {"/".join([*parts[:depth], "__init__.py"]): b"" for depth in range(1, len(parts))}
    return {**packages, "/".join(parts) + ".py": code}


def _entry(path: str, data: bytes) -> FileEntry:
    return FileEntry(path=path, kind="file", executable=False, size=len(data), digest=digest(data))
