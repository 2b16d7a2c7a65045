"""Ridge regression over rows that come block by block: the sums that partial_fit goes on from, and what pickles keep of them."""

import copy
from functools import cached_property

import numpy as np

from . import _core
from ._validation import float64_blocks


class StreamedRidge:
    """The sums over all rows so far and, with more than one fold, who is in which.

    A copy, also one by pickle, goes on by itself: it has the sums as arrays and makes the core's of them when rows come.
    """

    def __init__(self, map_, n_targets, n_folds, precision, seed, n_threads):
        self.map, self.n_folds, self.precision, self.seed, self.n_threads = map_, n_folds, precision, seed, n_threads
        self.sums = _core.RidgeSums(map_, n_targets, n_folds, precision, n_threads)
        self.n_rows = 0
        self.n_dealt = np.zeros(0, dtype=np.int64)  # to folds, of every class
        self.is_stream = False  # whether rows came by partial_fit: more may come
        self.is_whole = True  # False if a call was interrupted halfway

    def add(self, X, targets, codes):
        """codes: the class of every row, 0 for numbers; folds get equal shares of every class."""
        if not self.is_whole:
            raise ValueError("an earlier call was interrupted, and its rows are counted in part: start with a fresh estimator")
        sums = self.sums
        try:
            for first, rows in float64_blocks(X):
                part = slice(first, first + len(rows))
                sums.add(rows, np.ascontiguousarray(targets[part], dtype=np.float64), self._deal(codes[part]))
            self.n_rows += X.shape[0]
        finally:
            self.is_whole = sums.n_rows == self.n_rows

    def solve(self, c_grid, bias):
        return self.sums.solve(c_grid, bias)

    def kept(self):
        """What a pickle of the model keeps: a copy of a stream in progress; else None, since sums are large and few go on from them."""
        return copy.copy(self) if self.is_stream and self.is_whole else None

    def _deal(self, codes):
        if self.n_folds == 1:
            return None
        folds = self.dealer.deal(codes)
        n_dealt = np.bincount(codes, minlength=len(self.n_dealt))
        n_dealt[: len(self.n_dealt)] += self.n_dealt
        self.n_dealt = n_dealt
        return folds

    @cached_property
    def dealer(self):
        dealer = _core.FoldDealer(self.n_folds, self.seed)
        for code, n_rows in enumerate(self.n_dealt):
            dealer.skip(int(n_rows), code)
        return dealer

    @cached_property
    def sums(self):
        sums = _core.RidgeSums.from_moments(self.map, self.moments, self.precision, self.n_threads)
        del self.moments
        return sums

    def __getstate__(self):
        state = {name: value for name, value in vars(self).items() if name not in ("sums", "dealer")}
        return state if "moments" in state else {**state, "moments": self.sums.moments()}
