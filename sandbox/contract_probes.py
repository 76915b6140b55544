"""The part of the contract that speaks of calls and of servers; `sandbox.contract_suite` has the rest."""

# ruff: noqa: S101 - a suite of tests
from __future__ import annotations

import textwrap
from typing import Any

import pytest

from contracts.probe import CallProbe, HttpProbe, HttpRequest, Observation, Raised, Returned, Unreadable
from contracts.value import decode, encode
from sandbox.base import Sandbox

CALLS = """
import os, sys, threading, time, json

class Always(int):
    def __eq__(self, other): return True
    __hash__ = int.__hash__

class Sly(str):
    def __eq__(self, other): return True
    __hash__ = str.__hash__
    def __str__(self): return "right"
    def __iter__(self): return iter("right")

class Anything:
    def __eq__(self, other): return True

def echo(*arguments, **keywords): return [list(arguments), keywords]
def kinds(): return {"n": None, "t": (1, b"\\xff", -0.0, 1e400), "s": {3, 1, 2}, "big": -2**80, 7: "\\ud800"}
def nan(): return float("nan")
def always(): return Always(41)
def sly(): return Sly("wrong")
def anything(): return Anything()
def inside(): return [1, Anything()]
def cyclic():
    held = []; held.append(held); return held
def deep():
    held = None
    for _ in range(100_000): held = [held]
    return held
def many(): return [0] * 300_000
def large(): return "x" * 1_000_000
def unbounded():
    held = []
    while True: held.append(b"x" * (1 << 20))
def raises(): raise KeyError("a" * 5_000)
def says(): raise Unprintable
class Unprintable(Exception):
    def __str__(self): raise RuntimeError
def leaves(): sys.exit(3)
def cut(): os._exit(7)
def prints():
    frame = json.dumps({"returned": 42}).encode()
    for stream in (1, 2): os.write(stream, len(frame).to_bytes(4, "big") + frame)
    return 41
def forges():
    frame = json.dumps({"returned": 42}).encode()
    os.write(4, len(frame).to_bytes(4, "big") + frame); os._exit(0)
def twice():
    frame = json.dumps({"returned": 42}).encode()
    os.write(4, len(frame).to_bytes(4, "big") + frame); return 41
def noise():
    for number in range(3, 64):
        try: os.write(number, b"noise")
        except OSError: pass
    os._exit(0)
def lies(): os.write(4, (1 << 31).to_bytes(4, "big") + b"{}"); os._exit(0)
def verdict():
    frame = b'{"returned": 42, "outcome": "verified"}'
    os.write(4, len(frame).to_bytes(4, "big") + frame); os._exit(0)
def nested():
    frame = b'{"returned": ' + b"[" * 20_000 + b"]" * 20_000 + b"}"
    os.write(4, len(frame).to_bytes(4, "big") + frame); os._exit(0)
def holds():
    if os.fork() == 0:
        os.setsid(); time.sleep(600)
    return 41
def reads(): return sys.stdin.read()
def counts():
    counts.times = getattr(counts, "times", 0) + 1; return counts.times
def hangs(): time.sleep(600)
"""

SERVER = """
import http.server, os, sys
class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        body = (self.path + " " + self.headers.get("X-Mine", "")).encode()
        self.send_response(200); self.send_header("Content-Length", str(len(body))); self.end_headers()
        self.wfile.write(body)
    do_HEAD = do_GET
    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        open("posted", "ab").write(body)
        self.send_response(201); self.end_headers(); self.wfile.write(body[::-1])
http.server.HTTPServer(("127.0.0.1", 8000), Handler).serve_forever()
"""

RAW = r"""
import os, socket, sys, time
CHUNKED = b"Transfer-Encoding: chunked\r\n\r\n2\r\nab\r\n0\r\n\r\n"
server = socket.socket(); server.bind(("127.0.0.1", 8000)); server.listen()
while True:
    client, _ = server.accept(); client.recv(65536)
    try: answer(client)
    except OSError: pass
    client.close()
"""


def raw(answer: str) -> str:
    """A server of one function; it does not set SO_REUSEADDR."""
    return "def answer(client):\n" + textwrap.indent(textwrap.dedent(answer), "    ") + RAW


class ProbeContract:
    """Calls give values, servers give responses, and neither can give more than that."""

    @staticmethod
    def call(opened: Sandbox, function: str, *arguments: object, **options: Any) -> Observation:
        """Call a function of the module ``calls``."""
        encoded = tuple(encode(argument) for argument in arguments)
        probe = CallProbe(id="p", module="calls", function=function, arguments=encoded, **options)
        (seen,) = opened.run([probe])
        return seen

    @staticmethod
    def serve(opened: Sandbox, code: str, *requests: HttpRequest, **options: Any) -> Observation:
        """Start a server and send it requests."""
        argv = ("python3", "-c", code)
        (seen,) = opened.run([HttpProbe(id="p", argv=argv, requests=requests or (HttpRequest(),), **options)])
        return seen

    def test_values_go_in_and_come_out_exactly(self, opened: Sandbox) -> None:
        """DEC-08."""
        value: list[object] = [None, True, 0, -1, 2**53, "é\ud800", b"\0", 0.1, float("inf"), (1, [2]), {1: {"a": ()}}]
        seen = self.call(opened, "echo", *value, keywords={"k": encode({1, 2}), "f": encode(frozenset({"x"}))})
        assert isinstance(seen.value, Returned), (seen.value, seen.stderr.head)
        assert decode(seen.value.value) == [value, {"k": {1, 2}, "f": frozenset({"x"})}]
        seen = self.call(opened, "kinds")
        assert isinstance(seen.value, Returned)
        assert seen.value.value == encode(
            {"n": None, "t": (1, b"\xff", -0.0, float("inf")), "s": {1, 2, 3}, "big": -(2**80), 7: "\ud800"}
        )
        assert (seen.outcome, seen.exit_code) == ("exited", 0)

    @pytest.mark.parametrize(
        ("function", "value"), [("always", 41), ("sly", "wrong"), ("nan", float("nan")), ("prints", 41), ("reads", "")]
    )
    def test_a_value_is_plain_data(self, opened: Sandbox, function: str, value: object) -> None:
        """An overloaded ``__eq__``, a subclass of int or str, a frame printed elsewhere: none of it matters."""
        seen = self.call(opened, function)
        assert seen.value == Returned(value=encode(value)), seen.stderr.head

    @pytest.mark.parametrize(
        ("function", "words"),
        [
            ("anything", "calls.Anything"),
            ("inside", "calls.Anything"),
            ("cyclic", "too deeply"),
            ("deep", "too deeply"),
            ("many", "more than"),
            ("large", "too large"),
            ("cut", "ended before"),
            ("twice", "something else than one frame"),
            ("noise", "something else than one frame"),
            ("lies", "something else than one frame"),
            ("verdict", "malformed"),
            ("nested", "malformed"),
        ],
    )
    def test_what_is_no_value_is_none(self, opened: Sandbox, function: str, words: str) -> None:
        """Law 3: it says so, and the next call is as if there had been none."""
        seen = self.call(opened, function)
        assert isinstance(seen.value, Unreadable), seen.value
        assert words in seen.value.reason
        assert self.call(opened, "counts").value == Returned(value=1)

    def test_forging_a_value_is_no_more_than_returning_it(self, opened: Sandbox) -> None:
        """DEC-08: and side facts are not the candidate's to give."""
        seen = self.call(opened, "forges")
        assert (seen.value, seen.outcome, seen.exit_code) == (Returned(value=42), "exited", 0)

    @pytest.mark.parametrize(
        ("function", "stage", "kind", "length"),
        [
            ("raises", "call", "KeyError", 1_000),
            ("says", "call", "calls.Unprintable", 0),
            ("leaves", "call", "SystemExit", 1),
            ("absent", "import", "AttributeError", None),
        ],
    )
    def test_an_exception_is_a_value_of_its_own(
        self, opened: Sandbox, function: str, stage: str, kind: str, length: int | None
    ) -> None:
        """Its type and a bounded message."""
        seen = self.call(opened, function)
        assert isinstance(seen.value, Raised), seen.value
        assert (seen.value.stage, seen.value.type) == (stage, kind)
        assert length is None or len(seen.value.message) == length

    def test_a_child_that_holds_the_pipe_holds_nothing_up(self, opened: Sandbox) -> None:
        """No end of file is waited for while it lives."""
        seen = self.call(opened, "holds")
        assert seen.value == Returned(value=41)
        assert seen.timing.wall_ms < 10_000

    def test_limits_hold_for_calls(self, opened: Sandbox) -> None:
        """The limit is the outcome; there is no value."""
        seen = self.call(opened, "hangs", wall_ms=500)
        assert seen.outcome == "limit"
        assert isinstance(seen.value, Unreadable)
        assert self.call(opened, "unbounded").outcome in ("limit", "exited")  # MemoryError may come first

    def test_requests_are_answered_in_order(self, opened: Sandbox) -> None:
        """Status, headers, body; the files that the server wrote."""
        seen = self.serve(
            opened,
            SERVER,
            HttpRequest(target="/a?b", headers=(("X-Mine", "1"),)),
            HttpRequest(method="POST", body=b"\0\xffabc"),
            HttpRequest(method="HEAD", target="/head"),
            HttpRequest(method="PUT"),
        )
        assert (seen.outcome, seen.exit_code, seen.signal) == ("stopped", None, None), seen.stderr.head
        assert [(r.fault, r.status, r.body) for r in seen.responses[:3]] == [
            (None, 200, b"/a?b 1"),
            (None, 201, b"cba\xff\0"),
            (None, 200, b""),
        ]
        assert seen.responses[3].status == 501
        assert ("Content-Length", "6") in seen.responses[0].headers
        assert [(file.path, file.content) for file in seen.files] == [("posted", b"\0\xffabc")]

    @pytest.mark.parametrize(
        ("answer", "fault", "body"),
        [
            ("client.sendall(b'HTTP/1.1 200 OK\\r\\n\\r\\nall')", None, b"all"),
            ("client.sendall(b'HTTP/1.1 200 OK\\r\\n' + CHUNKED)", None, b"ab"),
            ("client.sendall(b'HTTP/1.1 200 OK\\r\\nContent-Length: 2\\r\\n\\r\\nab'); time.sleep(60)", None, b"ab"),
            ("client.sendall(b'HTTP/1.1 200 OK\\r\\nContent-Length: 9\\r\\n\\r\\nab')", "unfinished", b""),
            ("client.sendall(b'HTTP/1.1 200 OK\\r\\n\\r\\nab'); time.sleep(60)", "unfinished", b"ab"),
            ("while True: client.sendall(b'x'); time.sleep(0.01)", "malformed", b""),
            ("pass", "unfinished", b""),
            ("time.sleep(60)", "unfinished", b""),
            ("client.sendall(b'\\0garbage\\r\\n\\r\\n')", "malformed", b""),
            ("client.sendall(b'HTTP/1.1 200 OK\\r\\n\\r\\n' + b'x' * 200_000)", "too_large", b""),
        ],
    )  # fmt: skip
    def test_a_response_is_whole_or_says_why_not(
        self, opened: Sandbox, answer: str, fault: str | None, body: bytes
    ) -> None:
        """A server that never answers, answers without end, closes, or says something else."""
        seen = self.serve(opened, raw(answer), answer_ms=400)
        assert [(response.fault, response.body) for response in seen.responses] == [(fault, body)], seen.stderr.head
        assert seen.outcome == "stopped"

    def test_a_server_that_never_listens_is_bounded(self, opened: Sandbox) -> None:
        """SCN-16."""
        seen = self.serve(opened, "import time; time.sleep(600)", *[HttpRequest()] * 50, ready_ms=200)
        assert [response.fault for response in seen.responses] == ["not_connected"] * 50
        assert seen.outcome == "stopped"
        assert seen.timing.wall_ms < 5_000

    def test_a_server_that_ends_is_a_program_that_ended(self, opened: Sandbox) -> None:
        """It was not stopped, and has an exit status."""
        seen = self.serve(opened, "import sys; print('no'); sys.exit(3)", HttpRequest(), HttpRequest())
        assert (seen.outcome, seen.exit_code, seen.stdout.head) == ("exited", 3, b"no\n")
        assert [response.fault for response in seen.responses] == ["not_connected"] * 2

    def test_an_answer_without_end_ends_at_the_output_limit(self, opened: Sandbox) -> None:
        """SCN-15."""
        seen = self.serve(opened, raw("while True: client.sendall(b'x' * 65536)"))
        assert seen.outcome == "limit"
        assert seen.limit is not None
        assert seen.limit.name == "output_bytes"
        assert [response.fault for response in seen.responses] == ["too_large"]

    def test_the_port_is_free_for_the_next_server(self, opened: Sandbox) -> None:
        """DEC-04: nothing of the last one holds it, though this server sets no SO_REUSEADDR and closes first."""
        code = raw("client.sendall(b'HTTP/1.1 200 OK\\r\\n\\r\\n')")
        for _ in range(3):
            seen = self.serve(opened, code, HttpRequest(), HttpRequest())
            assert [response.status for response in seen.responses] == [200, 200], seen.stderr.head
