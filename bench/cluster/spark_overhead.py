"""What Spark adds to a fit: a ridge regressor on rows in Parquet files, by askrff.spark on executors of this machine and by one process.

Usage: spark_overhead.py [--rows 1000000 10000000] [--repeats 3] [--parts 40] [--executors 2] [--memory 1024] [--json FILE]
Prints a table of medians and ranges; seconds are wall clock with the session up and its workers started, memory the largest resident size of
any Python worker. The one process has as many threads as there are executors, and all rows in memory.
"""

import argparse
import json
import os
import pathlib
import resource
import statistics
import subprocess
import sys
import tempfile
import time

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "python/tests/cluster"))  # local_spark

N_COLUMNS = 22
OPTIONS = {"n_features": 512, "C": [0.1, 1.0, 10.0], "n_folds": 5}


def write_rows(folder, n_rows, n_parts):
    """As many files as parts, each made by a seed of its own."""
    folder.mkdir()
    for part in range(n_parts):
        rng = np.random.default_rng(part)
        n = n_rows * (part + 1) // n_parts - n_rows * part // n_parts
        X = rng.normal(size=(n, N_COLUMNS))
        y = np.sin(X[:, 0]) + X[:, 1] * X[:, 2] + 0.1 * rng.normal(size=n)
        lists = pa.ListArray.from_arrays(np.arange(n + 1, dtype=np.int32) * N_COLUMNS, X.reshape(-1))
        pq.write_table(pa.table({"features": lists, "label": y}), folder / f"{part:04}.parquet", row_group_size=2**17)


def peak_mib():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def fit_alone(folder, n_threads):
    """In this process, all rows in memory: seconds to read, seconds to fit, memory."""
    import askrff

    start = time.perf_counter()
    tables = [pq.read_table(path) for path in sorted(folder.iterdir())]
    X = np.concatenate([table["features"].combine_chunks().flatten().to_numpy() for table in tables]).reshape(-1, N_COLUMNS)
    y = np.concatenate([table["label"].to_numpy() for table in tables])
    del tables
    read = time.perf_counter()
    model = askrff.FourierRegressor(**OPTIONS, random_state=0, n_jobs=n_threads).fit(X, y)
    return {"read_seconds": read - start, "fit_seconds": time.perf_counter() - read, "peak_mib": peak_mib(), "C": model.C_}


def worker_peaks(spark, executors):
    """Of every Python worker that has worked, by a task on it."""

    def report(batches):
        import askrff.spark  # noqa: F401

        for _ in batches:
            pass
        time.sleep(0.2)  # so that every worker gets some
        yield pa.RecordBatch.from_pydict({"pid": [os.getpid()], "mib": [resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024]})

    n = 8 * executors
    rows = spark.range(n, numPartitions=n).mapInArrow(report, "pid long, mib double").collect()
    return {row.pid: row.mib for row in rows}


def fit_on_spark(spark, folder, executors, persist):
    from askrff.spark import FourierRegressor, _passes

    rows, passes, run = spark.read.parquet(str(folder)), [], _passes.SparkParts._run

    def timed_run(self, job, starts):
        start = time.perf_counter()
        result = run(self, job, starts)
        passes.append({"seconds": time.perf_counter() - start, "result_bytes": len(result), "task_bytes": len(job.task)})
        return result

    _passes.SparkParts._run = timed_run
    start = time.perf_counter()
    model = FourierRegressor(**OPTIONS, persist=persist).fit(rows)
    seconds = time.perf_counter() - start
    _passes.SparkParts._run = run
    peaks = worker_peaks(spark, executors)
    return {"fit_seconds": seconds, "passes": passes, "peak_mib": max(peaks.values()), "workers": len(peaks), "C": model.toLocal().C_}


def fit_in_one_process(folder, executors):
    alone = subprocess.run([sys.executable, __file__, "--alone", str(folder), "--executors", str(executors)], check=True, capture_output=True, text=True)
    return json.loads(alone.stdout)


def measured(arguments, spark, n_rows, folder):
    """Runs of each way, in turn."""
    write_rows(folder, n_rows, arguments.parts)
    ways = {
        "one process": lambda: fit_in_one_process(folder, arguments.executors),
        "spark, rows kept": lambda: fit_on_spark(spark, folder, arguments.executors, persist=True),
        "spark, files read in every pass": lambda: fit_on_spark(spark, folder, arguments.executors, persist=False),
    }
    runs = {way: [] for way in ways}
    for _ in range(arguments.repeats):
        for way, fit in ways.items():
            runs[way].append(fit())
    return runs


def print_runs(n_rows, runs):
    for way, of_way in runs.items():
        seconds = sorted(run["fit_seconds"] + run.get("read_seconds", 0) for run in of_way)
        passes = len(of_way[0]["passes"]) + 1 if "passes" in of_way[0] else "-"
        peak = max(run["peak_mib"] for run in of_way)
        print(f"{n_rows:>10}  {way:<34}{statistics.median(seconds):>9.2f}{seconds[0]:>9.2f}{seconds[-1]:>9.2f}{passes:>8}{peak:>10.0f}", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, nargs="+", default=[10**6, 10**7])
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--parts", type=int, default=40)
    parser.add_argument("--executors", type=int, default=2)
    parser.add_argument("--memory", type=int, default=1024)
    parser.add_argument("--json", type=pathlib.Path)
    parser.add_argument("--alone", type=pathlib.Path, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.alone:
        print(json.dumps(fit_alone(arguments.alone, arguments.executors)))
        return
    from local_spark import local_cluster

    spark = local_cluster(arguments.executors, arguments.memory)
    with tempfile.TemporaryDirectory() as folder:  # workers import askrff, and the virtual machines compile
        write_rows(pathlib.Path(folder) / "rows", 10**5, arguments.parts)
        for persist in (True, False):
            fit_on_spark(spark, pathlib.Path(folder) / "rows", arguments.executors, persist)
    results = []
    print(f"{'rows':>10}  {'what':<34}{'seconds':>9}{'least':>9}{'most':>9}{'passes':>8}{'peak MiB':>10}")
    for n_rows in arguments.rows:
        with tempfile.TemporaryDirectory() as folder:
            results.append({"rows": n_rows, "parts": arguments.parts, "runs": measured(arguments, spark, n_rows, pathlib.Path(folder) / "rows")})
        print_runs(n_rows, results[-1]["runs"])
    if arguments.json:
        arguments.json.write_text(json.dumps(results, indent=1))
    spark.stop()


if __name__ == "__main__":
    main()
