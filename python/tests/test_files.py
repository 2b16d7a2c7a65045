"""Files: saved and loaded here, written by the command line and read here, written here and read by the command line."""

import json
import os
import subprocess

import numpy as np
import pytest
from sklearn.base import clone

from askrff import FourierClassifier, FourierFeatures, FourierRegressor, load
from askrff.files import _labels

COMMAND = os.environ.get("ASKRFF_COMMAND", "")
needs_command = pytest.mark.skipif(not os.path.exists(COMMAND), reason="ASKRFF_COMMAND does not name the command line")


def run(*arguments):
    result = subprocess.run([COMMAND, *map(str, arguments)], capture_output=True, text=True)
    assert result.returncode == 0, result.stderr
    return result.stdout


def rows(n=300, d=3, seed=0):
    return np.random.default_rng(seed).uniform(size=(n, d))


def labelled(n=300):
    X = rows(n)
    return X, np.where(X[:, 0] + np.sin(6 * X[:, 1]) > 0.8, "yes", "no")


FEATURES = [
    {"kernel": "shift-gaussian", "kernel_params": {"sigma": 1.0, "shift": [0.1, 0.2, 0.3]}, "weights": "calibrated"},
    {"kernel": "sinh-gaussian", "estimator": "jordan", "weights": "exact"},
    {"kernel": "sinh-gaussian", "estimator": "nystrom"},
    {"kernel": "shifted:matern-3/2", "weights": "exact"},
    {"kernel": "gaussian", "tolerance": 1e-2},
]


@pytest.mark.parametrize("options", FEATURES)
def test_features_come_back(options, tmp_path):
    X = rows()
    features = FourierFeatures(**options, n_frequencies=32, random_state=4).fit(X)
    features.save(tmp_path / "map.askrff")
    again = load(tmp_path / "map.askrff")
    assert type(again) is FourierFeatures
    np.testing.assert_array_equal(again.transform(X), features.transform(X))
    np.testing.assert_array_equal(again.transform_right(X), features.transform_right(X))
    np.testing.assert_array_equal(again.kernel_(X[:20]), features.kernel_(X[:20]))
    if "tolerance" in options:
        assert (again.error_, again.error_interval_) == (features.error_, features.error_interval_)


def test_names_of_columns_come_back(tmp_path):
    pd = pytest.importorskip("pandas")
    frame = pd.DataFrame(rows(), columns=["a", "b", "c"])
    FourierFeatures(n_frequencies=8, random_state=0).fit(frame).save(tmp_path / "map.askrff")
    again = load(tmp_path / "map.askrff")
    assert list(again.feature_names_in_) == ["a", "b", "c"]
    with pytest.raises(ValueError, match="feature names"):
        again.transform(frame[["b", "a", "c"]])


@pytest.mark.parametrize("labels", [["no", "yes"], [3, 7], [-1.0, 1.0], [False, True]])
def test_classifier_comes_back(labels, tmp_path):
    X, y = labelled()
    y = np.asarray(labels)[(y == "yes").astype(int)]
    classifier = FourierClassifier(n_frequencies=32, kernel="shift-gaussian", random_state=0).fit(X, y)
    classifier.save(tmp_path / "model.askrff")
    again = load(tmp_path / "model.askrff")
    assert type(again) is FourierClassifier and again.C_ == classifier.C_
    np.testing.assert_array_equal(again.predict(X), classifier.predict(X))
    np.testing.assert_array_equal(again.decision_function(X), classifier.decision_function(X))
    assert again.classes_.dtype.kind == classifier.classes_.dtype.kind


@pytest.mark.parametrize(
    "classes, dtype",
    [
        (["-3", "0", "12"], "i"),
        (["0.5", "1e-07", "-1.0"], "f"),
        (["01", "1"], "U"),
        (["1_0", "2"], "U"),
        (["nan", "1.0"], "U"),
        (["inf", "1.0"], "U"),
        (["\u0663", "1"], "U"),  # a digit of another script
        (["1" * 30, "2"], "U"),
        (["1" * 5000, "2"], "U"),
        (["0.0", "-0.0"], "U"),
        (["1", "1.0"], "U"),
    ],
)
def test_labels_are_numbers_only_if_none_changes_or_meets_another(classes, dtype):
    labels = _labels(classes)
    assert labels.dtype.kind == dtype and len(np.unique(labels)) == len(classes)
    assert [str(label) for label in labels.tolist()] == classes


def test_classes_that_look_alike_stay_apart(tmp_path):
    X, y = labelled()
    y = np.where(y == "yes", "1", "01")
    FourierClassifier(n_frequencies=16, random_state=0).fit(X, y).save(tmp_path / "model.askrff")
    assert set(load(tmp_path / "model.askrff").predict(X)) == {"1", "01"}


@pytest.mark.parametrize("C", [2.0, [0.5, 2.0]])
def test_what_training_found_comes_back(C, tmp_path):
    X = rows()
    regressor = FourierRegressor(C=C, n_frequencies=16, random_state=0).fit(X, X.sum(axis=1))
    regressor.save(tmp_path / "model.askrff")
    again = load(tmp_path / "model.askrff")
    assert again.n_rows_seen_ == regressor.n_rows_seen_ == 300
    assert bool(again.cv_results_) == bool(regressor.cv_results_) == isinstance(C, list)
    for name in again.cv_results_:
        np.testing.assert_array_equal(again.cv_results_[name], regressor.cv_results_[name])
    for model in (again, regressor):
        assert model.scaler_["kind"] == "minmax"
        np.testing.assert_array_equal(model.scaler_["offset"], X.min(axis=0))


def test_paths_of_any_kind(tmp_path):
    features = FourierFeatures(n_frequencies=8, random_state=0).fit(rows())
    for path in (tmp_path / "a", str(tmp_path / "b"), os.fsencode(tmp_path / "c")):
        features.save(path)
        np.testing.assert_array_equal(load(path).frequencies_, features.frequencies_)


@pytest.mark.parametrize(
    "path, error, match",
    [
        (None, TypeError, "path is None"),
        (3, TypeError, "path is 3"),
        ("a\0b", ValueError, "null"),
        ("\udc80", ValueError, "surrogates"),
    ],
)
def test_paths_that_are_none(path, error, match, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    features = FourierFeatures(n_frequencies=8, random_state=0).fit(rows())
    regressor = FourierRegressor(n_frequencies=8, C=1.0, random_state=0).fit(rows(), rows()[:, 0])
    for use in (load, features.save, regressor.save):
        with pytest.raises(error, match=match):
            use(path)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("kernel", ["sinh-gaussian", "linear"])
def test_regressor_comes_back(kernel, tmp_path):
    X = rows()
    regressor = FourierRegressor(kernel=kernel, n_frequencies=32, random_state=0).fit(X, X.sum(axis=1))
    regressor.save(tmp_path / "model.askrff")
    again = load(tmp_path / "model.askrff")
    assert type(again) is FourierRegressor
    np.testing.assert_array_equal(again.predict(X), regressor.predict(X))
    with pytest.raises(ValueError, match="has none"):
        again.partial_fit(X, X.sum(axis=1))


def test_refusals(tmp_path):
    with pytest.raises(OSError):
        load(tmp_path / "absent.askrff")
    (tmp_path / "text.askrff").write_text("no model, just some text that is long enough to be looked at\n")
    with pytest.raises(ValueError, match="is not a model or map"):
        load(tmp_path / "text.askrff")
    with pytest.raises(IsADirectoryError):
        load(tmp_path)
    with pytest.raises((OSError, ValueError)):
        FourierFeatures(random_state=0).fit(rows()).save(tmp_path / "nowhere" / "map.askrff")


@needs_command
@pytest.mark.parametrize("options", FEATURES)
def test_the_command_line_reads_our_maps(options, tmp_path):
    X = rows()
    features = FourierFeatures(**options, n_frequencies=32, random_state=4).fit(X)
    features.save(tmp_path / "map.askrff")
    np.save(tmp_path / "X.npy", X)
    for side, ours in (("left", features.transform(X)), ("right", features.transform_right(X))):
        out = tmp_path / f"{side}.npy"
        run("transform", "--features", tmp_path / "map.askrff", "--data", tmp_path / "X.npy", "--side", side, "--out", out)
        np.testing.assert_array_equal(np.load(out), ours)


@needs_command
def test_we_read_maps_of_the_command_line(tmp_path):
    X = rows(400)
    np.save(tmp_path / "X.npy", X)
    made = ("--data", tmp_path / "X.npy", "--kernel", "sinh-gaussian", "--tolerance", "1e-2", "--out", tmp_path / "map.askrff")
    run("choose", *made)
    run("transform", "--features", tmp_path / "map.askrff", "--data", tmp_path / "X.npy", "--side", "left", "--out", tmp_path / "Z.npy")
    features = load(tmp_path / "map.askrff")  # with its scaling of the columns
    np.testing.assert_array_equal(features.transform(X), np.load(tmp_path / "Z.npy"))
    assert features.kernel_.name == "sinh-gaussian" and features.error_interval_[1] <= 1e-2
    scaled = (X - features.scaler_["offset"]) / features.scaler_["width"]
    np.testing.assert_allclose(features.transform(X) @ features.transform_right(X).T, features.kernel_(scaled), atol=0.1)
    assert FourierFeatures(random_state=0).fit(X).scaler_ is None


def predicted(folder, model, X):
    """Labels and outputs of the command line, which writes numbers so that they come back exactly."""
    np.save(folder / "X.npy", X)
    files = ("--out", folder / "predicted.txt", "--scores", folder / "outputs.csv")
    run("predict", "--model", model, "--data", folder / "X.npy", *files)
    outputs = np.loadtxt(folder / "outputs.csv", delimiter=",", skiprows=1, ndmin=2)
    return (folder / "predicted.txt").read_text().split(), outputs


def outputs_of(model, X):
    outputs = model.decision_function(X) if hasattr(model, "decision_function") else model.predict(X)
    return outputs.reshape(len(X), -1)


@needs_command
@pytest.mark.parametrize("dtype", ["float64", "float32"])
@pytest.mark.parametrize(
    "model",
    [
        FourierClassifier(kernel="sinh-gaussian", estimator="jordan"),
        FourierClassifier(model="ridge", kernel="shift-gaussian", weights="calibrated", scale="standard"),
        FourierClassifier(kernel="laplacian", estimator="nystrom", scale="none", n_frequencies=16),
        FourierRegressor(kernel="cosh-gaussian"),
        FourierRegressor(kernel="linear"),
    ],
    ids=repr,
)
@pytest.mark.parametrize("n_classes", [2, 3])
def test_the_command_line_predicts_the_same_bits(model, n_classes, dtype, tmp_path):
    X = rows()
    y = np.floor(n_classes * X[:, 0] * 0.999) if isinstance(model, FourierClassifier) else np.sin(6 * X[:, 0]) + n_classes * X[:, 1]
    model = clone(model).set_params(dtype=dtype, random_state=0, C=2.0).fit(X, y)
    model.save(tmp_path / "model.askrff")
    unseen = rows(1000, seed=1)
    labels, outputs = predicted(tmp_path, tmp_path / "model.askrff", unseen)
    np.testing.assert_array_equal(outputs, outputs_of(model, unseen))
    np.testing.assert_array_equal(np.asarray(labels, dtype=float), model.predict(unseen))


@needs_command
@pytest.mark.parametrize("precision", ["float64", "float32"])
@pytest.mark.parametrize(
    "options",
    [
        ("--kernel", "shift-gaussian", "--frequencies", "32"),
        ("--kernel", "sinh-gaussian", "--model", "ridge", "--estimator", "polar", "--weights", "calibrated"),
        ("--kernel", "gaussian", "--estimator", "nystrom", "--scale", "standard"),
        ("--kernel", "cosh-gaussian", "--model", "ridge", "--task", "regression"),
        ("--kernel", "linear"),
    ],
    ids=" ".join,
)
def test_we_predict_the_bits_of_the_command_line(options, precision, tmp_path):
    X = rows()
    np.save(tmp_path / "train.npy", X)
    np.savetxt(tmp_path / "labels.txt", np.floor(3 * X[:, 0]), fmt="%d")
    source = ("--data", tmp_path / "train.npy", "--labels", tmp_path / "labels.txt")
    run("train", *source, *options, "--precision", precision, "--out", tmp_path / "model.askrff")
    unseen = rows(1000, seed=1)
    labels, outputs = predicted(tmp_path, tmp_path / "model.askrff", unseen)
    model = load(tmp_path / "model.askrff")
    np.testing.assert_array_equal(outputs_of(model, unseen), outputs)
    np.testing.assert_array_equal(model.predict(unseen), np.asarray(labels, dtype=float))


@needs_command
@pytest.mark.parametrize("C, told", [(2.0, ("--c", "2")), ([0.5, 2.0], ("--c-grid", "0.5,2", "--folds", "5"))])
@pytest.mark.parametrize(
    "model, options",
    [
        (FourierClassifier(kernel="shift-gaussian"), ()),
        (FourierClassifier(kernel="sinh-gaussian", estimator="jordan", scale="standard"), ("--estimator", "jordan", "--scale", "standard")),
        (FourierClassifier(model="ridge", weights="calibrated"), ("--model", "ridge", "--weights", "calibrated")),
        (FourierClassifier(kernel="linear", scale="robust"), ("--scale", "robust")),
        (FourierClassifier(max_row_bytes=1000), ("--memory", "1000")),
        (FourierClassifier(tolerance=0.05, dtype="float32"), ("--tolerance", "0.05", "--precision", "float32")),
        (FourierRegressor(kernel="cosh-gaussian"), ("--model", "ridge", "--task", "regression")),
        (
            FourierRegressor(estimator="nystrom", kernel_params={"sigma": 0.5}, fit_intercept=False),
            ("--model", "ridge", "--task", "regression", "--estimator", "nystrom", "--sigma", "0.5", "--no-bias"),
        ),
    ],
    ids=repr,
)
@pytest.mark.parametrize("n_classes", [2, 3])
def test_the_same_training_is_the_same_file(model, options, n_classes, C, told, tmp_path):
    """Rows, options and seed decide every byte, whoever asks."""
    X = rows()
    if isinstance(model, FourierClassifier):
        y = np.asarray(["down", "mid", "up"])[np.digitize(X[:, 0] + X[:, 1], np.linspace(0.5, 1.5, n_classes + 1)[1:-1])]
        np.savetxt(tmp_path / "labels.txt", y, fmt="%s")
    else:
        y = np.sin(6 * X[:, 0]) + n_classes * X[:, 1]
        (tmp_path / "labels.txt").write_text("\n".join(map(repr, y.tolist())) + "\n")
    np.save(tmp_path / "X.npy", X)
    clone(model).set_params(C=C, n_frequencies=16, random_state=5).fit(X, y).save(tmp_path / "ours.askrff")
    source = ("--data", tmp_path / "X.npy", "--labels", tmp_path / "labels.txt", "--kernel", model.kernel)
    precision = () if "--precision" in options else ("--precision", "float64")
    if model.kernel != "linear" and "--tolerance" not in options:
        options = (*options, "--frequencies", "16")
    run("train", *source, *options, *told, *precision, "--seed", "5", "--out", tmp_path / "theirs.askrff")
    assert (tmp_path / "ours.askrff").read_bytes() == (tmp_path / "theirs.askrff").read_bytes()


@needs_command
def test_we_read_the_classifier_of_the_command_line(tmp_path):
    X, y = labelled()
    lines = ["a,b,c,class"] + [",".join(repr(float(x)) for x in row) + f",{label}" for row, label in zip(X, y)]
    (tmp_path / "train.csv").write_text("\n".join(lines) + "\n")
    train = ("--data", tmp_path / "train.csv", "--label", "class", "--kernel", "shift-gaussian", "--frequencies", "32")
    run("train", *train, "--out", tmp_path / "model.askrff")
    run("predict", "--model", tmp_path / "model.askrff", "--data", tmp_path / "train.csv", "--label", "class", "--out", tmp_path / "labels.txt")
    classifier = load(tmp_path / "model.askrff")
    predicted = (tmp_path / "labels.txt").read_text().split()
    with pytest.warns(UserWarning, match="feature names"):  # the file has names of columns, the array has none
        assert list(classifier.predict(X)) == predicted
    assert list(classifier.classes_) == ["no", "yes"]


@needs_command
def test_the_same_seed_gives_the_same_frequencies(tmp_path):
    X = rows()
    np.save(tmp_path / "X.npy", X)
    options = ("--kernel", "shift-gaussian", "--sigma", "1.5", "--shift", "0.25", "--frequencies", "64", "--seed", "11")
    words = ("--estimator", "polar", "--sampler", "orthogonal", "--weights", "exact")
    run("transform", "--data", tmp_path / "X.npy", *options, *words, "--side", "left", "--out", tmp_path / "Z.npy")
    features = FourierFeatures(
        kernel="shift-gaussian",
        kernel_params={"sigma": 1.5, "shift": 0.25},
        n_frequencies=64,
        estimator="polar",
        weights="exact",
        random_state=11,
    )
    np.testing.assert_array_equal(features.fit_transform(X), np.load(tmp_path / "Z.npy"))


@needs_command
def test_inspect_shows_what_python_wrote(tmp_path):
    X, y = labelled()
    FourierClassifier(n_frequencies=16, random_state=0).fit(X, y).save(tmp_path / "model.askrff")
    assert "svm" in json.dumps(json.loads(run("inspect", tmp_path / "model.askrff", "--json")))
