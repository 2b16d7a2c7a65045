"""askrff.spark through Spark Connect, in a process of its own: a session of either kind bars the other."""

import os
import subprocess
import sys

import pytest

CONNECT = """
import sys
import numpy as np
from pyspark.ml import Pipeline, PipelineModel
from pyspark.ml.linalg import Vectors
from pyspark.sql import SparkSession
import askrff
from askrff.spark import FourierClassificationModel, FourierClassifier, FourierRegressor, FourierFeatures

spark = SparkSession.builder.remote("local[2]").getOrCreate()
X = np.random.default_rng(0).normal(size=(500, 3))
y = (X[:, 0] * X[:, 1] > 0).astype(float)
rows = spark.createDataFrame([(Vectors.dense(x), float(label)) for x, label in zip(X, y)], ["features", "label"]).repartition(3).persist()
X, y = (np.asarray(values) for values in zip(*[(row.features.toArray(), row.label) for row in rows.collect()]))
model = FourierClassifier(model="ridge", n_features=32).fit(rows)
wanted = askrff.FourierClassifier(model="ridge", n_features=32, random_state=0).fit(X, y)
assert model.toLocal()._model.to_bytes() == wanted._model.to_bytes()
model.write().overwrite().save(sys.argv[1] + "/model")
model.write().overwrite().save(sys.argv[1] + "/model")
again = FourierClassificationModel.load(sys.argv[1] + "/model")
assert again.transform(rows).filter("prediction = label").count() > 450
pipeline = Pipeline(stages=[FourierFeatures(n_features=16, outputCol="z"), FourierRegressor(featuresCol="z", kernel="linear", C=1.0)]).fit(rows)
pipeline.write().overwrite().save(sys.argv[1] + "/pipeline")
assert PipelineModel.load(sys.argv[1] + "/pipeline").transform(rows).count() == 500
try:
    FourierRegressor(n_features=8).fit(spark.createDataFrame([([1.0, float("nan")], 1.0)], "features array<double>, label double"))
except ValueError as error:
    print(error)
"""


def test_spark_connect(tmp_path):
    pytest.importorskip("grpc", reason="Spark Connect needs grpcio: pip install 'pyspark[connect]'")
    pytest.importorskip("pyspark", minversion="4.0", reason="Spark 3 has no pyspark.ml for Spark Connect")
    environment = {**os.environ, "PYSPARK_PYTHON": sys.executable, "SPARK_LOCAL_IP": "127.0.0.1"}
    command = [sys.executable, "-c", CONNECT, str(tmp_path)]
    result = subprocess.run(command, capture_output=True, text=True, timeout=200, env=environment)
    assert result.returncode == 0, result.stderr[-4000:]
    assert result.stdout.splitlines()[-1] == "partition 0: row 0, column 1 is nan (counted from 0), expected finite numbers"
