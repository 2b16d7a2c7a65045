"""Products with the approximate kernel matrix of dask collections, which is never formed."""

from __future__ import annotations

from typing import Any, List, Tuple

import dask
import dask.array as da
import numpy as np
from dask.delayed import delayed
from scipy.sparse.linalg import LinearOperator

from .partitions import Partitions, blocks_of, tree


class KernelOperator(LinearOperator):
    """The approximate kernel matrix K̃(X, Y) of dask collections, by its products: as a scipy ``LinearOperator`` with arrays in memory.

    ``K @ v`` of a dask array v is lazy, a dask array cut like X. Neither K̃ nor features of more than some thousand rows are ever held.
    """

    def __init__(self, features: Any, X: Partitions, Y: Partitions, dtype: Any, sides: Tuple[str, str] = ("transform", "transform_right")) -> None:
        self._arguments = features, X, Y, dtype, sides
        self._features = features._delayed()
        self._sizes = dask.compute([delayed(len)(rows) for rows in X.blocks], [delayed(len)(rows) for rows in Y.blocks])
        super().__init__(dtype, (sum(self._sizes[0]), sum(self._sizes[1])))

    def __matmul__(self, V: Any) -> Any:
        return self._times(V) if isinstance(V, da.Array) else super().__matmul__(V)

    def _times(self, V: da.Array) -> da.Array:
        """K̃V, lazily."""
        _, X, Y, _, (left, right) = self._arguments
        if V.shape[0] != self.shape[1]:
            raise ValueError(f"the product with {V.shape[0]} rows, expected {self.shape[1]}")
        columns = V.reshape(-1, 1) if V.ndim == 1 else V
        columns = columns.rechunk((tuple(self._sizes[1]), -1)).astype(self.dtype)
        each = [delayed(_transposed_times)(self._features, right, *pair) for pair in zip(Y.blocks, blocks_of(columns))]
        core = tree(each, lambda some, place: delayed(_sum)(some))
        shape = (columns.shape[1],)
        products = [
            da.from_delayed(delayed(_times)(self._features, left, rows, core), (size, *shape), self.dtype)
            for rows, size in zip(X.blocks, self._sizes[0])
        ]
        result = da.concatenate(products)
        return result[:, 0] if V.ndim == 1 else result

    def _matmat(self, V: Any) -> Any:
        if np.iscomplexobj(V):
            return self._matmat(V.real) + 1j * self._matmat(V.imag)
        return self._times(da.from_array(V, chunks=(tuple(self._sizes[1]), -1))).compute()

    def _transpose(self) -> KernelOperator:
        features, X, Y, dtype, sides = self._arguments
        return KernelOperator(features, Y, X, dtype, sides[::-1])

    _adjoint = _transpose  # it is real

    def _rmatmat(self, V: Any) -> Any:
        return self._transpose()._matmat(V)


_ROWS_AT_ONCE = 4096


def _chunks_of(rows: Any) -> Any:
    for first in range(0, len(rows), _ROWS_AT_ONCE):
        part = slice(first, first + _ROWS_AT_ONCE)
        yield part, rows.iloc[part] if hasattr(rows, "iloc") else rows[part]


def _times(features: Any, side: str, rows: Any, core: Any) -> Any:
    products = [np.asarray(getattr(features, side)(some)) @ core for _, some in _chunks_of(rows)]
    return np.concatenate(products) if products else np.empty((0, core.shape[1]), core.dtype)


def _transposed_times(features: Any, side: str, rows: Any, V: Any) -> Any:
    total = np.zeros((features.n_features_out_, V.shape[1]), V.dtype)
    for part, some in _chunks_of(rows):
        total += np.asarray(getattr(features, side)(some)).T @ V[part]
    return total


def _sum(several: List[Any]) -> Any:
    return sum(several[1:], several[0])
