"""A line of small fake stages, so that the composition is tested without compiler, sandbox or coder."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from contracts.candidate import Candidate, FileEntry, Provenance, tree_digest
from contracts.canonical import digest
from contracts.evidence import BuildRequest, EntryKind, Record
from contracts.isolation import IsolationCheck, IsolationReport
from contracts.loading import load_document
from contracts.package import PackageManifest
from contracts.plan import FeasiblePlan
from contracts.probe import ProbePlan
from contracts.reading import ReadingSet
from contracts.requirement import BuildSpec, CommandInterface, Convention, Requirement
from contracts.settings import BuildSettings
from contracts.verdict import Floor, LayerEvidence, LayerName
from tasks import stages
from tasks.evidence.store import open_store

TEXT = "# Fake tool\n\nWrite a program.\n"
FLOOR = Floor(mutants_killed_percent=0, mutants_at_least=0, output_classes=0)


@dataclass
class Line:
    """Fake stages. ``act[name]`` is called instead of a stage's own behaviour; ``broken`` attempts fail layer 1."""

    store: str
    broken: set[int] = field(default_factory=set)
    act: dict[str, Callable[..., Any]] = field(default_factory=dict)
    calls: list[str] = field(default_factory=list)
    source: str = "scripted"
    written: tuple[Candidate, ...] = ()

    def request(self, **settings: Any) -> BuildRequest:
        return BuildRequest(requirement=TEXT, settings=BuildSettings(store=self.store, floor=FLOOR, **settings))

    def record(self, run: str) -> Record:
        return load_document(Record, open_store(self.store).get_record(run))

    def only_record(self) -> Record:
        (path,) = (Path(self.store) / "runs").iterdir()
        return self.record(path.stem)

    def run(self, name: str, *args: Any) -> Any:
        self.calls.append(name)
        return self.act.get(name, getattr(self, name))(*args)

    def compile(self, requirement: Requirement, assumptions: dict[str, str]) -> BuildSpec:
        del assumptions
        return spec(requirement)

    def plan(self, build_spec: BuildSpec, requirement: Requirement) -> FeasiblePlan:
        del requirement
        return FeasiblePlan(build_spec=build_spec.seal(), steps=(), hints=(), lenses=(), unlowered=())

    def isolate(self, settings: BuildSettings) -> IsolationReport:
        check = IsolationCheck(name="network", held=True, observed="unreachable")
        return IsolationReport(
            policy=settings.policy.seal(), backend="bubblewrap", root="host", tools={}, enforced={}, checks=(check,)
        )

    def read(
        self,
        build_spec: BuildSpec,
        requirement: Requirement,
        settings: BuildSettings,
        written: tuple[Candidate, ...] = (),
    ) -> ReadingSet:
        self.written = written
        plan = ProbePlan(build_spec=build_spec.seal(), seed=settings.seed, cases=())
        return ReadingSet(build_spec=build_spec.seal(), readings=(), plan=plan, failures=())

    def code(self, *args: Any) -> Candidate:
        attempt, directive = args[4:]
        assert (directive is None) == (attempt == 0)
        return candidate(self.store, attempt, self.source)

    def validate(self, layer: LayerName, _spec: BuildSpec, _readings: ReadingSet, tree: Candidate) -> LayerEvidence:
        bad = layer == "runtime" and tree.attempt in self.broken
        notes = {"entry_missing": ("there is no main.py",)} if bad else {}
        return LayerEvidence(layer=layer, candidate=tree.tree, cases=(), observations=(), notes=notes)

    def validate_runtime(self, *args: Any) -> LayerEvidence:
        return self.validate("runtime", *args[:3])

    def validate_obligations(self, *args: Any) -> LayerEvidence:
        return self.validate("obligations", *args[:3])

    def validate_adversarial(self, *args: Any) -> LayerEvidence:
        return self.validate("adversarial", *args[:3])

    def package(self, build_spec: BuildSpec, tree: Candidate, artifact: Any, *_rest: Any) -> PackageManifest:
        wheel = b"not really a wheel"
        return PackageManifest(
            build_spec=build_spec.seal(),
            artifact=artifact.seal(),
            candidate=tree.tree,
            filename="fake-0-py3-none-any.whl",
            wheel=open_store(self.store).put(wheel),
            size=len(wheel),
            command="fake",
        )


def spec(requirement: Requirement) -> BuildSpec:
    convention = Convention(key="python.entry", value="main.py", source="default", meaning="what is started")
    interface = CommandInterface(
        entry="main.py", program="fake", arguments=(), columns=(), thresholds=(), reads_stdin=False, bound=("exit",)
    )
    return BuildSpec(
        requirement=requirement.seal(),
        requirement_atoms=(),
        fragments=(),
        unbound=(),
        conditional_obligations=(),
        examples=(),
        invariants=(),
        acceptance_criteria=(),
        quality=(),
        interface=interface,
        conventions=(convention,),
        ambiguity_flags=(),
    )


def candidate(store: str, attempt: int, source: Any) -> Candidate:
    data = f"print({attempt})\n".encode()
    entry = FileEntry(path="main.py", kind="file", executable=False, size=len(data), digest=digest(data))
    open_store(store).put(data)
    return Candidate(
        files=(entry,),
        tree=tree_digest((entry,)),
        dropped=(),
        attempt=attempt,
        provenance=Provenance(source=source, label="fake"),
    )


@pytest.fixture
def line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Line:
    """The fakes, in place of every stage of the table."""
    fake = Line(str(tmp_path / "store"))

    def replaced(stage: stages.Stage[Any, Any]) -> stages.Stage[Any, Any]:
        def function(*args: Any) -> Any:
            return fake.run(stage.name, *args)

        return stages.Stage(stage.name, lambda: function, stage.retries, stage.cached)

    for name in ("COMPILE", "PLAN", "ISOLATE", "READ", "CODE", "PACKAGE"):
        monkeypatch.setattr(stages, name, replaced(getattr(stages, name)))
    monkeypatch.setattr(stages, "VALIDATE", {layer: replaced(stage) for layer, stage in stages.VALIDATE.items()})
    monkeypatch.setattr("tasks.validation.judge.weakness", lambda *_args: ())
    monkeypatch.setattr("flows.run.generators", lambda: None)  # the readings here are made up
    return fake


def kinds(record: Record) -> list[EntryKind]:
    """What the entries of a record are."""
    return [entry.kind for entry in record.entries]


@pytest.fixture(scope="session")
def prefect_import(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Prefect, imported after our settings, with a home of its own (PRE-32)."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PREFECT_HOME", str(tmp_path_factory.mktemp("prefect")))
        import flows.flow  # noqa: F401 - for its effect


@pytest.fixture(scope="session")
def prefect_api(prefect_import: None) -> Iterator[None]:
    """One server for all tests that need one (PRE-32)."""
    from prefect.testing.utilities import prefect_test_harness

    with prefect_test_harness(server_startup_timeout=180):
        yield
