"""Rows in parts on the workers of a cluster: what the estimators of askrff.dask and askrff.spark share.

The library decides what is to be done (``_core.train_parts``); an engine has it done for every part (:func:`share_of_part`) and the results
joined (:func:`joined`), neighbours only and in a tree that depends on the number of parts alone.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Callable, Iterable, List, Optional, Sequence, Tuple

import numpy as np
from sklearn.utils.multiclass import check_classification_targets

from . import _core
from ._maps import fitted_kernel, kernel_arguments, map_options, report, scaling
from ._parameters import seed_from, shown, threads_from
from ._typing import AnyArray
from ._validation import codes_of, core_rows, rows_of_part, unchanged_if_it_fails

# Results that one task joins: a tree for ten thousand parts has five levels, and no task holds more than so many sums.
FAN_IN = 8


@dataclass(frozen=True)
class Parts:
    """Rows as an engine has them: run(task, starts) has a pass carried out over all parts."""

    n_parts: int
    n_columns: int
    column_names: List[str]
    run: Callable[[bytes, List[bytes]], bytes]


@dataclass(frozen=True)
class Job:
    """What all parts of a pass are told."""

    task: bytes
    kernel: Optional[_core.Kernel] = None  # one that bytes cannot hold
    classes: Optional[AnyArray] = None  # where labels are those of classes
    n_threads: int = 1
    n_jobs: Optional[int] = None  # instead, counted on the worker
    version: str = _core.version

    def threads(self) -> int:
        return self.n_threads if self.n_jobs is None else threads_from(self.n_jobs)


def require_version(version: str, where: str = "this worker") -> None:
    """Parts of one model must come from one version."""
    if version != _core.version:
        raise RuntimeError(f"the driver has askrff {version}, {where} has askrff {_core.version}: expected the same version everywhere")


def share_of_part(job: Job, start: bytes, part: int, blocks: Iterable[Tuple[Any, Any, Any]]) -> bytes:
    """The share of a part in a pass; blocks: its rows, labels and weights (or None), in order."""
    require_version(job.version)
    work = _core.PartWork(job.task, start, job.threads(), job.kernel)
    for X, y, weights in blocks:
        X, y, weights = _checked(part, X, y, weights, job.classes)
        if X.shape[0] > 0:
            work.add(core_rows(X), y, weights, job.classes is not None)
    return work.finish()


def joined(job: Job, results: Sequence[bytes]) -> bytes:
    """The result of neighbouring parts, in their order."""
    require_version(job.version)
    return _core.join_results(list(results), job.threads(), job.kernel)


def _checked(part: int, X: Any, y: Any, weights: Any, classes: Optional[AnyArray]) -> Tuple[Any, Any, Any]:
    try:
        X = rows_of_part(X)
        n_rows = X.shape[0]
        if y is not None:
            y = np.asarray(y)
            y = codes_of(y, classes) if classes is not None else targets_of(y)
        if weights is not None:
            weights = np.ascontiguousarray(np.asarray(weights), dtype=np.float64)
            if weights.ndim != 1:
                raise ValueError(f"the weights have {weights.ndim} dimensions, expected 1")
        for name, values in (("labels", y), ("weights", weights)):
            if values is not None and len(values) != n_rows:
                raise ValueError(f"{n_rows} rows, but {len(values)} {name}: expected X, y and sample_weight to be cut at the same rows")
    except (TypeError, ValueError) as error:
        raise type(error)(f"partition {part}: {error}") from None
    return X, y, weights


def targets_of(y: Any) -> AnyArray:
    """(rows, n_targets) float64, also of no rows."""
    y = np.asarray(y)
    if np.iscomplexobj(y):
        raise ValueError("Complex data not supported: the targets are complex numbers")
    return np.ascontiguousarray(y[:, np.newaxis] if y.ndim == 1 else y, dtype=np.float64)


Counts = Tuple[AnyArray, AnyArray]  # different labels and how many rows have each; without classes one count, of all rows


def count_rows(y: Any, weights: Any, has_classes: bool, part: int = 0) -> Counts:
    """Of a part; rows of weight 0 do not count, but their classes are known."""
    y = np.asarray(y)
    if has_classes and y.ndim != 1:
        raise ValueError(f"partition {part}: the labels have {y.ndim} dimensions, expected 1")
    missing = np.flatnonzero([_is_missing(label) for label in y.tolist()]) if has_classes and y.dtype.kind in "Of" else ()
    if len(missing) > 0:
        raise ValueError(f"partition {part}: the label of row {missing[0]} (counted from 0) is {y[missing[0]]}, expected one for every row")
    counted = np.ones(len(y), dtype=bool) if weights is None else np.asarray(weights) != 0
    if not has_classes:
        return np.zeros(1), np.asarray([counted.sum()])
    labels, codes = np.unique(y, return_inverse=True)
    return labels, np.bincount(codes.reshape(-1)[counted], minlength=len(labels))


def _is_missing(label: Any) -> bool:
    try:
        return label is None or bool(label != label)
    except TypeError:  # pandas.NA is neither equal to itself nor not
        return True


def add_counts(counts: Sequence[Counts]) -> Counts:
    """Of parts, some of which may have no rows."""
    counts = [each for each in counts if len(each[0]) > 0]
    if not counts:
        return np.zeros(0), np.zeros(0, dtype=np.int64)
    labels, places = np.unique(np.concatenate([each[0] for each in counts]), return_inverse=True)
    return labels, np.bincount(places.reshape(-1), np.concatenate([each[1] for each in counts]), len(labels)).astype(np.int64)


def fit_features(estimator: Any, parts: Parts) -> Any:
    """FourierFeatures.fit."""
    with unchanged_if_it_fails(estimator):
        _set_columns(estimator, parts)
        scale = scaling(estimator)
        map_ = _core.make_map_parts(
            **_of_parts(parts),
            **_kernel(estimator, parts, takes_linear=False),
            **map_options(estimator, scale),
            seed=seed_from(estimator.random_state),
            n_threads=threads_from(estimator.n_jobs),
            progress=estimator.progress,
        )
        report(estimator, map_)
        return estimator._take(map_, fitted_kernel(estimator.kernel, map_))


def fit_regressor(estimator: Any, parts: Parts, counts: Counts, target_shape: Tuple[int, ...]) -> Any:
    """FourierRegressor.fit; target_shape: that of the targets of a row, () or (n,)."""
    with unchanged_if_it_fails(estimator):
        _set_columns(estimator, parts)
        estimator._one_target = len(target_shape) == 0
        n_folds = estimator._possible_folds(estimator._folds_wanted(), int(counts[1].sum()), "the data")
        return estimator._train_parts(parts, "ridge", [], n_folds, n_targets=1 if estimator._one_target else target_shape[0])


def fit_classifier(estimator: Any, parts: Parts, counts: Counts) -> Any:
    """FourierClassifier.fit."""
    with unchanged_if_it_fails(estimator):
        _set_columns(estimator, parts)
        if len(counts[0]) == 0:
            raise ValueError("X has no rows, expected labels of at least two classes")
        check_classification_targets(counts[0])
        estimator.classes_ = counts[0]
        n_folds, options = estimator._class_options(counts[1])
        return estimator._train_parts(parts, estimator.model, estimator._class_names(), n_folds, **options)


def _set_columns(estimator: Any, parts: Parts) -> None:
    estimator.n_features_in_ = parts.n_columns
    vars(estimator).pop("feature_names_in_", None)
    if parts.column_names:
        estimator.feature_names_in_ = np.asarray(parts.column_names, dtype=object)


def _of_parts(parts: Parts) -> Any:
    return {"run": parts.run, "n_parts": parts.n_parts, "n_columns": parts.n_columns, "column_names": parts.column_names}


def _kernel(estimator: Any, parts: Parts, takes_linear: bool) -> Any:
    def variance() -> float:
        raise ValueError(f"gamma is {shown(estimator.gamma)}, which takes all rows in one place: expected a number or None for rows in parts")

    return kernel_arguments(estimator, parts.n_columns, variance, takes_linear)


def train_parts(params: Any, parts: Parts, /, **options: Any) -> Any:
    """The model and what is said of it; `params` has the parameters of an estimator."""
    return _core.train_parts(**_of_parts(parts), **_kernel(params, parts, takes_linear=True), **options)


def own_kernel(estimator: Any) -> Optional[_core.Kernel]:
    """The kernel of an estimator where it is a function, which travels beside tasks; None of those that have a name."""
    kernel = kernel_arguments(estimator, 1, lambda: 1.0, takes_linear=True)["kernel"]
    return None if isinstance(kernel, str) or kernel.function is None else kernel


def column_names_of(X: Any) -> List[str]:
    """Of a data frame whose columns all have text for a name; else none."""
    names = list(getattr(X, "columns", []))
    return names if names and all(isinstance(name, str) for name in names) else []
