"""What Spark adds to a fit: a ridge regressor on rows in Parquet files, by askrff.spark on executors of this machine and by one process.

Usage: spark_overhead.py [--rows 1000000 10000000] [--parts 8] [--executors 2] [--memory 1024] [--json FILE]
Prints a table; seconds are wall clock with the session up and its workers started, memory the largest resident size of any Python worker.
"""

import argparse
import json
import os
import pathlib
import resource
import subprocess
import sys
import tempfile
import time

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

N_COLUMNS = 22
OPTIONS = {"n_features": 128, "C": [0.1, 1.0, 10.0]}


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


def fit_alone(folder):
    """In this process, all rows in memory: seconds to read, seconds to fit, memory."""
    import askrff

    start = time.perf_counter()
    tables = [pq.read_table(path) for path in sorted(folder.iterdir())]
    X = np.concatenate([table["features"].combine_chunks().flatten().to_numpy() for table in tables]).reshape(-1, N_COLUMNS)
    y = np.concatenate([table["label"].to_numpy() for table in tables])
    del tables
    read = time.perf_counter()
    model = askrff.FourierRegressor(**OPTIONS, random_state=0).fit(X, y)
    return {"read_seconds": read - start, "fit_seconds": time.perf_counter() - read, "peak_mib": peak_mib(), "C": model.C_}


def session(executors, memory):
    from pyspark.sql import SparkSession

    os.environ.update(PYSPARK_PYTHON=sys.executable, SPARK_LOCAL_IP="127.0.0.1")
    options = {
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.driver.host": "127.0.0.1",
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        "spark.sql.files.openCostInBytes": "128m",  # every file is a partition
        "spark.executor.memory": f"{memory}m",
    }
    builder = SparkSession.builder.master(f"local-cluster[{executors},1,{memory}]")
    for name, value in options.items():
        builder = builder.config(name, value)
    spark = builder.getOrCreate()
    spark.sparkContext.setLogLevel("OFF")
    return spark


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


def measured(arguments, spark, n_rows, folder):
    write_rows(folder, n_rows, arguments.parts)
    alone = subprocess.run([sys.executable, __file__, "--alone", str(folder)], check=True, capture_output=True, text=True)
    found = {"rows": n_rows, "parts": arguments.parts, "one process": json.loads(alone.stdout)}
    for persist in (True, False):
        found["spark, rows kept" if persist else "spark, files read in every pass"] = fit_on_spark(spark, folder, arguments.executors, persist)
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, nargs="+", default=[10**6, 10**7])
    parser.add_argument("--parts", type=int, default=8)
    parser.add_argument("--executors", type=int, default=2)
    parser.add_argument("--memory", type=int, default=1024)
    parser.add_argument("--json", type=pathlib.Path)
    parser.add_argument("--alone", type=pathlib.Path, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.alone:
        print(json.dumps(fit_alone(arguments.alone)))
        return
    spark = session(arguments.executors, arguments.memory)
    with tempfile.TemporaryDirectory() as folder:  # workers import askrff, and the virtual machines compile
        write_rows(pathlib.Path(folder) / "rows", 10**5, arguments.parts)
        for persist in (True, False):
            fit_on_spark(spark, pathlib.Path(folder) / "rows", arguments.executors, persist)
    results = []
    print(f"{'rows':>10}  {'what':<34}{'seconds':>9}{'passes':>8}{'peak MiB':>10}")
    for n_rows in arguments.rows:
        with tempfile.TemporaryDirectory() as folder:
            results.append(measured(arguments, spark, n_rows, pathlib.Path(folder) / "rows"))
        for what, values in results[-1].items():
            if isinstance(values, dict):
                seconds = values["fit_seconds"] + values.get("read_seconds", 0)
                passes = len(values["passes"]) + 1 if "passes" in values else "-"
                print(f"{n_rows:>10}  {what:<34}{seconds:>9.2f}{passes:>8}{values['peak_mib']:>10.0f}", flush=True)
    if arguments.json:
        arguments.json.write_text(json.dumps(results, indent=1))
    spark.stop()


if __name__ == "__main__":
    main()
