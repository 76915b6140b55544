"""Prefect's settings, the choice of an engine, and how a live server is found (PRE-01 to PRE-05, DEC-12)."""

from __future__ import annotations

import os
import socket
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import pytest

from flows import choice, prefect_settings, serving
from flows.cli import running
from flows.local_server import local_server
from tasks.errors import InfrastructureError, UsageError

API = "http://127.0.0.1:4280/api"


def test_an_api_meant_for_others_is_dropped_with_its_credentials() -> None:
    mine = {"PREFECT_API_URL": "https://cloud/api", "PREFECT_API_KEY": "k", "PREFECT_PROFILE": "p", "DO_NOT_TRACK": "0"}
    prefect_settings.apply(API, mine)
    assert mine["PREFECT_API_URL"] == API
    assert not {"PREFECT_API_KEY", "PREFECT_PROFILE", "PREFECT_API_AUTH_STRING"} & mine.keys()
    assert mine["DO_NOT_TRACK"] == "0"  # by default only
    assert mine["PREFECT_SERVER_ANALYTICS_ENABLED"] == "false"
    assert Path(mine["PREFECT_HOME"]).is_relative_to(os.environ["XDG_STATE_HOME"])


def test_credentials_are_kept_for_the_api_that_was_named_for_forge() -> None:
    mine = {"FORGE_PREFECT_API_URL": API, "PREFECT_API_KEY": "k"}
    prefect_settings.apply(API, mine)
    assert mine["PREFECT_API_KEY"] == "k"


def test_a_worker_keeps_the_api_that_it_was_started_for() -> None:
    mine = {"PREFECT_API_URL": "http://server/api", "PREFECT_API_KEY": "k"}
    prefect_settings.apply(None, mine)
    assert (mine["PREFECT_API_URL"], mine["PREFECT_API_KEY"]) == ("http://server/api", "k")
    assert mine["PYTHONSAFEPATH"] == "1"


def test_inline_unless_something_was_meant_for_forge(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PREFECT_API_URL", "https://cloud/api")
    assert choice.choose(None) == choice.Choice("inline")
    monkeypatch.setenv(choice.VARIABLE, API)
    assert choice.choose(None) == choice.Choice("prefect", API)
    assert choice.choose("inline") == choice.Choice("inline")
    monkeypatch.setenv(choice.VARIABLE, "")
    with pytest.raises(UsageError, match="is empty"):
        choice.choose(None)


def test_without_prefect_one_line_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(choice, "find_spec", lambda _name: None)
    with pytest.raises(UsageError, match=r"bootstrap\.py --full"):
        choice.choose("prefect")
    assert choice.choose(None).engine == "inline"


def test_a_live_server_is_found_and_there_is_one() -> None:
    assert serving.live_server() is None
    with serving.claimed() as descriptor:
        assert serving.live_server() is None  # not announced yet
        serving.announce(descriptor, API)
        assert serving.live_server() == API
        assert choice.choose(None) == choice.Choice("prefect", API)
        with pytest.raises(UsageError, match="running already"), serving.claimed():
            pass
    assert serving.live_server() is None


@pytest.mark.parametrize("left", ["", "{", "[]", '{"api": 3}', '{"pid": 1}', f'{{"api": "{API}", "pid": 1}}'])
def test_what_a_dead_server_left_is_not_believed(left: str) -> None:
    serving.state_file().write_text(left)
    assert serving.live_server() is None
    with serving.claimed():  # a new one has just begun: it has not said yet where it is
        assert serving.live_server() is None


def test_a_taken_port_is_a_usage_error() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        with pytest.raises(UsageError, match="cannot be used"), local_server(taken.getsockname()[1], "test"):
            pass


class Answer(BaseHTTPRequestHandler):
    """Answers every request with one status."""

    status = 200

    def do_GET(self) -> None:
        self.send_response(self.status)
        self.end_headers()

    def log_message(self, *_args: Any) -> None:
        pass


@pytest.fixture
def api() -> Iterator[str]:
    server = HTTPServer(("127.0.0.1", 0), Answer)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}/api"
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.mark.parametrize(("status", "there"), [(200, True), (401, True), (403, True), (404, False), (500, False)])
def test_an_api_is_asked_before_a_build_begins(
    api: str, monkeypatch: pytest.MonkeyPatch, status: int, there: bool
) -> None:
    monkeypatch.setattr(Answer, "status", status)
    if there:
        running.check_api(api)
    else:
        with pytest.raises(InfrastructureError, match="no Prefect API answers"):
            running.check_api(api)


@pytest.mark.parametrize(
    ("address", "kind"),
    [
        ("http://user:secret@127.0.0.1:9/api", InfrastructureError),
        ("file:///etc/passwd", UsageError),
        ("nonsense", UsageError),
        ("http://[::", UsageError),
        ("http://host:port/api", UsageError),
    ],
)
def test_no_api_is_one_line_without_the_password(address: str, kind: type[Exception]) -> None:
    with pytest.raises(kind) as error:
        running.check_api(address)
    assert "secret" not in str(error.value)
    assert "\n" not in str(error.value)
