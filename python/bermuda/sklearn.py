"""Methods and features for scikit-learn: X is a list of graphs of any kind that bermuda converts."""
from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, TransformerMixin
from sklearn.utils.validation import check_is_fitted

from . import _bermuda
from ._describe import described
from ._pieces import as_array
from ._work import as_options, seed_of, work
from .convert import as_graphs, check_own_classes
from .graphs import GraphList
from .models import Model, fit, method_sections, parameters, with_rounds
from .program_model import ProgramModel

VALIDATION_FOLDS = 10


class GraphClassifier(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """A method of bermuda as a classifier. What it can be told besides follows from the method
    (`bermuda.parameters(method)`): GraphClassifier("svm-wl", rounds=3). `rounds` sets min_rounds and max_rounds.

    A tenth of the graphs, drawn class by class, is set aside to choose C and the like, unless
    `validation=(graphs, y)` is given to fit(); option `refit` learns from it too in the end."""

    def __init__(self, method: str = "svm-wl", *, seed: int = 1, threads: int | None = None, **options: Any) -> None:
        self.method = method
        self.seed = seed
        self.threads = threads
        self._options = with_rounds(method, options)

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        defaults = {entry["name"]: entry["default"] for entry in parameters(self.method)}
        return {"method": self.method, "seed": self.seed, "threads": self.threads, **defaults, **self._options}

    def set_params(self, **params: Any) -> GraphClassifier:
        own = {name: params.pop(name) for name in ("method", "seed", "threads") if name in params}
        method = own.get("method", self.method)
        params = with_rounds(method, params)
        known = {entry["name"] for entry in parameters(method)}
        unknown = sorted(set(params) - known)
        if unknown:
            raise ValueError(f"{method} has no {', '.join(unknown)}; it has: {', '.join(sorted(known))}")
        for name, value in own.items():
            setattr(self, name, value)
        self._options = {**self._options, **params}
        return self

    def fit(self, X: Any, y: Sequence[Any], validation: tuple[Any, Sequence[Any]] | None = None) -> GraphClassifier:
        check_own_classes(X, y)
        self.classes_, numbers = np.unique(as_array(y), return_inverse=True)
        if len(self.classes_) < 2:
            raise ValueError("the graphs have one class only")
        if self.method in _bermuda.methods():
            train, chosen_on = self._parts(as_graphs(X, numbers), numbers, validation)
            self.model_: Model | ProgramModel = Model(_bermuda.fit_parts(
                self.method, as_options(self._options), train._core, chosen_on._core, seed_of(self.seed),
                work(self.threads)))
        else:
            if validation is not None:
                raise ValueError(f"{self.method} is run by the program, which sets graphs aside itself")
            self.model_ = fit(self.method, as_graphs(X, numbers), seed=self.seed, threads=self.threads, quiet=True,
                              **self._options)
        return self

    def _parts(self, graphs: GraphList, y: np.ndarray[Any, Any],
               validation: tuple[Any, Sequence[Any]] | None) -> tuple[GraphList, GraphList]:
        if validation is not None:
            number = {name: place for place, name in enumerate(self.classes_.tolist())}
            return graphs, as_graphs(validation[0], [number[name] for name in as_array(validation[1]).tolist()])
        folds = max(2, min(VALIDATION_FOLDS, int(np.bincount(y).min())))
        fold = np.asarray(_bermuda.folds(np.ascontiguousarray(y, np.int64), len(self.classes_), folds))
        return graphs[fold != 0], graphs[fold == 0]

    def predict(self, X: Any) -> np.ndarray[Any, Any]:
        check_is_fitted(self, "model_")
        said: np.ndarray[Any, Any] = self.classes_[self.model_.predict(X, threads=self.threads)]
        return said

    def decision_function(self, X: Any) -> np.ndarray[Any, Any]:
        """One number per graph for two classes (above 0: the second), else one per class."""
        check_is_fitted(self, "model_")
        scores: np.ndarray[Any, Any] = self.model_.scores(X, threads=self.threads)
        if scores.shape[1] == 2:
            scores = scores[:, 1] - scores[:, 0]
        return scores


described(GraphClassifier, method_sections())


class _Features(TransformerMixin, BaseEstimator):  # type: ignore[misc]
    """Rows of a feature map as a CSR matrix. Features are those of the graphs that fit() saw."""

    def _make(self) -> _bermuda.Features:
        raise NotImplementedError

    def fit(self, X: Any, y: Any = None) -> _Features:
        self.fit_transform(X, y)
        return self

    def fit_transform(self, X: Any, y: Any = None) -> Any:
        self.features_ = self._make()
        matrix = _csr(self.features_.fit(as_graphs(X)._core, work(self.threads)))
        self.n_features_out_ = matrix.shape[1]
        return matrix

    def transform(self, X: Any) -> Any:
        check_is_fitted(self, "features_")
        return _csr(self.features_.transform(as_graphs(X)._core, work(self.threads)))

    def __getstate__(self) -> dict[str, Any]:
        state: dict[str, Any] = dict(super().__getstate__())
        if "features_" in state:
            state["features_"] = state["features_"].save()
        return state

    def __setstate__(self, state: dict[str, Any]) -> None:
        super().__setstate__(state)
        if "features_" in state:
            self.features_ = self._make()
            self.features_.load(state["features_"])


def _csr(parts: tuple[Any, Any, Any, tuple[int, int]]) -> Any:
    from scipy.sparse import csr_matrix

    values, columns, offsets, shape = parts
    arrays = (np.ascontiguousarray(values), np.ascontiguousarray(columns), np.asarray(offsets, dtype=np.int64))
    return csr_matrix(arrays, shape=shape)


class WLFeatures(_Features):
    """How often each Weisfeiler-Leman colour occurs, rounds 0 to `rounds`; rows of length 1 if normalised."""

    def __init__(self, rounds: int = 3, edge_labels: bool = False, normalise: bool = True,
                 threads: int | None = None) -> None:
        self.rounds = rounds
        self.edge_labels = edge_labels
        self.normalise = normalise
        self.threads = threads

    def _make(self) -> _bermuda.Features:
        return _bermuda.wl_features(self.rounds, self.edge_labels, self.normalise)


class GraphletFeatures(_Features):
    """How often each connected graphlet of 3 to `size` nodes occurs, log(1 + count) unless `raw_counts`; with
    `samples` that many node sets of `size` nodes are drawn instead of all counted."""

    def __init__(self, size: int = 5, samples: int = 0, connected: bool = False, mixed_sizes: bool = False,
                 raw_counts: bool = False, normalise: bool = True, seed: int = 1,
                 threads: int | None = None) -> None:
        self.size = size
        self.samples = samples
        self.connected = connected
        self.mixed_sizes = mixed_sizes
        self.raw_counts = raw_counts
        self.normalise = normalise
        self.seed = seed
        self.threads = threads

    def _make(self) -> _bermuda.Features:
        return _bermuda.graphlet_features(self.size, self.samples, self.connected, self.mixed_sizes,
                                          self.raw_counts, self.normalise, seed_of(self.seed))
