"""FourierClassifier: a support vector machine or least squares on the features of a kernel."""

from __future__ import annotations

from typing import List, Optional, Sequence, Union

import numpy as np
from sklearn.base import ClassifierMixin
from sklearn.utils.metaestimators import available_if
from sklearn.utils.multiclass import check_classification_targets, unique_labels

from . import _core
from ._model import FEATURE_ATTRIBUTES, FEATURE_PARAMETERS, FourierModel
from ._ridge import require_sums
from ._typing import AnyArray, Dtype, FloatArray, KernelLike, KernelParams, Progress, RandomState, Rows, Targets
from ._validation import check_rows_and_targets, check_text, check_word, unchanged_if_it_fails


def _trains_ridge(classifier: FourierClassifier) -> bool:
    if classifier.model != "ridge":
        raise AttributeError("partial_fit needs model='ridge': the support vector machine takes all rows at once")
    return True


class FourierClassifier(ClassifierMixin, FourierModel):
    __doc__ = f"""A linear classifier on the features of a kernel.

    ``model="svm"`` minimises ½‖w‖² + C Σ max(0, 1 - y w·φ(x))², one class against the rest; ``model="ridge"`` is least squares on ±1
    targets, which ``partial_fit`` can take block by block. Pickles and copies made after ``partial_fit`` can go on with it.

    Parameters
    ----------
    model : {{"svm", "ridge"}}, default="svm"
        What is minimised.
    {FEATURE_PARAMETERS}

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
        C: Union[str, float, Sequence[float]] = "auto",
        n_folds: int = 5,
        fit_intercept: bool = True,
        dtype: Dtype = "float64",
        n_jobs: Optional[int] = None,
        random_state: RandomState = None,
        progress: Optional[Progress] = None,
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
            C=C,
            n_folds=n_folds,
            fit_intercept=fit_intercept,
            dtype=dtype,
            n_jobs=n_jobs,
            random_state=random_state,
            progress=progress,
        )
        self.model = model

    def fit(self, X: Rows, y: Targets) -> FourierClassifier:
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
        check_word("model", self.model, _core.WORDS["model"])
        with unchanged_if_it_fails(self):
            X, y = check_rows_and_targets(self, X, y, reset=True)
            check_classification_targets(y)
            self.classes_, codes = np.unique(y, return_inverse=True)
            self._check_classes()
            smallest = np.bincount(codes).argmin()
            n_folds = self._possible_folds(self._folds_wanted(), np.bincount(codes)[smallest], f"class {self.classes_[smallest]!r}")
            return self._train(X, codes.astype(np.int64), self.model, self._class_names(), n_folds)

    def _check_classes(self) -> None:
        if len(self.classes_) < 2:
            raise ValueError(f"the labels are all one class, {self.classes_[0]!r}: expected at least two classes")
        for name in self._class_names():
            check_text("a label", name)

    @available_if(_trains_ridge)
    def partial_fit(self, X: Rows, y: Targets, classes: Optional[Targets] = None) -> FourierClassifier:
        """Add rows to those seen so far (``model="ridge"``). The first call fits scaling and features to its rows.

        What is wrong with a call is refused before its rows are counted; if it is interrupted in its solve they are, and n_rows_seen_
        tells. A first call that fails leaves nothing.

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
        if hasattr(self, "_model"):
            return self._go_on(X, y, classes)
        with unchanged_if_it_fails(self):
            X, y = check_rows_and_targets(self, X, y, reset=True)
            check_classification_targets(y)
            if classes is None:
                raise ValueError("the first call of partial_fit needs classes, all labels there will be")
            self.classes_ = unique_labels(classes)
            self._check_classes()
            return self._start_stream(X, self._codes_of(y), self._class_names())

    def _go_on(self, X: Rows, y: Targets, classes: Optional[Targets]) -> FourierClassifier:
        X, y = check_rows_and_targets(self, X, y, reset=False)
        check_classification_targets(y)
        require_sums(self)
        if classes is not None and not np.array_equal(self.classes_, unique_labels(classes)):
            raise ValueError(f"classes are {unique_labels(classes)}, those of the first call were {self.classes_}")
        return self._go_on_stream(X, self._codes_of(y))

    def _codes_of(self, y: AnyArray) -> AnyArray:
        # By a dict: of text and numbers some versions of NumPy make a single type, and "1" equal to 1.
        code_of = {label: code for code, label in enumerate(self.classes_.tolist())}
        labels, inverse = np.unique(y, return_inverse=True)
        codes = np.asarray([code_of.get(label, -1) for label in labels.tolist()], dtype=np.int64)
        if codes.min() < 0:
            raise ValueError(f"y has the label {labels[codes < 0][0]!r}, which is not among the classes of the first call of partial_fit")
        return codes[inverse]

    def _class_names(self) -> List[str]:
        return [str(label) for label in self.classes_.tolist()]

    def decision_function(self, X: Rows) -> FloatArray:
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

    def predict(self, X: Rows) -> AnyArray:
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
