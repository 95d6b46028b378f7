"""Tells whether a model, or a data set, is really about graph topology. Tutorial: docs/python.md."""
from ._bermuda import Error, InputError, UsageError, __version__
from ._pieces import DroppedWarning
from .auditing import Audit, Probe, audit
from .convert import as_graphs, from_edges, from_networkx
from .explaining import Explanation
from .expressing import ToldApart, expressivity, told_apart
from .graphs import DataSet, Dropped, Graph, GraphList, Packed
from .making import generate, make, make_pairs, read, tasks
from .models import Model, fit, load, methods, parameters
from .program_model import ProgramModel
from .pyg import from_pyg
from .regimes import RegimeMap, regime_map
from .study import Run, Study, Table

__all__ = [
    "Audit", "DataSet", "Dropped", "DroppedWarning", "Error", "Explanation", "Graph", "GraphList", "InputError",
    "Model", "Packed", "Probe", "ProgramModel", "RegimeMap", "Run", "Study", "Table", "ToldApart",
    "UsageError", "__version__", "as_graphs", "audit", "expressivity", "fit", "from_edges", "from_networkx",
    "from_pyg", "generate", "load", "make", "make_pairs", "methods", "parameters", "read", "regime_map",
    "tasks", "told_apart",
]
