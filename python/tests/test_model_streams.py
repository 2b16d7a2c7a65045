"""Ridge models block by block: the model of all rows so far, what is counted, copies and pickles that go on."""

import copy
import pickle
from functools import partial

import numpy as np
import pytest
import scipy.sparse as sp
from samples import by_pickle, interrupt, moons, waves
from sklearn.base import clone
from sklearn.exceptions import NotFittedError

from askrff import FourierClassifier, FourierRegressor


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


def stream(model, X, y, copied=lambda model: model):
    """By blocks, with a copy after each; the last block has few rows."""
    for part in np.array_split(np.arange(len(y)), [150, 151, 320, len(y) - 2]):
        options = {"classes": np.unique(y)} if isinstance(model, FourierClassifier) else {}
        model = copied(model.partial_fit(X[part], y[part], **options))
    return model


@pytest.mark.parametrize("copied", [by_pickle, copy.deepcopy, copy.copy])
@pytest.mark.parametrize(
    "options",
    [{"C": 10.0}, {"C": [0.1, 10.0], "n_folds": 4}, {"kernel": "linear", "scale": "none"}, {"estimator": "nystrom", "C": [0.1, 10.0]}],
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
    after_fit = len(pickle.dumps(model))
    assert after_fit < 100_000
    with pytest.raises(ValueError, match=r"^partial_fit goes on from .*, and this model has none: .* a pickle or copy made after fit"):
        restored.partial_fit(X, y)
    assert len(pickle.dumps(model.partial_fit(X, y))) > after_fit + 2 * X.nbytes  # so few rows wait to be summed
    by_pickle(model).partial_fit(X, y)
    assert not hasattr(clone(model), "_ridge")


def test_a_stream_interrupted_halfway_is_told_and_pickled_without_sums():
    pd = pytest.importorskip("pandas")
    X, y = waves(5000)
    model = FourierRegressor(C=10.0, dtype="float32", scale="none", n_frequencies=16, random_state=0)
    model.partial_fit(sp.csr_matrix(X), y)
    with pytest.raises(ValueError, match="y holds 1e\\+39"):
        model.partial_fit(X, np.where(np.arange(5000) == 4999, 1e39, y))  # refused before any row is added
    expected = model.partial_fit(X, y).predict(X)
    X_late = X.copy()
    X_late[-1, 0] = 1e300
    with pytest.raises(ValueError, match="too large for float32"):
        model.partial_fit(sp.csr_matrix(X_late), y)  # so are sparse rows
    np.testing.assert_array_equal(by_pickle(model).predict(X), expected)
    with pytest.raises(ValueError, match="too large for float32"):
        model.partial_fit(pd.DataFrame({"a": X_late[:, 0], "b": X_late[:, 1].astype("float32")}), y)  # a table is added some rows at a time
    with pytest.raises(ValueError, match="counted in part"):
        model.partial_fit(X, y)
    restored = by_pickle(model)
    np.testing.assert_array_equal(restored.predict(X), expected)
    with pytest.raises(ValueError, match="this model has none"):
        restored.partial_fit(X, y)


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
