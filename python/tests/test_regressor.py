"""FourierRegressor: what it learns, and the parameters that no model takes."""

import numpy as np
import pytest
from samples import moons, waves
from sklearn.linear_model import Ridge

from askrff import FourierClassifier, FourierFeatures, FourierRegressor


@pytest.mark.parametrize("options", [{}, {"C": 100.0}, {"scale": "standard"}, {"estimator": "nystrom"}, {"dtype": "float32"}])
def test_a_smooth_function_is_learnt(options):
    X, y = waves()
    regressor = FourierRegressor(kernel_params={"sigma": 0.4}, **options, random_state=0).fit(X[:400], y[:400])
    assert regressor.score(X[400:], y[400:]) > 0.98


def test_ridge_is_that_of_scikit_learn():
    X, y = waves()
    params = {"kernel_params": {"sigma": 1.0}, "n_frequencies": 32, "weights": "exact", "random_state": 0}
    regressor = FourierRegressor(**params, scale="none", C=3.0).fit(X, y)
    Z = FourierFeatures(**params).fit_transform(X)
    expected = Ridge(alpha=1 / (2 * 3.0)).fit(Z, y)  # min ½‖w‖² + C Σ r²  is  min ‖w‖²/2C + Σ r²
    np.testing.assert_allclose(regressor.predict(X), expected.predict(Z), atol=1e-8)
    np.testing.assert_allclose(regressor.intercept_, expected.intercept_, atol=1e-8)


def test_no_intercept():
    X, y = waves()
    assert FourierRegressor(fit_intercept=False, random_state=0).fit(X, y).intercept_ == 0


def test_several_targets():
    X, Y = waves(n_targets=3)
    regressor = FourierRegressor(C=10.0, random_state=0).fit(X, Y)
    assert regressor.predict(X).shape == (500, 3)
    np.testing.assert_allclose(regressor.predict(X)[:, 1], FourierRegressor(C=10.0, random_state=0).fit(X, Y[:, 1]).predict(X), atol=1e-8)
    assert FourierRegressor(C=10.0, random_state=0).fit(X, Y[:, :1]).predict(X).shape == (500, 1)


@pytest.mark.parametrize(
    "options, error, match",
    [
        ({"C": None}, TypeError, "C is None, expected"),
        ({"C": "big"}, ValueError, "C is 'big'"),
        ({"C": ["1", "2"]}, TypeError, "C is '1', expected a number from 1e-30 to 1e8"),
        ({"C": 10**400}, ValueError, "C is 1000.*, expected a number from"),
        ({"C": []}, ValueError, "C is an empty sequence"),
        ({"C": [1.0, np.nan]}, ValueError, "C is .*nan"),
        ({"C": 1e9}, ValueError, "C is 1000000000.0"),
        ({"n_folds": 1}, ValueError, "n_folds is 1"),
        ({"n_folds": "5"}, TypeError, "n_folds is '5'"),
        ({"fit_intercept": "no"}, TypeError, "fit_intercept is 'no', expected True or False"),
        ({"kernel": "linear", "gamma": 1.0}, ValueError, "gamma is 1.0, but kernel='linear' has none"),
        ({"kernel": "linear", "kernel_params": {"sigma": 1.0}}, ValueError, "kernel_params is .*'linear'"),
        ({"kernel": "linear", "tolerance": 0.1}, ValueError, "tolerance is .*'linear'"),
    ],
)
def test_refusals_of_parameters(options, error, match):
    X, y = moons()
    for model in (FourierClassifier(), FourierRegressor()):
        with pytest.raises(error, match=match):
            model.set_params(**options).fit(X, y)
