"""Each fault of a server has one typed outcome, no word of the server's in it, and is sealed (ADP-02, ADP-08)."""

from __future__ import annotations

import json
import socket
from typing import Any

import pytest

from contracts.modelling import Price
from contracts.verdict import FailureSignature, Fault, fault_of
from tasks.errors import UsageError
from tasks.models import hosted
from tasks.models.base import ModelFault, UnusableAnswer
from tasks.models.hosted import Hosted
from tests.tasks.models.conftest import CANARY
from tests.tasks.models.servers import (
    anthropic_body,
    cut,
    google_body,
    hanging_up,
    huge,
    openai_body,
    saying,
    serving,
    slow,
)


@pytest.mark.parametrize(
    ("provider", "body"),
    [("openai", openai_body), ("anthropic", anthropic_body), ("google", google_body)],
)
def test_each_interface_gives_text_counts_and_the_reason_of_its_end(make, choose, question, provider, body):
    with serving(saying(body("hello"))) as server:
        url = server.url if provider == "openai" else server.url.removesuffix("/v1")
        answer = make().ask(question, choose(url, provider))
    (call,) = answer.calls
    assert answer.text == "hello"
    assert (call.tokens_in, call.tokens_out, call.finish_reason, call.error) == (100, 20, "stop", None)
    assert (call.provider, call.model, call.role, call.purpose) == (provider, "local", "coder", "attempt")
    sent = server.texts[0]
    assert "Be brief." in sent
    assert "Say hello." in sent
    assert CANARY in " ".join(server.headers[0].values())


def test_details_of_usage_are_kept_and_priced(make, choose, question):
    details = {
        "prompt_tokens_details": {"cached_tokens": 60},
        "completion_tokens_details": {"reasoning_tokens": 7},
    }
    prices = {"local": Price(input="2", output="10", cached="0.5")}
    with serving(saying(openai_body("hello", **details))) as server:
        (call,) = make(prices=prices).ask(question, choose(server.url)).calls
    assert (call.tokens_cached, call.tokens_reasoning) == (60, 7)
    assert call.cost == "0.00031"  # (40 * 2 + 60 * 0.5 + 20 * 10) / 1e6


def test_what_is_unknown_is_null_and_never_zero(make, choose, question):
    body = openai_body("hello")
    del body["usage"]
    with serving(saying(body)) as server:
        (call,) = make(prices={"local": Price(input="2", output="10")}).ask(question, choose(server.url)).calls
    assert (call.tokens_in, call.tokens_out, call.tokens_cached, call.tokens_reasoning) == (None,) * 4
    assert call.cost is None


BROKEN: dict[str, Any] = {
    "not JSON": b"{not json",
    "no object": b"[1, 2]",
    "nothing": b"",
    "null": b"null",
    "no choices": {"id": "x", "object": "chat.completion", "created": 1, "model": "m", "choices": []},
    "message is text": openai_body("x") | {"choices": [{"index": 0, "finish_reason": "stop", "message": "hello"}]},
    "content is a list": openai_body("x")
    | {"choices": [{"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": [1]}}]},
    "content is a number": openai_body("x")
    | {"choices": [{"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": 7}}]},
    "counts are text": openai_body("x", prompt_tokens="many"),
    "counts are negative": openai_body("x", prompt_tokens=-5),
    "counts are fractions": openai_body("x", completion_tokens=2.5),
    "usage is a list": openai_body("x") | {"usage": [1]},
    "empty and cut off": openai_body("", "length"),
    "cut off": openai_body("some text", "length"),
    "filtered": openai_body("some text", "content_filter"),
    "blank": openai_body(" \n"),
    "deep": b"[" * 100_000,
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_body_that_is_no_answer_is_an_unusable_answer(make, choose, question, name):
    with serving(saying(BROKEN[name])) as server, pytest.raises(ModelFault) as caught:
        make().ask(question, choose(server.url))
    fault = caught.value
    assert fault.signature is FailureSignature.UNUSABLE_ANSWER
    assert fault_of(fault.signature) is Fault.INFRASTRUCTURE
    (call,) = fault.calls
    assert call.error
    assert len(server.asked) == 1


def test_the_tokens_of_a_cut_off_answer_are_sealed(make, choose, question):
    cut_off = openai_body("", "length", completion_tokens=100)
    with serving(saying(cut_off)) as server, pytest.raises(UnusableAnswer, match="ended by length") as caught:
        make().ask(question, choose(server.url))
    (call,) = caught.value.calls
    assert (call.tokens_in, call.tokens_out, call.finish_reason) == (100, 100, "length")
    assert call.response is not None


def test_fifty_megabytes_are_not_read(make, choose, question):
    with serving(huge) as server, pytest.raises(UnusableAnswer, match="too long"):
        make().ask(question, choose(server.url))


def test_a_compressed_answer_is_not_unpacked(make, choose, question):
    with serving(saying(b"\x1f\x8b", Content_Encoding="gzip")) as server, pytest.raises(UnusableAnswer):
        make().ask(question, choose(server.url))
    assert server.headers[0]["accept-encoding"] == "identity"


def test_a_text_that_is_too_long_is_unusable(make, choose, question, monkeypatch):
    monkeypatch.setattr("tasks.models.client.TEXT_BYTES", 10)
    with serving(saying(openai_body("hello hello hello"))) as server, pytest.raises(UnusableAnswer, match="bytes"):
        make().ask(question, choose(server.url))


@pytest.mark.parametrize("act", [hanging_up, cut])
def test_a_broken_connection_is_tried_again_and_then_given_up(make, choose, question, waits, act):
    with serving(act) as server, pytest.raises(ModelFault) as caught:
        make(retries=2).ask(question, choose(server.url))
    assert caught.value.signature is FailureSignature.MODEL_UNAVAILABLE
    assert len(caught.value.calls) == len(server.asked) == 3
    assert waits == [1.0, 2.0]


def test_nobody_listens(make, choose, question):
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{free.getsockname()[1]}/v1"
        with pytest.raises(ModelFault, match="cannot be reached") as caught:
            make(retries=0).ask(question, choose(url))
    assert len(caught.value.calls) == 1


def test_an_outage_that_passes_costs_only_patience(make, choose, question, waits):
    with serving(saying(openai_body("hello")), saying({}, 503), hanging_up) as server:
        answer = make(retries=2).ask(question, choose(server.url))
    assert answer.text == "hello"
    assert [call.error is None for call in answer.calls] == [False, False, True]
    assert len(waits) == 2


def test_retry_after_is_heard_within_bounds(make, choose, question, waits):
    with serving(saying(openai_body("hello")), saying({}, 429, Retry_After="7")) as server:
        assert make().ask(question, choose(server.url)).text == "hello"
    assert waits == [7.0]
    with serving(saying({}, 429, Retry_After="86400")) as server, pytest.raises(ModelFault, match="status 429"):
        make().ask(question, choose(server.url))
    assert (waits, len(server.asked)) == ([7.0], 1)


@pytest.mark.parametrize("status", [400, 401, 403, 404])
def test_a_refusal_is_not_tried_again(make, choose, question, waits, status):
    body = {"error": {"message": f"the key {CANARY} is wrong", "type": "x", "code": "y"}}
    with serving(saying(body, status)) as server, pytest.raises(ModelFault, match=f"status {status}") as caught:
        make().ask(question, choose(server.url))
    assert (len(server.asked), waits) == (1, [])
    assert CANARY not in str(caught.value)
    assert caught.value.__cause__ is None


def test_a_redirection_is_not_followed_with_the_key(make, choose, question):
    with serving(saying(openai_body("hello"))) as other:
        away = saying(b"", 302, Location=f"{other.url}/chat/completions")
        with serving(away) as server, pytest.raises(ModelFault):
            make().ask(question, choose(server.url))
    assert other.asked == []


def test_a_slow_stream_ends_at_its_time(choose, question):
    with serving(slow) as server, pytest.raises(ModelFault, match=r"within 0\.3 s") as caught:
        Hosted().ask(question, choose(server.url), 0.3)
    assert caught.value.transient is False


def test_a_key_that_a_server_sends_back_is_removed(make, choose, question):
    with serving(saying(openai_body(f"your key is {CANARY}"))) as server:
        answer = make().ask(question, choose(server.url))
    assert answer.text == "your key is [key]"


def test_text_that_no_record_can_hold_is_replaced(make, choose, question):
    """ADP-17."""
    with serving(saying(json.dumps(openai_body("a\0b\ud800c")).encode())) as server:
        assert make().ask(question, choose(server.url)).text == "a\ufffdb\ufffdc"


def test_the_extra_is_named_where_it_is_missing(make, choose, question, monkeypatch):
    monkeypatch.setattr("importlib.util.find_spec", lambda _name: None)
    with pytest.raises(UsageError, match="extra `models`"):
        hosted.require_library()
