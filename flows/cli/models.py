"""The options of models, the same for every command that asks one."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Annotated

import typer

from flows.cli.common import directory, key_values, named

if TYPE_CHECKING:
    from contracts.modelling import ModelSettings

Provider = Annotated[
    str | None,
    typer.Option(
        "--provider",
        metavar="NAME",
        help="Who writes: scripted, recorded, openai, anthropic, google, command; else $FORGE_PROVIDER, else scripted.",
    ),
]
ModelName = Annotated[
    str | None, typer.Option("--model", metavar="ID", help="The coder's model, or the agent's command line.")
]
ReaderModel = Annotated[
    list[str] | None,
    typer.Option("--reader-model", metavar="ID", help="A model that reads; give it again for another one."),
]
BaseUrl = Annotated[
    str | None, typer.Option("--base-url", metavar="URL", help="The address of an endpoint with that interface.")
]
AgentDirectory = Annotated[
    str | None, typer.Option("--agent", metavar="DIR", help="For the provider command: the agent, at /candidate.")
]
ModelsFile = Annotated[
    str | None, typer.Option("--models", metavar="FILE", help="Roles, prompts, prices and budgets (TOML).")
]
BudgetOption = Annotated[
    list[str] | None,
    typer.Option("--budget", metavar="KEY=N", help="Spend no more: tokens=N, money=N or seconds=N."),
]
Exchanges = Annotated[
    str | None, typer.Option("--exchanges", metavar="DIR", help="Replay the exchanges that are saved there.")
]
Record = Annotated[
    str | None, typer.Option("--record", metavar="DIR", help="Save new exchanges there, and replay those it holds.")
]


def settings_of(  # noqa: PLR0917 - one argument for each option
    provider: str | None,
    model: str | None,
    readers: list[str] | None,
    base_url: str | None,
    agent: str | None,
    models_file: str | None,
    budget: list[str] | None,
    exchanges: str | None,
    record: str | None,
) -> ModelSettings | None:
    """The settings, checked as far as that is possible before any work; None for the scripted answers.

    Raises:
        UsageError: see `flows.model_options.model_settings` and `flows.models.check_models`.
    """
    given = (provider, model, readers, base_url, agent, models_file, budget, exchanges, record)
    if all(value is None for value in given) and not {"FORGE_PROVIDER", "FORGE_MODELS"} & os.environ.keys():
        return None
    from flows.model_options import Options, model_settings
    from flows.models import check_models

    options = Options(
        provider=provider,
        model=model,
        readers=readers,
        base_url=base_url,
        agent=directory("--agent", agent) if agent is not None else None,
        file=str(named("--models", models_file)) if models_file is not None else None,
        budget=key_values("--budget", budget),
        exchanges=directory("--exchanges", exchanges) if exchanges is not None else None,
        record=str(named("--record", record)) if record is not None else None,
    )
    settings = model_settings(options)
    check_models(settings)
    return settings
