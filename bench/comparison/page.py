"""Writes the page of a comparison from the JSON of measure.py: python bench/comparison/page.py JSON PAGE"""
import json
import os
import sys

from methods import OUR_DEFAULT, OUR_NYSTROM, RBF_SAMPLER, THEIR_NYSTROEM

INTRODUCTION = """# Compared with scikit-learn

Made by `make bench-comparison`, which measures, writes `build/comparison.json` and makes this page of it. Do not edit it.

Gaussian kernel exp(-γ|x - y|²), γ = 1/(2·median²) of the distances of training rows; columns are brought to mean 0 and deviation 1 first (those of
`one-hot` are taken as they are). Errors are relative, in the Frobenius norm, on rows outside every fit: *two sides* ‖L Rᵀ - K‖/‖K‖ with the features of both
sides (`transform` and `transform_right`; scikit-learn has one), *one side* ‖Z Zᵀ - K‖/‖K‖ with `transform` alone. *Score* is the accuracy, or R² where numbers are
predicted, on the same rows of a `RidgeClassifierCV` or `RidgeCV` (ten penalties from 1e-6 to 1e3) on `transform`. Times are processor seconds, one thread:
of the fit, and of the features of the test rows. Mean ± standard deviation over the seeds.

- `RBFSampler`, `Nystroem`: scikit-learn's, their defaults but for γ and the number of columns.
- `askrff`: `FourierFeatures`, its defaults but for γ and the number of columns; `askrff nystrom`: with `estimator="nystrom"`.
"""

ABOUT_RBF_SAMPLER = """
## Where the default loses to RBFSampler

By more than the deviation of RBFSampler's own draws. Its fit, which only draws, is always the faster one. A cosine and a sine of ours share a frequency; RBFSampler has twice as
many frequencies, each with a random phase. For the kernel that is worse by far, but a linear model on few columns of a wide kernel has more to choose from.

"""

ABOUT_NYSTROM = """
## Where the default loses to scikit-learn's Nystroem

In the mean, by however little. Fourier features know the kernel only, landmarks know the data: for smooth kernels, and where columns go together, they need fewer
columns, at more arithmetic for a row, and rows that must be kept. `estimator="best"` tries both and takes the more exact one, `estimator="nystrom"` is the advice where
it is known; a map that is useless says so when it is fitted. What `estimator="nystrom"` makes of the same number of columns stands behind each row. The error of two sides
is the same here as that of one; times are in the tables.

"""

# key, title, whether less is better
MEASURES = [
    ("two_sided", "error, two sides", True),
    ("one_sided", "error, one side", True),
    ("score", "score", False),
    ("fit_seconds", "fit [s]", True),
    ("transform_seconds", "transform [s]", True),
]


def number(value, key):
    return f"{value:.3f}" if key == "score" else f"{value:.2g}"


def shown(row, key):
    return f"{number(row[key]['mean'], key)} ± {number(row[key]['deviation'], key)}"


def table(titles, lines):
    alignments = ["---" if i == 0 else "---:" for i in range(len(titles))]
    return "\n".join("| " + " | ".join(line) + " |" for line in [titles, alignments, *lines]) + "\n"


def line_of(row):
    name = f"`{row['method']}`"
    if "refused" in row:
        return [name, str(row["columns"]), f"refused: {row['refused']}", *[""] * (len(MEASURES) - 1)]
    made = "" if row["columns_made"] == row["columns"] else f" ({row['columns_made']} made)"
    return [name, f"{row['columns']}{made}", *[shown(row, key) for key, _, _ in MEASURES]]


def tables(report, factor):
    text = ""
    for data in report["data"]:
        rows = [row for row in report["rows"] if row["data"] == data["name"] and row["factor"] == factor]
        gamma = factor * data["gamma"]
        text += f"\n### {data['name']}{'' if factor == 1 else f', γ × {factor:g}'}\n\n{data['n_training']} training rows, {data['n_test']} test rows, "
        text += f"{data['n_columns']} columns, {data['task']}; γ = {gamma:.3g}\n\n"
        text += table(["features", "columns", *[title for _, title, _ in MEASURES]], [line_of(row) for row in rows])
    return text


def is_worse(ours, other, key, less_is_better, beyond_deviation=False):
    """In the mean; or by more than the deviation of the other's draws."""
    difference = (ours[key]["mean"] - other[key]["mean"]) * (1 if less_is_better else -1)
    return difference > (other[key]["deviation"] if beyond_deviation else 0)


def losses(report, rival, measures, beyond_deviation=False, instead=None):
    """A list for every measure: the rows where our default is worse than `rival`, and what `instead` has to offer there."""
    found = {(row["data"], row["columns"], row["factor"], row["method"]): row for row in report["rows"] if "refused" not in row}
    places = [place[:3] for place in found if place[3] == OUR_DEFAULT and (*place[:3], rival) in found]
    text = ""
    for key, title, less_is_better in measures:
        lines = []
        for place in places:
            ours, other = found[(*place, OUR_DEFAULT)], found[(*place, rival)]
            if is_worse(ours, other, key, less_is_better, beyond_deviation):
                where = f"{place[0]}, {place[1]} columns" + ("" if place[2] == 1 else f", γ × {place[2]:g}")
                advice = f"; `{instead}`: {shown(found[(*place, instead)], key)}" if (*place, instead) in found else ""
                lines.append(f"  - {where}: {shown(ours, key)} against {shown(other, key)}{advice}\n")
        text += f"- {title}: {len(lines)} of {len(places)} rows{':' if lines else '.'}\n" + "".join(lines)
    return text


def summary(report):
    """Every row where our default is not the better one."""
    but_fit = [measure for measure in MEASURES if measure[0] != "fit_seconds"]
    one_side = [measure for measure in MEASURES if measure[0] in ("one_sided", "score")]
    text = ABOUT_RBF_SAMPLER + losses(report, RBF_SAMPLER, but_fit, beyond_deviation=True)
    return text + ABOUT_NYSTROM + losses(report, THEIR_NYSTROEM, one_side, instead=OUR_NYSTROM)


def page_of(report):
    versions = ", ".join(f"{name} {version}" for name, version in report["versions"].items())
    text = INTRODUCTION + f"\n{versions}; {report['processor']}; {report['seeds']} seeds; measured {report['date']}.\n"
    text += "".join(f"\n`{skipped['name']}` is left out: {skipped['reason']}.\n" for skipped in report["skipped"])
    if report["quick"]:
        text += "\n**A trial run with `--quick`: these numbers are no result.**\n"
    text += "\n## The median's γ\n" + tables(report, 1.0)
    text += "\n## A tenth of it, and ten times\n" + tables(report, 0.1) + tables(report, 10.0)
    return text + summary(report)


def main(source, target):
    with open(source, encoding="utf-8") as file:
        report = json.load(file)
    with open(target + ".part", "w", encoding="utf-8") as file:
        file.write(page_of(report))
    os.replace(target + ".part", target)
    print(target)


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit("usage: page.py JSON PAGE")
    main(*sys.argv[1:])
