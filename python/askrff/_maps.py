"""From an estimator's parameters and its training rows to a feature map of the core, and how far to trust it."""

from __future__ import annotations

import copyreg
import logging
from dataclasses import dataclass
from typing import Any, Callable, Dict, Optional, Tuple

import numpy as np

from . import _core
from ._typing import FloatArray, Function
from ._validation import check_count, check_function, check_number, check_word, rows_per_block, take_float64, warn
from .kernels import Kernel, resolve_for_rows, variance_of

logger = logging.getLogger("askrff")
logger.addHandler(logging.NullHandler())

ESTIMATORS = ("auto", "fourier", "jordan", "polar", "nystrom")

SAMPLERS = ("exact", "rejection", "orthogonal", "mub", "structured", "sobol", "quadrature", "ridge")
WEIGHTS = ("calibrated", "exact", "subset")

# What a map needs to see of the data it sees on so many rows, as on the command line; on fewer where rows are wide, half a gigabyte.
MOST_FITTED_ROWS = 20_000
MOST_FITTED_NUMBERS = 2**26
LEAST_FITTED_ROWS = 500
# Rows the error is measured on: 160 000 pairs, some milliseconds; the interval of the error is a few per cent of it.
MOST_JUDGING_ROWS = 400
# Fewer rows than this cannot be shared: a fifth of them has to make three, the least the core measures an error on.
LEAST_SHARED_ROWS = 15
# The core calibrates weights on no fewer rows.
LEAST_CALIBRATION_ROWS = 4
# The core's limit.
MOST_LANDMARKS = 4096


@dataclass
class FittedMap:
    """A map, the kernel it stands for, and its relative error on rows outside every fit; nan where there were too few.

    `seen` are the smallest and largest values of the rows it was fitted or judged on, before any scaling.
    """

    map: _core.Map
    kernel: Kernel
    error: float
    error_interval: Tuple[float, float]
    seen: Optional[Tuple[FloatArray, FloatArray]] = None


def fit_map(
    params: Any, X: Any, seed: int, n_threads: int, scale: Optional[Callable[[FloatArray], FloatArray]] = None
) -> FittedMap:
    """The map that the parameters of an estimator (`params` has them as attributes) describe, on a sample of the rows of X.

    `scale` takes float64 rows to those the map works on. Calibrated weights and landmarks are fitted on some rows and judged on others.
    """
    check_words(params)
    rng = np.random.RandomState(seed % 2**32)
    rows = sample_rows(X, most_fitted_rows(X.shape[1]), rng)
    seen = rows.min(axis=0), rows.max(axis=0)
    scale = scale or (lambda raw: raw)
    rows = scale(rows)
    kernel = resolve_for_rows(params.kernel, params.kernel_params, params.gamma, rows, seed, lambda: variance_of(X, scale))
    if params.tolerance is not None:
        fitted = _chosen(params, kernel, rows, seed, n_threads)
    else:
        fitted = _drawn(params, kernel, rows, seed, n_threads)
    fitted.seen = seen
    logger.info("%s: %s", kernel, fitted.map.reason or f"{fitted.map.n_features} features")
    return fitted


def check_words(params: Any) -> None:
    """Refuses what is no choice at all, also where another parameter would keep it from being looked at."""
    check_word("estimator", params.estimator, ESTIMATORS)
    check_word("sampler", params.sampler, SAMPLERS)
    check_word("weights", params.weights, WEIGHTS)
    check_function("progress", params.progress)


def most_fitted_rows(n_columns: int) -> int:
    return min(MOST_FITTED_ROWS, max(LEAST_FITTED_ROWS, MOST_FITTED_NUMBERS // n_columns))


def sample_rows(X: Any, n_most: int, rng: np.random.RandomState) -> FloatArray:
    """At most n_most rows, drawn uniformly, in their order; dense float64."""
    n_rows = X.shape[0]
    if n_rows <= n_most:
        return take_float64(X, slice(None))
    return take_float64(X, np.sort(rng.choice(n_rows, n_most, replace=False)))


def _chosen(params: Any, kernel: Kernel, rows: FloatArray, seed: int, n_threads: int) -> FittedMap:
    """The cheapest map found that reaches the tolerance; its certificate is the error."""
    families = {"auto": "any", "fourier": "fourier", "nystrom": "nystrom"}
    if params.estimator not in families:
        raise ValueError(
            f"estimator is {params.estimator!r}, but with a tolerance the library chooses it: expected one of {', '.join(families)}"
        )
    tolerance = check_number("tolerance", params.tolerance)
    n_frequencies = check_count("n_frequencies", params.n_frequencies)
    most = check_count("max_frequencies", params.max_frequencies)
    family = families[params.estimator]
    map_ = _core.choose(kernel._core, rows, tolerance, n_frequencies, most, family, seed, n_threads, params.progress)
    lower, upper = map_.error_interval
    if upper > tolerance:
        reached = f"the error is {map_.error:.3g}, up to {upper:.3g}"
        warn(f"tolerance {tolerance:g} was not reached with at most {most} frequencies: {reached}")
    return FittedMap(map_, kernel, float(map_.error), (float(lower), float(upper)))


def _drawn(params: Any, kernel: Kernel, rows: FloatArray, seed: int, n_threads: int) -> FittedMap:
    """The map with the number of frequencies asked for."""
    estimator = params.estimator
    n_frequencies = check_count("n_frequencies", params.n_frequencies)
    weights = _possible_weights(params.weights, estimator, kernel, len(rows))
    looks_at_rows = estimator == "nystrom" or weights != "exact"
    fitting, judging = _shared_rows(rows, looks_at_rows, seed)
    if estimator == "nystrom":
        n_features = 2 * n_frequencies  # as many columns as so many frequencies have
        n_landmarks = MOST_LANDMARKS if 3 * n_features > MOST_LANDMARKS >= n_features else 0
        map_ = _core.nystrom(kernel._core, fitting, n_features, seed=seed, n_threads=n_threads, n_landmarks=n_landmarks)
    else:
        map_ = _approximated(estimator, kernel, fitting, n_frequencies, params.sampler, weights, seed, n_threads)
    if len(judging) < 3:
        return FittedMap(map_, kernel, float("nan"), (float("nan"), float("nan")))
    error, lower, upper = map_.held_out_error(kernel._core, judging, n_threads)
    return FittedMap(map_, kernel, float(error), (float(lower), float(upper)))


def _approximated(
    estimator: str, kernel: Kernel, rows: FloatArray, n_frequencies: int, sampler: str, weights: str, seed: int, n_threads: int
) -> _core.Map:
    """A Fourier map. Where the library's choice of an estimator cannot be made (one row) or served by the sampler, polar is the other."""

    def drawn(word: str) -> _core.Map:
        return _core.approximate(kernel._core, rows, n_frequencies, word, sampler, weights, seed, n_threads)

    if estimator not in ("auto", "fourier"):
        return drawn(estimator)
    if kernel.function is not None:  # its errors are its own, and it is not asked twice
        return drawn("auto")
    try:
        return drawn("auto")
    except ValueError as refused:
        try:
            return drawn("polar")
        except ValueError:
            raise refused from None


def _possible_weights(weights: str, estimator: str, kernel: Kernel, n_rows: int) -> str:
    """The weights asked for, or exact ones where there are too few rows to fit any and the kernel knows its masses."""
    if weights == "exact" or estimator == "nystrom" or n_rows >= LEAST_CALIBRATION_ROWS or kernel.function is not None:
        return weights
    warn(f"{n_rows} rows are too few for {weights} weights: exact ones are taken. Fit on at least {LEAST_CALIBRATION_ROWS} rows.")
    return "exact"


def _shared_rows(rows: FloatArray, looks_at_rows: bool, seed: int) -> Tuple[FloatArray, FloatArray]:
    """(rows to fit on, rows to measure the error on): different ones if the fit looks at them and there are enough to share."""
    n_rows = len(rows)
    order = np.random.RandomState(seed % 2**32).permutation(n_rows)
    if not looks_at_rows:
        return rows, rows[np.sort(order[:MOST_JUDGING_ROWS])]
    if n_rows < LEAST_SHARED_ROWS:
        return rows, rows[:0]
    n_judging = min(MOST_JUDGING_ROWS, n_rows // 5)
    return rows[np.sort(order[n_judging:])], rows[np.sort(order[:n_judging])]


# Of any sample some rows lie outside the range of another: only more than this share is worth a warning, and so many rows tell it.
_SHARE_OUTSIDE = 0.01
_ROWS_LOOKED_AT = 4096


def warn_if_outside(estimator: Any, X: Any) -> None:
    """Warns if many rows lie far outside those the map has seen: calibrated weights and landmarks know nothing of what is there."""
    map_ = estimator._map
    if map_.kind == "columns" or map_.weights_kind == "exact":
        return
    n_most = min(_ROWS_LOOKED_AT, rows_per_block(X.shape[1]))
    rows = take_float64(X, slice(None, None, -(-X.shape[0] // n_most)))
    share = map_.rows_outside(_outside_of(estimator._seen, rows)) / len(rows)
    if share > _SHARE_OUTSIDE:
        where = f"{100 * share:.2g} % of the rows lie outside the range of the rows the features were fitted on"
        warn(f"{where}: there the error may be larger than error_")


def _outside_of(seen: Optional[Tuple[FloatArray, FloatArray]], rows: FloatArray) -> FloatArray:
    """Rows that leave the range of those the map was fitted or judged on; all of them where it is not known."""
    return rows if seen is None else rows[~np.all((rows >= seen[0]) & (rows <= seen[1]), axis=1)]


# The core's values are pickled as the bytes of their files, which hold every number exactly, and the kernel where bytes cannot hold it.
def _restored_core_kernel(name: str, params: Dict[str, Any], function: Optional[Function], symmetric: bool) -> _core.Kernel:
    return _core.make_kernel(name, params) if function is None else _core.callable_kernel(function, name, symmetric)


def _restored_map(content: bytes, kernel: Optional[_core.Kernel]) -> _core.Map:
    return _core.Map.from_bytes(content, kernel)


def _restored_model(content: bytes, kernel: Optional[_core.Kernel]) -> _core.Model:
    return _core.Model.from_bytes(content, kernel)


copyreg.pickle(_core.Kernel, lambda value: (_restored_core_kernel, (value.name, value.parameters, value.function, value.symmetric)))
copyreg.pickle(_core.Map, lambda value: (_restored_map, value.to_bytes()))
copyreg.pickle(_core.Model, lambda value: (_restored_model, value.to_bytes()))
