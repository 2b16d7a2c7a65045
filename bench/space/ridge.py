#!/usr/bin/env python3
"""Ridge regression on a grid of frequencies, d = 2: `askrff train --model ridge --sampler grid` on a stream of rows beside reading the same
file; peak memory; and, on 2000 rows, predictions beside a dense solve with the exact kernel.

Usage: ridge.py COMMAND [--rows N,N,...] [--repeats R] [--folder DIR] [--kernels NAME:TOLERANCE,...]; COMMAND is the askrff of a build; needs
the askrff package, NumPy, SciPy and GNU time. Prints tables in Markdown.
"""

import argparse
import os
import statistics
import subprocess
import tempfile
import time

import numpy as np
import scipy.linalg

import askrff

SIGMA = 0.05
C = 1.0


def rows_of(n, rng):
    X = rng.random((n, 2))
    y = np.sin(9 * X[:, 0] + 5 * X[:, 1]) + X[:, 0] * X[:, 1] + 0.3 * rng.normal(size=n)
    return X, y


def write_rows(path, n):
    """Label and two columns, float64, made block by block."""
    rng = np.random.default_rng(0)
    out = np.lib.format.open_memmap(path, mode="w+", dtype=np.float64, shape=(n, 3))
    for first in range(0, n, 1_000_000):
        X, y = rows_of(min(1_000_000, n - first), rng)
        out[first : first + len(X), 0], out[first : first + len(X), 1:] = y, X
    out.flush()


def measured(command):
    """Seconds and peak MiB of a command. By GNU time: a process started from here would begin with the peak of this one, which Linux keeps
    when another program takes its place, and this one has mapped all rows."""
    with tempfile.NamedTemporaryFile("r") as usage:
        start = time.perf_counter()
        subprocess.run(["/usr/bin/time", "-f", "%M", "-o", usage.name, *command], stdout=subprocess.DEVNULL, check=True)
        return time.perf_counter() - start, int(usage.read()) / 1024


def train_command(args, data, out, kernel, tolerance, folds):
    how = ["--kernel", kernel, "--sigma", str(SIGMA), "--scale", "none", "--sampler", "grid", "--tolerance", str(tolerance)]
    c = ["--c-grid", "0.1,1,10"] if folds else ["--c", str(C)]
    return [args.command, "train", "--data", data, "--label", "1", "--model", "ridge", "--task", "regression", *how, *c, "--out", out]


def read_by_numpy(path):
    rows = np.load(path, mmap_mode="r")
    start = time.perf_counter()
    for first in range(0, len(rows), 65536):
        rows[first : first + 65536].sum()
    return time.perf_counter() - start


def stream_table(args, folder):
    print("| kernel, tolerance | frequencies | rows | reading, twice (NumPy) | train, one C | peak MiB | train, 3 C, 5 folds | peak MiB |")
    print("|---|---|---|---|---|---|---|---|")
    out = os.path.join(folder, "model.askrff")
    for n in args.rows:
        path = os.path.join(folder, "rows.npy")
        write_rows(path, n)
        read_by_numpy(path)  # into the page cache
        for kernel, tolerance in args.kernels:
            reading = [2 * read_by_numpy(path) for _ in range(args.repeats)]
            one = [measured(train_command(args, path, out, kernel, tolerance, False)) for _ in range(args.repeats)]
            frequencies = askrff.load(out).n_features_out_ // 2
            text = f"| {kernel}, {tolerance:g} | {frequencies:,} | {n:,} | {statistics.median(reading):.2f} s"
            text += f" | {statistics.median(t for t, _ in one):.2f} s ({min(t for t, _ in one):.2f}-{max(t for t, _ in one):.2f})"
            text += f" | {max(m for _, m in one):.0f}"
            if frequencies < 50_000:
                several = measured(train_command(args, path, out, kernel, tolerance, True))
                text += f" | {several[0]:.2f} s | {several[1]:.0f} |"
            else:
                text += " | not run | |"
            print(text, flush=True)
        os.remove(path)


def dense_predictions(kernel, X, y, at):
    """With an unregularised constant."""
    K = askrff.exact_kernel(X, kernel=kernel)
    factor = scipy.linalg.cho_factor(K + 0.5 / C * np.eye(len(X)))
    ones = scipy.linalg.cho_solve(factor, np.ones(len(X)))
    mean = ones @ y / ones.sum()
    return mean + askrff.exact_kernel(at, X, kernel=kernel) @ scipy.linalg.cho_solve(factor, y - mean)


def dense_table(args):
    print("\n| kernel, tolerance | rows | frequencies | largest difference from a dense solve | relative, root mean square | seconds |")
    print("|---|---|---|---|---|---|")
    rng = np.random.default_rng(1)
    X, y = rows_of(2000, rng)
    at = rng.random((1000, 2))
    for name, tolerance in args.kernels:
        kernel = askrff.kernels.Kernel(name, sigma=SIGMA)
        start = time.perf_counter()
        model = askrff.FourierRegressor(kernel=kernel, scale="none", sampler="grid", tolerance=tolerance, C=C).fit(X, y)
        seconds = time.perf_counter() - start
        found, exact = model.predict(at), dense_predictions(kernel, X, y, at)
        relative = np.linalg.norm(found - exact) / np.linalg.norm(exact)
        print(f"| {name}, {tolerance:g} | 2000 | {model.n_features_out_ // 2:,} | {np.abs(found - exact).max():.1e} | {relative:.1e} | {seconds:.2f} |", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("command")
    parser.add_argument("--rows", type=lambda text: [int(float(n)) for n in text.split(",")], default=[1_000_000, 3_000_000, 10_000_000])
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--folder")
    parser.add_argument(
        "--kernels",
        type=lambda text: [(part.rsplit(":", 1)[0], float(part.rsplit(":", 1)[1])) for part in text.split(",")],
        default=[("gaussian", 1e-6), ("gaussian", 1e-9), ("matern-3/2", 1e-3), ("matern-3/2", 1e-4)],
    )
    args = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=args.folder) as folder:
        stream_table(args, folder)
    dense_table(args)


if __name__ == "__main__":
    main()
