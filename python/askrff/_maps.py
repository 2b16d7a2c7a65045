"""From an estimator's parameters and its training rows to what the library is asked, and how far to trust the map it gives."""

from __future__ import annotations

import copyreg
import logging
from typing import Any, Callable, Dict, List, Optional, Tuple

import numpy as np
import scipy.sparse as sp

from . import _core
from ._matrices import fit_matrix_map, is_precomputed, landmarks_of
from ._parameters import check_count, check_function, check_number, check_word, shown
from ._typing import Function
from ._validation import core_rows, float_dtypes, rows_or_sparse, rows_per_block, take_float64, warn
from .kernels import Kernel, core_kernel, kernel_choice, variance_of

logger = logging.getLogger("askrff")
logger.addHandler(logging.NullHandler())


def map_options(params: Any, scale: str) -> Dict[str, Any]:
    """The library's options for a map, of an estimator's parameters; refuses what is no choice at all, also where it would not be used."""
    check_function("progress", params.progress)
    return {
        **{name: check_word(name, getattr(params, name), _core.WORDS[name]) for name in ("estimator", "sampler", "weights", "landmarks")},
        "tolerance": None if params.tolerance is None else check_number("tolerance", params.tolerance),
        **_size(params),
        "n_landmarks": 0 if params.n_landmarks is None else check_count("n_landmarks", params.n_landmarks),
        "max_frequencies": check_count("max_frequencies", params.max_frequencies),
        "time_limit": None if params.time_limit is None else check_number("time_limit", params.time_limit, "a finite number above 0, or None for no limit"),
        "scale": scale,
        "precision": precision_of(params),
    }


def precision_of(params: Any) -> str:
    """The library's word for the features' dtype. Where it is that of the rows, which may be either, the arithmetic is in float64."""
    return np.dtype(float_dtypes(params.dtype)[0]).name


def _size(params: Any) -> Dict[str, int]:
    """How many features, in the way the parameters say it; none where they leave it to the library."""
    given = {name: getattr(params, name) for name in ("n_features", "n_frequencies") if getattr(params, name) is not None}
    if len(given) > 1:
        raise ValueError(f"n_features is {shown(params.n_features)} and n_frequencies is {shown(params.n_frequencies)}, expected one of them")
    return {name: check_count(name, value) for name, value in given.items()}


def has_grid_tolerance(params: Any) -> bool:
    """The tolerance is one of the kernel itself, by a grid of frequencies; nothing is tried."""
    return params.tolerance is not None and params.sampler == "grid"


def scaling(params: Any) -> str:
    """The library's word for what is done to the columns first."""
    return check_word("scale", params.scale, _core.WORDS["scale"])


def kernel_arguments(params: Any, n_columns: int, variance: Callable[[], float], takes_linear: bool) -> Dict[str, Any]:
    """The library's arguments for the kernel. variance: of all scaled rows, which gamma="scale" asks for, 1/(columns · variance)."""
    if takes_linear and isinstance(params.kernel, str) and params.kernel == "linear":
        for name in ("kernel_params", "gamma", "tolerance"):
            if getattr(params, name) is not None:
                raise ValueError(f"{name} is {shown(getattr(params, name))}, but kernel='linear' has none: expected None")
        return {"kernel": "linear"}
    return kernel_choice(params.kernel, params.kernel_params, params.gamma, n_columns, variance)


def variance_of_scaled(X: Any, scale: str) -> Callable[[], float]:
    """Finds the variance of all rows when it is called."""
    return lambda: variance_of(X, _core.make_map("linear", core_rows(X), scale=scale).scale)


def fit_map(params: Any, X: Any, seed: int, n_threads: int, takes_linear: bool = False) -> _core.Map:
    """The map that the parameters of an estimator (`params` has them as attributes) describe, for rows like those of X."""
    if is_precomputed(params):
        check_function("progress", params.progress)
        map_ = fit_matrix_map(params, X, seed, n_threads, column_names(params))
        report(params, map_)
        return map_
    scale = scaling(params)
    options = map_options(params, scale)
    arguments = {"column_names": column_names(params), "seed": seed, "n_threads": n_threads, "progress": params.progress}
    map_ = _core.make_map(X=core_rows(X), **kernel_arguments(params, X.shape[1], variance_of_scaled(X, scale), takes_linear), **arguments, **options)
    report(params, map_)
    return map_


def column_names(estimator: Any) -> List[str]:
    return [str(name) for name in getattr(estimator, "feature_names_in_", ())]


def report(params: Any, map_: _core.Map) -> None:
    """Warns if the map is less than was hoped for."""
    logger.info("%s: %s", params.kernel, map_.reason or f"{map_.n_features} features")
    if map_.kind == "columns":
        return
    certificate = map_.certificate
    if params.tolerance is not None and not has_grid_tolerance(params) and not certificate["reached"]:
        warn(f"tolerance {map_.reason}")
    if params.weights in ("calibrated", "unconstrained") and map_.weights_kind == "exact" and not has_grid_tolerance(params):
        warn(f"too few rows for {params.weights} weights: exact ones are taken. Fit on at least 4 rows of a weight above 0.")
    if map_.scaling_warning:
        warn(map_.scaling_warning)
    if map_.accuracy_warning:
        warn(map_.accuracy_warning)


def set_map(estimator: Any, map_: _core.Map) -> None:
    """What every estimator says of its map, just fitted or loaded."""
    estimator._map = map_
    estimator.n_features_out_ = int(map_.n_features)
    estimator.scaler_ = None if map_.scaler["kind"] == "none" else map_.scaler
    estimator.error_, estimator.error_interval_, estimator.error_between_ = _error_of(map_)
    estimator.landmark_rows_, estimator.landmark_columns_ = landmarks_of(estimator, map_)


def fitted_kernel(kernel: Any, map_: _core.Map) -> Optional[Kernel]:
    """The kernel a map stands for; `kernel`, what it was made with, if that is one. None for columns and unknown ones."""
    if isinstance(kernel, Kernel) or map_.kernel is None:
        return kernel if isinstance(kernel, Kernel) else None
    return Kernel.from_core(map_.kernel)


def _error_of(map_: _core.Map) -> Tuple[float, Tuple[float, float], float]:
    """On rows outside every fit; nan where there were too few."""
    if map_.kind == "columns":
        return 0.0, (0.0, 0.0), 0.0
    found = map_.certificate or dict.fromkeys(("error", "lower", "upper", "between"), float("nan"))
    return found["error"], (found["lower"], found["upper"]), found["between"]


# So many rows tell whether one in twenty lies outside.
_ROWS_LOOKED_AT = 4096


def _some_rows(X: Any) -> Tuple[Any, int]:
    """Rows at equal distances, float64, as the core takes them, and how many they are."""
    n_most = _ROWS_LOOKED_AT if sp.issparse(X) else min(_ROWS_LOOKED_AT, rows_per_block(X.shape[1]))
    some = slice(None, None, -(-X.shape[0] // n_most))
    if sp.issparse(X):
        rows = X[some].astype(np.float64)
        return rows_or_sparse(rows), rows.shape[0]
    rows = take_float64(X, some)
    return rows, len(rows)


def warn_if_outside(estimator: Any, X: Any) -> None:
    """Warns if many rows lie far outside those the map was fitted on: calibrated weights and landmarks know nothing of what is there."""
    map_ = estimator._map
    if map_.kind in ("columns", "matrix") or (map_.weights_kind == "exact" and not has_grid_tolerance(estimator)):
        return
    rows, n_rows = _some_rows(X)
    warning = map_.outside_warning(map_.rows_outside(rows), n_rows)
    if warning:
        warn(warning)


def warn_if_rounded(estimator: Any, X: Any, dtype: Any) -> None:
    """Warns if features of that dtype lose too much because rows, given or scaled, are rounded to float32."""
    if dtype != np.float32 or estimator._map.kind == "matrix":
        return
    warning = estimator._map.float32_warning(_some_rows(X)[0], before_scaling=bool(X.dtype == np.float32))
    if warning:
        warn(warning)


# The core's values are pickled as the bytes of their files, which hold every number exactly, and the kernel where bytes cannot hold it.
def _restored_core_kernel(
    name: str,
    params: Dict[str, Any],
    function: Optional[Function],
    symmetric: bool,
    form: Optional[Dict[str, Any]] = None,
    of_pairs: bool = False,
) -> _core.Kernel:
    return core_kernel(name, params, function, symmetric, form, of_pairs)


def _core_kernel_state(value: _core.Kernel) -> Tuple[Any, ...]:
    return _restored_core_kernel, (value.name, value.parameters, value.function, value.symmetric, value.form, not value.shift_invariant)


def _restored_map(content: bytes, kernel: Optional[_core.Kernel]) -> _core.Map:
    return _core.Map.from_bytes(content, kernel)


def _restored_model(content: bytes, kernel: Optional[_core.Kernel]) -> _core.Model:
    return _core.Model.from_bytes(content, kernel)


def _restored_trainer(content: bytes, kernel: Optional[_core.Kernel]) -> _core.RidgeTrainer:
    return _core.RidgeTrainer.from_bytes(content, kernel)


copyreg.pickle(_core.Kernel, _core_kernel_state)
copyreg.pickle(_core.Map, lambda value: (_restored_map, value.to_bytes()))
copyreg.pickle(_core.Model, lambda value: (_restored_model, value.to_bytes()))
copyreg.pickle(_core.RidgeTrainer, lambda value: (_restored_trainer, value.to_bytes()))
