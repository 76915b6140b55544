"""Budgets, saved exchanges and keys: what a call may cost, what is replayed, what is sent where (ADP-02 to ADP-07)."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from contracts.calls import usage_of
from contracts.canonical import digest
from contracts.isolation import SandboxPolicy
from contracts.modelling import Budget, ModelChoice, ModelSettings, Price
from contracts.verdict import FailureSignature, Fault, fault_of
from tasks.errors import InfrastructureError, UsageError
from tasks.evidence.store import DirectoryStore
from tasks.models.adviser import ModelAdviser
from tasks.models.base import Brief, BudgetExhausted, ModelFault, calls_of
from tasks.models.exchanges import Cached
from tasks.models.keys import NO_KEY, OWN, key
from tasks.models.meter import tokens
from tests.tasks.models.servers import openai_body, saying, serving

HELLO = saying(openai_body("hello"))


def test_tokens_are_reckoned_high_and_grow_with_the_text():
    assert tokens("") == 0
    assert tokens("word count") == 4
    assert tokens("é" * 30) == 20


@pytest.mark.parametrize("where", ["run", "role"])
def test_a_budget_of_tokens_refuses_the_call_that_could_exceed_it(make, role, choose, question, where):
    """Planted: without the check the second call would be made."""
    with serving(HELLO) as server:
        choice = choose(server.url)
        budget = Budget(tokens=215)
        settings = {"budget": budget} if where == "run" else {"coder": role(choice, budget=budget)}
        client = make(**settings)
        assert client.ask(question, choice).text == "hello"
        with pytest.raises(BudgetExhausted, match="120 are spent") as caught:
            client.ask(replace(question, attempt=1), choice)
        assert len(server.asked) == 1
    assert caught.value.signature is FailureSignature.BUDGET_EXHAUSTED
    assert fault_of(caught.value.signature) is Fault.INFRASTRUCTURE
    assert caught.value.calls == ()


def test_the_calls_before_count_and_other_roles_only_for_the_run(make, role, choose, question):
    with serving(HELLO) as server:
        choice = choose(server.url)
        (call,) = make().ask(question, choice).calls
        with pytest.raises(BudgetExhausted):
            make(before=[call], budget=Budget(tokens=215)).ask(replace(question, attempt=1), choice)
        reader = replace(question, role="reader")
        own = make(before=[call], reader=role(choice, budget=Budget(tokens=215)))
        assert own.ask(reader, choice).text == "hello"


def test_a_budget_of_tokens_is_not_held_blindly(make, choose, question):
    """A provider that counts nothing could spend for ever."""
    body = openai_body("hello")
    del body["usage"]
    with serving(saying(body)) as server:
        client = make(budget=Budget(tokens=100_000))
        client.ask(question, choose(server.url))
        with pytest.raises(BudgetExhausted, match="does not count"):
            client.ask(replace(question, attempt=1), choose(server.url))


def test_a_budget_of_money(make, choose, question):
    prices = {"local": Price(input="1000", output="1000")}  # a call costs 0.12, and could cost 0.108 and more
    with serving(HELLO) as server:
        client = make(prices=prices, budget=Budget(money="0.2"))
        assert client.ask(question, choose(server.url)).calls[0].cost == "0.12"
        with pytest.raises(BudgetExhausted, match=r"0\.12 is spent"):
            client.ask(replace(question, attempt=1), choose(server.url))
        with pytest.raises(BudgetExhausted, match="not known"):
            make(budget=Budget(money="5")).ask(question, choose(server.url))
    assert len(server.asked) == 1


def test_a_budget_of_time_counts_the_waiting_for_answers(make, choose, question):
    with serving(HELLO) as server:
        (call,) = make().ask(question, choose(server.url)).calls
        late = call.model_copy(update={"duration_ms": 5_000})
        with pytest.raises(BudgetExhausted, match="5 s"):
            make(before=[late], budget=Budget(seconds=5)).ask(question, choose(server.url))


def test_every_call_is_sealed_with_what_was_asked_and_answered(make, choose, question, tmp_path):
    with serving(HELLO) as server:
        (call,) = make().ask(question, choose(server.url)).calls
    store = DirectoryStore(tmp_path / "store")
    asked = json.loads(store.get(call.request))
    assert asked["question"]["prompt"] == "Say hello."
    assert call.response == digest(b"hello")
    assert store.get(call.response) == b"hello"


def test_an_interruption_carries_the_calls_that_were_made(make, choose, question, monkeypatch):
    def interrupted(*_args: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("tasks.models.hosted.Hosted.ask", interrupted)
    with pytest.raises(KeyboardInterrupt) as caught:
        make().ask(question, choose("http://127.0.0.1:9/v1"))
    (call,) = calls_of(caught.value)
    assert call.error == "ended by KeyboardInterrupt"


def test_what_is_recorded_is_replayed_byte_for_byte_without_a_server(make, choose, question, tmp_path):
    folder = tmp_path / "exchanges"
    text = "hello\r\n\ttab \u2028 end"
    with serving(saying(openai_body(text))) as server:
        first = make(exchanges=str(folder), save=True).ask(question, choose(server.url))
        again = make(exchanges=str(folder), save=True).ask(question, choose(server.url))
        assert len(server.asked) == 1
    nobody = ModelChoice(provider="recorded", model="saved exchanges")
    replayed = make(exchanges=str(folder)).ask(question, nobody)
    assert first.text == again.text == replayed.text == text
    (call,) = replayed.calls
    assert (call.provider, call.model, call.tokens_in, call.cost) == ("recorded", "openai/local", 100, "0")
    assert call.response == first.calls[0].response


@pytest.mark.parametrize("field", ["prompt", "system", "purpose", "attempt", "role", "output_tokens"])
def test_another_question_is_not_answered_by_a_saved_exchange(make, choose, question, tmp_path, field):
    folder = tmp_path / "exchanges"
    with serving(HELLO) as server:
        make(exchanges=str(folder), save=True).ask(question, choose(server.url))
    other = {"prompt": "x", "system": "x", "purpose": "x", "attempt": 3, "role": "reader", "output_tokens": 99}
    nobody = ModelChoice(provider="recorded", model="saved exchanges")
    with pytest.raises(ModelFault, match="no saved exchange"):
        make(exchanges=str(folder)).ask(replace(question, **{field: other[field]}), nobody)


@pytest.mark.parametrize("change", ["text", "prompt", "garbage", "spelling"])
def test_a_saved_exchange_that_was_changed_is_refused(make, choose, question, tmp_path, change):
    """Law 7: what was asked is checked by its digest; the record has that of the answer."""
    folder = tmp_path / "exchanges"
    with serving(HELLO) as server:
        make(exchanges=str(folder), save=True).ask(question, choose(server.url))
    (path,) = folder.iterdir()
    document = json.loads(path.read_bytes())
    path.chmod(0o644)
    if change == "garbage":
        path.write_bytes(b"{")
    elif change == "spelling":
        path.write_text(json.dumps(document))
    elif change == "prompt":
        path.write_text(json.dumps(document | {"prompt": "Say goodbye."}, sort_keys=True, separators=(",", ":")))
    else:
        path.write_text(json.dumps(document | {"text": 7}, sort_keys=True, separators=(",", ":")))
    with pytest.raises(InfrastructureError, match="saved exchange"):
        make(exchanges=str(folder)).ask(question, choose("http://127.0.0.1:9/v1"))


def test_the_cache_is_by_contract_and_model(choose, question, tmp_path):
    store, choice = DirectoryStore(tmp_path), choose("http://127.0.0.1:9/v1")
    names = {
        Cached(store, contract, model).name(question.digest())
        for contract in (digest(b"a"), digest(b"b"))
        for model in (choice, choice.model_copy(update={"model": "other"}))
    }
    assert len(names) == 4


def test_each_key_goes_to_its_own_address(monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "of-openai")
    monkeypatch.setenv("NEBIUS_API_KEY", "of-nebius")
    own = ModelChoice(provider="openai", model="m")
    assert key(own) == "of-openai"
    assert key(own.model_copy(update={"base_url": "https://api.tokenfactory.nebius.com/v1"})) == "of-nebius"
    monkeypatch.delenv(OWN)
    assert key(own.model_copy(update={"base_url": "http://127.0.0.1:11434/v1"})) == NO_KEY
    with pytest.raises(UsageError, match="ANTHROPIC_API_KEY"):
        key(ModelChoice(provider="anthropic", model="m"))


@pytest.mark.parametrize("value", ["", "  ", "a\nb", "schlüssel"])
def test_a_key_that_is_none_is_refused_and_not_shown(monkeypatch, value):
    monkeypatch.setenv("OPENAI_API_KEY", value)
    with pytest.raises(UsageError, match="OPENAI_API_KEY is set, and is no key"):
        key(ModelChoice(provider="openai", model="m"))


def test_a_key_does_not_cross_a_network_in_the_clear(monkeypatch):
    monkeypatch.setenv(OWN, "secret-secret")
    with pytest.raises(UsageError, match="http://") as caught:
        key(ModelChoice(provider="openai", model="m", base_url="http://models.example/v1"))
    assert "secret" not in str(caught.value)


@pytest.mark.parametrize("model", ["", " ", "a\nb", "\ud800", "x" * 201, "modèle", 7, None, False])
def test_adp_04_a_model_is_a_plain_name(model):
    with pytest.raises(ValueError, match="model"):
        ModelChoice(provider="openai", model=model)


@pytest.mark.parametrize("seconds", [0, -1, 3_601, True, "ten", 2.5, float("inf")])
def test_adp_05_the_time_limit_is_a_whole_number_within_bounds(seconds):
    with pytest.raises(ValueError, match="timeout_s"):
        ModelSettings(timeout_s=seconds)


def test_an_adviser_proposes_explains_and_counts(role, choose, tmp_path):
    brief = Brief("Mend it.", {"main.py": "x = 1\n"}, ["check a fails \udcff"], ["it did not apply"], attempt=2)
    with serving(HELLO) as server:
        filled = role(choose(server.url))
        models = ModelSettings(coder=filled, explainer=filled)
        adviser = ModelAdviser(models, SandboxPolicy(), DirectoryStore(tmp_path))
        answers = [adviser.propose(brief), adviser.explain(brief)]
    assert adviser.name == "openai/local"
    assert [(answer.calls[0].role, answer.calls[0].attempt) for answer in answers] == [("coder", 2), ("explainer", 2)]
    for words in ("Mend it.", "x = 1", "check a fails", "it did not apply"):
        assert words in server.asked[0]["messages"][1]["content"]
    usage = usage_of([call for answer in answers for call in answer.calls])
    assert usage is not None
    assert usage.tokens_in == 200


@pytest.mark.parametrize(
    "change",
    [{"task": 7}, {"files": ["main.py"]}, {"files": {"main.py": b"x"}}, {"failures": "all"}, {"attempt": True}],
)
def test_adp_10_a_brief_of_other_types_is_refused_before_anything_is_paid(role, choose, tmp_path, change):
    brief = replace(Brief("Mend it.", {}, []), **change)
    with serving(HELLO) as server:
        models = ModelSettings(coder=role(choose(server.url)))
        with pytest.raises(ValueError, match="brief"):
            ModelAdviser(models, SandboxPolicy(), DirectoryStore(tmp_path)).propose(brief)
    assert server.asked == []
