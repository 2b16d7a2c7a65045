"""Ridge regression at once or block by block: the sums that partial_fit goes on from, what pickles keep of them, the models solved."""

from __future__ import annotations

import copy
from functools import cached_property
from typing import Any, Callable, Dict, List, Optional

import numpy as np

from . import _core
from ._typing import AnyArray, FloatArray
from ._validation import check_count, check_function, float64_blocks, seed_from, threads_from


class StreamedRidge:
    """The sums over all rows so far and, with more than one fold, who is in which.

    A copy, also one by pickle, goes on by itself: it has the sums as arrays and makes the core's of them when rows come.
    """

    def __init__(
        self, map_: _core.Map, n_targets: int, n_folds: int, precision: str, seed: int, n_threads: int, chooses_c: bool
    ) -> None:
        self.chooses_c = chooses_c  # whether there were several C at the beginning, if perhaps too few rows for folds
        self.map, self.n_folds, self.precision, self.seed, self.n_threads = map_, n_folds, precision, seed, n_threads
        self.sums = _core.RidgeSums(map_, n_targets, n_folds, precision, n_threads)
        self.n_rows = 0
        self.n_dealt = np.zeros(0, dtype=np.int64)  # to folds, of every class
        self.is_stream = False  # whether rows came by partial_fit: more may come
        self.is_whole = True  # False if a call was interrupted halfway

    def add(self, X: Any, targets: FloatArray, codes: AnyArray) -> None:
        """codes: the class of every row, 0 for numbers; folds get equal shares of every class."""
        if not (self.is_whole and self.sums.is_whole):
            raise ValueError("an earlier call was interrupted, and its rows are counted in part: start with a fresh estimator")
        sums, n_dealt = self.sums, self.n_dealt
        try:
            for first, rows in float64_blocks(X):
                part = slice(first, first + len(rows))
                sums.add(rows, np.ascontiguousarray(targets[part], dtype=np.float64), self._deal(codes[part]))
            self.n_rows += X.shape[0]
        except BaseException:
            self.is_whole = sums.is_whole and sums.n_rows == self.n_rows
            if self.is_whole:  # refused as a whole: the next rows are dealt as if these had not come
                self.n_dealt = n_dealt
                vars(self).pop("dealer", None)
            raise

    def solve(self, c_grid: List[float], bias: bool, progress: Optional[Callable[[float], object]]) -> Dict[str, Any]:
        return self.sums.solve(c_grid, bias, progress)

    def kept(self) -> Optional[StreamedRidge]:
        """What a pickle of the model keeps: a copy of a stream in progress; else None, since sums are large and few go on from them."""
        is_whole = self.is_whole and ("moments" in vars(self) or self.sums.is_whole)
        return copy.copy(self) if self.is_stream and is_whole else None

    def _deal(self, codes: AnyArray) -> Optional[AnyArray]:
        if self.n_folds == 1:
            return None
        folds = self.dealer.deal(codes)
        n_dealt = np.bincount(codes, minlength=len(self.n_dealt))
        n_dealt[: len(self.n_dealt)] += self.n_dealt
        self.n_dealt = n_dealt
        return folds

    @cached_property
    def dealer(self) -> _core.FoldDealer:
        dealer = _core.FoldDealer(self.n_folds, self.seed)
        for code, n_rows in enumerate(self.n_dealt):
            dealer.skip(int(n_rows), code)
        return dealer

    @cached_property
    def sums(self) -> _core.RidgeSums:
        sums = _core.RidgeSums.from_moments(self.map, self.moments, self.precision, self.n_threads)
        del self.moments
        return sums

    def __getstate__(self) -> Dict[str, Any]:
        state = {name: value for name, value in vars(self).items() if name not in ("sums", "dealer")}
        return state if "moments" in state else {**state, "moments": self.sums.moments()}


class RidgeTraining:
    """Mixin: ridge regression at once or block by block."""

    def _start_ridge(self, X: Any, targets: FloatArray, codes: AnyArray, n_folds: int) -> StreamedRidge:
        """The sums of the first rows."""
        seed, n_threads, chooses_c = seed_from(self.random_state), threads_from(self.n_jobs), len(self._c_grid()) > 1
        require_precision(targets, self._precision())
        require_rows_in_folds(codes, n_folds, seed)
        map_ = self._fit_map(X, seed, n_threads)
        ridge = StreamedRidge(map_, targets.shape[1], n_folds, self._precision(), seed, n_threads, chooses_c)
        ridge.add(X, targets, codes)
        return ridge

    def _add_to_ridge(self, X: Any, targets: FloatArray, codes: AnyArray) -> None:
        """Adds rows to the sums, once nothing but the solve can fail; from then on they are counted."""
        ridge = self._ridge
        if ridge.n_folds == 1 and not ridge.chooses_c and len(self._c_grid()) > 1:
            raise ValueError("C has several values, the first call had one and made no folds to choose by: start with a fresh estimator")
        if self._precision() != ridge.precision:
            raise ValueError(f"dtype is {self._precision()}, expected {ridge.precision} as in the first call")
        check_function("progress", self.progress)
        self._c_grid()
        require_precision(targets, ridge.precision)
        ridge.add(X, targets, codes)
        self.n_rows_seen_ = ridge.n_rows

    def _solve_ridge(self, ridge: StreamedRidge, task: str, classes: List[str]) -> Any:
        fit = ridge.solve(self._c_grid_of(ridge.n_folds), bool(self.fit_intercept), self.progress)
        return self._keep(ridge.map, fit, task, classes, "ridge", "normal-equations", ridge.seed, ridge.n_rows)

    def _folds_wanted(self) -> int:
        """1 if there is a single C: nothing to validate."""
        n_folds = check_count("n_folds", self.n_folds, least=2)
        return 1 if len(self._c_grid()) == 1 else n_folds


def require_sums(model: Any) -> None:
    if getattr(model, "_ridge", None) is None:
        raise ValueError(
            "partial_fit goes on from the sums of earlier rows, and this model has none: it comes from a file, from model='svm', or from "
            "a pickle or copy made after fit (those made after partial_fit keep the sums); start with a fresh estimator"
        )


def require_targets(y: FloatArray, one_target: bool, n_targets: int) -> None:
    if (y.ndim == 1) != one_target or (y.ndim == 2 and y.shape[1] != n_targets):
        expected = "(n,)" if one_target else f"(n, {n_targets})"
        raise ValueError(f"y has shape {y.shape}, expected {expected} as in the first call")


def require_precision(targets: FloatArray, precision: str) -> None:
    """All of them before the first block is added."""
    largest, limit = np.abs(targets).max(), np.finfo(precision).max / 2  # they are counted from the first one
    if largest > limit:
        raise ValueError(f"y holds {largest:g}, expected at most {limit:.3g} with dtype={precision}")


def require_rows_in_folds(codes: AnyArray, n_folds: int, seed: int) -> None:
    """Whether the first rows leave no fold empty: there is no model without rows in each."""
    if n_folds == 1:
        return
    n_filled = len(codes) if len(codes) < n_folds else len(np.unique(_core.FoldDealer(n_folds, seed).deal(codes)))
    if n_filled < n_folds:
        raise ValueError(
            f"the first call has {len(codes)} rows, which fill {n_filled} of {n_folds} folds: "
            "start with more rows, with fewer n_folds, or with a single C, which needs no folds"
        )
