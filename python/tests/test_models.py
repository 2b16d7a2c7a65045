"""FourierClassifier and FourierRegressor: what they learn, block by block or at once, what they take and refuse."""

import copy
import pickle
from functools import partial

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.base import clone
from sklearn.datasets import load_iris, make_moons
from sklearn.exceptions import NotFittedError
from sklearn.linear_model import Ridge
from sklearn.model_selection import GridSearchCV, cross_val_score

from askrff import AccuracyWarning, FourierClassifier, FourierFeatures, FourierRegressor


def moons(n=400):
    return make_moons(n, noise=0.1, random_state=0)


def waves(n=500, d=2, n_targets=None):
    X = np.random.default_rng(0).uniform(-2, 2, size=(n, d))
    y = np.sin(2 * X[:, 0]) + X[:, -1] ** 2
    return X, y if n_targets is None else np.stack([y * (t + 1) for t in range(n_targets)], axis=1)


# --- classifier -------------------------------------------------------------------------------------------------------------------------


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


# --- regressor --------------------------------------------------------------------------------------------------------------------------


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


@pytest.mark.parametrize("C", [10.0, "auto"])
def test_regressor_by_blocks_is_that_of_all_rows(C):
    X, y = waves(600)
    options = {"kernel_params": {"sigma": 1.0}, "n_frequencies": 64, "weights": "exact", "scale": "none", "C": C, "random_state": 0}
    by_blocks = FourierRegressor(**options)
    for part in np.array_split(np.arange(600), 4):
        by_blocks.partial_fit(X[part], y[part])
    at_once = FourierRegressor(**options).fit(X, y)
    assert by_blocks.n_rows_seen_ == 600 and by_blocks.C_ == at_once.C_
    np.testing.assert_allclose(by_blocks.predict(X), at_once.predict(X), atol=1e-8)


def test_fit_goes_on_with_partial_fit():
    X, y = waves(600)
    options = {"kernel_params": {"sigma": 1.0}, "weights": "exact", "scale": "none", "C": 10.0, "random_state": 0}
    continued = FourierRegressor(**options).fit(X[:300], y[:300]).partial_fit(X[300:], y[300:])
    assert continued.n_rows_seen_ == 600
    np.testing.assert_allclose(continued.predict(X), FourierRegressor(**options).fit(X, y).predict(X), atol=1e-8)


def test_partial_fit_refuses_other_targets():
    X, Y = waves(n_targets=3)
    regressor = FourierRegressor(random_state=0).partial_fit(X, Y)
    with pytest.raises(ValueError, match=r"^y has shape \(500,\), expected \(n, 3\) as in the first call$"):
        regressor.partial_fit(X, Y[:, 0])
    with pytest.raises(ValueError, match=r"^y has shape \(500, 1\), expected \(n,\)"):
        FourierRegressor(C=1.0, random_state=0).partial_fit(X, Y[:, 0]).partial_fit(X, Y[:, :1])


def ridge_models(**options):
    return [FourierRegressor(**options, random_state=0), FourierClassifier(model="ridge", **options, random_state=0)]


def first_call(model, X, y):
    return model.partial_fit(X, y, **({"classes": [0, 1]} if isinstance(model, FourierClassifier) else {}))


@pytest.mark.parametrize("model", ridge_models(C=10.0, n_frequencies=16))
@pytest.mark.parametrize(
    "changed, error, match",
    [
        ({"C": -1.0}, ValueError, "C is -1.0"),
        ({"C": [1.0, 2.0]}, ValueError, "C has several values, the first call had one"),
        ({"C": "auto"}, ValueError, "C has several values"),
        ({"C": None}, TypeError, "C is None"),
        ({"dtype": "float32"}, ValueError, "dtype is float32, expected float64"),
        ({"fit_intercept": False}, ValueError, "fit_intercept is False, expected True"),
        ({"progress": 3}, TypeError, "progress is 3"),
    ],
)
def test_rows_of_a_refused_call_are_not_counted(model, changed, error, match):
    X, y = moons()
    model = first_call(clone(model), X[:200], y[:200])
    with pytest.raises(error, match=match):
        model.set_params(**changed).partial_fit(X[200:], y[200:])
    assert model.n_rows_seen_ == 200
    model.set_params(C=10.0, dtype="float64", fit_intercept=True, progress=None).partial_fit(X[200:], y[200:])
    expected = first_call(clone(model), X[:200], y[:200]).partial_fit(X[200:], y[200:])
    assert model.n_rows_seen_ == 400
    np.testing.assert_array_equal(model.coef_, expected.coef_)


def interrupt(part):
    raise KeyboardInterrupt


@pytest.mark.parametrize("model", ridge_models(n_frequencies=16))
def test_rows_of_a_call_interrupted_in_its_solve_are_counted(model):
    X, y = moons()
    model = clone(model).set_params(progress=interrupt)
    with pytest.raises(KeyboardInterrupt):
        first_call(model, X[:200], y[:200])
    assert not hasattr(model, "n_rows_seen_")
    first_call(model.set_params(progress=None), X[:200], y[:200])
    with pytest.raises(KeyboardInterrupt):
        model.set_params(progress=interrupt).partial_fit(X[200:300], y[200:300])
    assert model.n_rows_seen_ == 300
    model.set_params(progress=None).partial_fit(X[300:], y[300:])
    assert model.n_rows_seen_ == 400
    expected = first_call(clone(model), X[:200], y[:200]).partial_fit(X[200:300], y[200:300]).partial_fit(X[300:], y[300:])
    np.testing.assert_array_equal(model.coef_, expected.coef_)


@pytest.mark.parametrize("model", ridge_models(n_frequencies=16, n_folds=5))
def test_a_first_block_that_leaves_folds_empty_is_refused(model):
    X, y = moons()
    with pytest.raises(ValueError, match=r"the first call has 3 rows, too few for 5 folds: start with more rows.* or with a single C"):
        first_call(model, X[:3], y[:3])
    with pytest.raises(NotFittedError):
        model.predict(X)
    first_call(model, X, y).partial_fit(X[:1], y[:1])
    first_call(clone(model).set_params(C=1.0), X[:3], y[:3])


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


# --- both -------------------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("scale", ["minmax", "standard", "robust", "none"])
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
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(model)).predict(X), expected)
    np.testing.assert_array_equal(model.set_params(n_jobs=3).fit(X, y).predict(X), expected)


def test_progress_is_told():
    X, y = moons()
    seen = []
    FourierClassifier(random_state=0, progress=seen.append).fit(X, y)
    assert seen and all(0 <= part <= 1 for part in seen)


def by_pickle(model):
    return pickle.loads(pickle.dumps(model))


def stream(model, X, y, copied=lambda model: model):
    """By blocks, with a copy after each; the last block has few rows."""
    for part in np.array_split(np.arange(len(y)), [150, 151, 320, len(y) - 2]):
        options = {"classes": np.unique(y)} if isinstance(model, FourierClassifier) else {}
        model = copied(model.partial_fit(X[part], y[part], **options))
    return model


@pytest.mark.parametrize("copied", [by_pickle, copy.deepcopy, copy.copy])
@pytest.mark.parametrize(
    "options", [{"C": 10.0}, {"C": [0.1, 10.0], "n_folds": 4}, {"kernel": "linear", "scale": "none"}, {"estimator": "nystrom"}]
)
@pytest.mark.parametrize("n_classes", [0, 2, 3])
def test_a_copy_goes_on_with_the_stream(n_classes, options, copied):
    X, y = waves(500)
    y = y + 1e3 if n_classes == 0 else np.digitize(y, np.quantile(y, np.linspace(0, 1, n_classes + 1)[1:-1]))
    make = FourierRegressor if n_classes == 0 else partial(FourierClassifier, model="ridge")
    options = {"n_frequencies": 24, "random_state": 0, **options}
    expected, got = stream(make(**options), X, y), stream(make(**options), X, y, copied)
    assert got.C_ == expected.C_
    output = "predict" if n_classes == 0 else "decision_function"
    np.testing.assert_allclose(getattr(got, output)(X), getattr(expected, output)(X), rtol=1e-9, atol=1e-9)
    if expected.cv_results_:
        np.testing.assert_allclose(got.cv_results_["scores"], expected.cv_results_["scores"], rtol=1e-7)


def test_float32_streams_go_on():
    X, y = waves(500)
    options = {"C": 10.0, "dtype": "float32", "random_state": 0}
    expected = stream(FourierRegressor(**options), X, y)
    np.testing.assert_allclose(stream(FourierRegressor(**options), X, y, by_pickle).predict(X), expected.predict(X), atol=1e-3)


def test_a_copy_and_its_original_go_different_ways():
    X, y = waves(300)
    model = FourierRegressor(C=10.0, random_state=0).partial_fit(X[:100], y[:100])
    for other in (copy.copy(model), copy.deepcopy(model), by_pickle(model)):
        other.partial_fit(X[100:200], y[100:200])
        assert (other.n_rows_seen_, model.n_rows_seen_) == (200, 100)
    alone = FourierRegressor(C=10.0, random_state=0).partial_fit(X[:100], y[:100]).partial_fit(X[200:], y[200:])
    np.testing.assert_array_equal(model.partial_fit(X[200:], y[200:]).predict(X), alone.predict(X))


@pytest.mark.parametrize(
    "model", [FourierClassifier(model="ridge", n_frequencies=128, random_state=0), FourierRegressor(n_frequencies=128, random_state=0)]
)
def test_pickles_after_fit_leave_the_sums_out(model):
    X, y = moons()
    restored = by_pickle(model.fit(X, y))
    np.testing.assert_array_equal(restored.predict(X), model.predict(X))
    assert len(pickle.dumps(model)) < 100_000
    with pytest.raises(ValueError, match=r"^partial_fit goes on from .*, and this model has none: .* a pickle or copy made after fit"):
        restored.partial_fit(X, y)
    assert len(pickle.dumps(model.partial_fit(X, y))) > 5 * 256**2 * 8  # n_folds · n_features_out_² numbers
    by_pickle(model).partial_fit(X, y)
    assert not hasattr(clone(model), "_ridge")


def test_a_stream_interrupted_halfway_is_told_and_pickled_without_sums():
    X, y = waves(5000)
    model = FourierRegressor(C=10.0, dtype="float32", scale="none", n_frequencies=16, random_state=0)
    model.partial_fit(sp.csr_matrix(X), y)
    with pytest.raises(ValueError, match="y holds 1e\\+39"):
        model.partial_fit(X, np.where(np.arange(5000) == 4999, 1e39, y))  # refused before any row is added
    expected = model.partial_fit(X, y).predict(X)
    X_late = X.copy()
    X_late[-1] = 1e300
    with pytest.raises(ValueError, match="too large for float32"):
        model.partial_fit(sp.csr_matrix(X_late), y)  # sparse rows are added in blocks of fewer
    with pytest.raises(ValueError, match="counted in part"):
        model.partial_fit(X, y)
    restored = by_pickle(model)
    np.testing.assert_array_equal(restored.predict(X), expected)
    with pytest.raises(ValueError, match="this model has none"):
        restored.partial_fit(X, y)


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


def test_own_kernel():
    X, y = moons()
    kernel = lambda differences: np.exp(-20 * np.sum(differences**2, axis=1))  # noqa: E731
    classifier = FourierClassifier(kernel=kernel, weights="calibrated", random_state=0).fit(X, y)
    assert classifier.score(X, y) > 0.95


def test_a_refused_call_deals_no_folds():
    rng = np.random.default_rng(0)
    X, y = rng.uniform(size=(300, 2)), rng.uniform(size=300)
    clean, disturbed = (FourierRegressor(n_frequencies=8, dtype="float32", random_state=0).partial_fit(X[:150], y[:150]) for _ in range(2))
    with pytest.raises(ValueError, match="y holds 1e\\+39"):
        disturbed.partial_fit(X[150:], np.full(150, 1e39))
    for model in (clean, disturbed):
        model.partial_fit(X[150:], y[150:])
    np.testing.assert_array_equal(disturbed.coef_, clean.coef_)
    np.testing.assert_array_equal(disturbed.cv_results_["scores"], clean.cv_results_["scores"])
