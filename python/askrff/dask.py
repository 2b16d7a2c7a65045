"""The estimators of askrff for dask arrays and data frames, on whatever scheduler dask uses: threads, processes or a cluster.

The classes have the parameters, attributes and files of those of :mod:`askrff`; a fitted one is the same whatever the partitions and the
workers. ``fit`` reads the partitions once for every pass (three for features and ridge regression, a few dozen for the support vector
machine: persist them where memory allows); ``transform`` and ``predict`` are lazy. A task uses one thread unless n_jobs says otherwise.
Collections of other kinds go to the ordinary estimators.
"""

from __future__ import annotations

import copy
from typing import Any, Callable, Dict, List, Optional, Sequence, Tuple

import numpy as np
from scipy.sparse.linalg import LinearOperator

from . import _core, _parts
from . import classifier as _classifier
from . import features as _features
from . import regressor as _regressor
from ._validation import offered_if

try:
    import dask
    import dask.array as da
    from dask.base import tokenize
    from dask.delayed import Delayed, delayed
except ImportError as error:
    raise ImportError("askrff.dask needs dask, which is not installed: pip install 'askrff[dask]'") from error

__all__ = ["FourierClassifier", "FourierFeatures", "FourierRegressor", "KernelOperator"]


def _is_frame(X: Any) -> bool:
    """A dask data frame or series."""
    return dask.is_dask_collection(X) and hasattr(X, "map_partitions") and hasattr(X, "_meta") and not isinstance(X, da.Array)


def _is_parted(X: Any) -> bool:
    return isinstance(X, da.Array) or _is_frame(X)


def _one_chunk_of_columns(X: Any) -> Any:
    return X.rechunk({1: -1}) if isinstance(X, da.Array) and X.ndim == 2 and X.numblocks[1] > 1 else X


def _blocks(X: Any) -> List[Delayed]:
    return list(X.to_delayed().reshape(-1)) if isinstance(X, da.Array) else list(X.to_delayed())


def _join_frames(X: Any, others: Dict[str, Any]) -> Tuple[List[Delayed], Dict[str, List[Delayed]]]:
    """The partitions of X and of other data frames or series. Together, since dask may cut files elsewhere for other columns of them."""
    columns, places = list(X.columns), {}
    for name, values in others.items():
        series = {f"askrff:{name}": values} if values.ndim == 1 else {f"askrff:{name}:{i}": values[c] for i, c in enumerate(values.columns)}
        X = X.assign(**series)
        places[name] = list(series) if values.ndim == 2 else next(iter(series))
    blocks = X.to_delayed()
    return [block[columns] for block in blocks], {name: [block[place] for block in blocks] for name, place in places.items()}


class _Partitions:
    """X, and y and weights where there are some, cut at the same rows."""

    def __init__(self, X: Any, y: Any = None, weights: Any = None) -> None:
        if isinstance(X, da.Array) and X.ndim != 2:
            raise ValueError(f"X has {X.ndim} dimensions, expected 2")
        self.X, self.labels = _one_chunk_of_columns(X), y
        frames = {name: values for name, values in (("y", y), ("sample_weight", weights)) if _is_frame(X) and _is_frame(values)}
        self.blocks, joined = _join_frames(X, frames) if frames else (_blocks(self.X), {})
        self.y, self.weights = (joined[name] if name in joined else self._cut(name, values) for name, values in (("y", y), ("sample_weight", weights)))

    def _cut(self, name: str, values: Any) -> List[Any]:
        """The blocks of `values`, one for each of X."""
        if values is None:
            return [None] * len(self.blocks)
        sizes = self.X.chunks[0] if isinstance(self.X, da.Array) else None
        if isinstance(values, da.Array) and sizes is not None and not np.isnan(sizes + values.chunks[0]).any():
            if sum(sizes) != values.shape[0]:
                raise ValueError(f"{name} has {values.shape[0]} rows, X has {sum(sizes)}: expected as many")
            values = values.rechunk((sizes, *[-1] * (values.ndim - 1)))
        elif not _is_parted(values):
            if sizes is None or np.isnan(sizes).any():
                raise TypeError(f"{name} is a {type(values).__name__}, but nobody knows where X is cut: expected a dask collection cut like X")
            values = np.asarray(values)
            if len(values) != sum(sizes):
                raise ValueError(f"{name} has {len(values)} rows, X has {sum(sizes)}: expected as many")
            values = da.from_array(values, chunks=(sizes, *[-1] * (values.ndim - 1)))
        blocks = _blocks(_one_chunk_of_columns(values))
        if len(blocks) != len(self.blocks):
            raise ValueError(f"{name} has {len(blocks)} partitions, X has {len(self.blocks)}: expected them to be cut at the same rows")
        return blocks

    def parts(self, job: Callable[[bytes], _parts.Job]) -> _parts.Parts:
        names = _parts.column_names_of(self.X)
        return _parts.Parts(len(self.blocks), int(self.X.shape[1]), names, lambda task, starts: self._run(job(task), starts))

    def _run(self, job: _parts.Job, starts: Sequence[bytes]) -> bytes:
        """One graph for every pass: shares of all partitions, joined by neighbours."""
        token = tokenize(job.task, *[block.key for block in self.blocks])
        told = delayed(job, name=f"askrff-task-{token}")
        shares = [
            delayed(_share)(told, start, i, *rows, dask_key_name=f"askrff-share-{token}-{i}")
            for i, (start, *rows) in enumerate(zip(starts, self.blocks, self.y, self.weights))
        ]
        return _tree(shares, lambda some, place: delayed(_join)(told, some, dask_key_name=f"askrff-join-{token}-{place}")).compute()

    def counts(self, has_classes: bool) -> _parts.Counts:
        """Rows of every class, or of all: a pass over the labels alone."""
        alone = _is_parted(self.labels) and self.weights[0] is None  # then nothing of X need be read, and y may be cut elsewhere
        pairs = zip(self.y, self.weights) if not alone else ((y, None) for y in _blocks(_one_chunk_of_columns(self.labels)))
        each = [delayed(_count)(i, y, weights, has_classes, _core.version) for i, (y, weights) in enumerate(pairs)]
        return _tree(each, lambda some, place: delayed(_parts.add_counts)(some)).compute()


def _tree(values: List[Any], join: Callable[[List[Any], str], Any]) -> Any:
    """Neighbours joined until one is left, in an order that depends on their number alone."""
    level = 0
    while len(values) > 1:
        groups = [values[i : i + _parts.FAN_IN] for i in range(0, len(values), _parts.FAN_IN)]
        values, level = [join(group, f"{level}-{i}") for i, group in enumerate(groups)], level + 1
    return values[0]


# What tasks do, by names that dashboards show.
def _share(job: _parts.Job, start: bytes, part: int, X: Any, y: Any, weights: Any) -> bytes:
    return _parts.share_of_part(job, start, part, [(X, y, weights)])


def _join(job: _parts.Job, results: List[bytes]) -> bytes:
    return _parts.joined(job, results)


def _count(part: int, y: Any, weights: Any, has_classes: bool, version: str) -> _parts.Counts:
    _parts.require_version(version)
    return _parts.count_rows(y, weights, has_classes, part)


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

    def _on_workers(self) -> Any:
        estimator = copy.copy(self)
        estimator.n_jobs = 1 if self.n_jobs is None else self.n_jobs
        estimator.progress = None
        vars(estimator).pop("_ridge", None)
        return estimator

    def _lazy(self, X: Any, method: str, empty: Any, names: Optional[Sequence[str]] = None) -> Any:
        """`method` of every partition. empty: its result of no rows, an array; names: of its columns in a data frame."""
        self._require_columns(X)
        estimator = delayed(self._on_workers(), name=f"askrff-estimator-{tokenize(self._bytes())}")
        if isinstance(X, da.Array):
            X = _one_chunk_of_columns(X)
            shape = {"drop_axis": 1} if empty.ndim == 1 else {"chunks": (X.chunks[0], (empty.shape[1],))}
            return da.map_blocks(
                _apply, X, estimator=estimator, method=method, empty=empty, version=_core.version, dtype=empty.dtype, meta=empty, **shape
            )
        import pandas as pd

        frame = pd.Series(empty, name=names) if empty.ndim == 1 else pd.DataFrame(empty, columns=names)
        frame.index = X._meta.index[:0]
        return X.map_partitions(_apply, estimator=estimator, method=method, empty=frame, version=_core.version, meta=frame)

    def _require_columns(self, X: Any) -> None:
        from sklearn.utils.validation import check_is_fitted

        check_is_fitted(self)
        if X.ndim != 2:
            raise ValueError(f"X has {X.ndim} dimensions, expected 2")
        if X.shape[1] != self.n_features_in_:
            raise ValueError(f"X has {X.shape[1]} features, but {type(self).__name__} is expecting {self.n_features_in_} features as input")
        names = _parts.column_names_of(X)
        if names and hasattr(self, "feature_names_in_") and names != list(self.feature_names_in_):
            raise ValueError(f"X has the columns {names}, expected {list(self.feature_names_in_)} as in fit")

    def _parts_of(self, partitions: _Partitions, classes: Any = None) -> _parts.Parts:
        kernel, n_threads = _parts.own_kernel(self), 1 if self.n_jobs is None else self.n_jobs
        return partitions.parts(lambda task: _parts.Job(task, kernel, classes, n_threads))

    def _bytes(self) -> bytes:
        return (self._model if hasattr(self, "_model") else self._map).to_bytes()[0]


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
        return _parts.fit_features(self, self._parts_of(_Partitions(X))) if _is_parted(X) else super().fit(X, y)

    def transform(self, X: Any, out: Any = None) -> Any:
        """Left features of the rows; of dask collections lazily, a collection of the same kind, cut at the same rows."""
        return self._lazy_features(X, "transform", out) if _is_parted(X) else super().transform(X, out)

    def transform_right(self, Y: Any, out: Any = None) -> Any:
        """Right features of the rows, as :meth:`transform`."""
        return self._lazy_features(Y, "transform_right", out) if _is_parted(Y) else super().transform_right(Y, out)

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
        if not _is_parted(X):
            return super().operator(X, Y)
        for rows in (X, X if Y is None else Y):
            self._require_columns(rows)
        return KernelOperator(self, _Partitions(X), _Partitions(X if Y is None else Y), self._dtype_of(X))

    def svd(self, X: Any, Y: Any = None, k: int = 10) -> Any:
        """As :meth:`askrff.FourierFeatures.svd`, of rows in memory."""
        if _is_parted(X) or _is_parted(Y):
            raise TypeError("svd takes rows in memory: for dask collections use scipy.sparse.linalg.svds(features.operator(X, Y), k)")
        return super().svd(X, Y, k)


class _Model(_OnDask):
    """What regressor and classifier share."""

    def partial_fit(self, X: Any, y: Any, **options: Any) -> Any:
        """As the ordinary estimator's, of rows in memory."""
        if _is_parted(X):
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
        if not _is_parted(X):
            return super().fit(X, y, sample_weight)
        partitions = _Partitions(X, y, sample_weight)
        shape = tuple(int(n) for n in np.shape(y)[1:]) if not _is_frame(y) else () if y.ndim == 1 else (len(y.columns),)
        return _parts.fit_regressor(self, self._parts_of(partitions), partitions.counts(has_classes=False), shape)

    def predict(self, X: Any) -> Any:
        """Predicted numbers; of dask collections lazily."""
        if not _is_parted(X):
            return super().predict(X)
        self._require_columns(X)
        n_targets = len(self.intercept_)
        if self._one_target:
            return self._lazy(X, "predict", np.empty(0))
        return self._lazy(X, "predict", np.empty((0, n_targets)), list(range(n_targets)))

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """R²; of dask collections in one pass over the partitions."""
        if not _is_parted(X):
            return super().score(X, y, sample_weight)
        partitions = _Partitions(X, y, sample_weight)
        estimator = delayed(self._on_workers(), name=f"askrff-estimator-{tokenize(self._bytes())}")
        each = [delayed(_moments)(estimator, *rows) for rows in zip(partitions.blocks, partitions.y, partitions.weights)]
        weight, mean, scatter, error = _tree(each, lambda some, place: delayed(_add_moments)(some)).compute()
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
        if not _is_parted(X):
            return super().fit(X, y, sample_weight)
        partitions = _Partitions(X, y, sample_weight)
        counts = partitions.counts(has_classes=True)
        return _parts.fit_classifier(self, self._parts_of(partitions, counts[0]), counts)

    def predict(self, X: Any) -> Any:
        """Predicted labels; of dask collections lazily."""
        if not _is_parted(X):
            return super().predict(X)
        self._require_columns(X)
        return self._lazy(X, "predict", self.classes_[:0])

    def decision_function(self, X: Any) -> Any:
        """Outputs of the linear model; of dask collections lazily."""
        if not _is_parted(X):
            return super().decision_function(X)
        self._require_columns(X)
        n_classes = len(self.classes_)
        return self._lazy(X, "decision_function", np.empty(0) if n_classes == 2 else np.empty((0, n_classes)), self._names())

    @offered_if(_classifier._has_probabilities)
    def predict_proba(self, X: Any) -> Any:
        """Probabilities of the classes; of dask collections lazily."""
        if not _is_parted(X):
            return super().predict_proba(X)
        self._require_columns(X)
        return self._lazy(X, "predict_proba", np.empty((0, len(self.classes_))), self.classes_.tolist())

    def _names(self) -> Optional[List[Any]]:
        return None if len(self.classes_) == 2 else self.classes_.tolist()

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """Share of right labels; of dask collections in one pass over the partitions."""
        if not _is_parted(X):
            return super().score(X, y, sample_weight)
        partitions = _Partitions(X, y, sample_weight)
        estimator = delayed(self._on_workers(), name=f"askrff-estimator-{tokenize(self._bytes())}")
        each = [delayed(_right)(estimator, *rows) for rows in zip(partitions.blocks, partitions.y, partitions.weights)]
        right, total = _tree(each, lambda some, place: delayed(_add_pairs)(some)).compute()
        return float(right / total)


def _right(estimator: Any, X: Any, y: Any, weights: Any) -> Tuple[float, float]:
    if len(X) == 0:
        return 0.0, 0.0
    weights = np.ones(len(X)) if weights is None else np.asarray(weights, dtype=np.float64)
    return float(weights[np.asarray(estimator.predict(X)) == np.asarray(y)].sum()), float(weights.sum())


def _add_pairs(pairs: List[Tuple[float, float]]) -> Tuple[float, float]:
    return sum(pair[0] for pair in pairs), sum(pair[1] for pair in pairs)


class KernelOperator(LinearOperator):
    """The approximate kernel matrix K̃(X, Y) of dask collections, by its products: as a scipy ``LinearOperator`` with arrays in memory.

    ``K @ v`` of a dask array v is lazy, a dask array cut like X. Neither K̃ nor features of more than some thousand rows are ever held.
    """

    def __init__(self, features: FourierFeatures, X: _Partitions, Y: _Partitions, dtype: Any, sides: Tuple[str, str] = ("transform", "transform_right")) -> None:
        self._arguments = features, X, Y, dtype, sides
        self._features = delayed(features._on_workers(), name=f"askrff-estimator-{tokenize(features._bytes())}")
        self._sizes = dask.compute([delayed(len)(rows) for rows in X.blocks], [delayed(len)(rows) for rows in Y.blocks])
        super().__init__(dtype, (sum(self._sizes[0]), sum(self._sizes[1])))

    def __matmul__(self, V: Any) -> Any:
        return self._times(V) if isinstance(V, da.Array) else super().__matmul__(V)

    def _times(self, V: da.Array) -> da.Array:
        """K̃V, lazily."""
        _, X, Y, _, (left, right) = self._arguments
        if V.shape[0] != self.shape[1]:
            raise ValueError(f"the product with {V.shape[0]} rows, expected {self.shape[1]}")
        columns = V.reshape(-1, 1) if V.ndim == 1 else V
        columns = columns.rechunk((tuple(self._sizes[1]), -1)).astype(self.dtype)
        each = [delayed(_transposed_times)(self._features, right, *pair) for pair in zip(Y.blocks, _blocks(columns))]
        core = _tree(each, lambda some, place: delayed(_sum)(some))
        shape = (columns.shape[1],)
        products = [
            da.from_delayed(delayed(_times)(self._features, left, rows, core), (size, *shape), self.dtype)
            for rows, size in zip(X.blocks, self._sizes[0])
        ]
        result = da.concatenate(products)
        return result[:, 0] if V.ndim == 1 else result

    def _matmat(self, V: Any) -> Any:
        if np.iscomplexobj(V):
            return self._matmat(V.real) + 1j * self._matmat(V.imag)
        return self._times(da.from_array(V, chunks=(tuple(self._sizes[1]), -1))).compute()

    def _transpose(self) -> KernelOperator:
        features, X, Y, dtype, sides = self._arguments
        return KernelOperator(features, Y, X, dtype, sides[::-1])

    _adjoint = _transpose  # it is real

    def _rmatmat(self, V: Any) -> Any:
        return self._transpose()._matmat(V)


_ROWS_AT_ONCE = 4096


def _chunks_of(rows: Any) -> Any:
    for first in range(0, len(rows), _ROWS_AT_ONCE):
        part = slice(first, first + _ROWS_AT_ONCE)
        yield part, rows.iloc[part] if hasattr(rows, "iloc") else rows[part]


def _times(features: FourierFeatures, side: str, rows: Any, core: Any) -> Any:
    products = [np.asarray(getattr(features, side)(some)) @ core for _, some in _chunks_of(rows)]
    return np.concatenate(products) if products else np.empty((0, core.shape[1]), core.dtype)


def _transposed_times(features: FourierFeatures, side: str, rows: Any, V: Any) -> Any:
    total = np.zeros((features.n_features_out_, V.shape[1]), V.dtype)
    for part, some in _chunks_of(rows):
        total += np.asarray(getattr(features, side)(some)).T @ V[part]
    return total


def _sum(several: List[Any]) -> Any:
    return sum(several[1:], several[0])
