"""askrff.diagnose: what is found, how it is shown, what is refused."""

import numpy as np
import pytest
import scipy.sparse as sp
import scipy.sparse.linalg

from askrff import Kernel, diagnose, exact_kernel, kernels

X = np.random.default_rng(0).uniform(size=(300, 3))


def test_an_asymmetric_kernel():
    k = kernels.sinh_gaussian(sigma=0.7, beta=1.0)
    found = diagnose(k, X, n_rows=300)
    K = exact_kernel(X, kernel=k)
    assert (found.kernel, found.dim, found.n_rows) == ("sinh-gaussian", 3, 300)
    assert found.kernel_class == "asymmetric"
    assert found.skew_share == pytest.approx(np.linalg.norm(K - K.T) / 2 / np.linalg.norm(K), rel=1e-12)
    assert found.smallest_eigenvalue == pytest.approx(np.linalg.eigvalsh((K + K.T) / 2)[0], abs=1e-10)
    singular = np.linalg.svd(K, compute_uv=False)
    np.testing.assert_allclose(found.singular_values, singular, atol=1e-10)
    rest = np.sqrt(np.cumsum(singular[::-1] ** 2))[::-1] / np.linalg.norm(K)
    assert found.features_for_1e_2 == np.argmax(rest <= 1e-2)
    assert found.features_for_1e_3 == np.argmax(rest <= 1e-3)
    assert found.shift_invariant and found.integrable and found.has_measure and found.decay == np.inf


def test_a_function_of_ones_own():
    found = diagnose(lambda delta: np.exp(-np.abs(delta).sum(axis=1)), X, n_rows=50)
    assert found.kernel_class == "positive definite"
    assert found.smoothness == "kink"
    assert found.integrable
    jump = diagnose(lambda delta: np.where(delta[:, 0] > 0, np.exp(-delta[:, 0]), 0.0), X[:, :1], n_rows=50)
    assert jump.smoothness == "jump"


def test_a_function_that_overflows_far_from_all_rows_is_looked_at():
    with np.errstate(all="ignore"):
        found = diagnose(lambda delta: (np.exp(-(delta**2)) * np.cosh(delta)).prod(axis=1), X, n_rows=50)
    assert found.smoothness == "smooth"


def test_what_a_function_raises_comes_out():
    def broken(delta):
        raise KeyError("mine")

    with pytest.raises(KeyError, match="mine"):
        diagnose(broken, X)
    with pytest.raises(ValueError, match="finite"):
        diagnose(lambda delta: np.full(len(delta), np.nan), X)


def test_names_without_sigma_are_stretched_to_the_rows():
    wide, narrow = diagnose("gaussian", X), diagnose("gaussian", 1e-3 * X)
    assert wide.features_for_1e_3 == narrow.features_for_1e_3
    assert diagnose("gaussian", X, gamma=0.5).features_for_1e_3 < diagnose("gaussian", X, gamma=50.0).features_for_1e_3


def test_sparse_rows():
    sparse = sp.csr_matrix(X)
    assert diagnose("laplacian", sparse).features_for_1e_2 == diagnose("laplacian", X).features_for_1e_2


def test_it_is_shown_as_a_table():
    text = repr(diagnose("difference-of-gaussians", X, kernel_params={"sigma": 0.3, "sigma2": 0.6, "weight": 0.9}))
    for part in ("difference-of-gaussians in 3 dimensions", "indefinite", "skew_share", "recommended: "):
        assert part in text


def test_it_is_drawn():
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    from matplotlib.figure import Figure

    figure = diagnose("shift-gaussian", X).plot(Figure())
    assert len(figure.axes) == 4
    assert len(figure.axes[0].lines) == 4
    assert diagnose(Kernel.from_pairs(lambda A, B: A @ B.T), X).plot(Figure()) is not None


def test_pairs():
    found = diagnose(Kernel.from_pairs(lambda A, B: np.exp(-((A[:, None, 0] - 2 * B[None, :, 0]) ** 2))), X)
    assert not found.shift_invariant and found.shift_variation > 0.1
    assert found.route == "nystrom" and found.lines == []


@pytest.mark.parametrize("n_rows", [0, 1, 2001, "many", 2.5])
def test_wrong_numbers_of_rows(n_rows):
    with pytest.raises((ValueError, TypeError), match="n_rows"):
        diagnose("gaussian", X, n_rows=n_rows)
    with pytest.raises(ValueError):
        diagnose("gaussian", X[:1])


def skew_matrix(X, Y):
    width = 1 + 0.5 * np.sin(3 * X[:, :1])
    return np.exp(-np.square(X[:, None] + 0.4 - Y[None]).sum(axis=2) / (2 * width**2))


def test_a_matrix():
    K = skew_matrix(X, X)
    found = diagnose("precomputed", K)
    assert (found.n_rows, found.n_columns, found.kernel_class, found.is_whole) == (300, 300, "asymmetric", True)
    assert found.norm == pytest.approx(np.linalg.norm(K), rel=1e-12)
    assert found.skew_share == pytest.approx(np.linalg.norm(K - K.T) / 2 / np.linalg.norm(K), rel=1e-12)
    assert found.smallest_eigenvalue == pytest.approx(np.linalg.eigvalsh((K + K.T) / 2)[0], abs=1e-10)
    np.testing.assert_allclose(found.singular_values, np.linalg.svd(K, compute_uv=False), atol=1e-10)
    assert "recommended: " in repr(found)
    large = skew_matrix(*(np.random.default_rng(1).uniform(size=(n, 3)) for n in (1100, 1200)))
    for matrix in (large, sp.csr_matrix(large), sp.linalg.aslinearoperator(large)):
        found = diagnose("precomputed", matrix, n_rows=10)
        assert found.kernel_class is None and not found.is_whole
        np.testing.assert_allclose(found.singular_values, np.linalg.svd(large, compute_uv=False)[:10], rtol=1e-3)
        assert "kernel_class" not in repr(found)


def test_a_picture_of_a_matrix():
    pyplot = pytest.importorskip("matplotlib.pyplot")
    figure = diagnose("precomputed", skew_matrix(X, X)).plot()
    assert len(figure.axes) == 2
    pyplot.close(figure)


@pytest.mark.parametrize("options", [{"gamma": 1.0}, {"kernel_params": {"sigma": 1.0}}, {"n_rows": 1}])
def test_what_a_matrix_has_not_is_refused(options):
    with pytest.raises(ValueError, match=next(iter(options))):
        diagnose("precomputed", X, **options)
    with pytest.raises(ValueError, match="zero"):
        diagnose("precomputed", np.zeros((20, 20)))
