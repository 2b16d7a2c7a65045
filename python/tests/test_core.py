"""The extension module by itself: arrays without copies, errors, threads, signals, pickles, files of the command line."""

import csv
import os
import subprocess
import sys
import textwrap
import threading
import time

import numpy as np
import pytest

from askrff import _core


@pytest.fixture(scope="module")
def rows():
    return np.random.default_rng(1).random((400, 3))


@pytest.fixture(scope="module")
def kernel():
    return _core.make_kernel("sinh-gaussian", {"sigma": 1.0})


@pytest.fixture(scope="module")
def fourier(kernel, rows):
    return _core.approximate(kernel, rows, n_frequencies=64, estimator="jordan", seed=3)


def left(map, X, **options):
    out = np.empty((len(X), map.n_features), X.dtype)
    map.left(X, out, **options)
    return out


def right(map, X, **options):
    out = np.empty((len(X), map.n_features), X.dtype)
    map.right(X, out, **options)
    return out


# The module alone, in a process of its own: without the package around it, which imports scikit-learn, that is quick.
ALONE = f"""
import importlib.util
import numpy as np
found = importlib.util.spec_from_file_location("_core", {_core.__file__!r})
_core = importlib.util.module_from_spec(found)
found.loader.exec_module(_core)
"""


def output_of(script):
    result = subprocess.run([sys.executable, "-c", ALONE + textwrap.dedent(script)], capture_output=True, text=True, timeout=120)
    assert result.returncode == 0, result.stderr
    return result.stdout.strip()


# --- arrays ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "call",
    [
        "map.left(X, out)",
        "map.apply(X, X[:10], V)",
        "_core.RidgeSums(map).add(X, X[:, :1])",
        "_core.Model(map, np.ones((map.n_features, 1)), [0.0], 'regression').outputs(X)",
    ],
)
def test_rows_are_not_copied(call):
    script = f"""
    import resource
    peak = lambda: resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024  # MiB
    X = np.ones((13_000, 1024))  # 102 MiB
    map = _core.approximate(_core.make_kernel("gaussian"), X[:100], n_frequencies=4, estimator="jordan")
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
    map = _core.approximate(kernel, rows, n_frequencies=1000)
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
    assert np.allclose(fourier.apply(X, X, vectors), approximation @ vectors, atol=tolerance)
    assert np.allclose(fourier.apply(X, X, vectors, transposed=True), approximation.T @ vectors, atol=tolerance)
    assert fourier.apply(X, X, vectors).dtype == dtype
    exact = kernel.gram(rows, rows)
    assert np.linalg.norm(approximation - exact) < 0.2 * np.linalg.norm(exact)


def test_no_rows(fourier):
    nothing = np.empty((0, 3))
    assert left(fourier, nothing).shape == (0, fourier.n_features)
    assert fourier.apply(nothing, nothing, np.empty((0, 1))).shape == (0, 1)


# --- errors ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "change, error, sentence",
    [
        (lambda X, out: (X.astype(np.float16), out), TypeError, "X holds float16, expected float32 or float64"),
        (lambda X, out: (X.astype(int), out), TypeError, "X holds int64, expected float32 or float64"),
        (lambda X, out: (X, out.astype(np.float32)), TypeError, "out holds float32, expected float64"),
        (lambda X, out: (X[:, ::-1], out), ValueError, "X is not in C order"),
        (lambda X, out: (np.asfortranarray(X), out), ValueError, "X is not in C order"),
        (lambda X, out: (X[0], out), ValueError, "X has 1 dimension, expected 2"),
        (lambda X, out: (X, out[:5]), ValueError, r"out has shape \(5, .*expected \(400"),
        (lambda X, out: (X[:, :2], out), ValueError, "2 columns.*dimension 3"),
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
        (lambda: _core.column_map(0), ValueError, "dim"),
        (lambda: _core.column_map(2).with_side("top"), ValueError, "side: got 'top', expected one of left, right, classifier"),
        (lambda: _core.load_map("/nowhere/map"), FileNotFoundError, "/nowhere/map"),
        (lambda: _core.column_map(2).save("/nowhere/map"), OSError, "cannot create '/nowhere/map'"),
        (lambda: _core.Map.from_bytes(b"nonsense"), ValueError, "^from_bytes: is not a model or map"),
        (lambda: _core.callable_kernel(3, "three"), TypeError, "cannot be called"),
        (lambda: _core.FoldDealer(1, 0), ValueError, "folds"),
    ],
)
def test_refusals(call, error, sentence):
    with pytest.raises(error, match=sentence):
        call()


def test_numerical_error_is_a_runtime_error():
    assert issubclass(_core.NumericalError, RuntimeError)
    sums = _core.RidgeSums(_core.column_map(2), precision="float32")
    X = np.array([[1.0, 1.0], [2.0, 2.0], [4.0, 4.0]]) * 1e15
    sums.add(X, X[:, :1])
    with pytest.raises(_core.NumericalError, match="C = "):
        sums.solve([1e8], bias=False)


def test_labels_out_of_range(fourier, rows):
    codes = np.zeros(len(rows), np.int64)
    codes[7] = 2
    with pytest.raises(ValueError, match="codes holds 2 in row 7, expected 0 to 1"):
        _core.fit_svm(fourier, rows, codes, 2, [1.0])
    with pytest.raises(TypeError, match="codes holds float64, expected int64"):
        _core.fit_svm(fourier, rows, codes * 1.0, 2, [1.0])
    with pytest.raises(ValueError, match="one for each of 400 rows"):
        _core.fit_svm(fourier, rows, codes[:5], 2, [1.0])


# --- kernels --------------------------------------------------------------------------------------------------------


def test_parameters_come_back_as_they_were_given():
    kernel = _core.make_kernel("shift-gaussian", {"sigma": np.float32(2), "shift": np.array([0.5, 1.0])})
    assert kernel.parameters == {"sigma": 2.0, "shift": [0.5, 1.0]}
    assert _core.make_kernel("shift-gaussian", {"shift": "3/d"}).parameters == {"sigma": 2.0, "shift": "3/d"}
    assert not kernel.symmetric and not kernel.is_callable
    assert kernel.masses(2)["total"] >= 1


def test_a_function_is_the_kernel_it_computes(rows):
    own = _core.callable_kernel(lambda d: np.exp(-0.5 * (d**2).sum(axis=1)), "own", True)
    assert own.symmetric and own.is_callable and own.name == "own" and own.masses(3) is None
    assert np.allclose(own.gram(rows, rows[:7]), _core.make_kernel("gaussian", {"sigma": 1}).gram(rows, rows[:7]), atol=1e-15)


def test_a_function_gets_read_only_rows_it_may_keep(rows):
    kept = []

    def function(differences):
        assert differences.dtype == np.float64 and differences.shape[1] == 3 and not differences.flags.writeable
        kept.append(differences)
        return differences[:, 0]

    gram = _core.callable_kernel(function, "kept").gram(rows, rows)
    assert np.allclose(np.concatenate([block[:, 0] for block in kept]).sum(), gram.sum())


@pytest.mark.parametrize(
    "function, error, sentence",
    [
        (lambda d: 1 / 0, ZeroDivisionError, "division"),
        (lambda d: 1.0, ValueError, r"returned shape \(\) for \d+ differences"),
        (lambda d: d, ValueError, r"returned shape \(\d+, 3\)"),
        (lambda d: d[:-1, 0], ValueError, "expected one number for each"),
        (lambda d: np.where(d[:, 0] > -2, np.inf, 0), ValueError, "kernel own: the function returned .* expected finite numbers"),
        (lambda d: d[:, 0] * 1j, TypeError, "returned complex128, expected float64"),
        (lambda d: None, (ValueError, TypeError), "kernel own"),
    ],
)
@pytest.mark.parametrize("n_threads", [1, 4])
def test_errors_of_functions(function, error, sentence, n_threads, rows):
    own = _core.callable_kernel(function, "own")
    with pytest.raises(error, match=sentence):
        own.gram(rows, rows, n_threads=n_threads)
    with pytest.raises(error, match=sentence):
        _core.nystrom(own, rows, n_features=5, n_threads=n_threads)


def test_a_function_where_many_threads_are_asked_for(rows):
    own = _core.callable_kernel(lambda differences: np.exp(-np.abs(differences).sum(axis=1)), "own")
    X = np.vstack([rows] * 4)
    with_four, alone = own.gram(X, X, n_threads=4), _core.make_kernel("laplacian", {"sigma": 1}).gram(X, X)
    assert np.allclose(with_four, alone, atol=1e-14)
    map = _core.choose(own, rows, n_frequencies=16, n_threads=4)
    assert map.certificate["upper"] > 0


def test_calls_from_many_threads_at_once(kernel, fourier, rows):
    expected = left(fourier, rows)
    same = []

    def work():
        for _ in range(20):
            same.append(np.array_equal(left(_core.Map.from_bytes(*fourier.to_bytes()), rows, n_threads=2), expected))

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(same) == 80 and all(same)


def test_other_threads_run_meanwhile(kernel):
    X = np.random.default_rng(0).random((3000, 8))
    ticks, stop = [0], threading.Event()

    def tick():
        while not stop.is_set():
            ticks[0] += 1
            time.sleep(0.001)

    thread = threading.Thread(target=tick)
    thread.start()
    try:
        start, before = time.perf_counter(), ticks[0]
        while time.perf_counter() - start < 0.5:
            kernel.gram(X, X, n_threads=1)
        assert ticks[0] - before > 50  # of about 400; with the lock held there would be one for every call
    finally:
        stop.set()
        thread.join()


# --- signals --------------------------------------------------------------------------------------------------------

INTERRUPTED = """
import os, signal, threading, time
signal.signal(signal.SIGINT, signal.default_int_handler)  # which a process begun in the background does not have
rng = np.random.default_rng(0)
{setup}
sent = []
def send():
    sent.append(time.perf_counter())
    os.kill(os.getpid(), signal.SIGINT)
threading.Timer(0.7, send).start()
try:
    {call}
except KeyboardInterrupt:
    print(time.perf_counter() - sent[0])
else:
    print("ended" if not sent else "ignored")
"""


@pytest.mark.parametrize(
    "setup, call",
    [
        ("X, k = rng.random((20000, 20)), _core.make_kernel('sinh-gaussian')", "_core.choose(k, X, tolerance=1e-9)"),
        ("X, k = rng.random((8000, 20)), _core.make_kernel('matern-1/2')", "_core.nystrom(k, X, n_features=1300)"),
        ("X, k = rng.random((8000, 20)), _core.make_kernel('matern-1/2')", "_core.nystrom(k, X, n_features=1300, landmarks='uniform')"),
        ("X, k = rng.random((40000, 50)), _core.make_kernel('gaussian')", "_core.make_kernel('laplacian').gram(X, X)"),
        (
            "X, k = rng.random((200000, 20)), _core.make_kernel('gaussian')\n"
            "m = _core.approximate(k, X[:100], n_frequencies=512)\n"
            "out = np.empty((len(X), m.n_features))",
            "[m.left(X, out) for _ in range(100)]",
        ),
        (
            "X, k = rng.random((20000, 20)), _core.make_kernel('gaussian', {'sigma': 0.3})\n"
            "m, y = _core.approximate(k, X, n_frequencies=300), rng.integers(0, 2, len(X))",
            "_core.fit_svm(m, X, y, 2, [2.0**k for k in range(-5, 13)], n_folds=10)",
        ),
        (
            "X, k = rng.random((300000, 20)), _core.make_kernel('gaussian')\nm = _core.approximate(k, X[:100], n_frequencies=1000)",
            "_core.RidgeSums(m, precision='float64').add(X, X[:, :1].copy())",
        ),
        (
            "X, k = rng.random((3000, 20)), _core.make_kernel('gaussian')\n"
            "m = _core.approximate(k, X[:100], n_frequencies=600)\n"
            "s = _core.RidgeSums(m, n_folds=10)\n"
            "s.add(X, X[:, :1].copy(), _core.FoldDealer(10, 0).deal(np.zeros(len(X), int)))",
            "s.solve([2.0**k for k in range(-20, 20)])",
        ),
        (
            "X, k = rng.random((100000, 20)), _core.make_kernel('gaussian', {'sigma': 0.3})\n"
            "m, y = _core.approximate(k, X[:1000], n_frequencies=512), rng.integers(0, 2, len(X))",
            "_core.fit_svm(m, X, y, 2, [100.0])",
        ),
        ("X, k = rng.random((20000, 5)), _core.callable_kernel(lambda d: np.exp(-(d**2).sum(axis=1)), 'own')", "k.gram(X, X, n_threads=2)"),
        (
            "def endless(d):\n    while True: pass\nX, k = rng.random((400, 5)), _core.callable_kernel(endless, 'own')",
            "_core.nystrom(k, X, n_features=20, n_threads=2)",
        ),
        (
            "def endless(candidate):\n    while True: pass\nX, k = rng.random((400, 5)), _core.make_kernel('gaussian')",
            "_core.choose(k, X, tolerance=1e-3, progress=endless)",
        ),
    ],
    ids=[
        *("choose", "nystrom", "nystrom factorisations", "gram", "left", "fit_svm", "ridge add", "ridge solve"),
        *("one large fit_svm", "function", "endless function", "endless progress"),
    ],
)
def test_control_c_ends_long_calls(setup, call):
    waited = output_of(INTERRUPTED.format(setup=setup, call=call))
    assert waited not in ("ended", "ignored") and float(waited) < 2, "seconds from the signal to KeyboardInterrupt"


def test_functions_run_on_the_thread_of_the_caller(rows):
    threads = set()

    def own(differences):
        threads.add(threading.get_ident())
        return np.exp(-np.abs(differences).sum(axis=1))

    kernel = _core.callable_kernel(own, "own")
    map = _core.nystrom(kernel, rows, n_features=5, n_threads=4)
    map.left(rows, np.empty((len(rows), map.n_features)), 4)
    map.held_out_error(kernel, rows)
    kernel.gram(rows, rows, n_threads=4)
    _core.choose(kernel, rows, n_frequencies=8, n_threads=4, progress=lambda _: threads.add(threading.get_ident()))
    _core.fit_svm(map, rows, np.arange(len(rows)) % 2, 2, [1.0], progress=lambda _: threads.add(threading.get_ident()))
    sums = _core.RidgeSums(map, n_threads=4)
    sums.add(rows, rows[:, :1].copy())
    fit = sums.solve([1.0], progress=lambda _: threads.add(threading.get_ident()))
    _core.Model(map, fit["weights"], fit["bias"], "regression").outputs(rows, 4)
    assert threads == {threading.get_ident()}


def test_sums_of_a_function_that_fails_are_of_no_use(rows):
    fails = []

    def own(differences):
        if fails:
            raise OSError("no more")
        return np.exp(-np.abs(differences).sum(axis=1))

    sums = _core.RidgeSums(_core.nystrom(_core.callable_kernel(own, "own"), rows, n_features=5))
    sums.add(rows, rows[:, :1].copy())
    fails.append(True)
    with pytest.raises(OSError, match="no more"):
        sums.add(np.vstack([rows] * 40), np.vstack([rows] * 40)[:, :1].copy())
        sums.solve([1.0])
    fails.clear()
    assert not sums.is_whole
    with pytest.raises(ValueError, match="ended halfway"):
        sums.solve([1.0])


def test_progress_may_ask_for_the_sums(fourier, rows):
    sums = _core.RidgeSums(fourier)
    sums.add(rows, rows[:, :1].copy())
    seen = []
    sums.solve([1.0], progress=lambda _: seen.append(sums.moments()["folds"][0]["n_rows"]))
    assert set(seen) == {len(rows)}


def test_functions_may_return_whole_numbers_and_truth_values(rows):
    for values in (np.int32, bool, ">f4", np.float16):
        kernel = _core.callable_kernel(lambda d: (np.abs(d).sum(axis=1) < 1).astype(values), "near")
        assert set(np.unique(kernel.gram(rows, rows))) == {0.0, 1.0}


def test_progress_is_told_and_may_end_the_work(kernel, rows):
    heard = []
    _core.choose(kernel, rows, n_frequencies=16, progress=heard.append)
    assert heard and {"estimator", "n_features", "error", "refused"} <= set(heard[0])

    def enough(_):
        raise StopAsyncIteration("enough")

    with pytest.raises(StopAsyncIteration, match="enough"):
        _core.choose(kernel, rows, n_frequencies=16, progress=enough)
    parts = []
    codes = (rows[:, 0] > 0.5).astype(np.int64)
    _core.fit_svm(_core.column_map(3), rows, codes, 2, [1.0, 2.0], progress=parts.append)
    assert parts[-1] == 1 and all(0 <= part <= 1 for part in parts)


# --- files and bytes ------------------------------------------------------------------------------------------------


def test_maps_come_back_from_bytes(kernel, fourier, rows):
    maps = [
        fourier,
        fourier.with_side("classifier").with_scaler("standard", rows),
        _core.choose(kernel, rows, n_frequencies=32),
        _core.nystrom(kernel, rows, n_features=10),
        _core.column_map(3).with_scaler("minmax", rows),
    ]
    for map in maps:
        again = _core.Map.from_bytes(*map.to_bytes())
        assert np.array_equal(left(again, rows), left(map, rows))
        assert (again.kind, again.side, again.reason, again.certificate) == (map.kind, map.side, map.reason, map.certificate)
        assert again.to_bytes() == map.to_bytes()


def own_kernel(differences):
    return np.exp(-((differences + 0.1) ** 2).sum(axis=1))


def test_a_function_goes_beside_the_bytes(rows, tmp_path):
    own = _core.callable_kernel(own_kernel, "own")
    map = _core.nystrom(own, rows, n_features=5).with_scaler("standard", rows)
    content, kernel = map.to_bytes()
    assert kernel.function is own_kernel and (kernel.name, kernel.symmetric, kernel.is_callable) == ("own", False, True)
    again = _core.Map.from_bytes(content, kernel)
    assert again.kernel.function is own_kernel and again.to_bytes()[0] == content
    assert np.array_equal(left(again, rows), left(map, rows)) and np.array_equal(right(again, rows), right(map, rows))
    with pytest.raises(ValueError, match="no kernel, expected the one that to_bytes gave"):
        _core.Map.from_bytes(content)
    with pytest.raises(ValueError, match="landmarks of a kernel without a name cannot be kept in a file"):
        again.save(str(tmp_path / "map.askrff"))


def test_bytes_that_hold_their_kernel_need_no_other(kernel, rows):
    own = _core.callable_kernel(own_kernel, "own")
    for map in (_core.nystrom(kernel, rows, n_features=5), _core.column_map(3)):
        content, beside = map.to_bytes()
        assert beside is None and kernel.function is None
        with pytest.raises(ValueError, match="got the kernel own, expected none"):
            _core.Map.from_bytes(content, own)
    fitted = _core.approximate(own, rows, n_frequencies=32, weights="calibrated")  # waves know nothing of the function
    again = _core.Map.from_bytes(*fitted.to_bytes())
    assert again.kernel is None and np.array_equal(left(again, rows), left(fitted, rows))


def test_sums_go_on_after_a_model(fourier, rows):
    targets = rows[:, :1] ** 2
    folds = _core.FoldDealer(4, 9).deal(np.zeros(len(rows), np.int64))
    whole, pieces = _core.RidgeSums(fourier, n_folds=4), _core.RidgeSums(fourier, n_folds=4)
    whole.add(rows, targets, folds)
    expected = whole.solve([0.5, 1, 2])
    for first in range(0, len(rows), 150):
        part = slice(first, first + 150)
        pieces.add(rows[part], targets[part], folds[part])
        got = pieces.solve([0.5, 1, 2])
    assert pieces.n_rows == len(rows)
    assert np.array_equal(got["weights"], expected["weights"]) and np.array_equal(got["bias"], expected["bias"])
    assert np.array_equal(got["cv"]["scores"], expected["cv"]["scores"]) and got["c"] == expected["c"]


@pytest.mark.parametrize("precision, tolerance", [("float64", 1e-12), ("float32", 1e-4)])
@pytest.mark.parametrize("n_folds", [1, 4])
def test_sums_go_on_from_moments(fourier, rows, precision, tolerance, n_folds):
    targets = np.hstack([rows[:, :1] ** 2, rows[:, :1] + 1e3])
    folds = _core.FoldDealer(4, 9).deal(np.zeros(len(rows), np.int64)) if n_folds > 1 else None
    for map in (fourier, _core.column_map(3)):
        whole = _core.RidgeSums(map, 2, n_folds, precision)
        whole.add(rows, targets, folds)
        sums = _core.RidgeSums(map, 2, n_folds, precision)
        for first in range(0, len(rows), 150):
            part = slice(first, first + 150)
            sums = _core.RidgeSums.from_moments(map, sums.moments(), precision, n_threads=2)
            sums.add(rows[part], targets[part], None if folds is None else folds[part])
        assert (sums.n_rows, sums.n_targets, sums.n_folds) == (whole.n_rows, 2, n_folds)
        ours, theirs = sums.moments(), whole.moments()
        for name in ("gram", "moments", "feature_sums", "target_sums", "target_norms", "n_rows"):
            for fold, of_fold in zip(ours["folds"], theirs["folds"]):
                np.testing.assert_allclose(fold[name], of_fold[name], rtol=0, atol=tolerance * np.abs(of_fold[name]).max())
        assert np.array_equal(ours["origin"], theirs["origin"]) and np.array_equal(ours["feature_origin"], theirs["feature_origin"])


def test_moments_that_do_not_fit(fourier, rows):
    sums = _core.RidgeSums(fourier)
    sums.add(rows, rows[:, :1])
    moments = sums.moments()
    for changed, error, sentence in (
        ({"origin": np.zeros(2)}, ValueError, "moments is .* x 1, expected .* x 2"),
        ({"origin": "text"}, TypeError, "origin is of a wrong type"),
        ({"epsilon": 1.0}, ValueError, "epsilon is 1"),
        ({"folds": [{**moments["folds"][0], "gram": np.eye(3)}]}, ValueError, "gram is 3 x 3"),
        ({"folds": [{**moments["folds"][0], "gram": np.eye(3, dtype=np.float32)}]}, TypeError, "gram holds float32"),
        ({"folds": []}, ValueError, "0 folds"),
    ):
        with pytest.raises(error, match=sentence):
            _core.RidgeSums.from_moments(fourier, {**moments, **changed})
    with pytest.raises(KeyError, match="feature_origin"):
        _core.RidgeSums.from_moments(fourier, {name: moments[name] for name in ("folds", "origin")})
    with pytest.raises(ValueError, match="gram is .* expected 3 x 3"):
        _core.RidgeSums.from_moments(_core.column_map(3), moments)
    with pytest.raises(ValueError, match="epsilon"):
        _core.RidgeSums.from_moments(fourier, moments, "float32")


def test_folds_go_on_where_another_dealer_ended():
    codes = np.random.default_rng(0).integers(0, 3, 100)
    expected = _core.FoldDealer(4, 9).deal(codes)
    dealer = _core.FoldDealer(4, 9)
    for code, n_rows in enumerate(np.bincount(codes[:37])):
        dealer.skip(int(n_rows), code)
    assert np.array_equal(dealer.deal(codes[37:]), expected[37:])


def command(*arguments):
    binary = os.environ.get("ASKRFF_COMMAND")
    if not binary or not os.path.exists(binary):
        pytest.skip("ASKRFF_COMMAND does not name the command askrff")
    return subprocess.run([binary, *map(str, arguments)], check=True, capture_output=True, text=True)


def write_table(path, X, labels):
    with open(path, "w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow([f"x{j}" for j in range(X.shape[1])] + ["y"])
        writer.writerows([*map(repr, map(float, row)), label] for row, label in zip(X, labels))


def scores_of(path):
    with open(path, newline="") as file:
        return np.array([[float(value) for value in row] for row in list(csv.reader(file))[1:]])


@pytest.mark.parametrize("precision", ["float32", "float64"])
@pytest.mark.parametrize("estimator", ["jordan", "nystrom"])
def test_models_of_the_command_line(precision, estimator, tmp_path):
    """Trained by the command line, predicts the same bits here; the same training here gives the same weights; and back."""
    X = np.random.default_rng(5).normal(size=(300, 4)) * [1, 10, 0.1, 3]
    codes = ((X[:, 0] + X[:, 1] / 10 > 0).astype(np.int64) + (X[:, 3] > 3)).astype(np.int64)
    table = tmp_path / "rows.csv"
    write_table(table, X, [["low", "mid", "top"][code] for code in codes])
    arguments = ["--data", table, "--label", "y"]
    options = ["--kernel", "shift-gaussian", "--frequencies", 32, "--estimator", estimator, "--seed", 7, "--precision", precision, "--folds", 5]
    command("train", *arguments, *options, "--out", tmp_path / "theirs.askrff")
    theirs = _core.load_model(str(tmp_path / "theirs.askrff"))
    command("predict", "--model", tmp_path / "theirs.askrff", *arguments, "--scores", tmp_path / "theirs.csv")
    assert theirs.classes == ["low", "mid", "top"] and theirs.task == "classification"
    assert np.array_equal(theirs.outputs(X), scores_of(tmp_path / "theirs.csv"))

    kernel = _core.make_kernel("shift-gaussian")
    scaled = _core.column_map(4).with_scaler("minmax", X).scale(X)
    if estimator == "nystrom":
        map = _core.nystrom(kernel, scaled, n_features=64, seed=7)
    else:
        map = _core.approximate(kernel, scaled, n_frequencies=32, estimator="jordan", seed=7).with_side("classifier")
    map = map.with_scaler("minmax", X)
    fit = _core.fit_svm(map, X, codes, 3, _core.default_c_grid(), n_folds=5, seed=7, precision=precision)
    assert fit["c"] == theirs.training["c"]
    assert np.array_equal(fit["weights"], theirs.weights) and np.array_equal(fit["bias"], theirs.bias)

    ours = _core.Model(map, fit["weights"], fit["bias"], "classification", theirs.classes, precision, {"trainer": "svm", "c": fit["c"]})
    ours.save(str(tmp_path / "ours.askrff"))
    command("predict", "--model", tmp_path / "ours.askrff", *arguments, "--scores", tmp_path / "ours.csv")
    assert np.array_equal(ours.outputs(X), scores_of(tmp_path / "ours.csv"))


def test_ridge_of_the_command_line(tmp_path):
    X = np.random.default_rng(6).normal(size=(500, 3))
    targets = np.sin(X[:, :1]) + X[:, 1:2]
    table = tmp_path / "rows.csv"
    write_table(table, X, [repr(float(target)) for target in targets[:, 0]])
    arguments = ["--kernel", "gaussian", "--model", "ridge", "--frequencies", 40, "--seed", 2, "--estimator", "polar", "--folds", 5]
    command("train", "--data", table, "--label", "y", *arguments, "--out", tmp_path / "theirs.askrff")
    theirs = _core.load_model(str(tmp_path / "theirs.askrff"))
    scaled = _core.column_map(3).with_scaler("minmax", X).scale(X)
    map = _core.approximate(_core.make_kernel("gaussian"), scaled, n_frequencies=40, estimator="polar", seed=2).with_scaler("minmax", X)
    sums = _core.RidgeSums(map, n_folds=5)
    sums.add(X, targets, _core.FoldDealer(5, 2).deal(np.zeros(len(X), np.int64)))
    fit = sums.solve(_core.default_c_grid())
    assert np.array_equal(fit["weights"], theirs.weights) and np.array_equal(fit["bias"], theirs.bias)
