"""The settings of models: what is empty or unknown is refused, and nothing that is paid is chosen by accident."""

from __future__ import annotations

from pathlib import Path

import pytest

from contracts.modelling import ModelSettings
from flows.model_options import PAIRS, Options, model_settings
from flows.models import check_models
from tasks.errors import UsageError

LOCAL = "http://127.0.0.1:9/v1"
VARIABLES = ("FORGE_PROVIDER", "FORGE_MODEL", "FORGE_READER_MODEL", "FORGE_BASE_URL", "FORGE_MODELS")


@pytest.fixture(autouse=True)
def bare(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in (*VARIABLES, "OPENAI_API_KEY", "ANTHROPIC_API_KEY", "GOOGLE_API_KEY", "FORGE_MODEL_KEY"):
        monkeypatch.delenv(name, raising=False)


def made(**given: object) -> ModelSettings:
    settings = model_settings(Options(**given))  # type: ignore[arg-type]  # the tests give what people give
    assert settings is not None
    return settings


def names(settings: ModelSettings) -> tuple[str, ...]:
    assert settings.coder is not None
    assert settings.reader is not None
    return tuple(choice.model for role in (settings.coder, settings.reader) for choice in role.models)


def test_without_a_provider_the_answers_are_scripted(monkeypatch):
    assert model_settings(Options()) is None
    assert model_settings(Options(provider="scripted")) is None
    monkeypatch.setenv("FORGE_MODEL", "m")  # a name alone selects nobody who is paid
    assert model_settings(Options()) is None


@pytest.mark.parametrize("name", ["", " ", "nobody", "OpenAI", "mock", "judge"])
def test_adp_18_an_unknown_provider_is_refused(name, monkeypatch):
    with pytest.raises(UsageError, match="provider"):
        model_settings(Options(provider=name))
    monkeypatch.setenv("FORGE_PROVIDER", name)
    with pytest.raises(UsageError, match=r"provider|FORGE_PROVIDER"):
        model_settings(Options())


@pytest.mark.parametrize("provider", PAIRS)
def test_coder_and_reader_are_different_models_by_default(provider):
    assert names(made(provider=provider)) == PAIRS[provider]
    for model in PAIRS[provider]:
        coder, reader = names(made(provider=provider, model=model))
        assert coder == model != reader


def test_a_formaliser_is_asked_only_where_the_file_speaks_of_it():
    assert made(provider="openai").formaliser is None
    assert made(provider="openai").explainer is not None


def test_at_an_address_of_ones_own_both_are_named():
    with pytest.raises(UsageError, match="--model"):
        made(provider="openai", base_url=LOCAL)
    with pytest.raises(UsageError, match="--reader-model"):
        made(provider="openai", base_url=LOCAL, model="m")
    assert names(made(provider="openai", base_url=LOCAL, model="m", readers=["m"])) == ("m", "m")


def test_adp_03_an_option_goes_before_the_environment_and_that_before_the_file(tmp_path, monkeypatch):
    file = tmp_path / "models.toml"
    file.write_text(f'provider = "openai"\nmodel = "of-file"\nreader_models = ["r1", "r2"]\nbase_url = "{LOCAL}"\n')
    assert names(made(file=str(file))) == ("of-file", "r1", "r2")
    monkeypatch.setenv("FORGE_MODELS", str(file))
    monkeypatch.setenv("FORGE_MODEL", "of-environment")
    monkeypatch.setenv("FORGE_READER_MODEL", "r3 r4")
    assert names(made()) == ("of-environment", "r3", "r4")
    assert names(made(model="of-option", readers=["r5"])) == ("of-option", "r5")


@pytest.mark.parametrize("name", VARIABLES)
def test_adp_03_an_empty_variable_is_an_error_and_never_a_default(name, monkeypatch):
    monkeypatch.setenv(name, "")
    with pytest.raises(UsageError, match=name):
        made(provider="openai")


@pytest.mark.parametrize(
    "given",
    [
        {"model": ""},
        {"model": "a\nb"},
        {"model": "x" * 201},
        {"readers": [""]},
        {"base_url": ""},
        {"base_url": "ftp://x"},
        {"base_url": "http://a b"},
        {"file": ""},
        {"budget": {"tokens": "-1"}},
        {"budget": {"tokens": "1e3"}},
        {"budget": {"tokens": "٣"}},
        {"budget": {"money": "much"}},
        {"budget": {"hours": "1"}},
        {"exchanges": "a", "record": "b"},
    ],
)
def test_what_cannot_be_meant_is_refused(given):
    with pytest.raises(UsageError):
        made(provider="openai", **given)


@pytest.mark.parametrize(
    "given", [{"model": "m"}, {"readers": ["m"]}, {"base_url": LOCAL}, {"record": "d"}, {"budget": {"tokens": "1"}}]
)
def test_an_option_that_would_do_nothing_is_refused(given):
    with pytest.raises(UsageError, match="--provider"):
        model_settings(Options(**given))
    with pytest.raises(UsageError, match="scripted asks no model"):
        model_settings(Options(provider="scripted", **given))


FILE = """
provider = "openai"
model = "c"
reader_models = ["r"]
timeout_s = 20
retries = 0
readings = 3

[budget]
tokens = 50000
money = 0.5

[prices.c]
input = 3
output = "15.00"
cached = 0.30

[coder]
output_tokens = 4000
budget = { seconds = 60 }

[reader]
provider = "anthropic"
models = ["q", "s"]

[explainer]
provider = "scripted"
"""


def test_a_file_says_all_there_is_to_say(tmp_path):
    (tmp_path / "prompt.md").write_text("My own prompt.")
    file = tmp_path / "models.toml"
    file.write_text(FILE + f'\n[formaliser]\nprompt = "{tmp_path}/prompt.md"\n')
    found = made(file=str(file), budget={"money": "0.25"})
    assert names(found) == ("c", "q", "s")
    assert found.reader is not None
    assert {choice.provider for choice in found.reader.models} == {"anthropic"}
    assert (found.timeout_s, found.retries, found.readings) == (20, 0, 3)
    assert (found.budget.tokens, found.budget.money) == (50_000, "0.25")
    assert found.prices["c"].document() == {"input": "3", "output": "15", "cached": "0.3"}
    assert found.coder is not None
    assert (found.coder.output_tokens, found.coder.budget.seconds) == (4_000, 60)
    assert found.explainer is None
    assert found.formaliser is not None
    assert found.formaliser.prompt == "My own prompt."


@pytest.mark.parametrize(
    "text",
    [
        'provider = "openai"\nunknown = 1\n',
        'provider = "openai"\n[coder]\nkey = "sk-1"\n',
        'provider = "openai"\ntimeout_s = 0\n',
        'provider = "openai"\ntimeout_s = true\n',
        'provider = "openai"\ntimeout_s = "ten"\n',
        'provider = "openai"\n[prices.m]\ninput = -1\noutput = 1\n',
        'provider = "openai"\n[coder]\nprompt = "missing"\n',
        'provider = "openai"\n[reader]\nprovider = "nobody"\n',
        "provider =",
        "provider = 7",
    ],
)
def test_a_file_with_a_mistake_is_refused_with_one_line(text, tmp_path):
    file = tmp_path / "models.toml"
    file.write_text(text)
    with pytest.raises(UsageError) as caught:
        made(file=str(file))
    assert "\n" not in str(caught.value).strip()


def test_a_missing_key_is_found_before_any_work(monkeypatch):
    with pytest.raises(UsageError, match="OPENAI_API_KEY"):
        check_models(made(provider="openai"))
    monkeypatch.setenv("OPENAI_API_KEY", "sk-something")
    check_models(made(provider="openai"))


def test_money_needs_a_price_and_exchanges_a_directory(tmp_path, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-something")
    with pytest.raises(UsageError, match="price of gpt-5"):
        check_models(made(provider="openai", budget={"money": "1"}))
    with pytest.raises(UsageError, match="needs --exchanges"):
        check_models(made(provider="recorded"))
    with pytest.raises(UsageError, match="no directory of exchanges"):
        check_models(made(provider="recorded", exchanges=str(tmp_path / "none")))
    check_models(made(provider="recorded", exchanges=str(tmp_path)))


def test_a_record_directory_is_made(tmp_path: Path, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-something")
    check_models(made(provider="openai", record=str(tmp_path / "saved")))
    assert (tmp_path / "saved").is_dir()


def test_an_agent_is_a_command_line_and_may_have_a_directory(tmp_path):
    found = made(provider="command", model="python3 /candidate/agent.py", readers=["python3 x"], agent=str(tmp_path))
    check_models(found)
    with pytest.raises(UsageError, match="command line"):
        check_models(made(provider="command", model='python3 "x', readers=["x"]))
    with pytest.raises(UsageError, match="--reader-model"):
        made(provider="command", model="x")
