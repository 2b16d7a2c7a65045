"""Columns of a Spark data frame as rows: what is selected on the driver, and Arrow arrays to matrices on the workers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Iterable, Iterator, List, Optional, Sequence, Tuple, Union

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import scipy.sparse as sp
from pyspark.ml.linalg import VectorUDT
from pyspark.sql import Column
from pyspark.sql import functions as F
from pyspark.sql.types import ArrayType, DataType, FloatType, NumericType, StructType

from .._parameters import shown
from .._typing import AnyArray

_VECTOR_FIELDS = ("type", "size", "indices", "values")  # of VectorUDT; type 1 is dense


@dataclass(frozen=True)
class RowFormat:
    """Where the features, labels and weights of a data frame's rows are."""

    kind: str  # of the features: a vector, an array, or columns, one for each number
    features: Tuple[str, ...]
    label: Optional[str] = None
    weight: Optional[str] = None
    packed: bool = False  # whether a row has the bytes of many

    @classmethod
    def of(cls, schema: StructType, features: Union[str, Sequence[str]], label: Optional[str] = None, weight: Optional[str] = None) -> RowFormat:
        """Refuses columns that are missing or no numbers."""
        for name in (label, weight):
            if name is not None and not isinstance(_type_of(schema, name), NumericType):
                raise TypeError(f"column {name!r} is {_type_of(schema, name).simpleString()}, expected numbers")
        if isinstance(features, str):
            return cls(_kind_of(features, _type_of(schema, features)), (features,), label, weight)
        for name in features:
            if not isinstance(_type_of(schema, name), NumericType):
                raise TypeError(f"column {name!r} is {_type_of(schema, name).simpleString()}, expected numbers in each of several columns")
        return cls("columns", tuple(features), label, weight)

    @property
    def column_names(self) -> List[str]:
        """What the numbers of a row are called, if they are."""
        return list(self.features) if self.kind == "columns" else []

    def selected(self, schema: StructType) -> List[Column]:
        """The columns that the workers are sent, in the order they expect."""
        others = [(name, kind) for name, kind in ((self.label, "label"), (self.weight, "weight")) if name is not None]
        return self.selected_features(schema) + [_column(name).cast("double").alias(kind) for name, kind in others]

    def selected_features(self, schema: StructType) -> List[Column]:
        if self.kind == "vector":
            vector = F.unwrap_udt(_column(self.features[0]))
            return [vector[field].alias(field) for field in _VECTOR_FIELDS]
        if self.kind == "array":
            is_float = isinstance(_type_of(schema, self.features[0]).elementType, FloatType)
            return [_column(self.features[0]).cast("array<float>" if is_float else "array<double>").alias("values")]
        is_float = all(isinstance(_type_of(schema, name), FloatType) for name in self.features)
        return [_column(name).cast("float" if is_float else "double").alias(f"x{i}") for i, name in enumerate(self.features)]

    def blocks(self, batches: Iterable[pa.RecordBatch], part: int) -> Iterator[Tuple[Any, Optional[AnyArray], Optional[AnyArray]]]:
        """Features, labels and weights of a partition's rows, batch by batch."""
        n_read = 0
        for batch in _unpacked(batches) if self.packed else batches:
            if batch.num_rows == 0:
                continue
            columns, where = list(batch.columns), f"partition {part}: "
            weights = None if self.weight is None else _numbers(columns.pop(), self.weight, where, n_read)
            labels = None if self.label is None else _numbers(columns.pop(), self.label, where, n_read)
            yield self.matrix(columns, where, n_read), labels, weights
            n_read += batch.num_rows

    def matrix(self, columns: Sequence[pa.Array], where: str = "", first: int = 0) -> Any:
        """The features of rows, of which `first` came before: an array, or a sparse matrix of vectors some of which are sparse."""
        if self.kind == "columns":
            return np.column_stack([column.to_numpy(zero_copy_only=False) for column in columns])
        described = f"{where}column {self.features[0]!r}"
        values = columns[-1]
        _require_values(values, described, first)
        if self.kind == "vector" and not pc.all(pc.equal(columns[0], 1)).as_py():
            return _sparse_matrix(columns, described, first)
        _same(_lengths(values), described, first)
        return values.flatten().to_numpy(zero_copy_only=False).reshape(len(values), -1)


def _unpacked(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    for batch in batches:
        for packed in batch.column(0):
            yield from pa.ipc.open_stream(packed.as_buffer())


def _column(name: str) -> Column:
    return F.col("`" + name.replace("`", "``") + "`")


def _type_of(schema: StructType, name: str) -> DataType:
    if name not in schema.fieldNames():
        raise ValueError(f"the data frame has no column {name!r}, it has {shown(schema.fieldNames())}")
    return schema[name].dataType


def _kind_of(name: str, of_column: DataType) -> str:
    if isinstance(of_column, VectorUDT):
        return "vector"
    if isinstance(of_column, ArrayType) and isinstance(of_column.elementType, NumericType):
        return "array"
    if isinstance(of_column, NumericType):
        return "columns"
    raise TypeError(f"column {name!r} is {of_column.simpleString()}, expected a vector, an array of numbers or numbers")


def _numbers(column: pa.Array, name: str, where: str, first: int) -> AnyArray:
    """Labels or weights."""
    _require_values(column, f"{where}column {name!r}", first)
    numbers = column.to_numpy(zero_copy_only=False)
    wrong = np.flatnonzero(~np.isfinite(numbers))
    if wrong.size:
        raise ValueError(f"{where}column {name!r} is {numbers[wrong[0]]} in row {first + wrong[0]} (counted from 0), expected finite numbers")
    return numbers


def _require_values(column: pa.Array, described: str, first: int) -> None:
    if column.null_count:
        row = first + int(np.flatnonzero(column.is_null().to_numpy(zero_copy_only=False))[0])
        raise ValueError(f"{described} is null in row {row} (counted from 0), expected none that are")


def _lengths(lists: pa.Array) -> AnyArray:
    return np.diff(lists.offsets.to_numpy())


def _same(sizes: AnyArray, described: str, first: int) -> int:
    other = np.flatnonzero(sizes != sizes[0])
    if other.size:
        sentence = f"has {sizes[other[0]]} numbers in row {first + other[0]} (counted from 0), {sizes[0]} in row {first}"
        raise ValueError(f"{described} {sentence}: expected as many in all rows")
    return int(sizes[0])


def _sparse_matrix(columns: Sequence[pa.Array], described: str, first: int) -> sp.csr_matrix:
    """Of vectors, sparse ones and perhaps dense ones among them; `columns` has their fields."""
    is_dense = columns[0].to_numpy(zero_copy_only=False) == 1
    indices, values = columns[2], columns[3]
    n_stored = _lengths(values)
    sizes = np.where(is_dense, n_stored, pc.fill_null(columns[1], 0).to_numpy(zero_copy_only=False))
    ends = np.concatenate([[0], np.cumsum(n_stored)])
    places = np.arange(ends[-1]) - np.repeat(ends[:-1], n_stored)  # of dense ones
    places[np.repeat(~is_dense, n_stored)] = indices.flatten().to_numpy(zero_copy_only=False)
    numbers = values.flatten().to_numpy(zero_copy_only=False)
    return sp.csr_matrix((numbers, places, ends), shape=(len(values), _same(sizes, described, first)))
