#!/usr/bin/env python3
"""A Parquet file that is larger than the memory it is read with, through FourierRegressor.partial_fit: time beside pyarrow's own reading,
peak memory above the interpreter with all modules loaded. Every figure is that of a process of its own.

Usage: parquet.py [--rows N] [--columns D] [--features M] [--row-group N] [--file PATH]; needs askrff and pyarrow. Prints a table in Markdown.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time

MIB = 2**20


def write_file(path, n_rows, n_columns, row_group):
    """Uniform numbers x0, x1, … and a label y that depends on some of them, a row group at a time."""
    import numpy as np
    import pyarrow as pa
    import pyarrow.parquet as pq

    rng = np.random.default_rng(0)
    names = [f"x{j}" for j in range(n_columns)] + ["y"]
    with pq.ParquetWriter(path, pa.schema([(name, pa.float64()) for name in names]), compression="snappy") as writer:
        for first in range(0, n_rows, row_group):
            X = rng.uniform(size=(min(row_group, n_rows - first), n_columns))
            y = np.sin(3 * X[:, 0]) * X[:, 1] + 0.1 * rng.normal(size=len(X))
            writer.write_table(pa.table([*X.T, y], names=names), row_group_size=row_group)


def reader_of(path, row_group):
    import pyarrow as pa
    import pyarrow.parquet as pq

    file = pq.ParquetFile(path, pre_buffer=False)  # else all of the file is kept from the first batch to the last
    return pa.RecordBatchReader.from_batches(file.schema_arrow, file.iter_batches(row_group))


def measure(task, path, row_group, n_features):
    """Seconds and MiB of one task, in this process."""
    import pyarrow.parquet  # noqa: F401: part of the interpreter that memory is counted above

    from askrff import FourierRegressor, _core

    before = memory("VmRSS")
    start = time.perf_counter()
    n_rows = 0
    if task == "read":
        for batch in reader_of(path, row_group):
            n_rows += len(batch)
    elif task == "rows":
        stream = _core.BatchStream.of_stream(reader_of(path, row_group).__arrow_c_stream__())
        while (table := stream.read(65536)).n_rows > 0:
            n_rows += table.n_rows
            for first in range(0, table.n_rows, 4096):
                table.copy(first, first + 4096, False)
    else:
        C = 1.0 if task == "fit, one C" else "auto"
        model = FourierRegressor(n_features=n_features, C=C, random_state=0).partial_fit(reader_of(path, row_group), y="y")
        n_rows = model.n_rows_seen_
    seconds = time.perf_counter() - start
    return {"rows": n_rows, "seconds": seconds, "mib": memory("VmHWM") - before}


def memory(what):
    """MiB that the process holds (VmRSS) or has held at most (VmHWM); getrusage would count the parent's too."""
    with open("/proc/self/status") as file:
        return next(int(line.split()[1]) / 1024 for line in file if line.startswith(what + ":"))


def measured(task, arguments):
    command = [sys.executable, __file__, "--task", task, "--file", arguments.file, "--row-group", str(arguments.row_group)]
    result = subprocess.run([*command, "--features", str(arguments.features)], check=True, stdout=subprocess.PIPE)
    return json.loads(result.stdout)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rows", type=int, default=10**7)
    parser.add_argument("--columns", type=int, default=20)
    parser.add_argument("--features", type=int, default=256)
    parser.add_argument("--row-group", type=int, default=10**5)
    parser.add_argument("--file", help="where the Parquet file is, or is to be; default: a temporary one")
    parser.add_argument("--task", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.task:
        return print(json.dumps(measure(arguments.task, arguments.file, arguments.row_group, arguments.features)))
    with tempfile.TemporaryDirectory() as folder:
        arguments.file = arguments.file or os.path.join(folder, "rows.parquet")
        if not os.path.exists(arguments.file):
            write_file(arguments.file, arguments.rows, arguments.columns, arguments.row_group)
        print(f"{arguments.rows} × {arguments.columns} float64 and a label, {os.path.getsize(arguments.file) / MIB:.0f} MiB of Parquet\n")
        print("| | seconds | × reading | MiB above the interpreter |\n|---|---|---|---|")
        reading = measured("read", arguments)
        words = {"read": "pyarrow reads it", "rows": "and rows of doubles are made of it", "fit, one C": f"partial_fit, {arguments.features} features, one C"}
        words["fit, folds"] = f"partial_fit, {arguments.features} features, C by 5 folds"
        for task, what in words.items():
            found = reading if task == "read" else measured(task, arguments)
            print(f"| {what} | {found['seconds']:.1f} | {found['seconds'] / reading['seconds']:.1f} | {found['mib']:.0f} |", flush=True)


if __name__ == "__main__":
    main()
