#!/usr/bin/env python3
"""The log-likelihood of a Hawkes process with its gradient, beside tick and beside the recursion written with NumPy: one thread, medians.

tick keeps the decay fixed and has no derivative in it; the weights it makes once for a decay are timed apart. Where tick cannot be imported
in this environment, --tick-python names another interpreter that can.

Usage: hawkes.py [--events N] [--types U,…] [--repeat R] [--tick-python PYTHON]; needs askrff. Prints a table in Markdown.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time

for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
    os.environ[name] = "1"

import numpy as np

DECAY = 1.5

# Its compiled model: the Python class around it cannot be made with the versions of NumPy and Python that its wheel of 0.8.0.2 installs with.
TICK = """
import json, sys, time
import numpy as np
import tick.hawkes
from tick.hawkes.model.build.hawkes_model import ModelHawkesExpKernLogLik
data = np.load(sys.argv[1])
times, types, horizon, repeat = data["times"], data["types"], float(data["horizon"]), int(sys.argv[2])
n_types, coefficients = int(types.max()) + 1, data["coefficients"]
parts = [np.ascontiguousarray(times[types == v]) for v in range(n_types)]
gradient, seconds = np.zeros(len(coefficients)), {"weights": [], "value and gradient": []}
for _ in range(repeat):
    model = ModelHawkesExpKernLogLik(float(data["decay"]), 1)
    model.set_data([parts], np.array([horizon]))
    start = time.perf_counter()
    model.compute_weights()
    middle = time.perf_counter()
    value = model.loss_and_grad(coefficients, gradient)
    seconds["weights"].append(middle - start)
    seconds["value and gradient"].append(time.perf_counter() - middle)
value = -(value * len(times) + n_types * horizon)  # it subtracts the likelihood of a process of rate 1
print(json.dumps({"value": value, "seconds": {name: float(np.median(s)) for name, s in seconds.items()}}))
"""


def parameters(n_types):
    return np.full(n_types, 0.5), np.full((n_types, n_types), 0.5 / n_types)


def by_numpy(times, types, horizon, baseline, branching):
    """The recursion as one writes it: decays by NumPy, a loop over events."""
    n_types = len(baseline)
    decays = np.exp(-DECAY * np.diff(times, prepend=times[0]))
    gaps = np.diff(times, prepend=times[0])
    waves, lags = np.zeros(n_types), np.zeros(n_types)
    value, in_baseline, in_branching, in_decay = 0.0, np.zeros(n_types), np.zeros((n_types, n_types)), 0.0
    for decay, gap, v in zip(decays, gaps, types):
        lags = decay * (lags + gap * waves)
        waves = decay * waves
        column = branching[:, v]
        intensity = baseline[v] + DECAY * (column @ waves)
        value += np.log(intensity)
        in_baseline[v] += 1 / intensity
        in_branching[:, v] += DECAY * waves / intensity
        in_decay += column @ (waves - DECAY * lags) / intensity
        waves[v] += 1
    left = DECAY * (horizon - times)
    counts = np.bincount(types, weights=-np.expm1(-left), minlength=n_types)
    value -= baseline.sum() * horizon + (branching.sum(axis=1) * counts).sum()
    slopes = np.bincount(types, weights=(horizon - times) * np.exp(-left), minlength=n_types)
    return value, in_baseline - horizon, in_branching - counts[:, None], in_decay - (branching.sum(axis=1) * slopes).sum()


def median_seconds(call, repeat):
    seconds = []
    for _ in range(repeat):
        start = time.perf_counter()
        result = call()
        seconds.append(time.perf_counter() - start)
    return result, float(np.median(seconds))


def by_tick(python, times, types, horizon, baseline, branching, repeat):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "events.npz")
        # tick's coefficients: baselines, then for every type what the others do to it
        coefficients = np.concatenate([baseline, branching.T.ravel()])
        np.savez(path, times=times, types=types, horizon=horizon, decay=DECAY, coefficients=coefficients)
        done = subprocess.run([python, "-c", TICK, path, str(repeat)], capture_output=True, text=True)
    if done.returncode != 0:
        print(f"tick does not run: {done.stderr.strip().splitlines()[-1]}", file=sys.stderr)
        return None
    return json.loads(done.stdout.splitlines()[-1])


def measure(n_types, n_events, repeat, python):
    from askrff import HawkesProcess

    baseline, branching = parameters(n_types)
    process = HawkesProcess.from_parameters(baseline, branching, DECAY)
    process.n_jobs = 1
    horizon = n_events / n_types
    times, types = process.simulate(horizon, random_state=1)
    (value, *gradient), ours = median_seconds(lambda: process.log_likelihood(times, types, horizon), repeat)
    (numpy_value, *numpy_gradient), by_hand = median_seconds(lambda: by_numpy(times, types, horizon, baseline, branching), 1)
    _, fit = median_seconds(lambda: HawkesProcess(n_jobs=1).fit(times, types, horizon), 1)
    differences = [abs(value / numpy_value - 1)]
    differences += [np.max(np.abs(np.asarray(a) - np.asarray(b))) / len(times) for a, b in zip(gradient, numpy_gradient)]
    tick = by_tick(python, times, types, horizon, baseline, branching, repeat)
    cells = [f"{n_types}", f"{len(times)}", f"{ours * 1e3:.1f} ms", f"{by_hand / ours:.0f}x"]
    if tick is None:
        cells += ["does not run", ""]
    else:
        differences.append(abs(tick["value"] / value - 1))
        weights, rest = tick["seconds"]["weights"], tick["seconds"]["value and gradient"]
        cells += [f"{(weights + rest) / ours:.2f}x", f"{rest / ours:.2f}x"]
    return cells + [f"{max(differences):.0e}", f"{fit:.2f} s"]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--events", type=int, default=1_000_000)
    parser.add_argument("--types", default="1,3,10")
    parser.add_argument("--repeat", type=int, default=7)
    parser.add_argument("--tick-python", default=sys.executable)
    options = parser.parse_args()
    header = ["types", "events", "askrff", "NumPy", "tick, new decay", "tick, weights kept", "difference", "askrff, fit"]
    print("| " + " | ".join(header) + " |\n|" + "---|" * len(header))
    for n_types in map(int, options.types.split(",")):
        print("| " + " | ".join(measure(n_types, options.events, options.repeat, options.tick_python)) + " |", flush=True)


if __name__ == "__main__":
    main()
