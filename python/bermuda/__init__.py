"""Tells whether a model, or a data set, is really about graph topology. Tutorial: docs/python.md."""
from ._bermuda import Error, InputError, UsageError, __version__
from .auditing import Audit, Probe, audit
from .convert import DroppedWarning, as_graphs, from_edges, from_networkx, from_pyg
from .graphs import DataSet, Dropped, Graph, GraphList, Packed
from .making import generate, make, read, tasks
from .models import Model, ProgramModel, fit, load, methods, parameters

__all__ = [
    "Audit", "DataSet", "Dropped", "DroppedWarning", "Error", "Graph", "GraphList", "InputError", "Model", "Packed",
    "Probe", "ProgramModel", "UsageError", "__version__", "as_graphs", "audit", "fit", "from_edges", "from_networkx",
    "from_pyg", "generate", "load", "make", "methods", "parameters", "read", "tasks",
]
