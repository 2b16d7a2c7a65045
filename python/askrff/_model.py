"""What the classifier and the regressor share: parameters, the way to the features, outputs, files."""

from __future__ import annotations

import numbers
from typing import Any, Dict, Iterable, List, Optional, Sequence, Tuple, Union

import numpy as np
import scipy.sparse as sp
from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_is_fitted

from . import _core
from ._columns import is_reader, pieces_of
from ._matrices import check_rows_of_side, is_precomputed
from ._maps import column_names, fit_map, fitted_kernel, has_grid_tolerance, kernel_arguments, map_options, precision_of, report, scaling, set_map, variance_of_scaled, warn_if_outside
from ._parameters import check_flag, check_number, check_text, check_word, path_text, seed_from, shown, threads_from
from ._ridge import RidgeStream, RidgeTraining
from ._typing import AnyArray, Dtype, FloatArray, KernelLike, KernelParams, PathLike, Progress, RandomState, Rows
from ._validation import SparseInputTags, check_rows, core_rows, float64_blocks, rows_or_sparse, warn
from .kernels import Kernel

FEATURE_PARAMETERS = """kernel : str, Kernel or callable, default="gaussian"
        As in :class:`FourierFeatures`, or "linear" for the columns themselves; of "precomputed" matrices only rows, not operators.
    kernel_params : dict, default=None
        Parameters of a kernel given by name, as in :class:`FourierFeatures`; of the scaled rows.
    gamma : float or "scale", default=None
        scikit-learn's word for the bandwidth of gaussian and laplacian kernels. "scale" is 1 / (columns · variance of all scaled rows).
    n_features : int, default=None
        Columns of the features, of every kind of map; None: 512, unless n_frequencies is given. Fourier maps have an even number, a cosine
        and a sine for every frequency; nystrom may give fewer, if the kernel has lower rank on the data. Not used with a tolerance.
    n_frequencies : int, default=None
        Another way to say it: two columns for each; with ``estimator="jordan"`` or ``"paper"`` two for each of every part of the measure.
    estimator : {"auto", "fourier", "jordan", "polar", "nystrom", "best", "paper"}, default="auto"
        As in :class:`FourierFeatures`. Of Jordan parts the model sees the classifier's features, whose inner products are symmetric; of
        all other maps the left ones.
    sampler : str, default="orthogonal"
        As in :class:`FourierFeatures`.
    weights : {"calibrated", "exact", "subset", "unconstrained"}, default="calibrated"
        As in :class:`FourierFeatures`.
    landmarks : {"pivoted", "uniform", "greedy"}, default="pivoted"
        As in :class:`FourierFeatures`.
    n_landmarks : int, default=None
        As in :class:`FourierFeatures`.
    tolerance : float, default=None
        Instead of n_features: what may be lost against the best number of features in cross-validation, in accuracy or relative in root
        mean squared error; the smallest that loses no more is taken. Numbers from 64, each twice the one before, are tried on at most 4000
        rows until two in a row gain less than half the tolerance. Unlike the tolerance of :class:`FourierFeatures` it is not one of the
        kernel, which models need less exactly or more. But with ``sampler="grid"`` it is: every value of the kernel is right to so much of
        its largest, in 1 to 3 dimensions, and ridge regression takes one pass over the rows whatever the number of frequencies.
    max_frequencies : int, default=4096
        With a tolerance: the most to try.
    time_limit : float, default=None
        With a tolerance or best: seconds after which no more maps are tried, and the best so far is taken. It then depends on the machine.
    scale : {"minmax", "standard", "robust", "maxabs", "none"}, default="minmax"
        What is done to the columns first: to [0, 1]; to mean 0 and standard deviation 1; to median 0 and 5 % to 95 % quantiles 1 apart, so
        that outliers do not count; by the largest absolute value, so that zeros stay zeros; or nothing. It is part of the model.
    tune : sequence of str, default=None
        Names of up to three parameters of a kernel given by name, tried by cross-validation at 1/4, 1/2, 1, 2 and 4 times their value, and
        further while the best lies at an end; ``kernel_`` has what was best. For ``fit`` only.
    C : "auto", float or sequence of floats, default="auto"
        Weight of the loss against ½‖w‖², from 1e-30 to 1e8. "auto" is the best of 2^-5 … 2^5 in cross-validation, and of values beyond an
        end, each 4 times further, while that is better by more than 1e-4 of accuracy or a thousandth of the squared error; a sequence the
        best of its values; the smallest among equals. If the best is at an end nevertheless, an AccuracyWarning says so. Where there are
        too few rows for that, "auto" is 1 and a sequence its smallest value.
    n_folds : int, default=5
        Folds of the cross-validation, at least 2. Fewer are made where a class has fewer rows.
    fit_intercept : bool, default=True
        Whether there is a constant term.
    dtype : {"float64", "float32"}, default="float64"
        Of the features, in training and prediction. float32 takes half the memory. Predicted numbers are float64.
    n_jobs : int, default=None
        Threads: None the library's default (1 inside a joblib worker), -1 all. Results are the same bits for any number.
    random_state : int, RandomState, Generator or None, default=None
        An int gives the same model on every machine of a kind.
    progress : callable, default=None
        Called now and then with the part of the current stage of the training that is done, 0 … 1; where maps are tried also with a
        description of each."""

FEATURE_ATTRIBUTES = """size_results_ : list of dict
        With a tolerance: every number of features that was tried, ``n_features``, ``C`` and ``score``.
    tuning_results_ : list of dict
        What was tried for ``tune``: ``params``, the best ``C`` there and its ``score``, or why it was ``refused``. Not kept in files.
    kernel_ : Kernel or None
        The kernel, with all its parameters found; None for "linear".
    error_, error_interval_ : float, tuple of float
        As in :class:`FourierFeatures`: how well the features stand for the kernel.
    scaler_ : dict or None
        What is done to the columns first: ``kind``, and ``offset`` and ``width`` of every column; None with ``scale="none"``. kernel_ is
        that of the scaled rows, (x - offset) / width.
    n_rows_seen_ : int
        Rows the model was trained on, with ``partial_fit`` all that are counted.
    n_features_out_, n_features_in_, feature_names_in_
        As in :class:`FourierFeatures`."""


class FourierModel(RidgeTraining, SparseInputTags, BaseEstimator):
    """What the classifier and the regressor share: parameters, the way to the features, outputs, files."""

    C_: float
    cv_results_: Dict[str, Any]
    tuning_results_: List[Dict[str, Any]]
    size_results_: List[Dict[str, Any]]
    coef_: FloatArray
    intercept_: FloatArray
    kernel_: Optional[Kernel]
    error_: float
    error_interval_: Tuple[float, float]
    scaler_: Optional[Dict[str, Any]]
    n_rows_seen_: int
    n_features_out_: int
    n_features_in_: int
    _ridge: Any  # the sums of ridge regression, None without

    def __init__(
        self,
        *,
        kernel: KernelLike = "gaussian",
        kernel_params: Optional[KernelParams] = None,
        gamma: Union[None, float, str] = None,
        n_features: Optional[int] = None,
        n_frequencies: Optional[int] = None,
        estimator: str = "auto",
        sampler: str = "orthogonal",
        weights: str = "calibrated",
        landmarks: str = "pivoted",
        n_landmarks: Optional[int] = None,
        tolerance: Optional[float] = None,
        max_frequencies: int = 4096,
        time_limit: Optional[float] = None,
        scale: str = "minmax",
        tune: Optional[Sequence[str]] = None,
        C: Union[str, float, Sequence[float]] = "auto",
        n_folds: int = 5,
        fit_intercept: bool = True,
        dtype: Dtype = "float64",
        n_jobs: Optional[int] = None,
        random_state: RandomState = None,
        progress: Optional[Progress] = None,
    ) -> None:
        self.kernel = kernel
        self.kernel_params = kernel_params
        self.gamma = gamma
        self.n_features = n_features
        self.n_frequencies = n_frequencies
        self.estimator = estimator
        self.sampler = sampler
        self.weights = weights
        self.landmarks = landmarks
        self.n_landmarks = n_landmarks
        self.tolerance = tolerance
        self.max_frequencies = max_frequencies
        self.time_limit = time_limit
        self.scale = scale
        self.tune = tune
        self.C = C
        self.n_folds = n_folds
        self.fit_intercept = fit_intercept
        self.dtype = dtype
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.progress = progress

    def save(self, path: PathLike) -> None:
        """Write the model to a file that the command line (``askrff predict --model``) and :func:`askrff.load` read.

        Parameters
        ----------
        path : str, bytes or path-like
            The file; it appears when it is complete.
        """
        check_is_fitted(self)
        self._model.save(path_text(path))

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "_model")

    def __getstate__(self) -> Dict[str, Any]:
        ridge = getattr(self, "_ridge", None)
        return {**super().__getstate__(), "_ridge": None if ridge is None else ridge.kept()}

    def _train(self, X: Any, y: AnyArray, model: str, classes: List[str], n_folds: int, **options: Any) -> Any:
        """The whole fit, by the library; y: the class of every row, or its targets (rows, n_targets)."""
        scale = scaling(self)
        train_options = self._train_options(scale, model, n_folds)
        if is_precomputed(self):
            train_options.update(kernel="linear", scale="none", map=fit_map(self, X, train_options["seed"], train_options["n_threads"]))
        else:
            train_options.update(kernel_arguments(self, X.shape[1], variance_of_scaled(X, scale), takes_linear=True))
        fitted, found, sums = _core.train(X=core_rows(X), y=y, classes=classes, column_names=column_names(self), **train_options, **options)
        if not is_precomputed(self):
            report(self, fitted.map)
        self._ridge = None if sums is None else RidgeStream(sums, self._chooses_c(), is_stream=False)
        return self._keep(fitted, found)

    def _train_parts(self, parts: Any, model: str, classes: List[str], n_folds: int, **options: Any) -> Any:
        """The same of rows in parts, on a cluster."""
        from ._parts import train_parts

        scale = scaling(self)
        fitted, found = train_parts(self, parts, classes=classes, **self._train_options(scale, model, n_folds), **options)
        report(self, fitted.map)
        self._ridge = None
        return self._keep(fitted, found)

    def _train_options(self, scale: str, model: str, n_folds: int) -> Dict[str, Any]:
        """The library's options, but for kernel and rows."""
        tuned = self._tuned()
        for name, is_given in (("tune", bool(tuned)), ("tolerance", self._finds_size())):
            if is_given and n_folds < 2:
                got = shown(getattr(self, name))
                raise ValueError(f"{name} is {got}, but there are too few rows for the folds of a cross-validation: expected None")
        return {
            "seed": seed_from(self.random_state),
            "n_threads": threads_from(self.n_jobs),
            "progress": self.progress,
            "model": model,
            "c": self._c_grid_of(n_folds),
            "tuned": tuned,
            "n_folds": n_folds,
            "bias": check_flag("fit_intercept", self.fit_intercept),
            **map_options(self, scale),
        }

    def _finds_size(self) -> bool:
        """Whether the number of features is found by comparing models."""
        return self.tolerance is not None and not has_grid_tolerance(self)

    def _tuned(self) -> List[str]:
        """The parameters to be tuned."""
        if self.tune is None:
            return []
        if isinstance(self.tune, str) or not isinstance(self.tune, Iterable) or not all(isinstance(name, str) for name in self.tune):
            raise TypeError(f"tune is {shown(self.tune)}, expected None or a list of names of parameters")
        return [check_text("the name of a parameter", name) for name in self.tune]

    def _c_grid(self) -> List[float]:
        """The values of C to try, all of them possible; none where the library chooses them."""
        if isinstance(self.C, str):
            check_word("C", self.C, ("auto",))
            return []
        expected = "a number from 1e-30 to 1e8"
        if isinstance(self.C, numbers.Real):
            return [check_number("C", self.C, expected, *_core.C_LIMITS)]
        try:
            values = list(self.C)
        except TypeError:
            raise TypeError(f"C is {shown(self.C)}, expected 'auto', a number or a sequence of numbers") from None
        if not values:
            raise ValueError("C is an empty sequence, expected at least one number")
        return [check_number("C", c, expected, *_core.C_LIMITS) for c in values]

    def _chooses_c(self) -> bool:
        return len(self._c_grid()) != 1

    def _c_without_folds(self) -> float:
        """The C taken where there are several to choose from, but too few rows."""
        return 1.0 if isinstance(self.C, str) else min(self._c_grid())

    def _c_grid_of(self, n_folds: int) -> List[float]:
        """The values of C that so many folds can choose from."""
        return self._c_grid() if n_folds > 1 or not self._chooses_c() else [self._c_without_folds()]

    def _possible_folds(self, n_wanted: int, n_most: int, what: str) -> int:
        """n_wanted, or fewer where a class (or all data) has fewer rows; with a single row there is no cross-validation."""
        if n_wanted <= n_most:
            return n_wanted
        if n_most < 2:
            warn(f"{what} has {n_most} row, too few for cross-validation: C is {self._c_without_folds():g}")
        return max(1, n_most)

    def _keep(self, model: _core.Model, found: Dict[str, Any]) -> Any:
        """The learned attributes, of a model just fitted."""
        self._take(model)
        self.kernel_ = fitted_kernel(None if found["tuning"] else self.kernel, self._map)
        self.cv_results_, self.tuning_results_, self.size_results_ = found["validation"], found["tuning"], found["sizes"]
        self._training_rmse = found["rmse"]
        for sentence in found["warnings"]:
            warn(sentence)
        return self

    def _take(self, model: _core.Model) -> None:
        """The learned attributes that files hold too."""
        self._model = model
        set_map(self, model.map)
        self.coef_, self.intercept_ = np.asarray(model.weights).T, np.asarray(model.bias)
        self.C_, self.n_rows_seen_ = model.training["c"], int(model.training["n_rows"])

    def _outputs(self, X: Rows) -> FloatArray:
        check_is_fitted(self)
        if is_reader(X):
            return np.concatenate([self._outputs_of(rows) for rows, _, _ in pieces_of(X)])
        return self._outputs_of(X)

    def _outputs_of(self, X: Any) -> FloatArray:
        X = check_rows_of_side(self, X, "left", None)
        warn_if_outside(self, X)
        n_threads = threads_from(self.n_jobs)
        if sp.issparse(X):
            return self._model.outputs(rows_or_sparse(X.astype(np.float64, copy=False)), n_threads)
        return np.concatenate([self._model.outputs(rows, n_threads) for _, rows in float64_blocks(X)])
