"""K̃ as a scipy LinearOperator: products with an approximate kernel matrix that is never formed."""

from __future__ import annotations

from typing import Any, Tuple

import numpy as np
import scipy.linalg
from scipy.sparse.linalg import LinearOperator

from . import _core
from ._typing import AnyArray, FloatArray
from ._validation import rows_or_sparse


class KernelOperator(LinearOperator):
    """The approximate kernel matrix K̃(X, Y) ≈ K(X, Y), by its products: K̃v, K̃ᵀu and those with matrices.

    Made by :meth:`FourierFeatures.operator`. It holds X and Y, which must stay as they are. K̃ is not stored, nor are features where they
    take more than 1 MiB, so a product takes O((n + m)·n_features) time and no more memory than its result. Computed in the dtype of X.
    Vectors may be complex.
    """

    def __init__(self, map_: _core.Map, X: Any, Y: Any, n_threads: int) -> None:
        self._arguments = map_, X, Y, n_threads
        self._product = _core.kernel_product(map_, rows_or_sparse(X), rows_or_sparse(Y), n_threads)
        super().__init__(X.dtype, (X.shape[0], Y.shape[0]))

    def _apply(self, V: AnyArray, transposed: bool) -> AnyArray:
        if np.iscomplexobj(V):
            return self._apply(V.real, transposed) + 1j * self._apply(V.imag, transposed)
        V = np.ascontiguousarray(V, dtype=self.dtype)
        return self._product.apply(V, transposed)

    def _matmat(self, V: AnyArray) -> AnyArray:
        return self._apply(V, transposed=False)

    def _rmatmat(self, V: AnyArray) -> AnyArray:
        return self._apply(V, transposed=True)

    def _matvec(self, v: AnyArray) -> AnyArray:
        return self._apply(v.reshape(-1, 1), transposed=False).ravel()

    def _rmatvec(self, v: AnyArray) -> AnyArray:
        return self._apply(v.reshape(-1, 1), transposed=True).ravel()

    def __reduce__(self) -> Tuple[Any, ...]:
        return KernelOperator, self._arguments

    # scipy's own adjoint and transpose wrap _rmatmat, which for a real operator is all there is to either.


def low_rank_svd(left: FloatArray, right: FloatArray, k: int) -> Tuple[FloatArray, FloatArray, FloatArray]:
    """The k leading singular triples of left·rightᵀ, by QR of both factors and the SVD of a small core: O((n + m)·n_features²).

    The sign of a pair of vectors is not determined; here the largest entry of each left vector is positive.
    """
    q_left, r_left = scipy.linalg.qr(left, mode="economic", overwrite_a=True, check_finite=False)
    q_right, r_right = scipy.linalg.qr(right, mode="economic", overwrite_a=True, check_finite=False)
    u, s, vt = scipy.linalg.svd(r_left @ r_right.T, full_matrices=False, check_finite=False)
    U, Vt = q_left @ u[:, :k], vt[:k] @ q_right.T
    largest = np.argmax(np.abs(U), axis=0)
    signs = np.where(U[largest, np.arange(U.shape[1])] < 0, -1, 1).astype(U.dtype)
    return U * signs, s[:k], Vt * signs[:, np.newaxis]
