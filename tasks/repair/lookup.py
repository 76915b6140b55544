"""A look at documentation on the web for a failed check, by Tavily: at most three references, for people (BND-08).

A look-up decides nothing and never raises (ADP-11): where it cannot be made, or fails, one line says so and is sealed.
"""

from __future__ import annotations

import json
import os
import re
import time
import urllib.error
import urllib.request
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from http.client import HTTPException
from typing import Any

from contracts.calls import Reference
from tasks.errors import UsageError

KEY = "TAVILY_API_KEY"
ADDRESS = "https://api.tavily.com/search"
MAX_REFERENCES = 3
MAX_QUERY = 300
MAX_ANSWER = 1_000_000
SECONDS = 15

_CONTROL = re.compile("[\0-\x1f\x7f\ud800-\udfff]+")
_KEY = re.compile(r"[!-~]{1,512}")
_URL = re.compile(r"https?://[!-~]{1,1900}")


@dataclass(frozen=True)
class Found:
    """What a look-up brought: references, or one line that says why there are none."""

    references: tuple[Reference, ...] = ()
    degraded: str | None = None


class Lookup:
    """Asks Tavily; without a key it is degraded from the start, and says so (ADP-12)."""

    def __init__(self, key: str | None, address: str = ADDRESS) -> None:
        """Raises ValueError for a key that is no text, or that no header can carry (ADP-07, ENC-02)."""
        if key is not None and not (isinstance(key, str) and _KEY.fullmatch(key)):
            raise ValueError(f"{KEY} is not a key: 1 to 512 printable ASCII characters without a space")
        self._key, self._address = key, address

    def find(self, query: object) -> Found:
        """References for a question in words; never raises."""
        if self._key is None:
            return Found(degraded=f"no documentation was looked up: {KEY} is not set")
        words = _CONTROL.sub(" ", query).strip()[:MAX_QUERY] if isinstance(query, str) else ""
        if not words:
            return Found(degraded="no documentation was looked up: there is nothing to ask")
        try:
            return Found(references(self._ask(words)))
        except urllib.error.HTTPError as error:
            return Found(degraded=f"no documentation was looked up: the service answered with status {error.code}")
        except (OSError, HTTPException, ValueError, RecursionError) as error:
            return Found(degraded=f"no documentation was looked up: {type(error).__name__}")

    def _ask(self, words: str) -> object:
        body = json.dumps({"query": words, "max_results": MAX_REFERENCES}).encode()
        headers = {"Authorization": f"Bearer {self._key}", "Content-Type": "application/json"}
        request = urllib.request.Request(self._address, body, headers)  # noqa: S310 - the address is ours
        until = time.monotonic() + SECONDS
        with urllib.request.build_opener(_NoRedirect).open(request, timeout=SECONDS) as answer:
            data = b""
            while piece := answer.read1(65_536):
                data += piece
                if len(data) > MAX_ANSWER or time.monotonic() > until:
                    raise ValueError("too long")
        return json.loads(data)


def lookup_from(environment: Mapping[str, str] = os.environ) -> Lookup:
    """The look-up with the environment's key.

    Raises:
        UsageError: the key is set and is none (CLI-13).
    """
    try:
        return Lookup(environment.get(KEY))
    except ValueError as error:
        raise UsageError(str(error)) from None


def references(answer: object) -> tuple[Reference, ...]:
    """The first usable results of an answer of any form, within the caps of their model (ADP-13)."""
    results = answer.get("results") if isinstance(answer, dict) else None
    found: dict[str, Reference] = {}
    for item in _usable(results if isinstance(results, list) else []):
        found.setdefault(item.url, item)
    return tuple(found.values())[:MAX_REFERENCES]


def _usable(results: list[Any]) -> Iterator[Reference]:
    for item in results[:100]:
        if isinstance(item, dict) and isinstance(url := item.get("url"), str) and _URL.fullmatch(url):
            title, excerpt = (_text(item.get(name), most) for name, most in (("title", 300), ("content", 2_000)))
            yield Reference(title=title or url[:300], url=url, excerpt=excerpt)


def _text(value: object, most: int) -> str:
    return " ".join(_CONTROL.sub(" ", value).split())[:most] if isinstance(value, str) else ""


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    """Whoever answers elsewhere is not given the key."""

    def redirect_request(self, *_: object) -> None:
        return None
