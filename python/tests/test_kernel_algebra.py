"""Sums and products of kernels, scales, and the named families from Python."""

import pickle

import numpy as np
import pytest

from askrff import FourierFeatures, FourierRegressor, Kernel, exact_kernel, kernels
from samples import own_kernel, rows

A, B = Kernel("gaussian", sigma=0.5), Kernel("shift-gaussian", sigma=1, shift=[0.1, 0.2, 0.3])


def test_sums_and_products_are_those_of_the_matrices():
    X, Y = rows(20), rows(30, seed=1)
    a, b, c = A(X, Y), B(X, Y), Kernel("laplacian")(X, Y)
    laplacian = Kernel("laplacian")
    for kernel, expected in [
        (A + 0.3 * B, a + 0.3 * b),
        (A - B * 2, a - 2 * b),
        (A - (B - laplacian), a - (b - c)),
        (A * B * laplacian, a * b * c),
        ((A + B) * laplacian, (a + b) * c),
        (laplacian * (A - B), c * (a - b)),
        (-A, -a),
        (-(A - B) + laplacian, b - a + c),
        (np.float64(0.5) * A, 0.5 * a),
        (sum([A, B, laplacian]), a + b + c),
        (2 * Kernel("gaussian(sigma=0.5)-laplacian"), 2 * (a - c)),
    ]:
        np.testing.assert_allclose(kernel(X, Y), expected, atol=1e-14)
        assert pickle.loads(pickle.dumps(kernel)) == kernel
        assert kernel == Kernel(kernel.name)


def test_of_functions_they_are_functions():
    X, Y = rows(20), rows(30, seed=1)
    a, own = A(X, Y), exact_kernel(X, Y, kernel=own_kernel)
    mine = Kernel.from_function(own_kernel)
    cases = [(A + mine, a + own), (mine * A - 0.5 * mine, own * a - 0.5 * own), (-mine, -own), (2 * (A + mine), 2 * (a + own))]
    for kernel, expected in cases:
        assert kernel.function is not None and not kernel.symmetric
        np.testing.assert_allclose(kernel(X, Y), expected, atol=1e-14)
        np.testing.assert_allclose(pickle.loads(pickle.dumps(kernel))(X, Y), expected, atol=1e-14)


@pytest.mark.parametrize("operation", [lambda: A + 1, lambda: 1 + A, lambda: A - None, lambda: A * True, lambda: A + own_kernel])
def test_operations_that_mean_nothing(operation):
    with pytest.raises(TypeError, match="unsupported operand"):
        operation()


def test_refusals():
    with pytest.raises(ValueError, match="weight of 0"):
        0 * A
    with pytest.raises(ValueError):
        float("nan") * A
    with pytest.raises(ValueError, match="at character 12"):
        Kernel("gaussian + gausian")
    with pytest.raises(ValueError, match="give its kernels scales"):
        Kernel("gaussian + laplacian", scales=2.0) * A
    with pytest.raises(ValueError, match="no finite mass"):
        kernels.causal_gamma(shape=1.0)


def test_scales_are_other_units():
    X, Y, scales = rows(20), rows(30, seed=1), np.array([1.0, 2.0, 0.5])
    for name in kernels.names():
        scaled = exact_kernel(X, Y, kernel=name, kernel_params={"scales": scales})
        np.testing.assert_array_equal(scaled, exact_kernel(X / scales, Y / scales, kernel=name))
    assert "scales" in kernels.gaussian.__signature__.parameters
    assert Kernel("gaussian", scales=[1, 2, 3]) == kernels.gaussian(scales=[1, 2, 3])
    with pytest.raises(ValueError, match="scales is 0"):
        Kernel("gaussian", scales=[1, 0, 3])
    features = FourierFeatures(kernel="gaussian", kernel_params={"scales": [1, 2, 3]}, random_state=0).fit(rows())
    assert features.kernel_.params["scales"] == [1, 2, 3] and features.kernel_.params["sigma"] > 0


def test_estimators_take_them():
    X, kernel = rows(), 0.7 * A + Kernel("causal-gamma", shape=3) * Kernel("laplacian")
    for given in (kernel, kernel.name):
        drawn = {"estimator": "polar", "weights": "exact", "sampler": "exact", "n_frequencies": 4096, "random_state": 0}
        features = FourierFeatures(kernel=given, **drawn).fit(X)
        left, right = features.transform(X[:50]), features.transform_right(X[50:100])
        assert np.abs(left @ right.T - kernel(X[:50], X[50:100])).max() < 0.1
    model = FourierRegressor(kernel=kernel, random_state=0).fit(X, X[:, 0])
    assert model.score(X, X[:, 0]) > 0.9
    again = pickle.loads(pickle.dumps(model))
    np.testing.assert_array_equal(again.predict(X), model.predict(X))
