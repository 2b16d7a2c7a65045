"""FourierFeatures: what it approximates, its life as an estimator, what it refuses."""

import copy
import gc
import inspect
import pickle
import warnings
import weakref

import joblib
import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.kernel_approximation import RBFSampler
from sklearn.linear_model import Ridge
from sklearn.metrics.pairwise import laplacian_kernel, rbf_kernel
from sklearn.pipeline import make_pipeline

import askrff
from askrff import AccuracyWarning, FourierFeatures, Kernel, _core, exact_kernel
from samples import SHIFT, own_kernel, relative_error, rows

# --- what it approximates ---------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "estimator, weights",
    [(estimator, weights) for estimator in ("auto", "fourier", "jordan", "polar", "nystrom") for weights in ("calibrated", "exact")]
    + [("jordan", "subset")],  # masses belong to Jordan parts
)
def test_left_times_right_is_the_kernel(estimator, weights):
    features = FourierFeatures(**SHIFT, estimator=estimator, weights=weights, n_frequencies=256, random_state=3).fit(rows())
    # Independent draws of 256 frequencies have an error of about 1/16 at worst; better points and fitted weights are far below.
    assert relative_error(features, rows(seed=1), rows(200, seed=2)) < 0.1


def test_asymmetric_kernel_stays_asymmetric():
    X = rows()
    features = FourierFeatures(**SHIFT, random_state=0).fit(X)
    K = features.transform(X) @ features.transform_right(X).T
    exact = exact_kernel(X, **SHIFT)
    assert np.abs(exact - exact.T).max() > 0.2
    np.testing.assert_allclose(K - K.T, exact - exact.T, atol=0.02)


def test_default_is_the_gaussian_kernel_of_scikit_learn():
    X = rows()
    features = FourierFeatures(gamma=0.7, random_state=0).fit(X)
    np.testing.assert_allclose(features.transform(X) @ features.transform_right(X).T, rbf_kernel(X, gamma=0.7), atol=0.02)
    np.testing.assert_allclose(exact_kernel(X, gamma=0.7), rbf_kernel(X, gamma=0.7), rtol=1e-12)
    np.testing.assert_allclose(exact_kernel(X, kernel="laplacian", gamma=0.7), laplacian_kernel(X, gamma=0.7), rtol=1e-12)


def test_gamma_scale_is_that_of_rbfsampler():
    X = rows()
    ours = FourierFeatures(gamma="scale", random_state=0).fit(X)
    gamma = 1 / (X.shape[1] * X.var())
    assert ours.kernel_.params["sigma"] == pytest.approx(1 / np.sqrt(2 * gamma), rel=1e-12)
    assert RBFSampler(gamma="scale").fit(X)._gamma == pytest.approx(gamma)


@pytest.mark.parametrize("make", [np.asarray, sp.csr_matrix, lambda X: X.astype(np.float32)])
def test_gamma_scale_is_that_of_all_rows(make):
    X = make(np.random.default_rng(0).exponential(size=(30_000, 2)) + 1e3)
    dense = (X.toarray() if sp.issparse(X) else X).astype(np.float64)
    features = FourierFeatures(gamma="scale", weights="exact", n_frequencies=4, random_state=0).fit(X)
    assert features.kernel_.params["sigma"] == pytest.approx(np.sqrt(dense.var()), rel=1e-12)


def test_exact_weights_of_a_symmetric_kernel_make_both_sides_equal():
    X = rows()
    features = FourierFeatures(weights="exact", random_state=0).fit(X)
    np.testing.assert_array_equal(features.transform(X), features.transform_right(X))


def test_error_is_that_of_unseen_rows():
    # One draw in 20 lies outside a 95 % interval; the seed is fixed, and the margin of a half is far more than the interval.
    features = FourierFeatures(**SHIFT, n_frequencies=16, random_state=0).fit(rows(2000))
    low, high = features.error_interval_
    assert 0 < low < features.error_ < high
    assert features.error_ == pytest.approx(relative_error(features, rows(500, seed=8), rows(500, seed=8)), rel=0.5)


def test_error_of_few_rows_is_not_known():
    assert np.isnan(FourierFeatures(random_state=0).fit(rows(8)).error_)
    with pytest.warns(AccuracyWarning, match="too few"):
        FourierFeatures(random_state=0).fit(rows(2))


def test_tolerance_is_reached_with_few_features():
    seen = []
    features = FourierFeatures(**SHIFT, tolerance=1e-2, random_state=0, progress=seen.append).fit(rows(1000))
    assert features.error_interval_[1] <= 1e-2
    assert relative_error(features, rows(400, seed=5), rows(400, seed=6)) < 1e-2
    assert seen


def test_tolerance_out_of_reach_is_a_warning():
    with pytest.warns(AccuracyWarning, match="was not reached"):
        FourierFeatures(kernel="laplacian", tolerance=1e-6, max_frequencies=16, random_state=0).fit(rows(200, d=8))


def test_tolerance_chooses_the_estimator():
    with pytest.raises(ValueError, match="a tolerance finds it"):
        FourierFeatures(tolerance=0.1, estimator="jordan").fit(rows())
    assert FourierFeatures(tolerance=0.1, estimator="nystrom", random_state=0).fit(rows()).landmarks_ is not None
    assert FourierFeatures(tolerance=0.1, estimator="fourier", random_state=0).fit(rows()).frequencies_ is not None


# --- life of an estimator ---------------------------------------------------------------------------------------------------------------


def test_pipeline_and_clone():
    X = rows()
    y = np.sin(X.sum(axis=1))
    model = make_pipeline(FourierFeatures(gamma=0.5, random_state=0), Ridge(1e-6))
    assert clone(model).fit(X, y).score(X, y) > 0.999


@pytest.mark.parametrize("estimator", ["auto", "nystrom"])
def test_pickle_keeps_every_bit(estimator):
    X = rows()
    features = FourierFeatures(**SHIFT, estimator=estimator, random_state=0).fit(X)
    again = pickle.loads(pickle.dumps(features))
    np.testing.assert_array_equal(again.transform(X), features.transform(X))
    np.testing.assert_array_equal(again.transform_right(X), features.transform_right(X))
    assert again.kernel_ == features.kernel_ and again.error_ == features.error_


@pytest.mark.parametrize("options", [{}, {"tolerance": 1e-2}])
@pytest.mark.parametrize("kernel", [own_kernel, Kernel.from_function(own_kernel, name="mine").shifted(0.25)])
def test_pickle_keeps_landmarks_of_a_function(kernel, options, tmp_path):
    X = rows()
    features = FourierFeatures(kernel=kernel, estimator="nystrom", n_frequencies=32, **options, random_state=0).fit(X)
    joblib.dump(features, tmp_path / "features.joblib")
    for again in (pickle.loads(pickle.dumps(features)), copy.deepcopy(features), joblib.load(tmp_path / "features.joblib")):
        np.testing.assert_array_equal(again.transform(X), features.transform(X))
        np.testing.assert_array_equal(again.transform_right(X), features.transform_right(X))
        np.testing.assert_array_equal(again.kernel_(X[:9]), features.kernel_(X[:9]))
        assert (again.error_, again.error_interval_) == (features.error_, features.error_interval_)
    with pytest.raises(ValueError, match="a kernel without a name cannot be kept in a file"):
        pickle.loads(pickle.dumps(features)).save(tmp_path / "map.askrff")


def test_pickle_says_itself_what_it_cannot_hold():
    features = FourierFeatures(kernel=lambda delta: own_kernel(delta), estimator="nystrom", n_frequencies=8, random_state=0).fit(rows())
    with pytest.raises((pickle.PicklingError, AttributeError), match="lambda"):
        pickle.dumps(features)
    with pytest.raises((pickle.PicklingError, AttributeError), match="lambda"):
        pickle.dumps(features._map)
    np.testing.assert_array_equal(copy.deepcopy(features).transform(rows()), features.transform(rows()))


def _in_worker(features, X):
    from askrff._parameters import threads_from

    return features.transform(X), threads_from(features.n_jobs)


@pytest.mark.parametrize("backend", ["loky", "threading"])
def test_joblib_workers_get_one_thread_each(backend):
    X = rows()
    features = FourierFeatures(**SHIFT, random_state=0).fit(X)
    parts = joblib.Parallel(n_jobs=2, backend=backend)(joblib.delayed(_in_worker)(features, part) for part in np.array_split(X, 4))
    np.testing.assert_array_equal(np.concatenate([Z for Z, _ in parts]), features.transform(X))
    assert {n for _, n in parts} == {1}


def test_seeds():
    X = rows()

    def drawn(state):
        return FourierFeatures(weights="exact", random_state=state).fit(X).frequencies_

    np.testing.assert_array_equal(drawn(5), drawn(5))
    np.testing.assert_array_equal(drawn(np.random.RandomState(5)), drawn(np.random.RandomState(5)))
    assert not np.array_equal(drawn(None), drawn(None))
    assert not np.array_equal(drawn(5), drawn(6))
    with pytest.raises(ValueError, match="random_state"):
        drawn(-1)


def test_nothing_is_said_and_logging_is_silent(capfd):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        FourierFeatures(**SHIFT, random_state=0).fit_transform(rows())
    assert capfd.readouterr() == ("", "")


def test_rows_far_away_are_warned_about():
    features = FourierFeatures(**SHIFT, random_state=0).fit(rows())
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        features.transform(rows())
    with pytest.warns(AccuracyWarning, match="50 % of the rows lie far outside"):
        features.transform([[0.5, 0.5, 0.5], [0.5, 9.0, 0.5]])
    exact = FourierFeatures(**SHIFT, weights="exact", random_state=0).fit(rows())
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        exact.transform([[0.5, 9.0, 0.5]])


def test_warnings_name_the_line_of_the_user():
    X, far = rows(), 9 + rows()
    model = make_pipeline(FourierFeatures(**SHIFT, random_state=0), Ridge()).fit(X, X[:, 0])
    classifier = askrff.FourierClassifier(weights="calibrated", n_frequencies=8, random_state=0).fit(X, X[:, 0] > 0.5)
    calls = [
        lambda: model.predict(far),
        lambda: model[0].transform(far),
        lambda: model[0].operator(far),
        lambda: classifier.predict(far),
        lambda: FourierFeatures().fit(X[:2]),
        lambda: FourierFeatures().fit_transform(X[:2]),
        lambda: FourierFeatures(kernel="laplacian", tolerance=1e-6, max_frequencies=16, random_state=0).fit(X),
        lambda: askrff.FourierRegressor().fit(X[:1], X[:1, 0]),
    ]
    for call in calls:
        with pytest.warns(AccuracyWarning) as caught:
            call()
        assert {warning.filename for warning in caught if warning.category is AccuracyWarning} == {__file__}


def test_a_failed_fit_changes_nothing():
    X = rows()
    features = FourierFeatures(sampler="best", random_state=0)
    with pytest.raises(ValueError):
        features.fit(X)
    with pytest.raises(NotFittedError):
        features.transform(X)
    expected = features.set_params(sampler="orthogonal").fit(X).transform(X)
    with pytest.raises(ValueError):
        features.set_params(n_frequencies=-1).fit(rows(d=5))
    np.testing.assert_array_equal(features.transform(X), expected)
    assert features.n_features_in_ == 3


# --- what it refuses --------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "arguments, error, match",
    [
        ({"kernel": "gausian"}, ValueError, "gausian"),
        ({"kernel": 3}, TypeError, "expected a name"),
        ({"kernel_params": {"sigma": -1.0}}, ValueError, "sigma"),
        ({"kernel_params": {"sgima": 1.0}}, ValueError, "sgima"),
        ({"gamma": -1.0}, ValueError, "gamma"),
        ({"gamma": 1.0, "kernel_params": {"sigma": 1.0}}, ValueError, "same bandwidth"),
        ({"gamma": 1.0, "kernel": "matern-3/2"}, ValueError, "gamma"),
        ({"gamma": 1.0, "kernel": Kernel("gaussian")}, ValueError, "brings its parameters"),
        ({"n_frequencies": 0}, ValueError, "n_frequencies is 0"),
        ({"n_frequencies": 2.5}, TypeError, "n_frequencies is 2.5"),
        ({"estimator": "worst"}, ValueError, "estimator is 'worst', expected one of auto, fourier"),
        ({"sampler": "best"}, ValueError, "best"),
        ({"weights": "best"}, ValueError, "best"),
        ({"tolerance": 0.0}, ValueError, "tolerance is 0.0"),
        ({"n_jobs": 0}, ValueError, "n_jobs is 0"),
        ({"n_jobs": 1.5}, TypeError, "n_jobs"),
        ({"n_jobs": 10**20}, ValueError, "n_jobs is 100000000000000000000, expected at most 1024"),
        ({"weights": None}, ValueError, "weights is None, expected one of exact"),
        ({"sampler": 1}, ValueError, "sampler is 1, expected one of exact"),
        ({"sampler": None, "tolerance": 0.1}, ValueError, "sampler is None"),
        ({"n_frequencies": 10**30}, ValueError, "n_frequencies is 10*, expected at most"),
        ({"tolerance": 0.1, "max_frequencies": 10**30}, ValueError, "max_frequencies is 10*, expected at most"),
        ({"tolerance": "0.1"}, TypeError, "tolerance is '0.1', expected a number above 0"),
        ({"tolerance": float("nan")}, ValueError, "tolerance is nan, expected a number above 0"),
        ({"kernel_params": [("sigma", 1.0)]}, TypeError, "kernel_params is .*, expected None or a dict"),
        ({"kernel_params": np.ones(2)}, TypeError, "kernel_params is .*, expected None or a dict"),
        ({"kernel_params": {1: 2.0}}, TypeError, "kernel_params is .*, expected None or a dict"),
        ({"kernel_params": {"name": 2.0}}, ValueError, "name"),
        ({"kernel_params": {"sigma": np.array([1.0, 2.0])}}, ValueError, "sigma is '1,2', expected one number"),
        ({"kernel_params": {"sigma": 10**400}}, ValueError, "sigma is 1000.*, expected numbers that a float can hold"),
        ({"kernel_params": {"sigma": 10**5000}}, ValueError, "sigma is "),
        ({"kernel_params": {"sigma": None}}, TypeError, "sigma is None"),
        ({"gamma": 10**400}, ValueError, "gamma is 1000"),
        ({"gamma": "auto"}, ValueError, "gamma is 'auto'"),
        ({"gamma": np.ones(2)}, TypeError, "gamma is array"),
        ({"kernel": "\udc80"}, ValueError, "a kernel's name is .*surrogates"),
        ({"progress": "bar"}, TypeError, "progress is 'bar', expected None or a function"),
    ],
)
def test_refusals(arguments, error, match):
    with pytest.raises(error, match=match):
        FourierFeatures(**arguments).fit(rows())


def test_names_of_columns_that_are_no_text():
    pd = pytest.importorskip("pandas")
    with pytest.raises(ValueError, match="the name of a column is .*, expected text without lone surrogates"):
        FourierFeatures().fit(pd.DataFrame(rows(d=2), columns=pd.Index(["a", "\udc80"], dtype=object)))


def test_refusals_of_rows():
    features = FourierFeatures(random_state=0)
    with pytest.raises(NotFittedError):
        features.transform(rows())
    features.fit(rows())
    with pytest.raises(ValueError, match="4 features"):
        features.transform(rows(d=4))
    with pytest.raises(ValueError, match="NaN"):
        features.transform([[0.0, np.nan, 0.0]])
    with pytest.raises(ValueError, match="columns"):
        exact_kernel(rows(d=2), rows(d=3))


@pytest.mark.parametrize(
    "estimator, defaults",
    [
        (FourierFeatures, _core.MAP_DEFAULTS),
        (askrff.FourierClassifier, _core.TRAIN_DEFAULTS),
        (askrff.FourierRegressor, _core.TRAIN_DEFAULTS),
    ],
)
def test_defaults_are_those_of_the_library(estimator, defaults):
    parameters = inspect.signature(estimator).parameters
    # None leaves these to the library, which says it by a number of its own.
    left_to_it = {"n_features": None, "n_frequencies": None, "n_landmarks": None}
    defaults = {**defaults, **left_to_it}
    ours = {name: parameters[name].default for name in defaults if name in parameters}
    assert ours == {name: value for name, value in defaults.items() if name in parameters}
    assert set(ours) == set(defaults)
    for name, value in ours.items():
        said = estimator.__doc__.partition(f"\n    {name} : ")[2].partition("\n")[0]
        assert f"default={value}" in said.replace('"', "")


def test_an_estimator_whose_own_method_is_its_kernel_is_collected():
    class Owner:
        def kernel(self, differences):
            return np.exp(-np.sum(differences**2, axis=1))

    for options in ({"estimator": "nystrom"}, {"weights": "calibrated"}):
        owner = Owner()
        owner.features = FourierFeatures(kernel=owner.kernel, n_frequencies=4, random_state=0, **options).fit(rows())
        owner.operator = owner.features.operator(rows())
        gone = weakref.ref(owner)
        del owner
        gc.collect()
        assert gone() is None


def test_version():
    assert askrff.__version__.count(".") == 2


class TestGivenResult:
    X = np.random.default_rng(0).uniform(size=(50, 3)).astype(np.float32)
    features = FourierFeatures(kernel="shift-gaussian", estimator="polar", n_frequencies=8, random_state=0).fit(X)

    def test_is_written_to(self):
        for transform in (self.features.transform, self.features.transform_right):
            out = np.full((50, 16), np.nan, dtype=np.float32)
            assert transform(self.X, out=out) is out
            assert np.array_equal(out, transform(self.X))

    def test_may_be_part_of_a_larger_array(self):
        whole = np.zeros((60, 20), dtype=np.float32)
        self.features.transform(self.X, out=whole[5:55, 2:18])
        assert np.array_equal(whole[5:55, 2:18], self.features.transform(self.X))
        assert not whole[:5].any() and not whole[55:].any() and not whole[:, :2].any() and not whole[:, 18:].any()

    def test_takes_sparse_rows_and_memory_maps(self, tmp_path):
        out = np.memmap(tmp_path / "features", dtype=np.float32, mode="w+", shape=(50, 16))
        self.features.transform(sp.csr_matrix(self.X), out=out)
        assert np.array_equal(out, self.features.transform(self.X))

    @pytest.mark.parametrize(
        "out, error, text",
        [
            ([[0.0]], TypeError, "out is list"),
            (np.empty((50, 16)), TypeError, "out holds float64, expected float32"),
            (np.empty((50, 15), dtype=np.float32), ValueError, "out has shape"),
            (np.empty((16, 50), dtype=np.float32).T, ValueError, "contiguous rows"),
            (np.empty((50, 32), dtype=np.float32)[:, ::-2], ValueError, "contiguous rows"),
            (np.broadcast_to(np.float32(0), (50, 16)), ValueError, "read-only"),
        ],
    )
    def test_is_refused_where_it_does_not_fit(self, out, error, text):
        with pytest.raises(error, match=text):
            self.features.transform(self.X, out=out)

    def test_is_refused_where_the_rows_are(self):
        memory = np.zeros(50 * 16, dtype=np.float32)
        with pytest.raises(ValueError, match="shares memory"):
            self.features.transform(memory[:150].reshape(50, 3), out=memory.reshape(50, 16))

    def test_is_aligned_where_it_is_new(self):
        for X in (self.X, self.X.astype(np.float64)):
            for n_rows in (1, 7, 50):
                assert self.features.transform(X[:n_rows]).ctypes.data % 64 == 0
