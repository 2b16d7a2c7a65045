"""The estimators for dask arrays and data frames: fits by passes over partitions, lazy results."""

from __future__ import annotations

import copy
from typing import Any, List, Optional, Sequence, Tuple

import dask.array as da
import numpy as np
from dask.base import tokenize
from dask.delayed import delayed
from sklearn.utils.validation import check_is_fitted

from .. import _core, _parts
from .. import classifier as _classifier
from .. import features as _features
from .. import regressor as _regressor
from .._validation import offered_if
from .operator import KernelOperator
from .partitions import Partitions, is_frame, is_parted, one_chunk_of_columns, tree


def _apply(rows: Any, estimator: Any, method: str, empty: Any, version: str) -> Any:
    """What a method of a fitted estimator says of a partition, in the shape of `empty`, which is that of none."""
    _parts.require_version(version)
    if len(rows) == 0:
        return empty
    result = getattr(estimator, method)(rows)
    if isinstance(empty, np.ndarray):
        return result
    options = {"columns": empty.columns} if empty.ndim == 2 else {"name": empty.name}
    return type(empty)(result, index=rows.index, **options)


class _OnDask:
    """What the estimators share: one thread per task, lazy methods, fits that are told of partitions."""

    def _delayed(self) -> Any:
        """The fitted estimator as tasks have it: sent to every worker once."""
        estimator = copy.copy(self)
        estimator.n_jobs = 1 if self.n_jobs is None else self.n_jobs
        estimator.progress = None
        vars(estimator).pop("_ridge", None)
        content = (self._model if hasattr(self, "_model") else self._map).to_bytes()[0]
        return delayed(estimator, name=f"askrff-estimator-{tokenize(content, estimator.get_params(deep=False))}")

    def _lazy(self, X: Any, method: str, empty: Any, names: Optional[Sequence[str]] = None) -> Any:
        """`method` of every partition. empty: its result of no rows, an array; names: of its columns in a data frame."""
        self._require_columns(X)
        estimator = self._delayed()
        if isinstance(X, da.Array):
            X = one_chunk_of_columns(X)
            shape = {"drop_axis": 1} if empty.ndim == 1 else {"chunks": (X.chunks[0], (empty.shape[1],))}
            return da.map_blocks(
                _apply, X, estimator=estimator, method=method, empty=empty, version=_core.version, dtype=empty.dtype, meta=empty, **shape
            )
        import pandas as pd

        frame = pd.Series(empty, name=names) if empty.ndim == 1 else pd.DataFrame(empty, columns=names)
        frame.index = X._meta.index[:0]
        return X.map_partitions(_apply, estimator=estimator, method=method, empty=frame, version=_core.version, meta=frame)

    def _require_columns(self, X: Any) -> None:
        check_is_fitted(self)
        if X.ndim != 2:
            raise ValueError(f"X has {X.ndim} dimensions, expected 2")
        if X.shape[1] != self.n_features_in_:
            raise ValueError(f"X has {X.shape[1]} features, but {type(self).__name__} is expecting {self.n_features_in_} features as input")
        names = _parts.column_names_of(X)
        if names and hasattr(self, "feature_names_in_") and names != list(self.feature_names_in_):
            raise ValueError(f"X has the columns {names}, expected {list(self.feature_names_in_)} as in fit")

    def _parts_of(self, partitions: Partitions, classes: Any = None) -> _parts.Parts:
        kernel, n_threads = _parts.own_kernel(self), 1 if self.n_jobs is None else self.n_jobs
        return partitions.parts(lambda task: _parts.Job(task, kernel, classes, n_threads))


class FourierFeatures(_OnDask, _features.FourierFeatures):
    __doc__ = f"""{_features.FourierFeatures.__doc__.partition("    Examples")[0].rstrip()}
    Rows may be dask arrays or data frames; then what ``transform`` gives is one too.

    Examples
    --------
    >>> import dask.array as da
    >>> from askrff.dask import FourierFeatures
    >>> X = da.random.default_rng(0).uniform(size=(1000, 3), chunks=(250, 3))
    >>> features = FourierFeatures(kernel="shift-gaussian", n_features=64, random_state=0).fit(X)
    >>> features.transform(X)
    dask.array<_apply, shape=(1000, 64), dtype=float64, chunksize=(250, 64), chunktype=numpy.ndarray>
    """

    def fit(self, X: Any, y: object = None) -> FourierFeatures:
        """As :meth:`askrff.FourierFeatures.fit`, in two passes over the partitions."""
        return _parts.fit_features(self, self._parts_of(Partitions(X))) if is_parted(X) else super().fit(X, y)

    def transform(self, X: Any, out: Any = None) -> Any:
        """Left features of the rows; of dask collections lazily, a collection of the same kind, cut at the same rows."""
        return self._lazy_features(X, "transform", out) if is_parted(X) else super().transform(X, out)

    def transform_right(self, Y: Any, out: Any = None) -> Any:
        """Right features of the rows, as :meth:`transform`."""
        return self._lazy_features(Y, "transform_right", out) if is_parted(Y) else super().transform_right(Y, out)

    def _lazy_features(self, X: Any, method: str, out: Any) -> Any:
        if out is not None:
            raise TypeError("out is an array, but features of dask collections are made later: expected None")
        return self._lazy(X, method, np.empty((0, self.n_features_out_), self._dtype_of(X)), self.get_feature_names_out())

    def _dtype_of(self, X: Any) -> np.dtype:
        """That of the features of these rows."""
        if self.dtype is not None:
            return np.dtype(self.dtype)
        types = {X.dtype} if isinstance(X, da.Array) else set(X.dtypes)
        return np.dtype(np.float32 if types == {np.dtype(np.float32)} else np.float64)

    def operator(self, X: Any, Y: Any = None) -> Any:
        """The approximate kernel matrix by its products: of dask collections a :class:`KernelOperator`."""
        if not is_parted(X):
            return super().operator(X, Y)
        for rows in (X, X if Y is None else Y):
            self._require_columns(rows)
        return KernelOperator(self, Partitions(X), Partitions(X if Y is None else Y), self._dtype_of(X))

    def svd(self, X: Any, Y: Any = None, k: int = 10) -> Any:
        """As :meth:`askrff.FourierFeatures.svd`, of rows in memory."""
        if is_parted(X) or is_parted(Y):
            raise TypeError("svd takes rows in memory: for dask collections use scipy.sparse.linalg.svds(features.operator(X, Y), k)")
        return super().svd(X, Y, k)


class _Model(_OnDask):
    """What regressor and classifier share."""

    def partial_fit(self, X: Any, y: Any, **options: Any) -> Any:
        """As the ordinary estimator's, of rows in memory."""
        if is_parted(X):
            raise TypeError("partial_fit takes rows in memory: fit takes all partitions of a dask collection at once")
        return super().partial_fit(X, y, **options)


class FourierRegressor(_Model, _regressor.FourierRegressor):
    __doc__ = f"""{_regressor.FourierRegressor.__doc__.partition("    Examples")[0].rstrip()}

    Rows and targets may be dask collections cut at the same rows; then what ``predict`` gives is one too.

    Examples
    --------
    >>> import dask.array as da
    >>> from askrff.dask import FourierRegressor
    >>> X = da.random.default_rng(0).uniform(-3, 3, size=(2000, 1), chunks=(500, 1))
    >>> y = da.sin(2 * X[:, 0])
    >>> model = FourierRegressor(n_features=64, random_state=0).fit(X, y)
    >>> bool(model.score(X, y) > 0.99)
    True
    """

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> FourierRegressor:
        """As :meth:`askrff.FourierRegressor.fit`; sums of the partitions, for all folds and values of C in one pass."""
        if not is_parted(X):
            return super().fit(X, y, sample_weight)
        partitions = Partitions(X, y, sample_weight)
        shape = tuple(int(n) for n in np.shape(y)[1:]) if not is_frame(y) else () if y.ndim == 1 else (len(y.columns),)
        return _parts.fit_regressor(self, self._parts_of(partitions), partitions.counts(has_classes=False), shape)

    def predict(self, X: Any) -> Any:
        """Predicted numbers; of dask collections lazily."""
        if not is_parted(X):
            return super().predict(X)
        self._require_columns(X)
        n_targets = len(self.intercept_)
        if self._one_target:
            return self._lazy(X, "predict", np.empty(0))
        return self._lazy(X, "predict", np.empty((0, n_targets)), list(range(n_targets)))

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """R²; of dask collections in one pass over the partitions."""
        if not is_parted(X):
            return super().score(X, y, sample_weight)
        partitions = Partitions(X, y, sample_weight)
        estimator = self._delayed()
        each = [delayed(_moments)(estimator, *rows) for rows in zip(partitions.blocks, partitions.y, partitions.weights)]
        weight, mean, scatter, error = tree(each, lambda some, place: delayed(_add_moments)(some)).compute()
        r2 = 1 - error / np.where(scatter > 0, scatter, np.nan)
        return float(np.nan_to_num(r2, nan=0.0).mean())


def _moments(estimator: Any, X: Any, y: Any, weights: Any) -> Tuple[Any, ...]:
    """Of a partition: weight, mean of the targets, what they scatter about it, squared errors of the predictions."""
    y = _parts.targets_of(y)
    w = np.ones((len(y), 1)) if weights is None else np.asarray(weights, dtype=np.float64).reshape(-1, 1)
    total = w.sum()
    if total == 0:
        return 0.0, np.zeros(y.shape[1]), np.zeros(y.shape[1]), np.zeros(y.shape[1])
    mean = (w * y).sum(axis=0) / total
    error = (w * (y - np.asarray(estimator.predict(X)).reshape(y.shape)) ** 2).sum(axis=0)
    return total, mean, (w * (y - mean) ** 2).sum(axis=0), error


def _add_moments(several: List[Tuple[Any, ...]]) -> Tuple[Any, ...]:
    total, mean, scatter, error = several[0]
    for other, its_mean, its_scatter, its_error in several[1:]:
        if other == 0:
            continue
        step, both = its_mean - mean, total + other
        scatter = scatter + its_scatter + step**2 * (total * other / both)
        total, mean, error = both, mean + step * (other / both), error + its_error
    return total, mean, scatter, error


class FourierClassifier(_Model, _classifier.FourierClassifier):
    __doc__ = f"""{_classifier.FourierClassifier.__doc__.partition("    Examples")[0].rstrip()}

    Rows and labels may be dask collections cut at the same rows; then what ``predict`` gives is one too.

    Examples
    --------
    >>> import dask.array as da
    >>> from askrff.dask import FourierClassifier
    >>> X = da.random.default_rng(0).normal(size=(2000, 2), chunks=(500, 2))
    >>> y = (X**2).sum(axis=1) > 1.4
    >>> model = FourierClassifier(model="ridge", n_features=64, random_state=0).fit(X, y)
    >>> bool(model.score(X, y) > 0.95)
    True
    """

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> FourierClassifier:
        """As :meth:`askrff.FourierClassifier.fit`; for ``model="svm"`` a pass over the partitions for every step of all folds and classes."""
        if not is_parted(X):
            return super().fit(X, y, sample_weight)
        partitions = Partitions(X, y, sample_weight)
        counts = partitions.counts(has_classes=True)
        return _parts.fit_classifier(self, self._parts_of(partitions, counts[0]), counts)

    def predict(self, X: Any) -> Any:
        """Predicted labels; of dask collections lazily."""
        if not is_parted(X):
            return super().predict(X)
        self._require_columns(X)
        return self._lazy(X, "predict", self.classes_[:0])

    def decision_function(self, X: Any) -> Any:
        """Outputs of the linear model; of dask collections lazily."""
        if not is_parted(X):
            return super().decision_function(X)
        self._require_columns(X)
        n_classes = len(self.classes_)
        return self._lazy(X, "decision_function", np.empty(0) if n_classes == 2 else np.empty((0, n_classes)), self._names())

    @offered_if(_classifier._has_probabilities)
    def predict_proba(self, X: Any) -> Any:
        """Probabilities of the classes; of dask collections lazily."""
        if not is_parted(X):
            return super().predict_proba(X)
        self._require_columns(X)
        return self._lazy(X, "predict_proba", np.empty((0, len(self.classes_))), self.classes_.tolist())

    def _names(self) -> Optional[List[Any]]:
        return None if len(self.classes_) == 2 else self.classes_.tolist()

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """Share of right labels; of dask collections in one pass over the partitions."""
        if not is_parted(X):
            return super().score(X, y, sample_weight)
        partitions = Partitions(X, y, sample_weight)
        estimator = self._delayed()
        each = [delayed(_right)(estimator, *rows) for rows in zip(partitions.blocks, partitions.y, partitions.weights)]
        right, total = tree(each, lambda some, place: delayed(_add_pairs)(some)).compute()
        return float(right / total)


def _right(estimator: Any, X: Any, y: Any, weights: Any) -> Tuple[float, float]:
    if len(X) == 0:
        return 0.0, 0.0
    weights = np.ones(len(X)) if weights is None else np.asarray(weights, dtype=np.float64)
    return float(weights[np.asarray(estimator.predict(X)) == np.asarray(y)].sum()), float(weights.sum())


def _add_pairs(pairs: List[Tuple[float, float]]) -> Tuple[float, float]:
    return sum(pair[0] for pair in pairs), sum(pair[1] for pair in pairs)
