"""FourierClassifier for Spark data frames, and its model."""

from __future__ import annotations

from typing import Any, Tuple

import numpy as np
import pyarrow as pa
from pyspark.ml.classification import ClassificationModel, Classifier
from pyspark.ml.functions import array_to_vector
from pyspark.ml.linalg import DenseVector, Vector, Vectors
from pyspark.ml.param.shared import HasProbabilityCol, HasWeightCol
from pyspark.sql import DataFrame

from .. import classifier as _local
from .._parts import fit_classifier, own_kernel
from .._typing import FloatArray
from ._estimators import Fitted, PartedFit, lists
from ._params import FEATURES_COL, PREDICTOR_COLUMNS, AskrffParams, with_parameters_of


@with_parameters_of(_local.FourierClassifier)
class _ClassifierParams(AskrffParams, HasProbabilityCol, HasWeightCol):
    featuresCol = FEATURES_COL

    def setWeightCol(self, value: str) -> Any:
        """Sets the value of :py:attr:`weightCol`."""
        return self._set(weightCol=value)

    def setProbabilityCol(self, value: str) -> Any:
        """Sets the value of :py:attr:`probabilityCol`."""
        return self._set(probabilityCol=value)


class FourierClassifier(_ClassifierParams, PartedFit, Classifier):
    __doc__ = f"""A linear classifier on the features of a kernel, :class:`askrff.FourierClassifier` for the rows of a Spark data frame.

    Parameters
    ----------
    {PREDICTOR_COLUMNS}
    rawPredictionCol : str, default="rawPrediction"
        Outputs of the linear model, a vector with one for every class; of two classes [-output, output].
    probabilityCol : str, default="probability"
        Probabilities of the classes, where C was chosen among several: else there is no such column.
    **parameters
        Those of :class:`askrff.FourierClassifier`, but for random_state and progress: model, class_weight, kernel, n_features, C, ….
        gamma="scale" is refused, and n_jobs are the threads of a task; None: as many as it has processors (spark.task.cpus).

    Examples
    --------
    >>> from askrff.spark import FourierClassifier
    >>> classifier = FourierClassifier(model="ridge", class_weight="balanced", n_features=256)
    >>> classifier.getOrDefault("model"), classifier.getPredictionCol()
    ('ridge', 'prediction')
    """

    def _fit(self, dataset: DataFrame) -> FourierClassificationModel:
        local = self._local()
        kernel = own_kernel(local)
        with self._parts_of(dataset, self.getFeaturesCol(), self.getLabelCol(), self._weight(), has_classes=True) as rows:
            fit_classifier(local, rows.parts(kernel, rows.counts[0]), rows.counts)
        return self._copyValues(FourierClassificationModel()._holding(local))


class FourierClassificationModel(_ClassifierParams, Fitted, ClassificationModel):
    """What :class:`FourierClassifier` fits: ``transform`` adds predictionCol, rawPredictionCol and, where there are any, probabilityCol."""

    def _transform(self, dataset: DataFrame) -> DataFrame:
        wanted = {self.getRawPredictionCol(): "raw", self.getPredictionCol(): "prediction"}
        if self._fitted._model.has_probabilities:
            wanted[self.getProbabilityCol()] = "probability"
        elif self.isSet("probabilityCol") and self.getProbabilityCol():
            _local._has_probabilities(self._fitted)  # says why there are none
        outputs = self._made_of(dataset, self.getFeaturesCol(), _outputs, "raw array<double>, probability array<double>, prediction double")
        columns = {name: outputs[field] for name, field in wanted.items() if name}
        return dataset.withColumns({name: each if wanted[name] == "prediction" else array_to_vector(each) for name, each in columns.items()})

    @property
    def numClasses(self) -> int:
        """How many there are; toLocal().classes_ are their labels."""
        return len(self._fitted.classes_)

    def predict(self, value: Vector) -> float:
        """The label for one vector, in this process."""
        return float(self._fitted.classes_[self.predictRaw(value).toArray().argmax()])

    def predictRaw(self, value: Vector) -> DenseVector:
        """Outputs for one vector, one for every class, in this process."""
        return Vectors.dense(_raw(self._alone(), value.toArray()[None])[0][0])


def _raw(local: Any, X: Any) -> Tuple[FloatArray, FloatArray]:
    """One for every class, and the model's outputs, which are one for two classes."""
    outputs = local._outputs(X)
    return (np.column_stack([-outputs, outputs]) if outputs.shape[1] == 1 else outputs), outputs


def _outputs(local: Any, X: Any) -> pa.Array:
    raw, outputs = _raw(local, X)
    probabilities = local._model.probabilities(outputs) if local._model.has_probabilities else np.empty((len(raw), 0))
    labels = pa.array(local.classes_[raw.argmax(axis=1)])
    return pa.StructArray.from_arrays([lists(raw), lists(probabilities), labels], ["raw", "probability", "prediction"])
