"""Tables by columns: Arrow's through its C interface, which pyarrow, polars and others speak, and pandas frames; rows of them in blocks."""

from __future__ import annotations

import sys
from typing import Any, Iterator, List, Optional, Tuple

import numpy as np

from . import _core
from ._typing import AnyArray, FloatArray

# Rows that a reader's features are fitted to, and that are taken from it at a time: the same whatever its batches are.
ROWS_OF_A_PIECE = 65536


class Table:
    """Columns with names, wherever they lie. `frame` is a pandas frame without rows, by which scikit-learn compares names; else None."""

    def __init__(self, core: _core.Table, frame: Any = None) -> None:
        self.core, self.frame = core, frame
        self.names: List[str] = core.names
        self.n_rows: int = core.n_rows

    def without(self, names: List[str]) -> Table:
        kept = [j for j, name in enumerate(self.names) if name not in names]
        return Table(self.core.select(kept), None if self.frame is None else self.frame.iloc[:, kept])

    def values(self, name: str) -> AnyArray:
        """One column: whole numbers as int64, others as float64, or text."""
        return np.asarray(self.core.values(_place_of(name, self.names)))


class TableRows:
    """Rows of a table whose columns are all numbers. Nothing is copied until rows are asked for; the core calls it for float64 ones."""

    def __init__(self, core: _core.Table, dtype: Any) -> None:
        self._core, self.dtype = core, np.dtype(dtype)
        self.shape: Tuple[int, int] = (core.n_rows, len(core.names))

    def __len__(self) -> int:
        return self.shape[0]

    def __call__(self, first: int, last: int) -> FloatArray:
        return self._core.copy(first, last, False)

    def __getitem__(self, rows: Any) -> FloatArray:
        """Those of a slice, a mask or an array of places."""
        single = self.dtype == np.float32
        if isinstance(rows, slice):
            first, last, step = rows.indices(len(self))
            if step == 1:
                return self._core.copy(first, last, single)
            rows = np.arange(first, last, step)
        places = np.asarray(rows)
        places = np.flatnonzero(places) if places.dtype == bool else places
        return self._core.take(np.ascontiguousarray(places, dtype=np.int64), single)

    def astype(self, dtype: Any, copy: bool = False) -> TableRows:
        return TableRows(self._core, dtype)

    def check_finite(self) -> None:
        self._core.check_finite()


def is_reader(X: Any) -> bool:
    """Whether X gives its batches once, one after another, and does not say how many rows there will be."""
    return hasattr(X, "__arrow_c_stream__") and not any(hasattr(X, name) for name in ("shape", "num_rows", "__len__"))


def table_of(X: Any) -> Optional[Table]:
    """X by columns, if it is a table; None for arrays, sparse matrices, and frames that are arrays inside. A reader is read to its end."""
    if isinstance(X, Table):
        return X
    if _is_pandas(X):
        return _table_of_pandas(X)
    if not _speaks_arrow(X):
        return None
    return Table(_stream_of(X).read(sys.maxsize))


def pieces_of(reader: Any, y: Any = None, sample_weight: Any = None, several: bool = False) -> Iterator[Tuple[Table, Any, Any]]:
    """The rows of a reader, some at a time, with what belongs to them of y and weights; names of columns are passed on, as taken_by_name
    takes them."""
    stream, first = _stream_of(reader), 0
    y_by_row, weight_by_row = not (y is None or _are_names(y, several)), not (sample_weight is None or np.ndim(sample_weight) == 0)
    while True:
        table = Table(stream.read(ROWS_OF_A_PIECE))
        if table.n_rows == 0:
            break
        last = first + table.n_rows
        y_part = _part_of("y", y, first, last) if y_by_row else y
        yield table, y_part, _part_of("sample_weight", sample_weight, first, last) if weight_by_row else sample_weight
        first = last
    if first == 0:
        raise ValueError("the reader has no rows, expected at least one")
    for name, values in (("y", y if y_by_row else None), ("sample_weight", sample_weight if weight_by_row else None)):
        if values is not None and len(values) != first:
            raise ValueError(f"{name} has {len(values)} elements, but the reader had {first} rows")


def taken_by_name(X: Any, y: Any, sample_weight: Any, several: bool) -> Tuple[Any, Any, Any]:
    """X without the columns that y and sample_weight name, and those columns in their place. several: y may be a list of names."""
    of_y = ([y] if isinstance(y, str) else list(y)) if _are_names(y, several) else []
    of_weights = [sample_weight] if isinstance(sample_weight, str) else []
    if not of_y and not of_weights:
        return X, y, sample_weight
    if _is_pandas(X):
        X, columns = _split_pandas(X, of_y + of_weights)
    else:
        table = table_of(X)
        if table is None:
            name, got = ("y", y) if of_y else ("sample_weight", sample_weight)
            raise TypeError(f"{name} is {got!r}, the name of a column, but X is {type(X).__name__}: expected a table (Arrow, polars, pandas)")
        columns = [table.values(name) for name in of_y + of_weights]
        X = table.without(of_y + of_weights)
    if of_y:
        y = columns[0] if isinstance(y, str) else np.column_stack(columns[: len(of_y)])
    return X, y, columns[-1] if of_weights else sample_weight


def _are_names(y: Any, several: bool) -> bool:
    return isinstance(y, str) or (several and isinstance(y, (list, tuple)) and len(y) > 0 and all(isinstance(name, str) for name in y))


def _part_of(what: str, values: Any, first: int, last: int) -> Any:
    if len(values) < last:
        raise ValueError(f"{what} has {len(values)} elements, but the reader has more rows")
    return values[first:last]


def _place_of(name: str, names: List[str]) -> int:
    if names.count(name) == 1:
        return names.index(name)
    known = ", ".join(map(repr, names[:20])) + (", …" if len(names) > 20 else "")
    raise ValueError(f"X has {names.count(name) or 'no'} columns called {name!r}, expected one; there are {known}")


def _speaks_arrow(X: Any) -> bool:
    return hasattr(X, "__arrow_c_stream__") or hasattr(X, "__arrow_c_array__")


def _stream_of(X: Any) -> _core.BatchStream:
    if hasattr(X, "__arrow_c_stream__"):
        return _core.BatchStream.of_stream(X.__arrow_c_stream__())
    return _core.BatchStream.of_array(*X.__arrow_c_array__())


def _is_pandas(X: Any) -> bool:
    pandas = sys.modules.get("pandas")
    return pandas is not None and isinstance(X, pandas.DataFrame)


def _split_pandas(X: Any, names: List[str]) -> Tuple[Any, List[AnyArray]]:
    """The columns with these names, and the others as a table, or as a frame where they are none."""
    places = [_place_of(name, list(X.columns)) for name in names]
    others = [j for j in range(X.shape[1]) if j not in places]
    return _table_of_pandas(X, others) or X.iloc[:, others], [X.iloc[:, j].to_numpy() for j in places]


def _table_of_pandas(X: Any, places: Optional[List[int]] = None) -> Optional[Table]:
    """Some columns of a frame, or all; None for what scikit-learn should look at: objects, sparse columns, arrays that are rows inside."""
    columns = [X.iloc[:, j] for j in (range(X.shape[1]) if places is None else places)]
    names = [str(column.name).encode(errors="replace").decode() for column in columns]  # the frame's own are checked as those of all rows
    arrays = [_array_of_pandas(column) for column in columns]
    if not arrays or any(array is None for array in arrays):
        return None
    first = arrays[0]
    if places is None and (len(arrays) == 1 or first.strides[0] > first.itemsize) and all(a.dtype == first.dtype for a in arrays):
        return None
    frame = X.iloc[:0] if places is None else X.iloc[:0, places]
    return Table(_core.table_of_arrays(names, arrays), frame)


def _array_of_pandas(column: Any) -> Optional[AnyArray]:
    """The numbers of a column, its own if they are plain ones; raises ValueError for what is clearly none, None if that is not so clear."""
    from pandas.api import types

    dtype = column.dtype
    if isinstance(dtype, np.dtype):
        if dtype.kind in "biu" or dtype in (np.dtype(np.float32), np.dtype(np.float64)):
            return column.to_numpy()
        if dtype.kind in "mM":
            _core.refuse_column(str(column.name), "timestamps" if dtype.kind == "M" else "durations", False)
        return None
    if isinstance(dtype, types.CategoricalDtype if hasattr(types, "CategoricalDtype") else ()):
        if not types.is_numeric_dtype(dtype.categories.dtype):
            _core.refuse_column(str(column.name), "categories", True)
        return None
    if types.is_datetime64_any_dtype(dtype):
        _core.refuse_column(str(column.name), "timestamps", False)
    if types.is_string_dtype(dtype) and not types.is_object_dtype(dtype):
        _core.refuse_column(str(column.name), "text", True)
    if isinstance(dtype, sys.modules["pandas"].SparseDtype) or not types.is_numeric_dtype(dtype):
        return None
    return column.to_numpy(dtype=np.float64, na_value=np.nan)
