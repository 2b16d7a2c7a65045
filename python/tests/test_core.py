"""The extension module by itself: arrays without copies, errors, functions as kernels, threads, bytes."""

import gc
import threading
import time
import weakref

import numpy as np
import pytest

from alone import output_of
from askrff import _core


@pytest.fixture(scope="module")
def rows():
    return np.random.default_rng(1).random((400, 3))


@pytest.fixture(scope="module")
def kernel():
    return _core.make_kernel("sinh-gaussian", {"sigma": 1.0})


@pytest.fixture(scope="module")
def fourier(kernel, rows):
    return _core.make_map(kernel, rows, n_frequencies=64, estimator="jordan", sampler="exact", weights="exact", seed=3)


@pytest.fixture(scope="module")
def codes(rows):
    return (rows[:, 0] > 0.5).astype(np.int64)


def left(map, X, **options):
    out = np.empty((len(X), map.n_features), X.dtype)
    map.left(X, out, **options)
    return out


def right(map, X, **options):
    out = np.empty((len(X), map.n_features), X.dtype)
    map.right(X, out, **options)
    return out


# --- arrays ---------------------------------------------------------------------------------------------------------


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
        (lambda: _core.make_map("gaussian", np.ones((5, 2)), sampler="top"), ValueError, "sampler: got 'top', expected exact, .* or ridge"),
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
        _core.make_map(own, rows, estimator="nystrom", n_frequencies=3, n_threads=n_threads)


def test_a_function_where_many_threads_are_asked_for(rows):
    own = _core.callable_kernel(lambda differences: np.exp(-np.abs(differences).sum(axis=1)), "own")
    X = np.vstack([rows] * 4)
    with_four, alone = own.gram(X, X, n_threads=4), _core.make_kernel("laplacian", {"sigma": 1}).gram(X, X)
    assert np.allclose(with_four, alone, atol=1e-14)
    map = _core.make_map(own, rows, estimator="best", n_frequencies=16, n_threads=4)
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


def nystrom_map(kernel, rows, **options):
    return _core.make_map(kernel, rows, estimator="nystrom", n_frequencies=3, n_threads=4, **options)


def test_functions_run_on_the_thread_of_the_caller(rows, codes):
    threads = set()

    def note(_=None):
        threads.add(threading.get_ident())

    def own(differences):
        note()
        return np.exp(-np.abs(differences).sum(axis=1))

    kernel = _core.callable_kernel(own, "own")
    map = nystrom_map(kernel, rows)
    left(map, rows, n_threads=4)
    _core.kernel_product(map, rows, rows, n_threads=4).apply(rows[:, :1].copy())
    kernel.gram(rows, rows, n_threads=4)
    _core.make_map(kernel, rows, estimator="best", n_frequencies=8, n_threads=4, progress=note)
    for model in ("svm", "ridge"):
        options = {"model": model, "estimator": "nystrom", "n_frequencies": 8, "n_threads": 4, "progress": note}
        _core.train(kernel, rows, codes, classes=["a", "b"], **options)[0].outputs(rows, 4)
    assert threads == {threading.get_ident()}


def test_sums_of_a_function_that_fails_are_of_no_use(rows):
    fails = []

    def own(differences):
        if fails:
            raise OSError("no more")
        return np.exp(-np.abs(differences).sum(axis=1))

    trainer = _core.RidgeTrainer(nystrom_map(_core.callable_kernel(own, "own"), rows))
    trainer.add(rows, rows[:, :1].copy())
    fails.append(True)
    with pytest.raises(OSError, match="no more"):
        trainer.solve([1.0])  # rows that wait are made features of
    fails.clear()
    assert trainer.is_whole and trainer.solve([1.0])
    fails.append(True)
    with pytest.raises(OSError, match="no more"):
        trainer.add(np.vstack([rows] * 40), np.vstack([rows] * 40)[:, :1].copy())
    fails.clear()
    assert not trainer.is_whole
    with pytest.raises(ValueError, match="ended halfway"):
        trainer.solve([1.0])


def test_one_call_at_a_time_works_on_a_trainer(fourier, rows):
    trainer = _core.RidgeTrainer(fourier)
    trainer.add(rows, rows[:, :1].copy())
    with pytest.raises(RuntimeError, match="another call is at work on it"):
        trainer.solve([1.0], progress=lambda _: trainer.to_bytes())
    assert trainer.n_rows == len(rows) and trainer.solve([1.0])


@pytest.mark.parametrize("holder", ["kernel", "map", "model", "trainer"])
def test_a_function_that_leads_back_to_its_holder_is_collected(holder, rows, codes):
    class Owner:
        def kernel(self, differences):
            return np.exp(-np.abs(differences).sum(axis=1))

    owner = Owner()
    kernel = _core.callable_kernel(owner.kernel, "own")
    options = {"classes": ["a", "b"], "model": "ridge", "c": [1.0], "estimator": "nystrom", "n_frequencies": 4}
    model, _, trainer = _core.train(kernel, rows, codes, **options)
    owner.held = {"kernel": kernel, "map": model.map, "model": model, "trainer": trainer}[holder]
    del kernel, model, trainer
    gc.collect()
    if holder == "model":
        assert np.isfinite(owner.held.outputs(rows)).all()  # what is held works
    gone = weakref.ref(owner)
    del owner
    gc.collect()
    assert gone() is None


def test_functions_may_return_whole_numbers_and_truth_values(rows):
    for values in (np.int32, bool, ">f4", np.float16):
        kernel = _core.callable_kernel(lambda d: (np.abs(d).sum(axis=1) < 1).astype(values), "near")
        assert set(np.unique(kernel.gram(rows, rows))) == {0.0, 1.0}


def test_progress_is_told_and_may_end_the_work(kernel, rows, codes):
    heard = []
    _core.make_map(kernel, rows, estimator="best", n_frequencies=16, progress=heard.append)
    assert heard and {"estimator", "n_features", "error", "refused"} <= set(heard[0])

    def enough(_):
        raise StopAsyncIteration("enough")

    with pytest.raises(StopAsyncIteration, match="enough"):
        _core.make_map(kernel, rows, estimator="best", n_frequencies=16, progress=enough)
    parts = []
    _core.train("linear", rows, codes, classes=["a", "b"], c=[1.0, 2.0], progress=parts.append)
    assert parts[-1] == 1 and all(0 <= part <= 1 for part in parts)


# --- bytes ----------------------------------------------------------------------------------------------------------


def test_maps_come_back_from_bytes(kernel, fourier, rows):
    maps = [
        fourier,
        _core.make_map(kernel, rows, n_frequencies=16, estimator="jordan", weights="exact", scale="standard").model_side(),
        _core.make_map(kernel, rows, estimator="best", n_frequencies=32),
        _core.make_map(kernel, rows, estimator="nystrom", n_frequencies=5),
        _core.make_map("linear", rows, scale="minmax", column_names=["a", "b", "c"]),
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
    map = nystrom_map(own, rows, scale="standard")
    content, kernel = map.to_bytes()
    assert kernel.function is own_kernel and (kernel.name, kernel.symmetric, kernel.is_callable) == ("own", False, True)
    again = _core.Map.from_bytes(content, kernel)
    assert again.kernel.function is own_kernel and again.to_bytes()[0] == content
    assert np.array_equal(left(again, rows), left(map, rows)) and np.array_equal(right(again, rows), right(map, rows))
    with pytest.raises(ValueError, match="lacks the kernel of its landmarks, expected it beside these bytes"):
        _core.Map.from_bytes(content)
    with pytest.raises(ValueError, match="landmarks of a kernel without a name cannot be kept in a file"):
        again.save(str(tmp_path / "map.askrff"))
    trainer = _core.RidgeTrainer(again)
    trainer.add(rows, rows[:, :1].copy())
    model, _ = _core.RidgeTrainer.from_bytes(*trainer.to_bytes()).solve([1.0])
    assert np.array_equal(_core.Model.from_bytes(*model.to_bytes()).outputs(rows), model.outputs(rows))
    for kind, (content, _) in ((_core.RidgeTrainer, trainer.to_bytes()), (_core.Model, model.to_bytes())):
        with pytest.raises(ValueError, match="lacks the kernel"):
            kind.from_bytes(content)


def test_bytes_that_hold_their_kernel_need_no_other(kernel, rows):
    own = _core.callable_kernel(own_kernel, "own")
    for map in (nystrom_map(kernel, rows), _core.make_map("linear", rows)):
        content, beside = map.to_bytes()
        assert beside is None and kernel.function is None
        with pytest.raises(ValueError, match="got the kernel own, expected none"):
            _core.Map.from_bytes(content, own)
    fitted = _core.make_map(own, rows, n_frequencies=32)  # waves know nothing of the function
    again = _core.Map.from_bytes(*fitted.to_bytes())
    assert again.kernel is None and np.array_equal(left(again, rows), left(fitted, rows))


@pytest.mark.parametrize("precision, tolerance", [("float64", 1e-9), ("float32", 1e-3)])
@pytest.mark.parametrize("n_folds", [1, 4])
def test_trainers_go_on_after_models_and_from_bytes(fourier, rows, precision, tolerance, n_folds):
    targets = np.hstack([rows[:, :1] ** 2, rows[:, :1] + 1e3])
    options = {"n_targets": 2, "n_folds": n_folds, "precision": precision, "seed": 9}
    grid = [0.5, 1, 2] if n_folds > 1 else [1.0]
    for map in (fourier, _core.make_map("linear", rows)):
        whole, pieces, restored = (_core.RidgeTrainer(map, **options) for _ in range(3))
        whole.add(rows, targets)
        for first in range(0, len(rows), 150):
            pieces.add(rows[first : first + 150], targets[first : first + 150])
            pieces.solve(grid)
            restored = _core.RidgeTrainer.from_bytes(*restored.to_bytes())
            restored.add(rows[first : first + 150].astype(np.float32).astype(np.float64), targets[first : first + 150])
        assert pieces.n_rows == restored.n_rows == len(rows) and restored.n_folds == n_folds
        (expected, cv), (same, same_cv), (close, _) = (trainer.solve(grid) for trainer in (whole, pieces, restored))
        assert same.to_bytes() == expected.to_bytes() and np.array_equal(same_cv.get("scores"), cv.get("scores"))
        np.testing.assert_allclose(close.outputs(rows), expected.outputs(rows), rtol=0, atol=max(tolerance, 1e-5))
