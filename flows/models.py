"""Whether the models that a build names can be used at all: found before any work (exit 2), never after a paid call."""

from __future__ import annotations

from pathlib import Path
from typing import get_args

from contracts.calls import Role
from contracts.modelling import Budget, ModelChoice, ModelSettings
from tasks.errors import UsageError


def check_models(models: ModelSettings | None) -> None:
    """Look for libraries, keys, directories and prices; asks no provider anything.

    Raises:
        UsageError: something is missing or cannot be used, with its name.
    """
    if models is None:
        return
    from tasks.models.exchanges import Folder

    for role in get_args(Role):
        filled = models.role(role)
        for choice in filled.models if filled else ():
            _choice(choice, models)
            for budget in (models.budget, filled.budget if filled else Budget()):
                if budget.money is not None and choice.provider != "recorded" and choice.model not in models.prices:
                    raise UsageError(
                        f"a budget in money needs the price of {choice.model}: see prices in --models FILE"
                    )
    if models.exchanges is not None:
        Folder(Path(models.exchanges), save=models.save)


def _choice(choice: ModelChoice, models: ModelSettings) -> None:
    from tasks.models.agent import words
    from tasks.models.hosted import require_library
    from tasks.models.keys import key

    if choice.provider == "recorded":
        if models.exchanges is None:
            raise UsageError("the provider recorded needs --exchanges DIR")
    elif choice.provider == "command":
        words(choice.model)
        if choice.agent is not None and not Path(choice.agent).is_dir():
            raise UsageError(f"there is no directory of an agent at {choice.agent}")
    else:
        require_library()
        key(choice)
