"""EVI-07 on a bucket: the same log, conditional creation of numbered entries, many writers."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

from contracts.canonical import digest
from contracts.log import LogLeaf
from contracts.verdict import TerminalStatus
from tasks.evidence.log.audit import audit
from tasks.evidence.log.tree import Log
from tasks.evidence.s3 import S3Store
from tests.tasks.evidence.s3.hostile import hostile


def leaf(run: str) -> LogLeaf:
    return LogLeaf(run=run, status=TerminalStatus.VERIFIED, payload=digest(run.encode()))


def test_evi_07_concurrent_writers_on_a_bucket(store: S3Store) -> None:
    def write(writer: int) -> list[int]:
        log = Log(store)
        return [log.append(leaf(f"{writer}-{number}")) for number in range(4)]

    with ThreadPoolExecutor(4) as pool:
        numbers = [number for found in pool.map(write, range(4)) for number in found]
    assert sorted(numbers) == list(range(16))
    report = audit(store, [])
    assert report.size == 16
    assert len({line for line in report.faults if "its record is not there" in line}) == 16 == len(report.faults)


def test_evi_pitfall_20_what_a_store_without_conditions_would_do_to_a_log(
    connect: Callable[..., S3Store], location: str
) -> None:
    """The planted fault behind the refusal (law 7): two writers get one number, and an entry is gone."""
    with hostile("ignores conditions") as server:
        first, second = (Log(connect(location, FORGE_S3_ENDPOINT=server.endpoint)) for _ in range(2))
        assert first.size() == second.size() == 0
        before = first.append(leaf("one"))
        second.size = lambda: 0  # type: ignore[method-assign] # it looked before the other wrote
        assert second.append(leaf("two")) == before == 0
        assert Log(first.store).size() == 1
