"""FourierRegressor: ridge regression on the features of a kernel."""

from __future__ import annotations

from typing import Optional, Tuple, Union

import numpy as np
from sklearn.base import MultiOutputMixin, RegressorMixin

from ._columns import is_reader, taken_by_name
from ._parameters import check_flag
from ._matrices import check_rows_of_side
from ._model import FEATURE_ATTRIBUTES, FEATURE_PARAMETERS, FourierModel
from ._ridge import require_sums
from ._typing import FloatArray, Rows, Targets
from ._validation import check_rows, check_rows_and_targets, check_weights, unchanged_if_it_fails


class FourierRegressor(MultiOutputMixin, RegressorMixin, FourierModel):
    __doc__ = f"""Ridge regression on the features of a kernel: min ½‖w‖² + C Σ (y - w·φ(x) - b)².

    The sums it takes do not grow with the number of rows, so ``partial_fit`` gives the model of all rows seen, not an approximation to
    it. The whole path over C and its cross-validation follow from the same sums. A fitted estimator keeps them in memory,
    n_features_out_² numbers for every fold (with ``sampler="grid"`` two grids), to go on with ``partial_fit``. So do its pickles and copies once ``partial_fit`` has been
    called, but not after ``fit`` alone; files never do.

    Parameters
    ----------
    {FEATURE_PARAMETERS}

    Attributes
    ----------
    C_ : float
        The C taken.
    cv_results_ : dict
        ``c``, and ``mean`` and ``std`` of their mean squared errors on the folds, ``scores``; empty without cross-validation. Files
        keep ``c``, ``mean`` and ``measure``.
    coef_ : ndarray of shape (n_targets, n_features_out_)
        Weights of the features.
    intercept_ : ndarray of shape (n_targets,)
        Constant terms.
    {FEATURE_ATTRIBUTES}

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

    def fit(self, X: Rows, y: Targets, sample_weight: Optional[Targets] = None) -> FourierRegressor:
        """Fit features and weights.

        Parameters
        ----------
        X : array-like, sparse matrix or table of shape (n, d)
            Tables are pandas and polars frames, Arrow's tables, batches and readers; they are read column by column, not copied.
        y : array-like of shape (n,) or (n, n_targets), str or list of str
            Of a table also the name of the column that holds it, or names; those are no part of the data then.
        sample_weight : array-like of shape (n,) or str, default=None
            What every row counts in the loss and in the scores of C, 0 or 1e-15 to 1e15; the features do not depend on it, but rows of weight 0
            are left out of them too.

        Returns
        -------
        self
        """
        with unchanged_if_it_fails(self):
            X, y, sample_weight = taken_by_name(X, y, sample_weight, several=True)
            X, y = check_rows_and_targets(self, X, y, reset=True, multi_output=True, y_numeric=True)
            weights = check_weights(sample_weight, X)
            self._one_target = y.ndim == 1
            n_rows = X.shape[0] if weights is None else np.count_nonzero(weights)
            n_folds = self._possible_folds(self._folds_wanted(), n_rows, "the data")
            return self._train(X, _targets(y), "ridge", [], n_folds, row_weights=weights)

    def partial_fit(self, X: Rows, y: Targets, sample_weight: Optional[Targets] = None) -> FourierRegressor:
        """Add rows to those seen so far. The first call fits scaling and features to its rows; later ones only add to the sums.

        Every call ends with a model of all rows, which takes O(n_folds · values of C · n_features_out_³) whatever the number of rows:
        prefer large blocks, or a single C. With ``sampler="grid"`` it takes Fourier transforms of the grid instead; all rows together may
        there be a tenth further apart than those of the first call, others are refused. What is wrong with a call is refused before its rows are counted; if it is interrupted in its
        solve they are, and n_rows_seen_ tells. A first call that fails leaves nothing.

        Parameters
        ----------
        X : array-like, sparse matrix or table of shape (n, d)
            As in ``fit``. A reader (pyarrow's RecordBatchReader, anything with ``__arrow_c_stream__`` that does not know its length) is
            taken in pieces of 65 536 rows, whatever its batches, with one solve at the end: if it is the first call, scaling and features
            are fitted to the first piece. If it fails midway in a later call, the pieces before are counted.
        y : array-like of shape (n,) or (n, n_targets), str or list of str
            As in ``fit``.
        sample_weight : array-like of shape (n,) or str, default=None
            As in ``fit``.

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
        if is_reader(X):
            return self._add_reader(X, y, sample_weight, several=True)
        return self._add_rows(X, y, sample_weight, solve=True)

    def _add_rows(self, X: Rows, y: Targets, sample_weight: Optional[Targets], solve: bool) -> FourierRegressor:
        if self._is_started():
            return self._go_on(X, y, sample_weight, solve)
        with unchanged_if_it_fails(self):
            X, y, sample_weight = taken_by_name(X, y, sample_weight, several=True)
            X, y = check_rows_and_targets(self, X, y, reset=True, multi_output=True, y_numeric=True)
            self._one_target = y.ndim == 1
            return self._start_stream(X, _targets(y), check_weights(sample_weight, X), [], solve)

    def _go_on(self, X: Rows, y: Targets, sample_weight: Optional[Targets], solve: bool) -> FourierRegressor:
        X, y, sample_weight = taken_by_name(X, y, sample_weight, several=True)
        X, y = check_rows_and_targets(self, X, y, reset=False, multi_output=True, y_numeric=True)
        require_sums(self)
        n_targets = self._ridge.trainer.n_targets
        if (y.ndim == 1) != self._one_target or (y.ndim == 2 and y.shape[1] != n_targets):
            expected = "(n,)" if self._one_target else f"(n, {n_targets})"
            raise ValueError(f"y has shape {y.shape}, expected {expected} as in the first call")
        return self._go_on_stream(X, _targets(y), check_weights(sample_weight, X), solve)

    def predict(self, X: Rows, return_std: bool = False) -> Union[FloatArray, Tuple[FloatArray, FloatArray]]:
        """Predicted numbers.

        Parameters
        ----------
        X : array-like, sparse matrix or table of shape (n, d)
            A reader is read piece by piece.
        return_std : bool, default=False
            Also the standard deviation of every predicted number, without the noise of a single observation: that of a Gaussian process
            whose covariance is the kernel of the features times 2C times the variance of the noise, and the noise what cross-validation
            left unexplained (with a single C, what the fit left; of several targets their mean). Where rows are dense it is small, away
            from them it grows. It needs the sums of the training, which files and pickles made after ``fit`` do not keep, and one solve
            for each row.

        Returns
        -------
        y : ndarray of shape (n,) or (n, n_targets)
        std : ndarray of shape (n,)
            With ``return_std``.
        """
        if not check_flag("return_std", return_std):
            outputs = self._outputs(X)
            return outputs[:, 0] if self._one_target else outputs
        if is_reader(X):
            raise ValueError("return_std takes rows, and X is a reader: expected an array or a table")
        y = self.predict(X)
        return y, self._deviations(check_rows_of_side(self, X, "left", None))


def _targets(y: FloatArray) -> FloatArray:
    """(rows, n_targets), as the core takes them."""
    return np.ascontiguousarray(y.reshape(len(y), -1), dtype=np.float64)
