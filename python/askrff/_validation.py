"""From rows that users pass to those the core takes. The one place that knows how scikit-learn 1.2 and 1.6+ differ."""

from __future__ import annotations

import contextlib
import functools
import numbers
import sys
import types
import warnings
from typing import Any, Dict, Iterator, List, Optional, Tuple

import numpy as np
import scipy.sparse as sp
from scipy.sparse.linalg import LinearOperator
from sklearn.utils import assert_all_finite, check_array, check_X_y

from . import _core
from ._columns import Table, TableRows, table_of
from ._parameters import check_text, shown
from ._typing import Dtype, FloatArray, Rows, Targets

try:  # scikit-learn 1.6 and later
    from sklearn.utils.validation import validate_data as _validate_data

    FINITE_OPTION = "ensure_all_finite"
except ImportError:
    FINITE_OPTION = "force_all_finite"

    def _validate_data(estimator: Any, X: Any, **options: Any) -> Any:
        return estimator._validate_data(X, **options)

    def _check_frame(estimator: Any, frame: Any, reset: bool) -> None:
        estimator._check_feature_names(frame, reset=reset)
        estimator._check_n_features(frame, reset=reset)

else:

    def _check_frame(estimator: Any, frame: Any, reset: bool) -> None:
        """Names and number of columns, by scikit-learn."""
        _validate_data(estimator, frame, reset=reset, skip_check_array=True)


# Dense rows made of sparse ones at a time: large enough to keep all threads busy, small enough to stay some MB, wide rows too.
ROWS_PER_BLOCK = 4096
NUMBERS_PER_BLOCK = 2**22
LEAST_ROWS_PER_BLOCK = 16


class AccuracyWarning(UserWarning):
    """The approximation may be worse than hoped for: a tolerance not reached, rows outside the fitted range, too few rows."""


def warn(message: str) -> None:
    """An AccuracyWarning at the line of the user's code that led here: the first outside this package and those that call it."""
    level, frame = 1, sys._getframe(0)
    while frame.f_back is not None and _is_ours(frame):
        level, frame = level + 1, frame.f_back
    warnings.warn(message, AccuracyWarning, stacklevel=level)


def _is_ours(frame: Any) -> bool:
    return frame.f_globals.get("__name__", "").partition(".")[0] in ("askrff", "sklearn", "joblib", "pyspark")


@contextlib.contextmanager
def unchanged_if_it_fails(estimator: Any) -> Iterator[None]:
    """What was learned before stays, all of it, if the fit inside does not end well."""
    before = dict(vars(estimator))
    try:
        yield
    except BaseException:
        vars(estimator).clear()
        vars(estimator).update(before)
        raise


class offered_if:
    """A method that is there only if check(estimator) does not raise AttributeError, whose sentence then is the error's.

    As scikit-learn's available_if, which in recent versions hides the sentence behind one of its own.
    """

    def __init__(self, check: Any) -> None:
        self.check = check

    def __call__(self, method: Any) -> Any:
        self.method = method
        functools.update_wrapper(self, method)
        return self

    def __get__(self, estimator: Any, owner: Any = None) -> Any:
        if estimator is None:
            return self.method
        self.check(estimator)
        return types.MethodType(self.method, estimator)


class SparseInputTags:
    """Mixin: tells scikit-learn, old and new, that sparse rows are taken, which dtypes a transformer keeps, and whether rows are those of a
    kernel matrix."""

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.input_tags.pairwise = self._is_pairwise()
        if tags.transformer_tags is not None:
            tags.transformer_tags.preserves_dtype = ["float64", "float32"]
        return tags

    def _more_tags(self) -> Dict[str, Any]:
        return {"preserves_dtype": [np.float64, np.float32], "pairwise": self._is_pairwise()}

    def _is_pairwise(self) -> bool:
        """Cross-validation then takes columns with rows."""
        return isinstance(self.kernel, str) and self.kernel == "precomputed"


def float_dtypes(dtype: Dtype) -> List[Any]:
    """The dtypes rows may have: those of `dtype`, or float64 and float32 for None; others become the first."""
    if dtype is None:
        return [np.float64, np.float32]
    wanted = np.dtype(dtype)
    if wanted not in (np.dtype(np.float32), np.dtype(np.float64)):
        raise ValueError(f"dtype is {dtype!r}, expected None, float32 or float64")
    return [wanted]


def check_rows(estimator: Any, X: Rows, *, reset: bool, dtype: Dtype = None, finite: bool = True) -> Any:
    """X as a C-contiguous 2-D array or CSR matrix of floats, finite ones if they have to be; not copied if it is one already. Of tables by
    columns TableRows."""
    refuse_operator(X)
    table = table_of(X)
    if table is not None:
        return _rows_of_table(estimator, table, reset, dtype, finite)
    X = _validate_data(estimator, X, reset=reset, dtype=float_dtypes(dtype), order="C", accept_sparse="csr", **{FINITE_OPTION: finite})
    if reset:
        _check_names(estimator)
    return without_duplicates(estimator, X)


def refuse_operator(X: Any) -> None:
    """Rows are wanted, and a LinearOperator has none."""
    if isinstance(X, LinearOperator):
        raise TypeError(
            "X is a LinearOperator, expected rows: fit FourierFeatures(kernel='precomputed') on it, and a model on the features it gives"
        )


def check_finite(estimator: Any, X: Any) -> None:
    """scikit-learn's sentence about numbers that are not finite, if there are any."""
    if isinstance(X, TableRows):
        return X.check_finite()
    assert_all_finite(X.data if sp.issparse(X) else X, estimator_name=type(estimator).__name__, input_name="X")


def check_rows_and_targets(estimator: Any, X: Rows, y: Targets, *, reset: bool, dtype: Dtype = None, **options: Any) -> Tuple[Any, Any]:
    """As check_rows, with y; options are those of scikit-learn's check_X_y."""
    refuse_operator(X)
    table = table_of(X)
    if table is not None:
        if y is None:
            raise ValueError(f"{type(estimator).__name__} requires y to be passed, but the target y is None")
        _, y = check_X_y(np.zeros((table.n_rows, 1)), y, estimator=estimator, **options)
        return _rows_of_table(estimator, table, reset, dtype, finite=True), y
    X, y = _validate_data(estimator, X, y=y, reset=reset, dtype=float_dtypes(dtype), order="C", accept_sparse="csr", **options)
    if reset:
        _check_names(estimator)
    return without_duplicates(estimator, X), y


def _rows_of_table(estimator: Any, table: Table, reset: bool, dtype: Dtype, finite: bool) -> TableRows:
    if table.frame is not None:
        _check_frame(estimator, table.frame, reset)
    else:
        _check_columns(estimator, table.names, reset)
    if reset:
        _check_names(estimator)
    rows = _numbers_of(table, dtype)
    if finite:
        rows.check_finite()
    return rows


def _numbers_of(table: Table, dtype: Dtype) -> TableRows:
    """All columns, which must be numbers: float32 if NumPy would make that of their types, else float64, unless dtype says."""
    table.core.check_data()
    if table.n_rows == 0 or not table.names:
        raise ValueError(f"X has {table.n_rows} rows and {len(table.names)} columns, expected at least one of each")
    own = float_dtypes(dtype)
    common = np.result_type(*table.core.types)
    return TableRows(table.core, common if common in own else own[0])


def _check_columns(estimator: Any, names: List[str], reset: bool) -> None:
    """What scikit-learn does for frames it knows: names, which Arrow always has, are kept, or must be those that are known."""
    if reset:
        estimator.n_features_in_ = len(names)
        estimator.feature_names_in_ = np.asarray(names, dtype=object)
        return
    known = getattr(estimator, "feature_names_in_", None)
    if known is not None and list(known) != names:
        unknown, missing = [n for n in names if n not in known], [n for n in known if n not in names]
        what = f"does not know {shown(unknown)}" if unknown else f"lacks {shown(missing)}" if missing else "has another order"
        raise ValueError(f"X {what}, expected the {len(known)} columns that {type(estimator).__name__} was fitted on: {shown(list(known))}")
    if len(names) != estimator.n_features_in_:
        raise ValueError(f"X has {len(names)} columns, but {type(estimator).__name__} was fitted on {estimator.n_features_in_}")


def check_weights(sample_weight: Any, X: Any) -> Optional[FloatArray]:
    """What every row counts, float64, 0 or within the library's limits; None if nobody said."""
    if sample_weight is None:
        return None
    n_rows = X.shape[0]
    if isinstance(sample_weight, numbers.Real) and not isinstance(sample_weight, bool):
        sample_weight = np.full(n_rows, float(sample_weight))
    weights = check_array(sample_weight, ensure_2d=False, dtype=np.float64, order="C")
    if weights.shape != (n_rows,):
        raise ValueError(f"sample_weight has shape {weights.shape}, expected one number for each of {n_rows} rows")
    least, most = _core.WEIGHT_LIMITS
    wrong = np.flatnonzero((weights != 0) & ~((weights >= least) & (weights <= most)))
    if wrong.size:
        value = shown(float(weights[wrong[0]]))
        raise ValueError(f"sample_weight holds {value} in row {wrong[0]}, expected 0 or numbers from {least:g} to {most:g}")
    if not weights.any():
        raise ValueError("sample_weight is zero for all rows, expected some that count")
    return weights


def _check_names(estimator: Any) -> None:
    for name in getattr(estimator, "feature_names_in_", ()):
        check_text("the name of a column", str(name))


def without_duplicates(estimator: Any, X: Any) -> Any:
    """Sparse rows with one entry for a place, the sum of those given: sums of squares of single entries would be others."""
    if not sp.issparse(X) or X.has_canonical_format:
        return X
    X = X.copy()  # the caller's stay as they are
    X.sum_duplicates()
    check_finite(estimator, X)
    return X


def codes_of(y: Any, classes: Any, known: str = "the classes") -> Any:
    """The place of every label among the classes, int64. `known` names them in the error about one that is not."""
    # By a dict: of text and numbers some versions of NumPy make a single type, and "1" equal to 1.
    code_of = {label: code for code, label in enumerate(classes.tolist())}
    labels, inverse = np.unique(y, return_inverse=True)
    codes = np.asarray([code_of.get(label, -1) for label in labels.tolist()], dtype=np.int64)
    if len(codes) > 0 and codes.min() < 0:
        raise ValueError(f"y has the label {labels[codes < 0][0]!r}, which is not among {known}")
    return codes[inverse.reshape(-1)]


def rows_of_part(X: Any) -> Any:
    """As check_rows, of some of the rows that an estimator sees, perhaps none. The core looks for numbers that are not finite."""
    return check_array(X, accept_sparse="csr", dtype=float_dtypes(None), order="C", ensure_min_samples=0, **{FINITE_OPTION: False})


def free_rows(X: Rows) -> Any:
    """Rows of a free function (no estimator): C-contiguous float64, or those of a CSR matrix."""
    table = table_of(X)
    if table is not None:
        rows = _numbers_of(table, np.float64)
        rows.check_finite()
        return rows[:]
    X = check_array(X, dtype=np.float64, order="C", accept_sparse="csr")
    if not sp.issparse(X):
        return X
    if not X.has_canonical_format:
        X = X.copy()  # the caller's stay as they are
        X.sum_duplicates()
    return rows_or_sparse(X)


def point_rows(X: Rows) -> FloatArray:
    """Points of a free function: C-contiguous, float32 if they are that, else float64; perhaps none."""
    table = table_of(X)
    if table is not None:
        rows = _numbers_of(table, None)
        rows.check_finite()
        return rows[:]
    return densified(check_array(X, accept_sparse="csr", dtype=float_dtypes(None), order="C", ensure_min_samples=0))


def densified(X: Any) -> FloatArray:
    """Sparse rows, and those of a table, as a C-contiguous array; others as they are."""
    return X.toarray(order="C") if sp.issparse(X) else X[:] if isinstance(X, TableRows) else X


def check_out(out: Any, shape: Tuple[int, int], dtype: Any, X: Any) -> None:
    """Whether features of X, of that shape and dtype, can be written to `out` and nowhere else."""
    if not isinstance(out, np.ndarray):
        raise TypeError(f"out is {type(out).__name__}, expected an array")
    if out.dtype != dtype:
        raise TypeError(f"out holds {out.dtype}, expected {dtype} as the features")
    if out.shape != shape:
        raise ValueError(f"out has shape {out.shape}, expected {shape}")
    if not out.flags.writeable:
        raise ValueError("out is read-only, expected an array that can be written to")
    if out.size and (out.strides[1] != out.itemsize or out.strides[0] < shape[1] * out.itemsize):
        raise ValueError("out does not have contiguous rows, expected an array in C order")
    if isinstance(X, np.ndarray) and np.may_share_memory(out, X):
        raise ValueError("out shares memory with the rows, expected memory of its own")


def rows_per_block(n_columns: int) -> int:
    """Rows to make dense at a time."""
    return min(ROWS_PER_BLOCK, max(LEAST_ROWS_PER_BLOCK, NUMBERS_PER_BLOCK // n_columns))


def core_rows(X: Any) -> Any:
    """Rows that were checked as the core reads them."""
    return rows_or_sparse(X) if sp.issparse(X) else X


def rows_or_sparse(X: Any) -> Any:
    """Rows that were checked for what takes sparse ones as they are: an array, or those of a CSR matrix."""
    if not sp.issparse(X):
        return densified(X)
    if X.nnz > 0 and (X.indices.min() < 0 or X.indices.max() >= X.shape[1]):  # before they are made 32 bits
        raise ValueError(f"X has numbers in columns {X.indices.min()} to {X.indices.max()}, expected 0 to {X.shape[1] - 1}")
    starts, columns = X.indptr.astype(np.uint64, copy=False), X.indices.astype(np.uint32, copy=False)
    return _core.SparseRows(np.ascontiguousarray(starts), np.ascontiguousarray(columns), np.ascontiguousarray(X.data), X.shape[1])


def row_blocks(X: Any) -> Iterator[Tuple[int, FloatArray]]:
    """(first row, dense C-contiguous rows): X whole if it is an array, else block by block, so that memory stays small."""
    if isinstance(X, np.ndarray):
        yield 0, X
        return
    n_rows = rows_per_block(X.shape[1])
    for first in range(0, X.shape[0], n_rows):
        yield first, densified(X[first : first + n_rows])


def float64_blocks(X: Any) -> Iterator[Tuple[int, FloatArray]]:
    """(first row, dense float64 rows): as row_blocks; float32 rows are converted block by block, never as a whole."""
    if isinstance(X, np.ndarray) and X.dtype == np.float64:
        yield 0, X
        return
    yield from small_float64_blocks(X)


def small_float64_blocks(X: Any) -> Iterator[Tuple[int, FloatArray]]:
    """(first row, dense float64 rows), few at a time whatever X is: for what makes copies of them."""
    n_rows = rows_per_block(X.shape[1])
    for first in range(0, X.shape[0], n_rows):
        yield first, take_float64(X, slice(first, first + n_rows))


def take_float64(X: Any, rows: Any) -> FloatArray:
    """The rows with these indices, dense, float64 and C-contiguous."""
    return np.ascontiguousarray(densified(X[rows]), dtype=np.float64)
