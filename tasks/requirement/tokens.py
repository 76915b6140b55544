"""The one tokenizer. Literals (quoted, backticked, code) come out whole, so nothing inside them is read as prose."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

Kind = Literal["word", "number", "literal", "code", "punct"]

_SCANNER = re.compile(
    r"""
      (?P<code>  ^[ \t]*(?P<fence>```+|~~~+)[^\n]*\n(?:.*?\n)??[ \t]*(?P=fence)[ \t]*$ )
    | (?P<literal>
          (?P<ticks>`{1,3})(?!`)(?:(?!(?P=ticks)).){1,1000}(?P=ticks)(?!`)
        | "(?:\\.|[^"\\\n])*"
        | “[^”]*”
        | (?<![\w)\]])'(?:\\.|[^'\\\n]|(?<=\w)'(?=\w))*'(?!\w)
        | ‘[^’\n]*’(?!\w)
      )
    | (?P<url>   https?://[^\s)>\]]+ )
    | (?P<abbr>  (?:e\.g|i\.e|etc|vs|cf|incl|resp)\.(?!\w) )
    | (?P<number> (?<![\w.])[-+−]?(?:\d{1,3}(?:,\d{3})+|\d{1,2}(?::\d{2})+|\d+)(?:\.\d+)?(?![\w-]) )
    | (?P<word>
          (?<![\w-])--?[A-Za-z][\w-]*
        | \.?[\w/]+(?:[-.'’/_]+\w+)*
      )
    | (?P<punct> -> | --(?=\s) | => | <= | >= | != | == | \S )
    """,
    re.VERBOSE | re.MULTILINE | re.DOTALL,
)
_LINE_END = re.compile(r"[ \t]*\n[ \t]*")
_QUOTES = {"“": "”", "‘": "’"}


@dataclass(frozen=True, slots=True)
class Token:
    """Characters ``start`` to ``end``. ``norm`` is the text, of a word in lower case with plain apostrophes."""

    kind: Kind
    start: int
    end: int
    text: str
    norm: str

    @property
    def value(self) -> str:
        """The text inside the quotes of a literal, a line end in it a blank; the text itself of any other token."""
        if self.kind != "literal":
            return self.text
        ticks = len(self.text) - len(self.text.lstrip("`")) if self.text[0] == "`" else 1
        return _LINE_END.sub(" ", self.text[ticks:-ticks])


def tokenize(text: str, start: int = 0, end: int | None = None) -> tuple[Token, ...]:
    """All tokens of ``text[start:end]``; every character that is not white space lies in exactly one."""
    found: list[Token] = []
    for match in _SCANNER.finditer(text, start, len(text) if end is None else end):
        kind, word = _kind(match), match.group()
        norm = word.lower().replace("’", "'") if kind == "word" else word
        found.append(Token(kind, match.start(), match.end(), word, norm))
    return tuple(found)


def _kind(match: re.Match[str]) -> Kind:
    kinds: tuple[Kind, ...] = ("code", "literal", "number", "punct")
    for kind in kinds:
        if match.group(kind) is not None:
            return kind
    return "word"
