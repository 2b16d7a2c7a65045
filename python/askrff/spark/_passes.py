"""Passes over the partitions of a Spark data frame: shares by Arrow batches, joined by shuffles until one is left."""

from __future__ import annotations

import builtins
import contextlib
import dataclasses
import itertools
import re
from typing import Any, Callable, Iterable, Iterator, List, Optional, Tuple

import numpy as np
import pyarrow as pa
from pyspark import StorageLevel, TaskContext
from pyspark.errors import PySparkException
from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from .. import _core
from .._parameters import threads_from
from .._parts import FAN_IN, Counts, Job, Parts, add_counts, count_rows, joined, require_version, share_of_part
from .._typing import AnyArray
from ._rows import RowFormat

Batches = Iterable[pa.RecordBatch]

# Results travel in pieces, so that neither Arrow nor gRPC see a value that is too long for them, and executors of a gigabyte find room:
# Java's collector wants a place of its own for every array above half a megabyte, and between kept rows there soon is none.
_PIECE_BYTES = 2**18
_PIECES = pa.schema([("part", pa.int32()), ("piece", pa.int32()), ("content", pa.binary())])
_PIECES_DDL = "part int, piece int, content binary"
_COUNTS_DDL = "part int, columns int, labels array<double>, counts array<bigint>"
_COUNTS = pa.schema([("part", pa.int32()), ("columns", pa.int32()), ("labels", pa.list_(pa.float64())), ("counts", pa.list_(pa.int64()))])
# More are no classes but numbers; and the driver takes those of all partitions.
_MOST_CLASSES = 10_000


@contextlib.contextmanager
def kept(dataset: DataFrame, rows: RowFormat, wanted: bool) -> Iterator[Tuple[DataFrame, RowFormat]]:
    """What is read of `dataset`, kept by the executors for as long as that lasts, unless somebody keeps it already; and its format.

    Arrow batches are kept as they are, each the bytes of a row: Spark need not make them anew in every pass, which takes more time than most
    passes do themselves.
    """
    frame = dataset.select(rows.selected(dataset.schema))
    if not wanted or any(each.storageLevel != StorageLevel.NONE for each in (dataset, frame)):
        yield frame, rows
        return
    if _limits_bytes_of_batches(dataset):
        frame, rows = frame.mapInArrow(_packing(), "batch binary"), dataclasses.replace(rows, packed=True)
    frame = frame.persist(StorageLevel.MEMORY_AND_DISK)
    try:
        yield frame, rows
    finally:
        frame.unpersist()


def _limits_bytes_of_batches(dataset: DataFrame) -> bool:
    """Before Spark 4.1 all that is packed of a partition could come in one batch."""
    return tuple(int(number) for number in dataset.sparkSession.version.split(".")[:2]) >= (4, 1)


class SparkParts:
    """The partitions of a data frame with the columns of a format, counted: every pass takes the same ones."""

    def __init__(self, frame: DataFrame, rows: RowFormat, n_jobs: Optional[int], has_classes: bool) -> None:
        self._frame, self._rows, self._n_jobs = frame, rows, n_jobs
        with errors_of_workers():
            found = sorted(frame.mapInArrow(_counting(rows, has_classes, _core.version), _COUNTS_DDL).collect())
        self.n_parts = len(found)
        self.n_columns = _width(found)
        self.counts: Counts = add_counts([(np.asarray(row.labels), np.asarray(row.counts)) for row in found])

    def parts(self, kernel: Optional[_core.Kernel], classes: Optional[AnyArray] = None) -> Parts:
        return Parts(self.n_parts, self.n_columns, self._rows.column_names, lambda task, starts: self._run(Job(task, kernel, classes), starts))

    def _run(self, job: Job, starts: List[bytes]) -> bytes:
        results, n_results = self._frame.mapInArrow(_sharing(job, self._rows, starts, self._n_jobs), _PIECES_DDL), self.n_parts
        while n_results > 1:
            n_results = -(-n_results // FAN_IN)
            groups = results.repartition(n_results, F.floor(F.col("part") / FAN_IN)).sortWithinPartitions("part", "piece")
            results = groups.mapInArrow(_joining(job, self._n_jobs), _PIECES_DDL)
        with errors_of_workers():
            return b"".join(bytes(row.content) for row in sorted(results.collect(), key=lambda row: row.piece))


def _width(found: List[Any]) -> int:
    """The numbers of a row, the same in all partitions that have rows."""
    some = [row for row in found if row.columns > 0]
    if not some:
        raise ValueError("the data frame has no rows, expected at least one")
    for row in some:
        if row.columns != some[0].columns:
            raise ValueError(f"rows have {some[0].columns} numbers in partition {some[0].part}, {row.columns} in partition {row.part}: expected as many")
    return int(some[0].columns)


# What tasks do.
def _packing() -> Callable[[Batches], Batches]:
    def pack(batches: Batches) -> Batches:  # needs no import of askrff, which takes a second
        for batch in batches:
            sink = pa.BufferOutputStream()
            with pa.ipc.new_stream(sink, batch.schema) as writer:
                writer.write_batch(batch)
            yield pa.RecordBatch.from_arrays([pa.array([sink.getvalue().to_pybytes()], pa.binary())], ["batch"])

    return pack


def _counting(rows: RowFormat, has_classes: bool, version: str) -> Callable[[Batches], Batches]:
    def count(batches: Batches) -> Batches:
        require_version(version, "an executor")
        part, n_columns, counts = TaskContext.get().partitionId(), 0, add_counts([])
        for X, y, weights in rows.blocks(batches, part):
            n_columns = X.shape[1]
            counts = add_counts([counts, count_rows(np.zeros(X.shape[0]) if y is None else y, weights, has_classes)])
            if len(counts[0]) > _MOST_CLASSES:
                raise ValueError(f"partition {part}: column {rows.label!r} has more than {_MOST_CLASSES} different labels, expected classes")
        yield _one_row(_COUNTS, part, n_columns, counts[0].tolist(), counts[1].tolist())

    return count


def _sharing(job: Job, rows: RowFormat, starts: List[bytes], n_jobs: Optional[int]) -> Callable[[Batches], Batches]:
    def share(batches: Batches) -> Batches:
        part = TaskContext.get().partitionId()
        if part >= len(starts):
            raise RuntimeError(f"partition {part}, but an earlier pass saw {len(starts)}: expected the same every time, persist the data frame")
        yield from _pieces(part, share_of_part(_on_this_task(job, n_jobs), starts[part], part, rows.blocks(batches, part)))

    return share


def _joining(job: Job, n_jobs: Optional[int]) -> Callable[[Batches], Batches]:
    def join(batches: Batches) -> Batches:
        for group, pieces in itertools.groupby(_rows_of(batches), lambda row: row[0] // FAN_IN):
            results = [b"".join(content for _, content in of_part) for _, of_part in itertools.groupby(pieces, lambda row: row[0])]
            yield from _pieces(group, joined(_on_this_task(job, n_jobs), results))

    return join


def _rows_of(batches: Batches) -> Iterator[Tuple[int, bytes]]:
    """(part, piece of its result), in order."""
    for batch in batches:
        for part, content in zip(batch.column(0), batch.column(2)):
            yield part.as_py(), content.as_py()


def _pieces(part: int, result: bytes) -> Iterator[pa.RecordBatch]:
    for number, first in enumerate(range(0, len(result), _PIECE_BYTES)):
        yield _one_row(_PIECES, part, number, result[first : first + _PIECE_BYTES])


def _one_row(schema: pa.Schema, *values: Any) -> pa.RecordBatch:
    return pa.RecordBatch.from_arrays([pa.array([value], field.type) for value, field in zip(values, schema)], schema=schema)


def threads_of_task(n_jobs: Optional[int]) -> int:
    """As many as the task has processors (spark.task.cpus), unless n_jobs says otherwise."""
    context = TaskContext.get()
    return threads_from(n_jobs) if n_jobs is not None or context is None else context.cpus()


def _on_this_task(job: Job, n_jobs: Optional[int]) -> Job:
    return dataclasses.replace(job, n_threads=threads_of_task(n_jobs))


@contextlib.contextmanager
def errors_of_workers() -> Iterator[None]:
    """What a worker's Python raised is raised here, as the sentence it said and not the stacks of both sides."""
    try:
        yield
    except PySparkException as error:
        found = re.findall(r"^([\w.]*(?:Error|Exception)): (.+)$", str(error).partition("Traceback (most recent call last):")[2], flags=re.MULTILINE)
        said = [(kind, sentence) for kind, sentence in found if not kind.startswith(("org.", "java."))]
        if not said:
            raise
        kind, sentence = said[-1]
        if kind == "ModuleNotFoundError":
            raise RuntimeError(f"an executor lacks what the driver has, {sentence}: expected the same packages everywhere, askrff[spark] among them") from error
        known = getattr(builtins, kind, RuntimeError)
        raise (known if known in (ValueError, TypeError, MemoryError) else RuntimeError)(sentence) from error
