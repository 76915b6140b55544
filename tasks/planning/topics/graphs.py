"""One graph that the program prints: numbers of nodes and edges, degrees, and what words such as "connected" imply.

What is implied is only ever necessary: where it is met a graph need not exist, where it is not met none does.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from contracts.plan import Expression
from tasks.planning.terms import NotUnderstood, all_of, combine, integer
from tasks.planning.topics import NOTHING, Implied, Stated, readable
from tasks.planning.topics.phrases import MAKES, MUST, NUMBER, OP, compared, listed, value, variable
from tasks.requirement.blocks import Sentence

MOST = 10_000
_WORDS = ("simple", "connected", "acyclic", "planar", "bipartite", "complete", "tree", "undirected")
_ADJECTIVE = "(?:" + "|".join(_WORDS[:6]) + "|undirected|finite|cubic|small|valid)"
_NODES = "(?:nodes|vertices|points|node|vertex)"
_REST = (
    r"(?:,? (?:with|that has|which has|having|of|on) (?P<has>.+?))?"
    r"(?:,? (?:in which|where|such that|so that) (?P<where>(?:every|each|no) .+))?"
)
_OPENS = re.compile(
    rf"{MAKES}(?:prints|outputs|builds|generates|draws|constructs|finds|chooses|creates|writes) "
    r"(?:(?:the edges|an edge list|the edge list|the list of edges|the adjacency list) of )?(?:a|an|one) "
    rf"(?P<words>(?:{_ADJECTIVE},? )*)"
    rf"(?P<noun>graph|tree|network){_REST}"
)
_COUNT = re.compile(rf"(?:(?P<op>{OP}) )?(?P<n>{NUMBER}) (?P<what>{_NODES}|edges?|links?)")
_DEGREE = re.compile(
    r"(?P<who>every|each|no) node (?:has|is of|is connected to|is joined to|is adjacent to) "
    rf"(?:(?:a )?(?P<degree>degree) )?(?:(?P<op>{OP}) )?(?P<n>{NUMBER})"
    r"(?: (?:(?P<neighbour>neighbours?|neighbors?|other nodes|others)|(?P<edge>edges?)))?"
)
_SUBJECT = r"(?:the (?:graph|tree|network)|it)"


def stated(found: Sequence[Sentence]) -> Stated:
    """What sentences say of the one undirected graph of the text."""
    texts = readable(found)
    opened = {index: match for index, text in texts.items() if (match := _OPENS.fullmatch(text)) is not None}
    if len(opened) != 1:
        return NOTHING
    ((main, match),) = opened.items()
    reader = _Reader()
    try:
        statements: dict[int, tuple[Expression, ...]] = {main: tuple(reader.opening(match))}
    except NotUnderstood:
        return NOTHING
    for index, text in texts.items():
        try:
            statements[index] = statements.get(index) or (all_of(reader.sentence(text)),)
        except NotUnderstood:
            continue
    implied = tuple(Implied(item, main, words) for item, words in _meaning(reader))
    return Stated(statements, implied, subjects=frozenset({"graph", "tree", "network", "edges", "edge", "nodes"}))


class _Reader:
    """Sentences about one graph. ``degrees`` and ``diameters`` are the constants that the text names."""

    def __init__(self) -> None:
        self.degrees: set[int] = set()
        self.diameters: set[int] = set()
        self.lists: list[tuple[int, ...]] = []

    def opening(self, match: re.Match[str]) -> list[Expression]:
        words = re.findall(r"\w+", match["words"]) + (["tree"] if match["noun"] == "tree" else [])
        found = [_is(word) for word in words if word in _WORDS]
        found += self._degree("=", 3, "degree") if "cubic" in words else []
        found += self._has(match["has"]) if match["has"] else []
        found += self.sentence(match["where"]) if match["where"] else []
        return found or [_is("finite")]

    def sentence(self, text: str) -> list[Expression]:
        degree = _DEGREE.fullmatch(text)
        if degree is not None:
            return self._each(degree)
        match = re.fullmatch(rf"{_SUBJECT} {MUST}(?:is|be) (?:also )?(?:an? )?(?P<words>.+)", text)
        if match is not None:
            words = listed(match["words"])
            if not set(words) <= set(_WORDS):
                raise NotUnderstood
            return [_is(word) for word in words]
        match = re.fullmatch(rf"{_SUBJECT} (?:has|must have|contains) (?P<has>.+)", text)
        if match is not None:
            return self._has(match["has"])
        match = re.fullmatch(
            rf"(?:its|the) diameter (?:of the graph )?{MUST}(?:is|be) (?:(?P<op>{OP}) )?(?P<n>{NUMBER})", text
        )
        if match is not None:
            return [self._diameter(match)]
        match = re.fullmatch(
            r"(?:its|the) degrees (?:of (?:the|its) nodes )?are (?:exactly )?(?P<list>\d+(?:,? (?:and )?\d+)+)",
            text,
        )
        if match is not None:
            return self._listed(tuple(int(item) for item in re.findall(r"\d+", match["list"])))
        raise NotUnderstood

    def _has(self, text: str) -> list[Expression]:
        if text in {"no cycle", "no cycles"}:
            return [_is("acyclic")]
        if text in {"a cycle", "at least one cycle"}:
            return [combine("=", _of("acyclic"), integer(0))]
        if text in {"no loops or parallel edges", "no loops and no parallel edges"}:
            return [_is("simple")]
        found = []
        for item in listed(text):
            match = _COUNT.fullmatch(item)
            if match is None or value(match["n"]) > MOST:
                raise NotUnderstood
            what = "nodes" if re.fullmatch(_NODES, match["what"]) else "edges"
            found.append(compared(_of(what), match["op"], integer(value(match["n"]))))
        return found

    def _each(self, match: re.Match[str]) -> list[Expression]:
        op = match["op"]
        if match["who"] == "no":
            if op != "more than":
                raise NotUnderstood
            op = "at most"
        kind = next((name for name in ("degree", "neighbour", "edge") if match[name]), None)
        if kind is None:
            raise NotUnderstood
        return self._degree(compared(_of("nodes"), op, integer(0)).op, value(match["n"]), kind)

    def _degree(self, op: str, bound: int, kind: str) -> list[Expression]:
        """What every node has is ``op`` ``bound``: its degree, its neighbours, or its edges, be they loops or not."""
        low = {"=": bound, ">=": bound, ">": bound + 1}.get(op)
        high = {"=": bound, "<=": bound, "<": bound - 1}.get(op)
        self.degrees |= {end for end in (low, high) if end is not None}
        found = []
        for comparison, which, end in ((">=", "least degree", low), ("<=", "greatest degree", high)):
            if end is not None:
                every = combine("*", integer(end), _of("nodes"))
                found += [combine(comparison, _of(which), integer(end)), combine(comparison, _SUMS[kind], every)]
        return found

    def _diameter(self, match: re.Match[str]) -> Expression:
        found = compared(_of("diameter"), match["op"], integer(value(match["n"])))
        if found.op not in {"=", "<=", "<"}:
            raise NotUnderstood
        self.diameters.add(value(match["n"]) - (found.op == "<"))
        return found

    def _listed(self, degrees: tuple[int, ...]) -> list[Expression]:
        self.lists.append(degrees)
        edges = combine("=", combine("*", integer(2), _of("edges")), integer(sum(degrees)))
        return [combine("=", _of("nodes"), integer(len(degrees))), edges, _is(f"degrees {len(self.lists)}")]


def _of(what: str) -> Expression:
    return variable(f"{what}#")


def _is(word: str) -> Expression:
    return combine("=", _of(word), integer(1))


_SUMS = {
    "degree": combine("*", integer(2), _of("edges")),
    "neighbour": combine("*", integer(2), _of("adjacent pairs")),
    "edge": _of("ends of edges"),
}
"""What all nodes have together: every edge has two ends, every neighbour has one."""


def _meaning(reader: _Reader) -> Iterator[tuple[Expression, str]]:
    """What holds for every graph: sums of degrees, and bounds on edges for each word."""
    nodes, edges, least, most = (_of(what) for what in ("nodes", "edges", "least degree", "greatest degree"))
    two, one = integer(2), integer(1)
    twice = combine("*", two, edges)
    sizes = [combine(">=", nodes, one), combine(">=", edges, integer(0)), combine(">=", least, integer(0))]
    if reader.diameters:
        sizes.append(combine(">=", _of("diameter"), integer(0)))
    yield combine("and", *sizes, combine("<=", least, most)), "a graph has a node, and no number of it is below zero"
    for word in _WORDS:
        yield (
            combine("and", *(combine(op, _of(word), integer(end)) for op, end in ((">=", 0), ("<=", 1)))),
            f"it is {word} or not",
        )
    yield from _edges(twice)
    square = combine("*", nodes, combine("-", nodes, one))
    meanings = (
        ("simple", combine("and", combine("<=", twice, square), combine("<=", most, combine("-", nodes, one)))),
        ("connected", combine(">=", edges, combine("-", nodes, one))),
        ("tree", combine("and", _is("connected"), _is("acyclic"), _is("undirected"), _is("simple"))),
        ("complete", combine("and", _is("connected"), combine(">=", twice, square))),
    )
    for word, meaning in meanings:
        yield combine("implies", _is(word), meaning), f"what {word} says of the edges"
    both = combine("and", _is("bipartite"), _is("simple"))
    yield (
        combine("implies", both, combine("<=", combine("*", two, twice), combine("*", nodes, nodes))),
        "what bipartite says",
    )
    forest = combine("and", _is("acyclic"), _is("undirected"))  # without directions: a directed one may have more
    yield combine("implies", forest, combine("<=", edges, combine("-", nodes, one))), "what acyclic says of the edges"
    flat = combine("and", _is("planar"), _is("simple"), combine(">=", nodes, integer(3)))
    most_flat = combine("-", combine("*", integer(3), nodes), integer(6))
    yield combine("implies", flat, combine("<=", edges, most_flat)), "what planar says of the edges"
    dense = combine("and", _is("connected"), combine("=", edges, combine("-", nodes, one)))
    yield combine("implies", dense, _is("acyclic")), "a connected graph with one edge less than nodes has no cycle"
    yield from _distances(reader, nodes, most)
    for number, degrees in enumerate(reader.lists, 1):
        if not _graphical(degrees):
            both = combine("and", _is("simple"), _is(f"degrees {number}"))
            yield combine("not", both), "no simple graph has these degrees"


def _edges(twice: Expression) -> Iterator[tuple[Expression, str]]:
    """Pairs of neighbours and ends of edges: as many as edges give where no edge is a loop or stands beside another."""
    pairs, ends, edges = _of("adjacent pairs"), _of("ends of edges"), _of("edges")
    zero = combine(">=", pairs, integer(0))
    yield combine("and", zero, combine("<=", pairs, edges)), "neighbours share an edge"
    yield combine("and", combine(">=", ends, edges), combine("<=", ends, twice)), "an edge has one end or two"
    plain = combine("and", combine("=", pairs, edges), combine("=", ends, twice))
    yield combine("implies", _is("simple"), plain), "what simple says of neighbours"


def _distances(reader: _Reader, nodes: Expression, most: Expression) -> Iterator[tuple[Expression, str]]:
    """The bound of Moore: so many nodes can be reached in so many steps of so many ways."""
    for length in sorted(reader.diameters):
        for degree in sorted(reader.degrees):
            if length > 20 or degree > 1_000:
                continue
            reached = 1 + degree * sum((degree - 1) ** step for step in range(length)) if degree > 0 else 1
            near = combine("and", combine("<=", _of("diameter"), integer(length)), combine("<=", most, integer(degree)))
            yield combine("implies", near, combine("<=", nodes, integer(reached))), "how many nodes are near enough"


def _graphical(degrees: Sequence[int]) -> bool:
    """Erdős and Gallai: true iff a simple graph has these degrees."""
    ordered = sorted(degrees, reverse=True)
    if sum(ordered) % 2 or len(ordered) > MOST:
        return sum(ordered) % 2 == 0
    return all(
        sum(ordered[:k]) <= k * (k - 1) + sum(min(item, k) for item in ordered[k:]) for k in range(1, len(ordered) + 1)
    )
