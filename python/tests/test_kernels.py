"""Kernels: by name, as objects, as functions; their parameters and masses."""

import copy
import pickle

import numpy as np
import pytest
from sklearn.metrics.pairwise import rbf_kernel

from askrff import FourierFeatures, Kernel, exact_kernel, kernels, shifted
from samples import SHIFT, own_kernel, relative_error, rows

def test_kernel_by_name_object_and_function_agree():
    X, Y = rows(40), rows(30, seed=1)
    by_name = exact_kernel(X, Y, kernel="shift-gaussian", kernel_params={"sigma": np.sqrt(0.5), "shift": 0.5})
    np.testing.assert_allclose(Kernel("shift-gaussian", sigma=np.sqrt(0.5), shift=0.5)(X, Y), by_name, rtol=1e-12)
    np.testing.assert_allclose(exact_kernel(X, Y, kernel=own_kernel), by_name, rtol=1e-12)
    np.testing.assert_allclose(shifted(Kernel("gaussian", sigma=np.sqrt(0.5)), 0.5)(X, Y), by_name, rtol=1e-12)
    np.testing.assert_allclose(kernels.shift_gaussian(sigma=np.sqrt(0.5), shift=[0.5] * 3)(X, Y), by_name, rtol=1e-12)


def test_own_kernel_gets_features():
    features = FourierFeatures(kernel=own_kernel, n_frequencies=128, random_state=0).fit(rows(1000))
    assert relative_error(features, rows(200, seed=3), rows(200, seed=4)) < 0.05
    named = FourierFeatures(kernel="shift-gaussian", kernel_params={"sigma": np.sqrt(0.5), "shift": 0.5}, random_state=0).fit(rows(1000))
    assert features.masses_["total"] == pytest.approx(named.masses_["total"], abs=1e-5)
    landmarks = FourierFeatures(kernel=own_kernel, estimator="nystrom", n_frequencies=20, random_state=0).fit(rows(1000))
    assert relative_error(landmarks, rows(200, seed=3), rows(200, seed=4)) < 0.05


@pytest.mark.parametrize("name", kernels.names() + [f"shifted:{name}" for name in kernels.names() if Kernel(name).symmetric])
def test_defaults_serve_every_kernel(name):
    features = FourierFeatures(kernel=name, random_state=0).fit(rows())
    # Kernels with a kink at 0 and narrow ones, with many periods or with an edge take more features for the same error.
    is_hard = name.endswith(("generalised-cauchy", "periodic-gaussian", "causal-gamma"))
    assert relative_error(features, rows(100, seed=3), rows(100, seed=4)) < (0.3 if is_hard else 0.05)


def test_shifted_function():
    X = rows(20)
    kernel = Kernel.from_function(own_kernel).shifted(-0.5)
    np.testing.assert_allclose(kernel(X), rbf_kernel(X, gamma=1.0), rtol=1e-12)


def test_errors_of_a_function_come_through():
    def broken(differences):
        raise KeyError("mine")

    with pytest.raises(KeyError, match="mine"):
        exact_kernel(rows(5), kernel=broken)
    with pytest.raises(ValueError, match="one number for each"):
        exact_kernel(rows(5), kernel=lambda differences: differences)


def test_an_error_of_a_function_is_not_tried_again():
    calls = []

    def broken(differences):
        calls.append(len(differences))
        raise ValueError("mine")

    with pytest.raises(ValueError, match="mine"):
        FourierFeatures(kernel=broken, random_state=0, n_jobs=1).fit(rows())
    assert len(calls) == 1


def test_kernel_keeps_its_parameters_to_itself():
    shift = np.array([0.1, 0.2])
    kernel = Kernel("shift-gaussian", sigma=1.0, shift=shift)
    same, text = copy.deepcopy(kernel), repr(kernel)
    shift[0] = 5.0
    kernel.params["shift"][0] = 5.0
    assert kernel == same and repr(kernel) == text == "Kernel('shift-gaussian', sigma=1.0, shift=[0.1, 0.2])"
    of_function = Kernel.from_function(own_kernel).shifted(shift)
    before = of_function(rows(4, d=2))
    shift[0] = 7.0
    np.testing.assert_array_equal(of_function(rows(4, d=2)), before)


@pytest.mark.parametrize("dim, error", [(-1, ValueError), (0, ValueError), (10**30, ValueError), (1.5, TypeError), (None, TypeError)])
def test_masses_in_dimensions_that_are_none(dim, error):
    with pytest.raises(error, match="^dim is "):
        Kernel("gaussian").masses(dim)


def test_kernel_is_a_value():
    kernel = Kernel("sinh-gaussian", sigma=1.5, beta=[0.1, 0.2])
    for other in (copy.deepcopy(kernel), pickle.loads(pickle.dumps(kernel))):
        assert other == kernel and hash(other) == hash(kernel)
    assert kernel != Kernel("sinh-gaussian", sigma=1.5, beta=[0.1, 0.3])
    assert not kernel.symmetric and Kernel("gaussian").symmetric and Kernel("gaussian").positive_definite


def test_every_kernel_of_the_registry_has_a_function():
    for name in kernels.names():
        make = getattr(kernels, name.replace("-", "_").replace("/", "_"))
        assert make().name == name
        assert make.__doc__ and make.__signature__.parameters


def test_masses_of_the_measure():
    masses = FourierFeatures(**SHIFT, random_state=0).fit(rows()).masses_
    assert masses["real_positive"] - masses["real_negative"] == pytest.approx(np.exp(-3 * 0.25**2 / 2), abs=1e-12)
