"""FourierFeatures for Spark data frames, and its model."""

from __future__ import annotations

from typing import Any, Optional

import pyarrow as pa
from pyspark.ml.base import Estimator, Model
from pyspark.ml.functions import array_to_vector
from pyspark.ml.param.shared import HasInputCol, HasOutputCol
from pyspark.sql import DataFrame

from .. import _core
from .. import features as _local
from .._parts import fit_features, own_kernel
from ._estimators import Fitted, PartedFit, lists
from ._params import INPUT_COL, AskrffParams, with_parameters_of


@with_parameters_of(_local.FourierFeatures)
class _FeatureParams(AskrffParams, HasInputCol, HasOutputCol):
    inputCol = INPUT_COL

    def __init__(self, **params: Any) -> None:
        super().__init__(**params)
        self._setDefault(inputCol="features")

    def setInputCol(self, value: Any) -> Any:
        """Sets the value of :py:attr:`inputCol`."""
        return self._set(inputCol=value)

    def setOutputCol(self, value: str) -> Any:
        """Sets the value of :py:attr:`outputCol`."""
        return self._set(outputCol=value)


class FourierFeatures(_FeatureParams, PartedFit, Estimator):
    """Explicit features for a kernel, :class:`askrff.FourierFeatures` for the rows of a Spark data frame.

    Parameters
    ----------
    inputCol : str or list of str, default="features"
        The rows: a column of vectors, dense or sparse, or of arrays of numbers; or the names of columns of numbers.
    outputCol : str
        The features, a column of vectors.
    seed : int, default=0
        What random_state is in :mod:`askrff`.
    persist : bool, default=True
        Whether fit has the executors keep the columns it reads.
    **parameters
        Those of :class:`askrff.FourierFeatures`, but for random_state and progress: kernel, kernel_params, n_features, scale, ….
        gamma="scale" is refused, and n_jobs are the threads of a task; None: as many as it has processors (spark.task.cpus).

    Examples
    --------
    >>> from askrff.spark import FourierFeatures
    >>> features = FourierFeatures(kernel="shift-gaussian", n_features=128, inputCol="x", outputCol="z")
    >>> features.getInputCol(), features.getOrDefault("scale")
    ('x', 'none')
    """

    def _fit(self, dataset: DataFrame) -> FourierFeaturesModel:
        local = self._local()
        kernel = own_kernel(local)
        with self._parts_of(dataset, self.getInputCol()) as rows:
            fit_features(local, rows.parts(kernel))
        return self._copyValues(FourierFeaturesModel()._holding(local))


class FourierFeaturesModel(_FeatureParams, Fitted, Model):
    """What :class:`FourierFeatures` fits: ``transform`` adds the left features, ``transformRight`` the right ones."""

    _content_class = _core.Map

    def _content(self) -> Any:
        return self._fitted._map

    def _transform(self, dataset: DataFrame) -> DataFrame:
        return self._with_features(dataset, self.getOutputCol(), _left)

    def transformRight(self, dataset: DataFrame, outputCol: Optional[str] = None) -> DataFrame:
        """Adds the right features: k(x, y) is about the inner product of the left ones of x and the right ones of y.

        Parameters
        ----------
        dataset : pyspark.sql.DataFrame
        outputCol : str, default=None
            The new column; None: that of ``transform``.

        Returns
        -------
        pyspark.sql.DataFrame
        """
        return self._with_features(dataset, outputCol or self.getOutputCol(), _right)

    def _with_features(self, dataset: DataFrame, name: str, side: Any) -> DataFrame:
        return dataset.withColumn(name, array_to_vector(self._made_of(dataset, self.getInputCol(), side, "array<double>")))


def _left(local: Any, X: Any) -> pa.Array:
    return lists(local.transform(X))


def _right(local: Any, X: Any) -> pa.Array:
    return lists(local.transform_right(X))
