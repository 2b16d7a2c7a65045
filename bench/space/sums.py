#!/usr/bin/env python3
"""Directed sums K(X, Y)·v in 1 to 3 dimensions: askrff.kernel_operator beside the same job written by hand with FINUFFT (same frequencies, same
tolerance), and beside exact sums (KeOps, where it is installed, and exact_kernel by blocks). Alternating in one process, medians and the
spread of the ratio; errors against exact sums at 1000 targets, relative in the root mean square.

Usage: sums.py [--points N] [--repeats R] [--threads T] [--only TEXT] [--skip-exact]; needs askrff and finufft. Prints tables in Markdown.
"""

import argparse
import resource
import subprocess
import sys
import time

import numpy as np

import askrff

SHIFT = 0.1


def timed(call):
    start = time.perf_counter()
    result = call()
    return time.perf_counter() - start, result


def points(n, dim, kind, rng, dtype):
    if kind == "clustered":  # a hundred clusters of a thousandth of the cube
        centres = rng.random((100, dim))
        X = centres[rng.integers(0, 100, n)] + 1e-3 * rng.normal(size=(n, dim))
        return np.clip(X, 0, 1).astype(dtype)
    if kind == "one cell":
        X = 0.5 + 1e-6 * rng.random((n, dim))
        X[:2] = np.zeros(dim), np.ones(dim)  # the same extent
        return X.astype(dtype)
    return rng.random((n, dim)).astype(dtype)


class ByHand:
    """What a user of FINUFFT writes: frequencies, their weights, a plan of type 1 at Y and one of type 2 at X."""

    def __init__(self, X, Y, sigma, grid, tolerance, threads):
        import finufft

        dim = X.shape[1]
        complex_type = np.complex64 if X.dtype == np.float32 else np.complex128
        counts = tuple(2 * h + 1 for h in grid["half"])
        steps = [2 * np.pi / p for p in grid["period"]]
        waves = [step * np.arange(-h, h + 1) for step, h in zip(steps, grid["half"])]
        weights = np.ones(counts, dtype=complex)
        for k, wave in enumerate(waves):
            one = steps[k] * sigma / np.sqrt(2 * np.pi) * np.exp(-0.5 * (sigma * wave) ** 2 + 1j * SHIFT * wave)
            weights *= one.reshape([-1 if j == k else 1 for j in range(dim)])
        self.weights = weights.astype(complex_type)
        self.complex_type = complex_type
        name = np.dtype(complex_type).name
        self.spread = finufft.Plan(1, counts, eps=tolerance, isign=-1, dtype=name, nthreads=threads)
        self.interpolate = finufft.Plan(2, counts, eps=tolerance, isign=1, dtype=name, nthreads=threads)
        self.spread.setpts(*[np.ascontiguousarray(step * Y[:, k]).astype(X.dtype) for k, step in enumerate(steps)])
        self.interpolate.setpts(*[np.ascontiguousarray(step * X[:, k]).astype(X.dtype) for k, step in enumerate(steps)])

    def __matmul__(self, v):
        modes = self.spread.execute(v.astype(self.complex_type))
        return self.interpolate.execute(modes * self.weights).real


def relative_error(result, X, Y, v, kernel, targets=1000):
    X, Y, v = X[:targets].astype(np.float64), Y.astype(np.float64), v.astype(np.float64)
    exact = sum(askrff.exact_kernel(X, Y[i : i + 20000], kernel=kernel) @ v[i : i + 20000] for i in range(0, len(Y), 20000))
    return np.linalg.norm(result[:targets] - exact) / np.linalg.norm(exact)


def compare(args, dim, sigma, tolerance, dtype, kind="uniform"):
    rng = np.random.default_rng(0)
    X, Y = points(args.points, dim, kind, rng, dtype), points(args.points, dim, kind, rng, dtype)
    v = rng.normal(size=args.points).astype(dtype)
    kernel = askrff.kernels.shift_gaussian(sigma=sigma, shift=SHIFT)
    times = {"make": [], "product": [], "plan": [], "execute": []}
    for _ in range(args.repeats):
        made, K = timed(lambda: askrff.kernel_operator(X, Y, kernel=kernel, tolerance=tolerance, n_jobs=args.threads))
        multiplied, ours = timed(lambda: K @ v)
        planned, by_hand = timed(lambda: ByHand(X, Y, sigma, K.grid_, tolerance, args.threads))
        executed, theirs = timed(lambda: by_hand @ v)
        for name, value in zip(times, (made, multiplied, planned, executed)):
            times[name].append(value)
    m = {name: np.median(values) for name, values in times.items()}
    ratios = [(a + b) / (c + d) for a, b, c, d in zip(*times.values())]
    products = [b / d for b, d in zip(times["product"], times["execute"])]
    print(
        f"| {dim} | {kind} | {sigma} | {tolerance:g} | {np.dtype(dtype).name} | {K.grid_['n_frequencies']} | {m['make']:.3f} + {m['product']:.3f} "
        f"| {m['plan']:.3f} + {m['execute']:.3f} | **{np.median(ratios):.2f}** ({min(ratios):.2f}-{max(ratios):.2f}) | {np.median(products):.2f} "
        f"| {relative_error(ours, X, Y, v, kernel):.1e} | {relative_error(theirs, X, Y, v, kernel):.1e} |",
        flush=True,
    )


def memory(args):
    """Peak memory of a process, above what it had with its inputs."""
    code = f"""
import numpy as np, askrff
def status(name):
    return int(next(line for line in open("/proc/self/status") if line.startswith(name)).split()[1]) / 1024
rng = np.random.default_rng(0)
X, Y, v = rng.random(({args.points}, 3)), rng.random(({args.points}, 3)), rng.normal(size={args.points})
k = askrff.kernels.shift_gaussian(sigma=0.05, shift={SHIFT})
askrff.kernel_operator(X[:100], Y[:100], kernel=k, tolerance=1e-3) @ v[:100]
open("/proc/self/clear_refs", "w").write("5")  # the peak begins anew
before = status("VmRSS")
K = askrff.kernel_operator(X, Y, kernel=k, tolerance=1e-9, n_jobs=1)
K @ v
print(status("VmHWM") - before, K.grid_["half"])
"""
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split(" ", 1)
    print(f"\nPeak memory above the inputs, d = 3, sigma 0.05, tolerance 1e-9: {float(out[0]):.0f} MiB (half {out[1].strip()}).")


def exact_sums(args, n=100_000):
    rng = np.random.default_rng(0)
    X, Y, v = rng.random((n, 3)), rng.random((n, 3)), rng.normal(size=n)
    kernel = askrff.kernels.shift_gaussian(sigma=0.1, shift=SHIFT)
    ours, K = timed(lambda: askrff.kernel_operator(X, Y, kernel=kernel, tolerance=1e-6, n_jobs=args.threads))
    product, result = timed(lambda: K @ v)
    print(f"\n{n} x {n}, d = 3, sigma 0.1, tolerance 1e-6: {ours + product:.3f} s, error {relative_error(result, X, Y, v, kernel):.1e}")
    blocks = lambda: np.concatenate([askrff.exact_kernel(X[i : i + 500], Y, kernel=kernel, n_jobs=args.threads) @ v for i in range(0, n // 10, 500)])
    tenth, _ = timed(blocks)
    print(f"exact_kernel by blocks (a tenth, multiplied): {10 * tenth:.1f} s, {10 * tenth / (ours + product):.0f} times as long")
    try:
        from pykeops.numpy import LazyTensor
    except ImportError as error:
        print(f"KeOps: not here ({error})")
        return

    def keops():
        x, y = LazyTensor(X[:, None, :]), LazyTensor((Y - SHIFT)[None, :, :])
        return (-((x - y) ** 2).sum(-1) / (2 * 0.1**2)).exp() @ v

    keops()  # compiles
    seconds, theirs = timed(keops)
    print(f"KeOps: {seconds:.1f} s, {seconds / (ours + product):.0f} times as long, error {relative_error(theirs.ravel(), X, Y, v, kernel):.1e}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--points", type=int, default=10**6)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--only", default="")
    parser.add_argument("--skip-exact", action="store_true")
    args = parser.parse_args()
    print(f"{args.points} sources, as many targets, {args.threads} thread(s); seconds: points prepared + one product\n")
    print("| d | points | sigma | tolerance | dtype | frequencies | askrff | by hand with FINUFFT | ratio (spread) | of products | error | theirs |")
    print("|---|---|---|---|---|---|---|---|---|---|---|---|")
    cases = [(3, s, t, np.float64) for s in (0.2, 0.1, 0.05) for t in (1e-3, 1e-6, 1e-9)]
    cases += [(2, 0.02, t, np.float64) for t in (1e-3, 1e-6, 1e-9)] + [(1, 0.001, t, np.float64) for t in (1e-3, 1e-6, 1e-9)]
    cases += [(d, s, t, np.float32) for d, s in ((3, 0.1), (2, 0.02), (1, 0.001)) for t in (1e-3, 1e-5)]
    cases += [(3, 0.1, 1e-6, np.float64, "clustered"), (3, 0.1, 1e-6, np.float64, "one cell"), (2, 0.02, 1e-6, np.float64, "one cell")]
    for case in cases:
        if args.only in str(case):
            compare(args, *case)
    if not args.skip_exact:
        memory(args)
        exact_sums(args)
    print(f"\nPeak memory of all: {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MiB")


if __name__ == "__main__":
    main()
