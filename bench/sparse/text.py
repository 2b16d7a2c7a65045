#!/usr/bin/env python3
"""Sparse rows through fits and transforms beside the same rows in dense blocks, and the projection beside SciPy's product: rows like those of
texts (many columns, few numbers) and one-hot rows. Every figure is that of a process of its own; what would take too long or does not fit
with dense rows is measured on some of them and multiplied.

Usage: text.py [--rows N] [--columns D] [--numbers K] [--dense-rows N] [--threads T] [--without-dense TASK,…]; needs askrff. Prints a table in Markdown.
"""

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time

import numpy as np
import scipy.sparse as sp

N_FEATURES, BLOCK = 512, 1000


def text_rows(n_rows, n_columns, n_numbers):
    """Words drawn by a power law, a third of them by the topic of their text; rows of length 1, and whether the topic is even."""
    rng = np.random.default_rng(0)
    law = 1 / np.arange(1, n_columns + 1) ** 0.7
    words = rng.choice(n_columns, size=(n_rows, n_numbers), p=law / law.sum())
    topics = rng.integers(0, n_columns, size=(8, n_columns // 12))
    topic = rng.integers(0, 8, n_rows)
    share = n_numbers // 3
    words[:, :share] = topics[topic[:, None], rng.integers(0, topics.shape[1], size=(n_rows, share))]
    X = sp.csr_matrix((np.ones(words.size), words.ravel(), np.arange(0, words.size + 1, n_numbers)), shape=(n_rows, n_columns))
    X.sum_duplicates()
    X.data = np.log1p(X.data)
    X = sp.diags(1 / np.sqrt(X.multiply(X).sum(axis=1)).A1) @ X
    return sp.csr_matrix(X), topic % 2


def one_hot_rows(n_rows):
    """14 categories of 2 to 16 values, 123 columns."""
    sizes = [9, 16, 7, 16, 7, 14, 6, 5, 2, 15, 8, 6, 5, 7]
    rng = np.random.default_rng(0)
    codes, first = [], 0
    for size in sizes:
        codes.append(first + rng.choice(size, n_rows, p=rng.dirichlet(np.full(size, 0.5))))
        first += size
    columns = np.stack(codes, axis=1)
    X = sp.csr_matrix((np.ones(columns.size), columns.ravel(), np.arange(0, columns.size + 1, len(sizes))), shape=(n_rows, first))
    return X, columns.sum(axis=1) % 3 == 0


def blocks(X):
    return (X[first : first + BLOCK] for first in range(0, X.shape[0], BLOCK))


def run(task, dense, X, y, threads):
    """Seconds of one task. Features are made some rows at a time, so that the result is not what takes the memory."""
    from askrff import FourierClassifier, FourierFeatures, FourierRegressor

    options = {"kernel": "gaussian", "kernel_params": {"sigma": 1.4}, "n_features": N_FEATURES, "scale": "none", "random_state": 0, "n_jobs": threads}
    rows = (lambda part: part.toarray()) if dense else (lambda part: part)
    if task in ("transform", "Nyström transform", "product"):
        estimator = {"estimator": "nystrom", "n_features": 256} if task.startswith("N") else {"weights": "exact"}
        features = FourierFeatures(**{**options, **estimator}).fit(rows(X[:BLOCK]))
    start = time.perf_counter()
    if task == "product":
        frequencies = np.ascontiguousarray(features._map.frequencies.T)
        start = time.perf_counter()
        for part in blocks(X):
            part @ frequencies
    elif task.endswith("transform"):
        for part in blocks(X):
            features.transform(rows(part))
    elif task == "Nyström fit":
        FourierFeatures(**{**options, "estimator": "nystrom", "n_features": 256}).fit(rows(X))
    elif task == "map fit":
        FourierFeatures(**options).fit(rows(X))
    elif task == "ridge":
        model = FourierRegressor(**options)
        if dense:
            for part, first in zip(blocks(X), range(0, X.shape[0], BLOCK)):
                model.partial_fit(part.toarray(), y[first : first + BLOCK].astype(float))
        else:
            model.fit(X, y.astype(float))
    else:
        FourierClassifier(**options, C=1.0).fit(rows(X), y)
    return time.perf_counter() - start


def measured(arguments, task, dense, n_rows):
    command = [sys.executable, __file__, "--task", task, "--file", arguments.file, "--threads", str(arguments.threads), "--rows", str(n_rows)]
    result = subprocess.run(command + (["--dense"] if dense else []), check=True, capture_output=True, text=True)
    return json.loads(result.stdout)


def line(arguments, task, n_rows):
    sparse = measured(arguments, task, False, n_rows)
    if task == "product":
        print(f"| SciPy's product alone | {sparse['seconds']:.2f} s | | {sparse['MiB']:.0f} MiB | |", flush=True)
        return
    if task in arguments.without_dense:
        print(f"| {task} | {sparse['seconds']:.2f} s | | {sparse['MiB']:.0f} MiB | |", flush=True)
        return
    some = min(n_rows, arguments.dense_rows)
    dense = measured(arguments, task, True, some)
    grows = n_rows / some if not task.endswith("fit") else 1  # of many rows a map looks at some only
    seconds, memory = dense["seconds"] * grows, dense["MiB"] * (grows if task == "svm" else 1)
    print(f"| {task} | {sparse['seconds']:.2f} s | {seconds:.1f} s, {seconds / sparse['seconds']:.1f} × | {sparse['MiB']:.0f} MiB | {memory:.0f} MiB, {memory / max(1, sparse['MiB']):.1f} × |", flush=True)


def table(arguments, name, X, y, tasks):
    with tempfile.TemporaryDirectory() as folder:
        arguments.file = os.path.join(folder, "rows")
        sp.save_npz(arguments.file + ".npz", X)
        np.save(arguments.file + ".npy", y)
        print(f"\n{name}: {X.shape[0]} × {X.shape[1]}, {X.nnz / X.shape[0]:.0f} numbers a row\n\n| | sparse | dense blocks | memory | dense |\n|---|---|---|---|---|")
        for task in tasks:
            line(arguments, task, X.shape[0])


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--rows", type=int, default=100_000)
    parser.add_argument("--columns", type=int, default=50_000)
    parser.add_argument("--numbers", type=int, default=50)
    parser.add_argument("--dense-rows", type=int, default=2000, help="of which the figures for dense rows are")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--without-dense", default="", help="tasks of which dense rows are not tried, by commas: a map of wide ones takes minutes")
    parser.add_argument("--task", help=argparse.SUPPRESS)
    parser.add_argument("--file", help=argparse.SUPPRESS)
    parser.add_argument("--dense", action="store_true", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    arguments.without_dense = arguments.without_dense.split(",")
    if arguments.task:
        import askrff  # noqa: F401: part of the interpreter that memory is counted above

        X, y = sp.load_npz(arguments.file + ".npz")[: arguments.rows], np.load(arguments.file + ".npy")[: arguments.rows]
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        seconds = run(arguments.task, arguments.dense, X, y, arguments.threads)
        print(json.dumps({"seconds": seconds, "MiB": (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024}))
        return
    table(arguments, "Text", *text_rows(arguments.rows, arguments.columns, arguments.numbers),
          ["product", "transform", "map fit", "ridge", "svm", "Nyström fit", "Nyström transform"])
    table(arguments, "One-hot", *one_hot_rows(32561), ["product", "transform", "map fit", "ridge", "svm"])


if __name__ == "__main__":
    main()
