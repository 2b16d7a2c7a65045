"""Ctrl-C in the middle of every long call: it ends soon, and nothing goes on behind the user's back."""

import pytest

from alone import output_of

INTERRUPTED = """
import os, signal, threading, time
signal.signal(signal.SIGINT, signal.default_int_handler)  # which a process begun in the background does not have
rng = np.random.default_rng(0)
{setup}
sent = []
def send():
    sent.append((time.perf_counter(), time.process_time()))
    os.kill(os.getpid(), signal.SIGINT)
threading.Timer(0.7, send).start()
try:
    {call}
except KeyboardInterrupt:
    ended = time.perf_counter(), time.process_time()
    time.sleep(0.3)
    print(*(after - before for before, after in zip(sent[0], ended)), time.process_time() - ended[1], threading.active_count())
else:
    print("ended" if not sent else "ignored")
"""

# Corners of a table that is not even make its search long: a second or more.
TABLE = (
    "X = rng.random((200, 2))\n"
    "x = np.linspace(-2, 4, 41)\n"
    "f = np.exp(x - x * x) * (x + 2) * (4 - x)\n"
    "def table_kernel():\n    return _core.make_kernel('expr: f(x)', {'f': np.column_stack((x, f)).ravel().tolist()})"
)

CALLS = {
    "calibration": ("X = rng.random((20000, 20))", "_core.make_map('gaussian', X, n_frequencies=3000)"),
    "search": ("X = rng.random((20000, 20))", "_core.make_map('sinh-gaussian', X, tolerance=1e-9)"),
    "nystrom": ("X = rng.random((8000, 20))", "_core.make_map('matern-1/2', X, estimator='nystrom', n_frequencies=650)"),
    "gram": ("X = rng.random((40000, 50))", "_core.make_kernel('laplacian').gram(X, X)"),
    "features": (
        "X = rng.random((100000, 20))\n"
        "m = _core.make_map('gaussian', X[:100], weights='exact')\n"
        "out = np.empty((len(X), m.n_features))",
        "[m.left(X, out) for _ in range(1000)]",
    ),
    "product": (
        "X = rng.random((2000000, 20))\nm = _core.make_map('gaussian', X[:100], n_frequencies=2000, weights='exact')",
        "_core.kernel_product(m, X, X).apply(X[:, :1].copy())",
    ),
    "search of a measure": (TABLE, "[table_kernel().measure_reason(2) for _ in range(100)]"),
    "masses of a measure": (TABLE, "[table_kernel().masses(1) for _ in range(100)]"),
    "map of a table": (TABLE, "[_core.make_map(table_kernel(), X, n_frequencies=20, weights='exact') for _ in range(100)]"),
    "diagnosis of a table": (TABLE, "[_core.diagnose(table_kernel(), {}, X, 20, 0, 0) for _ in range(100)]"),
    "inversion": (
        "X, S, k = rng.random((100000, 2)), rng.random((50000, 2)), _core.make_kernel('shift-gaussian', {'sigma': 0.02, 'shift': 0.1})",
        "_core.source_inversion(k, X, S, rng.random((1, 100000)), alpha=1e-9, tolerance=1e-12)",
    ),
    "svm": (
        "X, y = rng.random((100000, 20)), rng.integers(0, 2, 100000)",
        "_core.train('gaussian', X, y, classes=['a', 'b'], c=[100.0], n_frequencies=512)",
    ),
    "svm with folds": (
        "X, y = rng.random((20000, 20)), rng.integers(0, 2, 20000)",
        "_core.train('gaussian', X, y, classes=['a', 'b'], c=[2.0**k for k in range(-5, 13)], n_folds=10)",
    ),
    "ridge sums": (
        "X = rng.random((300000, 20))",
        "_core.train('gaussian', X, X[:, :1].copy(), model='ridge', c=[1.0], n_frequencies=1000)",
    ),
    "ridge solve": (
        "X = rng.random((3000, 20))\n"
        "m = _core.make_map('gaussian', X, n_frequencies=1500, weights='exact')\n"
        "t = _core.RidgeTrainer(m)\n"
        "t.add(X, X[:, :1].copy())",
        "[t.solve([10.0**k]) for k in range(-20, 8)]",
    ),
    "function": ("X, k = rng.random((20000, 5)), _core.callable_kernel(lambda d: np.exp(-(d**2).sum(axis=1)), 'own')", "k.gram(X, X)"),
    "hawkes": (
        "t, u = np.sort(rng.random(500000))[None], rng.integers(0, 12, 500000).astype(np.uint32)[None]\n"
        "events = _core.hawkes_events(t, u, 1.0, 12)",
        "[_core.fit_hawkes(events, np.zeros((1, 0))) for _ in range(1000)]",
    ),
    "hawkes children": (
        "b = np.array([[0.0, 1e12], [0.0, 0.0]])",
        "_core.simulate_hawkes(np.array([[10.0, 0.0]]), b, np.array([[1e-15]]), 1.0, 1)",
    ),
    "grid": (
        "X, k = rng.random((100, 1)), _core.make_kernel('laplacian', {'sigma': 0.3})",
        "[_core.grid_product(k, X, X, 2e-6) for _ in range(100)]",
    ),
    "product on a grid": (
        "X, k = rng.random((1000000, 3)), _core.make_kernel('gaussian', {'sigma': 0.05})\n"
        "K, V = _core.grid_product(k, X, X, 1e-9), rng.random((len(X), 20))",
        "K.apply(V)",
    ),
    "endless function": (
        "def endless(d):\n    while True: pass\nX, k = rng.random((400, 5)), _core.callable_kernel(endless, 'own')",
        "_core.make_map(k, X, estimator='nystrom', n_frequencies=10)",
    ),
    "pairs": (
        "X, k = rng.random((20000, 5)), _core.callable_pairs(lambda X, Y: np.exp(-np.square(X[:, None] - Y[None]).sum(axis=2)), 'own')",
        "k.gram(X, X)",
    ),
    "matrix": ("K = rng.random((6000, 6000))", "[_core.matrix_map(K, 500) for _ in range(100)]"),
    "operator": (
        # Sparse: threads of NumPy's BLAS, which dense products would start, go on turning for a while.
        "import scipy.sparse as sp\nfrom scipy.sparse.linalg import aslinearoperator\n"
        "K = aslinearoperator(sp.random(4000, 4000, density=0.01, format='csr', random_state=0))",
        "[_core.matrix_map(K, 500) for _ in range(100)]",
    ),
    "endless operator": (
        "from scipy.sparse.linalg import LinearOperator\ndef endless(V):\n    while True: pass\n"
        "K = LinearOperator((400, 400), matvec=endless, matmat=endless, rmatmat=endless, dtype=float)",
        "_core.matrix_map(K, 10)",
    ),
    "endless progress": (
        "def endless(candidate):\n    while True: pass\nX = rng.random((400, 5))",
        "_core.make_map('gaussian', X, tolerance=1e-3, progress=endless)",
    ),
}


@pytest.mark.parametrize("name", CALLS)
def test_control_c_ends_long_calls(name):
    setup, call = CALLS[name]
    said = output_of(INTERRUPTED.format(setup=setup, call=call))
    assert said not in ("ended", "ignored")
    waited, worked, used, n_threads = map(float, said.split())
    assert min(waited, worked) < 0.5, "seconds from the signal to KeyboardInterrupt; where other processes are busy those it had"
    assert waited < 5, "seconds by the clock: whoever waits without working is found too"
    assert used < 0.1 and n_threads <= 2, "processor time and threads of a process that only sleeps"


def test_a_trainer_outlives_a_solve_that_was_interrupted():
    said = output_of(
        INTERRUPTED.format(
            setup="X = rng.random((3000, 20))\n"
            "t = _core.RidgeTrainer(_core.make_map('gaussian', X, n_frequencies=1000, weights='exact'), n_folds=10)\n"
            "t.add(X, X[:, :1].copy())",
            call="t.solve([2.0**k for k in range(-20, 20)])",
        )
        + "\nt.add(X, X[:, :1].copy())\nprint(t.is_whole, t.n_rows)"
    )
    assert said.splitlines()[1] == "True 6000"


def test_what_a_handler_raises_comes_out():
    script = """
    import os, signal, threading
    def refuse(*_):
        raise TimeoutError("too long")
    signal.signal(signal.SIGALRM, refuse)
    signal.setitimer(signal.ITIMER_REAL, 0.5)
    X = np.random.default_rng(0).random((20000, 20))
    try:
        _core.make_map("sinh-gaussian", X, tolerance=1e-9)
    except TimeoutError as error:
        print(error)
    """
    assert output_of(script) == "too long"
