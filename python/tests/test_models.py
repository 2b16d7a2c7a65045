"""What classifier and regressor have in common: rows of any kind, pickles, threads, progress, kernels of one's own."""

import copy
from functools import partial

import numpy as np
import pytest
import scipy.sparse as sp
from samples import by_pickle, moons, waves
from sklearn.base import clone

from askrff import FourierClassifier, FourierRegressor
from test_model_streams import stream


@pytest.mark.parametrize("scale", ["minmax", "standard", "robust", "maxabs", "none"])
@pytest.mark.parametrize("model", [FourierClassifier(n_frequencies=32, random_state=0), FourierRegressor(n_frequencies=32, random_state=0)])
def test_sparse_and_float32_rows_give_the_model_of_dense_ones(model, scale):
    X, y = moons()
    X = X.astype(np.float32)
    expected = model.set_params(scale=scale, gamma=4.0).fit(X.astype(np.float64), y).predict(X)
    for same in (X, sp.csr_matrix(X), np.asfortranarray(X)):
        np.testing.assert_allclose(model.fit(same, y).predict(same), expected, atol=1e-5)


@pytest.mark.parametrize("model", [FourierClassifier(n_frequencies=32, random_state=0), FourierRegressor(n_frequencies=32, random_state=0)])
def test_pickle_and_threads_keep_every_bit(model):
    X, y = moons()
    expected = model.fit(X, y).predict(X)
    np.testing.assert_array_equal(by_pickle(model).predict(X), expected)
    np.testing.assert_array_equal(model.set_params(n_jobs=3).fit(X, y).predict(X), expected)


def test_progress_is_told():
    X, y = moons()
    seen = []
    FourierClassifier(random_state=0, progress=seen.append).fit(X, y)
    assert seen and all(0 <= part <= 1 for part in seen)


def gaussian(differences):
    return np.exp(-20 * np.sum(differences**2, axis=1))


@pytest.mark.parametrize("options", [{}, {"tolerance": 1e-2}])
@pytest.mark.parametrize("model", [FourierClassifier(), FourierClassifier(model="ridge"), FourierRegressor()])
def test_pickle_keeps_a_model_of_landmarks_of_a_function(model, options, tmp_path):
    X, y = moons()
    model = clone(model).set_params(kernel=gaussian, estimator="nystrom", n_frequencies=32, **options, random_state=0).fit(X, y)
    for again in (by_pickle(model), copy.deepcopy(model)):
        np.testing.assert_array_equal(again.predict(X), model.predict(X))
    with pytest.raises(ValueError, match="a kernel without a name cannot be kept in a file"):
        model.save(tmp_path / "model.askrff")


def test_a_stream_on_landmarks_of_a_function_goes_on():
    X, y = waves(500)
    options = {"kernel": gaussian, "estimator": "nystrom", "n_frequencies": 16, "C": 10.0, "random_state": 0}
    expected = stream(FourierRegressor(**options), X, y)
    np.testing.assert_allclose(stream(FourierRegressor(**options), X, y, by_pickle).predict(X), expected.predict(X), atol=1e-8)


class GaussianObject:
    def __call__(self, differences):
        return gaussian(differences)


@pytest.mark.parametrize("kernel", [gaussian, lambda differences: gaussian(differences), GaussianObject(), partial(gaussian)])
@pytest.mark.parametrize("n_rows", [400, 24])
def test_own_kernel_with_the_defaults(kernel, n_rows):
    X, y = moons(n_rows)
    for model in (FourierClassifier(kernel=kernel), FourierClassifier(kernel=kernel, model="ridge"), FourierRegressor(kernel=kernel)):
        assert model.set_params(random_state=0).fit(X, y).score(X, y) > 0.7
        assert not model.tuning_results_
