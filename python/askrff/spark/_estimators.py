"""What the estimators and models of askrff.spark share: the way from a data frame to parts, results as columns, files."""

from __future__ import annotations

import contextlib
import copy
from typing import Any, Callable, Iterator, Optional, Tuple

import numpy as np
import pyarrow as pa
from pyspark.ml.util import MLReadable, MLWritable
from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F

from .. import _core
from .._parts import require_version
from .._typing import FloatArray
from ._files import Reader, Writer
from ._passes import SparkParts, kept, threads_of_task
from ._rows import RowFormat

Output = Callable[[Any, Any], pa.Array]  # of a fitted estimator and at least one row
Make = Callable[[Iterator[Tuple[pa.Array, ...]]], Iterator[pa.Array]]


class Saved(MLWritable, MLReadable):
    """Mixin: save, load."""

    def write(self) -> Writer:
        """A writer: ``save(path)``, before it ``overwrite()``."""
        return Writer(self)

    @classmethod
    def read(cls) -> Reader:
        """A reader: ``load(path)``."""
        return Reader(cls)


class PartedFit(Saved):
    """Mixin of estimators."""

    @contextlib.contextmanager
    def _parts_of(
        self, dataset: DataFrame, features: Any, label: Optional[str] = None, weight: Optional[str] = None, has_classes: bool = False
    ) -> Iterator[SparkParts]:
        rows = RowFormat.of(dataset.schema, features, label, weight)
        with kept(dataset, rows, self.getOrDefault("persist")) as (frame, rows):
            yield SparkParts(frame, rows, self.getOrDefault("n_jobs"), has_classes)

    def _weight(self) -> Optional[str]:
        return (self.getWeightCol() or None) if self.isDefined("weightCol") else None


class Fitted(Saved):
    """Mixin of models: a fitted estimator of askrff, on every executor."""

    _fitted: Any = None
    _content_class: type = _core.Model

    def _holding(self, fitted: Any) -> Any:
        self._fitted = fitted
        return self

    def toLocal(self) -> Any:
        """The fitted estimator of askrff, for rows in this process.

        Returns
        -------
        askrff.FourierFeatures, askrff.FourierRegressor or askrff.FourierClassifier
            Its ``save`` writes a file that :func:`askrff.load` and the command line read.
        """
        return copy.copy(self._fitted)

    @property
    def numFeatures(self) -> int:
        """Numbers of a row."""
        return int(self._fitted.n_features_in_)

    def _content(self) -> Any:
        """What files hold of it."""
        return self._fitted._model

    def _alone(self) -> Any:
        """The estimator for rows without names."""
        return _nameless(self._fitted)

    def _made_of(self, dataset: DataFrame, features: Any, output: Output, returns: str) -> Column:
        """The output for every row of the data frame."""
        rows = RowFormat.of(dataset.schema, features)
        make = _making(self._fitted, rows, output, self.getOrDefault("n_jobs"), _core.version)
        return _udf(make, returns)(*rows.selected_features(dataset.schema))


def _nameless(fitted: Any) -> Any:
    local = copy.copy(fitted)
    vars(local).pop("feature_names_in_", None)
    return local


def _making(fitted: Any, rows: RowFormat, output: Output, n_jobs: Optional[int], version: str) -> Make:
    def make(batches: Iterator[Tuple[pa.Array, ...]]) -> Iterator[pa.Array]:
        require_version(version, "an executor")
        local = _nameless(fitted)
        local.n_jobs = threads_of_task(n_jobs)
        for columns in batches:
            columns = columns if isinstance(columns, tuple) else (columns,)  # Spark leaves out the tuple of one
            some = rows.matrix(columns) if len(columns[0]) else np.zeros((1, local.n_features_in_))
            yield output(local, some)[: len(columns[0])]

    return make


def _udf(make: Make, returns: str) -> Callable[..., Column]:
    """By Arrow arrays, which Spark offers since 4.1; before that they are made of pandas' series."""
    if hasattr(F, "arrow_udf"):
        return F.arrow_udf(make, returns)

    def by_pandas(batches: Iterator[Any]) -> Iterator[Any]:
        arrays = (tuple(pa.Array.from_pandas(each) for each in (some if isinstance(some, tuple) else (some,))) for some in batches)
        for result in make(arrays):
            yield pa.RecordBatch.from_struct_array(result).to_pandas() if pa.types.is_struct(result.type) else result.to_pandas()

    return F.pandas_udf(by_pandas, returns, F.PandasUDFType.SCALAR_ITER)


def lists(rows: FloatArray) -> pa.Array:
    """A list of numbers for every row."""
    rows = np.ascontiguousarray(rows, dtype=np.float64)
    return pa.ListArray.from_arrays(np.arange(len(rows) + 1, dtype=np.int32) * rows.shape[1], rows.reshape(-1))
