"""SourceInversion: which sources, of many possible ones, explain readings that a kernel carries to the sensors."""

from __future__ import annotations

from typing import Any, Dict, Optional

import numpy as np
from sklearn.base import BaseEstimator, RegressorMixin
from sklearn.utils.validation import check_is_fitted

from . import _core
from ._parameters import check_flag, check_number, seed_from, threads_from
from ._typing import FloatArray, KernelLike, KernelParams, RandomState, Rows, Targets
from ._validation import check_rows, check_rows_and_targets, densified, point_rows, unchanged_if_it_fails, warn
from .kernels import Kernel, as_kernel
from .operator import kernel_operator

# Fewer where there are fewer readings.
MOST_FOLDS = 5


class SourceInversion(RegressorMixin, BaseEstimator):
    """Sources from readings: min ‖K a - y‖² + α‖a‖², over a ≥ 0 or over all a, with K = k(sensors - sources) in 1 to 3 dimensions.

    What a sensor at x reads is Σ_j k(x - s_j) a_j: k says how a source of strength 1 at the origin is read at x, and need not be
    symmetric. The matrix is never formed; a product with it takes O(sensors + sources) time, as those of :func:`kernel_operator`.

    Parameters
    ----------
    kernel : str or Kernel, default="gaussian"
        As in :class:`FourierFeatures`, but no function: its Fourier measure must be known.
    kernel_params : dict, default=None
        Parameters of a kernel given by name.
    sources : array-like of shape (m, d)
        Where sources may be, d from 1 to 3.
    alpha : float, default=None
        The penalty, at least 0. None: found, by ``noise`` if that is given, else by readings held out: of a path of values the one whose
        sources tell best what was held out, each reading once.
    noise : float, default=None
        Standard deviation of the readings' errors: alpha is then the one for which ‖K a - y‖ = noise·√n. Not to be given with ``alpha``.
    positive : bool, default=True
        Whether amplitudes are at least 0.
    tolerance : float, default=1e-6
        Of K, every entry relative to the largest; and of the solution, its gradient relative to that at a = 0. From 1e-13 to 0.5.
    random_state : int, RandomState or Generator, default=None
        Deals readings to the folds that are held out; nothing else is random.
    n_jobs : int, default=None
        Threads: None the library's default (1 inside a joblib worker), -1 all. The results are the same bits for any number.

    Attributes
    ----------
    coef_ : ndarray of shape (m,)
        The amplitude of every source.
    alpha_ : float
        The penalty taken; infinity if it was to be found and no sources at all explain the readings best, or none can be seen by the
        sensors: K is then no larger than its own errors.
    n_iter_ : int
        Iterations of all solves.
    residual_ : float
        ‖K a - y‖.
    path_ : dict
        ``alpha``, and ``error``, the root mean square of what was held out; empty arrays if nothing was.
    kernel_ : Kernel
        The kernel with its parameters.
    sources_ : ndarray of shape (m, d)
        The sources as numbers.
    n_features_in_ : int
        The number d of dimensions.

    Examples
    --------
    >>> import numpy as np
    >>> from askrff import SourceInversion, exact_kernel, kernels
    >>> wind = kernels.shift_gaussian(sigma=0.1, shift=[-0.2, 0.0])  # what is read at x came from x - (0.2, 0)
    >>> sensors = np.random.default_rng(0).uniform(size=(400, 2))
    >>> sources = np.array([[0.2, 0.2], [0.4, 0.6], [0.6, 0.4]])
    >>> readings = exact_kernel(sensors, sources, kernel=wind) @ [1.0, 0.0, 2.0]
    >>> model = SourceInversion(kernel=wind, sources=sources, alpha=1e-6).fit(sensors, readings)
    >>> np.abs(model.coef_.round(3))
    array([1., 0., 2.])
    """

    coef_: FloatArray
    alpha_: float
    n_iter_: int
    residual_: float
    path_: Dict[str, FloatArray]
    kernel_: Kernel
    sources_: FloatArray
    n_features_in_: int

    def __init__(
        self,
        *,
        kernel: KernelLike = "gaussian",
        kernel_params: Optional[KernelParams] = None,
        sources: Optional[Rows] = None,
        alpha: Optional[float] = None,
        noise: Optional[float] = None,
        positive: bool = True,
        tolerance: float = 1e-6,
        random_state: RandomState = None,
        n_jobs: Optional[int] = None,
    ) -> None:
        self.kernel = kernel
        self.kernel_params = kernel_params
        self.sources = sources
        self.alpha = alpha
        self.noise = noise
        self.positive = positive
        self.tolerance = tolerance
        self.random_state = random_state
        self.n_jobs = n_jobs

    def fit(self, X: Rows, y: Targets) -> SourceInversion:
        """Find the amplitudes.

        Parameters
        ----------
        X : array-like of shape (n, d)
            Where the sensors are.
        y : array-like of shape (n,)
            What they read.

        Returns
        -------
        self
        """
        with unchanged_if_it_fails(self):
            X, y = check_rows_and_targets(self, X, y, reset=True, dtype=np.float64, y_numeric=True)
            self.kernel_ = as_kernel(self.kernel, self.kernel_params)
            self.sources_ = self._checked_sources()
            options = self._options(len(y))
            y = np.ascontiguousarray(y, dtype=np.float64).reshape(1, -1)
            found = _core.source_inversion(self.kernel_._core, densified(X), self.sources_, y, **options)
            self._keep(found, y.size)
        return self

    def predict(self, X: Rows) -> FloatArray:
        """What sensors would read at other places.

        Parameters
        ----------
        X : array-like of shape (n, d)

        Returns
        -------
        y : ndarray of shape (n,)
        """
        check_is_fitted(self)
        X = densified(check_rows(self, X, reset=False, dtype=np.float64))
        return kernel_operator(X, self.sources_, kernel=self.kernel_, tolerance=self.tolerance, n_jobs=self.n_jobs) @ self.coef_

    def _checked_sources(self) -> FloatArray:
        if self.sources is None:
            raise ValueError("sources is None, expected an array of the places where sources may be")
        sources = np.ascontiguousarray(point_rows(self.sources), dtype=np.float64)
        if sources.shape[0] == 0 or sources.shape[1] != self.n_features_in_:
            raise ValueError(f"sources has shape {sources.shape}, expected at least one row and {self.n_features_in_} columns as X")
        return sources

    def _options(self, n_readings: int) -> Dict[str, Any]:
        if self.alpha is not None and self.noise is not None:
            raise ValueError("alpha and noise are both given, expected one of them or none")
        if self.alpha is None and self.noise is None and n_readings < 2:
            raise ValueError(f"y has {n_readings} reading, expected at least 2 to hold some out; give alpha or noise")
        return {
            "alpha": None if self.alpha is None else check_number("alpha", self.alpha, "None or a number of at least 0", least=0),
            "noise": None if self.noise is None else check_number("noise", self.noise, "None or a number above 0"),
            "positive": check_flag("positive", self.positive),
            "tolerance": check_number("tolerance", self.tolerance, "a number from 1e-13 to 0.5", least=1e-13, most=0.5),
            "n_folds": max(2, min(MOST_FOLDS, n_readings)),
            "seed": seed_from(self.random_state),
            "n_threads": threads_from(self.n_jobs),
        }

    def _keep(self, found: Dict[str, Any], n_readings: int) -> None:
        self.coef_ = found["amplitudes"]
        self.alpha_ = found["alpha"]
        self.n_iter_ = found["n_iter"]
        self.residual_ = found["residual"]
        self.path_ = {"alpha": found["alphas"], "error": found["errors"]}
        if not found["converged"]:
            warn(f"SourceInversion stopped after {self.n_iter_} iterations short of its tolerance of {self.tolerance:g}; a larger alpha converges sooner")
        chance = 1 + 3 / (2 * n_readings) ** 0.5  # three standard errors
        if self.noise is not None and self.residual_ > chance * self.noise * n_readings**0.5:
            rms = self.residual_ / n_readings**0.5
            warn(f"the sources explain the readings to {rms:.3g}, not to their noise of {self.noise:g}: another kernel, or sources elsewhere?")
