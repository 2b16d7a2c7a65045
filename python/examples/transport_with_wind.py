#!/usr/bin/env python3
"""A directed similarity: what sources at y, carried by the wind, bring to x.

    u(x) = Σ_j q_j exp(-|x - y_j - w|²/2σ²)

is a product with a Shift-Gaussian kernel matrix, which is not symmetric: what goes downwind does not come back. A million sources at a
million targets are 10^12 pairs; the operator never forms them, nor any feature. A sample of targets is summed exactly to judge it.
Exits with 0 only if the error on that sample is below the tolerance asked for.
"""

import argparse
import resource
import sys
import time

import numpy as np
from threadpoolctl import threadpool_limits

from askrff import FourierFeatures, exact_kernel

SIGMA, WIND = 0.2, np.array([0.15, 0.05, 0.0])
TOLERANCE = 1e-3
SOURCES_AT_ONCE = 1024  # with a thousand targets 8 MB of the kernel matrix


def scene(n, rng):
    """Chimneys in a few clusters, with their emissions; targets all over the unit cube."""
    centres = rng.uniform(0.15, 0.6, size=(8, 3))
    sources = centres[rng.integers(8, size=n)] + 0.03 * rng.normal(size=(n, 3))
    return np.clip(sources, 0, 1), rng.exponential(size=n), rng.uniform(size=(n, 3))


def fitted_features(sources, targets, seed=0, n_jobs=None):
    """The cheapest Fourier features for this kernel, this tolerance and points like these."""
    return FourierFeatures(
        kernel="shift-gaussian",
        kernel_params={"sigma": SIGMA, "shift": -WIND},  # k(δ) = exp(-|δ + shift|²/2σ²)
        tolerance=TOLERANCE,
        estimator="fourier",
        n_jobs=n_jobs,
        random_state=seed,
    ).fit(np.concatenate([sources[:5000], targets[:5000]]))


def exact_sums(kernel, targets, sources, strengths, n_jobs=None):
    """Some sources at a time: blocks of the kernel matrix that fit the caches, and are too small for threads in their products."""
    sums = np.zeros(len(targets))
    with threadpool_limits(1):
        for first in range(0, len(sources), SOURCES_AT_ONCE):
            some = slice(first, first + SOURCES_AT_ONCE)
            sums += exact_kernel(targets, sources[some], kernel=kernel, n_jobs=n_jobs) @ strengths[some]
    return sums


def relative_error(approximate, exact):
    return np.linalg.norm(approximate - exact) / np.linalg.norm(exact)


def peak_memory():
    """Bytes this process has had resident at most."""
    try:  # Linux: getrusage counts what the process that started this one held
        with open("/proc/self/status") as status:
            return next(1024 * int(line.split()[1]) for line in status if line.startswith("VmHWM"))
    except (OSError, StopIteration):
        pass
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)


def draw(features, sources, strengths, path):
    """The plane at the height of the middle chimney."""
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    side = np.linspace(0, 1, 200)
    grid = np.stack(np.meshgrid(side, side, np.median(sources[:, 2])), axis=-1).reshape(-1, 3)
    u = (features.operator(grid, sources) @ strengths).reshape(200, 200)
    figure, axes = plt.subplots(figsize=(5.4, 4.6), layout="constrained")
    image = axes.imshow(u, origin="lower", extent=(0, 1, 0, 1), cmap="viridis")
    some = sources[:: max(1, len(sources) // 2000)]
    axes.plot(some[:, 0], some[:, 1], ".", color="white", markersize=1, alpha=0.5)
    axes.annotate("", xy=(0.12 + WIND[0], 0.9 + WIND[1]), xytext=(0.12, 0.9), arrowprops={"color": "red", "width": 2})
    axes.set_title("a plane, sources (dots) and the wind (arrow)")
    figure.colorbar(image)
    figure.savefig(path, dpi=120)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--size", type=int, default=10**6, help="sources, and as many targets (default 10^6)")
    parser.add_argument("--sample", type=int, default=1000, help="targets summed exactly (default 1000)")
    parser.add_argument("--figure", metavar="FILE", help="draw a plane of the cube (needs matplotlib)")
    arguments = parser.parse_args()
    rng = np.random.default_rng(0)
    sources, strengths, targets = scene(arguments.size, rng)

    features = fitted_features(sources, targets)
    print(f"{features.n_features_out_} features, certified error {features.error_:.1e}, up to {features.error_interval_[1]:.1e}")

    operator = features.operator(targets, sources)
    start = time.perf_counter()
    u = operator @ strengths
    seconds = time.perf_counter() - start
    print(f"{arguments.size:,} sources at {arguments.size:,} targets: {seconds:.2f} s by the operator")
    print(f"peak memory: {peak_memory() / 2**20:.0f} MiB, with Python, the points and the fit")

    chosen = rng.choice(arguments.size, size=min(arguments.sample, arguments.size), replace=False)
    start = time.perf_counter()
    exact = exact_sums(features.kernel_, targets[chosen], sources, strengths)
    seconds_exact = (time.perf_counter() - start) * arguments.size / len(chosen)
    error = relative_error(u[chosen], exact)
    print(f"relative error on {len(chosen)} targets summed exactly: {error:.1e}; all targets would take {seconds_exact:,.0f} s")

    if arguments.figure:
        draw(features, sources, strengths, arguments.figure)
    return 0 if error < TOLERANCE else 1


if __name__ == "__main__":
    raise SystemExit(main())
