#!/usr/bin/env python3
"""Draws docs/figures/your-own-kernel.png: the four examples of docs/your-own-kernel.md.

Usage: your-own-kernel.py FILE; needs the askrff package and matplotlib.
"""

import sys

import matplotlib

matplotlib.use("Agg")
import numpy as np
from matplotlib import pyplot

from askrff import FourierFeatures, Kernel, kernels


def relative(found, exact):
    return np.linalg.norm(found - exact) / np.linalg.norm(exact)


def formula(axis):
    k = kernels.expression("exp(-abs(x + 0.3)/s) * (1 + 0.5*tanh(x))", s=0.8)
    at = np.linspace(-3, 3, 601)
    values = k(at[:, None], [[0.0]])[:, 0]
    features = FourierFeatures(kernel=k, n_frequencies=128, random_state=0).fit(np.random.default_rng(0).uniform(-3, 3, (1000, 1)))
    found = (features.transform(at[:, None]) @ features.transform_right([[0.0]]).T)[:, 0]
    axis.plot(at, values, label="k(δ)")
    axis.plot(at, (values - values[::-1]) / 2, label="its skew part")
    axis.plot(at, found, "--", label="by 256 features")
    axis.set(title="a formula", xlabel="δ = x - y", ylim=(-0.2, 1.25))
    axis.legend()


def estimated(axis):
    rng = np.random.default_rng(0)
    moved = -rng.gamma(4.0, 0.05, 20_000)
    heights, edges = np.histogram(moved, bins=40, density=True)
    middles, width = 0.5 * (edges[:-1] + edges[1:]), edges[1] - edges[0]
    table = np.r_[middles[0] - width, middles, middles[-1] + width], np.r_[0.0, heights, 0.0]
    k = kernels.expression("f(x)", tables={"f": table})
    at = np.linspace(-0.8, 0.2, 401)
    features = FourierFeatures(kernel=k, n_frequencies=128, random_state=0).fit(rng.uniform(-0.8, 0.8, size=(1500, 1)))
    found = (features.transform(at[:, None]) @ features.transform_right([[0.0]]).T)[:, 0]
    axis.stairs(heights, edges, fill=True, color="0.85", label="20 000 displacements")
    axis.plot(at, k(at[:, None], [[0.0]])[:, 0], label="the kernel: a table")
    axis.plot(at, found, "--", label="by 256 features")
    axis.set(title="a kernel estimated from data", xlabel="x - y: set out at x, arrived at y")
    axis.legend()


def pairs(axis):
    rng = np.random.default_rng(0)
    rows = np.column_stack([np.sort(rng.random(300)), rng.random(300)])

    def follows(X, Y):
        lag = Y[:, 0] - X[:, :1]
        return np.exp(np.where(lag >= 0, -lag / 0.3, lag / 0.05)) * (0.2 + X[:, 1:] * Y[:, 1])

    K = follows(rows, rows)
    features = FourierFeatures(kernel=Kernel.from_pairs(follows), n_features=60, random_state=0).fit(rows)
    found = features.transform(rows) @ features.transform_right(rows).T
    axis.imshow(np.hstack([K, np.full((300, 12), np.nan), found]), cmap="viridis", vmin=0, vmax=K.max())
    axis.set(title=f"a similarity of pairs: exact, and by 60 features ({relative(found, K):.1%})", xticks=[], yticks=[])


def matrix(axis):
    points = np.random.default_rng(0).normal(size=(1000, 3))
    squares = np.square(points[:, None] - points[None]).sum(axis=2)
    P = np.exp(-squares / np.sort(squares, axis=1)[:, 30:31])
    P /= P.sum(axis=1, keepdims=True)
    singular = np.linalg.svd(P, compute_uv=False)
    ranks = [8, 16, 32, 64, 128, 256]
    best = [np.linalg.norm(singular[r:]) / np.linalg.norm(singular) for r in ranks]
    errors = []
    for rank in ranks:
        features = FourierFeatures(kernel="precomputed", n_features=rank, random_state=0).fit(P)
        errors.append(relative(features.transform(P) @ features.transform_right(P.T).T, P))
    symmetric = relative((P + P.T) / 2, P)
    axis.loglog(ranks, best, "o-", label="best of that rank (SVD)")
    axis.loglog(ranks, errors, "x--", label="features")
    axis.axhline(symmetric, color="0.5", linestyle=":", label="what is lost if P is made symmetric")
    axis.set(title="a matrix of conditional probabilities", xlabel="features", ylabel="relative error")
    axis.set_xticks(ranks, [str(r) for r in ranks])
    axis.minorticks_off()
    axis.legend()


def main():
    figure, axes = pyplot.subplots(2, 2, figsize=(11, 8), layout="constrained")
    for draw, axis in zip((formula, estimated, pairs, matrix), axes.ravel()):
        draw(axis)
    figure.savefig(sys.argv[1], dpi=100)


if __name__ == "__main__":
    main()
