#!/usr/bin/env python3
"""Replacing scikit-learn's RBFSampler on real data: handwritten digits, 1797 rows of 64 grey values.

Prints, for equal numbers of columns, the error of the kernel matrix on rows not seen, the time to transform, and the accuracy of the same
linear classifier. With --figure FILE also draws the errors. Exits with 0 only if the features here have the smaller error throughout.
"""

import argparse
import time

import numpy as np
from sklearn.datasets import load_digits
from sklearn.kernel_approximation import RBFSampler
from sklearn.linear_model import RidgeClassifier
from sklearn.metrics.pairwise import rbf_kernel
from sklearn.model_selection import train_test_split

from askrff import FourierFeatures

GAMMA = 0.05  # |δ|² is about 25 for different digits in [0,1]^64
COLUMNS = (64, 128, 256, 512, 1024)


def methods(n_columns, seed):
    """(name, transformer) for so many columns; the last two are this package's."""
    yield "RBFSampler", RBFSampler(gamma=GAMMA, n_components=n_columns, random_state=seed)
    yield "exact weights", FourierFeatures(gamma=GAMMA, n_frequencies=n_columns // 2, weights="exact", random_state=seed)
    yield "calibrated", FourierFeatures(gamma=GAMMA, n_frequencies=n_columns // 2, random_state=seed)


def right_features(transformer, X):
    """Of RBFSampler both sides are the same."""
    return transformer.transform_right(X) if hasattr(transformer, "transform_right") else transformer.transform(X)


def seconds_to_transform(transformer, X, n_repeats=5):
    times = []
    for _ in range(n_repeats):
        start = time.perf_counter()
        transformer.transform(X)
        times.append(time.perf_counter() - start)
    return min(times)


def measure(transformer, train, test, labels):
    transformer.fit(train)
    K = rbf_kernel(test, gamma=GAMMA)
    error = np.linalg.norm(transformer.transform(test) @ right_features(transformer, test).T - K) / np.linalg.norm(K)
    many_rows = np.tile(train, (10, 1))
    ns_per_number = 1e9 * seconds_to_transform(transformer, many_rows) / (len(many_rows) * transformer.transform(test[:1]).shape[1])
    classifier = RidgeClassifier(alpha=0.01).fit(transformer.transform(train), labels[0])
    return error, ns_per_number, classifier.score(transformer.transform(test), labels[1])


def table(rows_of_seed):
    """Means over the seeds: {(columns, method): (error, ns, accuracy)}."""
    return {key: np.mean([rows[key] for rows in rows_of_seed], axis=0) for key in rows_of_seed[0]}


def run(n_seeds):
    X, y = load_digits(return_X_y=True)
    train, test, *labels = train_test_split((X / 16).astype(np.float32), y, test_size=0.3, random_state=0)
    rows_of_seed = []
    for seed in range(n_seeds):
        rows_of_seed.append(
            {
                (n_columns, name): measure(transformer, train, test, labels)
                for n_columns in COLUMNS
                for name, transformer in methods(n_columns, seed)
            }
        )
    return table(rows_of_seed)


def draw(results, path):
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(figsize=(6.4, 4), layout="constrained")
    for name in dict.fromkeys(name for _, name in results):
        axes.loglog(COLUMNS, [results[n, name][0] for n in COLUMNS], marker="o", label=name)
    axes.set(xlabel="columns", ylabel="relative error of the kernel matrix", title="Gaussian kernel on handwritten digits, unseen rows")
    axes.legend()
    figure.savefig(path, dpi=120)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--figure", metavar="FILE", help="draw the errors (needs matplotlib)")
    parser.add_argument("--seeds", type=int, default=3, help="draws to average over (default 3)")
    arguments = parser.parse_args()
    results = run(arguments.seeds)
    print("| columns | features | error | ns per number | accuracy |\n|---|---|---|---|---|")
    for (n_columns, name), (error, ns, accuracy) in results.items():
        print(f"| {n_columns} | {name} | {error:.4f} | {ns:.2f} | {accuracy:.3f} |")
    if arguments.figure:
        draw(results, arguments.figure)
    better = all(
        results[n, "calibrated"][0] < results[n, "exact weights"][0] < results[n, "RBFSampler"][0] for n in COLUMNS
    )
    return 0 if better else 1


if __name__ == "__main__":
    raise SystemExit(main())
