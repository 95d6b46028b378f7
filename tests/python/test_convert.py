"""Converters: what people have becomes the same graphs, and what is wrong is named."""
import sys
import types
import warnings

import networkx as nx
import numpy as np
import pytest
from conftest import same_graphs

import bermuda as bm


class Data:
    """What torch_geometric.data.Data looks like from here."""

    def __init__(self, **attributes):
        self.__dict__.update(attributes)


def arcs_of(graph):
    edges = graph.edges
    return np.concatenate([edges, edges[:, ::-1]]).T


def test_networkx_and_back(tu):
    mutag = bm.read(tu / "MUTAG")
    again = bm.from_networkx(mutag.to_networkx(), y="y", node_label="label", edge_label="label")
    assert same_graphs(again, mutag) and again.y.tolist() == mutag.y.tolist()
    assert again.dropped == (0, 0, 0)


def test_networkx_marks_the_witness(small):
    graph = next(graph for graph in small if len(graph.witness_nodes))
    made = graph.to_networkx()
    assert [node for node in made if made.nodes[node].get("witness")] == graph.witness_nodes.tolist()
    assert sorted(map(sorted, nx.get_edge_attributes(made, "witness"))) == graph.witness_edges.tolist()


def test_nodes_of_any_kind_are_numbered_in_their_order():
    graph = nx.Graph([("c", "a"), ("a", "b")])
    assert bm.from_networkx([graph])[0].edges.tolist() == [[0, 1], [1, 2]]
    halves = nx.Graph([(0.0, 1.0), (1.0, 0.5)])
    assert bm.from_networkx([halves])[0].edges.tolist() == [[0, 1], [1, 2]]
    moved = nx.Graph([(2, 1), (1, 0)])
    assert bm.from_networkx([moved])[0].edges.tolist() == [[0, 1], [1, 2]]


def test_pairs_once_or_in_both_directions():
    once = bm.from_edges([(4, [(2, 0), (1, 3)]), (2, [])])
    both = bm.from_edges([(4, np.array([[0, 2], [2, 0], [3, 1], [1, 3]])), (2, np.empty((0, 2)))])
    assert same_graphs(once, both) and once[0].edges.tolist() == [[0, 2], [1, 3]]
    assert once.dropped == both.dropped == (0, 0, 0)
    labelled = bm.from_edges([(3, [(1, 2), (0, 1)])], node_labels=[["C", "N", "C"]], edge_labels=[[7, 5]])
    assert labelled.node_label_names == ["C", "N"]
    assert labelled[0].node_labels.tolist() == [0, 1, 0] and labelled[0].edge_labels.tolist() == [5, 7]


@pytest.mark.parametrize("graph, dropped", [
    (nx.Graph([(0, 1), (1, 1)]), (1, 0, 0)),
    (nx.MultiGraph([(0, 1), (1, 0), (0, 1)]), (0, 2, 0)),
    (nx.DiGraph([(0, 1), (1, 0), (1, 2)]), (0, 0, 1)),
    (nx.MultiDiGraph([(0, 1), (0, 1), (1, 0), (2, 2)]), (1, 1, 0)),
    ((3, [(0, 1), (1, 0), (0, 1), (2, 2)]), (1, 1, 0)),
    (Data(edge_index=np.array([[0, 1, 1, 2], [1, 0, 2, 2]]), num_nodes=3), (1, 0, 1)),
])
def test_what_is_dropped_is_counted_and_told(graph, dropped):
    with pytest.warns(bm.DroppedWarning):
        made = bm.as_graphs([graph])
    assert made.dropped == dropped
    with pytest.raises(bm.UsageError, match="graph 0: edge [0-9]-[0-9]: "):
        bm.as_graphs([graph], strict=True)


def test_nothing_dropped_is_no_warning(small):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        bm.from_networkx(small.test.to_networkx(), strict=True)
        bm.from_pyg([Data(edge_index=arcs_of(g), num_nodes=g.n) for g in small.test], strict=True)


@pytest.mark.parametrize("graphs, says", [
    ([(3, [(0, 1)]), (3, [(0, 1), (1, 7)])], "graph 1: edge 1-7 in a graph of 3 nodes"),
    ([(3, [(0, -1)])], "graph 0: edge 0--1"),
    ([(3, [(0, 1, 2)])], "graph 0: edges of shape"),
    ([(3, [(0, 1), (1,)])], "graph 0: edges"),
    ([(3, [(0.5, 1)])], "graph 0: edges are float64"),
    ([(-1, [])], "graph 0: -1 nodes"),
    ([("x", [])], "graph 0: expected a pair"),
    ([(2, []), nx.Graph()], "graph 1: found Graph, expected like the others"),
    ([42], "graph 0: found int, expected a networkx graph"),
    (nx.path_graph(3), "expected a list of graphs, found one graph"),
    (42, "expected a list of graphs"),
    ([], "there are no graphs"),
    ([Data(edge_index=np.zeros((3, 2), int), num_nodes=3)], "graph 0: edge_index of shape"),
    ([Data(edge_index=np.array([[0], [9]]), num_nodes=3)], "graph 0: edge 0-9"),
])
def test_wrong_graphs_are_named(graphs, says):
    with pytest.raises(bm.UsageError, match=says):
        bm.as_graphs(graphs)


@pytest.mark.parametrize("y, says", [
    ([0], "1 classes for 2 graphs"),
    ([0, 0.5], "graph 1: class 0.5"),
    ([0, float("nan")], "graph 1: class nan"),
])
def test_wrong_classes_are_named(y, says):
    with pytest.raises(bm.UsageError, match=says):
        bm.from_edges([(1, []), (2, [])], y)


@pytest.mark.parametrize("y, classes, numbers", [
    ([10, 9, -1], ["-1", "9", "10"], [2, 1, 0]),
    (["b", "a", "b"], ["a", "b"], [1, 0, 1]),
    ([True, False, True], ["0", "1"], [1, 0, 1]),
    (np.array([1.0, 0.0, 1.0]), ["0", "1"], [1, 0, 1]),
    ([np.array([3]), np.array([2]), np.array([3])], ["2", "3"], [1, 0, 1]),
])
def test_classes_of_any_kind(y, classes, numbers):
    made = bm.from_edges([(1, []), (2, []), (3, [])], y)
    assert made.classes == classes and made.y.tolist() == numbers


def test_labels_and_attributes_by_name():
    graph = nx.path_graph(3)
    nx.set_node_attributes(graph, {0: "C", 1: "O", 2: "C"}, "atom")
    nx.set_node_attributes(graph, {0: 0.5, 1: 1.5, 2: 2.5}, "charge")
    nx.set_edge_attributes(graph, {(0, 1): 2, (1, 2): 1}, "bond")
    made = bm.from_networkx([graph], node_label="atom", edge_label="bond", node_attributes=["charge"])
    assert made[0].node_labels.tolist() == [0, 1, 0] and made.node_label_names == ["C", "O"]
    assert made[0].edge_labels.tolist() == [2, 1]
    assert made[0].attributes.tolist() == [[0.5], [1.5], [2.5]]
    with pytest.raises(bm.UsageError, match="graph 0: edge 0-1 has no 'colour'"):
        bm.from_networkx([graph], edge_label="colour")
    with pytest.raises(bm.UsageError, match="graph 0: node 0 has no 'colour'"):
        bm.from_networkx([graph], node_label="colour")
    with pytest.raises(bm.UsageError, match="graph 0: attributes atom are not all numbers"):
        bm.from_networkx([graph], node_attributes=["atom"])
    with pytest.raises(bm.UsageError, match="graph 0: has no 'y'"):
        bm.from_networkx([graph], y="y")


def test_two_directions_with_two_labels_are_refused():
    graph = nx.DiGraph()
    graph.add_edge(0, 1, bond=1)
    graph.add_edge(1, 0, bond=2)
    with pytest.raises(bm.UsageError, match="graph 0: edge 0-1 has labels 1 and 2"):
        bm.from_networkx([graph], edge_label="bond")


def test_pyg_data(tu):
    mutag = bm.read(tu / "MUTAG")
    one_hot = [Data(edge_index=arcs_of(g), num_nodes=g.n, y=np.array([g.y]), x=np.eye(7)[g.node_labels],
                    edge_attr=np.eye(4)[np.tile(g.edge_labels, 2)]) for g in mutag]
    made = bm.from_pyg(one_hot)
    assert same_graphs(made, mutag) and made.y.tolist() == mutag.y.tolist()
    numbers = bm.from_pyg([Data(edge_index=[[0, 1], [1, 0]], x=[[0.5, 2.0], [1.0, 0.0]])])
    assert numbers[0].attributes.tolist() == [[0.5, 2.0], [1.0, 0.0]] and numbers[0].node_labels is None
    named = bm.from_pyg([Data(edge_index=[[0, 1], [1, 0]], num_nodes=2, kind=[3, 4])], node_label="kind")
    assert named[0].node_labels.tolist() == [3, 4]
    with pytest.raises(bm.UsageError, match="graph 0: 1 rows of x"):
        bm.from_pyg([Data(edge_index=[[0, 1], [1, 0]], num_nodes=2, x=[[0.5, 2.0]])])
    with pytest.raises(bm.UsageError, match="graph 0: has no 'kind'"):
        bm.from_pyg([Data(edge_index=[[0, 1], [1, 0]], num_nodes=2)], node_label="kind")


@pytest.mark.parametrize("torch", ["real", "stand-in"])
def test_to_pyg_gives_views(torch, small, monkeypatch):
    if torch == "real":
        pytest.importorskip("torch")
    else:
        monkeypatch.setitem(sys.modules, "torch", types.SimpleNamespace(from_numpy=lambda array: array))
    geometric = types.SimpleNamespace(Data=Data)
    monkeypatch.setitem(sys.modules, "torch_geometric", types.SimpleNamespace(data=geometric))
    monkeypatch.setitem(sys.modules, "torch_geometric.data", geometric)
    made = small.test.to_pyg()
    first, last = np.asarray(made[0].edge_index), np.asarray(made[-1].edge_index)
    between = last.__array_interface__["data"][0] - first.__array_interface__["data"][0]
    assert between == 8 * sum(data.edge_index.shape[1] for data in made[:-1])  # one array, of 8 bytes each
    assert same_graphs(bm.from_pyg(made), small.test)
    assert [int(data.y[0]) for data in made] == small.test.y.tolist()
    for data, graph in zip(made, small.test):
        assert np.flatnonzero(data.node_mask).tolist() == graph.witness_nodes.tolist()
        assert data.edge_mask.sum() == 2 * len(graph.witness_edges)
    asked = bm.GraphList(bm.graphs._bermuda.questions(small._core, np.array([3, 1], np.int64)))
    assert [int(data.y[0]) for data in asked.to_pyg()] == [-1, -1]  # as everywhere: no class


def test_to_pyg_itself(small):
    torch = pytest.importorskip("torch")
    pytest.importorskip("torch_geometric")
    made = small.test.to_pyg()
    assert made[0].edge_index.dtype == torch.int64 and made[0].validate()
    assert same_graphs(bm.from_pyg(made), small.test)


def test_graphs_of_ours_may_get_other_classes(small):
    turned = bm.as_graphs(list(small.test), ["yes" if y else "no" for y in small.test.y])
    assert turned.classes == ["no", "yes"] and turned.y.tolist() == small.test.y.tolist()
    assert same_graphs(turned, small.test)
