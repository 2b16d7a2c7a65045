"""Files of maps and models, the same as the command line's: what one writes the other reads."""

from __future__ import annotations

import errno
import math
import os
from typing import Any, Callable, Dict, List, Optional, Union

import numpy as np

from . import _core
from ._maps import fitted_kernel
from ._parameters import path_text
from ._typing import AnyArray, PathLike
from .classifier import FourierClassifier
from .features import FourierFeatures
from .regressor import FourierRegressor


def load(path: PathLike) -> Union[FourierFeatures, FourierClassifier, FourierRegressor]:
    """The estimator in a file that ``save``, ``askrff choose`` or ``askrff train`` wrote.

    Parameters
    ----------
    path : str, bytes or path-like

    Returns
    -------
    FourierFeatures, FourierClassifier or FourierRegressor
        Fitted. Labels that are all numbers, written as Python writes them, come back as numbers, others as text. Parameters other than
        those of the kernel and the map's own n_frequencies have their defaults: a file holds what was learned, not how. The error of a map without a certificate is nan. Files
        of the command line scale columns first unless told otherwise: see ``scaler_``.

    Raises
    ------
    OSError
        If the file cannot be opened.
    ValueError
        If it is no such file, is damaged or was written by a newer version.

    Examples
    --------
    >>> import os, tempfile
    >>> import numpy as np
    >>> from askrff import FourierFeatures, load
    >>> X = np.random.default_rng(0).uniform(size=(100, 2))
    >>> features = FourierFeatures(kernel="sinh-gaussian", n_frequencies=16, random_state=0).fit(X)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = os.path.join(folder, "map.askrff")
    ...     features.save(path)
    ...     again = load(path)
    >>> bool(np.array_equal(again.transform(X), features.transform(X)))
    True
    """
    path = path_text(path)
    if os.path.isdir(path):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), path)
    return estimator_of(_core.load(path))


def estimator_of(content: Union[_core.Map, _core.Model]) -> Union[FourierFeatures, FourierClassifier, FourierRegressor]:
    """The estimator that a file with this content holds."""
    if isinstance(content, _core.Map):
        return _loaded_features(content)
    return _loaded_classifier(content) if content.task == "classification" else _loaded_regressor(content)


def _loaded_features(map_: _core.Map) -> FourierFeatures:
    features = FourierFeatures(**_map_arguments(map_))
    _set_columns(features, map_)
    return features._take(map_, fitted_kernel(None, map_))


def _loaded_classifier(model: _core.Model) -> FourierClassifier:
    trainer = model.training["trainer"]
    options = {"model": trainer} if trainer in _core.WORDS["model"] else {}
    classifier = FourierClassifier(**_map_arguments(model.map), **options, dtype=model.precision)
    classifier.classes_ = _labels(model.classes)
    return _complete(classifier, model)


def _loaded_regressor(model: _core.Model) -> FourierRegressor:
    regressor = FourierRegressor(**_map_arguments(model.map), dtype=model.precision)
    regressor._one_target = len(model.bias) == 1
    return _complete(regressor, model)


def _complete(estimator: Any, model: _core.Model) -> Any:
    estimator._take(model)
    estimator._ridge = None
    estimator.kernel_ = fitted_kernel(None, model.map)
    estimator.cv_results_ = _validation_of(model.training)
    estimator.tuning_results_, estimator.size_results_ = [], []
    _set_columns(estimator, model.map)
    return estimator


def _validation_of(training: Dict[str, Any]) -> Dict[str, Any]:
    """What a file keeps of the cross-validation; empty without."""
    if not training["cv_c"]:
        return {}
    return {"c": np.asarray(training["cv_c"]), "mean": np.asarray(training["cv_scores"]), "measure": training["cv_measure"]}


def _map_arguments(map_: _core.Map) -> Dict[str, Any]:
    if map_.kind == "columns":
        return {"kernel": "linear"}
    if map_.kind == "matrix":
        matrix = map_.matrix
        is_whole = len(matrix["rows"]) == map_.right_dim and len(matrix["columns"]) == map_.dim
        return {"kernel": "precomputed", "n_features": int(map_.n_features), **({} if is_whole else {"n_landmarks": len(matrix["columns"])})}
    size = {"n_frequencies": int(map_.n_frequencies)} if map_.n_frequencies else {"n_features": int(map_.n_features), "estimator": "nystrom"}
    of_kernel = {} if map_.kernel is None else {"kernel": map_.kernel.name, "kernel_params": dict(map_.kernel.parameters)}
    return {**of_kernel, **size}


def _set_columns(estimator: Any, map_: _core.Map) -> None:
    estimator.n_features_in_ = int(map_.dim)
    if map_.column_names:
        estimator.feature_names_in_ = np.asarray(map_.column_names, dtype=object)


def _labels(classes: List[str]) -> AnyArray:
    """Labels as they were before they became text: truth values, whole numbers, numbers, or text. Numbers only if no label changes or meets another."""
    if sorted(classes) == ["False", "True"]:
        return np.asarray([label == "True" for label in classes])
    for number_of in (_as_whole, _as_float):
        numbers = [number_of(label) for label in classes]
        if None not in numbers and len(set(numbers)) == len(classes):
            array = np.asarray(numbers)
            if array.dtype.kind in "iuf":
                return array
    return np.asarray(classes)


def _as_whole(label: str) -> Optional[int]:
    return _number(int, str, label)


def _as_float(label: str) -> Optional[float]:
    number = _number(float, repr, label)
    return number if number is not None and math.isfinite(number) else None


def _number(parse: Callable[[str], Any], write: Callable[[Any], str], label: str) -> Any:
    """The number that is written just so, None if there is none."""
    try:
        number = parse(label)
        return number if write(number) == label else None
    except ValueError:
        return None
