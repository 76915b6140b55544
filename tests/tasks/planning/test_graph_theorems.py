"""What is implied of graphs is true of every graph: tried on all small ones, with loops and parallel edges too."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, combinations_with_replacement

import networkx as nx
import pytest

from contracts.plan import Setting
from contracts.requirement import Requirement
from tasks.planning.bounds import settled
from tasks.planning.evaluation import truth, variables
from tasks.planning.lowering import lower

WORDS = ("simple", "connected", "acyclic", "planar", "bipartite", "complete", "tree", "undirected")
TEXT = (
    "Write a program that prints a graph. Every node has degree at most 1. Every node has degree at most 2. "
    "Every node has at least 1 neighbour. Its diameter is at most 1. Its diameter is at most 2."
)


def facts(graph: nx.MultiGraph[int]) -> dict[str, int]:
    """The features of a graph, by networkx: none of this is the topic's own."""
    plain: nx.Graph[int] = nx.Graph()
    plain.add_nodes_from(graph)
    plain.add_edges_from((a, b) for a, b in graph.edges() if a != b)
    simple = plain.number_of_edges() == graph.number_of_edges()
    connected = nx.is_connected(plain)
    acyclic = simple and nx.is_forest(plain)
    degrees = [degree for _, degree in graph.degree()]
    nodes = graph.number_of_nodes()
    return {
        "nodes": nodes,
        "edges": graph.number_of_edges(),
        "least degree": min(degrees),
        "greatest degree": max(degrees),
        "adjacent pairs": plain.number_of_edges(),
        "ends of edges": sum(1 if a == b else 2 for a, b in graph.edges()),
        "diameter": nx.diameter(plain) if connected else 99,
        "simple": simple,
        "connected": connected,
        "acyclic": acyclic,
        "planar": nx.check_planarity(plain)[0],
        "bipartite": simple and nx.is_bipartite(plain),
        "complete": plain.number_of_edges() == nodes * (nodes - 1) // 2,
        "tree": acyclic and connected,
        "undirected": True,
    }


def graphs() -> Iterator[nx.MultiGraph[int]]:
    for nodes in range(1, 5):
        pairs = list(combinations(range(nodes), 2))
        loops = [*pairs, *((node, node) for node in range(nodes))]
        for edges in range(4):
            for chosen in combinations_with_replacement(loops, edges):
                graph: nx.MultiGraph[int] = nx.MultiGraph()
                graph.add_nodes_from(range(nodes))
                graph.add_edges_from(chosen)
                yield graph
    for edges in range(11):
        for number, several in enumerate(combinations(combinations(range(5), 2), edges)):
            if number % 11 == 0:
                graph = nx.MultiGraph()
                graph.add_nodes_from(range(5))
                graph.add_edges_from(several)
                yield graph


def test_no_graph_breaks_what_is_implied() -> None:
    implied = lower(Requirement(text=TEXT)).implied
    assert len(implied) > 20
    seen = {}
    for graph in graphs():
        known = facts(graph)
        seen[tuple(sorted(known.items()))] = known
    assert len(seen) > 80
    for known in seen.values():
        given = [Setting(variable=f"{name}#", value=int(value)) for name, value in known.items()]
        for item, instead in zip(implied, settled(implied, given), strict=True):
            assert not variables([instead]), item.text
            assert truth(instead.expression, {})[0], (item.text, known)


def test_a_theorem_that_is_false_would_be_caught() -> None:
    """Law 7: "connected" needs one edge less than nodes, not as many."""
    implied = lower(Requirement(text=TEXT)).implied
    (theorem,) = (item for item in implied if item.text == "what connected says of the edges")
    condition, bound = theorem.expression.args
    wrong = theorem.model_copy(
        update={
            "expression": theorem.expression.model_copy(
                update={"args": (condition, bound.model_copy(update={"op": ">"}))}
            )
        }
    )
    tree = [Setting(variable=f"{name}#", value=value) for name, value in (("nodes", 3), ("edges", 2), ("connected", 1))]
    (right,), (planted,) = settled([theorem], tree), settled([wrong], tree)
    assert truth(right.expression, {})[0]
    assert not truth(planted.expression, {})[1]


@pytest.mark.parametrize("word", WORDS)
def test_every_word_has_a_place(word: str) -> None:
    assert lower(Requirement(text=f"Write a program that prints a graph. It is {word}.")).constraints
