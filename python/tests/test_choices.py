"""What models find out by cross-validation: C beyond its grid, tuned parameters, probabilities of classes."""

import numpy as np
import pytest
from samples import by_pickle, moons, waves
from sklearn.datasets import load_iris
from sklearn.metrics import log_loss

from askrff import AccuracyWarning, FourierClassifier, FourierFeatures, FourierRegressor, Kernel, load

# --- C ----------------------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("model", [FourierClassifier(random_state=0), FourierRegressor(random_state=0)])
def test_c_goes_on_beyond_its_grid(model):
    X, y = moons()
    model.set_params(kernel_params={"sigma": 20.0}, n_frequencies=32).fit(X, y)  # so wide that weights have to be large
    tried = model.cv_results_["c"]
    assert model.C_ > 32 and len(tried) > 11 and np.all(np.diff(tried) > 0)
    assert model.cv_results_["scores"].shape == (len(tried), 5)


def test_a_given_grid_does_not_go_on_but_is_warned_about(recwarn):
    X, y = waves()
    with pytest.warns(AccuracyWarning, match="^the best C, 0.01, is the largest that was tried; larger ones may be better$"):
        regressor = FourierRegressor(C=[0.001, 0.01], random_state=0).fit(X, y)
    assert regressor.C_ == 0.01 and len(regressor.cv_results_["c"]) == 2
    with pytest.warns(AccuracyWarning, match="the best C, 0.01"):
        FourierRegressor(C=[0.001, 0.01], random_state=0).partial_fit(X, y)


# --- tuning -----------------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("model", [FourierClassifier(), FourierClassifier(model="ridge"), FourierRegressor()])
def test_tuning_finds_the_bandwidth(model):
    X, y = moons()
    model.set_params(kernel="shift-gaussian", kernel_params={"sigma": 3.0, "shift": 0.1}, C=[1.0, 100.0], n_frequencies=32, random_state=0)
    untuned = model.fit(X, y).score(X, y)
    model.set_params(tune=["sigma", "shift"]).fit(X, y)
    assert model.kernel_.params["sigma"] < 1.0
    assert len(model.tuning_results_) >= 25
    best = {tuple(point["params"].values()) for point in model.tuning_results_}
    assert (model.kernel_.params["sigma"], model.kernel_.params["shift"]) in best
    assert model.score(X, y) >= untuned
    assert not model.set_params(tune=None).fit(X, y).tuning_results_
    for nonsense in (True, 5, "sigma"):
        with pytest.raises(TypeError, match="tune is"):
            model.set_params(tune=nonsense).fit(X, y)


def test_a_kernel_as_an_object_can_be_tuned():
    X, y = moons()
    model = FourierClassifier(kernel=Kernel("gaussian", sigma=3.0), tune=["sigma"], C=1.0, random_state=0).fit(X, y)
    assert model.kernel_.params["sigma"] < 3.0 and model.C_ == 1.0
    np.testing.assert_array_equal(by_pickle(model).predict(X), model.predict(X))


@pytest.mark.parametrize(
    "options, error, match",
    [
        ({"tune": "sigma"}, TypeError, "tune is 'sigma', expected None or a list of names"),
        ({"tune": [1]}, TypeError, "tune is"),
        ({"tune": ["beta"]}, ValueError, "has no parameter 'beta' to be tuned, expected sigma"),
        ({"tune": ["sigma", "sigma"]}, ValueError, "tuned twice"),
        ({"tune": ["sigma"], "kernel": "linear"}, ValueError, "no kernel to tune"),
        ({"tune": ["sigma"], "kernel": lambda d: np.exp(-np.sum(d**2, axis=1))}, ValueError, "no parameters to tune"),
    ],
)
def test_refusals_of_tuning(options, error, match):
    X, y = moons()
    for model in (FourierClassifier(**options), FourierRegressor(**options)):
        with pytest.raises(error, match=match):
            model.fit(X, y)


def test_partial_fit_tunes_nothing():
    X, y = waves()
    with pytest.raises(ValueError, match="which needs all rows at once"):
        FourierRegressor(tune=["sigma"]).partial_fit(X, y)


# --- probabilities ----------------------------------------------------------------------------------------------------------------------


def noisy_classes(n, n_classes, seed):
    """Rows and the probabilities their classes were drawn by."""
    rng = np.random.default_rng(seed)
    X = rng.uniform(size=(n, 2))
    p = np.exp(2 * np.sin(5 * X[:, :1] + 2 * np.arange(n_classes)) + X[:, 1:] * np.arange(n_classes))
    p /= p.sum(axis=1, keepdims=True)
    return X, (rng.uniform(size=(n, 1)) > p.cumsum(axis=1)).sum(axis=1), p


@pytest.mark.parametrize("model", ["svm", "ridge"])
@pytest.mark.parametrize("n_classes", [2, 3])
def test_probabilities_are_those_of_fresh_rows(model, n_classes):
    X, y, _ = noisy_classes(2000, n_classes, 0)
    classifier = FourierClassifier(model=model, n_frequencies=32, random_state=0).fit(X, y)
    X, y, truth = noisy_classes(4000, n_classes, 1)
    p = classifier.predict_proba(X)
    assert p.shape == (4000, n_classes)
    np.testing.assert_allclose(p.sum(axis=1), 1, atol=1e-12)
    np.testing.assert_allclose(classifier.predict_log_proba(X), np.log(p))
    shares = np.tile(np.bincount(y) / len(y), (len(y), 1))
    # What can be gained over the shares of the classes is gained, three quarters of it.
    assert log_loss(y, p) < 0.75 * log_loss(y, truth) + 0.25 * log_loss(y, shares)
    if n_classes > 2:
        np.testing.assert_array_equal(classifier.classes_[p.argmax(axis=1)], classifier.predict(X))


def test_files_and_pickles_keep_probabilities(tmp_path):
    X, y = load_iris(return_X_y=True)
    classifier = FourierClassifier(n_frequencies=16, random_state=0).fit(X, y)
    expected = classifier.predict_proba(X)
    classifier.save(tmp_path / "model.askrff")
    for again in (by_pickle(classifier), load(tmp_path / "model.askrff")):
        np.testing.assert_array_equal(again.predict_proba(X), expected)


def test_where_there_are_none_a_sentence_says_why(tmp_path):
    X, y = moons()
    with pytest.raises(AttributeError, match="^probabilities take the folds of a cross-validation, and C is 1.0"):
        FourierClassifier(C=1.0).predict_proba(X)
    assert hasattr(FourierClassifier(), "predict_proba")
    one_c = FourierClassifier(C=1.0, random_state=0).fit(X, y)
    by_blocks = FourierClassifier(model="ridge", random_state=0).partial_fit(X, y, classes=[0, 1])
    one_c.save(tmp_path / "model.askrff")
    for model in (one_c, by_blocks, load(tmp_path / "model.askrff")):
        assert not hasattr(model, "predict_proba") and not hasattr(model, "predict_log_proba")
        with pytest.raises(AttributeError, match="fit with C='auto' or several values of C$"):
            model.predict_proba(X)


def test_partial_fit_of_the_svm_says_who_can():
    with pytest.raises(AttributeError, match=r"^partial_fit needs FourierClassifier\(model='ridge'\)"):
        FourierClassifier().partial_fit([[0.0]], [0])


# --- loaded ones ------------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "options", [{"n_frequencies": 17}, {"n_frequencies": 24, "estimator": "nystrom"}, {"n_frequencies": 9, "weights": "exact"}]
)
def test_loaded_estimators_know_their_frequencies(options, tmp_path):
    X, y = moons()
    for make in (FourierFeatures, FourierClassifier, FourierRegressor):
        model = make(**options, random_state=0).fit(X, y)
        model.save(tmp_path / "file.askrff")
        again = load(tmp_path / "file.askrff")
        known = again.get_params()
        assert known["n_frequencies"] == (None if "estimator" in options else options["n_frequencies"])
        assert known["n_features"] == (model.n_features_out_ if "estimator" in options else None)
        assert again.n_features_out_ == model.n_features_out_
    ridge = FourierClassifier(model="ridge", random_state=0, **options).fit(X, y)
    ridge.save(tmp_path / "file.askrff")
    assert load(tmp_path / "file.askrff").get_params()["model"] == "ridge"
