"""Files of maps and models, the same as the command line's: what one writes the other reads."""

from __future__ import annotations

from typing import Any, Dict, List, Optional, Union

import numpy as np

from . import _core
from ._typing import AnyArray, PathLike
from .classifier import FourierClassifier
from .features import FourierFeatures
from .kernels import Kernel
from .regressor import FourierRegressor


def load(path: PathLike) -> Union[FourierFeatures, FourierClassifier, FourierRegressor]:
    """The estimator in a file that ``save``, ``askrff choose`` or ``askrff train`` wrote.

    Parameters
    ----------
    path : str or path-like

    Returns
    -------
    FourierFeatures, FourierClassifier or FourierRegressor
        Fitted. Labels that are all numbers come back as numbers, others as text. Parameters other than the kernel's have their
        defaults: a file holds what was learned, not how. The error of a map without a certificate is nan.

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
    map_ = _core.load_map(str(path))  # of a file of either kind
    try:
        model = _core.load_model(str(path))
    except ValueError:  # a map alone, since load_map could read it
        return _loaded_features(map_)
    return _loaded_classifier(model) if model.task == "classification" else _loaded_regressor(model)


def _loaded_features(map_: _core.Map) -> FourierFeatures:
    features = FourierFeatures(**_kernel_arguments(map_))
    _set_certificate(features, map_)
    _set_columns(features, map_)
    return features._take(map_, _kernel_of(map_))


def _loaded_classifier(model: _core.Model) -> FourierClassifier:
    classifier = FourierClassifier(**_kernel_arguments(model.map), dtype=model.precision)
    classifier.classes_ = _labels(model.classes)
    return _complete(classifier, model)


def _loaded_regressor(model: _core.Model) -> FourierRegressor:
    regressor = FourierRegressor(**_kernel_arguments(model.map), dtype=model.precision)
    regressor._one_target = len(model.bias) == 1
    return _complete(regressor, model)


def _complete(estimator: Any, model: _core.Model) -> Any:
    estimator._take(model)
    estimator._ridge = None
    estimator.kernel_ = _kernel_of(model.map)
    estimator.C_ = model.training["c"]
    _set_certificate(estimator, model.map)
    _set_columns(estimator, model.map)
    return estimator


def _kernel_of(map_: _core.Map) -> Optional[Kernel]:
    return None if map_.kernel is None else Kernel(map_.kernel.name, **map_.kernel.parameters)


def _kernel_arguments(map_: _core.Map) -> Dict[str, Any]:
    if map_.kind == "columns":
        return {"kernel": "linear"}
    return {} if map_.kernel is None else {"kernel": map_.kernel.name, "kernel_params": dict(map_.kernel.parameters)}


def _set_certificate(estimator: Any, map_: _core.Map) -> None:
    estimator._seen = None
    known = map_.error is not None and map_.error_interval is not None
    estimator.error_ = float(map_.error) if known else float("nan")
    estimator.error_interval_ = tuple(map_.error_interval) if known else (float("nan"), float("nan"))


def _set_columns(estimator: Any, map_: _core.Map) -> None:
    estimator.n_features_in_ = int(map_.dim)
    if map_.column_names:
        estimator.feature_names_in_ = np.asarray(map_.column_names, dtype=object)


def _labels(classes: List[str]) -> AnyArray:
    """Labels as they were before they became text: whole numbers, numbers, or text."""
    for kind in (np.int64, np.float64):
        try:
            return np.asarray([kind(label) for label in classes])
        except ValueError:
            continue
    return np.asarray(classes)
