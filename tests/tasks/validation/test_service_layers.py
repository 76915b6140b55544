"""An HTTP service in the sandbox, all layers (law 7): honest servers pass, planted faults and an attack are caught."""

from __future__ import annotations

from pathlib import Path

import pytest

from contracts.candidate import Provenance
from contracts.probe import HttpProbe, ResponseExpectation
from contracts.requirement import Requirement
from contracts.settings import BuildSettings
from contracts.value import encode
from contracts.verdict import FailureSignature, ValidationArtifact
from tasks.evidence.store import open_store
from tasks.reading.reader import read
from tasks.reading.services import exchange_examples, generated_exchanges
from tasks.requirement.compiler import compile_requirement
from tasks.requirement.consistency import open_questions
from tasks.stages import VALIDATE
from tasks.trees import ingest
from tasks.validation.judge import assemble, judge_layer

S = FailureSignature
TEXT = """# Notes

Build an HTTP service, started by `python3 main.py`, that keeps notes in memory and listens on port 8080.

- GET /notes answers with status 200 and `[]`.
- POST /notes with body `{"text": "milk"}` answers with status 201 and `{"id": 1, "text": "milk"}`.
- GET /notes/7 answers with status 404.
- GET /notes/{id} answers with the note.
"""
SERVER = """
import json
from http.server import BaseHTTPRequestHandler, HTTPServer

NOTES = []

class Handler(BaseHTTPRequestHandler):
    def answer(self, status, value):
        body = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self):
        known = {f"/notes/{note['id']}": note for note in NOTES}
        if self.path == "/notes":
            self.answer(200, NOTES)
        elif self.path in known:
            self.answer(200, known[self.path])
        else:
            self.answer(404, {"error": "no such note"})

    def do_POST(self):
        try:
            given = json.loads(self.rfile.read(int(self.headers.get("Content-Length") or 0)))
            text = given["text"]
        except (ValueError, KeyError, TypeError):
            return self.answer(400, {"error": "no note"})
        if self.path != "/notes":
            return self.answer(404, {"error": "no such place"})
        NOTES.append({"id": len(NOTES) + 1, "text": text})
        self.answer(201, NOTES[-1])

HTTPServer(("127.0.0.1", 8080), Handler).serve_forever()
"""


@pytest.fixture(scope="module")
def spec():
    return compile_requirement(Requirement(text=TEXT), {})


def test_exchanges_of_the_text_become_probes(spec) -> None:
    """A route with a placeholder is none; a service of which no exchange is stated stays unjudged (law 3)."""
    cases = exchange_examples(spec)
    requests = [(item.method, item.target, item.body) for case in cases for item in case.probe.requests]
    assert requests == [("GET", "/notes", b""), ("POST", "/notes", b'{"text": "milk"}'), ("GET", "/notes/7", b"")]
    assert {case.probe.port for case in cases} == {8080}
    assert cases[1].expectations == (
        ResponseExpectation(place=0, status=201, body="json", value=encode({"id": 1, "text": "milk"})),
    )
    assert open_questions(spec) == ()
    silent = compile_requirement(Requirement(text="Build an HTTP service for notes."), {})
    assert [item.signature for item in open_questions(silent)] == [S.UNPROVEN_REQUIREMENT]


def test_sequences_hold_the_stated_requests_and_others_close_to_them(spec) -> None:
    cases = generated_exchanges(spec, 1)
    assert generated_exchanges(spec, 1) == cases
    assert {case.standing for case in cases} == {"shown", "edge"}
    assert all(isinstance(case.probe, HttpProbe) for case in cases)
    sequences = [[item.target for item in case.probe.requests] for case in cases]
    assert ["/notes", "/notes", "/notes/7"] in sequences
    assert ["/notes/8"] in sequences
    assert any(item.body == b"{" for case in cases for item in case.probe.requests)


@pytest.fixture(scope="module")
def settings(tmp_path_factory) -> BuildSettings:
    base = tmp_path_factory.mktemp("service")
    places = [written(base / "one", SERVER), written(base / "two", SERVER.replace("no such note", "unknown"))]
    return BuildSettings(store=str(base / "store"), readings=tuple(map(str, places)))


@pytest.fixture(scope="module")
def readings(spec, settings):
    found = read(spec, Requirement(text=TEXT), settings)
    assert (found.admitted, found.failures) == (2, ())
    return found


def written(directory: Path, source: str) -> Path:
    directory.mkdir(parents=True, exist_ok=True)
    (directory / "main.py").write_text(source)
    return directory


@pytest.fixture
def judge(spec, settings, readings, tmp_path):
    def of(source: str) -> ValidationArtifact:
        provenance = Provenance(source="directory", label="x")
        candidate = ingest(written(tmp_path / "candidate", source), open_store(settings.store), provenance, 0)
        judged = []
        for stage in VALIDATE.values():
            evidence = stage.load()(spec, readings, candidate, settings)
            judged.append((evidence, judge_layer(spec, readings.plan, evidence, settings.floor)))
            if not judged[-1][1].passed:
                break
        return assemble(spec, readings, candidate, judged, settings.floor)

    return of


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_an_honest_server_passes(judge) -> None:
    artifact = judge(SERVER.replace("len(NOTES) + 1", "1 + len(NOTES)"))
    assert artifact.failures == ()
    assert artifact.strength.mutants_killed >= 8


@pytest.mark.slow
@pytest.mark.parametrize(
    ("old", "new", "signature"),
    [
        ("self.answer(404", "self.answer(200", S.EXAMPLE_MISMATCH),
        ("self.answer(201", "self.answer(200", S.EXAMPLE_MISMATCH),
        ('"text": text', '"text": text.upper()', S.EXAMPLE_MISMATCH),
        ("len(NOTES) + 1", "1", S.READING_MISMATCH),
        ("NOTES.append", "NOTES[:] = [0]; NOTES.append", S.READING_MISMATCH),
        ("8080", "8081", S.ENTRY_POINT_BROKEN),
        ("serve_forever()", "handle_request()", S.READING_MISMATCH),
    ],
)
def test_planted_faults(judge, old: str, new: str, signature: FailureSignature) -> None:
    assert old in SERVER
    assert signature in {failure.signature for failure in judge(SERVER.replace(old, new)).failures}


@pytest.mark.slow
def test_a_server_that_knows_the_stated_exchanges_is_caught(judge) -> None:
    """GAME-31, and GAME-33: a claim of success in a response is a response like any other."""
    known = SERVER.replace('"text": text', '"text": "milk", "verdict": "verified"').replace(
        "self.answer(400", "self.answer(201"
    )
    failures = judge(known).failures
    assert {failure.signature for failure in failures} & {S.EXAMPLE_MISMATCH, S.READING_MISMATCH}
