"""An agent by command line: in a sandbox of its own, with the prompt and the workspace, and nothing of ours."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from contracts.isolation import SandboxPolicy
from contracts.modelling import ModelChoice
from tasks.models.agent import PROMPT, Agent
from tasks.models.base import ModelFault, Question, UnusableAnswer
from tests.tasks.models.conftest import CANARY

WRITES = """
import json, os, socket
from pathlib import Path
try:
    socket.create_connection(("127.0.0.1", {port}), 1)
    network = "reached"
except OSError:
    network = "none"
seen = {{"files": sorted(os.listdir(".")), "network": network, "environment": sorted(os.environ.items())}}
Path("seen.json").write_text(json.dumps(seen))
Path("main.py").write_text(Path("main.py").read_text().replace("1", "2"))
Path("tests").mkdir()
Path("tests/test_main.py").write_text(Path("PROMPT.md").read_text()[:9])
"""


def ask(tmp_path: Path, question: Question, source: str, command: str = "python3 /candidate/agent.py") -> str:
    tree = tmp_path / "agent"
    tree.mkdir()
    (tree / "agent.py").write_text(source)
    for path in (tmp_path, tree):
        path.chmod(0o755)
    (tree / "agent.py").chmod(0o644)
    choice = ModelChoice(provider="command", model=command, agent=str(tree))
    return Agent(SandboxPolicy()).ask(question, choice, 20).text


def test_it_finds_prompt_and_workspace_and_leaves_files(tmp_path, question):
    """No key, no network, no file of the host; what it does not touch is no part of its answer."""
    asked = replace(question, files={"main.py": "print(1)\n", "kept.py": "x = 1\n"})
    text = ask(tmp_path, asked, WRITES.format(port=9))
    assert "main.py\n```\nprint(2)\n```" in text
    assert "tests/test_main.py\n```\nBe brief.\n```" in text
    assert "kept.py\n" not in text
    seen: dict[str, Any] = json.loads(text.split("seen.json\n```\n")[1].split("\n```")[0])
    assert seen["files"] == [PROMPT, "kept.py", "main.py"]
    assert seen["network"] == "none"
    assert CANARY not in text
    assert not [name for name, _ in seen["environment"] if "KEY" in name or "FORGE" in name]


@pytest.mark.parametrize(
    ("source", "kind", "words"),
    [
        ("raise SystemExit(3)", ModelFault, "status 3"),
        ("from pathlib import Path\nPath('PROMPT.md').write_text('x')", UnusableAnswer, "changed its prompt"),
        ("from pathlib import Path\nPath('x.py').write_bytes(b'\\xff')", UnusableAnswer, "no UTF-8"),
        ("import os\nos.symlink('/etc/passwd', 'x.py')", UnusableAnswer, "something else"),
    ],
)
def test_what_is_no_answer_is_a_fault_of_the_provider(tmp_path, question, source, kind, words):
    with pytest.raises(kind, match=words):
        ask(tmp_path, question, source)
