"""How far to trust features: scaling that outliers do not change, warnings where features serve badly, and silence where they serve."""

import warnings

import numpy as np
import pytest
import scipy.sparse as sp
from samples import relative_error, rows
from sklearn.preprocessing import RobustScaler

from askrff import AccuracyWarning, FourierClassifier, FourierFeatures, FourierRegressor


def sparse_rows(n, seed, n_columns=1000, n_entries=8):
    """Rows of length 1 with few entries, as texts are: many have one in a column where others have none."""
    rng = np.random.default_rng(seed)
    columns = (n_columns * rng.uniform(size=(n, n_entries)) ** 3).astype(int)
    X = sp.csr_matrix((np.ones(columns.size), (np.repeat(np.arange(n), n_entries), columns.ravel())), shape=(n, n_columns))
    return sp.csr_matrix(X.multiply(1 / np.sqrt(X.multiply(X).sum(axis=1))))


@pytest.fixture
def silent():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        yield


def test_robust_scaling_is_that_of_scikit_learn():
    X = np.random.default_rng(0).standard_t(1, size=(501, 3)) * [1, 1e-3, 1e6] + [0, 5, 0]
    X[::50, 1] = 1e9
    theirs = RobustScaler(quantile_range=(5, 95)).fit(X)
    for make in (np.asarray, sp.csr_matrix):
        scaler = FourierFeatures(scale="robust", random_state=0).fit(make(X)).scaler_
        assert scaler["kind"] == "robust"
        np.testing.assert_allclose(scaler["offset"], theirs.center_, rtol=1e-12)
        np.testing.assert_allclose(scaler["width"], theirs.scale_, rtol=1e-12)


@pytest.mark.parametrize("scale", ["minmax", "standard", "robust", "maxabs"])
def test_features_of_scaled_rows(scale, silent):
    X = rows() * [1, 1e4, 1e-3]
    features = FourierFeatures(scale=scale, random_state=0).fit(X)
    scaled = (X - features.scaler_["offset"]) / features.scaler_["width"]
    K = features.kernel_(scaled)
    assert np.linalg.norm(features.transform(X) @ features.transform_right(X).T - K) < 0.02 * np.linalg.norm(K)
    plain = FourierFeatures(random_state=0).fit(scaled)
    np.testing.assert_array_equal(plain.transform(scaled), features.transform(X))
    with pytest.raises(ValueError, match="scale is 'log', expected one of none, minmax, standard, robust, maxabs"):
        FourierFeatures(scale="log").fit(X)


@pytest.mark.parametrize("make", [FourierFeatures, FourierRegressor])
def test_outliers_are_told_of(make):
    X = rows()
    y = X[:, 0]
    X[17, 1] = 1e6
    with pytest.warns(UserWarning, match='column 2 has outliers: scaled minmax.*scale="robust"'):
        make(scale="minmax", random_state=0).fit(X, y)
    with warnings.catch_warnings():
        warnings.filterwarnings("error", message=".*outliers")
        make(scale="robust", random_state=0).fit(X, y)


def test_a_robust_model_is_not_changed_by_outliers():
    rng = np.random.default_rng(1)
    X = rng.uniform(size=(600, 4))
    y = np.sin(5 * X[:, 0]) + X[:, 1]
    outlying = X.copy()
    outlying[::60, 0] = 1e4  # the column that matters most
    scores = {}
    for scale in ("minmax", "robust"):
        model = FourierRegressor(scale=scale, random_state=0).fit(outlying, y)
        scores[scale] = model.score(X[1:60], y[1:60])
    assert scores["robust"] > 0.98
    assert scores["minmax"] < 0.5


@pytest.mark.parametrize("make", [FourierFeatures, FourierClassifier, FourierRegressor])
def test_useless_features_are_warned_about(make):
    X = rows(d=6)
    y = X[:, 0] > 0.5
    options = {"gamma": 200.0, "n_frequencies": 32, "random_state": 0, "scale": "none"}
    with pytest.warns(AccuracyWarning, match="hardly stand for the kernel, their relative error is .*: sigma is 0.05 where rows are"):
        make(**options).fit(X, y)
    with pytest.warns(AccuracyWarning, match="one column is .* times as wide as most, so scale the columns"):
        make(**options).fit(X * [1, 1, 1, 1, 1, 1000], y)


def test_sparse_rows_are_not_warned_about(silent):
    X, fresh = sparse_rows(1000, 0), sparse_rows(400, 1)
    features = FourierFeatures(random_state=0).fit(X)
    lacking = np.asarray(X.sum(axis=0)).ravel() == 0
    assert (fresh[:, lacking].sum(axis=1) > 0).mean() > 0.05
    assert relative_error(features, fresh, X[:400]) < 1.2 * features.error_
    features.transform(fresh)
    features.transform(X)
    y = np.asarray(X[:, 0].todense()).ravel() > 0
    for model in (FourierClassifier(random_state=0), FourierRegressor(random_state=0)):
        model.fit(X, y).predict(X)
        model.predict(fresh)


@pytest.mark.parametrize("model", [FourierClassifier(), FourierRegressor(), FourierRegressor(estimator="nystrom")], ids=repr)
def test_models_warn_far_outside_and_not_on_their_own_rows(model):
    X = np.random.default_rng(2).normal(size=(500, 5))
    model.set_params(random_state=0).fit(X, X[:, 0] > 0)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        model.predict(X)
    far = X.copy()
    far[:, 3] += 50
    with pytest.warns(AccuracyWarning, match="^100 % of the rows lie far outside those the features were fitted on"):
        model.predict(far)
