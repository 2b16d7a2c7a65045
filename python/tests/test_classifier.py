"""FourierClassifier: what it learns, and what it takes and refuses."""

import numpy as np
import pytest
import scipy.sparse as sp
from samples import interrupt, moons
from sklearn.datasets import load_iris
from sklearn.exceptions import NotFittedError
from sklearn.model_selection import GridSearchCV, cross_val_score

from askrff import AccuracyWarning, FourierClassifier, FourierRegressor


def test_rows_beyond_the_limit_are_gone_through_in_passes():
    rng = np.random.default_rng(7)
    X = rng.uniform(size=(700, 3))
    y = (np.sin(5 * X[:, 0]) + X[:, 1] > 1).astype(int)
    kept = FourierClassifier(n_features=32, C=[1, 8], random_state=0).fit(X, y)
    passed = FourierClassifier(n_features=32, C=[1, 8], random_state=0, max_row_bytes=1000).fit(X, y)
    assert passed.C_ == kept.C_
    np.testing.assert_allclose(passed.coef_, kept.coef_, rtol=0, atol=1e-3 * np.abs(kept.coef_).max())
    np.testing.assert_array_equal(passed.cv_results_["scores"], kept.cv_results_["scores"])
    assert not np.array_equal(passed.coef_, kept.coef_)
    for wrong in (-1, 0.5, "1G"):
        with pytest.raises((ValueError, TypeError), match="max_row_bytes"):
            FourierClassifier(max_row_bytes=wrong).fit(X, y)


@pytest.mark.parametrize("model", ["svm", "ridge"])
@pytest.mark.parametrize("options", [{}, {"kernel": "shift-gaussian", "estimator": "jordan"}, {"estimator": "nystrom"}, {"C": 4.0}])
def test_two_classes(model, options):
    X, y = moons()
    classifier = FourierClassifier(model=model, n_frequencies=64, **{"kernel_params": {"sigma": 0.2}, **options}, random_state=0).fit(X, y)
    assert classifier.score(X, y) > 0.97
    outputs = classifier.decision_function(X)
    assert outputs.shape == (400,)
    np.testing.assert_array_equal(classifier.predict(X), (outputs > 0).astype(int))
    assert classifier.coef_.shape == (1, classifier.n_features_out_) and classifier.intercept_.shape == (1,)


@pytest.mark.parametrize("model", ["svm", "ridge"])
def test_three_classes_with_names(model):
    X, y = load_iris(return_X_y=True)
    names = np.array(["setosa", "versicolor", "virginica"])[y]
    classifier = FourierClassifier(model=model, n_frequencies=64, random_state=0).fit(X, names)
    assert classifier.score(X, names) > 0.95
    assert list(classifier.classes_) == ["setosa", "versicolor", "virginica"]
    assert classifier.decision_function(X).shape == (150, 3)


def test_default_bandwidth_is_the_median_distance():
    X, y = moons()
    classifier = FourierClassifier(n_frequencies=32, random_state=0).fit(X, y)
    assert 0.1 < classifier.kernel_.params["sigma"] < 1.0
    assert classifier.score(X, y) > 0.9
    for name in ("shift-gaussian", "shifted:gaussian"):
        shifted = FourierClassifier(kernel=name, kernel_params={"shift": 0.1}, n_frequencies=32, random_state=0).fit(X, y)
        assert shifted.kernel_.params == {"shift": 0.1, "sigma": classifier.kernel_.params["sigma"]}
    params = {"shift": 0.1, "sigma": 3.0}
    given = FourierClassifier(kernel="shift-gaussian", kernel_params=params, n_frequencies=32, random_state=0).fit(X, y)
    assert given.kernel_.params == params


@pytest.mark.parametrize("make", [np.asarray, sp.csr_matrix])
def test_gamma_scale_is_that_of_all_scaled_rows(make):
    X = np.random.default_rng(0).exponential(size=(30_000, 2))
    scaled = (X - X.min(axis=0)) / (X.max(axis=0) - X.min(axis=0))
    regressor = FourierRegressor(gamma="scale", n_frequencies=4, C=1.0, random_state=0).fit(make(X), X[:, 0])
    assert regressor.kernel_.params["sigma"] == pytest.approx(np.sqrt(scaled.var()), rel=1e-13)  # √(1/2γ), d = 2


def test_c_is_found_by_cross_validation():
    X, y = moons()
    classifier = FourierClassifier(C=[0.01, 1.0, 100.0], kernel_params={"sigma": 0.2}, random_state=0).fit(X, y)
    assert classifier.C_ in (0.01, 1.0, 100.0)
    assert len(classifier.cv_results_["mean"]) == 3
    assert not FourierClassifier(C=1.0, random_state=0).fit(X, y).cv_results_


def test_linear_is_the_columns():
    X, y = load_iris(return_X_y=True)
    classifier = FourierClassifier(kernel="linear", scale="standard", random_state=0).fit(X, y)
    assert classifier.n_features_out_ == 4 and classifier.score(X, y) > 0.9


def test_search_and_cross_validation_of_scikit_learn():
    X, y = moons(200)
    search = GridSearchCV(FourierClassifier(n_frequencies=32, C=8.0, random_state=0), {"gamma": [0.5, 10.0]}, cv=3).fit(X, y)
    assert search.best_params_["gamma"] == 10.0
    assert cross_val_score(search.best_estimator_, X, y, cv=3).min() > 0.9


def test_classifier_by_blocks_is_that_of_all_rows():
    X, y = moons(600)
    options = {"model": "ridge", "kernel_params": {"sigma": 0.2}, "weights": "exact", "scale": "none", "C": 2.0, "random_state": 0}
    by_blocks = FourierClassifier(**options)
    for part in np.array_split(np.arange(600), 4):
        by_blocks.partial_fit(X[part], y[part], classes=[0, 1])
    at_once = FourierClassifier(**options).fit(X, y)
    np.testing.assert_allclose(by_blocks.decision_function(X), at_once.decision_function(X), atol=1e-8)


def test_svm_has_no_partial_fit():
    assert not hasattr(FourierClassifier(), "partial_fit")
    assert hasattr(FourierClassifier(model="ridge"), "partial_fit")


def test_refusals_of_the_classifier():
    X, y = moons()
    with pytest.raises(ValueError, match="one class"):
        FourierClassifier().fit(X, np.zeros(400))
    with pytest.raises(ValueError, match="Unknown label type"):
        FourierClassifier().fit(X, X[:, 0])
    with pytest.raises(ValueError, match="model is 'tree'"):
        FourierClassifier(model="tree").fit(X, y)
    with pytest.raises(ValueError, match="scale is 'log'"):
        FourierClassifier(scale="log").fit(X, y)
    with pytest.raises(ValueError, match="needs classes"):
        FourierClassifier(model="ridge").partial_fit(X, y)
    with pytest.raises(ValueError, match="not among the classes"):
        FourierClassifier(model="ridge").partial_fit(X, y, classes=[0, 2])
    with pytest.raises(ValueError, match="-1"):
        FourierClassifier(C=-1.0).fit(X, y)
    with pytest.raises(ValueError, match="y has the label .*, which is not among the classes"):
        FourierClassifier(model="ridge").partial_fit(X, y, classes=["a", "b"])
    with pytest.raises(ValueError, match="y has the label .*, which is not among the classes"):
        FourierClassifier(model="ridge").partial_fit(X, y, classes=["0", "1"])
    with pytest.raises(ValueError, match="a label is .*, expected text without lone surrogates"):
        FourierClassifier().fit(X, np.where(y == 0, "a", "\udc80"))
    with pytest.raises(NotFittedError):
        FourierClassifier().predict(X)


def test_a_class_with_one_row_is_warned_about():
    X, y = moons(50)
    with pytest.warns(AccuracyWarning, match="too few for cross-validation"):
        classifier = FourierClassifier(random_state=0).fit(X, np.where(np.arange(50) == 7, 2, y))
    assert classifier.C_ == 1.0


@pytest.mark.parametrize("model", ["svm", "ridge"])
def test_without_cross_validation_the_smallest_c_is_taken(model):
    X, y = moons(50)
    with pytest.warns(AccuracyWarning, match="C is 0.5$"):
        classifier = FourierClassifier(model=model, C=[4.0, 0.5], random_state=0).fit(X, np.where(np.arange(50) == 7, 2, y))
    assert classifier.C_ == 0.5
    with pytest.warns(AccuracyWarning, match="C is 0.5$"):
        assert FourierRegressor(C=[4.0, 0.5], random_state=0).fit(X[:1], y[:1]).C_ == 0.5


@pytest.mark.parametrize("model", ["svm", "ridge"])
def test_a_failed_fit_changes_nothing(model):
    X, y = moons()
    classifier = FourierClassifier(model=model, n_frequencies=16, random_state=0)
    with pytest.raises(ValueError):
        classifier.set_params(sampler="best").fit(X, y)
    with pytest.raises(NotFittedError):
        classifier.predict(X)
    expected = classifier.set_params(sampler="orthogonal").fit(X, y).predict(X)
    with pytest.raises(KeyboardInterrupt):
        classifier.set_params(progress=interrupt).fit(np.c_[X, X], np.where(y == 0, "a", "b"))
    np.testing.assert_array_equal(classifier.predict(X), expected)
    assert classifier.n_features_in_ == 2 and list(classifier.classes_) == [0, 1]
