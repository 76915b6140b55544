"""The settings of models from options, environment and a file, the first that speaks (ADP-03): no guess, no fallback.

An option or a variable that is given and empty is an error; an unknown name of a provider, a role or a key of the file
is refused. Only a provider that somebody named is ever asked.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, get_args

from contracts.calls import Role, decimal_cost
from contracts.modelling import Budget, ModelChoice, ModelSettings, ProviderName
from flows.models_file import ModelsFile, RoleFile, load, text_of, validated
from tasks.errors import UsageError

SCRIPTED = "scripted"
PROVIDERS = (SCRIPTED, *get_args(ProviderName))
PAIRS: dict[str, tuple[str, str]] = {
    "openai": ("gpt-5", "gpt-5-mini"),
    "anthropic": ("claude-sonnet-4-5", "claude-haiku-4-5"),
    "google": ("gemini-2.5-pro", "gemini-2.5-flash"),
}
"""Coder and reader at a provider's own address, where none is named: two models, so that they share fewer mistakes."""


@dataclass(frozen=True)
class Options:
    """What a person gave on the command line; None is "not given"."""

    provider: str | None = None
    model: str | None = None
    readers: Sequence[str] | None = None
    base_url: str | None = None
    agent: str | None = None
    file: str | None = None
    budget: Mapping[str, str] = field(default_factory=dict)
    exchanges: str | None = None
    record: str | None = None


def model_settings(options: Options) -> ModelSettings | None:
    """The settings, or None for the scripted answers.

    Raises:
        UsageError: a value is empty, unknown, of another form, or belongs to a provider that is not named.
    """
    file = _first("--models", options.file, _variable("FORGE_MODELS"))
    named = load(file) if file is not None else ModelsFile()
    provider = _first("--provider", options.provider, _variable("FORGE_PROVIDER"), named.provider)
    if provider is not None and provider not in PROVIDERS:
        raise UsageError(f"there is no provider {provider!r}; there are {', '.join(PROVIDERS)}")
    if provider is None or provider == SCRIPTED:
        _refuse_idle(options, provider)
        return None
    general = _General(
        provider=provider,
        model=_first("--model", options.model, _variable("FORGE_MODEL"), named.model),
        readers=_readers(options.readers, named),
        base_url=_first("--base-url", options.base_url, _variable("FORGE_BASE_URL"), named.base_url),
        agent=_first("--agent", options.agent, None, named.agent),
    )
    if options.exchanges is not None and options.record is not None:
        raise UsageError("--record DIR replays what DIR holds already: give it without --exchanges")
    given = {
        "coder": _role("coder", general, named),
        "reader": _role("reader", general, named),
        "formaliser": _role("formaliser", general, named) if "formaliser" in named.model_fields_set else None,
        "explainer": _role("explainer", general, named),
        "budget": named.budget.model_dump() | _budget(options.budget),
        "prices": {model: price.model_dump() for model, price in named.prices.items()},
        "exchanges": _first("--exchanges", options.exchanges, options.record, named.exchanges),
        "save": options.record is not None,
    }
    return validated(ModelSettings, {**given, **_set(named)}, "the settings of models")


@dataclass(frozen=True)
class _General:
    """What holds for every role that says nothing else."""

    provider: str
    model: str | None
    readers: tuple[str, ...]
    base_url: str | None
    agent: str | None


def _set(named: ModelsFile) -> dict[str, int]:
    """The numbers that the file gives; the others keep their defaults."""
    numbers = {"timeout_s": named.timeout_s, "retries": named.retries, "readings": named.readings}
    return {name: value for name, value in numbers.items() if value is not None}


def _variable(name: str) -> str | None:
    value = os.environ.get(name)
    if value is not None and not value.strip():
        raise UsageError(f"{name} is set and empty; unset it, or give it a value")
    return value


def _first(option: str, *values: str | None) -> str | None:
    """The first value that is given; an empty one is an error, never "not given"."""
    found = next((value for value in values if value is not None), None)
    if found is not None and not found.strip():
        raise UsageError(f"{option} is empty")
    return found


def _readers(given: Sequence[str] | None, named: ModelsFile) -> tuple[str, ...]:
    variable = _variable("FORGE_READER_MODEL")
    found = given or (variable.split() if variable else None) or named.reader_models or ()
    if any(not model.strip() for model in found):
        raise UsageError("--reader-model is empty")
    return tuple(found)


def _refuse_idle(options: Options, provider: str | None) -> None:
    """Options that would do nothing are a misunderstanding; variables are not: they may be meant for other builds."""
    idle = {
        "--model": options.model,
        "--reader-model": options.readers,
        "--base-url": options.base_url,
        "--agent": options.agent,
        "--exchanges": options.exchanges,
        "--record": options.record,
        "--budget": options.budget or None,
    }
    for option, value in idle.items():
        if value is not None:
            raise UsageError(
                f"{option} needs --provider" if provider is None else f"{option}: {provider} asks no model"
            )


def _role(role: Role, general: _General, named: ModelsFile) -> dict[str, Any] | None:
    """The settings of a role; explainer and formaliser use the coder's model where the file says nothing else."""
    own: RoleFile = getattr(named, role)
    provider = own.provider or general.provider
    if provider not in PROVIDERS:
        raise UsageError(f"{role}: there is no provider {provider!r}; there are {', '.join(PROVIDERS)}")
    if provider == SCRIPTED:
        return None
    if provider != general.provider:  # what was named for another provider is not meant for this one
        general = _General(provider, None, (), None, None)
    base = own.base_url or general.base_url
    models = tuple(own.models or _defaults(role, provider, base, general))
    choices = [
        validated(
            ModelChoice,
            {"provider": provider, "model": model, "base_url": base, "agent": _absolute(own.agent or general.agent)},
            f"{role}",
        ).model_dump()
        for model in models
    ]
    settings: dict[str, Any] = {
        "models": choices,
        "budget": own.budget.model_dump(),
        "prompt": text_of(own.prompt) if own.prompt is not None else None,
    }
    if own.output_tokens is not None:
        settings["output_tokens"] = own.output_tokens
    return settings


def _defaults(role: Role, provider: str, base_url: str | None, general: _General) -> tuple[str, ...]:
    if provider == "recorded":
        return ("saved exchanges",)
    coder, reader = PAIRS.get(provider, (None, None)) if base_url is None else (None, None)
    if role != "reader":
        model = general.model or coder
        if model is None:
            raise UsageError("no model is named: --model")
        return (model,)
    if general.readers:
        return general.readers
    other = next((model for model in (reader, coder) if model not in (None, general.model)), None)
    if other is None:
        raise UsageError("no model is named that reads: --reader-model (by choice the same, better another)")
    return (other,)


def _budget(pairs: Mapping[str, str]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, value in pairs.items():
        if name not in Budget.model_fields:
            raise UsageError(f"--budget: there is no {name!r}; there are {', '.join(Budget.model_fields)}")
        if name != "money" and not (value.isascii() and value.isdigit()):
            raise UsageError(f"--budget {name} takes a whole number, not {value!r}")
        try:
            found[name] = decimal_cost(value) if name == "money" else int(value)
        except ValueError as error:
            raise UsageError(f"--budget {name}: {error}") from error
    return found


def _absolute(path: str | None) -> str | None:
    return os.path.abspath(path) if path is not None else None  # noqa: PTH100 - a link is judged where it is opened
