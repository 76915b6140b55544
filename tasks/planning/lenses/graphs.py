"""The graphs lens: what must stand before or so much above what, as a directed graph. It needs networkx."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from importlib.util import find_spec
from itertools import pairwise
from typing import Any

from contracts.plan import Constraint, Hint, Multiplier
from contracts.requirement import BuildSpec, Requirement
from tasks.planning.certificates import certify
from tasks.planning.combination import below_zero, conjuncts
from tasks.planning.lenses import View
from tasks.planning.lowering import Lowered

ZERO = "0"
"""The vertex that constants are measured from; no variable has this name."""


class GraphsLens:
    """Cycles in required orders, and bounds on differences that go round to less than nothing."""

    name = "graphs"

    def unavailable(self) -> str | None:
        """Why it cannot work here."""
        return None if find_spec("networkx") else "networkx is not installed: it comes with the extra `lenses`"

    def look(self, spec: BuildSpec, requirement: Requirement, lowered: Lowered) -> View:  # noqa: ARG002 - the protocol's
        """A checked certificate where the comparisons form a cycle; else an order that meets them all."""
        if lowered.blocked is not None or lowered.given or lowered.restated:
            return View()
        real = lowered.continuous
        certificate = certify(spec.seal(), lowered, lambda items: cyclic(items, real), lens=self.name, prove=around)
        if certificate is not None and lowered.block(certificate.constraints) is None:
            return View(certificate)
        return View(hints=_order(lowered))


LENS = GraphsLens()


def differences(constraints: Sequence[Constraint], continuous: Collection[str]) -> Any:
    """A graph with an edge from y to x of weight c for every ``x - y <= c``, which says where it comes from."""
    import networkx as nx

    graph: nx.DiGraph[str] = nx.DiGraph()
    for constraint in constraints:
        for place, part in enumerate(conjuncts(constraint.expression)):
            known = below_zero(part)
            if known is None or (known.strict and set(known.terms) & set(continuous)):
                continue
            signs = (1, -1) if known.equal else (1,)
            for sign in signs:
                terms = {name: sign * factor for name, factor in known.terms.items()}
                ends = {factor: name for name, factor in terms.items()}
                if not terms or len(terms) > 2 or len(ends) != len(terms) or not set(ends) <= {1, -1}:
                    continue
                source, target = ends.get(-1, ZERO), ends.get(1, ZERO)
                weight = -(sign * known.constant + known.strict)
                if not graph.has_edge(source, target) or graph[source][target]["weight"] > weight:
                    graph.add_edge(source, target, weight=weight, by=(constraint.id, place, sign))
    return graph


def cyclic(constraints: Sequence[Constraint], continuous: Collection[str] = ()) -> bool:
    """True iff some way round leads to less than nothing."""
    import networkx as nx

    return bool(nx.negative_edge_cycle(differences(constraints, continuous)))


def around(constraints: Sequence[Constraint], continuous: Collection[str]) -> tuple[Multiplier, ...]:
    """The comparisons of one such way round, each added once; empty where there is none."""
    graph = differences(constraints, continuous)
    cycle = _negative_cycle(graph)
    times: dict[tuple[str, int], int] = {}
    for source, target in pairwise(cycle):
        name, place, sign = graph[source][target]["by"]
        times[name, place] = times.get((name, place), 0) + sign
    return tuple(Multiplier(constraint=name, part=place, factor=factor) for (name, place), factor in times.items())


def _negative_cycle(graph: Any) -> list[str]:
    """A negative cycle as its vertices, the first again at the end; empty if there is none."""
    import networkx as nx

    for vertex in graph:
        try:
            found: list[str] = nx.find_negative_cycle(graph, vertex)
        except nx.NetworkXError:
            continue
        return found
    return []


def _order(lowered: Lowered) -> tuple[Hint, ...]:
    """One order that meets every "before", where the text asks for an order."""
    import networkx as nx

    if not lowered.ordered:
        return ()
    graph = differences(lowered.constraints, ())
    known: nx.DiGraph[str] = nx.DiGraph()
    known.add_nodes_from(lowered.chosen)
    known.add_edges_from((y, x) for x, y, data in graph.edges(data=True) if data["weight"] < 0 and ZERO not in {x, y})
    order = list(nx.lexicographical_topological_sort(known, key=lowered.chosen.index))
    return (Hint(lens="graphs", kind="value", text="an order that keeps every `before`: " + ", ".join(order)),)
