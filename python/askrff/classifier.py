"""FourierClassifier: a support vector machine or least squares on the features of a kernel."""

from __future__ import annotations

import numbers
from typing import Any, Dict, List, Mapping, Optional, Sequence, Tuple, Union

import numpy as np
from sklearn.base import ClassifierMixin
from sklearn.utils.multiclass import check_classification_targets, unique_labels

from . import _core
from ._columns import is_reader, taken_by_name
from ._model import FEATURE_ATTRIBUTES, FEATURE_PARAMETERS, FourierModel
from ._parameters import check_count, check_number, check_text, check_word, shown
from ._ridge import require_sums
from ._typing import AnyArray, Dtype, FloatArray, KernelLike, KernelParams, Progress, RandomState, Rows, Targets
from ._validation import check_rows_and_targets, check_weights, codes_of, offered_if, unchanged_if_it_fails


def _trains_ridge(classifier: FourierClassifier) -> None:
    if classifier.model != "ridge":
        raise AttributeError("partial_fit needs FourierClassifier(model='ridge'): the support vector machine takes all rows at once")


def _has_probabilities(classifier: FourierClassifier) -> None:
    """Of a fitted one whether it has them, of another whether it can be expected to."""
    if hasattr(classifier, "_model"):
        if not classifier._model.has_probabilities:
            raise AttributeError(
                "this classifier has no probabilities: they are found by the folds of a cross-validation on all rows, which there was "
                "none of (C is one number, a class has one row, partial_fit, or an older file); fit with C='auto' or several values of C"
            )
    elif isinstance(classifier.C, numbers.Real):
        raise AttributeError(f"probabilities take the folds of a cross-validation, and C is {classifier.C}: expected 'auto' or several values")


class FourierClassifier(ClassifierMixin, FourierModel):
    __doc__ = f"""A linear classifier on the features of a kernel.

    ``model="svm"`` minimises ½‖w‖² + C Σ max(0, 1 - y w·φ(x))², one class against the rest; ``model="ridge"`` is least squares on ±1
    targets, which ``partial_fit`` can take block by block. Pickles and copies made after ``partial_fit`` can go on with it.

    Parameters
    ----------
    model : {{"svm", "ridge"}}, default="svm"
        What is minimised.
    class_weight : dict or "balanced", default=None
        What rows of a class count more than others, from labels to numbers above 0, 1 for those not named; "balanced": every class as
        much as any other, n / (n_classes · rows of the class), rows counted by their weights.
    {FEATURE_PARAMETERS}
    max_row_bytes : int, default=2**30
        For "svm": rows that take more, 8 bytes for each of their numbers, are not copied; every step goes through X again and makes its
        features anew, in the memory of some blocks. Rows of a cluster always are gone through so.

    Attributes
    ----------
    classes_ : ndarray
        The labels, in the order of the columns of ``decision_function``.
    C_ : float
        The C taken.
    cv_results_ : dict
        ``c``, and ``mean`` and ``std`` of what they were scored by (``measure``) on the folds, ``scores``; empty without
        cross-validation. Files keep ``c``, ``mean`` and ``measure``.
    coef_ : ndarray of shape (n_outputs, n_features_out_)
        Weights of the features; one output for two classes.
    intercept_ : ndarray of shape (n_outputs,)
        Constant terms.
    {FEATURE_ATTRIBUTES}

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
        model: str = "svm",
        class_weight: Union[None, str, Mapping[Any, float]] = None,
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
        max_row_bytes: int = 2**30,
    ) -> None:
        super().__init__(
            kernel=kernel,
            kernel_params=kernel_params,
            gamma=gamma,
            n_features=n_features,
            n_frequencies=n_frequencies,
            estimator=estimator,
            sampler=sampler,
            weights=weights,
            landmarks=landmarks,
            n_landmarks=n_landmarks,
            tolerance=tolerance,
            max_frequencies=max_frequencies,
            time_limit=time_limit,
            scale=scale,
            tune=tune,
            C=C,
            n_folds=n_folds,
            fit_intercept=fit_intercept,
            dtype=dtype,
            n_jobs=n_jobs,
            random_state=random_state,
            progress=progress,
        )
        self.model = model
        self.class_weight = class_weight
        self.max_row_bytes = max_row_bytes

    def fit(self, X: Rows, y: Targets, sample_weight: Optional[Targets] = None) -> FourierClassifier:
        """Fit features and weights.

        Parameters
        ----------
        X : array-like, sparse matrix or table of shape (n, d)
            Tables are pandas and polars frames, Arrow's tables, batches and readers; they are read column by column, not copied.
        y : array-like of shape (n,) or str
            Labels of at least two classes. Of a table also the name of the column that holds them, which is no part of the data then.
        sample_weight : array-like of shape (n,) or str, default=None
            What every row counts in the loss and in the scores of C, 0 or 1e-15 to 1e15; the features do not depend on it, but rows of weight 0
            are left out of them too.

        Returns
        -------
        self
        """
        check_word("model", self.model, _core.WORDS["model"])
        with unchanged_if_it_fails(self):
            X, y, sample_weight = taken_by_name(X, y, sample_weight, several=False)
            X, y = check_rows_and_targets(self, X, y, reset=True)
            check_classification_targets(y)
            weights = check_weights(sample_weight, X)
            self.classes_, codes = np.unique(y, return_inverse=True)
            counts = np.bincount(codes if weights is None else codes[weights > 0], minlength=len(self.classes_))
            n_folds, options = self._class_options(counts)
            options["max_row_bytes"] = check_count("max_row_bytes", self.max_row_bytes, least=0, most=2**63 - 1)
            return self._train(X, codes.astype(np.int64), self.model, self._class_names(), n_folds, row_weights=weights, **options)

    def _class_options(self, counts: AnyArray) -> Tuple[int, Dict[str, Any]]:
        """The number of folds, and what the library is told of classes_, of which there are so many rows each."""
        check_word("model", self.model, _core.WORDS["model"])
        self._check_classes()
        smallest = counts.argmin()
        rarest = f"class {self.classes_.tolist()[smallest]!r}"
        if counts[smallest] == 0:
            raise ValueError(f"{rarest} has no rows of a weight above 0: expected at least one")
        n_folds = self._possible_folds(self._folds_wanted(), counts[smallest], rarest)
        balanced, by_label = self._class_weights()
        return n_folds, {"balanced": balanced, "class_weights": [(str(k), w) for k, w in by_label.items()]}

    def _class_weights(self) -> Tuple[bool, Dict[Any, float]]:
        """Whether they are balanced, and those given, by labels."""
        if self.class_weight is None:
            return False, {}
        if isinstance(self.class_weight, str):
            return check_word("class_weight", self.class_weight, ("balanced",)) == "balanced", {}
        if not isinstance(self.class_weight, Mapping):
            raise TypeError(f"class_weight is {shown(self.class_weight)}, expected None, 'balanced' or a dict from labels to numbers")
        known = set(self.classes_.tolist())
        for label in self.class_weight:
            if label not in known:
                raise ValueError(f"class_weight has the label {label!r}, which is not among the classes")
        # True and 1 are the same label: that of the data is taken.
        names = {label: label for label in self.classes_.tolist()}
        least, most = _core.WEIGHT_LIMITS
        expected = f"a number from {least:g} to {most:g}"
        return False, {names[k]: check_number(f"class_weight[{k!r}]", w, expected, least, most) for k, w in self.class_weight.items()}

    def _check_classes(self) -> None:
        if len(self.classes_) < 2:
            raise ValueError(f"the labels are all one class, {self.classes_[0]!r}: expected at least two classes")
        for name in self._class_names():
            check_text("a label", name)

    @offered_if(_trains_ridge)
    def partial_fit(
        self, X: Rows, y: Targets, classes: Optional[Targets] = None, sample_weight: Optional[Targets] = None
    ) -> FourierClassifier:
        """Add rows to those seen so far (``model="ridge"``). The first call fits scaling and features to its rows.

        What is wrong with a call is refused before its rows are counted; if it is interrupted in its solve they are, and n_rows_seen_
        tells. A first call that fails leaves nothing.

        Parameters
        ----------
        X : array-like, sparse matrix or table of shape (n, d)
            As in ``fit``. A reader (pyarrow's RecordBatchReader, anything with ``__arrow_c_stream__`` that does not know its length) is
            taken in pieces of 65 536 rows, whatever its batches, with one solve at the end: if it is the first call, scaling and features
            are fitted to the first piece. If it fails midway in a later call, the pieces before are counted.
        y : array-like of shape (n,) or str
            As in ``fit``.
        classes : array-like, default=None
            All labels there will be; needed in the first call.
        sample_weight : array-like of shape (n,) or str, default=None
            As in ``fit``.

        Returns
        -------
        self
        """
        if is_reader(X):
            return self._add_reader(X, y, sample_weight, several=False, classes=classes)
        return self._add_rows(X, y, classes, sample_weight, solve=True)

    def _add_rows(
        self, X: Rows, y: Targets, classes: Optional[Targets], sample_weight: Optional[Targets], solve: bool
    ) -> FourierClassifier:
        if self._is_started():
            return self._go_on(X, y, classes, sample_weight, solve)
        with unchanged_if_it_fails(self):
            X, y, sample_weight = taken_by_name(X, y, sample_weight, several=False)
            X, y = check_rows_and_targets(self, X, y, reset=True)
            check_classification_targets(y)
            if classes is None:
                raise ValueError("the first call of partial_fit needs classes, all labels there will be")
            self.classes_ = unique_labels(classes)
            self._check_classes()
            codes = self._codes_of(y)
            return self._start_stream(X, codes, self._weights_of(codes, check_weights(sample_weight, X)), self._class_names(), solve)

    def _go_on(
        self, X: Rows, y: Targets, classes: Optional[Targets], sample_weight: Optional[Targets], solve: bool
    ) -> FourierClassifier:
        X, y, sample_weight = taken_by_name(X, y, sample_weight, several=False)
        X, y = check_rows_and_targets(self, X, y, reset=False)
        check_classification_targets(y)
        require_sums(self)
        if classes is not None and not np.array_equal(self.classes_, unique_labels(classes)):
            raise ValueError(f"classes are {unique_labels(classes)}, those of the first call were {self.classes_}")
        codes = self._codes_of(y)
        return self._go_on_stream(X, codes, self._weights_of(codes, check_weights(sample_weight, X)), solve)

    def _weights_of(self, codes: AnyArray, weights: Optional[FloatArray]) -> Optional[FloatArray]:
        """Those of rows times those of their classes, for rows that come block by block."""
        balanced, by_label = self._class_weights()
        if balanced:
            raise ValueError("class_weight='balanced' needs all rows at once: expected a dict with partial_fit, or fit")
        if not by_label:
            return weights
        of_class = np.asarray([by_label.get(label, 1.0) for label in self.classes_.tolist()])[codes]
        return of_class if weights is None else weights * of_class

    def _codes_of(self, y: AnyArray) -> AnyArray:
        return codes_of(y, self.classes_, "the classes of the first call of partial_fit")

    def _class_names(self) -> List[str]:
        return [str(label) for label in self.classes_.tolist()]

    def decision_function(self, X: Rows) -> FloatArray:
        """Outputs of the linear model: for two classes one, above 0 for the second; for more the class of the largest is predicted.

        Parameters
        ----------
        X : array-like, sparse matrix or table of shape (n, d)
            A reader is read piece by piece.

        Returns
        -------
        outputs : ndarray of shape (n,) for two classes, else (n, n_classes)
        """
        outputs = self._outputs(X)
        return outputs[:, 0] if len(self.classes_) == 2 else outputs

    @offered_if(_has_probabilities)
    def predict_proba(self, X: Rows) -> FloatArray:
        """Probabilities of the classes, by the outputs for rows held out in the cross-validation of C.

        For two classes Platt's sigmoid, scale and offset: for outputs near 0 it may favour the other class than ``predict``. For more
        classes exp(scale · output), divided by the sum over all: one number that all rows tell, and the most likely class is the predicted
        one. There are none where there were no folds: C is one number, or rows came by ``partial_fit``.

        Parameters
        ----------
        X : array-like, sparse matrix or table of shape (n, d)
            A reader is read piece by piece.

        Returns
        -------
        probabilities : ndarray of shape (n, n_classes)
            In the order of ``classes_``.
        """
        outputs = self._outputs(X)
        return self._model.probabilities(outputs)

    @offered_if(_has_probabilities)
    def predict_log_proba(self, X: Rows) -> FloatArray:
        """Logarithms of ``predict_proba``.

        Parameters
        ----------
        X : array-like, sparse matrix or table of shape (n, d)
            A reader is read piece by piece.

        Returns
        -------
        logarithms : ndarray of shape (n, n_classes)
        """
        return np.log(self.predict_proba(X))

    def predict(self, X: Rows) -> AnyArray:
        """Predicted labels.

        Parameters
        ----------
        X : array-like, sparse matrix or table of shape (n, d)
            A reader is read piece by piece.

        Returns
        -------
        y : ndarray of shape (n,)
        """
        outputs = self.decision_function(X)
        codes = (outputs > 0).astype(np.intp) if outputs.ndim == 1 else outputs.argmax(axis=1)
        return self.classes_[codes]
