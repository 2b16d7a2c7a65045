"""askrff.spark on real executors, processes of their own: the models of one process whatever the partitions and the executors."""

import os
import pathlib
import signal
import sys
import time

import numpy as np
import pytest
from conftest import content

import askrff
from askrff import _core

pytestmark = [
    pytest.mark.filterwarnings("ignore:the best C:askrff.AccuracyWarning"),
    pytest.mark.filterwarnings("ignore:PySpark does not yet fully support pandas:FutureWarning"),
]
pytest.importorskip("pyspark")
pa = pytest.importorskip("pyarrow")
pq = pytest.importorskip("pyarrow.parquet")

from local_spark import local_cluster  # noqa: E402
from pyspark import cloudpickle  # noqa: E402
from pyspark.ml import Pipeline, PipelineModel  # noqa: E402
from pyspark.ml.evaluation import MulticlassClassificationEvaluator  # noqa: E402
from pyspark.ml.feature import VectorAssembler  # noqa: E402
from pyspark.ml.functions import array_to_vector  # noqa: E402
from pyspark.ml.linalg import Vectors, VectorUDT  # noqa: E402
from pyspark.ml.tuning import CrossValidator, ParamGridBuilder  # noqa: E402
from pyspark.sql import functions as F  # noqa: E402

from askrff.spark import (  # noqa: E402
    FourierClassificationModel,
    FourierClassifier,
    FourierFeatures,
    FourierFeaturesModel,
    FourierRegressionModel,
    FourierRegressor,
    _passes,
)

cloudpickle.register_pickle_by_value(sys.modules[__name__])  # executors do not have this file


@pytest.fixture(scope="module")
def spark():
    session = local_cluster(2, 1024, **{"spark.task.maxFailures": "2"})
    yield session
    session.stop()


def cuts(n_rows, n):
    """Ends of n partitions of sizes that fall, as Spark takes files; of more than two the last has no rows."""
    n_with_rows = n if n < 3 else n - 1
    ends = [n_rows - n_rows * (n_with_rows - i - 1) ** 2 // n_with_rows**2 for i in range(n_with_rows)]
    return [0, *ends, *[n_rows] * (n - n_with_rows)]


def batches_of(columns, n):
    """The rows of every partition."""
    at = cuts(len(next(iter(columns.values()))), n)
    kinds = {name: pa.float64() if values.ndim == 1 else pa.list_(pa.float64()) for name, values in columns.items()}
    for first, last in zip(at, at[1:]):
        yield pa.RecordBatch.from_pydict({name: pa.array(list(values[first:last]), kinds[name]) for name, values in columns.items()})


def frame(spark, folder, n, **columns):
    """A data frame of n partitions, each a file."""
    folder.mkdir()
    for part, batch in enumerate(batches_of(columns, n)):
        pq.write_table(pa.Table.from_batches([batch]), folder / f"{part}.parquet")
    rows = spark.read.parquet(str(folder))
    return rows


def made_frame(spark, n, before, **columns):
    """A data frame of n partitions; before(part) is called on the executor whenever the rows of a partition are made."""
    batches = list(batches_of(columns, n))

    def rows(numbers):
        for part in (part for batch in numbers for part in batch.column(0).to_pylist()):
            before(part)
            yield batches[part]

    names = ", ".join(f"{name} {'double' if values.ndim == 1 else 'array<double>'}" for name, values in columns.items())
    return spark.range(n, numPartitions=n).mapInArrow(rows, names)


def options_of(parameters):
    """Those of an estimator of askrff for one of askrff.spark."""
    return {("seed" if name == "random_state" else name): value for name, value in parameters.items()}


@pytest.fixture(scope="module")
def codes(problem):
    return np.unique(problem.labels, return_inverse=True)[1].astype(np.float64)


@pytest.fixture(scope="module")
def ridge(problem, codes):
    return askrff.FourierClassifier(**problem.ridge).fit(problem.X, codes)


@pytest.fixture(scope="module")
def frames(spark, problem, codes, tmp_path_factory):
    """By the number of partitions."""
    made = {}

    def of(n):
        if n not in made:
            two = problem.two.astype(np.float64)
            columns = {"features": problem.X, "y": problem.y, "label": codes, "two": two, "weight": problem.weights}
            made[n] = frame(spark, tmp_path_factory.mktemp("rows") / str(n), n, **columns)
        return made[n]

    return of


@pytest.fixture(scope="module")
def two(problem):
    return askrff.FourierClassifier(**problem.svm).fit(problem.X, problem.two.astype(np.float64))


@pytest.mark.parametrize("n_partitions", [1, 2, 4, 7])
def test_ridge_models_are_those_of_one_process(frames, problem, single, ridge, n_partitions):
    rows = frames(n_partitions)
    assert rows.rdd.getNumPartitions() == n_partitions
    regressor = FourierRegressor(labelCol="y", **options_of(problem.regressor)).fit(rows).toLocal()
    assert np.array_equal(regressor._map.frequencies, single["regressor"]._map.frequencies)
    assert np.array_equal(regressor._map.weights, single["regressor"]._map.weights)
    np.testing.assert_allclose(regressor.coef_, single["regressor"].coef_, rtol=1e-12)
    assert content(regressor) == content(single["regressor"])
    assert content(FourierClassifier(**options_of(problem.ridge)).fit(rows).toLocal()) == content(ridge)


def test_results_in_several_pieces(frames, problem):
    options = {"n_features": 800, "C": [0.1, 1.0]}
    model = FourierRegressor(labelCol="y", **options).fit(frames(2))
    assert content(model.toLocal()) == content(askrff.FourierRegressor(random_state=0, **options).fit(problem.X, problem.y))


@pytest.mark.parametrize("n_partitions", [1, 2, 4, 7])
def test_support_vector_machines(frames, problem, two, n_partitions):
    svm = FourierClassifier(labelCol="two", **options_of(problem.svm)).fit(frames(n_partitions)).toLocal()
    assert svm._map.to_bytes() == two._map.to_bytes()
    assert svm.C_ == two.C_
    assert abs(problem.svm_objective(svm) / problem.svm_objective(two) - 1) < 1e-8
    outputs = two.decision_function(problem.X)
    assert np.abs(svm.decision_function(problem.X) - outputs).max() < 1e-4 * np.abs(outputs).max()


def test_results_are_columns(frames, problem, ridge):
    rows = frames(4)
    model = FourierClassifier(**options_of(problem.ridge)).fit(rows)
    found = model.transform(rows).select("label", "prediction", "rawPrediction", "probability").collect()
    assert np.array_equal([row.prediction for row in found], ridge.predict(problem.X))
    assert np.array_equal([row.rawPrediction.toArray() for row in found], ridge.decision_function(problem.X))
    assert np.array_equal([row.probability.toArray() for row in found], ridge.predict_proba(problem.X))
    assert (model.numClasses, model.numFeatures) == (3, 4)
    assert model.predict(Vectors.dense(problem.X[5])) == ridge.predict(problem.X[5:6])[0]
    alone = FourierClassifier(model="ridge", labelCol="two", C=1.0, n_features=32, rawPredictionCol="raw", predictionCol="").fit(rows)
    found = alone.transform(rows)
    assert [name for name in found.columns if name not in rows.columns] == ["raw"]
    raw = np.asarray([row.raw.toArray() for row in found.select("raw").collect()])
    assert np.array_equal(raw[:, 0], -raw[:, 1])
    assert np.array_equal(raw[:, 1], alone.toLocal().decision_function(problem.X))
    with pytest.raises(AttributeError, match="this classifier has no probabilities"):
        alone.copy({alone.probabilityCol: "p"}).transform(rows)


def test_weights_balanced_classes_and_classes_missing_in_partitions(spark, frames, problem, codes, tmp_path):
    options = {**problem.ridge, "scale": "robust", "class_weight": "balanced"}
    wanted = askrff.FourierClassifier(**options).fit(problem.X, codes, problem.weights)
    assert content(FourierClassifier(weightCol="weight", **options_of(options)).fit(frames(7)).toLocal()) == content(wanted)
    order = np.argsort(codes, kind="stable")
    rows = frame(spark, tmp_path / "rows", 7, features=problem.X[order], label=codes[order])
    wanted = askrff.FourierClassifier(**{**problem.ridge, "class_weight": {0.0: 2.0}}).fit(problem.X[order], codes[order])
    got = FourierClassifier(class_weight={0: 2}, **options_of(problem.ridge)).fit(rows)
    assert content(got.toLocal()) == content(wanted)


def test_features_on_both_sides(frames, problem):
    options = {"kernel": "shift-gaussian", "n_features": 32}
    wanted = askrff.FourierFeatures(**options, random_state=0).fit(problem.X)
    model = FourierFeatures(**options, outputCol="left").fit(frames(7))
    assert content_of_map(model.toLocal()) == content_of_map(wanted)
    found = model.transformRight(model.transform(frames(7)), "right").select("left", "right").collect()
    assert np.array_equal([row.left.toArray() for row in found], wanted.transform(problem.X))
    assert np.array_equal([row.right.toArray() for row in found], wanted.transform_right(problem.X))


def content_of_map(features):
    return features._map.to_bytes()[0]


def test_vectors_arrays_and_columns(spark, problem, tmp_path):
    X, y = np.where(np.abs(problem.X[:400]) < 0.7, 0.0, problem.X[:400]), problem.y[:400]
    wanted = askrff.FourierRegressor(n_features=16, random_state=0).fit(X, y)
    rows = frame(spark, tmp_path / "rows", 3, features=X, label=y)
    sparse = F.udf(lambda row: Vectors.sparse(len(row), [(i, x) for i, x in enumerate(row) if x]), VectorUDT(), useArrow=False)("features")
    one_by_one = {f"x.{i}": F.col("features")[i] for i in range(4)}
    forms = {
        "dense": array_to_vector("features"),
        "sparse": sparse,
        "mixed": F.when(F.col("label") > 0, sparse).otherwise(array_to_vector("features")),
        "floats": F.col("features").cast("array<float>"),
    }
    rows = rows.withColumns({**forms, **one_by_one}).persist()
    regressor = FourierRegressor(n_features=16)
    for column in ("features", "dense", "sparse", "mixed", list(one_by_one)):
        model = regressor.setFeaturesCol(column).fit(rows)
        np.testing.assert_array_equal(model.toLocal().coef_, wanted.coef_)
        np.testing.assert_allclose([row.prediction for row in model.transform(rows).select("prediction").collect()], wanted.predict(X))
    assert model.toLocal().feature_names_in_.tolist() == list(one_by_one)
    model = regressor.setFeaturesCol("floats").fit(rows)
    as_floats = askrff.FourierRegressor(n_features=16, random_state=0).fit(X.astype(np.float32), y)
    np.testing.assert_array_equal(model.toLocal().coef_, as_floats.coef_)


def skewed(differences):
    return np.exp(-0.5 * (differences**2).sum(axis=1)) * (1 + np.tanh(differences[:, 0]))


def test_own_kernels(frames, problem, tmp_path):
    options = {"kernel": skewed, "n_features": 16, "estimator": "nystrom", "C": 1.0}
    wanted = askrff.FourierRegressor(**options, random_state=0).fit(problem.X, problem.y)
    model = FourierRegressor(labelCol="y", **options).fit(frames(2))
    np.testing.assert_allclose(model.toLocal().coef_, wanted.coef_, rtol=1e-12)
    assert model.transform(frames(2)).agg(F.count("prediction")).first()[0] == len(problem.X)
    with pytest.raises(ValueError, match="kernel is <function skewed.*, which is not saved: expected a name, and kernel_params"):
        model.save(str(tmp_path / "model"))


def test_pipelines_and_cross_validation(frames, problem, codes, tmp_path):
    rows = frames(2).select("label", *[F.col("features")[i].alias(f"x{i}") for i in range(4)])
    assembler = VectorAssembler(inputCols=[f"x{i}" for i in range(4)], outputCol="features")
    classifier = FourierClassifier(model="ridge", n_features=16, kernel_params={"sigma": 0.5})
    grid = ParamGridBuilder().addGrid(classifier.C, [1e-4, 10.0]).build()
    evaluator = MulticlassClassificationEvaluator(metricName="accuracy")
    validation = CrossValidator(
        estimator=Pipeline(stages=[assembler, classifier]), estimatorParamMaps=grid, evaluator=evaluator, numFolds=2, parallelism=2, seed=1
    )
    fitted = validation.fit(rows)
    assert fitted.avgMetrics[1] > fitted.avgMetrics[0]
    best = fitted.bestModel
    assert best.stages[1].getOrDefault("C") == 10.0
    alone = askrff.FourierClassifier(model="ridge", n_features=16, kernel_params={"sigma": 0.5}, C=10.0, random_state=0).fit(problem.X, codes)
    assert content(best.stages[1].toLocal()) == content(alone)
    best.write().overwrite().save(str(tmp_path / "pipeline"))
    again = PipelineModel.load(str(tmp_path / "pipeline"))
    assert evaluator.evaluate(again.transform(rows)) == alone.score(problem.X, codes)


def test_saved_and_loaded(frames, problem, tmp_path):
    rows = frames(2)
    estimators = [
        (FourierRegressor(labelCol="y", n_features=16, C=[0.1, 1.0], seed=3), FourierRegressionModel),
        (FourierClassifier(model="ridge", n_features=16, class_weight={1.0: 2.0}), FourierClassificationModel),
        (FourierFeatures(n_features=16, dtype=np.float32, outputCol="z"), FourierFeaturesModel),
    ]
    for estimator, of_model in estimators:
        path = str(tmp_path / type(estimator).__name__)
        estimator.save(path)
        again = type(estimator).load(path)
        assert again.uid == estimator.uid
        assert {p.name: v for p, v in again.extractParamMap().items()} == {p.name: v for p, v in estimator.extractParamMap().items()}
        model = estimator.fit(rows)
        with pytest.raises(Exception, match="exists"):
            model.save(path)
        model.write().overwrite().save(path)
        loaded = of_model.load(path)
        assert loaded.transform(rows).collect() == model.transform(rows).collect()
        assert loaded.toLocal().get_params() == model.toLocal().get_params()
        with pytest.raises(ValueError, match="holds a askrff.spark.Fourier.*Model, expected a"):
            type(estimator).load(path)
        model.toLocal().save(tmp_path / "model.askrff")
        assert type(askrff.load(tmp_path / "model.askrff")) is type(model.toLocal())


def kill_the_jvm_above(marker):
    """That of the executor, of which this Python is a worker; its number is the marker's content."""
    pid = os.getppid()
    while open(f"/proc/{pid}/comm").read().strip() != "java":
        pid = int(open(f"/proc/{pid}/stat").read().rsplit(")", 1)[1].split()[1])
    marker.write_text(str(pid))
    os.kill(pid, signal.SIGKILL)
    time.sleep(60)  # this worker dies with it


def is_dead(marker):
    stat = pathlib.Path("/proc", marker.read_text(), "stat")
    return not stat.exists() or stat.read_text().rsplit(")", 1)[1].split()[0] == "Z"


def test_an_executor_is_killed_in_a_task(spark, problem, single, tmp_path):
    def before(part):
        if part != 2:
            return
        passes = len(list(tmp_path.glob("pass-*")))
        (tmp_path / f"pass-{passes}").touch()
        if passes == 2:
            kill_the_jvm_above(tmp_path / "killed")

    rows = made_frame(spark, 4, before, features=problem.X, y=problem.y)
    model = FourierRegressor(labelCol="y", persist=False, **options_of(problem.regressor)).fit(rows)
    assert is_dead(tmp_path / "killed")
    assert len(list(tmp_path.glob("pass-*"))) == 5  # counts, survey, sample, sample again, sums
    assert content(model.toLocal()) == content(single["regressor"])


def test_an_executor_with_kept_rows_is_killed_between_passes(spark, frames, problem, single, tmp_path, monkeypatch):
    marker, run = tmp_path / "killed", _passes.SparkParts._run

    def kill_once(batches):
        if not marker.exists():
            kill_the_jvm_above(marker)
        yield from batches

    def run_after_a_death(self, job, starts):
        if b"part-task" in job.task and b"trainer" in job.task and not marker.exists():
            assert spark.range(1, numPartitions=1).mapInArrow(kill_once, "id long").count() == 1
        return run(self, job, starts)

    monkeypatch.setattr(_passes.SparkParts, "_run", run_after_a_death)
    model = FourierRegressor(labelCol="y", **options_of(problem.regressor)).fit(frames(4))
    assert is_dead(marker)
    assert content(model.toLocal()) == content(single["regressor"])


def test_what_is_wrong_with_rows_is_said_in_a_sentence(spark, frames, problem, tmp_path):
    X, y = problem.X[:60].copy(), problem.y[:60].copy()
    part, row = 1, cuts(60, 4)[1] + 3
    X[row, 1] = np.nan
    regressor = FourierRegressor(n_features=8)
    rows = frame(spark, tmp_path / "rows", 4, features=X, label=y)
    with pytest.raises(ValueError, match=rf"^partition {part}: row 3, column 1 is nan \(counted from 0\), expected finite numbers"):
        regressor.fit(rows)
    with pytest.raises(ValueError, match=rf"^partition {part}: column 'label' is null in row 3 \(counted from 0\), expected none that are"):
        regressor.fit(rows.withColumn("label", F.when(F.col("label") != y[row], F.col("label"))))
    with pytest.raises(ValueError, match=r"^partition 0: column 'features' has 3 numbers in row 1 .*, 4 in row 0: expected as many in all rows"):
        regressor.fit(rows.withColumn("features", F.when(F.col("label") != y[1], F.col("features")).otherwise(F.slice("features", 1, 3))))
    with pytest.raises(ValueError, match="the data frame has no rows, expected at least one"):
        regressor.fit(rows.filter(F.col("label") > 1e9))
    with pytest.raises(ValueError, match="the data frame has no column 'target', it has"):
        regressor.copy({regressor.labelCol: "target"}).fit(rows)
    with pytest.raises(TypeError, match="column 'features' is string, expected a vector, an array of numbers or numbers"):
        regressor.fit(rows.withColumn("features", F.lit("text")))


def test_what_is_wrong_with_options_is_said_in_a_sentence(frames, monkeypatch):
    rows = frames(2)
    with pytest.raises(TypeError, match="FourierRegressor has no parameter 'n_feature', expected some of C, "):
        FourierRegressor(n_feature=5)
    with pytest.raises(ValueError, match="n_features is -1, expected at least 1"):
        FourierRegressor(n_features=-1, labelCol="y").fit(rows)
    with pytest.raises(ValueError, match="gamma is 'scale', which takes all rows in one place"):
        FourierRegressor(gamma="scale", labelCol="y").fit(rows)
    with pytest.raises(ValueError, match="the labels are all one class"):
        FourierClassifier(n_features=8).fit(rows.withColumn("label", F.lit(1.0)))
    monkeypatch.setattr(_core, "version", "9.9.9")
    with pytest.raises(RuntimeError, match=f"^the driver has askrff 9.9.9, an executor has askrff {askrff.__version__}: expected the same version"):
        FourierRegressor(labelCol="y").fit(rows)


def test_rows_that_change_are_kept_or_refused(frames):
    at_random = F.udf(lambda value: os.urandom(1)[0] < 128, "boolean").asNondeterministic()
    rows = frames(1).filter(at_random("y"))
    regressor = FourierRegressor(labelCol="y", n_features=8, C=1.0)
    assert regressor.fit(rows).toLocal().n_rows_seen_ > 0
    with pytest.raises(ValueError, match="^partition .*: other rows than in an earlier pass over them, expected the same every time"):
        regressor.copy({regressor.persist: False}).fit(rows)
