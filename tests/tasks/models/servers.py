"""Servers of model providers on the loopback: the three interfaces, with every fault that a server can show."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Body = dict[str, Any]
Act = Callable[["Handler", Body], None]
"""What a server does with one request."""


@dataclass
class Server:
    """What was asked, and what comes next: ``acts`` in turn, then ``act`` for ever."""

    url: str = ""
    act: Act | None = None
    acts: list[Act] = field(default_factory=list)
    asked: list[Body] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)
    ended: threading.Event = field(default_factory=threading.Event)

    @property
    def texts(self) -> list[str]:
        """Everything that was sent, request by request."""
        return [json.dumps(body, ensure_ascii=False) for body in self.asked]


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    known: Server

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.known.asked.append(body)
        self.known.headers.append({name.lower(): value for name, value in self.headers.items()})
        act = self.known.acts.pop(0) if self.known.acts else self.known.act
        assert act is not None, "one request more than the test expects"
        act(self, body)

    def send(self, status: int, data: bytes, **headers: str) -> None:
        self.send_response(status)
        for name, value in {"Content-Type": "application/json", "Content-Length": str(len(data)), **headers}.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *_args: Any) -> None:
        """Nothing on standard error."""


class _Quiet(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, *_args: Any) -> None:
        """Clients hang up in these tests."""


@contextmanager
def serving(act: Act | None = None, *acts: Act) -> Iterator[Server]:
    known = Server(act=act, acts=list(acts))
    handler = type("Known", (Handler,), {"known": known})
    with _Quiet(("127.0.0.1", 0), handler) as server:
        known.url = f"http://127.0.0.1:{server.server_port}/v1"
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield known
        finally:
            known.ended.set()
            server.shutdown()
            thread.join()


def openai_body(text: str, finish: str = "stop", **usage: Any) -> Body:
    counted = {"prompt_tokens": 100, "completion_tokens": 20, "total_tokens": 120} | usage
    message = {"role": "assistant", "content": text}
    choice = {"index": 0, "finish_reason": finish, "message": message}
    return {
        "id": "x",
        "object": "chat.completion",
        "created": 1,
        "model": "local",
        "choices": [choice],
        "usage": counted,
    }


def anthropic_body(text: str, finish: str = "end_turn", **usage: Any) -> Body:
    return {
        "id": "x",
        "type": "message",
        "role": "assistant",
        "model": "local",
        "content": [{"type": "text", "text": text}],
        "stop_reason": finish,
        "stop_sequence": None,
        "usage": {"input_tokens": 100, "output_tokens": 20} | usage,
    }


def google_body(text: str, finish: str = "STOP") -> Body:
    content = {"role": "model", "parts": [{"text": text}]}
    return {
        "candidates": [{"content": content, "finishReason": finish, "index": 0}],
        "usageMetadata": {"promptTokenCount": 100, "candidatesTokenCount": 20, "totalTokenCount": 120},
        "modelVersion": "local",
        "responseId": "x",
    }


def saying(body: Body | bytes, status: int = 200, **headers: str) -> Act:
    data = body if isinstance(body, bytes) else json.dumps(body).encode()
    return lambda handler, _asked: handler.send(status, data, **headers)


def answering(write: Callable[[Body], str | Act]) -> Act:
    """An OpenAI-compatible answer made of what is asked, or another act in its place."""

    def act(handler: Handler, asked: Body) -> None:
        answer = write(asked)
        (saying(openai_body(answer)) if isinstance(answer, str) else answer)(handler, asked)

    return act


def hanging_up(handler: Handler, _asked: Body) -> None:
    handler.close_connection = True
    handler.connection.close()


def cut(handler: Handler, _asked: Body) -> None:
    """A body that ends before its length."""
    data = json.dumps(openai_body("x")).encode()
    handler.send_response(200)
    handler.send_header("Content-Type", "application/json")
    handler.send_header("Content-Length", str(len(data) + 1_000))
    handler.end_headers()
    handler.wfile.write(data)
    hanging_up(handler, _asked)


def slow(handler: Handler, _asked: Body) -> None:
    """A body that does not come to its end."""
    handler.send_response(200)
    handler.send_header("Content-Type", "application/json")
    handler.send_header("Content-Length", "1000000")
    handler.end_headers()
    while not handler.known.ended.wait(0.02):
        handler.wfile.write(b" ")
        handler.wfile.flush()


def huge(handler: Handler, _asked: Body) -> None:
    """Fifty megabytes, offered piece by piece; who reads to the end has lost."""
    handler.send_response(200)
    handler.send_header("Content-Type", "application/json")
    handler.send_header("Content-Length", str(50_000_000))
    handler.end_headers()
    for _ in range(50):
        handler.wfile.write(b'"' + b"x" * 999_999)
