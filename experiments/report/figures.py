"""The pictures of each figure, from its results."""
import math
import re

from number_text import rounded
from pictures import NEUTRAL, Curve, Picture, bar_offset, distinct, drawn, look


def panels_in_words(n):
    return "One panel" if n == 1 else f"{n} panels, one per kernel"


def point(x, shift, spread):
    return None if x is None else x + shift, spread["mean"], spread["std"]


def mass_curves(fig1, kernel, parts):
    for i, part in enumerate(parts):
        points = [p for p in fig1["points"] if p["kernel"] == kernel and p["part"] == part]
        yield Curve(look(i, marker=""), [(0, p["exact"], None) for p in points], across=True)
        yield Curve(look(i, linestyle=""), [point(math.log2(p["n_frequencies"]), bar_offset(i, len(parts)), p["estimate"]) for p in points])


def fig1_pictures(fig1):
    """Estimated masses with error bars, and the exact ones as lines."""
    kernels, parts = distinct(fig1["points"], "kernel"), distinct(fig1["points"], "part")
    alt = f"{panels_in_words(len(kernels))}: estimated masses of the Jordan parts against log₂(M/d), and the exact masses as lines."
    for c in fig1["checks"]:
        alt += (f" {c['kernel']}, {c['part'].replace('_', ' ')}: estimate {rounded(c['estimate']['mean'])} with {c['n_frequencies']} "
                f"frequencies, exact {rounded(c['exact'])}.")
    return [Picture(
        name="fig1", y_label="mass", same_y=False, alt=alt,
        caption="Masses estimated by Algorithm 2 (points: mean ± standard deviation over trials) against the exact ones (lines).",
        legend=[*((part.replace("_", " "), look(i, linestyle="")) for i, part in enumerate(parts)), ("exact", {"color": NEUTRAL})],
        panels={kernel: list(mass_curves(fig1, kernel, parts)) for kernel in kernels})]


def error_points(fig2, dataset, kernel, method):
    return [p for p in fig2["points"] if (p["dataset"], p["kernel"], p["method"]) == (dataset, kernel, method) and p["multiple"] > 0]


def error_picture(fig2, dataset, name):
    methods, kernels = fig2["methods"], distinct(fig2["points"], "kernel")
    alt = f"{panels_in_words(len(kernels))}: relative error of the kernel matrix of {dataset} on a logarithmic axis, against log₂(M/d)."
    panels = {}
    for kernel in kernels:
        curves = [error_points(fig2, dataset, kernel, method["name"]) for method in methods]
        panels[kernel] = [
            Curve(look(i), [point(math.log2(p["multiple"]), bar_offset(i, len(methods)), p["error"]) for p in points])
            for i, points in enumerate(curves)]
        words = [f"{method['title']} from {rounded(points[0]['error']['mean'], 2)} to {rounded(points[-1]['error']['mean'], 2)}"
                 for method, points in zip(methods, curves) if points]
        alt += f" {kernel}: {', '.join(words)}."
    return Picture(
        name=name, y_label="relative error", y_axis="logarithmic", panels=panels, alt=alt,
        caption=f"{dataset}: relative error of the kernel matrix, mean ± standard deviation over trials.",
        legend=[(method["title"], look(i)) for i, method in enumerate(methods)])


def fig2_pictures(fig2):
    """For each data set a curve per method."""
    pictures, names = [], set()
    for number, dataset in enumerate(distinct(fig2["points"], "dataset"), 1):
        name = "fig2-" + (re.sub("[^a-z0-9]+", "-", dataset.lower()).strip("-") or "x")
        # Two data sets may differ only in characters a file name does not keep.
        name += f"-{number}" if name in names else ""
        names.add(name)
        pictures.append(error_picture(fig2, dataset, name))
    return pictures


def accuracy_panels(fig3, key):
    datasets = distinct(fig3["points"], "dataset")
    panels = {kernel: [] for kernel in distinct(fig3["points"], "kernel")}
    for kernel, curves in panels.items():
        for i, dataset in enumerate(datasets):
            points = [p for p in fig3["points"] if (p["kernel"], p["dataset"]) == (kernel, dataset)]
            if key == "accuracy":
                level = [(0, p["accuracy"]["mean"], None) for p in fig3["linear"] if p["dataset"] == dataset]
                curves.append(Curve(look(i, marker="", linestyle="--"), level, across=True))
            curves.append(Curve(look(i), [point(p["log2_multiple"], bar_offset(i, len(datasets)), p[key]) for p in points]))
    return panels


def fig3_pictures(fig3):
    """Accuracy and sampling time, a curve per data set; the linear classifier dashed."""
    datasets = distinct(fig3["points"], "dataset")
    legend = [(dataset, look(i)) for i, dataset in enumerate(datasets)]
    linear = [("linear classifier", {"color": NEUTRAL, "linestyle": "--"})] if fig3["linear"] else []
    panels, times = accuracy_panels(fig3, "accuracy"), accuracy_panels(fig3, "sampling_seconds")
    alt = (f"{panels_in_words(len(panels))}: {{}} against log₂(M/d), a curve for each of {len(datasets)} data sets{{}}. "
           "The numbers are in the table below.")
    return [
        Picture(
            name="fig3-accuracy", y_label="test accuracy, %", panels=panels, legend=legend + linear,
            alt=alt.format("test accuracy in percent", " and a dashed line for the linear classifier"),
            caption="Test accuracy, mean ± standard deviation over trials; dashed: a linear classifier on the columns themselves."),
        Picture(
            name="fig3-time", y_label="sampling time", y_axis="seconds", panels=times, legend=legend,
            alt=alt.format("sampling time on a logarithmic axis", ""),
            caption="Time to draw the frequencies and fit the masses, mean ± standard deviation over trials.")]


def figures_of(results):
    """Drawn pictures by the name of their figure."""
    makers = {"fig1": fig1_pictures, "fig2": fig2_pictures, "fig3": fig3_pictures}
    return {name: [drawn(picture) for picture in make(results[name])] if results.get(name, {}).get("points") else []
            for name, make in makers.items()}
