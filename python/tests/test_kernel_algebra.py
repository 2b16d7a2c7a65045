"""Sums and products of kernels, scales, and the named families from Python."""

import pickle

import numpy as np
import pytest

from askrff import FourierFeatures, FourierRegressor, Kernel, diagnose, exact_kernel, kernels
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


def pairs(X, Y):
    """No function of x - y."""
    return X @ (Y + 0.3).T


def even_pairs(X, Y):
    return X @ Y.T


def test_of_functions_of_pairs_they_are_functions_of_pairs():
    X, Y = rows(20), rows(30, seed=1)
    a, own, p = A(X, Y), exact_kernel(X, Y, kernel=own_kernel), pairs(X, Y)
    mine, k = Kernel.from_function(own_kernel), Kernel.from_pairs(pairs)
    formula = kernels.expression("exp(-r)")
    for kernel, expected in [
        (2 * k, 2 * p),
        (-k, -p),
        (k + k, 2 * p),
        (k - A, p - a),
        (A * k, a * p),
        (k * mine + A, p * own + a),
        (mine - k, own - p),
        (sum([k, k]), 2 * p),
        (formula * k, formula(X, Y) * p),
        (3 * (A + B) * k, 3 * (A + B)(X, Y) * p),
    ]:
        assert not kernel.shift_invariant and not kernel.symmetric
        np.testing.assert_allclose(kernel(X, Y), expected, atol=1e-12)
        np.testing.assert_array_equal(pickle.loads(pickle.dumps(kernel))(X, Y), kernel(X, Y))
    even = Kernel.from_pairs(even_pairs, symmetric=True)
    assert (2 * even).symmetric and (even + A).symmetric and not (even * B).symmetric
    with pytest.raises(ValueError, match="no function of x - y"):
        (2 * k).shifted(0.3)


def test_estimators_and_diagnosis_take_combinations_with_pairs():
    X = rows(200)
    kernel = 2 * Kernel.from_pairs(even_pairs, symmetric=True) + A
    features = FourierFeatures(kernel=kernel, n_features=60, random_state=0).fit(X)
    error = np.linalg.norm(features.transform(X) @ features.transform_right(X).T - kernel(X, X)) / np.linalg.norm(kernel(X, X))
    assert error < 0.1 and features.landmarks_ is not None
    assert diagnose(kernel, X).route == "nystrom"


def form_of(kernel):
    return kernel._core.form


def test_routes_are_kept_where_they_still_fit():
    mine = Kernel.from_function(own_kernel, route="calibrated", tolerance=1e-3)
    other = Kernel.from_function(own_kernel, route="grid")
    for kernel in (2 * mine, -mine, mine.shifted(0.3), mine + mine, mine * mine, mine - 0.5 * mine):
        assert form_of(kernel) == form_of(mine)
        assert "calibrated" in kernel.measure_reason(2)
    for kernel in (mine + A, mine + other, mine * A):
        assert form_of(kernel) == form_of(Kernel.from_function(own_kernel))
    product = Kernel.from_function(own_kernel, route="product")
    assert form_of(product * product)["route"] == "product" and form_of(product + product)["route"] == "auto"
    ridge = Kernel.from_function(own_kernel, route="ridge", direction=[1.0, 1.0])
    assert form_of(-ridge) == form_of(ridge) and form_of(ridge + ridge)["route"] == "auto"
    radial = Kernel.from_function(lambda delta: np.exp(-np.sum(delta**2, axis=1)), route="radial")
    assert form_of(2 * radial)["route"] == "radial" and form_of(radial.shifted(0.3))["route"] == "auto"
    assert form_of(2 * kernels.expression("exp(-r)", route="grid"))["route"] == "grid"


def test_shifts_that_cannot_be_are_refused_in_a_sentence():
    mine = Kernel.from_function(own_kernel)
    np.testing.assert_allclose(mine.shifted([0.1, 0.2, 0.3])(rows(5)), mine(rows(5) + [0.1, 0.2, 0.3], rows(5)))
    with pytest.raises(ValueError, match="shift has 2 numbers for rows with 3 columns"):
        mine.shifted([0.3, 0.2])(rows(5))
    for wrong in ("a", [], [[1.0]], float("nan"), None):
        with pytest.raises(ValueError, match="expected a finite number or one for every column"):
            mine.shifted(wrong)
    for formula in (kernels.expression("exp(-r)"), kernels.expression("exp(-r)", route="grid")):
        with pytest.raises(ValueError, match=r"is a formula and is not shifted: write the shift into it, \(x \+ 0.3\)"):
            formula.shifted(0.3)


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
