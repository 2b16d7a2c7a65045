"""FourierFeatures, the transformer: rows to features whose inner products approximate a kernel, symmetric or not."""

from __future__ import annotations

from typing import Any, Dict, Optional, Tuple, Union

import numpy as np
import scipy.sparse as sp
from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.utils.validation import check_is_fitted

from . import _core
from ._columns import is_reader, pieces_of
from ._matrices import check_operator_to_fit, check_rows_of_side, is_operator, is_precomputed, operator_features, rows_for_both_sides
from ._maps import fit_map, fitted_kernel, set_map, warn_if_outside, warn_if_rounded
from ._parameters import check_count, path_text, seed_from, threads_from
from ._typing import AnyArray, Dtype, FloatArray, KernelLike, KernelParams, PathLike, Progress, RandomState, Rows
from ._validation import (
    SparseInputTags,
    check_finite,
    check_out,
    check_rows,
    densified,
    row_blocks,
    rows_or_sparse,
    unchanged_if_it_fails,
)
from .kernels import Kernel
from .operator import KernelOperator, features_product, low_rank_svd


class FourierFeatures(SparseInputTags, ClassNamePrefixFeaturesOutMixin, TransformerMixin, BaseEstimator):
    """Explicit features for a kernel k(x - y) that need be neither symmetric nor positive definite.

    ``transform`` gives the left features and ``transform_right`` the right ones:
    K(X, Y) ≈ ``transform(X) @ transform_right(Y).T``. For a symmetric positive definite kernel (the default is one) both are the same, and
    ``Z = transform(X)`` alone is its feature map: K(X, X) ≈ ``Z @ Z.T``; with ``weights="unconstrained"`` they are not.

    Parameters
    ----------
    kernel : str, Kernel or callable, default="gaussian"
        A name of ``askrff.kernels.names()`` or ``"shifted:NAME"``; a :class:`Kernel`; or a function from differences x - y,
        an array of shape (n, d), to n values. ``"precomputed"``: rows are those of a kernel matrix K, in ``fit`` K(X, X) or K(X, Y), an
        array, sparse, or a scipy ``LinearOperator``; ``transform`` takes rows of K, ``transform_right`` columns of it, as rows. Of the
        parameters below n_features, n_frequencies, n_landmarks, landmarks, dtype, n_jobs and random_state then have a meaning.
    kernel_params : dict, default=None
        Parameters of a kernel given by name. Without sigma (or with ``"sigma": "auto"``) and gamma sigma is the median distance of the
        rows, and the kernel's default shape is stretched to it; else those left out have the defaults ``askrff.kernels`` shows.
    gamma : float or "scale", default=None
        scikit-learn's word for the bandwidth of gaussian kernels, exp(-gamma |δ|²), and of laplacian ones, exp(-gamma |δ|₁).
        "scale" is 1 / (n_features · X.var()), of all rows.
    n_features : int, default=None
        Columns of the features, of every kind of map; None: 512, unless n_frequencies is given. Fourier maps have an even number, a cosine
        and a sine for every frequency; nystrom may give fewer, if the kernel has lower rank on the data, or is not positive
        definite: then at most three fourths of the rows, unless n_landmarks says more. Not used with a tolerance.
    n_frequencies : int, default=None
        Another way to say it: two columns for each; with ``estimator="jordan"`` or ``"paper"`` two for each of every part of the measure.
    estimator : {"auto", "fourier", "jordan", "polar", "nystrom", "best", "paper"}, default="auto"
        jordan samples the parts of the Fourier measure one by one, polar all of it once, with phases; fourier is the one of them that
        varies less on the data. nystrom takes kernel values at landmarks among the rows. best tries Fourier and Nyström maps and keeps
        the best. auto is fourier, and with a tolerance best. paper is Algorithms 1 and 2 of the paper.
    sampler : str, default="orthogonal"
        Where the frequencies are: exact, rejection, orthogonal, mub, structured, sobol, quadrature, ridge or grid. But for grid not used
        with a tolerance, nor with nystrom, best or paper. Where the measure of a kernel does not make its frequencies from normal vectors
        orthogonal gives way to exact.
    weights : {"calibrated", "exact", "subset", "unconstrained"}, default="calibrated"
        calibrated fits every weight to pairs of rows: a smaller error for rows like these. For a symmetric positive definite kernel no
        weight is negative; unconstrained lets them be, which may bring ``transform(X) @ transform_right(Y).T`` nearer to K, but not
        ``Z @ Z.T``. exact takes the known masses: unbiased everywhere, and the fit looks at the rows for nothing but the choice of the
        estimator. subset fits the masses on 50 rows. Not used with a tolerance, nystrom, best or paper.
    landmarks : {"pivoted", "uniform", "greedy"}, default="pivoted"
        How nystrom chooses among the rows: by what is left of the kernel, at random, or the row where most is left.
    n_landmarks : int, default=None
        How many nystrom takes, and no other, from n_features to 4096; None: three for every column. More are more exact, and cost more for every row.
        Of a precomputed matrix: that features are made of only so many of its columns and rows, and of new rows only those columns are
        read. None: of all. The certificate looks at more: with fewer than 2000 rows at every column.
    tolerance : float, default=None
        Instead of n_frequencies: the relative error ‖K - K̃‖/‖K‖ wanted. Of the maps tried the smallest found whose 95 % interval lies
        below it is taken; if none does, the most exact one and an :class:`AccuracyWarning`. Needs at least 24 rows. Below 1e-6 use
        float64: float32 features carry rounding besides. With ``sampler="grid"`` it is one of every value of the kernel, relative to its
        largest: the grid has as many frequencies as that takes, nothing is tried, and ``error_`` is nan.
    max_frequencies : int, default=4096
        With a tolerance: the most to try; never more than one for every row, or 128.
    time_limit : float, default=None
        With a tolerance or best: seconds after which no more maps are tried, and the best so far is taken. It then depends on the machine.
    scale : {"none", "minmax", "standard", "robust", "maxabs"}, default="none"
        What is done to the columns first: nothing; to [0, 1]; to mean 0 and standard deviation 1; to median 0 and 5 % to 95 % quantiles 1
        apart, so that outliers do not count; by the largest absolute value, so that zeros stay zeros. Kernels see the distance of rows, so columns of very different width need one.
    dtype : {None, "float32", "float64"}, default=None
        Of the features and their arithmetic. None: that of the rows; of whole numbers float64. Maps are fitted to the rows as they are
        given, and float64 rows are scaled before they are rounded.
    n_jobs : int, default=None
        Threads: None the library's default (all processors or ASKRFF_THREADS; 1 inside a joblib worker), -1 all. Results are the
        same bits for any number.
    random_state : int, RandomState, Generator or None, default=None
        An int gives the same features on every machine, and the same frequencies as the command line with that ``--seed``.
    progress : callable, default=None
        With a tolerance or best: called with a description of every map that was tried.

    Attributes
    ----------
    error_ : float
        Relative error ‖K - K̃‖/‖K‖ of kernel matrices K(X, X) of as many rows as were fitted on, at most 1000, all like those; measured on
        rows outside the fit. nan with fewer than 15 rows (3 with exact weights, which fewer than 4 rows get in any case where there is a
        measure). With fewer than 8000 rows the map is then fitted anew to all of them, and error_ is that of the one before; with fewer
        than 2000 (Nyström 500, a tolerance or estimator="best" 2400) that of five maps, each made of four fifths of the rows and judged by
        the others. With ``dtype="float32"`` what rounding adds is a part of it, else it is that of float64 features: float32
        ones of rows at about 0 carry about 1e-7 besides.
    error_interval_ : tuple of float
        Its 95 % interval.
    error_between_ : float
        The same for matrices K(X, Y) between different rows. They have no diagonal: where k is small between different rows, and features
        are few, their relative error is larger. nan for files of earlier versions.
    masses_ : dict or None
        Masses of the parts of the Fourier measure, where they are known: exact, or with ``weights="subset"`` fitted.
    frequencies_ : ndarray of shape (n, n_features_in_) or None
        Frequencies ω_j; None for nystrom.
    weights_ : ndarray of shape (n,), complex, or None
        Weights c_j: k(δ) ≈ Re Σ c_j exp(iω_j·δ); None for nystrom.
    landmarks_ : ndarray of shape (n, n_features_in_) or None
        Rows at which nystrom evaluates the kernel; None for the others.
    landmark_columns_, landmark_rows_ : ndarray of int or None
        Of a precomputed matrix with n_landmarks: the columns of K that features of its rows are made of, and the rows those of its columns
        are. ``transform`` and ``transform_right`` take rows with nothing but these numbers too.
    kernel_ : Kernel or None
        The kernel approximated, with all its parameters found. None if it came from a file without it, or for a matrix.
    scaler_ : dict or None
        None where columns are taken as they are, else ``kind``, and ``offset`` and ``width`` of every column (files of the command line
        scale columns unless told otherwise). ``kernel_``, ``frequencies_``, ``weights_`` and ``landmarks_`` are those of the scaled rows,
        (x - offset) / width; ``transform`` takes rows as they are.
    n_features_out_ : int
        Columns of the features.
    n_features_in_ : int
        Columns of the rows.
    feature_names_in_ : ndarray of str
        Names of those columns, where they have any.

    Notes
    -----
    C-contiguous float32 and float64 arrays, read-only ones too, are used where they are; other layouts and types are converted once.
    Sparse rows are made dense some thousand at a time. A row's features are the same bits whatever other rows are there.

    Examples
    --------
    >>> import numpy as np
    >>> from askrff import FourierFeatures
    >>> X = np.random.default_rng(0).uniform(size=(200, 3))
    >>> features = FourierFeatures(kernel="shift-gaussian", kernel_params={"sigma": 1.0, "shift": 0.25}, random_state=0)
    >>> Z = features.fit_transform(X)
    >>> Z.shape
    (200, 512)
    >>> R = features.transform_right(X)
    >>> K = features.kernel_(X)
    >>> bool(np.linalg.norm(Z @ R.T - K) < 0.01 * np.linalg.norm(K))
    True
    >>> bool(np.abs(K - K.T).max() > 0.1)
    True
    """

    error_: float
    error_interval_: Tuple[float, float]
    error_between_: float
    landmark_columns_: Optional[AnyArray]
    landmark_rows_: Optional[AnyArray]
    masses_: Optional[Dict[str, float]]
    frequencies_: Optional[FloatArray]
    weights_: Optional[AnyArray]
    landmarks_: Optional[FloatArray]
    kernel_: Optional[Kernel]
    scaler_: Optional[Dict[str, Any]]
    n_features_out_: int
    n_features_in_: int

    def __init__(
        self,
        *,
        kernel: KernelLike = "gaussian",
        kernel_params: Optional[KernelParams] = None,
        gamma: Union[None, float, str] = None,
        n_features: Optional[int] = None,
        n_frequencies: Optional[int] = None,
        estimator: str = "auto",
        sampler: str = "orthogonal",
        weights: str = "calibrated",
        landmarks: str = "pivoted",
        n_landmarks: Optional[int] = None,
        tolerance: Optional[float] = None,
        max_frequencies: int = 4096,
        time_limit: Optional[float] = None,
        scale: str = "none",
        dtype: Dtype = None,
        n_jobs: Optional[int] = None,
        random_state: RandomState = None,
        progress: Optional[Progress] = None,
    ) -> None:
        self.kernel = kernel
        self.kernel_params = kernel_params
        self.gamma = gamma
        self.n_features = n_features
        self.n_frequencies = n_frequencies
        self.estimator = estimator
        self.sampler = sampler
        self.weights = weights
        self.landmarks = landmarks
        self.n_landmarks = n_landmarks
        self.tolerance = tolerance
        self.max_frequencies = max_frequencies
        self.time_limit = time_limit
        self.scale = scale
        self.dtype = dtype
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.progress = progress

    def fit(self, X: Rows, y: object = None) -> FourierFeatures:
        """Draw the frequencies, and fit weights or landmarks to (at most 20 000 of) the rows. If it fails, what was fitted before stays.

        Parameters
        ----------
        X : array-like, sparse matrix or table of shape (n, d)
        y : ignored

        Returns
        -------
        self
        """
        with unchanged_if_it_fails(self):
            if is_precomputed(self) and is_operator(X):
                X = check_operator_to_fit(X)
                self.n_features_in_ = int(X.shape[1])
                vars(self).pop("feature_names_in_", None)
            else:
                X = check_rows(self, X, reset=True)
            map_ = fit_map(self, X, seed_from(self.random_state), threads_from(self.n_jobs))
            return self._take(map_, fitted_kernel(self.kernel, map_))

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "_map")

    def _take(self, map_: _core.Map, kernel: Optional[Kernel]) -> FourierFeatures:
        """The learned attributes, of a map just fitted or loaded."""
        set_map(self, map_)
        self.kernel_ = kernel
        self.masses_ = _masses_of(map_, kernel)
        self.frequencies_, self.weights_, self.landmarks_ = map_.frequencies, map_.weights, map_.landmarks
        return self

    @property
    def _n_features_out(self) -> int:
        """Under the name scikit-learn's mixin for names of columns looks for."""
        return self.n_features_out_

    def transform(self, X: Rows, out: Optional[FloatArray] = None) -> Any:
        """Left features of the rows.

        Parameters
        ----------
        X : array-like, sparse matrix or table of shape (n, d)
            Tables are pandas and polars frames, Arrow's tables, batches and readers; a reader is read piece by piece.
        out : ndarray of shape (n, n_features_out_), default=None
            Where to put them: an array with contiguous rows of the features' dtype, an earlier result or a memory map for instance. None:
            a new array. Where results are large, fresh memory costs more time than the features: blocks of rows do well to share one.

        Returns
        -------
        Z : ndarray of shape (n, n_features_out_), or a data frame after ``set_output``
            ``out`` if it was given; a pandas frame then shares its memory, a polars frame has a copy.

        Examples
        --------
        >>> import numpy as np
        >>> from askrff import FourierFeatures
        >>> X = np.random.default_rng(0).uniform(size=(1000, 3)).astype(np.float32)
        >>> features = FourierFeatures(n_features=32, random_state=0).fit(X)
        >>> Z = None
        >>> for rows in np.split(X, 10):
        ...     Z = features.transform(rows, out=Z)
        """
        return self._transformed(X, "left", out)

    def transform_right(self, Y: Rows, out: Optional[FloatArray] = None) -> FloatArray:
        """Right features of the rows, always as an array: K(X, Y) ≈ ``transform(X) @ transform_right(Y).T``.

        Parameters
        ----------
        Y : array-like or sparse matrix of shape (m, d)
        out : ndarray of shape (m, n_features_out_), default=None
            As in :meth:`transform`.

        Returns
        -------
        R : ndarray of shape (m, n_features_out_)

        Examples
        --------
        >>> import numpy as np
        >>> from askrff import FourierFeatures
        >>> X = np.linspace(0, 1, 50).reshape(-1, 1)
        >>> features = FourierFeatures(kernel="sinh-gaussian", n_features=64, random_state=0).fit(X)
        >>> features.transform_right(X[:5]).shape
        (5, 64)
        """
        return self._transformed(Y, "right", out)

    def operator(self, X: Rows, Y: Optional[Rows] = None) -> KernelOperator:
        """The approximate kernel matrix as a scipy ``LinearOperator``: K̃v and K̃ᵀu in O((n + m)·n_features) each.

        K̃ is never stored, nor are features where they take more than 1 MiB; the operator keeps X and Y (dense), which must stay as they are.

        Parameters
        ----------
        X : array-like, sparse matrix or table of shape (n, d)
        Y : array-like or sparse matrix of shape (m, d), default=None
            None: the rows of X.

        Returns
        -------
        KernelOperator of shape (n, m), of the dtype of X

        Examples
        --------
        >>> import numpy as np
        >>> from askrff import FourierFeatures
        >>> X = np.random.default_rng(0).uniform(size=(500, 2))
        >>> features = FourierFeatures(kernel="shift-gaussian", random_state=0).fit(X)
        >>> K = features.operator(X)
        >>> K.shape
        (500, 500)
        >>> v = np.ones(500)
        >>> bool(np.allclose(K @ v, features.transform(X) @ (features.transform_right(X).T @ v)))
        True
        """
        X, Y = self._checked_pair(X, Y)
        X, Y = (rows if sp.issparse(rows) else densified(rows) for rows in (X, Y))
        return KernelOperator(features_product, X, Y, self._map, threads_from(self.n_jobs))

    def svd(self, X: Rows, Y: Optional[Rows] = None, k: int = 10) -> Tuple[FloatArray, FloatArray, FloatArray]:
        """Leading singular triples of the approximate kernel matrix K̃(X, Y) ≈ U diag(s) Vt.

        Of an asymmetric kernel the left and the right singular functions differ; columns of U and rows of Vt are their values on the
        rows of X and of Y. Takes O((n + m)·n_features²) time and (n + m)·n_features numbers.

        Parameters
        ----------
        X : array-like, sparse matrix or table of shape (n, d)
        Y : array-like or sparse matrix of shape (m, d), default=None
            None: the rows of X.
        k : int, default=10
            From 1 to the smallest of n, m and n_features_out_.

        Returns
        -------
        U : ndarray of shape (n, k)
            Orthonormal columns; the largest entry of each is positive.
        s : ndarray of shape (k,)
            The largest first.
        Vt : ndarray of shape (k, m)
            Orthonormal rows.

        Examples
        --------
        >>> import numpy as np
        >>> from askrff import FourierFeatures
        >>> X = np.random.default_rng(0).normal(size=(300, 2))
        >>> features = FourierFeatures(kernel="shift-gaussian", random_state=0).fit(X)
        >>> U, s, Vt = features.svd(X, k=3)
        >>> U.shape, s.shape, Vt.shape
        ((300, 3), (3,), (3, 300))
        """
        X, Y = self._checked_pair(X, Y)
        most = min(X.shape[0], Y.shape[0], self.n_features_out_)
        if check_count("k", k) > most:
            raise ValueError(f"k is {k}, expected at most {most}, the smallest of the rows of X, those of Y and n_features_out_")
        return low_rank_svd(self._features(X, "left"), self._features(Y, "right"), k)

    def save(self, path: PathLike) -> None:
        """Write the map to a file that the command line (``askrff transform --features``) and :func:`askrff.load` read.

        Parameters
        ----------
        path : str, bytes or path-like
            The file; it appears when it is complete.
        """
        check_is_fitted(self)
        self._map.save(path_text(path))

    def _transformed(self, X: Rows, side: str, out: Optional[FloatArray]) -> FloatArray:
        check_is_fitted(self)
        if is_operator(X):
            if out is not None:
                raise ValueError("out is given, but X is a LinearOperator, whose product is an array of its own: expected None")
            return operator_features(self, X, side)
        if not is_reader(X):
            return self._transformed_rows(X, side, out)
        if out is not None:
            raise ValueError("out is given, but X is a reader whose rows nobody has counted: expected None, or a batch")
        return np.concatenate([self._transformed_rows(rows, side, None) for rows, _, _ in pieces_of(X)])

    def _transformed_rows(self, X: Any, side: str, out: Optional[FloatArray]) -> FloatArray:
        X = check_rows_of_side(self, X, side, None, finite=self._map.kind == "matrix")
        try:
            features = self._features(X, side, out)  # refuses numbers that are not finite: a look for them here would be the second
        except ValueError:
            check_finite(self, X)
            raise
        warn_if_outside(self, X)
        warn_if_rounded(self, X, features.dtype)
        return features

    def _checked(self, X: Rows, side: str) -> Any:
        check_is_fitted(self)
        X = check_rows_of_side(self, X, side, self.dtype)
        warn_if_outside(self, X)
        warn_if_rounded(self, X, X.dtype)
        return X

    def _checked_pair(self, X: Rows, Y: Optional[Rows]) -> Tuple[Any, Any]:
        X = self._checked(X, "left")
        Y = rows_for_both_sides(self, X) if Y is None else self._checked(Y, "right")
        return X, Y.astype(X.dtype, copy=False)

    def _features(self, X: Any, side: str, out: Optional[FloatArray] = None) -> FloatArray:
        shape, dtype = (X.shape[0], self.n_features_out_), np.dtype(X.dtype if self.dtype is None else self.dtype)
        if out is None:
            out = aligned_empty(shape, dtype)
        else:
            check_out(out, shape, dtype, X)
        make, n_threads = getattr(self._map, side), threads_from(self.n_jobs)
        if sp.issparse(X):
            make(rows_or_sparse(X), out, n_threads)
            return out
        for first, rows in row_blocks(X):
            make(rows, out[first : first + len(rows)], n_threads)
        return out


def aligned_empty(shape: Tuple[int, int], dtype: Any) -> FloatArray:
    """As np.empty, but from a multiple of 64 bytes on: results larger than the caches are written past them then, in half the time."""
    size, dtype = shape[0] * shape[1], np.dtype(dtype)
    memory = np.empty(size + 64 // dtype.itemsize, dtype=dtype)
    first = -memory.ctypes.data % 64 // dtype.itemsize
    return memory[first : first + size].reshape(shape)


def _masses_of(map_: _core.Map, kernel: Optional[Kernel]) -> Optional[Dict[str, float]]:
    """By part: those fitted on a subset, else the exact ones of the kernel."""
    if map_.masses is not None and (kernel is None or map_.weights_kind == "subset"):
        return map_.masses
    return None if kernel is None else kernel.masses(map_.dim)
