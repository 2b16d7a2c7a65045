"""FourierClassifier and FourierRegressor: linear models on the features of a kernel, trained by the library. Last stage of the flow."""

import numbers
import warnings

import numpy as np
import scipy.sparse as sp
from sklearn.base import BaseEstimator, ClassifierMixin, MultiOutputMixin, RegressorMixin
from sklearn.utils.metaestimators import available_if
from sklearn.utils.multiclass import check_classification_targets, unique_labels
from sklearn.utils.sparsefuncs import mean_variance_axis, min_max_axis
from sklearn.utils.validation import check_is_fitted, column_or_1d

from . import _core
from ._maps import fit_map
from ._ridge import StreamedRidge
from ._validation import (
    AccuracyWarning,
    SparseInputTags,
    check_count,
    check_rows,
    check_rows_and_targets,
    check_word,
    densified,
    float64_blocks,
    float_dtypes,
    seed_from,
    threads_from,
)
from .features import warn_if_outside, with_names_of

_FEATURE_PARAMETERS = """kernel : str, Kernel or callable, default="gaussian"
        As in :class:`FourierFeatures`, or "linear" for the columns themselves.
    kernel_params : dict, default=None
        Parameters of a kernel given by name. Without it, and without gamma, sigma is "auto", the median distance of the scaled rows, and
        the others have their defaults.
    gamma : float or "scale", default=None
        scikit-learn's word for the bandwidth of gaussian and laplacian kernels.
    n_frequencies : int, default=128
        At least 1. Two columns for each; with ``estimator="jordan"`` for each part of the measure.
    estimator : {"auto", "fourier", "jordan", "polar", "nystrom"}, default="auto"
        As in :class:`FourierFeatures`. Of Jordan parts the model sees the classifier's features, whose inner products are symmetric; of
        all other maps the left ones.
    sampler : str, default="orthogonal"
        As in :class:`FourierFeatures`.
    weights : {"exact", "calibrated", "subset"}, default="exact"
        As in :class:`FourierFeatures`.
    tolerance : float, default=None
        Instead of n_frequencies: the relative error of the kernel wanted; needs at least 24 rows.
    max_frequencies : int, default=4096
        With a tolerance: the most to try.
    scale : {"minmax", "standard", "none"}, default="minmax"
        What is done to the columns first: to [0, 1], to mean 0 and standard deviation 1, or nothing. It is part of the model.
    C : "auto", float or sequence of floats, default="auto"
        Weight of the loss against ½‖w‖², from 1e-30 to 1e8. "auto" is the best of 2^-5 … 2^5 in cross-validation, a sequence the best of
        its values, the smallest among equals.
    n_folds : int, default=5
        Folds of the cross-validation, at least 2. Fewer are made where a class has fewer rows.
    fit_intercept : bool, default=True
        Whether there is a constant term.
    dtype : {"float64", "float32"}, default="float64"
        Of the features, in training and prediction. float32 takes half the memory.
    n_jobs : int, default=None
        Threads: None the library's default (1 inside a joblib worker), -1 all. Results are the same bits for any number.
    random_state : int, RandomState, Generator or None, default=None
        An int gives the same model on every machine of a kind.
    progress : callable, default=None
        Called now and then with the part of the training that is done, 0 … 1 (svm), or with the map just tried (tolerance)."""


class _FourierModel(SparseInputTags, BaseEstimator):
    """What the classifier and the regressor share: parameters, the way to the features, outputs, files."""

    def __init__(
        self,
        *,
        kernel="gaussian",
        kernel_params=None,
        gamma=None,
        n_frequencies=128,
        estimator="auto",
        sampler="orthogonal",
        weights="exact",
        tolerance=None,
        max_frequencies=4096,
        scale="minmax",
        C="auto",
        n_folds=5,
        fit_intercept=True,
        dtype="float64",
        n_jobs=None,
        random_state=None,
        progress=None,
    ):
        self.kernel = kernel
        self.kernel_params = kernel_params
        self.gamma = gamma
        self.n_frequencies = n_frequencies
        self.estimator = estimator
        self.sampler = sampler
        self.weights = weights
        self.tolerance = tolerance
        self.max_frequencies = max_frequencies
        self.scale = scale
        self.C = C
        self.n_folds = n_folds
        self.fit_intercept = fit_intercept
        self.dtype = dtype
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.progress = progress

    def save(self, path):
        """Write the model to a file that the command line (``askrff predict --model``) and :func:`askrff.load` read.

        Parameters
        ----------
        path : str or path-like
            The file; it appears when it is complete.
        """
        check_is_fitted(self)
        self._model.save(str(path))

    def __getstate__(self):
        ridge = getattr(self, "_ridge", None)
        return {**super().__getstate__(), "_ridge": None if ridge is None else ridge.kept()}

    def _fit_map(self, X, seed, n_threads):
        """The map from raw rows to the features the model sees; sets what was learned of it."""
        check_word("scale", self.scale, ("minmax", "standard", "none"))
        scaling = _core.column_map(X.shape[1]).with_scaler(self.scale, _scaling_rows(X, self.scale))
        if isinstance(self.kernel, str) and self.kernel == "linear":
            self.kernel_, self.error_, self.error_interval_, self._seen = None, 0.0, (0.0, 0.0), None
            return scaling
        fitted = fit_map(_WithBandwidth(self), X, seed, n_threads, scale=scaling.scale)
        self.kernel_, self.error_ = fitted.kernel, fitted.error
        self.error_interval_, self._seen = fitted.error_interval, fitted.seen
        map_ = fitted.map.with_scaler(self.scale, _scaling_rows(X, self.scale))
        return map_.with_side("classifier") if map_.has_parts else map_

    def _c_grid(self):
        if isinstance(self.C, str):
            check_word("C", self.C, ("auto",))
            return list(_core.default_c_grid())
        if isinstance(self.C, numbers.Real):
            return [float(self.C)]
        return [float(c) for c in self.C]

    def _precision(self):
        return np.dtype(float_dtypes(self.dtype)[0]).name

    def _keep(self, map_, fit, task, classes, trainer, solver, seed, n_rows):
        """The model of a fit, and what it says about itself."""
        cv = fit["cv"] or {}
        training = {
            "command": f"python: {type(self).__name__}",
            "trainer": trainer,
            "solver": solver,
            "seed": seed,
            "n_rows": n_rows,
            "c": fit["c"],
            "cv_c": list(cv.get("c", [])),
            "cv_scores": list(cv.get("mean", [])),
            "cv_measure": cv.get("measure", ""),
        }
        model = _core.Model(with_names_of(self, map_), fit["weights"], fit["bias"], task, classes, self._precision(), training)
        self._take(model)
        self.C_, self.cv_results_ = fit["c"], cv
        return self

    def _take(self, model):
        """The learned attributes, of a model just fitted or loaded."""
        self._model, self._map = model, model.map
        self.n_features_out_ = int(self._map.n_features)
        self.coef_, self.intercept_ = np.asarray(model.weights).T, np.asarray(model.bias)

    def _outputs(self, X):
        check_is_fitted(self)
        X = check_rows(self, X, reset=False)
        warn_if_outside(self, X)
        n_threads = threads_from(self.n_jobs)
        return np.concatenate([self._model.outputs(rows, n_threads) for _, rows in float64_blocks(X)])


class _WithBandwidth:
    """The parameters of a model as fit_map reads them: without a bandwidth it is the median distance of the rows."""

    def __init__(self, model):
        self._model = model

    @property
    def kernel_params(self):
        given = self._model.kernel_params
        by_name = isinstance(self._model.kernel, str)
        return {"sigma": "auto"} if by_name and given is None and self._model.gamma is None else given

    def __getattr__(self, name):
        return getattr(self._model, name)


def _scaling_rows(X, scale):
    """Float64 rows with the ranges (minmax) or means and deviations (standard) of all columns of X: X itself, or two that stand for it."""
    if not sp.issparse(X) and X.dtype == np.float64:
        return X
    if scale == "standard":
        mean, variance = mean_variance_axis(X, axis=0) if sp.issparse(X) else (X.mean(0, dtype=np.float64), X.var(0, dtype=np.float64))
        return np.stack([mean - np.sqrt(variance), mean + np.sqrt(variance)]).astype(np.float64)
    lowest, highest = min_max_axis(X, axis=0) if sp.issparse(X) else (X.min(0), X.max(0))
    return np.stack([lowest, highest]).astype(np.float64)


class _RidgeTraining:
    """Mixin: ridge regression at once or block by block."""

    def _start_ridge(self, X, n_targets, n_folds):
        seed, n_threads = seed_from(self.random_state), threads_from(self.n_jobs)
        map_ = self._fit_map(X, seed, n_threads)
        return StreamedRidge(map_, n_targets, n_folds, self._precision(), seed, n_threads)

    def _solve_ridge(self, ridge, task, classes):
        c_grid = self._c_grid() if ridge.n_folds > 1 or not isinstance(self.C, str) else [1.0]
        fit = ridge.solve(c_grid, bool(self.fit_intercept))
        return self._keep(ridge.map, fit, task, classes, "ridge", "normal-equations", ridge.seed, ridge.n_rows)

    def _folds_wanted(self):
        """1 if there is a single C: nothing to validate."""
        n_folds = check_count("n_folds", self.n_folds, least=2)
        return 1 if len(self._c_grid()) == 1 else n_folds


def _possible_folds(n_wanted, n_most, what):
    """n_wanted, or fewer where a class (or all data) has fewer rows; with a single one there is no cross-validation, and C is 1."""
    if n_wanted <= n_most:
        return n_wanted
    if n_most < 2:
        warnings.warn(f"{what} has {n_most} row, too few for cross-validation: C is 1", AccuracyWarning, stacklevel=4)
    return max(1, n_most)


class FourierRegressor(_RidgeTraining, MultiOutputMixin, RegressorMixin, _FourierModel):
    __doc__ = f"""Ridge regression on the features of a kernel: min ½‖w‖² + C Σ (y - w·φ(x) - b)².

    The sums it takes do not grow with the number of rows, so ``partial_fit`` gives the model of all rows seen, not an approximation to
    it. The whole path over C and its cross-validation follow from the same sums. A fitted estimator keeps them in memory,
    n_features_out_² numbers for every fold, to go on with ``partial_fit``. So do its pickles and copies once ``partial_fit`` has been
    called, but not after ``fit`` alone; files never do.

    Parameters
    ----------
    {_FEATURE_PARAMETERS}

    Attributes
    ----------
    C_ : float
        The C taken.
    cv_results_ : dict
        ``c``, and ``mean`` and ``std`` of their mean squared errors on the folds, ``scores``; empty without cross-validation.
    coef_ : ndarray of shape (n_targets, n_features_out_)
        Weights of the features.
    intercept_ : ndarray of shape (n_targets,)
        Constant terms.
    kernel_ : Kernel or None
        The kernel, with all its parameters found; None for "linear".
    error_, error_interval_ : float, tuple of float
        As in :class:`FourierFeatures`: how well the features stand for the kernel.
    n_features_out_, n_features_in_, feature_names_in_
        As in :class:`FourierFeatures`.

    Examples
    --------
    >>> import numpy as np
    >>> from askrff import FourierRegressor
    >>> X = np.random.default_rng(0).uniform(-3, 3, size=(400, 1))
    >>> y = np.sin(2 * X[:, 0])
    >>> model = FourierRegressor(kernel_params={{"sigma": 0.1}}, random_state=0).fit(X, y)
    >>> bool(model.score(X, y) > 0.99)
    True
    """

    def fit(self, X, y):
        """Fit features and weights.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n, d)
        y : array-like of shape (n,) or (n, n_targets)

        Returns
        -------
        self
        """
        X, y = check_rows_and_targets(self, X, y, reset=True, multi_output=True, y_numeric=True)
        n_folds = _possible_folds(self._folds_wanted(), X.shape[0], "the data")
        self._ridge = self._start(X, y, n_folds)
        return self._solve_ridge(self._ridge, "regression", [])

    def partial_fit(self, X, y):
        """Add rows to those seen so far. The first call fits scaling and features to its rows; later ones only add to the sums.

        Every call ends with a model of all rows, which takes O(n_folds · values of C · n_features_out_³) whatever the number of rows:
        prefer large blocks, or a single C.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n, d)
        y : array-like of shape (n,) or (n, n_targets)

        Returns
        -------
        self

        Examples
        --------
        >>> import numpy as np
        >>> from askrff import FourierRegressor
        >>> X = np.random.default_rng(0).uniform(size=(600, 2))
        >>> y = X[:, 0] * X[:, 1]
        >>> model = FourierRegressor(C=100.0, random_state=0)
        >>> for rows in np.array_split(np.arange(600), 3):
        ...     model = model.partial_fit(X[rows], y[rows])
        >>> model.n_rows_seen_
        600
        """
        first = not hasattr(self, "_model")
        X, y = check_rows_and_targets(self, X, y, reset=first, multi_output=True, y_numeric=True)
        if first:
            self._ridge = self._start(X, y, self._folds_wanted())
        else:
            _require_sums(self)
            _require_targets(y, self._one_target, len(self.intercept_))
            self._ridge.add(X, y.reshape(len(y), -1), np.zeros(len(y), dtype=np.int64))
        self._ridge.is_stream = True
        return self._solve_ridge(self._ridge, "regression", [])

    def _start(self, X, y, n_folds):
        self._one_target = y.ndim == 1
        targets = y.reshape(len(y), -1)
        ridge = self._start_ridge(X, targets.shape[1], n_folds)
        ridge.add(X, targets, np.zeros(len(y), dtype=np.int64))
        return ridge

    def predict(self, X):
        """Predicted numbers.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n, d)

        Returns
        -------
        y : ndarray of shape (n,) or (n, n_targets)
        """
        outputs = self._outputs(X)
        return outputs[:, 0] if self._one_target else outputs

    def _keep(self, map_, fit, task, classes, trainer, solver, seed, n_rows):
        super()._keep(map_, fit, task, classes, trainer, solver, seed, n_rows)
        self.n_rows_seen_ = n_rows
        return self


def _require_sums(model):
    if getattr(model, "_ridge", None) is None:
        raise ValueError(
            "partial_fit goes on from the sums of earlier rows, and this model has none: it comes from a file, from model='svm', or from "
            "a pickle or copy made after fit (those made after partial_fit keep the sums); start with a fresh estimator"
        )


def _require_targets(y, one_target, n_targets):
    got = 1 if y.ndim == 1 else y.shape[1]
    if got != n_targets or (y.ndim == 1) != one_target:
        raise ValueError(f"y has {got} targets, the first call of partial_fit had {n_targets}")


def _trains_ridge(classifier):
    if classifier.model != "ridge":
        raise AttributeError("partial_fit needs model='ridge': the support vector machine takes all rows at once")
    return True


class FourierClassifier(_RidgeTraining, ClassifierMixin, _FourierModel):
    __doc__ = f"""A linear classifier on the features of a kernel.

    ``model="svm"`` minimises ½‖w‖² + C Σ max(0, 1 - y w·φ(x))², one class against the rest; ``model="ridge"`` is least squares on ±1
    targets, which ``partial_fit`` can take block by block. Pickles and copies made after ``partial_fit`` can go on with it.

    Parameters
    ----------
    model : {{"svm", "ridge"}}, default="svm"
        What is minimised.
    {_FEATURE_PARAMETERS}

    Attributes
    ----------
    classes_ : ndarray
        The labels, in the order of the columns of ``decision_function``.
    C_ : float
        The C taken.
    cv_results_ : dict
        ``c``, and ``mean`` and ``std`` of what they were scored by (``measure``) on the folds, ``scores``; empty without
        cross-validation.
    coef_ : ndarray of shape (n_outputs, n_features_out_)
        Weights of the features; one output for two classes.
    intercept_ : ndarray of shape (n_outputs,)
        Constant terms.
    kernel_ : Kernel or None
        The kernel, with all its parameters found; None for "linear".
    error_, error_interval_ : float, tuple of float
        As in :class:`FourierFeatures`: how well the features stand for the kernel.
    n_features_out_, n_features_in_, feature_names_in_
        As in :class:`FourierFeatures`.

    Examples
    --------
    >>> from sklearn.datasets import make_moons
    >>> from askrff import FourierClassifier
    >>> X, y = make_moons(500, noise=0.1, random_state=0)
    >>> model = FourierClassifier(kernel_params={{"sigma": 0.2}}, random_state=0).fit(X, y)
    >>> bool(model.score(X, y) > 0.98)
    True
    """

    def __init__(
        self,
        *,
        model="svm",
        kernel="gaussian",
        kernel_params=None,
        gamma=None,
        n_frequencies=128,
        estimator="auto",
        sampler="orthogonal",
        weights="exact",
        tolerance=None,
        max_frequencies=4096,
        scale="minmax",
        C="auto",
        n_folds=5,
        fit_intercept=True,
        dtype="float64",
        n_jobs=None,
        random_state=None,
        progress=None,
    ):
        super().__init__(
            kernel=kernel,
            kernel_params=kernel_params,
            gamma=gamma,
            n_frequencies=n_frequencies,
            estimator=estimator,
            sampler=sampler,
            weights=weights,
            tolerance=tolerance,
            max_frequencies=max_frequencies,
            scale=scale,
            C=C,
            n_folds=n_folds,
            fit_intercept=fit_intercept,
            dtype=dtype,
            n_jobs=n_jobs,
            random_state=random_state,
            progress=progress,
        )
        self.model = model

    def fit(self, X, y):
        """Fit features and weights.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n, d)
        y : array-like of shape (n,)
            Labels of at least two classes.

        Returns
        -------
        self
        """
        check_word("model", self.model, ("svm", "ridge"))
        X, y = check_rows_and_targets(self, X, y, reset=True)
        check_classification_targets(y)
        self.classes_, codes = np.unique(y, return_inverse=True)
        if len(self.classes_) < 2:
            raise ValueError(f"the labels are all one class, {self.classes_[0]!r}: expected at least two classes")
        n_folds = self._folds_wanted()
        smallest = np.bincount(codes).argmin()
        n_folds = _possible_folds(n_folds, np.bincount(codes)[smallest], f"class {self.classes_[smallest]!r}")
        self._ridge = None
        return self._fit_svm(X, codes, n_folds) if self.model == "svm" else self._fit_ridge(X, codes, n_folds)

    def _fit_svm(self, X, codes, n_folds):
        seed, n_threads = seed_from(self.random_state), threads_from(self.n_jobs)
        map_ = self._fit_map(X, seed, n_threads)
        rows = np.ascontiguousarray(densified(X), dtype=np.float64)
        c_grid = self._c_grid() if n_folds > 1 or not isinstance(self.C, str) else [1.0]
        fit = _core.fit_svm(
            map_,
            rows,
            codes.astype(np.int64),
            len(self.classes_),
            c_grid,
            n_folds,
            seed,
            bool(self.fit_intercept),
            "newton",
            self._precision(),
            n_threads,
            self.progress,
        )
        return self._keep(map_, fit, "classification", self._class_names(), "svm", "newton", seed, len(rows))

    def _fit_ridge(self, X, codes, n_folds):
        self._ridge = self._start_ridge(X, self._n_outputs(), n_folds)
        self._ridge.add(X, self._signs(codes), codes.astype(np.int64))
        return self._solve_ridge(self._ridge, "classification", self._class_names())

    @available_if(_trains_ridge)
    def partial_fit(self, X, y, classes=None):
        """Add rows to those seen so far (``model="ridge"``). The first call fits scaling and features to its rows.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n, d)
        y : array-like of shape (n,)
        classes : array-like, default=None
            All labels there will be; needed in the first call.

        Returns
        -------
        self
        """
        first = not hasattr(self, "_model")
        X, y = check_rows_and_targets(self, X, y, reset=first)
        check_classification_targets(y)
        if first:
            if classes is None:
                raise ValueError("the first call of partial_fit needs classes, all labels there will be")
            self.classes_ = unique_labels(classes)
        else:
            _require_sums(self)
            if classes is not None and not np.array_equal(self.classes_, unique_labels(classes)):
                raise ValueError(f"classes are {unique_labels(classes)}, those of the first call were {self.classes_}")
        codes = self._codes_of(y)
        if first:
            self._ridge = self._start_ridge(X, self._n_outputs(), self._folds_wanted())
        self._ridge.add(X, self._signs(codes), codes)
        self._ridge.is_stream = True
        return self._solve_ridge(self._ridge, "classification", self._class_names())

    def _codes_of(self, y):
        codes = np.searchsorted(self.classes_, y)
        known = self.classes_[np.minimum(codes, len(self.classes_) - 1)] == y
        if not np.all(known):
            raise ValueError(f"y has the label {y[~known][0]!r}, which is not among the classes of the first call of partial_fit")
        return codes.astype(np.int64)

    def _n_outputs(self):
        return 1 if len(self.classes_) == 2 else len(self.classes_)

    def _signs(self, codes):
        """±1 targets: of the second of two classes, or of each class against the rest."""
        positive = [1] if len(self.classes_) == 2 else range(len(self.classes_))
        return np.where(codes[:, np.newaxis] == np.asarray(positive), 1.0, -1.0)

    def _class_names(self):
        return [str(label) for label in self.classes_.tolist()]

    def decision_function(self, X):
        """Outputs of the linear model: for two classes one, above 0 for the second; for more the class of the largest is predicted.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n, d)

        Returns
        -------
        outputs : ndarray of shape (n,) for two classes, else (n, n_classes)
        """
        outputs = self._outputs(X)
        return outputs[:, 0] if len(self.classes_) == 2 else outputs

    def predict(self, X):
        """Predicted labels.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n, d)

        Returns
        -------
        y : ndarray of shape (n,)
        """
        outputs = self.decision_function(X)
        codes = (outputs > 0).astype(np.intp) if outputs.ndim == 1 else outputs.argmax(axis=1)
        return self.classes_[codes]
