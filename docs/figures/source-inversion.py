#!/usr/bin/env python3
"""Draws docs/figures/source-inversion.png of what examples/find_sources.cpp prints. Use tools/make-figures, or: source-inversion.py DATA PICTURE.

Needs matplotlib.
"""

import sys

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np


def blocks(path):
    with open(path) as file:
        return [np.loadtxt(block.splitlines()) for block in file.read().split("\n\n\n")]


def mark(axes, planted):
    axes.scatter(planted[:, 0], planted[:, 1], s=110, facecolors="none", edgecolors="#d6604d", linewidths=1.6, label="planted sources")
    axes.set(xlim=(-0.03, 1.1), ylim=(-0.03, 1.1), aspect="equal", xticks=[0, 0.5, 1], yticks=[0, 0.5, 1])


def main():
    data, picture = sys.argv[1:]
    planted, sensors, found = blocks(data)
    figure, (left, middle, right) = plt.subplots(1, 3, figsize=(12.6, 4.3), layout="constrained")
    points = left.scatter(sensors[:, 0], sensors[:, 1], c=sensors[:, 2], s=5, cmap="viridis")
    mark(left, planted)
    left.annotate("", xy=(0.19, 0.05), xytext=(0.05, -0.01), arrowprops={"color": "#333333", "width": 1.5, "headwidth": 7})
    left.text(0.2, 0.0, "wind", backgroundcolor="white")
    left.set_title("readings of 2 000 sensors, noise 1 %")
    left.legend(loc="upper left", framealpha=0.9)
    figure.colorbar(points, ax=left, shrink=0.85)
    for axes, column, title in ((middle, 2, "sources found: directed kernel"), (right, 3, "the same, kernel made symmetric")):
        is_source = found[:, column] > 0
        amplitudes = found[is_source, column]
        dots = axes.scatter(*found[is_source, :2].T, c=amplitudes, s=5 + 35 * amplitudes, marker="s", cmap="Blues", vmin=-0.3, vmax=1.5)
        mark(axes, planted)
        axes.set_title(title)
    bar = figure.colorbar(dots, ax=right, shrink=0.85, boundaries=np.linspace(0, 1.5, 61), ticks=[0, 0.5, 1, 1.5])
    bar.set_label("amplitude")
    figure.savefig(picture, dpi=90)


if __name__ == "__main__":
    main()
