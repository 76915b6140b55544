"""How the patch applier does on known cases whose outcome is what git did with the same bytes.

``python benchmarks/patches/measure.py [--quick]`` applies each case of ``$FORGE_CORPORA/patches/cases.tar.xz`` to a
fresh copy of its base. What git applies and a rule refuses is listed with the rule, what git refuses and the context
decides is listed with the reason; neither may be unexplained. The last line is one JSON object.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import sys
import tarfile
import tempfile
import time
from collections import Counter
from hashlib import sha256
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT))

from tasks.repair.patch import Applied, Code, PatchError, apply_patch
from tasks.repair.patch.hunks import How
from tasks.repair.patch.parse import parse

QUICK = 4
RULES = {
    Code.MODE: "PAT-09: only modes of regular files",
    Code.BINARY: "PAT-19, PAT-21: no binary changes",
    Code.TOO_LARGE: "PAT-38: at most 65,536 characters",
    Code.SURPLUS: "PAT-03: a change beyond the counts would be lost",
    Code.AMBIGUOUS: "PAT-07: the context fits more than one place",
}


def manifest(root: Path) -> dict[str, dict[str, object]]:
    """Every file and link below ``root``: kind, digest or target, execute bit."""
    found: dict[str, dict[str, object]] = {}
    for path in sorted(root.rglob("*")):
        name = os.fsencode(path.relative_to(root))
        text = name.decode("utf-8") if _is_utf8(name) else name.decode("latin-1")
        if path.is_symlink():
            found[text] = {"type": "symlink", "target": str(path.readlink())}
        elif path.is_file():
            data = path.read_bytes()
            executable = bool(path.stat().st_mode & 0o100)
            found[text] = {"type": "file", "sha256": sha256(data).hexdigest(), "size": len(data), "exec": executable}
    return found


def judge(case: Path) -> tuple[str, str]:
    """The kind of outcome, and what explains it where it is not git's."""
    expected = json.loads((case / "expect.json").read_text())
    patch = (case / "patch.diff").read_bytes()
    with tempfile.TemporaryDirectory() as name:
        tree = Path(name) / "tree"
        shutil.copytree(case / "base", tree, symlinks=True)
        before = manifest(tree)
        try:
            applied = apply_patch(tree, patch)
        except PatchError as error:
            if manifest(tree) != before:
                return "dirty_reject", str(error)
            if expected["outcome"] == "reject":
                return "agree", ""
            codes = {reason.code for reason in error.reasons}
            explained = codes <= RULES.keys()
            return (
                ("refused_by_rule", "; ".join(RULES[code] for code in codes))
                if explained
                else (
                    "false_reject",
                    str(error),
                )
            )
        if [path.name for path in Path(name).iterdir()] != ["tree"]:
            return "escaped", ""
        if expected["outcome"] == "reject":
            reason = rescue(patch, applied)
            return ("rescued", reason) if reason else ("false_apply", "")
        return ("agree", "") if manifest(tree) == expected["files_after"] else ("wrong_tree", "")


def rescue(patch: bytes, applied: Applied) -> str:
    """Why a patch that git refuses was applied: what the format left open and the context alone decided."""
    reasons = []
    if any(hunk.numbers is None for change in parse(patch) for hunk in change.hunks):
        reasons.append("bare @@ hunks that fit one place only (PAT-06)")
    if any(place.how is How.LINE_ENDS for change in applied.changes for place in change.placements):
        reasons.append("differs from the file in line ends alone, fits one place only (PAT-24)")
    if not patch.endswith(b"\n"):
        reasons.append("the patch lacks its last newline, and the file has that line in full (SCN-40)")
    return "; ".join(reasons)


def measure(corpora: Path, quick: bool) -> dict[str, Any]:
    """Judge every case, or every fourth."""
    started = time.monotonic()
    counts: Counter[str] = Counter()
    listed: dict[str, dict[str, str]] = {}
    with tempfile.TemporaryDirectory() as name, tarfile.open(corpora / "patches" / "cases.tar.xz") as archive:
        filtered: dict[str, Any] = {"filter": "tar"} if hasattr(tarfile, "tar_filter") else {}  # from Python 3.11.4
        archive.extractall(name, **filtered)
        for case in sorted(Path(name).glob("*/expect.json"))[:: QUICK if quick else 1]:
            kind, reason = judge(case.parent)
            counts[kind] += 1
            if kind != "agree":
                listed.setdefault(kind, {})[case.parent.name] = reason
                print(f"{case.parent.name}: {kind}: {reason}", flush=True)
    wrong = sum(counts[kind] for kind in ("false_apply", "wrong_tree", "dirty_reject", "escaped"))
    return {
        "cases": counts.total(),
        **counts,
        "wrong": wrong,
        "false_reject": counts["false_reject"],
        "listed": listed,
        "quick": quick,
        "seconds": round(time.monotonic() - started, 1),
    }


def _is_utf8(name: bytes) -> bool:
    try:
        name.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def main() -> int:
    """Status 0 iff nothing was wrongly applied or rejected; 2 without the corpora."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="every fourth case, well under a minute")
    options = parser.parse_args()
    corpora = os.environ.get("FORGE_CORPORA", "")
    if not corpora or not Path(corpora).is_dir():
        print(json.dumps({"skipped": "FORGE_CORPORA names no folder"}))
        return 2
    result = measure(Path(corpora), options.quick)
    print(json.dumps(result))
    return 1 if result["wrong"] or result["false_reject"] else 0


if __name__ == "__main__":
    sys.exit(main())
