"""What is laid over a candidate before it is checked, and how it differs from its base."""

from __future__ import annotations

from fnmatch import fnmatchcase
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from contracts.paths import path_text
from sandbox.workspace import scan
from tasks.errors import UsageError
from tasks.evidence.store import open_store
from tasks.gate.changes import changes
from tasks.gate.globs import matches
from tasks.gate.subject import read_subject
from tasks.gate.trees import alone, as_candidate, checked, missing_artifacts, protected_changes, trusted
from tasks.trees import materialise


@pytest.mark.parametrize(
    ("glob", "path", "expected"),
    [
        ("tests/**", "tests/a.py", True),
        ("tests/**", "tests/deep/er/a.py", True),
        ("tests/**", "tests", False),
        ("tests/**", "src/tests/a.py", False),
        ("tests", "tests/a.py", True),
        ("tests", "tests2/a.py", False),
        ("**/conftest.py", "conftest.py", True),
        ("**/conftest.py", "a/b/conftest.py", True),
        ("**/conftest.py", "a/myconftest.py", False),
        ("*.toml", "pyproject.toml", True),
        ("*.toml", "a/pyproject.toml", False),
        ("a/*/c", "a/b/c", True),
        ("a/*/c", "a/b/x/c", False),
        ("a?c", "abc", True),
        ("a?c", "a/c", False),
        ("A", "a", False),
        ("a.b", "axb", False),
        ("**", "anything/at/all", True),
        ("a/**/z", "a/z", True),
        ("a/**/z", "a/b/c/z", True),
        ("x\ny", "x\ny", True),
    ],
)
def test_patterns_of_paths(glob: str, path: str, expected: bool) -> None:
    assert matches(path, (glob,)) is expected


PARTS = st.lists(st.sampled_from(["**", "*", "?", "a", "b", "a*b", "*a*b", "*?", "a*a"]), min_size=1, max_size=5)
NAMES = st.lists(st.text("ab", min_size=1, max_size=5), min_size=1, max_size=6)


@settings(deadline=None)
@given(PARTS, NAMES)
def test_a_pattern_matches_as_its_definition_says(parts: list[str], names: list[str]) -> None:
    assert matches("/".join(names), ("/".join(parts),)) is _defined(parts, names)


def _defined(parts: list[str], names: list[str]) -> bool:
    if not parts:
        return True
    if parts[0] == "**":
        return bool(names) and (_defined(parts[1:], names) or _defined(parts, names[1:])) if parts[1:] else bool(names)
    return bool(names) and fnmatchcase(names[0], parts[0]) and _defined(parts[1:], names[1:])


@pytest.mark.parametrize(
    ("glob", "path"),
    [("**/" * 400 + "z", "x/" * 400 + "y"), ("*a" * 400 + "z", "a" * 800), ("**/*a*b/" * 100 + "z", "ab/" * 400 + "y")],
    ids=["leaps", "stars", "both"],
)
def test_no_pattern_takes_time_without_bound(glob: str, path: str) -> None:
    """A record from elsewhere brings pattern and path, and verification matches them: it must come to an end."""
    assert not matches(path, (glob,))


def names(files: Any) -> list[str]:
    return [entry.path for entry in files]


def test_the_overlay_stands_over_whatever_lies_at_its_paths(gate: Any, task: Any) -> None:
    """GAME-22: a test's place taken by a directory, a link or a file is the overlay's all the same."""
    spec = task(overlay="overlay")
    candidate = gate.root / "candidate"
    candidate.mkdir()
    (candidate / "real").mkdir()
    (candidate / "real" / "test_a.py").write_text("pass")
    (candidate / "tests").symlink_to("real")
    (candidate / "data.json").mkdir()
    (candidate / "data.json" / "inner").write_text("x")
    (candidate / "kept.py").write_text("x")
    (candidate / "sub").write_text("a file where a directory has to be")
    overlay = {"tests/test_a.py": "assert 1", "data.json": "{}", "sub/test_b.py": "assert 2"}
    subject = gate.subject(spec, {}, overlay=overlay)
    tree = checked(spec, subject, "candidate")
    assert names(tree) == ["data.json", "kept.py", "real/test_a.py", "sub/test_b.py", "tests/test_a.py"]
    assert names(alone(spec, subject, "candidate", tested=True)) == ["kept.py", "real/test_a.py"]
    assert names(trusted(spec, subject)) == ["data.json", "sub/test_b.py", "tests/test_a.py"]


def test_law_1_a_task_within_what_it_judges_is_not_shown_to_it(gate: Any, task: Any) -> None:
    """Its file and its overlay lie in the candidate as well: expectations never enter the sandbox."""
    spec = task(overlay="gate/overlay")
    overlay = {"tests/test_a.py": "assert f() == 7", "tests/__init__.py": ""}
    inside = {f"gate/overlay/{path}": text for path, text in overlay.items()}
    request = gate.request(
        spec, {"a.py": "x", "b/__init__.py": "", "gate/task.yaml": "brief", **inside}, overlay=overlay
    )
    whole = request.task.model_copy(update={"text": "brief"})
    subject = read_subject(request.model_copy(update={"task": whole}))
    for tested in (True, False):
        shown = names(alone(spec, subject, "candidate", tested=tested))
        assert shown == ["a.py", "b/__init__.py", "gate/overlay/tests/__init__.py"]


def test_sbx_14_what_is_sealed_is_what_is_written(gate: Any, task: Any) -> None:
    """One traversal gives the digest of a tree and the entries that its copy is made of."""
    spec = task(overlay="overlay")
    subject = gate.subject(spec, {"a.py": "x", "b/c.py": "y"}, overlay={"b/d.py": "z"})
    files = checked(spec, subject, "candidate")
    with materialise(as_candidate(files, subject), open_store(gate.store)) as tree:
        assert tuple(item.entry for item in scan(tree)[0]) == files


def test_scn_04_protected_paths_come_from_the_base(gate: Any, task: Any) -> None:
    """Edited, deleted and added files there are restored, and named."""
    spec = task(protected=["tests/**", "pyproject.toml"])
    base = {"tests/test_a.py": "right", "tests/test_b.py": "right", "pyproject.toml": "x", "a.py": "1"}
    changed = {"tests/test_a.py": "wrong", "tests/conftest.py": "skip", "pyproject.toml": "x", "a.py": "2"}
    subject = gate.subject(spec, changed, base=base)
    assert protected_changes(spec, subject) == ("tests/conftest.py", "tests/test_a.py", "tests/test_b.py")
    tree = {entry.path: entry.digest for entry in checked(spec, subject, "candidate")}
    original = {entry.path: entry.digest for entry in subject.base.files}
    assert sorted(tree) == ["a.py", "pyproject.toml", "tests/test_a.py", "tests/test_b.py"]
    assert tree["tests/test_a.py"] == original["tests/test_a.py"]
    assert names(alone(spec, subject, "candidate", tested=True)) == ["a.py"]
    assert "pyproject.toml" in names(alone(spec, subject, "candidate", tested=False))


def test_without_a_base_the_overlay_is_the_trusted_copy(gate: Any, task: Any) -> None:
    spec = task(protected=["tests/**"], overlay="overlay")
    overlay = {"tests/test_a.py": "right", "tests/test_b.py": "right"}
    honest = gate.subject(spec, {"tests/test_a.py": "right", "a.py": ""}, overlay=overlay)
    assert protected_changes(spec, honest) == ()
    added = gate.subject(spec, {"tests/conftest.py": "skip"}, overlay=overlay)
    assert protected_changes(spec, added) == ("tests/conftest.py",)
    assert "tests/conftest.py" not in names(checked(spec, added, "candidate"))


def test_game_11_game_13_only_a_trusted_conftest_is_loaded(gate: Any, task: Any) -> None:
    spec = task(overlay="overlay")
    candidate = {"conftest.py": "x", "a/conftest.py": "x", "a.py": "x"}
    subject = gate.subject(spec, candidate, overlay={"tests/conftest.py": "x", "tests/test_a.py": "x"})
    assert names(checked(spec, subject, "candidate", "pytest")) == ["a.py", "tests/conftest.py", "tests/test_a.py"]
    assert "conftest.py" in names(checked(spec, subject, "candidate"))


def test_scn_07_artifacts_that_are_not_there_are_named(gate: Any, task: Any) -> None:
    spec = task(artifacts=["src/a.py", "b.py"])
    assert missing_artifacts(spec, gate.subject(spec, {"b.py": ""})) == ("src/a.py",)


def test_changes_are_counted_by_path_and_by_line(gate: Any, task: Any) -> None:
    base = {"same.py": "1\n", "edited.py": "1\n2\n3\n", "gone.py": "1\n2\n", "binary": "a\0b"}
    after = {"same.py": "1\n", "edited.py": "1\nx\n3\n", "new.py": "1\n2\n3\n", "binary": "a\0c"}
    subject = gate.subject(task(), after, base=base)
    found = [(item.path, item.kind, item.lines) for item in changes(subject, open_store(gate.store))]
    assert found == [
        ("binary", "changed", 1),
        ("edited.py", "changed", 2),
        ("gone.py", "removed", 2),
        ("new.py", "added", 3),
    ]


def test_a_changed_mode_is_a_change(gate: Any, task: Any) -> None:
    """SCN-47: nobody makes a file executable unseen."""
    base = gate.write("base", {"run.sh": "true\n"})
    subject_args = gate.write("candidate", {"run.sh": "true\n"})
    (gate.root / "candidate" / "run.sh").chmod(0o755)
    subject = gate.subject(task(), {}, base=base)
    assert subject_args
    assert [item.path for item in changes(subject, open_store(gate.store))] == ["run.sh"]


def test_enc_05_sbx_18_names_that_are_no_text_are_kept(gate: Any, task: Any) -> None:
    candidate = gate.root / "candidate"
    candidate.mkdir()
    (candidate / b"caf\xe9.txt".decode("utf-8", "surrogateescape")).write_text("x")
    subject = gate.subject(task(), {})
    assert names(checked(task(), subject, "candidate")) == [path_text(b"caf\xe9.txt")]


def test_spec_01_a_task_that_needs_a_base_is_refused_without_one(gate: Any, task: Any) -> None:
    for spec in (task({"run": "true", "must_fail_before": True}), task(scope={"max_files": 1})):
        with pytest.raises(UsageError, match="--base"):
            gate.subject(spec, {"a": ""})


def test_required_tests_have_to_be_the_tasks_own(gate: Any, task: Any) -> None:
    """GAME-45: a test that the candidate brings decides nothing."""
    spec = task({"tests": {"runner": "pytest", "paths": ["tests/test_a.py"]}})
    with pytest.raises(UsageError, match="neither in the overlay nor protected"):
        gate.subject(spec, {"tests/test_a.py": "def test_a(): pass"})


def test_bnd_01_a_candidate_out_of_bounds_is_a_usage_error(gate: Any, task: Any, monkeypatch: Any) -> None:
    monkeypatch.setattr("sandbox.workspace.MAX_FILES", 2)
    with pytest.raises(UsageError, match="more than 2 files"):
        gate.subject(task(), {"a": "", "b": "", "c": ""})


def test_sbx_12_a_link_out_of_the_tree_is_dropped_and_listed(gate: Any, task: Any) -> None:
    (gate.root / "candidate").mkdir()
    (gate.root / "candidate" / "out").symlink_to("/etc/passwd")
    subject = gate.subject(task(), {"a": ""})
    assert [item.path for item in subject.candidate.dropped] == ["out"]
