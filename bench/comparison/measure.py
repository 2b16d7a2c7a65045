"""Measures our features and scikit-learn's on the same data, with the same kernel and the same linear model, and writes JSON.

  python bench/comparison/measure.py --json build/comparison.json            all of it, an hour or two on one thread
  python bench/comparison/measure.py --json build/comparison.json --quick    three data sets, two seeds: to try the program
It needs the Python package askrff and scikit-learn. Data of $ASKRFF_SHARED_DIR/data (default ../shared/data) that are not there are left out,
and said to be. Times are processor seconds. bench/comparison/page.py makes docs/comparison.md of the JSON.
"""
import argparse
import json
import os
import platform
import sys
import time
import warnings

os.environ["OPENBLAS_NUM_THREADS"] = "1"  # before NumPy is loaded

import numpy as np
import sklearn
from methods import METHODS, sides
from problems import SETS, Problem
from sklearn.linear_model import RidgeClassifierCV, RidgeCV
from sklearn.metrics.pairwise import rbf_kernel

import askrff

COLUMNS, SEEDS = (256, 1024), 5
FACTORS = (1.0, 0.1, 10.0)  # of the median's gamma; the others than 1 at the fewest columns only
PENALTIES = np.logspace(-6, 3, 10)
QUICK_SETS = ("wine", "digits", "one-hot")
MEASURES = ("two_sided", "one_sided", "score", "fit_seconds", "transform_seconds")


def timed(function, *arguments):
    start = time.process_time()
    result = function(*arguments)
    return result, time.process_time() - start


def one_run(problem, K, make, n_columns, gamma, seed):
    """The measures of one method with one seed."""
    features, fit_seconds = timed(make(n_columns, gamma, seed).fit, problem.X)
    _, transform_seconds = timed(features.transform, problem.X_test)
    left, right = sides(features, problem.X_test)
    size = np.linalg.norm(K)
    model = (RidgeClassifierCV if problem.has_classes else RidgeCV)(alphas=PENALTIES)
    model.fit(features.transform(problem.X), problem.y)
    return {
        "two_sided": float(np.linalg.norm(left @ right.T - K) / size),
        "one_sided": float(np.linalg.norm(left @ left.T - K) / size),
        "score": float(model.score(left, problem.y_test)),
        "fit_seconds": fit_seconds,
        "transform_seconds": transform_seconds,
        "columns_made": left.shape[1],
    }


def row_of(problem, K, method, n_columns, factor, gamma, n_seeds):
    """Means and standard deviations over the seeds, or why there are none."""
    row = {"data": problem.name, "method": method, "columns": n_columns, "factor": factor}
    try:
        runs = [one_run(problem, K, METHODS[method], n_columns, gamma, seed) for seed in range(n_seeds)]
    except (ValueError, askrff.NumericalError) as refused:
        return {**row, "refused": str(refused)}
    row["columns_made"] = runs[0]["columns_made"]
    for measure in MEASURES:
        values = [run[measure] for run in runs]
        row[measure] = {"mean": float(np.mean(values)), "deviation": float(np.std(values, ddof=1))}
    return row


def rows_of(problem, columns, n_seeds):
    for factor in FACTORS:
        gamma = factor * problem.median_gamma()
        K = rbf_kernel(problem.X_test, gamma=gamma)
        for n_columns in columns if factor == 1 else columns[:1]:
            for method in METHODS:
                row = row_of(problem, K, method, n_columns, factor, gamma, n_seeds)
                told = row.get("refused") or f"error {row['two_sided']['mean']:.2e}, score {row['score']['mean']:.4f}"
                print(f"{problem.name}, {method}, {n_columns} columns, gamma x {factor:g}: {told}", file=sys.stderr)
                yield row


def processor():
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as file:
            return next(line.partition(":")[2].strip() for line in file if line.startswith("model name"))
    except (OSError, StopIteration):
        return platform.processor() or "unknown"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", required=True, help="the file to write")
    parser.add_argument("--quick", action="store_true", help="three data sets, 64 and 128 columns, two seeds")
    parser.add_argument("--only", nargs="+", choices=SETS, help="some data sets")
    options = parser.parse_args()
    columns, n_seeds = ((64, 128), 2) if options.quick else (COLUMNS, SEEDS)
    warnings.simplefilter("ignore")  # of every method; what they would say is in the numbers
    report = {
        "quick": options.quick,
        "seeds": n_seeds,
        "versions": {"askrff": askrff.__version__, "scikit-learn": sklearn.__version__, "numpy": np.__version__},
        "processor": processor(),
        "date": time.strftime("%Y-%m-%d"),
        "data": [],
        "skipped": [],
        "rows": [],
    }
    for name in options.only or (QUICK_SETS if options.quick else SETS):
        try:
            problem = Problem(name)
        except FileNotFoundError as missing:
            report["skipped"].append({"name": name, "reason": f"{missing.filename} is not there"})
            continue
        report["data"].append(problem.facts())
        report["rows"] += rows_of(problem, columns, n_seeds)
        with open(options.json + ".part", "w", encoding="utf-8") as file:  # after every set: a long run that is ended has something to show
            json.dump(report, file, indent=1)
        os.replace(options.json + ".part", options.json)


if __name__ == "__main__":
    main()
