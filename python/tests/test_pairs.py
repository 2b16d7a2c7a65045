"""Kernel.from_pairs: similarities of any two rows, through estimators, pickles and functions that misbehave."""

import pickle

import numpy as np
import pytest
import scipy.sparse as sp

from askrff import FourierClassifier, FourierFeatures, FourierRegressor, Kernel, exact_kernel, shifted


def skew(X, Y):
    width = 1 + 0.5 * np.sin(3 * X[:, :1])
    return np.exp(-np.square(X[:, None] - Y[None] + 0.4).sum(axis=2) / (2 * width**2))


def even(X, Y):
    return 1 / (1 + np.square(np.sin(X[:, None]) - np.sin(Y[None])).sum(axis=2))


X, NEW = np.random.default_rng(0).uniform(-2, 2, size=(400, 2)), np.random.default_rng(1).uniform(-2, 2, size=(300, 2))
KERNEL = Kernel.from_pairs(skew)


def test_values():
    assert repr(KERNEL) == "Kernel.from_pairs(skew, symmetric=False)"
    assert not KERNEL.shift_invariant and not KERNEL.symmetric and not KERNEL.positive_definite
    assert Kernel("gaussian").shift_invariant and Kernel.from_pairs(even, symmetric=True).symmetric
    np.testing.assert_array_equal(KERNEL(X, NEW), skew(X, NEW))
    np.testing.assert_array_equal(KERNEL(sp.csr_matrix(X), sp.csr_matrix(NEW)), skew(X, NEW))
    np.testing.assert_array_equal(exact_kernel(X, kernel=KERNEL), skew(X, X))
    assert KERNEL.masses(2) is None
    assert KERNEL == Kernel.from_pairs(skew) != Kernel.from_function(skew)
    assert Kernel.from_pairs(lambda X, Y: X @ Y.T, name="inner").name == "inner"


@pytest.mark.parametrize("estimator", ["auto", "nystrom", "best"])
def test_features_are_landmarks(estimator):
    features = FourierFeatures(kernel=KERNEL, n_features=40, estimator=estimator, random_state=0).fit(X)
    assert features.landmarks_ is not None and features.frequencies_ is None and features.kernel_ is KERNEL
    exact = skew(NEW, NEW)
    error = np.linalg.norm(features.transform(NEW) @ features.transform_right(NEW).T - exact) / np.linalg.norm(exact)
    assert error < 1.5 * features.error_interval_[1]
    other = pickle.loads(pickle.dumps(features))
    np.testing.assert_array_equal(other.transform(NEW), features.transform(NEW))
    assert other.kernel_ == KERNEL and not other.kernel_.shift_invariant


def test_a_tolerance():
    features = FourierFeatures(kernel=KERNEL, tolerance=0.05, random_state=0).fit(X)
    assert features.error_interval_[1] <= 0.05 and features.landmarks_ is not None


@pytest.mark.parametrize("options", [{"estimator": "fourier"}, {"estimator": "jordan"}, {"estimator": "paper"}, {"tolerance": 1e-3, "sampler": "grid"}])
def test_what_needs_differences_refuses(options):
    with pytest.raises(ValueError, match="kernel skew is no function of x - y and has no frequencies: expected the estimator nystrom"):
        FourierFeatures(kernel=KERNEL, **options).fit(X)


def test_shifts_refuse():
    with pytest.raises(ValueError, match="no function of x - y"):
        shifted(KERNEL, 0.5)
    with pytest.raises(TypeError, match="function of two blocks of rows"):
        Kernel.from_pairs("gaussian")


def test_models():
    labels = X[:, 0] * X[:, 1] > 0
    classifier = FourierClassifier(kernel=KERNEL, n_features=40, scale="none", random_state=0).fit(X, labels)
    assert classifier.score(NEW, NEW[:, 0] * NEW[:, 1] > 0) > 0.93
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(classifier)).predict(NEW), classifier.predict(NEW))
    regressor = FourierRegressor(kernel=KERNEL, tolerance=0.05, scale="none", random_state=0).fit(X, np.sin(X[:, 0]))
    assert regressor.score(NEW, np.sin(NEW[:, 0])) > 0.97
    assert regressor._map.kind == "nystrom"


def test_rows_may_be_names_of_things():
    table = skew(X, X)

    def look_up(X, Y):
        return table[np.ix_(X[:, 0].astype(int), Y[:, 0].astype(int))]

    numbers = np.arange(300.0).reshape(-1, 1)
    features = FourierFeatures(kernel=Kernel.from_pairs(look_up), n_features=40, random_state=0).fit(numbers)
    unseen = np.arange(300.0, 400.0).reshape(-1, 1)
    error = np.linalg.norm(features.transform(unseen) @ features.transform_right(unseen).T - table[300:, 300:]) / np.linalg.norm(table[300:, 300:])
    assert error < 0.2


@pytest.mark.parametrize(
    "function, error, message",
    [
        (lambda X, Y: np.zeros(len(X)), ValueError, r"returned shape \(\d+,\) for \d+ and \d+ rows, expected shape"),
        (lambda X, Y: np.zeros((len(Y) + 1, len(X))), ValueError, "returned shape"),
        (lambda X, Y: np.full((len(X), len(Y)), np.nan), ValueError, "returned nan .* expected finite numbers"),
        (lambda X, Y: np.zeros((len(X), len(Y)), dtype=complex), TypeError, "returned complex128, expected float64"),
        (lambda X, Y: np.ma.zeros((len(X), len(Y))), TypeError, "a masked array"),
        (lambda X, Y: 1 / 0, ZeroDivisionError, "division"),
        (lambda X, Y: X.__setitem__(0, 1), ValueError, "read-only"),
        (lambda X: X, TypeError, "positional"),
        (lambda X, Y: np.zeros((len(X), len(Y))), ValueError, "zero between all"),
    ],
)
def test_functions_that_misbehave(function, error, message):
    with pytest.raises(error, match=message):
        FourierFeatures(kernel=Kernel.from_pairs(function), n_features=8, random_state=0).fit(X)


def test_whole_numbers_and_lists_are_numbers():
    np.testing.assert_array_equal(Kernel.from_pairs(lambda X, Y: [[1] * len(Y)] * len(X))(X[:2], X[:3]), np.ones((2, 3)))


def test_rows_that_are_sparse():
    features = FourierFeatures(kernel=KERNEL, n_features=20, random_state=0).fit(sp.csr_matrix(np.hstack([X, np.zeros((400, 70))])))
    rows = np.hstack([NEW, np.zeros((300, 70))])
    np.testing.assert_allclose(features.transform(sp.csr_matrix(rows)), features.transform(rows), atol=1e-9)
