"""No known text is called infeasible without a proof that holds; of all of them, none that people wrote."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from contracts.plan import FeasiblePlan, InfeasibilityCertificate
from contracts.requirement import Requirement
from tasks.planning.planner import check_claim, plan
from tasks.requirement.compiler import compile_requirement

pytestmark = pytest.mark.corpora


def test_no_text_that_people_wrote_is_called_infeasible(corpora: Path) -> None:
    lines = (corpora / "requirements" / "real.jsonl").read_text(encoding="utf-8").splitlines()
    for line in lines:
        case = json.loads(line)
        requirement = Requirement(text=case.get("requirement") or case["text"])
        assert isinstance(plan(compile_requirement(requirement, {}), requirement), FeasiblePlan), case["id"]


def test_a_blind_case_is_called_infeasible_only_where_its_label_says_so_and_the_proof_holds(corpora: Path) -> None:
    """The labels of V7-007 to V7-012 are known to be wrong: these can be done."""
    for path in sorted((corpora / "requirements").glob("v*.json")):
        for case in json.loads(path.read_text(encoding="utf-8")):
            requirement = Requirement(text=case["requirement"])
            spec = compile_requirement(requirement, {})
            found = plan(spec, requirement)
            if isinstance(found, FeasiblePlan):
                continue
            assert case["expected_terminal_status"] == "infeasible_proven", case["case_id"]
            assert not case["case_id"].startswith("V7-0"), case["case_id"]
            assert check_claim(found, spec, requirement) is None


def test_the_case_that_is_truly_infeasible_is_proven(corpora: Path) -> None:
    """V2-B009: two arbitrary bytes have no lossless place in one."""
    cases = json.loads((corpora / "requirements" / "v2.json").read_text(encoding="utf-8"))
    (case,) = (item for item in cases if item["case_id"] == "B009")
    requirement = Requirement(text=case["requirement"])
    found = plan(compile_requirement(requirement, {}), requirement)
    assert isinstance(found, InfeasibilityCertificate)
    assert found.lens == "counting"
