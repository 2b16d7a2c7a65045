"""Causal operators against dense matrices, sums of exponentials against the functions they are fitted to."""

import pickle

import numpy as np
import pytest

from askrff import CausalOperator, ExponentialSum, NumericalError


def dense(kernel, targets, sources):
    return kernel(np.subtract.outer(targets, sources))


def setting():
    rng = np.random.default_rng(0)
    kernel = ExponentialSum([2.0, -1.0, 0.5], [0.3, 5.0, 0.0])
    targets, sources = rng.uniform(0, 10, 200), rng.uniform(0, 10, 150)
    sources[:20] = targets[:20]
    return kernel, targets, sources


def test_products_are_those_of_the_dense_matrix():
    kernel, targets, sources = setting()
    K, op = dense(kernel, targets, sources), CausalOperator(kernel, targets, sources)
    rng = np.random.default_rng(1)
    v, u, V = rng.normal(size=150), rng.normal(size=200), rng.normal(size=(150, 3))
    assert op.shape == (200, 150) and op.dtype == np.float64
    np.testing.assert_allclose(op @ v, K @ v, atol=1e-12)
    np.testing.assert_allclose(op @ V, K @ V, atol=1e-12)
    np.testing.assert_allclose(op.T @ u, K.T @ u, atol=1e-12)
    np.testing.assert_allclose(op.H @ (u + 2j * u), K.T @ (u + 2j * u), atol=1e-12)
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(op)) @ v, op @ v)
    np.testing.assert_array_equal(CausalOperator(kernel, targets, sources, n_jobs=2) @ v, op @ v)


def test_one_set_of_times_and_none():
    kernel, targets, _ = setting()
    np.testing.assert_array_equal(CausalOperator(kernel, targets) @ np.ones(200), CausalOperator(kernel, targets, targets) @ np.ones(200))
    assert (CausalOperator(kernel, [1.0], np.zeros(0)) @ np.zeros(0)).tolist() == [0.0]
    assert (CausalOperator(kernel, np.zeros(0), [1.0]) @ np.ones(1)).shape == (0,)


def test_values_and_integrals():
    kernel = ExponentialSum([2.0, 3.0], [1.0, 0.0])
    assert kernel(0.0) == 0 and kernel(-1.0) == 0 and kernel(1) == pytest.approx(3 + 2 / np.e)
    assert kernel.integral(1.0) == pytest.approx(3 + 2 * (1 - 1 / np.e))
    assert kernel(np.ones((2, 3))).shape == (2, 3)
    assert "rates=[1.0, 0.0]" in repr(kernel)


def test_a_function_is_fitted():
    phi = ExponentialSum.fit(lambda t: 1 / (1 + t), horizon=1000.0, tolerance=1e-5)
    t = np.geomspace(1e-3, 1000, 777)
    assert np.abs(phi(t) - 1 / (1 + t)).max() < 1.1e-5
    assert phi.error <= 1e-5 and len(phi.rates) < 15


@pytest.mark.parametrize(
    "function, options, error, sentence",
    [
        (lambda t: np.cos(50 * t), {"max_terms": 5}, NumericalError, "5 exponentials come within|exponentials come within"),
        (lambda t: np.full_like(t, np.nan), {}, ValueError, "expected a finite number"),
        (lambda t: t[:-1], {}, ValueError, "expected one number for each"),
        (lambda t: 1 / 0, {}, ZeroDivisionError, "division"),
        (3, {}, TypeError, "expected a function"),
        (np.exp, {"tolerance": -1}, ValueError, "tolerance"),
        (np.exp, {"shortest": 2.0}, ValueError, "shortest"),
    ],
)
def test_fits_that_are_refused(function, options, error, sentence):
    with pytest.raises(error, match=sentence):
        ExponentialSum.fit(function, horizon=1.0, **options)


def test_refusals():
    kernel = ExponentialSum([1.0], [1.0])
    with pytest.raises(ValueError, match="rate 0 is -1"):
        ExponentialSum([1.0], [-1.0])
    with pytest.raises(ValueError, match="expected as many"):
        ExponentialSum([1.0, 2.0], [1.0])
    with pytest.raises(ValueError, match=r"targets\[1\] is nan"):
        CausalOperator(kernel, [0.0, np.nan])
    with pytest.raises(ValueError, match="one dimension"):
        CausalOperator(kernel, [[0.0]])
    with pytest.raises(TypeError, match="datetime64"):
        CausalOperator(kernel, np.array(["2024-01-01"], dtype="datetime64[s]"))
    with pytest.raises(TypeError, match="ExponentialSum"):
        CausalOperator("gaussian", [0.0])
    with pytest.raises(ValueError):
        CausalOperator(kernel, [0.0]) @ np.array([np.inf])
