#!/usr/bin/env python3
"""Chimneys, and sensors downwind of them: what arrives, where it came from, and which release set off which.

Three questions about kernels that are not the same in both directions, with answers that are known here and can be compared:

1. ``kernel_operator``: what arrives at the sensors, if the wind carries smoke there from every chimney?
2. ``SourceInversion``: where are the chimneys, and how strong, if only the sensors' noisy readings are known?
3. ``HawkesProcess``: smoke is released at times that are known. Whose releases set off whose?

Takes a few seconds. Exits with 0 only if what was found is right.
"""

import argparse

import numpy as np

from askrff import HawkesProcess, SourceInversion, exact_kernel, kernel_operator, kernels

NAMES = ["boiler", "flare", "kiln"]
CHIMNEYS = np.array([[0.23, 0.31], [0.52, 0.18], [0.36, 0.71]])
STRENGTHS = np.array([1.0, 1.5, 0.7])
WIND, WIDTH = np.array([0.25, 0.08]), 0.06
SMOKE = kernels.shift_gaussian(sigma=WIDTH, shift=-WIND)  # k(x - y) = exp(-|x - y - WIND|²/2σ²), largest downwind of y
NOISE = 0.02  # of a reading

DAYS = 3000.0
RELEASES = HawkesProcess.from_parameters(
    baseline=[0.4, 0.1, 0.2],  # releases in a day that no other one set off
    branching=[[0.0, 0.6, 0.0], [0.0, 0.3, 0.0], [0.2, 0.0, 0.1]],  # row: cause; column: how many of which it sets off on average
    decay=4.0,  # after a quarter of a day
    types=NAMES,
)


def field(sensors):
    """What arrives at the sensors. The matrix is never formed, so that there might be millions of both."""
    return kernel_operator(sensors, CHIMNEYS, kernel=SMOKE, tolerance=1e-6) @ STRENGTHS


def find_chimneys(sensors, readings):
    """Places and strengths: amplitudes on a grid of possible places, summed up around the largest of them."""
    side = np.linspace(0, 1, 51)
    places = np.stack(np.meshgrid(side, side), axis=-1).reshape(-1, 2)
    amplitudes = SourceInversion(kernel=SMOKE, sources=places, noise=NOISE).fit(sensors, readings).coef_
    found, threshold = [], 0.1 * amplitudes.max()
    while amplitudes.max() > threshold:
        near = np.linalg.norm(places - places[amplitudes.argmax()], axis=1) < WIDTH
        found.append((np.average(places[near], axis=0, weights=amplitudes[near]), amplitudes[near].sum()))
        amplitudes[near] = 0
    return found


def draw(sensors, readings, found, fitted, path):
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    figure, (left, right) = plt.subplots(1, 2, figsize=(10, 4.2), layout="constrained")
    points = left.scatter(*sensors.T, c=readings, s=5, cmap="cividis")
    left.scatter(*CHIMNEYS.T, s=140, facecolors="none", edgecolors="#d55e00", linewidths=2, label="chimney")
    left.scatter(*np.transpose([place for place, _ in found]), marker="x", color="black", label="found")
    for name, place in zip(NAMES, CHIMNEYS):
        left.annotate(name, place, xytext=(-8, 10), textcoords="offset points", ha="right", bbox={"color": "white", "alpha": 0.8, "pad": 1})
    left.annotate("", xy=(0.05 + WIND[0], 0.88 + WIND[1]), xytext=(0.05, 0.88), arrowprops={"color": "#d55e00", "width": 2, "headwidth": 9})
    left.text(0.33, 0.95, "wind", color="#d55e00", weight="bold", bbox={"color": "white", "alpha": 0.8, "pad": 1})
    left.set(aspect="equal", xlabel="east", ylabel="north", title="readings, and the chimneys found from them")
    left.legend(loc="lower right", framealpha=0.9)
    figure.colorbar(points, ax=left, label="reading", shrink=0.8)

    pairs = [(u, v) for u in range(3) for v in range(3)]
    right.errorbar(
        [fitted.branching_[pair] for pair in pairs],
        range(9),
        xerr=[2 * np.nan_to_num(fitted.branching_error_[pair]) for pair in pairs],
        fmt="o",
        color="#0072b2",
        capsize=3,
        label="found, ± 2 standard errors",
    )
    right.plot([RELEASES.branching_[pair] for pair in pairs], range(9), "D", color="#d55e00", fillstyle="none", markersize=10, label="truth")
    right.set_yticks(range(9), [f"{NAMES[u]} → {NAMES[v]}" for u, v in pairs])
    right.invert_yaxis()
    right.set(xlabel="releases set off by one release", title="who sets off whom")
    right.legend(loc="lower right")
    figure.savefig(path, dpi=100)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--figure", metavar="FILE", help="draw what was found (needs matplotlib)")
    arguments = parser.parse_args()
    rng = np.random.default_rng(0)

    sensors = rng.uniform([0, 0], [1.2, 1], size=(3000, 2))
    arriving = field(sensors)
    error = np.abs(arriving - exact_kernel(sensors, CHIMNEYS, kernel=SMOKE) @ STRENGTHS).max()
    print(f"1. What arrives at {len(sensors)} sensors: at most {arriving.max():.2f}, within {error:.0e} of the exact sums\n")
    right = error < 1e-5

    readings = arriving + NOISE * rng.normal(size=len(sensors))
    found = find_chimneys(sensors, readings)
    print(f"2. Chimneys found from readings with noise of {NOISE}: {len(found)}")
    print("   chimney  place           found           strength   found")
    for name, place, strength in zip(NAMES, CHIMNEYS, STRENGTHS):
        there, amplitude = min(found, key=lambda one: np.linalg.norm(one[0] - place))
        print(f"   {name:8} ({place[0]:.3f}, {place[1]:.3f})  ({there[0]:.3f}, {there[1]:.3f})  {strength:8.2f} {amplitude:7.2f}")
        right = right and np.linalg.norm(there - place) < 0.01 and abs(amplitude - strength) < 0.05 * strength
    right = right and len(found) == len(CHIMNEYS)

    times, names = RELEASES.simulate(horizon=DAYS, random_state=0)
    fitted = HawkesProcess().fit(times, names, horizon=DAYS)
    print(f"\n3. Who sets off whom, from the times of {len(times)} releases in {DAYS:.0f} days")
    print("   cause    effect     truth   found   standard error")
    for u, cause in enumerate(NAMES):
        for v, effect in enumerate(NAMES):
            truth, value, spread = RELEASES.branching_[u, v], fitted.branching_[u, v], fitted.branching_error_[u, v]
            print(f"   {cause:8} {effect:8} {truth:7.2f} {value:7.3f}   " + ("none at 0" if np.isnan(spread) else f"{spread:.3f}"))
            right = right and abs(value - truth) < (0.05 if np.isnan(spread) else 4 * spread)

    if arguments.figure:
        draw(sensors, readings, found, fitted, arguments.figure)
    print("\nAll of it is right." if right else "\nSome of it is wrong.")
    return 0 if right else 1


if __name__ == "__main__":
    raise SystemExit(main())
