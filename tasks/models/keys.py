"""Keys of providers: read from the environment where a call is made, and put nowhere else.

Each address has one variable, so that no key is sent to a server that it was not made for.
"""

from __future__ import annotations

import os
from urllib.parse import urlsplit

from contracts.modelling import ModelChoice, ProviderName
from tasks.errors import UsageError

OWN = "FORGE_MODEL_KEY"
"""The key for any address that is not a provider's own."""

ADDRESSES: dict[ProviderName, str] = {
    "openai": "https://api.openai.com/v1",
    "anthropic": "https://api.anthropic.com",
    "google": "https://generativelanguage.googleapis.com",
}
VARIABLES = {
    "api.openai.com": "OPENAI_API_KEY",
    "api.anthropic.com": "ANTHROPIC_API_KEY",
    "generativelanguage.googleapis.com": "GOOGLE_API_KEY",
    "api.tokenfactory.nebius.com": "NEBIUS_API_KEY",
    "api.studio.nebius.com": "NEBIUS_API_KEY",
}
NO_KEY = "none"
"""What is sent where a server asks for no key: clients insist on some text."""

_LOOPBACK = ("localhost", "127.0.0.1", "::1")
_SHORTEST = 8
_REMOVED = "[key]"


def address(choice: ModelChoice) -> str:
    """Where the model is asked: stated always, since clients would take another address from the environment."""
    return choice.base_url or ADDRESSES[choice.provider]


def variable(choice: ModelChoice) -> str:
    """The environment variable that holds the key for the model's address."""
    return VARIABLES.get(urlsplit(address(choice)).hostname or "", OWN)


def key(choice: ModelChoice) -> str:
    """The key for the model's address; `NO_KEY` where none is set and the address is not known to need one.

    Raises:
        UsageError: it is empty, missing where one is needed, no plain text, or would cross a network in the clear.
    """
    name = variable(choice)
    value = os.environ.get(name)
    if value is None:
        if name != OWN:
            raise UsageError(f"{choice.provider} needs a key: set {name}")
        return NO_KEY
    if not value.strip() or not value.isascii() or not value.isprintable():
        raise UsageError(f"{name} is set, and is no key")
    parts = urlsplit(address(choice))
    if parts.scheme != "https" and parts.hostname not in _LOOPBACK:
        raise UsageError(f"{name} is not sent over http:// to another machine")
    return value


def without_keys(text: str) -> str:
    """``text`` without any key of the environment, should a server send one back."""
    for name in sorted({OWN, *VARIABLES.values()}):
        value = os.environ.get(name, "")
        if len(value) >= _SHORTEST:
            text = text.replace(value, _REMOVED)
    return text
