"""The operator against dense products, the SVD against numpy's."""

import pickle

import numpy as np
import pytest
import scipy.sparse as sp
import scipy.sparse.linalg

from askrff import FourierFeatures


def setting(n=120, m=90, dtype=np.float64, **options):
    rng = np.random.default_rng(0)
    X, Y = rng.uniform(size=(n, 3)).astype(dtype), rng.uniform(size=(m, 3)).astype(dtype)
    options = {"kernel": "shift-gaussian", "kernel_params": {"sigma": 0.5, "shift": 0.3}, "n_frequencies": 64, **options}
    features = FourierFeatures(**options, random_state=0).fit(np.concatenate([X, Y]))
    return features, X, Y, features.transform(X) @ features.transform_right(Y).T


@pytest.mark.parametrize("estimator", ["auto", "nystrom"])
@pytest.mark.parametrize("dtype, tolerance", [(np.float32, 2e-4), (np.float64, 1e-11)])
def test_products_are_those_of_the_dense_matrix(estimator, dtype, tolerance):
    features, X, Y, K = setting(dtype=dtype, estimator=estimator)
    rng = np.random.default_rng(1)
    v, u, V, U = (rng.normal(size=shape) for shape in (90, 120, (90, 4), (120, 4)))
    op = features.operator(X, Y)
    assert op.shape == (120, 90) and op.dtype == dtype
    close = {"rtol": 0, "atol": tolerance * 90}
    np.testing.assert_allclose(op @ v, K @ v, **close)
    np.testing.assert_allclose(op @ V, K @ V, **close)
    np.testing.assert_allclose(op.T @ u, K.T @ u, **close)
    np.testing.assert_allclose(op.H @ U, K.T @ U, **close)
    np.testing.assert_allclose(op.rmatvec(u), K.T @ u, **close)
    np.testing.assert_allclose(op @ v[:, np.newaxis], (K @ v)[:, np.newaxis], **close)
    np.testing.assert_allclose((2 * op + op) @ v, 3 * (K @ v), rtol=0, atol=3 * tolerance * 90)


def test_few_rows_and_many_give_the_same():
    # 500 rows of 128 features are kept by the operator, 5000 are not.
    features, X, Y, _ = setting(n=5000)
    v = np.random.default_rng(1).normal(size=90)
    np.testing.assert_allclose(features.operator(X, Y) @ v, np.concatenate([features.operator(part, Y) @ v for part in np.split(X, 10)]), atol=1e-12)


def test_pickle():
    features, X, Y, _ = setting()
    op = features.operator(X, Y)
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(op)) @ np.ones(90), op @ np.ones(90))


def test_complex_vectors():
    features, X, Y, K = setting()
    v = np.random.default_rng(1).normal(size=(90, 2)) @ [1, 1j]
    np.testing.assert_allclose(features.operator(X, Y) @ v, K @ v, atol=1e-10)


def test_one_set_of_rows_and_sparse_rows():
    features, X, Y, K = setting()
    v = np.ones(90)
    np.testing.assert_array_equal(features.operator(Y) @ v, features.operator(Y, Y) @ v)
    np.testing.assert_array_equal(features.operator(sp.csr_matrix(X), sp.csr_matrix(Y)) @ v, features.operator(X, Y) @ v)


def test_dtypes_that_differ_become_that_of_the_left():
    features, X, Y, K = setting()
    op = features.operator(X.astype(np.float32), Y)
    assert op.dtype == np.float32 and (op @ np.ones(90)).dtype == np.float32


def test_scipy_solvers_take_it():
    features, X, Y, K = setting()
    expected = np.linalg.svd(K, compute_uv=False)[:3]
    s = scipy.sparse.linalg.svds(features.operator(X, Y), k=3, return_singular_vectors=False, random_state=0)
    np.testing.assert_allclose(np.sort(s)[::-1], expected, rtol=1e-8)


@pytest.mark.parametrize("n, m", [(120, 90), (40, 90), (30, 20)])
def test_svd_is_that_of_the_dense_matrix(n, m):
    features, X, Y, K = setting(n, m)
    U, s, Vt = features.svd(X, Y, k=6)
    expected = np.linalg.svd(K)
    np.testing.assert_allclose(s, expected[1][:6], rtol=1e-9)
    np.testing.assert_allclose(U.T @ U, np.eye(6), atol=1e-12)
    np.testing.assert_allclose(Vt @ Vt.T, np.eye(6), atol=1e-12)
    np.testing.assert_allclose((U * s) @ Vt, (expected[0][:, :6] * expected[1][:6]) @ expected[2][:6], atol=1e-9)
    assert (U[np.abs(U).argmax(axis=0), range(6)] > 0).all()


def test_left_and_right_singular_functions_differ():
    features, X, _, _ = setting()
    U, _, Vt = features.svd(X, X, k=1)
    assert np.abs(np.abs(U[:, 0]) - np.abs(Vt[0])).max() > 0.01


def test_svd_refuses_too_many():
    features, X, Y, _ = setting()
    with pytest.raises(ValueError, match="expected at most 90"):
        features.svd(X, Y, k=91)
    with pytest.raises(ValueError, match="at least 1"):
        features.svd(X, Y, k=0)
    with pytest.raises(TypeError, match="whole number"):
        features.svd(X, Y, k=1.5)
