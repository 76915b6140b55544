"""No attack flips a verdict, and no honest program suffers from the defence (laws 1, 3, 7)."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest

import tasks
from contracts.candidate import Provenance
from contracts.isolation import Limits, SandboxPolicy
from contracts.probe import CommandProbe, Origin, ProbeCase, ProbePlan, TextExpectation
from contracts.reading import ReadingSet
from contracts.requirement import BuildSpec, Requirement
from contracts.settings import BuildSettings
from contracts.verdict import FailureSignature, ValidationArtifact
from tasks.evidence.store import open_store
from tasks.reading.generators import hostile_cases, proving, stated_cases
from tasks.reading.standing import standing_cases
from tasks.requirement.compiler import compile_requirement
from tasks.stages import VALIDATE
from tasks.trees import ingest
from tasks.validation.judge import assemble, judge_layer


def load() -> ModuleType:
    """The table beside this file; tests are not importable by name."""
    spec = importlib.util.spec_from_file_location("attack_programs", Path(__file__).with_name("programs.py"))
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


ATTACKS = load().attacks()
SAMPLED = [
    pytest.param(attack, id=attack.label, marks=() if number % 5 == 0 else pytest.mark.slow)
    for number, attack in enumerate(ATTACKS)
]
"""Every fifth by default; CI runs them all."""
LIMITS = Limits(wall_ms=3_000, cpu_ms=1_500, memory_bytes=256 * 1024 * 1024)
TEXT = (Path(tasks.__file__).parents[1] / "examples" / "words" / "requirement.md").read_text()
Judge = Callable[[dict[str, str]], ValidationArtifact]


@pytest.fixture(scope="module")
def spec() -> BuildSpec:
    return compile_requirement(Requirement(text=TEXT), {})


@pytest.fixture(scope="module")
def readings(spec: BuildSpec) -> ReadingSet:
    """A short plan: one case of every origin, as readings of the sample would settle it."""
    inputs: list[tuple[Origin, bytes]] = [
        ("reading", b"a\tb"),
        ("reading", b"c\nd e\n"),
        ("near_example", b"two three"),
    ]
    compared = [
        ProbeCase(
            probe=CommandProbe(id=f"generated-{number:03}", argv=("python3", "/candidate/main.py"), stdin=text),
            origin=origin,
            obligations=proving(spec, "reading"),
            expectations=(TextExpectation(channel="stdout", relation="equals", text=str(len(text.split()))),),
        )
        for number, (origin, text) in enumerate(inputs)
    ]
    standing = [case for case in standing_cases(spec, [compared[0].probe], ()) if case.probe.id != "tests-001"]
    cases = (*standing[:4], *stated_cases(spec)[:2], *compared, hostile_cases(spec)[0])
    plan = ProbePlan(build_spec=spec.seal(), seed=1, cases=cases)
    return ReadingSet(build_spec=spec.seal(), readings=(), plan=plan, failures=())


@pytest.fixture(params=["bubblewrap", pytest.param("docker", marks=(pytest.mark.docker, pytest.mark.slow))])
def judge(request, spec, readings, tmp_path, monkeypatch) -> Judge:
    """Judge a tree of text files by the short plan; how strong the evidence is, is another test's matter."""
    monkeypatch.setattr("tasks.validation.adversarial.run_mutants", lambda *_: ((), {}))
    monkeypatch.setattr("tasks.validation.judge.weakness", lambda *_: ())
    settings = BuildSettings(store=str(tmp_path / "store"), policy=SandboxPolicy(backend=request.param, limits=LIMITS))

    def judged(files: dict[str, str]) -> ValidationArtifact:
        tree = tmp_path / "tree"
        for path, text in files.items():
            (tree / path).parent.mkdir(parents=True, exist_ok=True)
            (tree / path).write_text(text)
        candidate = ingest(tree, open_store(settings.store), Provenance(source="directory", label="x"), 0)
        layers = []
        for stage in VALIDATE.values():
            evidence = stage.load()(spec, readings, candidate, settings)
            layers.append((evidence, judge_layer(spec, readings.plan, evidence, settings.floor)))
            if not layers[-1][1].passed:
                break
        return assemble(spec, readings, candidate, layers, settings.floor)

    return judged


@pytest.mark.parametrize("attack", SAMPLED)
def test_a_hostile_program_is_refused(attack, judge):
    artifact = judge(attack.hostile)
    assert not artifact.passed
    assert artifact.failures
    if attack.tampering:
        assert FailureSignature.VERIFIER_TAMPERING in {failure.signature for failure in artifact.failures}


@pytest.mark.parametrize("attack", SAMPLED)
def test_its_honest_twin_passes(attack, judge):
    artifact = judge(attack.twin)
    assert artifact.failures == ()
    assert artifact.passed
