#!/usr/bin/env python3
"""Draws the pictures of docs/space-and-time.md, space-and-time-NAME.png. Use tools/make-figures, or: space-and-time.py FOLDER [NAME…].

Needs matplotlib and the package askrff.
"""

import pathlib
import sys
from functools import reduce
from operator import add

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np
from scipy.sparse.linalg import lsqr

from askrff import HawkesProcess, kernel_operator, kernels

BLUE, RED, GREEN, ORANGE = "#0072b2", "#d55e00", "#009e73", "#e69f00"  # the colour-blind can tell them apart


def pixels(n):
    """Middles of n × n pixels of the unit square, row by row."""
    side = (np.arange(n) + 0.5) / n
    return np.stack(np.meshgrid(side, side), axis=-1).reshape(-1, 2)


def show(axes, values, **options):
    n = round(len(values) ** 0.5)
    return axes.imshow(values.reshape(n, n), origin="lower", extent=(0, 1, 0, 1), **options)


def arrow(axes, start, way, **style):
    axes.annotate("", xy=np.add(start, way), xytext=start, arrowprops={"arrowstyle": "-|>", "shrinkA": 0, "shrinkB": 0, **style})


def wind():
    """What chimneys bring to places downwind, and the transpose of that."""
    way = np.array([0.2, 0.06])
    carried = kernels.shift_gaussian(sigma=0.03, shift=-way)
    chimneys = np.array([[0.08, 0.82], [0.14, 0.16], [0.27, 0.48], [0.33, 0.7], [0.46, 0.24], [0.62, 0.6]])
    strengths = np.array([0.8, 1.4, 0.6, 1.0, 1.2, 0.7])
    places = pixels(200)
    arriving = kernel_operator(places, chimneys, kernel=carried) @ strengths
    sensors = np.random.default_rng(0).uniform(size=(500, 2))
    readings = kernel_operator(sensors, chimneys, kernel=carried) @ strengths
    backwards = kernel_operator(sensors, places, kernel=carried).T @ readings

    figure, (left, right) = plt.subplots(1, 2, figsize=(10.4, 4.5), layout="constrained", sharey=True)
    for axes, values, label in ((left, arriving, "arriving"), (right, backwards, "sum of what was read")):
        figure.colorbar(show(axes, values, cmap="cividis"), ax=axes, label=label, shrink=0.9)
        axes.scatter(*chimneys.T, s=60 * strengths, facecolors="none", edgecolors="white", linewidths=1.5)
        axes.set(xlabel="east", xticks=[0, 0.5, 1], yticks=[0, 0.5, 1])
    left.set(ylabel="north", title="K @ strengths: what arrives downwind")
    right.set(title="K.T @ readings: against the wind")
    for chimney in chimneys:
        arrow(left, chimney, way, color="white", linewidth=0.8, linestyle=":")
    left.annotate("chimney", chimneys[1], xytext=(0, -18), textcoords="offset points", color="white", ha="center")
    arrow(left, (0.7, 0.88), way, color=ORANGE, linewidth=3, mutation_scale=22)
    left.text(0.74, 0.82, "wind", color=ORANGE, weight="bold", size="large")
    right.plot(*sensors.T, ".", color="white", markersize=2, alpha=0.7)
    right.text(0.98, 0.03, "dots: 500 sensors", color="white", ha="right", bbox={"color": "#00224e", "pad": 2})
    return figure


def scene(n):
    """A ring, bars and stars on n × n pixels."""
    x, y = pixels(n).T
    radius = np.hypot(x - 0.3, y - 0.68)
    image = (np.abs(radius - 0.12) < 0.025) | (radius < 0.03)
    for column in (0.62, 0.72, 0.82, 0.92):
        image |= (np.abs(x - column) < 0.02) & (np.abs(y - 0.68) < 0.14)
    for star in ((0.12, 0.36), (0.2, 0.1), (0.3, 0.26), (0.47, 0.38), (0.5, 0.12), (0.58, 0.28), (0.06, 0.2), (0.36, 0.05), (0.42, 0.2)):
        image |= np.hypot(x - star[0], y - star[1]) < 0.012
    return image.astype(float)


def point_spread():
    """A lens that draws every point out to one side, and what is made of its image with the kernel and with that made symmetric."""
    n, noise = 128, 0.01
    places, there = pixels(n), scene(n)
    way = np.array([0.9, 0.45])
    parts = ((0.4, 0.008, 0.0), (0.3, 0.012, 0.03), (0.3, 0.018, 0.06))  # share of the light, width, distance
    lens = reduce(
        add,
        (
            share / (2 * np.pi * (width * n) ** 2) * kernel_operator(places, kernel=kernels.shift_gaussian(sigma=width, shift=-distance * way))
            for share, width, distance in parts
        ),
    )
    seen = lens @ there + noise * np.random.default_rng(0).normal(size=n * n)
    made = [lsqr(K, seen, damp=0.1)[0] for K in (lens, 0.5 * (lens + lens.T))]
    errors = [np.linalg.norm(image - there) / np.linalg.norm(there) for image in made]

    figure, panels = plt.subplots(1, 4, figsize=(12.4, 3.6), layout="constrained", sharey=True)
    titles = ["what is there", "K @ there, and noise of 1 %", "deblurred with K", "deblurred with (K + K.T)/2"]
    for axes, image, title in zip(panels, (there, seen, *made), titles):
        show(axes, image, cmap="gray", vmin=0, vmax=1)
        axes.set(title=title, xlabel="x", xticks=[0, 0.5, 1], yticks=[0, 0.5, 1])
    panels[0].set_ylabel("y")
    for axes, error in zip(panels[2:], errors):
        axes.text(0.97, 0.94, f"relative error {error:.2f}", color=ORANGE, ha="right", va="center")
    point = np.zeros(n * n)
    point[(n // 2) * n + n // 2] = 1
    inset = panels[1].inset_axes([0.63, 0.02, 0.35, 0.35])
    inset.imshow((lens @ point).reshape(n, n)[n // 2 - 8 : n // 2 + 16, n // 2 - 8 : n // 2 + 16], origin="lower", cmap="gray")
    inset.set(xticks=[], yticks=[])
    inset.spines[:].set_color(ORANGE)
    inset.set_title("a point, enlarged", color=ORANGE, size="medium", loc="right", pad=3)
    return figure


def events():
    """Rates of two types of events, one of which sets off the other, and what the fit says of it."""
    types, colours, horizon = ["quake", "slide"], (RED, BLUE), 5000.0
    truth = HawkesProcess.from_parameters(baseline=[0.2, 0.1], branching=[[0.4, 0.6], [0.0, 0.3]], decay=1.0, types=types)
    times, labels = truth.simulate(horizon=horizon, random_state=0)
    fitted = HawkesProcess().fit(times, labels, horizon=horizon)
    first, days = 100.0, 25.0
    t = np.linspace(0, days, 2000)
    rates = fitted.intensity(first + t)

    figure = plt.figure(figsize=(10.4, 4.0), layout="constrained")
    places = figure.add_gridspec(2, 2, width_ratios=[1.6, 1], height_ratios=[4, 1])
    above, right = figure.add_subplot(places[0, 0]), figure.add_subplot(places[:, 1])
    below = figure.add_subplot(places[1, 0], sharex=above)
    for i, (name, colour, line) in enumerate(zip(types, colours, ("-", "--"))):
        above.plot(t, rates[:, i], line, color=colour, linewidth=1.8, label=f"rate of {name}s")
        at = times[labels == name] - first
        at = at[(at > 0) & (at < days)]
        below.vlines(at, 0.6 - i, 1.4 - i, color=colour, linewidth=2)
        above.annotate(
            f"a {name}: " + ("both jump" if i == 0 else "one jumps"),
            xy=(at[-1], fitted.intensity([first + at[-1] + 1e-6])[0, 1]),
            xytext=(at[-1] - 0.9, 1.1 + 0.4 * i),
            color=colour,
            arrowprops={"arrowstyle": "->", "color": colour, "shrinkB": 3},
        )
    above.set(ylabel="events in a day", title="rates jump at events, and fall again", ylim=(0, None))
    above.tick_params(labelbottom=False)
    above.legend(loc="upper left")
    below.set(xlabel="days", xlim=(0, days), ylim=(-0.6, 1.6))
    below.set_yticks([1, 0], [f"{name}s" for name in types])

    pairs = [(u, v) for u in range(2) for v in range(2)]
    right.plot([truth.branching_[pair] for pair in pairs], range(4), "D", color=GREEN, fillstyle="none", markersize=12, markeredgewidth=1.6, label="truth")
    right.errorbar(
        [fitted.branching_[pair] for pair in pairs],
        range(4),
        xerr=[2 * np.nan_to_num(fitted.branching_error_[pair]) for pair in pairs],
        fmt="o",
        color="black",
        markersize=4,
        capsize=4,
        label="found, ± 2 standard errors",
    )
    for row, pair in enumerate(pairs):
        if np.isnan(fitted.branching_error_[pair]):
            right.text(0.05, row, f"{fitted.branching_[pair]:.0f}: the bound, no error bar", va="center")
    right.set_yticks(range(4), [f"{types[u]} → {types[v]}" for u, v in pairs])
    right.set(xlabel="events caused by one event", title=f"found from {len(times)} events", xlim=(-0.05, 0.75), ylim=(4.1, -0.5))
    right.legend(loc="lower right")
    return figure


PICTURES = {"wind": wind, "point-spread": point_spread, "events": events}


def main():
    folder, *names = sys.argv[1:]
    for name in names or PICTURES:
        PICTURES[name]().savefig(pathlib.Path(folder) / f"space-and-time-{name}.png", dpi=90)


if __name__ == "__main__":
    main()
