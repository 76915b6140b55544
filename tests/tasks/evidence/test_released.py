"""Records written by every released version verify with this one; `released/<version>/` holds some of each.

Until a version is released its records follow the format: `make_released.py` makes them anew. Afterwards they are
never touched, and a change of a model that they do not survive needs a format of its own.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tasks.evidence.signing import parse_public
from tasks.evidence.trust import Trust
from tasks.evidence.verify import verify_record

RECORDS = sorted(Path(__file__).with_name("released").glob("*/*/record.json"))

STATUSES = {
    "verified": "verified",
    "failed": "validation_failed",
    "infeasible": "infeasible_proven",
    "underspecified": "validation_failed",
}


def test_there_are_records_of_each_status() -> None:
    assert {file.parent.name for file in RECORDS} == set(STATUSES)


@pytest.mark.parametrize("file", RECORDS, ids=lambda file: "-".join(file.parts[-3:-1]))
def test_it_still_verifies(file: Path) -> None:
    signer = parse_public((file.parents[1] / "signer.pem").read_bytes(), "signer.pem")
    found = verify_record(file, trusted=Trust.of(signer))
    assert found.checked[-1] == "log"
    assert found.status == STATUSES[file.parent.name]
