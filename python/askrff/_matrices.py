"""kernel="precomputed": rows of a kernel matrix, K(x, X_train), instead of rows of data."""

from __future__ import annotations

from typing import Any, Optional, Tuple

import numpy as np
import scipy.sparse as sp
from scipy.sparse.linalg import LinearOperator
from sklearn.utils import check_array

from . import _core
from ._columns import table_of
from ._parameters import check_count, check_word, shown
from ._typing import AnyArray, Dtype, FloatArray
from ._validation import FINITE_OPTION, check_rows, float_dtypes, rows_or_sparse, without_duplicates


def is_precomputed(params: Any) -> bool:
    """Whether an estimator takes rows of a kernel matrix."""
    return isinstance(params.kernel, str) and params.kernel == "precomputed"


def is_operator(X: Any) -> bool:
    """A matrix that is known by its products alone."""
    return isinstance(X, LinearOperator)


# How near <u, K·v> and <Kᵀ·u, v> must be, relative to |u|·|K·v|: for products in float64, and in float32.
_ADJOINT_TOLERANCE, _SINGLE_ADJOINT_TOLERANCE = 1e-6, 1e-3


def check_operator_to_fit(K: LinearOperator) -> LinearOperator:
    """One whose products with K and Kᵀ are there and belong together, as far as one vector for each tells."""
    check_operator(K)
    draws = np.random.default_rng(0)
    u, v = (draws.standard_normal((size, 1)) for size in K.shape)
    u.flags.writeable = v.flags.writeable = False
    forwards = np.asarray(K.matmat(v))
    try:
        backwards = np.asarray(K.rmatmat(u))
    except (NotImplementedError, TypeError, AttributeError) as error:  # SciPy's ways of having none
        raise TypeError("the LinearOperator has no product with Kᵀ, expected one with rmatvec or rmatmat: both sides' features need it") from error
    if forwards.shape != u.shape or backwards.shape != v.shape:
        return K  # the core says so
    with np.errstate(all="ignore"):  # of what is not finite the core says so too
        one, other = float(np.vdot(u, forwards)), float(np.vdot(backwards, v))
        size = np.linalg.norm(u) * np.linalg.norm(forwards) + np.linalg.norm(v) * np.linalg.norm(backwards)
    tolerance = _SINGLE_ADJOINT_TOLERANCE if K.dtype.itemsize < 8 else _ADJOINT_TOLERANCE
    if np.isfinite(size) and abs(one - other) > tolerance * size:
        raise ValueError(
            f"the LinearOperator's rmatvec is not the product with the transpose of its matvec: <u, K·v> is {one:.6g} and <Kᵀ·u, v> is {other:.6g}"
            " for random u and v, expected the same"
        )
    return K


def check_operator(K: LinearOperator) -> LinearOperator:
    """One of at least one row and column, with real numbers."""
    if np.issubdtype(K.dtype, np.complexfloating):
        raise ValueError(f"K is a LinearOperator of {K.dtype}, expected real numbers")
    if min(K.shape) < 1:
        raise ValueError(f"K has shape {K.shape}, expected at least one row and one column")
    return K


def fit_matrix_map(params: Any, K: Any, seed: int, n_threads: int, column_names: Any) -> _core.Map:
    """The map of a kernel matrix that was checked: an array, a CSR matrix, rows of a table or a LinearOperator."""
    _check_options(params)
    n_landmarks = 0 if params.n_landmarks is None else check_count("n_landmarks", params.n_landmarks, most=_core.MOST_LANDMARKS)
    return _core.matrix_map(
        K if is_operator(K) else rows_or_sparse(K),
        n_features=_n_features(params),
        n_landmarks=n_landmarks,
        landmarks=check_word("landmarks", params.landmarks, _core.WORDS["landmarks"]),
        seed=seed,
        n_threads=n_threads,
        column_names=column_names,
    )


def _n_features(params: Any) -> int:
    if params.n_features is not None and params.n_frequencies is not None:
        raise ValueError(f"n_features is {shown(params.n_features)} and n_frequencies is {shown(params.n_frequencies)}, expected one of them")
    most = _core.MOST_LANDMARKS
    if params.n_frequencies is not None:
        return 2 * check_count("n_frequencies", params.n_frequencies, most=most // 2)
    if params.n_features is not None:
        return check_count("n_features", params.n_features, most=most)
    default = 2 * _core.MAP_DEFAULTS["n_frequencies"]
    return default if params.n_landmarks is None else min(default, check_count("n_landmarks", params.n_landmarks, most=most))


def _check_options(params: Any) -> None:
    """What has no meaning for rows of a kernel matrix is refused. "minmax" is what models do if nothing is said, and leaves such rows alone."""
    for name in ("kernel_params", "gamma", "tolerance", "time_limit"):
        if getattr(params, name) is not None:
            raise ValueError(f"{name} is {shown(getattr(params, name))}, but kernel='precomputed' has none: expected None")
    if getattr(params, "tune", None) is not None:
        raise ValueError(f"tune is {shown(params.tune)}, but kernel='precomputed' has no parameters: expected None")
    check_count("max_frequencies", params.max_frequencies)
    for name in ("estimator", "sampler", "weights"):
        check_word(name, getattr(params, name), _core.WORDS[name])
    if params.estimator not in ("auto", "nystrom", "best"):
        raise ValueError(f"estimator is {shown(params.estimator)}, but kernel='precomputed' has no frequencies: expected auto or nystrom")
    check_word("scale", params.scale, _core.WORDS["scale"])
    if params.scale not in ("none", "minmax" if hasattr(params, "tune") else "none"):
        raise ValueError(f"scale is {shown(params.scale)}, but rows of a kernel matrix are taken as they are: expected none")


def landmarks_of(params: Any, map_: _core.Map) -> Tuple[Optional[AnyArray], Optional[AnyArray]]:
    """Rows and columns of K that features are made of, where they are some of them."""
    if map_.kind != "matrix":
        return None, None
    matrix = map_.matrix
    has_landmarks = params.n_landmarks is not None
    return (matrix["rows"], matrix["columns"]) if has_landmarks else (None, None)


def check_rows_of_side(estimator: Any, X: Any, side: str, dtype: Dtype, finite: bool = True) -> Any:
    """As check_rows: rows for one side of a fitted map. Of a kernel matrix those of the right side are columns of it, and rows may hold
    nothing but the numbers at the landmarks."""
    if estimator._map.kind == "matrix" and is_operator(X):
        raise TypeError("X is a LinearOperator, expected rows: only transform and transform_right take operators")
    if estimator._map.kind != "matrix":
        return check_rows(estimator, X, reset=False, dtype=dtype, finite=finite)
    map_ = estimator._map
    size = map_.dim if side == "left" else map_.right_dim
    places = estimator.landmark_columns_ if side == "left" else estimator.landmark_rows_
    at_landmarks = places is not None and _columns_of(X) == len(places) != size
    if side == "left" and not at_landmarks:
        return check_rows(estimator, X, reset=False, dtype=dtype, finite=finite)
    X = check_array(X, accept_sparse="csr", dtype=float_dtypes(dtype), order="C", **{FINITE_OPTION: finite})
    X = without_duplicates(estimator, X)
    if at_landmarks:
        return _spread_out(X, places, size)
    if X.shape[1] != size:
        also = f", or {len(places)} at landmarks" if places is not None else ""
        raise ValueError(f"X has {X.shape[1]} columns, expected {size}, the values of a column of K at its rows{also}")
    return X


def _columns_of(X: Any) -> int:
    table = table_of(X)
    shape = (0, len(table.names)) if table is not None else getattr(X, "shape", None) or np.asarray(X).shape
    return int(shape[1]) if len(shape) == 2 else -1


def _spread_out(X: Any, places: AnyArray, size: int) -> Any:
    """Numbers at some places, as sparse rows that have all of them."""
    if sp.issparse(X):
        return sp.csr_matrix((X.data, places[X.indices], X.indptr), shape=(X.shape[0], size))
    n_rows = X.shape[0]
    starts = np.arange(n_rows + 1, dtype=np.int64) * len(places)
    return sp.csr_matrix((X.ravel(), np.tile(places, n_rows), starts), shape=(n_rows, size))


def operator_features(estimator: Any, X: LinearOperator, side: str) -> FloatArray:
    """Features of all rows of a LinearOperator, by its product with the factor."""
    check_operator(X)
    map_, matrix = estimator._map, estimator._map.matrix
    if matrix is None:
        raise TypeError("X is a LinearOperator, expected rows: only with kernel='precomputed' are its products enough")
    size, places, factor = (
        (map_.dim, matrix["columns"], matrix["left"]) if side == "left" else (map_.right_dim, matrix["rows"], matrix["right"])
    )
    if X.shape[1] != size:
        raise ValueError(f"X has {X.shape[1]} columns, expected {size}")
    whole = np.zeros((size, factor.shape[1]))
    whole[places] = factor
    features = np.asarray(X.matmat(whole), dtype=np.float64)
    if features.shape != (X.shape[0], factor.shape[1]) or not np.isfinite(features).all():
        raise ValueError(f"the operator's matmat gave {features.shape} numbers or some not finite, expected {(X.shape[0], factor.shape[1])}")
    return features


def rows_for_both_sides(estimator: Any, X: Any) -> Any:
    """The rows of X, where they stand for columns too."""
    matrix = estimator._map.matrix
    if matrix is not None and not matrix["one_sided"]:
        raise ValueError("Y is None, but rows of K are not its columns: expected Y, a row K(X_train, y) for every column")
    return X
