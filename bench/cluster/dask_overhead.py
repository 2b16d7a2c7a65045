"""Time and memory of a ridge fit on dask beside one process with as many threads: the overhead of a cluster, on rows in NPY files.

    python bench/cluster/dask_overhead.py [--rows 1000000 10000000] [--repeats 3] [--folder FOLDER] [--json]

The rows (22 columns) lie in one file that both read by pages. Both are measured in turn, in this run. Memory is the workers' peak resident
set, less what pages of the file count in it.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import time

import dask.array as da
import distributed
import numpy as np

N_COLUMNS = 22
OPTIONS = {"kernel": "gaussian", "n_features": 512, "C": [0.1, 1.0, 10.0], "n_folds": 5, "random_state": 0}


def make_rows(folder, n_rows):
    """X and y as NPY files, written by blocks."""
    paths = [os.path.join(folder, f"{name}-{n_rows}.npy") for name in "Xy"]
    if all(os.path.exists(path) for path in paths):
        return paths
    X = np.lib.format.open_memmap(paths[0], "w+", np.float64, (n_rows, N_COLUMNS))
    y = np.lib.format.open_memmap(paths[1], "w+", np.float64, (n_rows,))
    rng = np.random.default_rng(0)
    for first in range(0, n_rows, 100_000):
        rows = rng.normal(size=(min(100_000, n_rows - first), N_COLUMNS))
        X[first : first + len(rows)] = rows
        y[first : first + len(rows)] = np.sin(rows[:, 0]) + rows[:, 1] * rows[:, 2] + 0.1 * rng.normal(size=len(rows))
    X.flush(), y.flush()
    return paths


SINGLE = """
import json, sys, time, numpy as np, askrff
X, y = (np.load(path, mmap_mode="r") for path in sys.argv[1:3])
start = time.perf_counter()
model = askrff.FourierRegressor(**json.loads(sys.argv[3]), n_jobs=2).fit(X, y)
print(json.dumps({"seconds": time.perf_counter() - start, "coef": model.coef_[0].tolist()}))
"""


def single(paths):
    """In a process of its own."""
    out = subprocess.run([sys.executable, "-c", SINGLE, *paths, json.dumps(OPTIONS)], capture_output=True, text=True, check=True)
    return json.loads(out.stdout)


def block(path, first, last):
    return np.load(path, mmap_mode="r")[first:last]


def lazy(path, n_rows, size):
    """A dask array whose chunks are read when they are needed."""
    import dask

    width = np.load(path, mmap_mode="r").shape[1:]
    pieces = [
        da.from_delayed(dask.delayed(block, pure=True)(path, first, min(first + size, n_rows)), (min(size, n_rows - first), *width), float)
        for first in range(0, n_rows, size)
    ]
    return da.concatenate(pieces)


def anonymous_peak():
    """Kilobytes of this process's own memory at most so far, without pages of files."""
    with open("/proc/self/status") as status:
        return {line.split(":")[0]: int(line.split()[1]) for line in status if line.startswith(("RssAnon", "VmHWM", "RssFile"))}


def on_dask(paths, n_rows, size):
    from askrff.dask import FourierRegressor

    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None, host="127.0.0.1") as cluster:
        with distributed.Client(cluster) as client:
            X, y = (lazy(path, n_rows, size) for path in paths)
            client.run(lambda: __import__("askrff.dask"))
            before = client.run(anonymous_peak)
            samples = []
            client.register_plugin(Sampler())
            start = time.perf_counter()
            model = FourierRegressor(**OPTIONS).fit(X, y)
            seconds = time.perf_counter() - start
            samples = client.run(lambda dask_worker: dask_worker.plugins["sampler"].peak)
            return {
                "seconds": seconds,
                "coef": model.coef_[0].tolist(),
                "worker_mib": max(samples.values()) / 1024,
                "idle_mib": max(each["RssAnon"] for each in before.values()) / 1024,
            }


class Sampler(distributed.WorkerPlugin):
    """Looks at the worker's memory twenty times a second."""

    name = "sampler"

    def setup(self, worker):
        import threading

        self.peak = 0

        def look():
            while True:
                self.peak = max(self.peak, anonymous_peak()["RssAnon"])
                time.sleep(0.05)

        threading.Thread(target=look, daemon=True).start()


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, nargs="+", default=[1_000_000, 10_000_000])
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--chunk", type=int, default=250_000)
    parser.add_argument("--folder", default="/tmp")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    results = []
    for n_rows in options.rows:
        paths = make_rows(options.folder, n_rows)
        runs = [(single(paths), on_dask(paths, n_rows, options.chunk)) for _ in range(options.repeats)]
        ratios = sorted(cluster["seconds"] / alone["seconds"] for alone, cluster in runs)
        alone, cluster = runs[0]
        results.append(
            {
                "rows": n_rows,
                "single_seconds": statistics.median(run[0]["seconds"] for run in runs),
                "dask_seconds": statistics.median(run[1]["seconds"] for run in runs),
                "ratio": statistics.median(ratios),
                "ratio_range": [ratios[0], ratios[-1]],
                "worker_mib": max(run[1]["worker_mib"] for run in runs),
                "idle_mib": cluster["idle_mib"],
                "coefficients_equal": alone["coef"] == cluster["coef"],
            }
        )
        print(json.dumps(results[-1]) if options.json else results[-1], flush=True)


if __name__ == "__main__":
    main()
