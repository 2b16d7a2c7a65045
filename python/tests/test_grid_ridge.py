"""Ridge regression on a grid of frequencies: beside dense solves, block by block, with standard deviations; features for a tolerance."""

import pickle

import numpy as np
import pytest
import scipy.linalg

import askrff
from askrff import FourierClassifier, FourierFeatures, FourierRegressor, exact_kernel, kernels


def rows(n, dim=2, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.uniform(size=(n, dim))
    return X, 5 + np.sin(6 * X.sum(axis=1)) + 0.1 * rng.normal(size=n)


def dense(kernel, X, y, at, c):
    """Predictions and variances for noise of variance 1, with an unknown constant."""
    ridge = 0.5 / c
    factor = scipy.linalg.cho_factor(exact_kernel(X, kernel=kernel) + ridge * np.eye(len(X)))
    cross = exact_kernel(at, X, kernel=kernel)
    ones = scipy.linalg.cho_solve(factor, np.ones(len(X)))
    mean = ones @ y / ones.sum()
    solved = scipy.linalg.cho_solve(factor, cross.T)
    rest = 1 - cross @ ones
    variances = np.diag(exact_kernel(at, kernel=kernel)) - np.einsum("ij,ji->i", cross, solved) + rest**2 / ones.sum()
    return mean + cross @ scipy.linalg.cho_solve(factor, y - mean), variances / ridge


def on_grid(kernel, tolerance=1e-9, **params):
    return FourierRegressor(kernel=kernel, sampler="grid", tolerance=tolerance, scale="none", random_state=0, **params)


@pytest.mark.parametrize("dim", [1, 2, 3])
def test_agrees_with_dense_solves(dim):
    X, y = rows(600, dim)
    at, _ = rows(100, dim, seed=1)
    kernel = kernels.gaussian(sigma=0.3)
    model = on_grid(kernel, 1e-8, C=5.0).fit(X, y)
    predicted, deviation = model.predict(at, return_std=True)
    expected, variances = dense(kernel, X, y, at, 5.0)
    assert np.abs(predicted - expected).max() < 1e-6
    noise = np.mean((y - model.predict(X)) ** 2)
    np.testing.assert_allclose(deviation, np.sqrt(noise * variances), rtol=1e-4)


def test_agrees_with_a_dense_solve_of_matern():
    X, y = rows(500, 1)
    at, _ = rows(100, 1, seed=1)
    kernel = kernels.Kernel("matern-3/2", sigma=0.2)
    expected, _ = dense(kernel, X, y, at, 1.0)
    assert np.abs(on_grid(kernel, 1e-8, C=1.0).fit(X, y).predict(at) - expected).max() < 1e-6


@pytest.mark.parametrize("C", [1.0, [0.1, 10.0]])
def test_blocks_are_one_go_also_by_pickle(C):
    X, y = rows(900)
    X[0], X[1] = 0, 1  # the first rows tell how far the grid reaches
    kernel = kernels.shift_gaussian(sigma=0.2, shift=0.1)
    whole = on_grid(kernel, 1e-6, C=C).partial_fit(X, y)
    parts = on_grid(kernel, 1e-6, C=C)
    for first in range(0, 900, 300):
        parts.partial_fit(X[first : first + 300], y[first : first + 300])
        parts = pickle.loads(pickle.dumps(parts))
    assert parts.n_rows_seen_ == 900
    assert parts.C_ == whole.C_
    np.testing.assert_array_equal(parts.predict(X), whole.predict(X))
    with pytest.raises(ValueError, match="apart in column 0"):
        parts.partial_fit([[7.0, 0.5]], [1.0])
    assert parts.n_rows_seen_ == 900
    parts.partial_fit([[0.5, 0.5]], [1.0])
    assert parts.n_rows_seen_ == 901


def test_rows_of_later_calls_move_the_reach():
    """No row may be told of a periodic copy of rows at the other end."""
    rng = np.random.default_rng(0)
    X = rng.uniform(size=(300, 1))
    X[0], X[1] = 0, 1
    model = on_grid(kernels.gaussian(sigma=0.02), 1e-6, C=100.0).partial_fit(X, np.zeros(300))
    model.partial_fit(np.full((50, 1), -0.0995), np.full(50, 1000.0))
    mean = model.intercept_[0]
    predicted, deviation = model.predict([[0.5], [1.05], [1.09], [1.0999]], return_std=True)
    assert abs(predicted[0]) < 1
    assert (predicted[1:] < mean + 1).all()
    assert (deviation[1:] > deviation[0]).all()


def test_float32_says_what_it_does_also_far_from_the_origin():
    t = 1.7e9 + 60 * np.arange(1000.0)
    y = np.sin(t / 1000)
    models = [on_grid(kernels.gaussian(sigma=200.0), 1e-6, C=100.0, dtype=dtype).fit(t[:, None], y) for dtype in ("float32", "float64")]
    np.testing.assert_array_equal(models[0].predict(t[:, None]), models[1].predict(t[:, None]))


def test_deviations_out_of_reach_know_of_the_intercept():
    X, y = rows(300, 1)
    for c in (1e-8, 1e-4, 1.0):
        _, deviation = on_grid(kernels.gaussian(sigma=0.1), C=c).fit(X, y).predict([[0.5], [100.0]], return_std=True)
        assert deviation[1] >= 0.99 * deviation[0]


def test_rows_out_of_reach_are_told():
    X, y = rows(200)
    model = on_grid(kernels.gaussian(sigma=0.1), C=1.0).fit(X, y)
    with pytest.warns(askrff.AccuracyWarning, match="lie far outside"):
        model.predict([[50.0, 50.0]])


def test_deviations_grow_away_from_the_rows():
    X, y = rows(400, 1)
    model = on_grid(kernels.gaussian(sigma=0.05), 1e-6).fit(0.5 * X, y)
    _, deviation = model.predict([[0.25], [0.54], [3.0]], return_std=True)
    assert deviation[0] < deviation[1] < deviation[2]


def test_deviations_of_other_features(tmp_path):
    X, y = rows(400)
    model = FourierRegressor(random_state=0).fit(X, y)
    predicted, deviation = model.predict(X[:50], return_std=True)
    np.testing.assert_array_equal(predicted, model.predict(X[:50]))
    assert deviation.shape == (50,) and (deviation > 0).all() and deviation.max() < 0.1
    model.save(tmp_path / "model.askrff")
    with pytest.raises(ValueError, match="needs the sums of the training"):
        askrff.load(tmp_path / "model.askrff").predict(X, return_std=True)


def test_two_targets_and_weights():
    X, y = rows(500)
    Y = np.stack([y, -2 * y], axis=1)
    weights = np.repeat([1.0, 3.0], 250)
    model = on_grid(kernels.gaussian(sigma=0.3), C=1.0).fit(X, Y, sample_weight=weights)
    again = on_grid(kernels.gaussian(sigma=0.3), C=1.0).fit(np.repeat(X, weights.astype(int), axis=0), np.repeat(y, weights.astype(int)))
    np.testing.assert_allclose(model.predict(X)[:, 0], again.predict(X), rtol=1e-9)
    np.testing.assert_allclose(model.predict(X)[:, 1], -2 * again.predict(X), rtol=1e-9)


def test_classes_and_probabilities():
    X, y = rows(800)
    model = FourierClassifier(kernel=kernels.gaussian(sigma=0.2), sampler="grid", tolerance=1e-5, model="ridge", random_state=0).fit(X, y > 5)
    assert model.score(X, y > 5) > 0.9
    assert model.predict_proba(X).shape == (800, 2)


def test_a_file_predicts_the_same(tmp_path):
    X, y = rows(300)
    model = on_grid(kernels.gaussian(sigma=0.1), 1e-6).fit(X, y)
    model.save(tmp_path / "model.askrff")
    np.testing.assert_array_equal(askrff.load(tmp_path / "model.askrff").predict(X), model.predict(X))


def test_features_for_a_tolerance_of_the_kernel():
    X, _ = rows(200)
    kernel = kernels.shift_gaussian(sigma=0.2, shift=0.1)
    features = FourierFeatures(kernel=kernel, sampler="grid", tolerance=1e-6, random_state=0).fit(X)
    K = features.transform(X) @ features.transform_right(X).T
    assert np.abs(K - exact_kernel(X, kernel=kernel)).max() < 1e-6
    assert np.isnan(features.error_)
    with pytest.raises(ValueError, match="4 dimensions, expected 1 to 3"):
        FourierFeatures(kernel=kernel, sampler="grid", tolerance=1e-6).fit(np.ones((50, 4)))


def test_wrong_arguments():
    X, y = rows(100)
    with pytest.raises(ValueError, match="a tolerance of 1e-20, expected 1e-13 to 0.5"):
        on_grid(kernels.gaussian(sigma=0.2), 1e-20).fit(X, y)
    with pytest.raises(ValueError, match="GB"):
        on_grid(kernels.laplacian(sigma=0.01), 1e-8).fit(*rows(100, 3))
    for wrong, sentence in (({"time_limit": 1.0}, "as many as its tolerance takes"), ({"weights": "unconstrained"}, "expected exact")):
        with pytest.raises(ValueError, match=sentence):
            on_grid(kernels.gaussian(sigma=0.2), **wrong).fit(X, y)
    model = on_grid(kernels.gaussian(sigma=0.2)).fit(X, y)
    with pytest.raises(TypeError, match="return_std is 1, expected True or False"):
        model.predict(X, return_std=1)
