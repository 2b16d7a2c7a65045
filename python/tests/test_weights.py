"""Weights of rows and classes: as repeated rows where the features are the same, absent where 0, and what is refused."""

import numpy as np
import pytest
import scipy.sparse as sp
from samples import moons, waves
from sklearn.metrics import accuracy_score
from sklearn.svm import LinearSVC

from askrff import FourierClassifier, FourierRegressor

# The same features for any rows: their range is kept by two rows that always count, and their weights are not fitted to them.
SAME_FEATURES = {"kernel_params": {"sigma": 0.5}, "weights": "exact", "scale": "none", "n_frequencies": 32, "C": 10.0, "random_state": 0}
MODELS = [FourierClassifier(**SAME_FEATURES), FourierClassifier(model="ridge", **SAME_FEATURES), FourierRegressor(**SAME_FEATURES)]


def outputs(model, X):
    return model.predict(X) if isinstance(model, FourierRegressor) else model.decision_function(X)


def whole_weights(n):
    return np.random.default_rng(1).integers(0, 4, size=n)


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("make", [np.asarray, sp.csr_matrix])
def test_whole_weights_are_repeated_rows(model, make):
    X, y = moons()
    weights = whole_weights(400)
    weighted = outputs(model.fit(make(X), y, sample_weight=weights), X)
    assert model.n_rows_seen_ == np.count_nonzero(weights)
    repeated = outputs(model.fit(np.repeat(X, weights, axis=0), np.repeat(y, weights)), X)
    np.testing.assert_allclose(weighted, repeated, atol=1e-5)


@pytest.mark.parametrize("model", [FourierClassifier(), FourierClassifier(model="ridge"), FourierRegressor()])
def test_weight_0_is_absence_and_1_is_nothing(model):
    X, y = moons()
    model.set_params(n_frequencies=32, random_state=0)
    weights = (np.arange(400) % 5 > 0).astype(float)
    X_wrong = np.where(weights[:, None] > 0, X, 1e6)
    expected = outputs(model.fit(X[weights > 0], y[weights > 0]), X)
    np.testing.assert_array_equal(outputs(model.fit(X_wrong, y, sample_weight=weights), X), expected)
    expected = outputs(model.fit(X, y), X)
    np.testing.assert_array_equal(outputs(model.fit(X, y, sample_weight=np.ones(400)), X), expected)
    np.testing.assert_array_equal(outputs(model.fit(X, y, sample_weight=None), X), expected)


def test_weights_are_those_of_scikit_learn():
    X, y = moons()
    weights = np.random.default_rng(0).uniform(size=400)
    classifier = FourierClassifier(kernel="linear", scale="none", C=2.0).fit(X, y, sample_weight=weights)
    expected = LinearSVC(C=2.0, dual=False, tol=1e-10, max_iter=100_000).fit(X, y, sample_weight=weights)
    np.testing.assert_allclose(classifier.coef_, expected.coef_, rtol=1e-4)
    balanced = FourierClassifier(kernel="linear", scale="none", C=2.0, class_weight="balanced").fit(X, y > 0.5)
    expected = LinearSVC(C=2.0, dual=False, tol=1e-10, max_iter=100_000, class_weight="balanced").fit(X, y > 0.5)
    np.testing.assert_allclose(balanced.coef_, expected.coef_, rtol=1e-4)


@pytest.mark.parametrize("model", ["svm", "ridge"])
@pytest.mark.parametrize("labels", [["rare", "usual"], [7, 8], [True, False], [1.0, 2.0]])
def test_weights_of_classes_are_those_of_their_rows(model, labels):
    X, y = moons()
    y = np.asarray(labels)[y]
    expected = FourierClassifier(model=model, **SAME_FEATURES).fit(X, y, sample_weight=np.where(y == labels[0], 5.0, 1.0))
    weighted = FourierClassifier(model=model, class_weight={labels[0]: 5.0}, **SAME_FEATURES).fit(X, y)
    np.testing.assert_array_equal(weighted.coef_, expected.coef_)


@pytest.mark.parametrize("model", ["svm", "ridge"])
def test_balanced_classes_find_the_rare_one(model):
    rng = np.random.default_rng(0)
    y = (rng.uniform(size=2000) < 0.05).astype(int)
    X = rng.normal(size=(2000, 2)) + 1.5 * y[:, None]
    found = {}
    for class_weight in (None, "balanced"):
        classifier = FourierClassifier(model=model, class_weight=class_weight, kernel="linear", C=1.0).fit(X, y)
        found[class_weight] = classifier.predict(X)[y == 1].mean()
    assert found["balanced"] > 0.75 > found[None] + 0.2


def test_partial_fit_takes_weights():
    X, y = moons()
    weights = whole_weights(400)
    halves = [slice(0, 200), slice(200, 400)]
    for model in (FourierClassifier(model="ridge", class_weight={1: 3.0}, **SAME_FEATURES), FourierRegressor(**SAME_FEATURES)):
        at_once = outputs(model.fit(X, y, sample_weight=weights), X)
        stream = type(model)(**model.get_params())
        for rows in halves:
            options = {"classes": [0, 1]} if isinstance(model, FourierClassifier) else {}
            stream.partial_fit(X[rows], y[rows], sample_weight=weights[rows], **options)
        assert stream.n_rows_seen_ == np.count_nonzero(weights)
        np.testing.assert_allclose(outputs(stream, X), at_once, atol=1e-8)
    with pytest.raises(ValueError, match="'balanced' needs all rows at once"):
        FourierClassifier(model="ridge", class_weight="balanced").partial_fit(X, y, classes=[0, 1])


def test_scores_take_weights():
    X, y = moons()
    weights = whole_weights(400)
    classifier = FourierClassifier(kernel="linear", random_state=0).fit(X, y)
    assert classifier.score(X, y, sample_weight=weights) == accuracy_score(y, classifier.predict(X), sample_weight=weights)
    X, y = waves(400)
    assert FourierRegressor(kernel="linear").fit(X, y).score(X, y, sample_weight=weights) <= 1


@pytest.mark.parametrize(
    "weights, match",
    [
        (np.ones(3), r"sample_weight has shape \(3,\), expected one number for each of 400 rows"),
        (np.ones((400, 1)), "sample_weight has shape"),
        (np.full(400, -1.0), "sample_weight holds -1.0"),
        (np.where(np.arange(400) == 7, 1e16, 1.0), r"sample_weight holds 1e\+16 in row 7, expected 0 or numbers from 1e-15 to 1e\+15"),
        (np.zeros(400), "sample_weight is zero for all rows"),
        (np.full(400, np.nan), "NaN"),
    ],
)
@pytest.mark.parametrize("model", MODELS)
def test_refusals_of_weights(model, weights, match):
    X, y = moons()
    with pytest.raises(ValueError, match=match):
        model.fit(X, y, sample_weight=weights)


def test_weights_are_refused_before_rows_are_counted():
    X, y = moons()
    model = FourierClassifier(model="ridge", C=1.0, random_state=0).partial_fit(X, y, classes=[0, 1])
    for weight in (1e16, 1e-16):
        with pytest.raises(ValueError, match="expected 0 or numbers"):
            model.partial_fit(X, y, sample_weight=np.full(len(X), weight))
    assert model.partial_fit(X, y).n_rows_seen_ == 2 * len(X)
    with pytest.raises(ValueError, match=r"class_weight\[1\] is 1e\+20, expected a number from 1e-15"):
        FourierClassifier(model="ridge", C=1.0, class_weight={1: 1e20}).partial_fit(X, y, classes=[0, 1])


@pytest.mark.parametrize(
    "class_weight, error, match",
    [
        ("even", ValueError, "class_weight is 'even'"),
        (3.0, TypeError, "class_weight is 3.0"),
        ({2: 1.0}, ValueError, "class_weight has the label 2, which is not among the classes"),
        ({"1": 1.0}, ValueError, "class_weight has the label '1'"),
        ({1: 0.0}, ValueError, r"class_weight\[1\] is 0.0"),
        ({1: "many"}, TypeError, r"class_weight\[1\] is 'many'"),
    ],
)
def test_refusals_of_class_weights(class_weight, error, match):
    X, y = moons()
    with pytest.raises(error, match=match):
        FourierClassifier(class_weight=class_weight).fit(X, y)


def test_a_class_without_weight_is_refused():
    X, y = moons()
    for model in ("svm", "ridge"):
        with pytest.raises(ValueError, match="class 1 has no rows of a weight above 0"):
            FourierClassifier(model=model).fit(X, y, sample_weight=(y == 0).astype(float))
