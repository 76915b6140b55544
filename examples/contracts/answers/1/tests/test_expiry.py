import csv
import sys
from datetime import date
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[1]))

from expiry import parse_day  # noqa: E402
from main import main  # noqa: E402

HEADER = "contract_id,expiration_date\n"


def summary(folder, text, today="2026-01-01"):
    source, target = folder / "in.csv", folder / "out.csv"
    source.write_text(text, encoding="utf-8")
    assert main([str(source), str(target), "--today", today]) == 0
    with target.open(newline="", encoding="utf-8") as file:
        return list(csv.reader(file))


@pytest.mark.parametrize(
    ("day", "left", "flagged"),
    [
        ("2026-03-31", "89", "yes"),
        ("2026-04-01", "90", "no"),
        ("2026-04-02", "91", "no"),
        ("2025-12-31", "-1", "yes"),
    ],
)
def test_flags_fewer_than_90_days(tmp_path, day, left, flagged):
    rows = summary(tmp_path, f"{HEADER}C-1,{day}\n")
    assert rows == [
        ["contract_id", "expiration_date", "days_left", "flagged"],
        ["C-1", day, left, flagged],
    ]


def test_leaves_out_rows_that_are_not_valid(tmp_path):
    rows = summary(tmp_path, f"{HEADER}C-1\nC-2,soon\n,2026-01-02\nC-3,2026-01-02,x\n\nC-4,2026-01-02\n")
    assert [row[0] for row in rows[1:]] == ["C-4"]


def test_keeps_order_and_duplicates(tmp_path):
    rows = summary(tmp_path, f"{HEADER}b,2026-01-02\na,2026-01-02\nb,2026-01-02\n")
    assert [row[0] for row in rows[1:]] == ["b", "a", "b"]


def test_a_missing_file_is_an_error(tmp_path, capsys):
    assert main([str(tmp_path / "none.csv"), str(tmp_path / "out.csv")]) == 1
    assert "none.csv" in capsys.readouterr().err


def test_dates():
    assert parse_day("2024-02-29") == date(2024, 2, 29)
    assert parse_day("2023-02-29") is None
    assert parse_day("20240229") is None
