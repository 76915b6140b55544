"""A small S3 server of our own that breaks one promise at a time; ``honest`` breaks none and must be accepted."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import ClassVar

RACE_SECONDS = 0.3


class Hostile(ThreadingHTTPServer):
    """Keeps objects in memory. ``requests`` are the methods, paths and headers that came."""

    daemon_threads = True

    def __init__(self, vice: str) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.vice = vice
        self.objects: dict[str, bytes] = {}
        self.lock = threading.Lock()
        self.requests: list[tuple[str, str, dict[str, str]]] = []
        self.conflicts = 0
        self.breaks = 0

    @property
    def endpoint(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"


@contextmanager
def hostile(vice: str) -> Iterator[Hostile]:
    server = Hostile(vice)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: Hostile
    codes: ClassVar = {404: "NoSuchKey", 409: "ConditionalRequestConflict", 412: "PreconditionFailed", 500: "Oops"}

    def do_PUT(self) -> None:
        server, data = self.server, self.rfile.read(int(self.headers["Content-Length"]))
        server.requests.append(("PUT", self.path, {name.lower(): value for name, value in self.headers.items()}))
        if server.conflicts:
            server.conflicts -= 1
            self.answer(409)
            return
        conditional = self.headers.get("If-None-Match") == "*" and server.vice != "ignores conditions"
        if server.vice == "checks and then writes":
            taken = self.path in server.objects
            threading.Event().wait(RACE_SECONDS if not taken else 0)
            if not taken:
                server.objects[self.path] = data
        else:
            with server.lock:
                taken = self.path in server.objects
                if not taken or not conditional or server.vice == "refuses and replaces":
                    server.objects[self.path] = data
        self.answer(412 if conditional and taken else 200)

    def do_GET(self) -> None:
        server = self.server
        server.requests.append(("GET", self.path, {}))
        if server.vice == "repeats the key":
            self.answer(403, f"{self.headers['Authorization']} is not allowed")
            return
        data = server.objects.get(self.path)
        if data is None:
            self.answer(404)
            return
        self.send_response(200)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        if server.breaks:
            server.breaks -= 1
            self.wfile.write(data[: len(data) // 2])
            self.close_connection = True
            return
        self.wfile.write(data)

    def do_HEAD(self) -> None:
        self.send_response(200 if self.path in self.server.objects else 404)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def do_DELETE(self) -> None:
        self.server.objects.pop(self.path, None)
        self.send_response(204)
        self.end_headers()

    def answer(self, status: int, words: str = "") -> None:
        body = b"" if status == 200 else f"<Error><Code>{self.codes.get(status)}</Code></Error>".encode()
        if words:
            body = f"<Error><Code>AccessDenied</Code><Message>{words}</Message></Error>".encode()
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *arguments: object) -> None:
        """Silent."""
