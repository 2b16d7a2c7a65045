"""kernel_operator: sums of kernels in 1 to 3 dimensions against the exact matrix."""

import pickle

import numpy as np
import pytest

from askrff import FourierFeatures, Kernel, exact_kernel, kernel_operator, kernels, load


def points(n, d, seed=0):
    return np.random.default_rng(seed).uniform(size=(n, d))


@pytest.mark.parametrize("d", [1, 2, 3])
@pytest.mark.parametrize(
    "kernel",
    [kernels.gaussian(sigma=0.1), kernels.shift_gaussian(sigma=0.1, shift=0.05), kernels.sinh_gaussian(sigma=0.3, beta=2.0)],
    ids=lambda kernel: kernel.name,
)
@pytest.mark.parametrize("tolerance", [1e-3, 1e-8])
def test_every_entry_is_within_the_tolerance(d, kernel, tolerance):
    X, Y = points(60, d), points(50, d, 1)
    K = kernel_operator(X, Y, kernel=kernel, tolerance=tolerance)
    exact = exact_kernel(X, Y, kernel=kernel)
    assert K.shape == exact.shape and K.dtype == np.float64
    largest = np.abs(exact).max()
    assert np.abs(K @ np.eye(50) - exact).max() <= tolerance * largest
    assert np.abs(K.T @ np.eye(60) - exact.T).max() <= tolerance * largest
    assert K.grid_["truncation"] + K.grid_["aliasing"] <= tolerance


def test_float32_stays_float32():
    X = points(60, 3).astype(np.float32)
    K = kernel_operator(X, kernel="shift-gaussian", kernel_params={"sigma": 0.1, "shift": 0.05}, tolerance=1e-5)
    v = np.ones(60, dtype=np.float32)
    assert K.dtype == np.float32 and (K @ v).dtype == np.float32
    exact = exact_kernel(X, kernel="shift-gaussian", kernel_params={"sigma": 0.1, "shift": 0.05})
    assert np.abs(K @ np.eye(60, dtype=np.float32) - exact).max() <= 1e-5


def test_any_number_of_threads_gives_the_same_bits_and_so_does_a_copy():
    X, v = points(5000, 2), np.random.default_rng(2).normal(size=5000)
    one = kernel_operator(X, kernel=kernels.gaussian(sigma=0.02), n_jobs=1)
    two = kernel_operator(X, kernel=kernels.gaussian(sigma=0.02), n_jobs=2)
    assert np.array_equal(one @ v, two @ v)
    assert np.array_equal(pickle.loads(pickle.dumps(one)) @ v, one @ v)
    assert np.array_equal(one @ np.column_stack([v, 2 * v])[:, :1], (one @ v)[:, None])
    assert np.allclose(one @ (v + 1j * v), (1 + 1j) * (one @ v))


def test_no_points_and_one_point():
    none, one = np.empty((0, 2)), np.zeros((1, 2))
    assert (kernel_operator(one, none, kernel="gaussian") @ np.empty(0)).tolist() == [0.0]
    assert kernel_operator(one, kernel="gaussian") @ np.ones(1) == pytest.approx([1.0], abs=1e-6)


@pytest.mark.parametrize(
    "arguments, message",
    [
        ({"X": np.zeros((5, 4))}, "4 dimensions, expected 1 to 3"),
        ({"X": np.zeros((5, 2)), "Y": np.zeros((5, 3))}, "X has 2 columns, Y has 3"),
        ({"X": [[np.nan]]}, "NaN"),
        ({"X": points(9, 2), "tolerance": 0.0}, "tolerance"),
        ({"X": points(9, 2), "tolerance": 0.9}, "expected 1e-13 to 0.5"),
        ({"X": points(9, 3), "kernel": kernels.laplacian(sigma=0.01)}, "GB"),
        ({"X": points(9, 1), "kernel": Kernel.from_function(lambda delta: np.exp(-(delta[:, 0] ** 2)), route="calibrated")}, "no Fourier measure"),
        ({"X": points(9, 1), "kernel": Kernel.from_function(lambda delta: np.exp(-(delta[:, 0] ** 2))), "tolerance": 1e-9}, "does not fall"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_what_is_wrong_is_said(arguments, message):
    with pytest.raises(ValueError, match=message):
        kernel_operator(arguments.pop("X"), arguments.pop("Y", None), **arguments)


def test_a_function_with_a_measure():
    X, v = points(200, 1), np.random.default_rng(1).normal(size=200)
    operator = kernel_operator(X, kernel=Kernel.from_function(lambda delta: np.exp(-((4 * delta[:, 0] - 0.3) ** 2))), tolerance=1e-5)
    exact = np.exp(-((4 * (X - X.T) - 0.3) ** 2)) @ v
    np.testing.assert_allclose(operator @ v, exact, atol=1e-5 * np.abs(v).sum())


def test_a_map_on_a_grid_has_an_operator_by_fast_transforms(tmp_path):
    X = points(3000, 2)
    features = FourierFeatures(
        kernel="shift-gaussian", kernel_params={"sigma": 0.1, "shift": 0.05}, n_features=1200, sampler="grid", weights="exact", scale="none", random_state=0
    ).fit(X)
    v = np.random.default_rng(3).normal(size=3000)
    by_features = features.transform(X) @ (features.transform_right(X).T @ v)
    exact = exact_kernel(X, kernel="shift-gaussian", kernel_params={"sigma": 0.1, "shift": 0.05}) @ v
    by_grid = features.operator(X) @ v
    size = np.abs(v).sum()
    assert np.abs(by_features - exact).max() <= 1e-5 * size
    assert np.abs(by_grid - by_features).max() <= 1e-6 * size
    with pytest.raises(ValueError, match="apart in column"):
        features.operator(3 * X)
    features.save(tmp_path / "map.askrff")
    assert np.array_equal(load(tmp_path / "map.askrff").operator(X) @ v, by_grid)
