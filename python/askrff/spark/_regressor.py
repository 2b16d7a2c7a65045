"""FourierRegressor for Spark data frames, and its model."""

from __future__ import annotations

from typing import Any

import pyarrow as pa
from pyspark.ml.linalg import Vector
from pyspark.ml.param.shared import HasWeightCol
from pyspark.ml.regression import RegressionModel, Regressor
from pyspark.sql import DataFrame

from .. import regressor as _local
from .._parts import fit_regressor, own_kernel
from ._estimators import Fitted, PartedFit
from ._params import FEATURES_COL, PREDICTOR_COLUMNS, AskrffParams, with_parameters_of


@with_parameters_of(_local.FourierRegressor)
class _RegressorParams(AskrffParams, HasWeightCol):
    featuresCol = FEATURES_COL

    def setWeightCol(self, value: str) -> Any:
        """Sets the value of :py:attr:`weightCol`."""
        return self._set(weightCol=value)


class FourierRegressor(_RegressorParams, PartedFit, Regressor):
    __doc__ = f"""Ridge regression on the features of a kernel, :class:`askrff.FourierRegressor` for the rows of a Spark data frame.

    Parameters
    ----------
    {PREDICTOR_COLUMNS}
    **parameters
        Those of :class:`askrff.FourierRegressor`, but for random_state and progress: kernel, kernel_params, n_features, C, ….
        gamma="scale" is refused, and n_jobs are the threads of a task; None: as many as it has processors (spark.task.cpus).

    Examples
    --------
    >>> from askrff.spark import FourierRegressor
    >>> regressor = FourierRegressor(kernel="shift-gaussian", n_features=256, C=[0.1, 1.0, 10.0], labelCol="y", seed=7)
    >>> regressor.getOrDefault("n_features"), regressor.getLabelCol()
    (256, 'y')
    """

    def _fit(self, dataset: DataFrame) -> FourierRegressionModel:
        local = self._local()
        kernel = own_kernel(local)
        with self._parts_of(dataset, self.getFeaturesCol(), self.getLabelCol(), self._weight()) as rows:
            fit_regressor(local, rows.parts(kernel), rows.counts, ())
        return self._copyValues(FourierRegressionModel()._holding(local))


class FourierRegressionModel(_RegressorParams, Fitted, RegressionModel):
    """What :class:`FourierRegressor` fits: ``transform`` adds predictionCol."""

    def _transform(self, dataset: DataFrame) -> DataFrame:
        if not self.getPredictionCol():
            return dataset
        return dataset.withColumn(self.getPredictionCol(), self._made_of(dataset, self.getFeaturesCol(), _predictions, "double"))

    def predict(self, value: Vector) -> float:
        """The prediction for one vector, in this process."""
        return float(self._alone().predict(value.toArray()[None])[0])


def _predictions(local: Any, X: Any) -> pa.Array:
    return pa.array(local.predict(X))
