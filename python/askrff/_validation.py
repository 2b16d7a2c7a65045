"""From what users pass to what the core takes: rows, seeds, threads. The one place that knows how scikit-learn 1.2 and 1.6+ differ."""

from __future__ import annotations

import numbers
from typing import Any, Dict, Iterator, List, Optional, Sequence, Tuple

import joblib
import numpy as np
import scipy.sparse as sp
from sklearn.utils import assert_all_finite, check_array

from ._typing import Dtype, FloatArray, RandomState, Rows, Targets

try:  # scikit-learn 1.6 and later
    from sklearn.utils.validation import validate_data as _validate_data

    _FINITE = "ensure_all_finite"
except ImportError:
    _FINITE = "force_all_finite"

    def _validate_data(estimator: Any, X: Any, **options: Any) -> Any:
        return estimator._validate_data(X, **options)


# Dense rows made of sparse ones at a time: large enough to keep all threads busy, small enough to stay a few MB.
ROWS_PER_BLOCK = 4096


class AccuracyWarning(UserWarning):
    """The approximation may be worse than hoped for: a tolerance not reached, rows outside the fitted range, too few rows."""


class SparseInputTags:
    """Mixin: tells scikit-learn, old and new, that sparse rows are taken and which dtypes a transformer keeps."""

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        if tags.transformer_tags is not None:
            tags.transformer_tags.preserves_dtype = ["float64", "float32"]
        return tags

    def _more_tags(self) -> Dict[str, Any]:
        return {"preserves_dtype": [np.float64, np.float32]}


def float_dtypes(dtype: Dtype) -> List[Any]:
    """The dtypes rows may have: those of `dtype`, or float64 and float32 for None; others become the first."""
    if dtype is None:
        return [np.float64, np.float32]
    wanted = np.dtype(dtype)
    if wanted not in (np.dtype(np.float32), np.dtype(np.float64)):
        raise ValueError(f"dtype is {dtype!r}, expected None, float32 or float64")
    return [wanted]


def check_rows(estimator: Any, X: Rows, *, reset: bool, dtype: Dtype = None, finite: bool = True) -> Any:
    """X as a C-contiguous 2-D array or CSR matrix of floats, finite ones if they have to be; not copied if it is one already."""
    return _validate_data(estimator, X, reset=reset, dtype=float_dtypes(dtype), order="C", accept_sparse="csr", **{_FINITE: finite})


def check_finite(estimator: Any, X: Any) -> None:
    """scikit-learn's sentence about numbers that are not finite, if there are any."""
    assert_all_finite(X.data if sp.issparse(X) else X, estimator_name=type(estimator).__name__, input_name="X")


def check_rows_and_targets(estimator: Any, X: Rows, y: Targets, *, reset: bool, dtype: Dtype = None, **options: Any) -> Tuple[Any, Any]:
    """As check_rows, with y; options are those of scikit-learn's check_X_y."""
    return _validate_data(estimator, X, y=y, reset=reset, dtype=float_dtypes(dtype), order="C", accept_sparse="csr", **options)


def dense_rows(X: Rows) -> FloatArray:
    """Rows of a free function (no estimator): C-contiguous float64, sparse ones made dense."""
    X = check_array(X, dtype=np.float64, order="C", accept_sparse="csr")
    return densified(X) if sp.issparse(X) else X


def densified(X: Any) -> FloatArray:
    """Sparse rows as a C-contiguous array; others as they are."""
    return X.toarray(order="C") if sp.issparse(X) else X


def check_out(out: Any, shape: Tuple[int, int], X: Any) -> None:
    """Whether features of X, of that shape, can be written to `out` and nowhere else."""
    if not isinstance(out, np.ndarray):
        raise TypeError(f"out is {type(out).__name__}, expected an array")
    if out.dtype != X.dtype:
        raise TypeError(f"out holds {out.dtype}, expected {X.dtype} as the features")
    if out.shape != shape:
        raise ValueError(f"out has shape {out.shape}, expected {shape}")
    if not out.flags.writeable:
        raise ValueError("out is read-only, expected an array that can be written to")
    if out.size and (out.strides[1] != out.itemsize or out.strides[0] < shape[1] * out.itemsize):
        raise ValueError("out does not have contiguous rows, expected an array in C order")
    if not sp.issparse(X) and np.may_share_memory(out, X):
        raise ValueError("out shares memory with the rows, expected memory of its own")


def row_blocks(X: Any) -> Iterator[Tuple[int, FloatArray]]:
    """(first row, dense C-contiguous rows): X whole if it is dense, block by block if it is sparse, so that memory stays small."""
    if not sp.issparse(X):
        yield 0, X
        return
    for first in range(0, X.shape[0], ROWS_PER_BLOCK):
        yield first, X[first : first + ROWS_PER_BLOCK].toarray(order="C")


def float64_blocks(X: Any) -> Iterator[Tuple[int, FloatArray]]:
    """(first row, dense float64 rows): as row_blocks; float32 rows are converted block by block, never as a whole."""
    if not sp.issparse(X) and X.dtype == np.float64:
        yield 0, X
        return
    for first in range(0, X.shape[0], ROWS_PER_BLOCK):
        rows = densified(X[first : first + ROWS_PER_BLOCK])
        yield first, np.ascontiguousarray(rows, dtype=np.float64)


def take_float64(X: Any, rows: Any) -> FloatArray:
    """The rows with these indices, dense, float64 and C-contiguous."""
    return np.ascontiguousarray(densified(X[rows]), dtype=np.float64)


def seed_from(random_state: RandomState) -> int:
    """A 64-bit seed of an int (itself: the same frequencies as ``--seed``), a RandomState or Generator (the next draw) or None."""
    if random_state is None:
        return int(np.random.SeedSequence().generate_state(1, np.uint64)[0])
    if isinstance(random_state, numbers.Integral) and not isinstance(random_state, bool):
        if not 0 <= random_state < 2**64:
            raise ValueError(f"random_state is {random_state}, expected a whole number from 0 to 2^64 - 1")
        return int(random_state)
    if isinstance(random_state, np.random.RandomState):
        return int(random_state.randint(0, 2**63 - 1, dtype=np.int64))
    if isinstance(random_state, np.random.Generator):
        return int(random_state.integers(0, 2**63 - 1))
    raise ValueError(f"random_state is {random_state!r}, expected None, a whole number, a RandomState or a Generator")


def threads_from(n_jobs: Optional[int]) -> int:
    """Threads for the core, 0 for its default. None is that default, but 1 inside a joblib worker: the workers share the machine."""
    if n_jobs is None:
        backend, _ = joblib.parallel.get_active_backend()
        return 1 if getattr(backend, "nesting_level", 0) else 0
    if not isinstance(n_jobs, numbers.Integral) or isinstance(n_jobs, bool):
        raise TypeError(f"n_jobs is {n_jobs!r}, expected None or a whole number")
    if n_jobs == 0:
        raise ValueError("n_jobs is 0, expected at least 1, or -1 for all processors")
    return int(n_jobs) if n_jobs > 0 else max(1, joblib.cpu_count() + 1 + int(n_jobs))


def check_count(name: str, value: Any, least: int = 1) -> int:
    """A whole number of at least `least`, as int."""
    if not isinstance(value, numbers.Integral) or isinstance(value, bool):
        raise TypeError(f"{name} is {value!r}, expected a whole number")
    if value < least:
        raise ValueError(f"{name} is {value}, expected at least {least}")
    return int(value)


def check_word(name: str, value: Any, words: Sequence[str]) -> str:
    """One of `words`."""
    if not isinstance(value, str) or value not in words:
        raise ValueError(f"{name} is {value!r}, expected one of {', '.join(words)}")
    return value
