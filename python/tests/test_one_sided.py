"""Of a symmetric positive definite kernel ``transform`` alone is the feature map; sizes have one meaning."""

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer, load_diabetes, load_wine
from sklearn.kernel_approximation import RBFSampler
from sklearn.metrics.pairwise import rbf_kernel
from sklearn.preprocessing import StandardScaler

from askrff import FourierClassifier, FourierFeatures

DATA = {load.__name__: StandardScaler().fit_transform(load().data) for load in (load_diabetes, load_breast_cancer, load_wine)}


def one_sided_error(Z, K):
    return np.linalg.norm(Z @ Z.T - K) / np.linalg.norm(K)


# Errors of five seeds, on rows outside the fit; theirs varies by a quarter, ours is smaller by more.
@pytest.mark.parametrize("name", DATA)
@pytest.mark.parametrize("gamma", [0.003, 0.03, 0.3])
@pytest.mark.parametrize("n_columns", [100, 512])
def test_more_exact_than_rbf_sampler_in_one_sided_products(name, gamma, n_columns):
    X, rows = DATA[name][::2], DATA[name][1::2]
    K = rbf_kernel(rows, gamma=gamma)
    ours, theirs = [], []
    for seed in range(5):
        ours.append(one_sided_error(FourierFeatures(gamma=gamma, n_features=n_columns, random_state=seed).fit(X).transform(rows), K))
        theirs.append(one_sided_error(RBFSampler(gamma=gamma, n_components=n_columns, random_state=seed).fit(X).transform(rows), K))
    assert np.mean(ours) < np.mean(theirs)


@pytest.mark.parametrize("options", [{}, {"estimator": "nystrom"}, {"kernel": "matern-3/2"}, {"weights": "exact"}, {"tolerance": 0.1}])
def test_both_sides_are_the_same(options):
    X = DATA["load_diabetes"]
    features = FourierFeatures(random_state=0, **options).fit(X)
    np.testing.assert_array_equal(features.transform(X), features.transform_right(X))
    if features.weights_ is not None:
        assert (features.weights_.real >= 0).all() and (features.weights_.imag == 0).all()


def test_unconstrained_weights_are_an_option():
    X = DATA["load_diabetes"]
    features = FourierFeatures(gamma=0.01, weights="unconstrained", random_state=0).fit(X)
    K = rbf_kernel(X, gamma=0.01)
    assert (features.weights_.real < 0).any()
    assert np.linalg.norm(features.transform(X) @ features.transform_right(X).T - K) < 1e-2 * np.linalg.norm(K)


@pytest.mark.parametrize("n", [15, 30, 77])
def test_as_many_landmarks_as_rows_reproduce_the_kernel(n):
    X = DATA["load_diabetes"][:n]
    Z = FourierFeatures(gamma=0.1, estimator="nystrom", n_features=n, random_state=0).fit_transform(X)
    assert Z.shape == (n, n)
    assert np.abs(Z @ Z.T - rbf_kernel(X, gamma=0.1)).max() < 1e-13


@pytest.mark.parametrize("estimator", ["auto", "fourier", "jordan", "polar", "nystrom", "best"])
@pytest.mark.parametrize("kernel", ["gaussian", "shift-gaussian"])
def test_n_features_is_the_number_of_columns(estimator, kernel):
    X = DATA["load_diabetes"]
    features = FourierFeatures(kernel=kernel, estimator=estimator, n_features=50, random_state=0).fit(X)
    assert features.n_features_out_ == features.transform(X[:3]).shape[1] == 50


def test_sizes_that_contradict_each_other_or_cannot_be():
    X = DATA["load_wine"]
    with pytest.raises(ValueError, match="expected one of them"):
        FourierFeatures(n_features=10, n_frequencies=5).fit(X)
    with pytest.raises(ValueError, match="even"):
        FourierFeatures(n_features=11).fit(X)
    assert FourierFeatures(n_features=11, estimator="nystrom", random_state=0).fit(X).n_features_out_ == 11
    features = FourierFeatures(n_features=10, estimator="nystrom", landmarks="uniform", n_landmarks=20, random_state=0).fit(X)
    assert features.landmarks_.shape[0] == 20


def test_a_time_limit_ends_the_search():
    with pytest.warns(UserWarning, match="no time for more"):
        features = FourierFeatures(tolerance=1e-7, time_limit=1e-6, random_state=0).fit(DATA["load_diabetes"])
    assert features.n_features_out_ >= 1
    with pytest.raises(ValueError, match="time_limit"):
        FourierFeatures(tolerance=1e-2, time_limit=0).fit(DATA["load_diabetes"])
    with pytest.raises(ValueError, match="None for no limit"):
        FourierFeatures(tolerance=1e-2, time_limit=float("inf")).fit(DATA["load_diabetes"])


def test_what_a_map_has_no_use_for_is_refused():
    X, y = load_wine(return_X_y=True)
    for useless in ({"time_limit": 1.0}, {"n_landmarks": 20}, {"landmarks": "greedy"}):
        for estimator in (FourierFeatures, FourierClassifier):
            with pytest.raises(ValueError, match="no maps are tried|only Nyström maps have"):
                estimator(**useless).fit(X, y)
        with pytest.raises(ValueError, match="no maps are tried|only Nyström maps have"):
            FourierClassifier(kernel="linear", **useless).fit(X, y)


def test_errors_state_what_they_are_of():
    X = DATA["load_breast_cancer"]
    features = FourierFeatures(gamma=0.3, n_features=100, random_state=0).fit(X)
    certificate = features._map.certificate
    assert certificate["matrix_rows"] == min(1000, len(X)) and certificate["refitted"]
    assert features.error_between_ >= features.error_  # no diagonal, which is exact here, nearly
