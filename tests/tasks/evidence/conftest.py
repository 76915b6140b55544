"""Builds real records of every kind, small and without a sandbox: the runs are made up, the judging is not."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from contracts.candidate import Candidate, Provenance
from contracts.canonical import digest
from contracts.evidence import FORMAT, Entry, FaultNote, Outcome, Record, RunInfo, append
from contracts.isolation import IsolationCheck, IsolationReport
from contracts.model import Model
from contracts.plan import FeasiblePlan, PlanStep
from contracts.probe import (
    CommandProbe,
    ExitExpectation,
    Observation,
    ProbeCase,
    ProbePlan,
    Stream,
    TextExpectation,
    Timing,
)
from contracts.reading import ReadingSet
from contracts.repair import RepairDirective
from contracts.requirement import (
    AcceptanceCriterion,
    AmbiguityFlag,
    BuildSpec,
    Category,
    CommandInterface,
    Example,
    Fragment,
    Requirement,
    RequirementAtom,
    Span,
)
from contracts.settings import BuildSettings
from contracts.verdict import (
    LAYERS,
    Failure,
    FailureSignature,
    Floor,
    LayerEvidence,
    MutantRun,
    ValidationArtifact,
)
from tasks.errors import StoreError
from tasks.evidence import dsse
from tasks.evidence.arrangement import arrange
from tasks.evidence.contents import OrderError
from tasks.evidence.kinds import kind_of
from tasks.evidence.recorder import Recorder
from tasks.evidence.signing import SigningKey, load_key
from tasks.evidence.statement import statement
from tasks.evidence.store import DirectoryStore
from tasks.packaging.wheel import package
from tasks.planning.planner import plan
from tasks.repair.directive import direct
from tasks.requirement.compiler import compile_requirement
from tasks.trees import ingest
from tasks.validation.cases import cases_of
from tasks.validation.judge import assemble, judge_layer, not_executed

INFEASIBLE = """\
# Seats

Write a program that prints three whole numbers x, y and z. Each of them lies between 1 and 20. x is smaller than y.
y is at most 10. The sum of x, y and z is exactly 45.
"""
TEXT = "Print EMPTY and exit with status 0.\n"
SPAN = Span(start=0, end=35)
RIGHT = b"EMPTY\n"
WRONG = b"No rows found\n" + b"\x1b[31m" + b"x" * 5_000
RECORD_KINDS = ("verified", "failed", "infeasible", "underspecified", "unavailable", "interrupted", "gave_up")


def stream(data: bytes) -> Stream:
    return Stream(length=len(data), digest=digest(data), head=data, tail=b"", truncated=False)


def observed(probe: str, stdout: bytes) -> Observation:
    return Observation(
        probe=probe,
        outcome="exited",
        exit_code=0,
        stdout=stream(stdout),
        stderr=stream(b""),
        files=(),
        timing=Timing(queue_ms=0, wall_ms=12, cpu_ms=10, peak_memory_bytes=1),
    )


@dataclass
class Maker:
    """Makes the models of a run, and records of them."""

    root: Path
    store: DirectoryStore
    key: SigningKey

    def __post_init__(self) -> None:
        expectations = (ExitExpectation(status=0), TextExpectation(channel="stdout", relation="equals", text="EMPTY"))
        self.requirement = Requirement(text=TEXT)
        self.settings = BuildSettings(
            store=str(self.store.root),
            rounds=1,
            floor=Floor(mutants_killed_percent=100, mutants_at_least=1, output_classes=1),
        )
        self.spec = BuildSpec(
            requirement=self.requirement.seal(),
            requirement_atoms=(
                RequirementAtom(
                    id="example-00000001", category=Category.EXAMPLE, strength="hard", span=SPAN, text=TEXT.strip()
                ),
            ),
            fragments=(Fragment(span=SPAN, atoms=("example-00000001",)),),
            unbound=(),
            conditional_obligations=(),
            examples=(
                Example(
                    id="ex-1",
                    atom="example-00000001",
                    span=SPAN,
                    argv=(),
                    stdin=None,
                    expectations=expectations,
                ),
            ),
            invariants=(),
            acceptance_criteria=(
                AcceptanceCriterion(id="ac-1", atoms=("example-00000001",), method="example", span=SPAN),
            ),
            quality=(),
            interface=CommandInterface(
                entry="main.py",
                program="forged-tool",
                arguments=(),
                columns=(),
                thresholds=(),
                reads_stdin=False,
                bound=("exit", "stdout"),
            ),
            conventions=(),
            ambiguity_flags=(),
        )
        argv = ("python3", "/candidate/main.py")
        self.probes = ProbePlan(
            build_spec=self.spec.seal(),
            seed=self.settings.seed,
            cases=(
                ProbeCase(probe=CommandProbe(id="entry", argv=argv), origin="entry"),
                ProbeCase(
                    probe=CommandProbe(id="example", argv=argv),
                    origin="example",
                    obligations=("ac-1",),
                    expectations=expectations,
                ),
                ProbeCase(probe=CommandProbe(id="hostile", argv=(*argv, "\n")), origin="hostile"),
            ),
        )
        self.readings = ReadingSet(build_spec=self.spec.seal(), readings=(), plan=self.probes, failures=())

    def candidate(self, attempt: int, output: bytes) -> Candidate:
        folder = self.root / f"candidate-{attempt}"
        folder.mkdir(exist_ok=True)
        (folder / "main.py").write_bytes(b"import sys\nsys.stdout.buffer.write(%r)\n" % output)
        return ingest(folder, self.store, Provenance(source="scripted", label="test"), attempt)

    def evidence(self, candidate: Candidate, output: bytes) -> list[LayerEvidence]:
        mutant = MutantRun(path="main.py", line=2, change="write -> None", observations=(observed("example", b""),))
        found = []
        for layer in LAYERS:
            cases = cases_of(self.probes, layer)
            found.append(
                LayerEvidence(
                    layer=layer,
                    candidate=candidate.tree,
                    cases=cases,
                    observations=tuple(observed(case.probe.id, output) for case in cases),
                    mutants=(mutant,) if layer == "adversarial" else (),
                    notes={"mutants_possible": ("1",)} if layer == "adversarial" else {},
                )
            )
        return found

    def artifact(self, candidate: Candidate, evidence: Sequence[LayerEvidence]) -> ValidationArtifact:
        seen = {item.layer: item for item in evidence}
        layers = [
            (seen[layer], judge_layer(self.spec, self.probes, seen[layer], self.settings.floor))
            if layer in seen
            else (None, not_executed(layer, "the sandbox was lost"))
            for layer in LAYERS
        ]
        return assemble(self.spec, self.readings, candidate, layers, self.settings.floor)

    def attempt(self, number: int, output: bytes) -> list[Model]:
        candidate = self.candidate(number, output)
        evidence = self.evidence(candidate, output)
        return [candidate, *evidence, self.artifact(candidate, evidence)]

    def directive(self, artifact: ValidationArtifact) -> RepairDirective:
        return direct(self.spec, self.probes, [artifact])

    def start(self) -> list[Model]:
        run = RunInfo(
            run="run-1", engine="inline", forge="0.1.0", python="3.11", platform="linux", started="2026-01-01T00:00:00Z"
        )
        return [run, self.requirement, self.settings]

    def contract(self) -> list[Model]:
        step = PlanStep(criterion="ac-1", method="example", text="print it")
        feasible = FeasiblePlan(build_spec=self.spec.seal(), steps=(step,), hints=(), lenses=(), unlowered=())
        return [*self.start(), self.spec, feasible]

    def isolation(self) -> IsolationReport:
        return IsolationReport(
            policy=self.settings.policy.seal(),
            backend="bubblewrap",
            root="host",
            tools={},
            enforced={},
            checks=(IsolationCheck(name="network", held=True, observed="unreachable"),),
        )

    def fault(self, stage: str, signature: FailureSignature, attempt: int = 0) -> FaultNote:
        return FaultNote(stage=stage, attempt=attempt, failure=Failure(signature=signature, detail=f"{stage} failed"))

    def models(self, kind: str) -> list[Model]:
        """All models of a run but its outcome."""
        before = [*self.contract(), self.isolation(), self.readings]
        if kind == "verified":
            first, second = self.attempt(0, WRONG), self.attempt(1, RIGHT)
            artifact = second[-1]
            assert isinstance(artifact, ValidationArtifact)
            manifest = package(self.spec, second[0], artifact, self.requirement, self.settings)
            return [*before, *first, self.directive(first[-1]), *second, manifest]
        if kind == "failed":
            return [*before, *self.attempt(0, WRONG)]
        if kind == "gave_up":
            first = self.attempt(0, WRONG)
            end = self.fault("code", FailureSignature.NO_CANDIDATE, 1)
            return [*before, *first, self.directive(first[-1]), end]
        if kind == "infeasible":
            self.requirement = Requirement(text=INFEASIBLE)
            self.spec = compile_requirement(self.requirement, {})
            return [*self.start(), self.spec, plan(self.spec, self.requirement)]
        if kind == "underspecified":
            flag = AmbiguityFlag(id="flag-1", span=SPAN, material=True, question="Which rows are important?")
            return [*self.start(), self.spec.model_copy(update={"ambiguity_flags": (flag,)})]
        if kind == "unavailable":
            return [*self.contract(), self.fault("isolate", FailureSignature.SANDBOX_UNAVAILABLE)]
        assert kind == "interrupted"
        attempt = self.attempt(0, RIGHT)[:2]
        lost = self.fault("validate_obligations", FailureSignature.INFRASTRUCTURE_ERROR)
        return [*before, *attempt, lost, self.fault("validate_obligations", FailureSignature.INTERRUPTED)]

    def outcome(self, models: Sequence[Model]) -> Outcome:
        """The outcome that the models give."""
        recorder = Recorder(self.store)
        for model in models:
            recorder.add(kind_of(type(model)), model)
        return recorder.conclude("2026-01-01T00:01:00Z", {"compile": 3})

    def all_models(self, kind: str) -> list[Model]:
        models = self.models(kind)
        return [*models, self.outcome(models)]

    def record(self, kind: str) -> Record:
        return self.seal(self.all_models(kind))

    def seal(self, models: Sequence[Model], key: SigningKey | None = None) -> Record:
        """A record of any models, correctly chained and signed whatever they say: the strongest adversary."""
        key = key or self.key
        entries: tuple[Entry, ...] = ()
        for model in models:
            entry, blob = append(entries, kind_of(type(model)), model.document())
            if blob is not None:
                self.store.put(blob)
            entries = (*entries, entry)
        head, payload = entries[-1].digest, b"{}"
        try:
            contents = arrange(models)
            if contents.outcome is not None:
                payload = statement(contents, contents.outcome, head, self.store, key.public)
        except (OrderError, StoreError):
            pass  # verification stops before it looks at what was signed
        return Record(format=FORMAT, entries=entries, head=head, bundle=dsse.sign(payload, key))


@pytest.fixture
def maker(tmp_path: Path) -> Maker:
    return Maker(tmp_path, DirectoryStore(tmp_path / "store"), load_key())


@pytest.fixture
def other_key() -> SigningKey:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    return SigningKey(Ed25519PrivateKey.generate(), "test")
