"""Measures which defaults serve users best: sampler, weights, estimator, sigma, scaling and number of frequencies on twelve data sets.

  python bench/comparison/defaults.py --out build/defaults.json      measure (single threaded, an hour), store the records, print the tables
  python bench/comparison/defaults.py --tables build/defaults.json   print the tables of stored records
It needs the Python package askrff and scikit-learn. Real data come from $ASKRFF_SHARED_DIR/data (default ../shared/data); sets that are not
there are skipped with a reason. Times are processor seconds: other work on the machine disturbs them little. Results: docs/defaults.md.
"""
import argparse
import itertools
import json
import os
import pathlib
import sys
import time
import warnings

os.environ["OPENBLAS_NUM_THREADS"] = "1"  # before NumPy is loaded

import numpy as np
from scipy.spatial.distance import pdist
from scipy.stats import gmean
from data_sets import COMMON, friedman1, libsvm
from sklearn import datasets

from askrff import FourierClassifier, FourierFeatures, FourierRegressor, Kernel, NumericalError, kernels

MAX_ROWS, N_JUDGING = 5000, 300  # of a data set; of the held-out rows on whose pairs a kernel error is measured
COLUMNS_OF_FEATURES, COLUMNS_OF_MODELS = 512, 256
KERNELS = ("gaussian", "shift-gaussian", "sinh-gaussian", "matern-3/2")
ASYMMETRIC = KERNELS[1:3]
SAMPLERS, WEIGHTS, ESTIMATORS = ("exact", "orthogonal", "mub", "sobol"), ("exact", "calibrated"), ("jordan", "polar", "auto")
PAPER = ("exact", "subset", "jordan")  # Algorithms 1 and 2; "rejection" draws the same law, where it ends
DRAW = ("sampler", "weights", "estimator")
ERRORS = ("error x1", "error x1.5", "error x2")  # of held-out rows, and of these stretched about the centre, out of the range of the fit
ROUNDING = 1e-12  # smaller errors are not told apart
FREQUENCIES = (64, 128, 256, 512, 1024)


def lognormal():
    """Heavy tails: after scaling to [0, 1] nearly all rows lie in a corner."""
    rng = np.random.default_rng(5)
    logs = rng.normal(size=(MAX_ROWS, 10))
    return np.exp(1.5 * logs), (logs[:, 0] * logs[:, 1] + 0.3 * rng.normal(size=MAX_ROWS) > 0).astype(int), True


DATA = {
    **COMMON,
    "letter": lambda: libsvm("letter-binary.train.libsvm.xz", 16),
    "moons": lambda: (*datasets.make_moons(MAX_ROWS, noise=0.25, random_state=5), True),
    "friedman1": lambda: friedman1(MAX_ROWS),
    "swissroll": lambda: (*datasets.make_swiss_roll(MAX_ROWS, noise=0.5, random_state=5), False),
    "lognormal": lognormal,
}


def split(data, seed):
    """(training rows, their targets, test rows, theirs): two thirds and one third of at most MAX_ROWS rows in random order."""
    X, y, _ = data
    order = np.random.default_rng(seed).permutation(len(X))[:MAX_ROWS]
    train, test = np.split(order, [2 * len(order) // 3])
    return X[train], y[train], X[test], y[test]


def scaled_rows(rows):
    """(training rows, some test rows, median distance of the former), scaled to [0, 1] by the range of the training rows."""
    train, _, test, _ = rows
    low, width = train.min(axis=0), np.ptp(train, axis=0)
    width[width == 0] = 1
    train, judging = (train - low) / width, (test[:N_JUDGING] - low) / width
    return train, judging, float(np.median(pdist(train[:1000])))


def parameters_of(kernel, sigma, n_columns):
    """The paper's shift and beta at sigma = 2, and in the same proportion to any other sigma."""
    vectors = {"shift-gaussian": {"shift": sigma / n_columns}, "sinh-gaussian": {"beta": np.pi / (n_columns * sigma)}}
    return {"sigma": sigma, **vectors.get(kernel, {})}


def fitted_with(n_columns, make, *training):
    """(estimator with at most so many columns, processor seconds of its fit); Jordan parts have two columns each for a frequency."""
    columns_per_frequency = make(1).fit(*training).n_features_out_
    estimator = make(n_columns // columns_per_frequency)
    start = time.process_time()
    estimator.fit(*training)
    return estimator, time.process_time() - start


def attempt(measure, *arguments, **options):
    try:
        return measure(*arguments, **options)
    except (ValueError, NumericalError) as refused:
        return {"refused": str(refused)}


def kernel_error(features, rows):
    exact = features.kernel_(rows, n_jobs=1)
    return float(np.linalg.norm(features.transform(rows) @ features.transform_right(rows).T - exact) / np.linalg.norm(exact))


def feature_record(train, judging, sigma, n_columns, seed, kernel, **draw):
    params = parameters_of(kernel, sigma, train.shape[1])
    make = lambda n: FourierFeatures(kernel=kernel, kernel_params=params, n_frequencies=n, n_jobs=1, random_state=seed, **draw)
    features, seconds = fitted_with(n_columns, make, train)
    stretched = lambda factor: train.mean(axis=0) + factor * (judging - train.mean(axis=0))
    errors = {f"error x{factor:g}": kernel_error(features, stretched(factor)) for factor in (1, 1.5, 2)}
    return {**errors, "columns": int(features.n_features_out_), "seconds": seconds}


def model_record(data, seed, sigma, n_columns, kernel="gaussian", **options):
    train, y_train, test, y_test = split(data, seed)
    params = {"sigma": "auto"} if sigma == "auto" else parameters_of(kernel, sigma, train.shape[1])
    options = {"sampler": "orthogonal", "weights": "exact", "estimator": "auto", "scale": "minmax", **options}
    kind = FourierClassifier if data[2] else FourierRegressor
    make = lambda n: kind(kernel=kernel, kernel_params=params, n_frequencies=n, n_jobs=1, random_state=seed, **options)
    model, seconds = fitted_with(n_columns, make, train, y_train)
    return {"score": float(model.score(test, y_test)), "columns": int(model.n_features_out_), "seconds": seconds}


def measure_features(data, seed):
    """Every sampler, weighting and estimator at the same number of columns, inside and outside the range of the fit."""
    train, judging, median = scaled_rows(split(data, seed))
    settings = [*itertools.product(SAMPLERS, WEIGHTS, ESTIMATORS), PAPER, ("rejection", *PAPER[1:])]
    for kernel, (word, sigma), draw in itertools.product(KERNELS, (("median", median), ("2", 2.0)), settings):
        if kernel in ASYMMETRIC or draw[2] != "polar":  # of a positive measure all estimators are the same
            options = {"kernel": kernel, **dict(zip(DRAW, draw))}
            yield {"sigma": word, **options, **attempt(feature_record, train, judging, sigma, COLUMNS_OF_FEATURES, seed, **options)}


def measure_refusals(data, seed):
    """Which settings the kernels of the registry, and the symmetric ones shifted, can be drawn with at all."""
    train = scaled_rows(split(data, seed))[0][:200]
    names = [*kernels.names(), *(f"shifted:{name}" for name in kernels.names() if Kernel(name).symmetric)]
    for kernel, *draw in itertools.product(names, SAMPLERS, WEIGHTS, ESTIMATORS):
        options = {"kernel": kernel, **dict(zip(DRAW, draw))}
        features = FourierFeatures(n_frequencies=16, n_jobs=1, random_state=seed, **options)
        yield {**options, **attempt(lambda: features.fit(train) and {})}


def measure_counts(data, seed):
    """The kernel's error against the number of frequencies, sigma being the median distance."""
    train, judging, median = scaled_rows(split(data, seed))
    for kernel, n, weights in itertools.product(KERNELS, FREQUENCIES, WEIGHTS):
        options = {"kernel": kernel, **dict(zip(DRAW, ("orthogonal", weights, "auto")))}
        yield {"frequencies": n, **options, **attempt(feature_record, train, judging, median, 2 * n, seed, **options)}


def measure_models(data, seed):
    """Scores at the same number of columns."""
    median = scaled_rows(split(data, seed))[2]
    settings = [*itertools.product(("exact", "orthogonal"), WEIGHTS, ("jordan", "auto")), ("mub", "exact", "auto"), PAPER]
    for kernel, draw in itertools.product(KERNELS[:3], settings):
        if kernel in ASYMMETRIC or draw[2] != "jordan" or draw == PAPER:
            options = {"kernel": kernel, **dict(zip(DRAW, draw))}
            yield {**options, **attempt(model_record, data, seed, 2.0 if draw == PAPER else median, COLUMNS_OF_MODELS, **options)}


def measure_scales(data, seed):
    """Scores of the gaussian kernel with the bandwidths and scalings that might be defaults."""
    for sigma, scale, weights in itertools.product((2.0, "auto"), ("minmax", "standard"), WEIGHTS):
        options, word = {"scale": scale, "weights": weights}, "median" if sigma == "auto" else "2"
        yield {"sigma": word, **options, **attempt(model_record, data, seed, sigma, COLUMNS_OF_MODELS, **options)}


def measure_model_counts(data, seed):
    """Scores against the number of frequencies, sigma being the median distance. 1024 would take minutes for each model."""
    for n in FREQUENCIES[:-1]:
        yield {"frequencies": n, **attempt(model_record, data, seed, "auto", 2 * n)}


def groups_of(records, keys):
    groups = {}
    for record in records:
        groups.setdefault(tuple(record[key] for key in keys), []).append(record)
    return groups


def print_table(title, head, rows):
    print(f"\n### {title}\n\n| {' | '.join(head)} |\n|{'---|' * len(head)}")
    for row in rows:
        print(f"| {' | '.join(f'{cell:.3g}' if isinstance(cell, float) else str(cell) for cell in row)} |")


def served(records):
    return [r for r in records if "refused" not in r]


def n_refused(records):
    return f"{len(records) - len(served(records))}/{len(records)}"


def print_errors(records, keys, case, title):
    """For each setting: mean error; ratio to the best setting of the same case and largest error, inside and outside the fitted range."""
    case_of = lambda record: tuple(record[key] for key in ("data", "seed", *case))
    best = {}
    for record, value in itertools.product(served(records), ERRORS):
        best[case_of(record), value] = max(min(record[value], best.get((case_of(record), value), np.inf)), ROUNDING)
    rows = []
    for setting, group in groups_of(records, keys).items():
        row = [gmean([r["error x1"] for r in served(group)]), 1000 * np.mean([r["seconds"] for r in served(group)])]
        for value in ERRORS:
            row.append(gmean([max(1, r[value] / best[case_of(r), value]) for r in served(group)]))
            row.append(max((r[value] for r in served(group)), default=np.nan))
        rows.append([*setting, *row, n_refused(group)])
    print_table(title, [*keys, "error", "fit ms", "ratio x1", "largest", "ratio x1.5", "largest", "ratio x2", "largest", "refused"], rows)


def print_quotients(records, keys, title):
    """Error with calibrated weights over error with exact ones, all else equal: geometric mean, largest, and how often it is above 1."""
    rows = []
    for setting, group in groups_of(records, keys).items():
        cells, pairs = [], groups_of(served(group), ["data", "seed", "kernel", "sigma", "sampler"]).values()
        for value in ERRORS:
            quotients = np.array([pair[1][value] / max(pair[0][value], ROUNDING) for pair in pairs if len(pair) == 2])
            cells += [gmean(quotients), quotients.max(initial=0), f"{np.mean(quotients > 1):.0%}"]
        rows.append([*setting, *cells])
    print_table(title, [*keys, "x1", "largest", "worse", "x1.5", "largest", "worse", "x2", "largest", "worse"], rows)


def print_scores(records, keys, title):
    """For each setting: mean test score (accuracy or R², per cent), gain over the first one ± standard error over data sets, scores."""
    names = list(dict.fromkeys(r["data"] for r in records))
    rows, first = [], None
    for setting, group in groups_of(records, keys).items():
        of = groups_of(served(group), ["data"])
        scores = np.array([100 * np.mean([r["score"] for r in of.get((name,), [])] or [np.nan]) for name in names])
        first = scores if first is None else first
        gain = f"{np.mean(scores - first):+.2f} ± {np.std(scores - first) / len(names) ** 0.5:.2f}"
        seconds = np.mean([r["seconds"] for r in served(group)] or [np.nan])
        rows.append([*setting, f"{scores.mean():.2f}", gain, *(f"{score:.1f}" for score in scores), seconds, n_refused(group)])
    print_table(title, [*keys, "mean", "gain", *names, "fit s", "refused"], rows)


def print_tables(records):
    of = groups_of(records, ["part"])
    if features := of.get(("features",)):
        title = f"Kernel errors, {COLUMNS_OF_FEATURES} columns"
        print_errors([r for r in features if r["estimator"] == "auto" or r["weights"] == "subset"], DRAW, ["kernel", "sigma"], title)
        print_errors([r for r in features if r["kernel"] in ASYMMETRIC], DRAW, ["kernel", "sigma"], f"{title}, asymmetric kernels")
        auto = [r for r in features if r["estimator"] == "auto"]
        print_errors(auto, ["data", "weights", "sampler"], ["kernel", "sigma", "weights"], f"{title} by data set, estimator auto")
        for keys in (["sampler"], ["kernel", "sigma"], ["data"]):
            print_quotients(auto, keys, f"Calibrated over exact weights by {' and '.join(keys)}, estimator auto")
    if refusals := of.get(("refusals",)):
        rows = [[*setting, n_refused(group)] for setting, group in groups_of(refusals, DRAW).items()]
        print_table("Refused, kernels of the registry and their shifted forms", [*DRAW, "refused"], rows)
    if counts := of.get(("counts",)):
        print_errors(counts, ["weights", "frequencies"], ["kernel"], "Kernel errors against the number of frequencies, orthogonal")
    if models := of.get(("models",)):
        for kernel in KERNELS[:3]:
            print_scores([r for r in models if r["kernel"] == kernel], DRAW, f"Scores, {kernel}, {COLUMNS_OF_MODELS} columns")
    if scales := of.get(("scales",)):
        print_scores(scales, ["sigma", "scale", "weights"], f"Scores by sigma and scaling, gaussian, {COLUMNS_OF_MODELS} columns")
    if model_counts := of.get(("model_counts",)):
        print_scores(model_counts, ["frequencies"], "Scores against the number of frequencies, gaussian, orthogonal")


def main():
    measures = (measure_features, measure_refusals, measure_counts, measure_models, measure_scales, measure_model_counts)
    parts = {measure.__name__[len("measure_") :]: measure for measure in measures}
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", nargs="+", choices=DATA, default=list(DATA), help="data sets")
    parser.add_argument("--parts", nargs="+", choices=parts, default=list(parts), help="what to measure")
    parser.add_argument("--seeds", nargs="+", type=int, default=[1, 2, 3], help="of the splits and the draws")
    parser.add_argument("--out", help="file for the records, JSON")
    parser.add_argument("--tables", nargs="+", help="measure nothing: print the tables of these files of records")
    options = parser.parse_args()
    if options.tables:
        return print_tables([record for path in options.tables for record in json.loads(pathlib.Path(path).read_text(encoding="utf-8"))])
    warnings.simplefilter("ignore")  # of rows outside the range of the fit: they are there on purpose
    records = []
    for name in options.data:
        try:
            data = DATA[name]()
        except OSError as missing:
            print(f"{name}: skipped, {missing}", file=sys.stderr)
            continue
        for seed, part in itertools.product(options.seeds, options.parts):
            print(f"{name}, seed {seed}: {part}", file=sys.stderr)
            records += [{"part": part, "data": name, "seed": seed, **found} for found in parts[part](data, seed)]
        if options.out:
            pathlib.Path(options.out).write_text(json.dumps(records), encoding="utf-8")
    print_tables(records)


if __name__ == "__main__":
    main()
