"""What the operators share: a real matrix known by its products with matrices, as a scipy LinearOperator that takes complex vectors too."""

from __future__ import annotations

import numpy as np
from scipy.sparse.linalg import LinearOperator

from ._typing import AnyArray


class RealProducts(LinearOperator):
    """Whoever inherits it has ``_product_with(V, transposed)`` for a C-contiguous matrix V of the operator's dtype.

    scipy's own adjoint and transpose wrap _rmatmat, which for a real operator is all there is to either.
    """

    def _product_with(self, V: AnyArray, transposed: bool) -> AnyArray:
        raise NotImplementedError

    def _apply(self, V: AnyArray, transposed: bool) -> AnyArray:
        if np.iscomplexobj(V):
            return self._apply(V.real, transposed) + 1j * self._apply(V.imag, transposed)
        return self._product_with(np.ascontiguousarray(V, dtype=self.dtype), transposed)

    def _matmat(self, V: AnyArray) -> AnyArray:
        return self._apply(V, transposed=False)

    def _rmatmat(self, V: AnyArray) -> AnyArray:
        return self._apply(V, transposed=True)

    def _matvec(self, v: AnyArray) -> AnyArray:
        return self._apply(v.reshape(-1, 1), transposed=False).ravel()

    def _rmatvec(self, v: AnyArray) -> AnyArray:
        return self._apply(v.reshape(-1, 1), transposed=True).ravel()
