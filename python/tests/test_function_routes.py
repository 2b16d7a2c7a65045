"""Functions of differences as kernels: by which route their Fourier measures are found, what is refused, and that atoms are those of C++."""

import copy
import math
import pickle
import warnings

import numpy as np
import pytest
from sklearn.base import clone

from askrff import FourierFeatures, Kernel, diagnose, kernels
from samples import relative_error, rows


def test_a_measure_is_sought_once():
    farthest = []

    def bell(delta):
        farthest.append(np.abs(delta).max())
        return np.exp(-np.square(delta).sum(axis=1))

    kernel, X = Kernel.from_function(bell), np.random.default_rng(0).random((60, 2))
    kernel.measure_reason(2)
    assert max(farthest) > 1e50, "a search looks far out"
    farthest.clear()
    diagnose(kernel, X, n_rows=20)
    features = clone(FourierFeatures(kernel=kernel, n_features=8, random_state=0)).fit(X)
    assert features.kernel_.measure_reason(2).startswith("product")
    assert farthest and max(farthest) < 1e50


@pytest.mark.parametrize("make", [lambda: kernels.expression("exp(-abs(x + 0.3))"), lambda: Kernel("gaussian", sigma=2.0) + Kernel("laplacian")])
def test_the_library_gets_the_kernel_that_keeps_its_measure(make):
    kernel = make()
    assert kernels.kernel_choice(kernel, None, None, 2, lambda: 1.0)["kernel"] is kernel._core
    assert copy.deepcopy(kernel) is kernel
    assert pickle.loads(pickle.dumps(kernel)) == kernel


def bell(delta):
    return np.exp(-0.5 * np.sum((delta + 0.3) ** 2, axis=1))


def matern(delta):
    r = np.sqrt(3) * np.linalg.norm(delta, axis=1)
    return (1 + r) * np.exp(-r)


def skew(delta):
    return np.exp(-0.5 * np.sum(delta**2, axis=1)) * (1 + np.sinh(delta @ np.array([0.5, -0.3, 0.1])))


def one_sided(delta):
    return np.where(np.all(delta > 0, axis=1), np.exp(-np.sum(np.maximum(delta, 0), axis=1)), 0.0)


@pytest.mark.parametrize("function, route", [(bell, "product"), (matern, "radial"), (skew, "ridge")])
def test_routes_are_found_and_can_be_asked_for(function, route):
    kernel = Kernel.from_function(function)
    assert kernel.measure_reason(3).startswith(route)
    assert Kernel.from_function(function, route=route).measure_reason(3).startswith(route)
    assert "calibrated was asked for" in Kernel.from_function(function, route="calibrated").measure_reason(3)
    assert Kernel("gaussian").measure_reason(3) == ""


def test_masses_are_those_of_the_named_kernel():
    named = Kernel("shift-gaussian", sigma=1.0, shift=0.3).masses(3)
    found = Kernel.from_function(bell).masses(3)
    assert found.keys() == named.keys()
    for key, value in named.items():
        assert found[key] == pytest.approx(value, abs=2e-6)
    assert Kernel.from_function(one_sided).masses(1) is None


def test_features_without_data_to_fit_weights_on():
    features = FourierFeatures(kernel=bell, weights="exact", n_frequencies=1024, random_state=0).fit(rows(100))
    assert relative_error(features, rows(200, seed=3), rows(200, seed=4)) < 0.05


def test_a_route_that_does_not_fit_is_refused():
    with pytest.raises(ValueError, match="the route radial does not fit"):
        Kernel.from_function(bell, route="radial").measure_reason(3)
    with pytest.raises(ValueError, match="infinite total mass"):
        Kernel.from_function(one_sided, route="product").masses(1)
    assert "infinite total mass" in Kernel.from_function(one_sided).measure_reason(1)
    assert "not integrable" in Kernel.from_function(lambda delta: np.ones(len(delta))).measure_reason(2)


@pytest.mark.parametrize(
    "options, message",
    [
        ({"route": "fourier"}, "expected auto, product"),
        ({"tolerance": 1e-12}, "tolerance"),
        ({"tolerance": -1.0}, "tolerance"),
        ({"direction": [0.0, 0.0]}, "direction is 0"),
        ({"direction": [np.nan]}, "finite"),
        ({"direction": []}, "expected a sequence"),
        ({"direction": 3.0}, "expected a sequence"),
    ],
)
def test_bad_options_are_refused(options, message):
    with pytest.raises(ValueError, match=message):
        Kernel.from_function(bell, **options)


def test_errors_come_out_as_they_were_raised():
    def broken(delta):
        if np.abs(delta).max() > 1e6:
            raise KeyError("far out")
        return bell(delta)

    with pytest.raises(KeyError, match="far out"):
        Kernel.from_function(broken).masses(2)
    with pytest.raises(TypeError, match="complex128"):
        Kernel.from_function(lambda delta: bell(delta) + 0j).masses(2)
    with pytest.raises(ValueError, match="one number for each"):
        Kernel.from_function(lambda delta: bell(delta)[:-1]).masses(2)
    with pytest.raises(KeyboardInterrupt):
        Kernel.from_function(lambda delta: (_ for _ in ()).throw(KeyboardInterrupt())).masses(2)


def test_what_overflows_far_out_is_silent_and_harmless():
    kernel = Kernel.from_function(lambda delta: np.exp(-0.5 * delta[:, 0] ** 2) * (1 + np.sinh(0.5 * delta[:, 0])))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        masses = kernel.masses(1)
    assert masses["real_positive"] == pytest.approx(1, abs=1e-5)


def test_the_function_is_called_in_blocks():
    sizes = []

    def counted(delta):
        sizes.append(len(delta))
        return bell(delta)

    kernel = Kernel.from_function(counted)
    kernel.masses(2)
    assert max(sizes) <= 16384 and len(sizes) < 200
    n_calls = len(sizes)
    kernel.masses(2)
    assert len(sizes) == n_calls


def test_options_survive_pickling_and_shifting():
    kernel = Kernel.from_function(skew, route="ridge", direction=[5.0, -3.0, 1.0], tolerance=1e-5)
    again = pickle.loads(pickle.dumps(kernel))
    assert again == kernel and again.measure_reason(3) == kernel.measure_reason(3)
    assert "was given" in again.measure_reason(3)
    assert kernel != Kernel.from_function(skew)
    fitted = pickle.loads(pickle.dumps(FourierFeatures(kernel=kernel, n_frequencies=16, random_state=0).fit(rows())))
    assert fitted.kernel_.measure_reason(3) == kernel.measure_reason(3)


def test_atoms_do_not_depend_on_how_a_function_rounds():
    """numpy's exponential, the C library's (which C++ has) and long double rounded: the same bits (a chance of a few in ten thousand)."""

    def by_library(delta):
        return np.array([math.exp(-0.5 * sum((x + 0.3) ** 2 for x in row)) for row in delta.tolist()])

    def by_long_double(delta):
        return np.exp(-np.sum((delta.astype(np.longdouble) + np.longdouble(0.3)) ** 2, axis=1) / 2).astype(np.float64)

    def features(function):
        return FourierFeatures(kernel=function, weights="exact", n_frequencies=64, random_state=3).fit(rows(d=2)).transform(rows(20, d=2))

    wanted = features(bell)
    for function in (by_library, by_long_double):
        np.testing.assert_array_equal(features(function), wanted)
