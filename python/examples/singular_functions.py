#!/usr/bin/env python3
"""Singular functions of an asymmetric kernel: what it looks for on the left, and where it finds it on the right.

Of a symmetric kernel they are eigenfunctions, one set. Of exp(-|x - y + r|²/2σ²) there are two, which differ about as the shift r moves
them. ``svd`` takes O(N M²) for N rows and M features; here it is compared with the SVD of the exact matrix, O(N³). Exits with 0 only if
singular values and functions agree.
"""

import argparse
import time

import numpy as np

from askrff import FourierFeatures

K = 4


def draw(x, U, Vt, path):
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(2, 2, figsize=(7.2, 4.6), layout="constrained", sharex=True)
    for i, axis in enumerate(axes.flat):
        axis.plot(x, U[:, i] * np.sqrt(len(x)), label="left")
        axis.plot(x, Vt[i] * np.sqrt(len(x)), "--", label="right")
        axis.set_title(f"singular function {i + 1}")
    axes[0, 0].legend()
    figure.savefig(path, dpi=120)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--size", type=int, default=1500, help="rows (default 1500)")
    parser.add_argument("--figure", metavar="FILE", help="draw the functions (needs matplotlib)")
    arguments = parser.parse_args()
    X = np.linspace(0, 1, arguments.size).reshape(-1, 1)

    features = FourierFeatures(
        kernel="shift-gaussian", kernel_params={"sigma": 0.15, "shift": 0.2}, n_frequencies=64, random_state=0
    ).fit(X)
    start = time.perf_counter()
    U, s, Vt = features.svd(X, k=K)
    seconds = time.perf_counter() - start

    start = time.perf_counter()
    U_exact, s_exact, Vt_exact = np.linalg.svd(features.kernel_(X))
    seconds_exact = time.perf_counter() - start

    # Both vectors of a pair may change sign together: compare the pairs.
    cosines = np.sum(U * U_exact[:, :K], axis=0) * np.sum(Vt * Vt_exact[:K], axis=1)
    print(f"{arguments.size} rows: {seconds:.2f} s with features, {seconds_exact:.2f} s with the exact matrix")
    print("   s approximate       s exact   cosines of left times right")
    for ours, exact, cosine in zip(s, s_exact, cosines):
        print(f"{ours:16.8f} {exact:13.8f}   {cosine:.9f}")
    left, right = (X[np.abs(v).argmax(), 0] for v in (U[:, 0], Vt[0]))
    print(f"the first left function is largest at {left:.2f}, the right one at {right:.2f}")
    if arguments.figure:
        draw(X[:, 0], U, Vt, arguments.figure)
    agree = np.allclose(s, s_exact[:K], rtol=1e-3) and np.all(np.abs(cosines) > 0.999)
    return 0 if agree else 1


if __name__ == "__main__":
    raise SystemExit(main())
