"""Laws 3 and 5: only a passed candidate is packaged, to the byte, and nothing of it runs on the way."""

from __future__ import annotations

import base64
import csv
import hashlib
import io
import os
import subprocess
import sys
import venv
import zipfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from contracts.candidate import Candidate, FileEntry, Provenance, tree_digest
from contracts.canonical import digest
from contracts.package import PackageManifest
from contracts.requirement import BuildSpec, Requirement
from contracts.settings import BuildSettings
from contracts.verdict import LAYERS, Floor, LayerResult, Strength, ValidationArtifact
from tasks.errors import SealMismatch, StoreError
from tasks.evidence.store import DirectoryStore
from tasks.packaging.wheel import PackagingError, package, wheel_fault
from tasks.requirement.compiler import compile_requirement
from tasks.trees import ingest

MAIN = b"""\
import sys
import helper
print(__name__, sys.argv[1:], helper.VALUE, sys.argv[0].endswith("main.py"))
open("planted", "a").close() if "--plant" in sys.argv else None
sys.exit(7)
"""


@dataclass
class Case:
    """A passed candidate and all that packaging takes."""

    spec: BuildSpec
    candidate: Candidate
    artifact: ValidationArtifact
    requirement: Requirement
    settings: BuildSettings
    store: DirectoryStore

    def package(self, **changed: Any) -> PackageManifest:
        given = {name: getattr(self, name) for name in ("spec", "candidate", "artifact", "requirement", "settings")}
        return package(**(given | changed))

    def wheel(self, manifest: PackageManifest) -> zipfile.ZipFile:
        return zipfile.ZipFile(io.BytesIO(self.store.get(manifest.wheel)))


def artifact_of(spec: BuildSpec, candidate: Candidate, *, passed: bool = True) -> ValidationArtifact:
    strength = dict.fromkeys(
        (
            "obligations",
            "obligations_covered",
            "probes",
            "readings",
            "mutants",
            "mutants_killed",
            "mutants_equivalent",
            "output_classes",
        ),
        0,
    )
    return ValidationArtifact(
        build_spec=spec.seal(),
        probe_plan=digest(b"plan"),
        candidate=candidate.tree,
        attempt=0,
        layers=tuple(LayerResult(layer=layer, executed=True, passed=passed) for layer in LAYERS),
        strength=Strength.model_validate(strength | {"floor": Floor(), "not_checked": ()}),
    )


def case_of(tmp_path: Path, files: dict[str, bytes], command: str = "fine-tool") -> Case:
    root = tmp_path / "candidate"
    for name, data in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_bytes(data)
    store = DirectoryStore(tmp_path / "store")
    requirement = Requirement(text="# A fine tool\n\nWrite a program that prints EMPTY.\n")
    spec = compile_requirement(requirement, {"package.command": command})
    candidate = ingest(root, store, Provenance(source="scripted", label="test"), 0)
    settings = BuildSettings(store=str(store.root))
    return Case(spec, candidate, artifact_of(spec, candidate), requirement, settings, store)


FILES = {"main.py": MAIN, "helper.py": b"VALUE = 1\r\n", "data/ünï code.txt": b"\0\xff", "tests/test_main.py": b""}


@pytest.fixture
def case(tmp_path: Path) -> Case:
    return case_of(tmp_path, FILES)


def test_the_wheel_holds_the_candidate_to_the_byte(case: Case) -> None:
    manifest = case.package()
    assert manifest.wheel == digest(case.store.get(manifest.wheel))
    assert manifest.size == len(case.store.get(manifest.wheel))
    assert (manifest.candidate, manifest.build_spec) == (case.candidate.tree, case.spec.seal())
    assert manifest.artifact == case.artifact.seal()
    assert manifest.command == "fine-tool"
    with case.wheel(manifest) as wheel:
        held = {name.partition("/app/")[2]: wheel.read(name) for name in wheel.namelist() if "/app/" in name}
    assert held == FILES
    assert wheel_fault(case.store.get(manifest.wheel), case.candidate) is None


def test_two_builds_give_the_same_bytes(tmp_path: Path) -> None:
    first, second = case_of(tmp_path / "a", FILES), case_of(tmp_path / "b", FILES)
    os.utime(tmp_path / "b" / "candidate" / "main.py", (0, 0))
    assert first.package() == second.package()


def test_the_wheel_keeps_its_own_books(case: Case) -> None:
    with case.wheel(case.package()) as wheel:
        assert wheel.testzip() is None
        (record,) = [name for name in wheel.namelist() if name.endswith(".dist-info/RECORD")]
        rows = list(csv.reader(io.StringIO(wheel.read(record).decode())))
        assert [row[0] for row in rows] == wheel.namelist()
        assert rows[-1] == [record, "", ""]
        for name, hashed, size in rows[:-1]:
            data = wheel.read(name)
            expected = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
            assert (hashed, size) == (f"sha256={expected}", str(len(data)))
        assert {item.date_time for item in wheel.infolist()} == {(1980, 1, 1, 0, 0, 0)}


def test_nothing_of_the_candidate_runs(case: Case, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    hostile = case_of(tmp_path / "hostile", {"main.py": b"open('ran', 'w')", "setup.py": b"open('ran', 'w')"})
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    hostile.package()
    assert list((tmp_path / "here").iterdir()) == []


# Planted faults: what must not be packaged (law 7).


def test_law_3_a_candidate_that_did_not_pass_is_refused(case: Case) -> None:
    with pytest.raises(SealMismatch, match="did not pass"):
        case.package(artifact=artifact_of(case.spec, case.candidate, passed=False))
    two = case.artifact.model_copy(update={"layers": case.artifact.layers[:2]})
    with pytest.raises(SealMismatch, match="did not pass"):
        case.package(artifact=two)


@pytest.mark.parametrize("field", ["build_spec", "candidate"])
def test_law_5_a_judgement_of_something_else_is_refused(case: Case, field: str) -> None:
    other = case.artifact.model_copy(update={field: digest(b"another")})
    with pytest.raises(SealMismatch, match="another"):
        case.package(artifact=other)


def test_law_5_an_edited_contract_is_refused(case: Case) -> None:
    with pytest.raises(SealMismatch, match="contract"):
        case.package(spec=case.spec.model_copy(update={"acceptance_criteria": ()}))


def test_law_5_another_requirement_is_refused(case: Case) -> None:
    with pytest.raises(SealMismatch, match="requirement"):
        case.package(requirement=Requirement(text="Another.\n"))


def test_law_5_files_added_after_the_verdict_are_refused(case: Case) -> None:
    data = b"import os\n"
    case.store.put(data)
    entry = FileEntry(path="zz.py", kind="file", executable=False, size=len(data), digest=digest(data))
    added = case.candidate.model_copy(update={"files": (*case.candidate.files, entry)})
    with pytest.raises(SealMismatch):
        case.package(candidate=added)
    consistent = added.model_copy(update={"tree": tree_digest(added.files)})
    with pytest.raises(SealMismatch):
        case.package(candidate=consistent)


def test_law_5_bytes_changed_in_the_store_are_refused(case: Case) -> None:
    blob = case.store.root / "sha256" / digest(MAIN).removeprefix("sha256:")
    blob.chmod(0o644)
    blob.write_bytes(MAIN.replace(b"7", b"0"))
    with pytest.raises(StoreError):
        case.package()


@pytest.mark.parametrize("change", ["added", "missing", "changed", "compressed", "garbage"])
def test_a_wheel_of_something_else_is_known(case: Case, change: str) -> None:
    wheel = case.store.get(case.package().wheel)
    if change == "garbage":
        assert wheel_fault(b"PK" + wheel[2:400], case.candidate) is not None
        return
    buffer = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(wheel)) as old, zipfile.ZipFile(buffer, "w") as new:
        for item in old.infolist():
            data = old.read(item)
            if item.filename.endswith("app/helper.py"):
                if change == "missing":
                    continue
                if change == "changed":
                    data = b"VALUE = 2\r\n"
                if change == "compressed":
                    item.compress_type = zipfile.ZIP_DEFLATED
            new.writestr(item, data)
        if change == "added":
            new.writestr("fine_tool_app/app/sitecustomize.py", b"")
    assert wheel_fault(buffer.getvalue(), case.candidate) is not None


def test_names_that_a_wheel_cannot_hold(tmp_path: Path) -> None:
    case = case_of(tmp_path, FILES)
    Path(os.fsdecode(os.fsencode(tmp_path / "candidate") + b"/\xe9")).write_bytes(b"")
    candidate = ingest(tmp_path / "candidate", case.store, case.candidate.provenance, 0)
    with pytest.raises(PackagingError, match="UTF-8"):
        case.package(candidate=candidate, artifact=artifact_of(case.spec, candidate))


def test_links_to_directories_are_refused_and_links_to_files_kept_as_files(tmp_path: Path) -> None:
    case = case_of(tmp_path, FILES)
    (tmp_path / "candidate" / "copy.py").symlink_to("helper.py")
    candidate = ingest(tmp_path / "candidate", case.store, case.candidate.provenance, 0)
    manifest = case.package(candidate=candidate, artifact=artifact_of(case.spec, candidate))
    with case.wheel(manifest) as wheel:
        assert wheel.read("fine_tool_app/app/copy.py") == FILES["helper.py"]
    assert wheel_fault(case.store.get(manifest.wheel), candidate) is None
    (tmp_path / "candidate" / "folder").symlink_to("data")
    candidate = ingest(tmp_path / "candidate", case.store, case.candidate.provenance, 0)
    with pytest.raises(PackagingError, match="folder"):
        case.package(candidate=candidate, artifact=artifact_of(case.spec, candidate))


@pytest.mark.parametrize("command", ["", "../x", "a b", "-x", "x\n", "x=y"])
def test_a_command_that_is_no_name_is_refused(case: Case, command: str) -> None:
    interface = case.spec.interface.model_copy(update={"program": command})
    spec = case.spec.model_copy(update={"interface": interface})
    with pytest.raises(PackagingError, match="command"):
        case.package(spec=spec, artifact=artifact_of(spec, case.candidate))


@pytest.mark.parametrize("title", ["# A\x0b\x85Name: evil", "#\n# \u2028x", "A\rVersion: 9"])
def test_a_title_adds_no_field_to_the_metadata(case: Case, title: str) -> None:
    requirement = Requirement(text=title)
    spec = case.spec.model_copy(update={"requirement": requirement.seal()})
    manifest = case.package(spec=spec, requirement=requirement, artifact=artifact_of(spec, case.candidate))
    with case.wheel(manifest) as wheel:
        (name,) = [name for name in wheel.namelist() if name.endswith("METADATA")]
        text = wheel.read(name).decode()
    fields = [line.partition(":")[0] for line in text.split("\n\n")[0].split("\n")]
    assert fields == ["Metadata-Version", "Name", "Version", "Summary", "Requires-Python", "Description-Content-Type"]
    assert len(text.splitlines()) == text.count("\n")


@pytest.mark.slow
def test_pip_installs_it_and_the_tool_runs_as_the_candidate_does(case: Case, tmp_path: Path) -> None:
    """A clean environment, no network: same arguments, name, imports and exit status as ``python3 main.py``."""
    manifest = case.package()
    wheel = tmp_path / manifest.filename
    wheel.write_bytes(case.store.get(manifest.wheel))
    venv.create(tmp_path / "environment", with_pip=True)
    bin_directory = tmp_path / "environment" / "bin"
    pip = [str(bin_directory / "python"), "-m", "pip", "install", "--quiet", "--no-index", "--no-deps", str(wheel)]
    subprocess.run([*pip, "--disable-pip-version-check"], check=True)
    (tmp_path / "here").mkdir()
    (tmp_path / "here" / "helper.py").write_text("VALUE = 'of the current directory'")

    environment = {"PATH": os.defpath}  # not this process's: an engine may have set PYTHONSAFEPATH in it

    def run(*command: str) -> tuple[int, bytes, bytes]:
        done = subprocess.run(
            command,
            cwd=tmp_path / "here",
            env=environment,
            capture_output=True,
            check=False,
            stdin=subprocess.DEVNULL,
        )
        return done.returncode, done.stdout, done.stderr

    installed = run(str(bin_directory / "fine-tool"), "a b", "--x")
    assert installed == run(sys.executable, str(tmp_path / "candidate" / "main.py"), "a b", "--x")
    assert installed == (7, b"__main__ ['a b', '--x'] 1 True\n", b"")


def test_a_library_gives_its_functions(case, tmp_path) -> None:
    """A wheel of functions has no command: its package gives them, from the module that was judged."""
    requirement = Requirement(text='def twice(n: int) -> int:\n    """\n    Return twice n.\n    """\n')
    spec = compile_requirement(requirement, {"package.command": "doubling"})
    tree = tmp_path / "library"
    (tree / "src").mkdir(parents=True)
    (tree / "src" / "arithmetic.py").write_text("from other import TWO\n\n\ndef twice(n):\n    return TWO * n\n")
    (tree / "src" / "other.py").write_text("TWO = 2\n")
    candidate = ingest(tree, case.store, Provenance(source="directory", label="library"), 0)
    manifest = case.package(
        spec=spec, candidate=candidate, artifact=artifact_of(spec, candidate), requirement=requirement
    )
    wheel = case.wheel(manifest)
    assert not any(name.endswith("entry_points.txt") for name in wheel.namelist())
    wheel.extractall(tmp_path / "installed")
    call = [
        sys.executable,
        "-I",
        "-c",
        "import sys; sys.path.insert(0, sys.argv[1]); import doubling_app as d; print(d.twice(21))",
    ]
    done = subprocess.run([*call, str(tmp_path / "installed")], capture_output=True, text=True, check=False)
    assert done.stdout == "42\n", done.stderr
