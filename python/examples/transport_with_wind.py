#!/usr/bin/env python3
"""A directed similarity: what sources at y, carried by the wind, deposit at x.

    u(x) = Σ_j q_j exp(-|x - y_j - w|²/2σ²)

is a product with a Shift-Gaussian kernel matrix, which is not symmetric: what goes downwind does not come back. A million sources at a
million targets are 10^12 pairs; the operator never forms them, nor any feature. A sample of targets is summed exactly to judge it.
Exits with 0 only if the error on that sample is below the tolerance asked for.
"""

import argparse
import time

import numpy as np

from askrff import FourierFeatures

SIGMA, WIND = 0.1, np.array([0.15, 0.05])
TOLERANCE = 1e-3


def scene(n, rng):
    """Chimneys in a few clusters, with their emissions; targets all over the unit square."""
    centres = rng.uniform(0.15, 0.6, size=(8, 2))
    sources = centres[rng.integers(8, size=n)] + 0.03 * rng.normal(size=(n, 2))
    return np.clip(sources, 0, 1), rng.exponential(size=n), rng.uniform(size=(n, 2))


def exact_sums(kernel, targets, sources, strengths):
    """Target by target: memory for one row of the kernel matrix."""
    return np.array([kernel(target[np.newaxis], sources)[0] @ strengths for target in targets])


def draw(features, sources, strengths, path):
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    side = np.linspace(0, 1, 200)
    grid = np.stack(np.meshgrid(side, side), axis=-1).reshape(-1, 2)
    u = (features.operator(grid, sources) @ strengths).reshape(200, 200)
    figure, axes = plt.subplots(figsize=(5.4, 4.6), layout="constrained")
    image = axes.imshow(u, origin="lower", extent=(0, 1, 0, 1), cmap="viridis")
    some = sources[:: max(1, len(sources) // 2000)]
    axes.plot(*some.T, ".", color="white", markersize=1, alpha=0.5)
    axes.annotate("", xy=(0.12 + WIND[0], 0.9 + WIND[1]), xytext=(0.12, 0.9), arrowprops={"color": "red", "width": 2})
    axes.set_title("deposits, sources (dots) and the wind (arrow)")
    figure.colorbar(image)
    figure.savefig(path, dpi=120)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--size", type=int, default=10**6, help="sources, and as many targets (default 10^6)")
    parser.add_argument("--sample", type=int, default=50, help="targets summed exactly (default 50)")
    parser.add_argument("--figure", metavar="FILE", help="draw the deposits (needs matplotlib)")
    arguments = parser.parse_args()
    rng = np.random.default_rng(0)
    sources, strengths, targets = scene(arguments.size, rng)

    features = FourierFeatures(
        kernel="shift-gaussian",
        kernel_params={"sigma": SIGMA, "shift": -WIND},  # k(δ) = exp(-|δ + shift|²/2σ²)
        tolerance=TOLERANCE,
        estimator="fourier",
        random_state=0,
    ).fit(np.concatenate([sources[:5000], targets[:5000]]))
    print(f"{features.n_features_out_} features, certified error {features.error_:.1e}, up to {features.error_interval_[1]:.1e}")

    start = time.perf_counter()
    u = features.operator(targets, sources) @ strengths
    seconds = time.perf_counter() - start
    print(f"{arguments.size:,} sources at {arguments.size:,} targets: {seconds:.1f} s by the operator")

    chosen = rng.choice(arguments.size, size=min(arguments.sample, arguments.size), replace=False)
    start = time.perf_counter()
    exact = exact_sums(features.kernel_, targets[chosen], sources, strengths)
    seconds_exact = (time.perf_counter() - start) * arguments.size / len(chosen)
    error = np.linalg.norm(u[chosen] - exact) / np.linalg.norm(exact)
    print(f"relative error on {len(chosen)} targets summed exactly: {error:.1e}; all targets would take {seconds_exact:,.0f} s")

    if arguments.figure:
        draw(features, sources, strengths, arguments.figure)
    return 0 if error < TOLERANCE else 1


if __name__ == "__main__":
    raise SystemExit(main())
