"""The extension module by itself: arrays without copies, errors."""

import threading

import numpy as np
import pytest
import scipy.sparse as sp

from alone import output_of
from askrff import _core
from askrff._validation import core_rows
from core_maps import codes, fourier, kernel, left, right, rows


@pytest.mark.parametrize(
    "call",
    [
        "map.left(X, out)",
        "_core.kernel_product(map, X, X[:10]).apply(V)",
        "_core.RidgeTrainer(map).add(X, X[:, :1])",
        "model.outputs(X)",
    ],
)
def test_rows_are_not_copied(call):
    script = f"""
    import resource
    peak = lambda: resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024  # MiB
    X = np.ones((13_000, 1024))  # 102 MiB
    map = _core.make_map("gaussian", X[:100], n_frequencies=4, estimator="jordan", weights="exact")
    model, _, _ = _core.train("linear", np.eye(1024), np.eye(1024)[:, :1].copy(), model="ridge", c=[1.0])
    out, V = np.ones((len(X), map.n_features)), np.ones((10, 1))
    map.left(X[:100], out[:100])
    before = peak()
    {call}
    print(peak() - before)
    """
    assert float(output_of(script)) < 60  # blocks of rows; a copy would be 102


def test_results_own_their_memory(kernel, rows):
    gram = kernel.gram(rows, rows)
    assert gram.flags.writeable and gram.flags.c_contiguous and gram.dtype == np.float64
    before = gram.copy()
    del kernel
    assert np.array_equal(gram, before)


def test_views_outlive_their_map(kernel, rows):
    map = _core.make_map(kernel, rows, n_frequencies=1000, weights="exact")
    frequencies, weights = map.frequencies, map.weights
    copies = frequencies.copy(), weights.copy()
    del map
    assert np.array_equal(frequencies, copies[0]) and np.array_equal(weights, copies[1])
    assert not frequencies.flags.writeable and weights.dtype == np.complex128
    with pytest.raises(ValueError):
        frequencies[0, 0] = 1


def test_read_only_rows_and_memmaps(fourier, rows, tmp_path):
    expected = left(fourier, rows)
    frozen = rows.copy()
    frozen.setflags(write=False)
    assert np.array_equal(left(fourier, frozen), expected)
    np.save(tmp_path / "rows.npy", rows)
    assert np.array_equal(left(fourier, np.load(tmp_path / "rows.npy", mmap_mode="r")), expected)


def test_rows_of_a_wider_array_are_taken_as_they_are(fourier, rows):
    wide = np.hstack([rows, rows])
    assert np.array_equal(left(fourier, wide[:, :3]), left(fourier, rows))
    assert np.array_equal(left(fourier, rows[::2]), left(fourier, rows)[::2])
    out = np.zeros((len(rows), fourier.n_features + 5))
    fourier.left(rows, out[:, : fourier.n_features])
    assert np.array_equal(out[:, : fourier.n_features], left(fourier, rows)) and not out[:, fourier.n_features :].any()


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_features_multiply_to_the_kernel(kernel, fourier, rows, dtype):
    X = rows.astype(dtype)
    approximation = left(fourier, X) @ right(fourier, X).T
    vectors = np.random.default_rng(2).normal(size=(len(X), 2)).astype(dtype)
    tolerance = 1e-4 if dtype == np.float32 else 1e-11
    product = _core.kernel_product(fourier, X, X)
    assert np.allclose(product.apply(vectors), approximation @ vectors, atol=tolerance)
    assert np.allclose(product.apply(vectors, transposed=True), approximation.T @ vectors, atol=tolerance)
    assert product.apply(vectors).dtype == dtype
    exact = kernel.gram(rows, rows)
    assert np.linalg.norm(approximation - exact) < 0.2 * np.linalg.norm(exact)


def test_no_rows(fourier):
    nothing = np.empty((0, 3))
    assert left(fourier, nothing).shape == (0, fourier.n_features)
    assert _core.kernel_product(fourier, nothing, nothing).apply(np.empty((0, 1))).shape == (0, 1)


@pytest.mark.parametrize("make", [np.asarray, sp.csr_matrix])
def test_rows_and_features_of_different_types(fourier, rows, make):
    single = rows.astype(np.float32)
    for X, expected in ((rows, left(fourier, single)), (single, left(fourier, single.astype(np.float64)))):
        out = np.empty_like(expected)
        fourier.left(core_rows(make(X)), out)
        np.testing.assert_array_equal(out, expected)


# --- errors ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "change, error, sentence",
    [
        (lambda X, out: (X.astype(np.float16), out), TypeError, "X holds float16, expected float32 or float64"),
        (lambda X, out: (X.astype(int), out), TypeError, "X holds int64, expected float32 or float64"),
        (lambda X, out: (X, out.astype(np.float16)), TypeError, "out holds float16, expected float32 or float64"),
        (lambda X, out: (X[:, ::-1], out), ValueError, "X is not in C order"),
        (lambda X, out: (np.asfortranarray(X), out), ValueError, "X is not in C order"),
        (lambda X, out: (X[0], out), ValueError, "X has 1 dimension, expected 2"),
        (lambda X, out: (X, out[:5]), ValueError, "out is 5 x .*, expected 400 x"),
        (lambda X, out: (X[:, :2], out), ValueError, "X has 2 columns, the map was made for 3"),
        (lambda X, out: (X * np.nan, out), ValueError, "nan"),
    ],
)
def test_wrong_arrays(fourier, rows, change, error, sentence):
    X, out = change(rows, np.empty((len(rows), fourier.n_features)))
    with pytest.raises(error, match=sentence):
        fourier.left(X, out)


@pytest.mark.parametrize(
    "call, error, sentence",
    [
        (lambda: _core.make_kernel("gausian"), ValueError, "unknown kernel 'gausian'"),
        (lambda: _core.make_kernel("gaussian", {"sigma": -1}), ValueError, "sigma"),
        (lambda: _core.make_kernel("gaussian", {"sigma": "wide"}), ValueError, "sigma is 'wide', expected a number"),
        (lambda: _core.make_kernel("gaussian", {"sigma": {}.keys}), TypeError, "expected a number"),
        (lambda: _core.make_kernel("gaussian", {1: 2.0}), TypeError, "name"),
        (lambda: _core.make_map("gaussian", np.ones((5, 0))), ValueError, "no columns"),
        (lambda: _core.make_map("gaussian", np.ones((0, 5))), ValueError, "no rows"),
        (lambda: _core.make_map("gaussian", np.ones((5, 2)), sampler="top"), ValueError, "sampler: got 'top', expected exact, .* or grid"),
        (lambda: _core.make_map("gaussian", np.ones((5, 2)), sampler=3), TypeError, "sampler is 3, which is of a wrong type"),
        (lambda: _core.make_map("gaussian", np.ones((5, 2)), size=3), TypeError, "unexpected option 'size'"),
        (lambda: _core.make_map("gaussian", np.ones((5, 2)), column_names=["a"]), ValueError, "1 names for 2 columns"),
        (lambda: _core.load("/nowhere/map"), FileNotFoundError, "/nowhere/map"),
        (lambda: _core.make_map("linear", np.ones((5, 2))).save("/nowhere/map"), OSError, "cannot create '/nowhere/map'"),
        (lambda: _core.Map.from_bytes(b"nonsense"), ValueError, "^from_bytes: is not a model or map"),
        (lambda: _core.RidgeTrainer.from_bytes(b"nonsense"), ValueError, "^from_bytes: "),
        (lambda: _core.callable_kernel(3, "three"), TypeError, "cannot be called"),
    ],
)
def test_refusals(call, error, sentence):
    with pytest.raises(error, match=sentence):
        call()


def test_numerical_error_is_a_runtime_error():
    assert issubclass(_core.NumericalError, RuntimeError)
    X = np.array([[1.0, 1.0], [2.0, 2.0], [4.0, 4.0]]) * 1e15
    with pytest.raises(_core.NumericalError, match="C = "):
        _core.train("linear", X, X[:, :1].copy(), model="ridge", c=[1e8], bias=False, precision="float32", scale="none")


def test_wrong_labels(rows, codes):
    def trained(y, classes=("a", "b")):
        return _core.train("gaussian", rows, y, classes=list(classes), c=[1.0])

    wrong = codes.copy()
    wrong[7] = 2
    with pytest.raises(ValueError, match="codes hold 2 in row 7, expected 0 to 1"):
        trained(wrong)
    with pytest.raises(TypeError, match="codes hold float64 in 1 dimensions, expected int64 in one"):
        trained(codes * 1.0)
    with pytest.raises(ValueError, match="codes are 5, expected one for each of 400 rows"):
        trained(codes[:5])
    with pytest.raises(ValueError, match=r"Y has shape \(400, 0\), expected a row for each of 400"):
        trained(rows[:, :0].copy(), [])


def test_rows_may_come_in_blocks(rows, codes):
    class Blocks:
        shape = rows.shape

        def __call__(self, first, last):
            assert threading.current_thread() is threading.main_thread()
            return rows[first:last]

    options = {"classes": ["a", "b"], "c": [1.0], "seed": 1, "n_frequencies": 16}
    expected = _core.train("gaussian", rows, codes, **options)[0]
    assert _core.train("gaussian", Blocks(), codes, **options)[0].to_bytes() == expected.to_bytes()
    assert _core.make_map("gaussian", Blocks(), seed=1).to_bytes() == _core.make_map("gaussian", rows, seed=1).to_bytes()
    Blocks.__call__ = lambda self, first, last: rows[:3]
    with pytest.raises(ValueError, match="a block of X has another shape"):
        _core.make_map("gaussian", Blocks())
