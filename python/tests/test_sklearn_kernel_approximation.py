"""scikit-learn's own tests of RBFSampler and Nystroem, run with our features in the place of theirs.

Their functions are found by name in the tests that scikit-learn ships; our classes take the places of theirs in that module.
"""

import importlib
import inspect

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.metrics.pairwise import rbf_kernel

from askrff import FourierFeatures

# What of theirs is not run, and why. Everything else that calls RBFSampler or Nystroem is.
NOT_MEANT = {
    "test_rbf_sampler_fitted_attributes_dtype": "random_offset_ and random_weights_ are attributes we do not have; frequencies_ is float64, "
    "and features have the dtype of the rows",
    "test_rbf_sampler_dtype_equivalence": "the same attributes; test_frequencies_do_not_depend_on_the_dtype is the same of ours",
    "test_nystroem_default_parameters": "half of it is the chi2 kernel, no function of x - y; test_nystroem_default_gamma is the other half",
    "test_nystroem_poly_kernel_params": "a polynomial kernel is no function of x - y",
    "test_nystroem_callable": "counts the calls of a function of two rows; ours are functions of differences",
    "test_nystroem_precomputed_kernel": "a matrix in the place of rows: our maps are made of rows",
    "test_nystroem_approximation_array_api": "arrays of other libraries, with kernels that are no functions of x - y",
    "test_nystroem_component_indices": "an attribute we do not have; landmarks_ are the rows themselves",
}
RUN = [
    ("test_rbf_sampler", {}),
    ("test_rbf_sampler_gamma_scale", {}),
    ("test_input_validation", {"csr_container": sp.csr_matrix}),
    ("test_input_validation", {"csr_container": getattr(sp, "csr_array", sp.csr_matrix)}),
    ("test_nystroem_approximation", {}),
    ("test_nystroem_singular_kernel", {}),
]


def size_of(n_components):
    """Their number of columns in our parameters."""
    return {"n_features": n_components}


class RBFSampler(FourierFeatures):
    """Our features with their parameters and defaults."""

    def __init__(self, *, gamma=1.0, n_components=100, random_state=None):
        super().__init__(gamma=gamma, **size_of(n_components), random_state=random_state)
        self.n_components = n_components

    @property
    def _gamma(self):
        """Where theirs keep the number that gamma="scale" found."""
        return 1 / (2 * self.kernel_.params["sigma"] ** 2)


class Nystroem(FourierFeatures):
    """Our landmarks with their parameters and defaults: gamma=None is 1 / columns. A function is one of differences."""

    def __init__(self, kernel="rbf", *, gamma=None, n_components=100, random_state=None):
        ours = "gaussian" if kernel == "rbf" else kernel
        super().__init__(kernel=ours, gamma=gamma, **size_of(n_components), estimator="nystrom", random_state=random_state)
        self.n_components = n_components

    def fit(self, X, y=None):
        if self.gamma is None and isinstance(self.kernel, str):
            self.gamma = 1 / np.shape(X)[1]
        return super().fit(X)


def of_differences(differences):
    return np.exp(-np.sum(differences**2, axis=1))


@pytest.fixture
def theirs(monkeypatch):
    """Their module with our classes, and with kernels that are functions of x - y in the place of those that are not."""
    module = importlib.import_module("sklearn.tests.test_kernel_approximation")
    monkeypatch.setattr(module, "RBFSampler", RBFSampler)
    monkeypatch.setattr(module, "Nystroem", Nystroem)
    monkeypatch.setattr(module, "_linear_kernel", of_differences)
    monkeypatch.setattr(module, "kernel_metrics", lambda: ["rbf", "laplacian"])
    return module


def test_of(module, name):
    if not hasattr(module, name):
        pytest.skip(f"this scikit-learn has no {name}")
    return getattr(module, name)


test_of.__test__ = False  # by its name pytest would take it for a test


@pytest.mark.parametrize("name, arguments", RUN)
def test_theirs(theirs, name, arguments):
    test = test_of(theirs, name)
    wanted = inspect.signature(test).parameters  # those of older versions are fewer
    test(**{argument: value for argument, value in arguments.items() if argument in wanted})


@pytest.mark.parametrize("ours", [RBFSampler, Nystroem])
def test_their_names_of_columns(theirs, ours):
    test_of(theirs, "test_get_feature_names_out")(ours)


def test_all_of_theirs_are_run_or_named(theirs):
    callers = {
        name
        for name, test in vars(theirs).items()
        if name.startswith("test_") and {"RBFSampler", "Nystroem"} & set(getattr(test, "__code__", test_of.__code__).co_names)
    }
    assert callers - set(NOT_MEANT) == {name for name, _ in RUN} & callers


def test_nystroem_default_gamma():
    """The half of test_nystroem_default_parameters that is of a kernel of ours."""
    X = np.random.RandomState(42).uniform(size=(10, 4))
    Z = Nystroem(n_components=10).fit_transform(X)
    np.testing.assert_array_almost_equal(Z @ Z.T, rbf_kernel(X, gamma=None))


def test_frequencies_do_not_depend_on_the_dtype():
    X = [[1, 2], [3, 4], [5, 6]]
    single, double = (FourierFeatures(gamma=1.0, random_state=42).fit(np.array(X, dtype)) for dtype in (np.float32, np.float64))
    np.testing.assert_array_equal(single.frequencies_, double.frequencies_)
    np.testing.assert_array_equal(single.weights_, double.weights_)
