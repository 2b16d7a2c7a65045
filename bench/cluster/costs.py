"""What a ridge fit on a cluster is made of, measured on one core, and from it the time on more workers: where scaling bends.

    python bench/cluster/costs.py [--rows 1600000] [--features 512] [--json]

Measured: seconds per row of the survey, the sample and the sums; bytes of a part's sums; seconds to join one of them, reading and writing
them included; seconds of the driver (map, solve). Assumed: a network of 1 Gbyte/s, 10 ms for a task's round trip, rows that lie in
the workers' memory or files, as many parts as four times the workers.
"""

import argparse
import json
import math
import time

import numpy as np

import askrff
from askrff import _core, _parts

N_COLUMNS, FOLDS, PARTS_PER_WORKER = 22, 5, 4
BYTES_PER_SECOND, ROUND_TRIP = 1e9, 0.01


def timed(function, *arguments):
    start = time.perf_counter()
    result = function(*arguments)
    return time.perf_counter() - start, result


class Recorder:
    """Carries out passes over parts in this process, and notes what each took."""

    def __init__(self, X, y, n_parts):
        self.X, self.y = np.array_split(X, n_parts), np.array_split(y[:, np.newaxis], n_parts)
        self.seconds, self.bytes, self.join_seconds = [], [], []

    def run(self, task, starts):
        job = _parts.Job(task)
        shares, spent = [], 0.0
        for i, start in enumerate(starts):
            seconds, result = timed(_parts.share_of_part, job, start, i, [(self.X[i], self.y[i], None)])
            spent += seconds
            shares.append(result)
        self.seconds.append(spent)
        self.bytes.append(max(len(share) for share in shares))
        seconds, joined = timed(_parts.joined, job, shares)
        self.join_seconds.append(seconds / len(shares))
        return joined


def measure(n_rows, n_features):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n_rows, N_COLUMNS))
    y = np.sin(X[:, 0]) + X[:, 1] * X[:, 2]
    recorder = Recorder(X, y, 8)
    parts = _parts.Parts(8, N_COLUMNS, [], recorder.run)
    model = askrff.FourierRegressor(n_features=n_features, C=[0.1, 1.0, 10.0], n_folds=FOLDS, random_state=0, n_jobs=1)
    total, _ = timed(_parts.fit_regressor, model, parts, (np.zeros(1), np.asarray([n_rows])), ())
    in_passes = sum(recorder.seconds) + 8 * sum(recorder.join_seconds)
    return {
        "rows": n_rows,
        "features": n_features,
        "seconds_per_row": [seconds / n_rows for seconds in recorder.seconds],
        "bytes": recorder.bytes,
        "join_seconds": recorder.join_seconds,
        "driver_seconds": total - in_passes,
    }


def seconds_on(costs, n_rows, n_workers):
    """Of the three passes: rows in parallel, then levels of joins, each of which receives and joins up to eight results in turn."""
    total = costs["driver_seconds"]
    n_parts = PARTS_PER_WORKER * n_workers
    for per_row, n_bytes, join in zip(costs["seconds_per_row"], costs["bytes"], costs["join_seconds"]):
        of_each = n_bytes / BYTES_PER_SECOND + join
        total += n_rows * per_row / n_workers + PARTS_PER_WORKER * ROUND_TRIP
        left = n_parts
        while left > 1:
            tasks = math.ceil(left / _parts.FAN_IN)
            total += math.ceil(tasks / n_workers) * min(left, _parts.FAN_IN) * of_each + ROUND_TRIP
            left = tasks
    return total


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=1_600_000)
    parser.add_argument("--features", type=int, default=512)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    costs = measure(options.rows, options.features)
    if options.json:
        print(json.dumps(costs))
        return
    for name, per_row, n_bytes, join in zip(("survey", "sample", "sums"), costs["seconds_per_row"], costs["bytes"], costs["join_seconds"]):
        print(f"{name:8} {1e6 * per_row:8.3f} µs per row, {n_bytes / 1e6:8.3f} MB per part, {1e3 * join:8.2f} ms to join one")
    print(f"driver   {costs['driver_seconds']:.2f} s")
    print(f"\n{'workers':>8} {'1e7 rows':>10} {'speed-up':>9} {'1e9 rows':>10} {'speed-up':>9}")
    for n_workers in (1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024):
        cells = []
        for n_rows in (1e7, 1e9):
            seconds = seconds_on(costs, n_rows, n_workers)
            cells.append(f"{seconds:9.1f}s {seconds_on(costs, n_rows, 1) / seconds:9.1f}")
        print(f"{n_workers:8} " + " ".join(cells))


if __name__ == "__main__":
    main()
