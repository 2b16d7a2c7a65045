"""The estimators of askrff for Spark data frames, in the manner of pyspark.ml: for pipelines, cross-validation, Spark Connect.

Parameters have the names they have in :mod:`askrff`; only what concerns the data frame is named as pyspark.ml does it (featuresCol, labelCol,
weightCol, seed, …). ``fit`` makes passes over the partitions, by Arrow batches on the executors, and gives the model that the estimator of
:mod:`askrff` would give for the same rows in one process.
"""

try:
    import pandas  # noqa: F401
    import pyarrow  # noqa: F401
    import pyspark.ml  # noqa: F401
except ImportError as error:
    raise ImportError(f"askrff.spark needs pyspark, pandas and pyarrow ({error}): pip install 'askrff[spark]'") from error

from ._classifier import FourierClassificationModel, FourierClassifier
from ._features import FourierFeatures, FourierFeaturesModel
from ._regressor import FourierRegressionModel, FourierRegressor

__all__ = [
    "FourierClassificationModel",
    "FourierClassifier",
    "FourierFeatures",
    "FourierFeaturesModel",
    "FourierRegressionModel",
    "FourierRegressor",
]

for _name in __all__:
    globals()[_name].__module__ = __name__  # under which they are saved
