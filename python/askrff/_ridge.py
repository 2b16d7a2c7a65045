"""Ridge regression block by block: the sums that partial_fit goes on from, and what pickles keep of them."""

from __future__ import annotations

import contextlib
import copy
from functools import cached_property
from typing import Any, Dict, List, Optional, Tuple

import numpy as np
import scipy.sparse as sp

from . import _core
from ._columns import pieces_of
from ._maps import fit_map, precision_of
from ._parameters import check_count, check_flag, check_function, seed_from, shown, threads_from
from ._typing import AnyArray, FloatArray
from ._validation import float64_blocks, row_blocks, rows_or_sparse, unchanged_if_it_fails


class RidgeStream:
    """The core's trainer with the sums over all rows so far.

    A copy, also one by pickle, goes on by itself: it has the sums as bytes and makes a trainer of them when rows come.
    """

    def __init__(self, trainer: _core.RidgeTrainer, chooses_c: bool, is_stream: bool) -> None:
        self.trainer = trainer
        self.chooses_c = chooses_c  # whether there were several C at the beginning, if perhaps too few rows for folds
        self.is_stream = is_stream  # whether rows came by partial_fit: more may come
        self.is_whole = True  # False if a call ended halfway

    def add(self, X: Any, y: AnyArray, weights: Optional[FloatArray], n_threads: int) -> None:
        """y: the class of every row, or its targets; weights: what each counts, above 0."""
        trainer = self.trainer
        if not (self.is_whole and trainer.is_whole):
            raise ValueError("an earlier call was interrupted, and its rows are counted in part: start with a fresh estimator")
        n_rows = trainer.n_rows
        try:
            if sp.issparse(X):
                trainer.add(rows_or_sparse(X), y, n_threads, weights)
                return
            for first, rows in row_blocks(X):
                part = slice(first, first + len(rows))
                trainer.add(rows, y[part], n_threads, None if weights is None else weights[part])
        except BaseException:
            self.is_whole = trainer.n_rows == n_rows
            raise

    def kept(self) -> Optional[RidgeStream]:
        """What a pickle of the model keeps: a copy of a stream in progress; else None, since sums are large and few go on from them."""
        is_whole = self.is_whole and ("content" in vars(self) or self.trainer.is_whole)
        return copy.copy(self) if self.is_stream and is_whole else None

    @cached_property
    def trainer(self) -> _core.RidgeTrainer:
        return _core.RidgeTrainer.from_bytes(*vars(self).pop("content"))

    def __getstate__(self) -> Dict[str, Any]:
        state = dict(vars(self))
        if "content" not in state:
            state["content"] = state.pop("trainer").to_bytes()
        return state


class RidgeTraining:
    """Mixin of models that take rows block by block."""

    def _is_started(self) -> bool:
        return hasattr(self, "_model") or getattr(self, "_ridge", None) is not None

    def _add_reader(self, X: Any, y: Any, sample_weight: Any, several: bool, **options: Any) -> Any:
        """partial_fit of a reader, piece by piece: features are fitted to the first one, and there is one solve, at the end."""
        with contextlib.nullcontext() if self._is_started() else unchanged_if_it_fails(self):
            for rows, targets, weights in pieces_of(X, y, sample_weight, several):
                self._add_rows(rows, targets, sample_weight=weights, solve=False, **options)
            return self._solve()

    def _start_stream(self, X: Any, y: AnyArray, weights: Optional[FloatArray], classes: List[str], solve: bool) -> Any:
        """The model of the first rows, or its sums; y: the class of every row, or its targets; weights: what each counts."""
        if self._tuned():
            raise ValueError(f"tune is {shown(self.tune)}, which needs all rows at once: expected None with partial_fit, or fit")
        X, y, weights = what_counts(X, y, weights)
        if self._finds_size():
            raise ValueError(f"tolerance is {shown(self.tolerance)}, but models are compared by fit only: expected None, and n_features")
        seed, n_threads, n_folds = seed_from(self.random_state), threads_from(self.n_jobs), self._folds_wanted()
        if len(y) < n_folds:
            raise ValueError(
                f"the first call has {len(y)} rows, too few for {n_folds} folds: "
                "start with more rows, with fewer n_folds, or with a single C, which needs no folds"
            )
        bias = check_flag("fit_intercept", self.fit_intercept)
        map_ = fit_map(self, X, seed, n_threads, takes_linear=True).model_side()
        n_targets = 1 if classes else y.shape[1]
        trainer = _core.RidgeTrainer(map_, classes, n_targets, n_folds, bias, precision_of(self), seed)
        self._ridge = RidgeStream(trainer, self._chooses_c(), is_stream=True)
        self._ridge.add(X, y, weights, n_threads)
        return self._solve() if solve else self

    def _go_on_stream(self, X: Any, y: AnyArray, weights: Optional[FloatArray], solve: bool) -> Any:
        """Adds rows to the sums, once nothing but the solve can fail; from then on they are counted."""
        ridge = self._ridge
        trainer = ridge.trainer
        if trainer.n_folds == 1 and not ridge.chooses_c and self._chooses_c():
            raise ValueError("C has several values, the first call had one and made no folds to choose by: start with a fresh estimator")
        if precision_of(self) != trainer.precision:
            raise ValueError(f"dtype is {precision_of(self)}, expected {trainer.precision} as in the first call")
        if check_flag("fit_intercept", self.fit_intercept) != trainer.bias:
            raise ValueError(f"fit_intercept is {self.fit_intercept}, expected {trainer.bias} as in the first call")
        check_function("progress", self.progress)
        self._c_grid()
        require_precision(y, trainer.precision)
        ridge.add(*what_counts(X, y, weights), threads_from(self.n_jobs))
        ridge.is_stream = True
        self.n_rows_seen_ = trainer.n_rows
        return self._solve() if solve else self

    def _solve(self) -> Any:
        trainer = self._ridge.trainer
        return self._keep(*trainer.solve(self._c_grid_of(trainer.n_folds), threads_from(self.n_jobs), self.progress))

    def _deviations(self, X: Any) -> FloatArray:
        """The posterior standard deviation of the predicted function at dense rows; the noise is what cross-validation left, or the fit."""
        if getattr(self, "_ridge", None) is None:
            raise ValueError(
                "return_std needs the sums of the training, and this model has none: it comes from a file, a cluster, or a pickle or copy "
                "made after fit; fit it here"
            )
        if sp.issparse(X):
            raise ValueError("return_std takes dense rows, and X is sparse: expected X.toarray()")
        results = self.cv_results_
        noise = self._training_rmse**2 if not results else float(results["mean"][list(results["c"]).index(self.C_)])
        n_threads = threads_from(self.n_jobs)
        variances = [self._ridge.trainer.posterior_variances(rows, self.C_, n_threads) for _, rows in float64_blocks(X)]
        return np.sqrt(noise * np.concatenate(variances))

    def _folds_wanted(self) -> int:
        """1 if there is a single C and nothing else to choose: nothing to validate."""
        n_folds = check_count("n_folds", self.n_folds, least=2)
        return n_folds if self._chooses_c() or self._tuned() or self._finds_size() else 1


def what_counts(X: Any, y: AnyArray, weights: Optional[FloatArray]) -> Tuple[Any, AnyArray, Optional[FloatArray]]:
    """Rows of weight 0 are left out, as if they were not there."""
    if weights is None or weights.all():
        return X, y, weights
    return X[weights > 0], y[weights > 0], weights[weights > 0]


def require_sums(model: Any) -> None:
    if getattr(model, "_ridge", None) is None:
        raise ValueError(
            "partial_fit goes on from the sums of earlier rows, and this model has none: it comes from a file, from model='svm', or from "
            "a pickle or copy made after fit (those made after partial_fit keep the sums); start with a fresh estimator"
        )


def require_precision(y: AnyArray, precision: str) -> None:
    """All targets, before the first block of them is added."""
    largest, limit = np.abs(y).max(), np.finfo(precision).max / 2  # they are counted from the first one
    if largest > limit:
        raise ValueError(f"y holds {shown(float(largest))}, expected at most {limit:.3g} with dtype={precision}")
