"""askrff.dask on real workers, processes of their own: the models of one process whatever the partitions and the workers."""

import os
import pickle
import signal
import threading
import time

import numpy as np
import pytest
from conftest import content

import askrff

pytestmark = pytest.mark.filterwarnings("ignore:the best C:askrff.AccuracyWarning", "ignore:Port 8787:UserWarning")
da = pytest.importorskip("dask.array")
dd = pytest.importorskip("dask.dataframe")
distributed = pytest.importorskip("distributed")
pd = pytest.importorskip("pandas")

import dask  # noqa: E402

from askrff.dask import FourierClassifier, FourierFeatures, FourierRegressor  # noqa: E402

COLUMNS = list("abcd")


@pytest.fixture(scope="module", params=[1, 2, 3])
def client(request):
    with distributed.LocalCluster(
        n_workers=request.param, threads_per_worker=1, processes=True, dashboard_address=None, host="127.0.0.1"
    ) as cluster, distributed.Client(cluster) as client:
        yield client


@pytest.fixture(scope="module")
def two_workers():
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None, host="127.0.0.1") as cluster:
        with distributed.Client(cluster) as client:
            yield client


def cut(values, n):
    """n partitions of uneven sizes; of more than two the second has no rows."""
    ends = [len(values) * (i + 1) ** 2 // n**2 for i in range(n)]
    if n > 2:
        ends[1] = ends[0]
    sizes = tuple(np.diff([0, *ends]).tolist())
    return da.from_array(values, chunks=(sizes, *[-1] * (values.ndim - 1)))


@pytest.mark.parametrize("n_partitions", [1, 2, 4, 7])
def test_models_are_those_of_one_process(client, problem, single, n_partitions):
    X = cut(problem.X, n_partitions)
    regressor = FourierRegressor(**problem.regressor).fit(X, cut(problem.y, n_partitions))
    assert np.array_equal(regressor._map.frequencies, single["regressor"]._map.frequencies)
    assert np.array_equal(regressor._map.weights, single["regressor"]._map.weights)
    np.testing.assert_allclose(regressor.coef_, single["regressor"].coef_, rtol=1e-12)
    assert content(regressor) == content(single["regressor"])
    ridge = FourierClassifier(**problem.ridge).fit(X, cut(problem.labels, n_partitions))
    assert content(ridge) == content(single["ridge"])
    svm = FourierClassifier(**problem.svm).fit(X, cut(problem.two, n_partitions))
    assert svm._map.to_bytes() == single["svm"]._map.to_bytes()
    assert svm.C_ == single["svm"].C_
    assert np.array_equal(svm.cv_results_["scores"], single["svm"].cv_results_["scores"])
    assert abs(problem.svm_objective(svm) / problem.svm_objective(single["svm"]) - 1) < 1e-8


def test_the_same_partitions_give_the_same_bits(client, problem):
    fits = [FourierClassifier(**problem.svm).fit(cut(problem.X, 4), cut(problem.two, 4)) for _ in range(2)]
    assert content(fits[0]) == content(fits[1])


@pytest.mark.parametrize("scale", ["none", "standard", "robust", "maxabs"])
def test_weights_scales_and_balanced_classes(two_workers, problem, scale):
    options = {**problem.ridge, "scale": scale, "class_weight": "balanced"}
    wanted = askrff.FourierClassifier(**options).fit(problem.X, problem.labels, problem.weights)
    got = FourierClassifier(**options).fit(cut(problem.X, 5), cut(problem.labels, 5), cut(problem.weights, 5))
    assert content(got) == content(wanted)
    assert got.score(cut(problem.X, 5), cut(problem.labels, 5)) == pytest.approx(wanted.score(problem.X, problem.labels))


def test_classes_missing_in_partitions(two_workers, problem):
    order = np.argsort(problem.labels, kind="stable")  # a class after the other
    X, labels = problem.X[order], problem.labels[order]
    got = FourierClassifier(**problem.ridge).fit(cut(X, 7), cut(labels, 7))
    assert content(got) == content(askrff.FourierClassifier(**problem.ridge).fit(X, labels))


def test_tuning_and_own_kernels_and_several_targets(two_workers, problem):
    Y = np.column_stack([problem.y, problem.X[:, 0] ** 2])
    options = {"kernel_params": {"sigma": 1.0}, "n_features": 32, "tune": ["sigma"], "C": [0.1, 10.0], "random_state": 0}
    wanted = askrff.FourierRegressor(**options).fit(problem.X, Y)
    got = FourierRegressor(**options).fit(cut(problem.X, 3), cut(Y, 3))
    assert content(got) == content(wanted)
    assert got.predict(cut(problem.X, 3)).shape == (len(Y), 2)
    assert got.score(cut(problem.X, 3), cut(Y, 3)) == pytest.approx(wanted.score(problem.X, Y))
    for estimator in ("fourier", "nystrom"):
        own = {"kernel": skewed, "n_features": 16, "estimator": estimator, "random_state": 0, "C": 1.0}
        got = FourierRegressor(**own).fit(cut(problem.X, 3), cut(problem.y, 3))
        wanted = askrff.FourierRegressor(**own).fit(problem.X, problem.y)
        np.testing.assert_allclose(got.coef_, wanted.coef_, rtol=1e-12)
        np.testing.assert_allclose(got.predict(cut(problem.X, 3)), wanted.predict(problem.X))


def skewed(differences):
    return np.exp(-0.5 * (differences**2).sum(axis=1)) * (1 + np.tanh(differences[:, 0]))


def test_lazy_results_say_what_they_are(two_workers, problem, single):
    X = cut(problem.X.astype(np.float32), 4)
    features = FourierFeatures(n_features=16, random_state=0).fit(X)
    Z = features.transform(X)
    assert (Z.shape, Z.dtype, Z.chunks[0]) == ((len(problem.X), 16), np.float32, X.chunks[0])
    wanted = askrff.FourierFeatures(n_features=16, random_state=0).fit(problem.X.astype(np.float32))
    assert np.array_equal(Z.compute(), wanted.transform(problem.X.astype(np.float32)))
    assert np.array_equal(features.transform_right(X).compute(), wanted.transform_right(problem.X.astype(np.float32)))
    model = FourierClassifier(**problem.ridge).fit(cut(problem.X, 4), cut(problem.labels, 4))
    X = cut(problem.X, 4)
    labels = model.predict(X)
    assert (labels.shape, labels.dtype, labels.chunks[0]) == ((len(problem.X),), problem.labels.dtype, X.chunks[0])
    assert np.array_equal(labels.compute(), single["ridge"].predict(problem.X))
    assert np.array_equal(model.predict_proba(X).compute(), single["ridge"].predict_proba(problem.X))
    assert np.array_equal(model.decision_function(X).compute(), single["ridge"].decision_function(problem.X))
    with pytest.raises(ValueError, match="3 features, but FourierClassifier is expecting 4"):
        model.predict(X[:, :3])
    with pytest.raises(TypeError, match="expected None"):
        features.transform(X, out=np.empty((1, 1)))


def test_data_frames_and_parquet(two_workers, problem, single, tmp_path):
    frame = pd.DataFrame(problem.X, columns=COLUMNS).assign(y=problem.y, label=problem.labels)
    frame.index += 1000
    dd.from_pandas(frame, npartitions=5).to_parquet(tmp_path / "rows")
    rows = dd.read_parquet(tmp_path / "rows")
    model = FourierRegressor(**problem.regressor).fit(rows[COLUMNS], rows["y"])
    np.testing.assert_array_equal(model.coef_, single["regressor"].coef_)
    assert list(model.feature_names_in_) == COLUMNS
    predicted = model.predict(rows[COLUMNS]).compute()
    assert predicted.index.equals(frame.index)
    np.testing.assert_array_equal(predicted, single["regressor"].predict(problem.X))
    classifier = FourierClassifier(**problem.ridge).fit(rows[COLUMNS], rows["label"])
    np.testing.assert_array_equal(classifier.coef_, single["ridge"].coef_)
    assert set(classifier.predict(rows[COLUMNS]).compute()) == {"low", "mid", "top"}
    Z = FourierFeatures(n_features=8, random_state=0).fit(rows[COLUMNS]).transform(rows[COLUMNS])
    assert Z.compute().shape == (len(frame), 8)
    with pytest.raises(ValueError, match="expected .'a', 'b', 'c', 'd'. as in fit"):
        model.predict(rows[COLUMNS[::-1]])
    rows = dd.from_pandas(frame, npartitions=5)
    unknown = rows[COLUMNS].to_dask_array()  # nobody knows how many rows a partition has
    again = FourierRegressor(**problem.regressor).fit(unknown, rows["y"].to_dask_array())
    np.testing.assert_array_equal(again.coef_, single["regressor"].coef_)


def test_the_operator_over_partitions(two_workers, problem):
    X, Y = problem.X, problem.X[:1003]
    features = FourierFeatures(kernel="shift-gaussian", n_features=32, random_state=0).fit(cut(X, 3))
    exact = askrff.FourierFeatures(kernel="shift-gaussian", n_features=32, random_state=0).fit(X).operator(X, Y)
    K = features.operator(cut(X, 2), cut(Y, 4))
    rng = np.random.default_rng(1)
    v, u = rng.normal(size=1003), rng.normal(size=(len(X), 2))
    assert K.shape == (len(X), 1003)
    np.testing.assert_allclose(K @ v, exact @ v, atol=1e-10)
    np.testing.assert_allclose(K.T @ u, exact.T @ u, atol=1e-10)
    lazy = K @ da.from_array(v, chunks=200)
    assert lazy.chunks[0] == cut(X, 2).chunks[0]
    np.testing.assert_allclose(lazy.compute(), exact @ v, atol=1e-10)


def test_fitted_estimators_travel(two_workers, problem, single, tmp_path):
    model = FourierRegressor(**problem.regressor).fit(cut(problem.X, 2), cut(problem.y, 2))
    assert content(pickle.loads(pickle.dumps(model))) == content(model)
    model.save(tmp_path / "model.askrff")
    np.testing.assert_array_equal(askrff.load(tmp_path / "model.askrff").predict(problem.X), single["regressor"].predict(problem.X))


def loaded(part, values, folder, dies_at):
    """A partition that counts how often it is made, and at one time kills its worker."""
    n_before = len([name for name in os.listdir(folder) if name.startswith(f"{part}-")])
    open(os.path.join(folder, f"{part}-{n_before}-{os.getpid()}-{time.time_ns()}"), "w").close()
    if part == 2 and n_before == dies_at and not os.path.exists(os.path.join(folder, "dead")):
        open(os.path.join(folder, "dead"), "w").close()
        os.kill(os.getpid(), signal.SIGKILL)
    return values


@pytest.mark.parametrize("name, dies_at", [("regressor", 2), ("svm", 4)])
def test_a_worker_that_dies_in_the_middle_of_a_fit(two_workers, problem, single, tmp_path, name, dies_at):
    pieces = np.array_split(problem.X, 5)
    delayed = [dask.delayed(loaded)(i, rows, str(tmp_path), dies_at) for i, rows in enumerate(pieces)]
    X = da.concatenate([da.from_delayed(rows, piece.shape, piece.dtype) for rows, piece in zip(delayed, pieces)])
    y = problem.y if name == "regressor" else problem.two
    make = {"regressor": FourierRegressor, "svm": FourierClassifier}[name]
    undisturbed = make(**getattr(problem, name)).fit(da.from_array(problem.X, chunks=X.chunks), y)
    model = make(**getattr(problem, name)).fit(X, y)
    assert os.path.exists(tmp_path / "dead")
    assert content(model) == content(undisturbed)


def test_a_worker_of_another_version(two_workers, problem):
    def pretend(version):
        import askrff._core

        before, askrff._core.version = askrff._core.version, version
        return before

    address = sorted(two_workers.scheduler_info()["workers"])[0]
    before = two_workers.run(pretend, "0.0.9", workers=[address])[address]
    try:
        with pytest.raises(RuntimeError, match=f"the driver has askrff {before}, this worker has askrff 0.0.9"):
            FourierRegressor(**problem.regressor).fit(cut(problem.X, 7), cut(problem.y, 7))
    finally:
        two_workers.run(pretend, before, workers=[address])


def test_workers_with_fewer_cores(two_workers, problem, single):
    address = sorted(two_workers.scheduler_info()["workers"])[0]
    cores = two_workers.run(lambda: list(os.sched_getaffinity(0)), workers=[address])[address]
    two_workers.run(lambda: os.sched_setaffinity(0, {cores[0]}), workers=[address])
    try:
        model = FourierRegressor(**problem.regressor, n_jobs=2).fit(cut(problem.X, 4), cut(problem.y, 4))
        assert content(model) == content(single["regressor"])
    finally:
        two_workers.run(lambda: os.sched_setaffinity(0, set(cores)), workers=[address])


def refusal(X, y, weights=None, **options):
    model = FourierRegressor(n_features=16, random_state=0, **options)
    with pytest.raises((ValueError, TypeError)) as raised:
        model.fit(X, y, weights)
    assert not hasattr(model, "coef_")
    return str(raised.value)


def test_what_is_wrong_is_said_with_its_place(two_workers, problem):
    bad = problem.X.copy()
    bad[4000, 3] = np.nan
    X = da.from_array(bad, chunks=(1500, 4))
    assert "partition 2: row 1000, column 3 is nan" in refusal(X, problem.y)
    targets = problem.y.copy()
    targets[1501] = np.inf
    good = da.from_array(problem.X, chunks=(1500, 4))
    assert "partition 1: the label of row 1 (counted from 0) is inf" in refusal(good, targets)
    assert "y has 100 rows, X has 6007" in refusal(good, problem.y[:100])
    assert "row 1 has the weight -1" in refusal(good, problem.y, np.full(len(problem.y), -1.0))
    assert "gamma is 'scale', which takes all rows in one place" in refusal(good, problem.y, gamma="scale")
    assert "expected them to be cut at the same rows" in refusal(dd.from_dask_array(good, columns=COLUMNS), da.from_array(problem.y, chunks=3000))
    words = dd.from_pandas(pd.DataFrame({"a": ["x", "y"] * 50}), npartitions=2)
    assert ": could not convert string to float" in refusal(words, da.from_array(problem.y[:100], chunks=50))
    assert "no rows" in refusal(da.from_array(np.empty((0, 4)), chunks=(1, 4)), da.from_array(np.empty(0), chunks=1))
    with pytest.raises(TypeError, match="expected a dask collection cut like X"):
        FourierRegressor().fit(dd.from_dask_array(good, columns=COLUMNS), problem.y)
    for missing in (np.nan, None):
        labels = np.asarray([1.0, 0.0, missing, 1.0] * 10, dtype=object if missing is None else float)
        with pytest.raises(ValueError, match=r"partition \d: the label of row 2 .counted from 0. is .*, expected one for every row"):
            FourierClassifier().fit(da.from_array(problem.X[:40], chunks=(20, 4)), da.from_array(labels, chunks=20))
    with pytest.raises(ValueError, match="one class"):
        FourierClassifier().fit(good, np.zeros(len(problem.y), dtype=int))
    with pytest.raises(TypeError, match="takes rows in memory"):
        FourierRegressor().partial_fit(good, problem.y)


def test_rows_that_are_drawn_anew_in_every_pass_are_refused(two_workers):
    def drawn():
        return np.random.default_rng().normal(size=(np.random.default_rng().integers(50, 90), 2))

    X = da.from_delayed(dask.delayed(drawn)(), (np.nan, 2), float)
    assert "other rows than in an earlier pass" in refusal_of_features(X)


def refusal_of_features(X):
    with pytest.raises(ValueError) as raised:
        FourierFeatures(n_features=16).fit(X)
    return str(raised.value)


def test_frames_of_different_files_are_paired_by_their_places(two_workers, problem, single, tmp_path):
    frame = pd.DataFrame(problem.X, columns=COLUMNS)
    dd.from_pandas(frame, npartitions=4).to_parquet(tmp_path / "X", write_index=False)
    dd.from_pandas(pd.DataFrame({"y": problem.y}), npartitions=4).to_parquet(tmp_path / "y", write_index=False)
    X, y = dd.read_parquet(tmp_path / "X"), dd.read_parquet(tmp_path / "y")["y"]
    model = FourierRegressor(**problem.regressor).fit(X, y)
    np.testing.assert_array_equal(model.coef_, single["regressor"].coef_)
    assert model.score(X, y) == pytest.approx(single["regressor"].score(problem.X, problem.y))
    with pytest.raises(ValueError, match="rows, but .* labels: expected X, y and sample_weight to be cut at the same rows"):
        FourierRegressor(**problem.regressor).fit(X[X["a"] > 0], y)


def test_fits_at_the_same_time_do_not_meet(two_workers, problem):
    X, ys = cut(problem.X, 4), [problem.y, np.where(np.arange(len(problem.y)) == 0, problem.y, -problem.y)]
    models = [FourierRegressor(**problem.regressor) for _ in ys]
    threads = [threading.Thread(target=model.fit, args=(X, y)) for model, y in zip(models, ys)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    wanted = [askrff.FourierRegressor(**problem.regressor).fit(problem.X, y) for y in ys]
    assert [content(model) for model in models] == [content(model) for model in wanted]


def test_rows_of_the_same_number_drawn_anew_are_refused(two_workers):
    def drawn():
        return np.random.default_rng().normal(size=(60, 2))

    assert "other rows than in an earlier pass" in refusal_of_features(da.from_delayed(dask.delayed(drawn)(), (60, 2), float))


def test_odd_rows_weights_and_threads(two_workers, problem):
    sp = pytest.importorskip("scipy.sparse")
    X, weights = problem.X.copy(), np.where(np.arange(len(problem.X)) // 1000 == 2, 0.0, 1.0)
    X[np.abs(X) < 1] = 0
    wanted = askrff.FourierRegressor(**problem.regressor).fit(X, problem.y, weights)
    rows = da.from_array(X, chunks=(1000, 4)).map_blocks(sp.csr_array, dtype=float)
    model = FourierRegressor(**problem.regressor, n_jobs=-1).fit(rows, problem.y, weights)
    assert content(model) == content(wanted)
    np.testing.assert_array_equal(model.predict(rows).compute(), wanted.predict(X))
    assert model.score(da.from_array(X, chunks=(1000, 4)), problem.y) == pytest.approx(wanted.score(X, problem.y))
    with pytest.raises(ValueError, match="Complex data not supported"):
        FourierRegressor().fit(da.from_array(X, chunks=(1000, 4)), problem.y + 1j)
    constant = FourierRegressor(n_features=8, C=1.0).fit(da.from_array(X, chunks=(1000, 4)), np.ones(len(X)))
    assert constant.score(da.from_array(X, chunks=(1000, 4)), np.ones(len(X))) == 1.0


def slow(rows):
    time.sleep(0.3)
    return rows


def test_an_interrupt_ends_the_work_of_the_cluster(two_workers, problem):
    X = da.from_array(problem.X, chunks=(100, 4)).map_blocks(slow, dtype=float)
    model = FourierRegressor(**problem.regressor)
    threading.Timer(1.5, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
    start = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        model.fit(X, problem.y)
    assert time.monotonic() - start < 6
    assert not hasattr(model, "coef_")
    for _ in range(50):
        if not any(two_workers.processing().values()):
            break
        time.sleep(0.1)
    assert not any(two_workers.processing().values())
