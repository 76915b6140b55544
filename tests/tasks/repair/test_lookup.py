"""Looking up documentation: bounded, normalised, never fatal; a server of our own stands in for the service."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from tasks.errors import UsageError
from tasks.repair import lookup as module
from tasks.repair.lookup import Lookup, lookup_from, references

RESULT = {"title": "T", "url": "https://docs.example/a", "content": "words", "score": 0.9}


@dataclass
class Service:
    """What the server answers, and what it was asked."""

    answer: bytes = json.dumps({"results": [RESULT]}).encode()
    status: int = 200
    location: str = ""
    asked: list[tuple[str, dict[str, Any]]] = field(default_factory=list)
    address: str = ""
    waits: threading.Event | None = None


@pytest.fixture
def service() -> Iterator[Service]:
    state = Service()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            state.asked.append((self.headers.get("Authorization", ""), json.loads(body)))
            if state.waits is not None:
                state.waits.wait(10)
            self.send_response(state.status)
            if state.location:
                self.send_header("Location", state.location)
            self.send_header("Content-Length", str(len(state.answer)))
            with suppress(OSError):  # whoever asked may be gone
                self.end_headers()
                self.wfile.write(state.answer)

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    state.address = f"http://127.0.0.1:{server.server_port}/search"
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    yield state
    server.shutdown()
    thread.join()
    server.server_close()


def test_a_question_is_asked_with_the_key_and_answered_with_references(service: Service) -> None:
    found = Lookup("tvly-x", service.address).find("ModuleNotFoundError: No module named 'x'\n\0")
    assert found.degraded is None
    assert [(item.title, item.url, item.excerpt) for item in found.references] == [("T", RESULT["url"], "words")]
    assert service.asked == [
        ("Bearer tvly-x", {"query": "ModuleNotFoundError: No module named 'x'", "max_results": 3})
    ]  # fmt: skip


def test_without_a_key_it_says_so(service: Service) -> None:
    """ADP-12."""
    found = Lookup(None, service.address).find("x")
    assert (found.references, found.degraded) == ((), "no documentation was looked up: TAVILY_API_KEY is not set")
    assert not service.asked


@pytest.mark.parametrize("key", ["", " ", "a b", "a\nb", "é", "\ud800", "x" * 513, 7, b"x", False])
def test_a_key_that_is_none_is_an_error_at_construction(key: Any) -> None:
    """ADP-07, ENC-02, CLI-13."""
    with pytest.raises(ValueError, match="TAVILY_API_KEY"):
        Lookup(key)
    if isinstance(key, str):
        with pytest.raises(UsageError, match="TAVILY_API_KEY") as caught:
            lookup_from({"TAVILY_API_KEY": key})
        assert not key.strip() or key not in str(caught.value)


@pytest.mark.parametrize("query", [None, 7, "", " \n", "\0", b"x", ["x"]])
def test_a_question_that_is_none_degrades(service: Service, query: object) -> None:
    """ADP-11."""
    assert Lookup("k", service.address).find(query).degraded
    assert not service.asked


@pytest.mark.parametrize("status", [301, 302, 307, 400, 401, 429, 500, 503])
def test_a_refusal_degrades_and_is_not_followed(service: Service, status: int) -> None:
    """ADP-11; the key goes to nobody else."""
    service.status, service.location = status, service.address
    found = Lookup("k", service.address).find("x")
    assert str(status) in (found.degraded or "")
    assert len(service.asked) == 1


@pytest.mark.parametrize("answer", [b"", b"{", b"\xff", b"[" * 100_000, b"x" * 1_100_000])
def test_an_answer_that_is_none_degrades(service: Service, answer: bytes) -> None:
    service.answer = answer
    assert Lookup("k", service.address).find("x").degraded


def test_nobody_there_degrades(service: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    assert Lookup("k", "http://127.0.0.1:9/").find("x").degraded
    monkeypatch.setattr(module, "SECONDS", 0.1)
    service.waits = threading.Event()
    assert Lookup("k", service.address).find("x").degraded
    service.waits.set()


@pytest.mark.parametrize(
    ("answer", "count"),
    [
        (None, 0), ([], 0), ({}, 0), ({"results": None}, 0), ({"results": {"url": "https://a"}}, 0),
        ({"results": [None, 7, "x", [], {}, {"url": 7}, {"url": "ftp://a"}, {"url": "javascript:x"}]}, 0),
        ({"results": [{"url": "https://a\nb"}, {"url": "https://" + "x" * 3_000}]}, 0),
        ({"results": [RESULT] * 9}, 1), ({"results": [{"url": f"https://a/{n}"} for n in range(9)]}, 3),
        ({"results": [{"url": "https://a", "title": 7, "content": None}]}, 1),
    ],
)  # fmt: skip
def test_results_are_normalised(answer: object, count: int) -> None:
    """ADP-13, BND-08."""
    assert len(references(answer)) == count


def test_texts_keep_their_caps() -> None:
    """BND-08, ADP-17."""
    (found,) = references({"results": [{"url": "https://a", "title": "t\0\n" * 900, "content": "\ud800c" * 9_000}]})
    assert len(found.title) <= 300
    assert len(found.excerpt) <= 2_000
    assert not {"\0", "\n", "\ud800"} & set(found.title + found.excerpt)
