"""The extension module by itself: kernels, functions as kernels, threads."""

import gc
import threading
import time
import weakref

import numpy as np
import pytest

from askrff import _core
from core_maps import codes, fourier, kernel, left, nystrom_map, rows


def test_parameters_come_back_as_they_were_given():
    kernel = _core.make_kernel("shift-gaussian", {"sigma": np.float32(2), "shift": np.array([0.5, 1.0])})
    assert kernel.parameters == {"sigma": 2.0, "shift": [0.5, 1.0]}
    assert _core.make_kernel("shift-gaussian", {"shift": "3/d"}).parameters == {"sigma": 2.0, "shift": "3/d"}
    assert not kernel.symmetric and not kernel.is_callable
    assert kernel.masses(2)["total"] >= 1


def test_a_function_is_the_kernel_it_computes(rows):
    own = _core.callable_kernel(lambda d: np.exp(-0.5 * (d**2).sum(axis=1)), "own", True)
    assert own.symmetric and own.is_callable and own.name == "own"
    assert abs(own.masses(3)["total"] - 1) < 1e-5 and own.measure_reason(3).startswith("product")
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
