"""Ridge regression at once or block by block: its sums, which partial_fit keeps, and the models solved from them."""

from __future__ import annotations

from typing import Any, Dict, List

import numpy as np

from . import _core
from ._typing import AnyArray, FloatArray
from ._validation import check_count, float64_blocks, seed_from, threads_from


class _Ridge:
    """Sums of ridge regression over rows that come block by block, and their folds; what partial_fit keeps."""

    def __init__(self, map_: _core.Map, n_targets: int, n_folds: int, precision: str, seed: int, n_threads: int) -> None:
        self.map, self.seed, self.n_folds, self.n_rows = map_, seed, n_folds, 0
        self.sums = _core.RidgeSums(map_, n_targets, n_folds, precision, n_threads)
        self.dealer = _core.FoldDealer(n_folds, seed) if n_folds > 1 else None

    def add(self, X: Any, targets: FloatArray, codes: AnyArray) -> None:
        """codes: the class of every row, 0 for numbers; folds get equal shares of every class."""
        for first, rows in float64_blocks(X):
            part = slice(first, first + len(rows))
            folds = None if self.dealer is None else self.dealer.deal(codes[part])
            self.sums.add(rows, np.ascontiguousarray(targets[part], dtype=np.float64), folds)
        self.n_rows += X.shape[0]

    def solve(self, c_grid: List[float], bias: bool) -> Dict[str, Any]:
        return self.sums.solve(c_grid, bias)


class RidgeTraining:
    """Mixin: ridge regression at once or block by block."""

    def _start_ridge(self, X: Any, n_targets: int, n_folds: int) -> _Ridge:
        seed, n_threads = seed_from(self.random_state), threads_from(self.n_jobs)
        map_ = self._fit_map(X, seed, n_threads)
        return _Ridge(map_, n_targets, n_folds, self._precision(), seed, n_threads)

    def _solve_ridge(self, ridge: _Ridge, task: str, classes: List[str]) -> Any:
        c_grid = self._c_grid() if ridge.n_folds > 1 or not isinstance(self.C, str) else [1.0]
        fit = ridge.solve(c_grid, bool(self.fit_intercept))
        return self._keep(ridge.map, fit, task, classes, "ridge", "normal-equations", ridge.seed, ridge.n_rows)

    def _folds_wanted(self) -> int:
        """1 if there is a single C: nothing to validate."""
        n_folds = check_count("n_folds", self.n_folds, least=2)
        return 1 if len(self._c_grid()) == 1 else n_folds


def require_sums(model: Any) -> None:
    if getattr(model, "_ridge", None) is None:
        raise ValueError(
            "partial_fit continues from the sums of fit or partial_fit, and this model has none: "
            "it comes from a file, a pickle or model='svm'. Start with a fresh estimator."
        )


def require_targets(y: FloatArray, one_target: bool, n_targets: int) -> None:
    got = 1 if y.ndim == 1 else y.shape[1]
    if got != n_targets or (y.ndim == 1) != one_target:
        raise ValueError(f"y has {got} targets, the first call of partial_fit had {n_targets}")
