"""SourceInversion: what it finds, against dense solvers, and what it refuses."""

import pickle
import warnings

import numpy as np
import pytest
from scipy.optimize import nnls
from sklearn.base import clone
from sklearn.exceptions import NotFittedError

import askrff
from askrff import AccuracyWarning, SourceInversion, exact_kernel, kernels

WIND = kernels.shift_gaussian(sigma=0.1, shift=[-0.2, 0.0])


def scene(noise=0.01, n=300, dtype=np.float64):
    """Sensors, their readings, possible sources and the strengths of those that are there."""
    rng = np.random.default_rng(0)
    side = np.linspace(0, 0.8, 9)
    sources = np.stack(np.meshgrid(side, side), axis=-1).reshape(-1, 2).astype(dtype)
    strengths = np.zeros(len(sources))
    strengths[[12, 40, 65]] = 1.0, 2.0, 1.5
    sensors = (rng.uniform(size=(n, 2)) + [0.1, -0.1]).astype(dtype)
    K = exact_kernel(sensors, sources, kernel=WIND)
    return sensors, K @ strengths + noise * rng.normal(size=n), sources, strengths, K


def test_sources_are_found_by_readings_held_out():
    X, y, sources, strengths, _ = scene()
    model = SourceInversion(kernel=WIND, sources=sources, random_state=0).fit(X, y)
    assert set(np.argsort(model.coef_)[-3:]) == {12, 40, 65}
    assert np.abs(model.coef_ - strengths).max() < 0.1
    assert model.alpha_ in model.path_["alpha"] and len(model.path_["error"]) == len(model.path_["alpha"])
    assert model.n_features_in_ == 2 and model.n_iter_ > 0
    again = SourceInversion(kernel=WIND, sources=sources, random_state=0, n_jobs=2).fit(X, y)
    np.testing.assert_array_equal(again.coef_, model.coef_)


def test_sources_are_found_by_the_noise():
    X, y, sources, strengths, K = scene()
    model = SourceInversion(kernel=WIND, sources=sources, noise=0.01).fit(X, y)
    assert np.abs(model.coef_ - strengths).max() < 0.1
    assert model.residual_ == pytest.approx(0.01 * 300**0.5, rel=0.1)
    assert model.residual_ == pytest.approx(np.linalg.norm(K @ model.coef_ - y), rel=1e-3)
    assert model.path_["alpha"].size == 0


@pytest.mark.parametrize("alpha", [1e-3, 1.0])
def test_amplitudes_are_those_of_dense_solvers(alpha):
    X, y, sources, _, K = scene()
    m = len(sources)
    stacked, padded = np.vstack([K, alpha**0.5 * np.eye(m)]), np.concatenate([y, np.zeros(m)])
    options = {"kernel": WIND, "sources": sources, "alpha": alpha, "tolerance": 1e-10}
    np.testing.assert_allclose(SourceInversion(**options).fit(X, y).coef_, nnls(stacked, padded)[0], atol=1e-5)
    free = SourceInversion(**options, positive=False).fit(X, y).coef_
    np.testing.assert_allclose(free, np.linalg.lstsq(stacked, padded, rcond=None)[0], atol=1e-5)


def test_predictions_are_readings_elsewhere():
    X, y, sources, _, K = scene()
    model = SourceInversion(kernel=WIND, sources=sources, alpha=1e-3).fit(X, y)
    np.testing.assert_allclose(model.predict(X), K @ model.coef_, atol=1e-4)
    assert model.score(X, y) > 0.99
    far = np.array([[5.0, 5.0]])
    assert abs(model.predict(far)[0]) < 1e-4


def test_names_of_kernels_and_float32():
    X, y, sources, strengths, _ = scene(dtype=np.float32)
    params = {"sigma": 0.1, "shift": [-0.2, 0.0]}
    model = SourceInversion(kernel="shift-gaussian", kernel_params=params, sources=sources, alpha=1e-3).fit(X, y.astype(np.float32))
    assert model.coef_.dtype == np.float64
    assert np.abs(model.coef_ - strengths).max() < 0.1


@pytest.mark.parametrize("dim", [1, 3])
def test_other_dimensions(dim):
    rng = np.random.default_rng(0)
    X, sources = rng.uniform(size=(200, dim)), rng.uniform(size=(4, dim))
    kernel = kernels.shift_gaussian(sigma=0.2, shift=0.1)
    y = exact_kernel(X, sources, kernel=kernel) @ [1, 2, 3, 4]
    np.testing.assert_allclose(SourceInversion(kernel=kernel, sources=sources, alpha=0, tolerance=1e-9).fit(X, y).coef_, [1, 2, 3, 4], atol=1e-4)


def test_the_wrong_kernel_is_noticed():
    X, y, sources, _, _ = scene()
    with pytest.warns(AccuracyWarning, match="not to their noise of 0.01"):
        SourceInversion(kernel=kernels.gaussian(sigma=0.1), sources=sources[:40], noise=0.01).fit(X, y)
    with warnings.catch_warnings():
        warnings.simplefilter("error", AccuracyWarning)
        SourceInversion(kernel=WIND, sources=sources, noise=0.01).fit(X, y)


def test_nothing_but_noise():
    X, y, sources, _, _ = scene()
    model = SourceInversion(kernel=WIND, sources=sources, noise=100.0).fit(X, y)
    assert not model.coef_.any() and model.alpha_ == np.inf
    assert not SourceInversion(kernel=WIND, sources=sources, alpha=1.0).fit(X, 0 * y).coef_.any()


def test_sensors_that_see_nothing():
    X, y, sources, _, _ = scene()
    model = SourceInversion(kernel=WIND, sources=sources, random_state=0).fit(X + 4, y)
    assert not model.coef_.any() and model.alpha_ == np.inf
    with pytest.warns(AccuracyWarning, match="sources elsewhere"):
        assert not SourceInversion(kernel=WIND, sources=sources, noise=0.01).fit(X + 4, y).coef_.any()


def test_pickle_and_clone():
    X, y, sources, _, _ = scene()
    model = SourceInversion(kernel=WIND, sources=sources, alpha=1e-3, random_state=0).fit(X, y)
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(model)).predict(X), model.predict(X))
    copy = clone(model)
    assert not hasattr(copy, "coef_")
    np.testing.assert_array_equal(copy.fit(X, y).coef_, model.coef_)
    assert copy.set_params(alpha=1.0).fit(X, y).alpha_ == 1.0


def test_few_readings():
    X, y, sources, _, _ = scene(n=3)
    assert SourceInversion(kernel=WIND, sources=sources, random_state=0).fit(X, y).coef_.shape == (81,)
    assert SourceInversion(kernel=WIND, sources=sources, alpha=1.0).fit(X[:1], y[:1]).coef_.shape == (81,)
    with pytest.raises(ValueError, match="at least 2 to hold some out"):
        SourceInversion(kernel=WIND, sources=sources).fit(X[:1], y[:1])


@pytest.mark.parametrize(
    "options, message",
    [
        ({"sources": None}, "sources is None"),
        ({"sources": np.zeros((3, 1))}, "expected at least one row and 2 columns"),
        ({"sources": np.zeros((0, 2))}, "expected at least one row and 2 columns"),
        ({"sources": [[0.0, np.nan]]}, "NaN"),
        ({"alpha": -1.0}, "alpha is -1.0"),
        ({"alpha": np.nan}, "alpha is nan"),
        ({"noise": 0.0}, "noise is 0.0"),
        ({"alpha": 1.0, "noise": 1.0}, "both given"),
        ({"tolerance": 1.0}, "tolerance is 1.0"),
        ({"tolerance": 0.7}, "tolerance is 0.7, expected a number from 1e-13 to 0.5"),
        ({"random_state": -1}, "random_state is -1"),
        ({"kernel": lambda differences: np.ones(len(differences))}, "no Fourier measure"),
        ({"kernel": "unknown"}, "unknown"),
    ],
)
def test_what_is_wrong_is_said(options, message):
    X, y, sources, _, _ = scene()
    with pytest.raises(ValueError, match=message):
        SourceInversion(**{"kernel": WIND, "sources": sources, **options}).fit(X, y)


def test_wrong_rows_are_refused():
    X, y, sources, _, _ = scene()
    model = SourceInversion(kernel=WIND, sources=sources, alpha=1.0)
    with pytest.raises(NotFittedError):
        model.predict(X)
    with pytest.raises(ValueError, match="inconsistent numbers"):
        model.fit(X, y[:-1])
    with pytest.raises(ValueError, match="NaN"):
        model.fit(X, np.where(np.arange(300) == 3, np.nan, y))
    with pytest.raises(ValueError, match="NaN"):
        model.fit(np.where(X == X[3], np.nan, X), y)
    with pytest.raises(ValueError, match="4 dimensions, expected 1 to 3"):
        SourceInversion(sources=np.ones((3, 4)), alpha=1.0).fit(np.ones((5, 4)), np.ones(5))
    with pytest.raises(TypeError, match="positive is 1"):
        SourceInversion(kernel=WIND, sources=sources, positive=1).fit(X, y)
    model.fit(X, y)
    with pytest.raises(ValueError, match="3 features"):
        model.predict(np.ones((5, 3)))


def test_a_fit_that_fails_leaves_the_last_one():
    X, y, sources, _, _ = scene()
    model = SourceInversion(kernel=WIND, sources=sources, alpha=1.0).fit(X, y)
    before = model.coef_
    with pytest.raises(ValueError):
        model.set_params(alpha=-1.0).fit(X, y)
    assert model.coef_ is before


def test_the_core_takes_doubles_only():
    X, y, sources, _, _ = scene()
    with pytest.raises(TypeError, match="float32"):
        askrff._core.source_inversion(WIND._core, X.astype(np.float32), sources, y.reshape(1, -1), alpha=1.0)
