"""K̃ as a scipy LinearOperator: products with an approximate kernel matrix that is never formed."""

from __future__ import annotations

from typing import Any, Callable, Optional, Tuple

import numpy as np
import scipy.linalg

from . import _core
from ._parameters import check_number, threads_from
from ._products import RealProducts
from ._typing import AnyArray, FloatArray, KernelLike, KernelParams, Rows
from ._validation import point_rows, rows_or_sparse
from .kernels import Kernel, as_kernel


class KernelOperator(RealProducts):
    """The approximate kernel matrix K̃(X, Y) ≈ K(X, Y), by its products: K̃v, K̃ᵀu and those with matrices.

    Made by :meth:`FourierFeatures.operator` (K̃ is then the product of the features) and by :func:`kernel_operator` (K̃ is then K to a
    tolerance). It holds X and Y, which must stay as they are. K̃ is not stored, nor are features where they take more than 1 MiB. Computed
    in the dtype of X. Vectors may be complex.

    Attributes
    ----------
    grid_ : dict or None
        Of :func:`kernel_operator`: how many frequencies (``n_frequencies``), in each column the numbers -``half`` … ``half`` of a wave of
        length ``period``, and bounds of what lies beyond them (``truncation``) and of the periodic copies of k (``aliasing``), relative to
        the largest value of k.
    """

    def __init__(self, make_product: Callable[..., Any], X: Any, Y: Any, *arguments: Any) -> None:
        self._arguments = make_product, X, Y, *arguments
        self._product = make_product(X, Y, *arguments)
        self.grid_ = self._product.grid()
        super().__init__(X.dtype, (X.shape[0], Y.shape[0]))

    def _product_with(self, V: AnyArray, transposed: bool) -> AnyArray:
        return self._product.apply(V, transposed)

    def __reduce__(self) -> Tuple[Any, ...]:
        return KernelOperator, self._arguments


def features_product(X: Any, Y: Any, map_: _core.Map, n_threads: int) -> Any:
    """left(X)·right(Y)ᵀ of a map."""
    return _core.kernel_product(map_, rows_or_sparse(X), rows_or_sparse(Y), n_threads)


def _grid_product(X: Any, Y: Any, kernel: Kernel, tolerance: float, n_threads: int) -> Any:
    return _core.grid_product(kernel._core, X, Y, tolerance, n_threads=n_threads)


def kernel_operator(
    X: Rows,
    Y: Optional[Rows] = None,
    *,
    kernel: KernelLike = "gaussian",
    kernel_params: Optional[KernelParams] = None,
    gamma: Optional[float] = None,
    tolerance: float = 1e-6,
    n_jobs: Optional[int] = None,
) -> KernelOperator:
    """The kernel matrix K(X, Y) of points in 1 to 3 dimensions as a scipy ``LinearOperator``, to any accuracy and at any bandwidth.

    Products take O(n + m) time: frequencies on a grid, and non-uniform fast Fourier transforms to and from the points. Nothing is random,
    and no feature is stored.

    Parameters
    ----------
    X : array-like of shape (n, d), d from 1 to 3
        float32 is computed in float32, all else in float64.
    Y : array-like of shape (m, d), default=None
        None: the rows of X.
    kernel : str or Kernel, default="gaussian"
        As in :class:`FourierFeatures`, but no function: its Fourier measure must be known.
    kernel_params : dict, default=None
        Parameters of a kernel given by name.
    gamma : float, default=None
        Another word for the bandwidth of gaussian and laplacian kernels.
    tolerance : float, default=1e-6
        From 1e-13 to 0.5: every entry of the matrix is right to this times the largest value that k has at differences no larger than
        those of X and Y in every column. float32 reaches about 3e-6.
    n_jobs : int, default=None
        Threads: None the library's default (1 inside a joblib worker), -1 all. The results are the same bits for any number.

    Returns
    -------
    KernelOperator of shape (n, m), of the dtype of X

    Examples
    --------
    >>> import numpy as np
    >>> from askrff import exact_kernel, kernel_operator, kernels
    >>> X = np.random.default_rng(0).uniform(size=(300, 2))
    >>> wind = kernels.shift_gaussian(sigma=0.05, shift=[0.1, 0.0])
    >>> K = kernel_operator(X, kernel=wind, tolerance=1e-8)
    >>> v = np.ones(300)
    >>> bool(np.abs(K @ v - exact_kernel(X, kernel=wind) @ v).max() < 1e-6)
    True
    """
    chosen = as_kernel(kernel, kernel_params, gamma)
    X = point_rows(X)
    Y = X if Y is None else point_rows(Y).astype(X.dtype, copy=False)
    return KernelOperator(_grid_product, X, Y, chosen, check_number("tolerance", tolerance), threads_from(n_jobs))


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
