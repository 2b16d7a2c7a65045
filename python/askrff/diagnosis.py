"""What a kernel is on given rows, before anything is approximated."""

from __future__ import annotations

from typing import Any, Dict, Optional, Union

import numpy as np

from . import _core
from ._matrices import check_operator_to_fit, is_operator
from ._parameters import check_count, seed_from, shown, threads_from
from ._typing import KernelLike, KernelParams, RandomState, Rows
from ._validation import free_rows
from .kernels import kernel_choice, variance_of

_MEANINGS = {
    "kernel_class": "positive definite, indefinite or asymmetric, on the rows looked at",
    "skew_share": "‖(K - Kᵀ)/2‖ / ‖K‖",
    "negative_share": "norm of the eigenvalues of (K + Kᵀ)/2 below 0, over that of all",
    "smallest_eigenvalue": "of (K + Kᵀ)/2",
    "shift_invariant": "a function of x - y",
    "smoothness": "where it is least smooth: smooth, kink or jump",
    "decay": "p where |k| falls like |δ|^-p; inf: faster; 0 or less: not seen to fall",
    "integrable": "∫|k| is seen to be finite, within 10^18 times the rows' extent",
    "measure_reason": "its Fourier measure",
    "features_for_1e_2": "at best, by the singular values",
    "features_for_1e_3": "",
}
_OF_DIFFERENCES = ("smoothness", "decay", "integrable")
_MATRIX_MEANINGS = {
    "norm": "‖K‖, Frobenius",
    "kernel_class": "positive definite, indefinite or asymmetric, as far as eigenvalues were found",
    "symmetric_share": "‖(K + Kᵀ)/2‖ / ‖K‖",
    "skew_share": "‖(K - Kᵀ)/2‖ / ‖K‖",
    "negative_share": "norm of the eigenvalues of (K + Kᵀ)/2 below 0, over that of all",
    "smallest_eigenvalue": "of (K + Kᵀ)/2",
    "features_for_1e_2": "at best, on K itself, by the singular values",
    "features_for_1e_3": "",
}


def _table(found: Any, meanings: Dict[str, str]) -> str:
    values = {name: getattr(found, name) for name in meanings}
    texts = {name: f"{value:.3g}" if isinstance(value, float) else str(value) for name, value in values.items()}
    width = max(len(text) for name, text in texts.items() if name != "measure_reason")
    return "\n".join(f"{name:<20}{texts[name]:<{width}}  {meaning}".rstrip() for name, meaning in meanings.items())


def _new_figure(height: float) -> Any:
    from matplotlib import pyplot

    return pyplot.figure(figsize=(10, height), layout="constrained")


def _draw_singular_values(axis: Any, values: Any) -> None:
    axis.semilogy(np.arange(1, len(values) + 1), values / values[0])
    axis.set(title="singular values of K, over the largest", xlabel="number")


class Diagnosis:
    """What :func:`diagnose` found. Printed, it is a table.

    Attributes
    ----------
    kernel : str
    dim, n_rows : int
        Columns, and rows whose matrix K was looked at.
    kernel_class : str
        "positive definite", "indefinite" or "asymmetric", on those rows.
    symmetric_share, skew_share : float
        ‖(K + Kᵀ)/2‖ / ‖K‖ and ‖(K - Kᵀ)/2‖ / ‖K‖.
    negative_share : float
        Norm of the eigenvalues of (K + Kᵀ)/2 below 0, over that of all.
    smallest_eigenvalue, largest_eigenvalue : float
        Of (K + Kᵀ)/2.
    singular_values : ndarray
        Of K, the largest first.
    features_for_1e_2, features_for_1e_3 : int
        The fewest that can leave such a relative error of K.
    shift_invariant : bool
        Whether k is a function of x - y; if not, ``shift_variation`` says how far k(x + h, y + h) differs, over the largest \\|k\\|.
    smoothness : str
        "smooth", "kink" or "jump", where k is least smooth along the lines looked at.
    decay : float
        p where \\|k\\| falls like \\|δ\\|^-p far out; inf if faster, 0 if it is not seen to fall, less if it grows.
    integrable : bool
        Whether ∫\\|k\\| is seen to be finite, in boxes of up to 10^18 times the rows' extent.
    has_measure : bool
        Whether a Fourier measure is known or was found; ``measure_reason`` says more, ``total_variation`` is ∫\\|μ\\| or None.
    lines : list of dict
        k along lines through 0: ``name``, ``at``, ``value``, ``skew``; with a density also ``frequency``, ``real``, ``imaginary``.
    route, reason : str
        What suits the kernel and these rows: "fourier", "grid", "calibrated" or "nystrom", and why.
    """

    def __init__(self, found: Dict[str, Any]) -> None:
        for name, value in found.items():
            setattr(self, name, np.asarray(value) if name == "singular_values" else value)

    def __repr__(self) -> str:
        shown = {name: text for name, text in _MEANINGS.items() if self.shift_invariant or name not in _OF_DIFFERENCES}
        head = f"{self.kernel} in {self.dim} dimensions, {self.n_rows} rows looked at"
        return "\n".join([head, "", _table(self, shown), "", f"recommended: {self.route}: {self.reason}"])

    def plot(self, figure: Any = None) -> Any:
        """k and its skew part along lines, the density of its measure and the singular values, drawn by matplotlib.

        Parameters
        ----------
        figure : matplotlib.figure.Figure, default=None
            None makes a new one.

        Returns
        -------
        figure : matplotlib.figure.Figure
        """
        figure = _new_figure(7) if figure is None else figure
        axes = figure.subplots(2, 2)
        for line in self.lines:
            axes[0, 0].plot(line["at"], line["value"], label=line["name"])
            axes[0, 1].plot(line["at"], line["skew"], label=line["name"])
        for axis, title in ((axes[0, 0], "k along lines"), (axes[0, 1], "skew part, (k(δ) - k(-δ))/2")):
            axis.set(title=title, xlabel="distance along the line")
            if self.lines:
                axis.legend()
        axes[1, 0].set(title="density of the Fourier measure", xlabel="frequency along the line")
        if self.lines and self.lines[0]["frequency"]:
            line = self.lines[0]
            axes[1, 0].plot(line["frequency"], line["real"], label=f"real, {line['name']}")
            axes[1, 0].plot(line["frequency"], line["imaginary"], label=f"imaginary, {line['name']}")
            axes[1, 0].legend()
        _draw_singular_values(axes[1, 1], self.singular_values)
        figure.suptitle(self.kernel)
        return figure


class MatrixDiagnosis:
    """What :func:`diagnose` found of a kernel matrix K. Printed, it is a table.

    Attributes
    ----------
    n_rows, n_columns : int
        Of K.
    norm : float
        ‖K‖, Frobenius, as all norms here.
    kernel_class, symmetric_share, skew_share, negative_share, smallest_eigenvalue, largest_eigenvalue : str, float
        As in :class:`Diagnosis`; None where K is not square.
    singular_values : ndarray
        The largest first.
    is_whole : bool
        Whether they are all; if not, eigenvalues too are those largest in size. Shares of ‖K‖ are exact in either case.
    features_for_1e_2, features_for_1e_3 : int or None
        The fewest that can leave such a relative error of K; None: more than the singular values that were found.
    n_features : int
        Recommended; ``best_error`` is the relative error of K that so many leave at best, ``reason`` says why so many.
    """

    def __init__(self, found: Dict[str, Any]) -> None:
        for name, value in found.items():
            setattr(self, name, np.asarray(value) if name == "singular_values" else value)

    def __repr__(self) -> str:
        shown = {name: text for name, text in _MATRIX_MEANINGS.items() if getattr(self, name) is not None or name.startswith("features")}
        head = f"kernel matrix, {self.n_rows} x {self.n_columns}"
        return "\n".join([head, "", _table(self, shown), "", f"recommended: {self.n_features} features: {self.reason}"])

    def plot(self, figure: Any = None) -> Any:
        """The singular values, and the least error of K by the number of features, drawn by matplotlib.

        Parameters
        ----------
        figure : matplotlib.figure.Figure, default=None
            None makes a new one.

        Returns
        -------
        figure : matplotlib.figure.Figure
        """
        figure = _new_figure(4) if figure is None else figure
        axes = figure.subplots(1, 2)
        _draw_singular_values(axes[0], self.singular_values)
        rest = 1 - np.cumsum((self.singular_values / self.norm) ** 2)
        rest = rest[rest > 1e-14]  # below is rounding
        axes[1].semilogy(np.arange(1, len(rest) + 1), np.sqrt(rest))
        axes[1].set(title="least error of K by features", xlabel="features")
        figure.suptitle(f"kernel matrix, {self.n_rows} x {self.n_columns}")
        return figure


def diagnose(
    kernel: KernelLike,
    X: Rows,
    *,
    kernel_params: Optional[KernelParams] = None,
    gamma: Optional[float] = None,
    n_rows: int = 400,
    random_state: RandomState = 0,
    n_jobs: Optional[int] = None,
) -> Union[Diagnosis, MatrixDiagnosis]:
    """What a kernel is on rows like those of X: symmetric, definite, shift-invariant, integrable, smooth, of what rank; and what suits it.

    Parameters
    ----------
    kernel : str, Kernel or callable
        As in :class:`FourierFeatures`; a name without ``sigma`` is stretched to the rows. ``"precomputed"``: X is a kernel matrix.
    X : array-like, sparse matrix or, precomputed, LinearOperator of shape (n, d)
        Scaled as for the features.
    kernel_params : dict, default=None
        Parameters of a kernel given by name.
    gamma : float, default=None
        Another word for the bandwidth of gaussian and laplacian kernels.
    n_rows : int, default=400
        Rows, drawn at random, whose kernel matrix is looked at; 2 to 2000. Of a precomputed matrix all is; of one of more than 1000 rows
        or columns so many of the largest singular values are found.
    random_state : int, RandomState instance, Generator or None, default=0
    n_jobs : int, default=None
        Threads: None the library's default (1 inside a joblib worker), -1 all.

    Returns
    -------
    diagnosis : Diagnosis, or MatrixDiagnosis of a precomputed matrix

    Examples
    --------
    >>> import numpy as np
    >>> from askrff import diagnose
    >>> X = np.random.default_rng(0).uniform(size=(500, 3))
    >>> found = diagnose("difference-of-gaussians", X, kernel_params={"sigma": 0.5, "sigma2": 1.0})
    >>> found.kernel_class, found.smoothness, found.integrable
    ('indefinite', 'smooth', True)
    >>> found.route
    'fourier'
    """
    if isinstance(kernel, str) and kernel == "precomputed":
        return _diagnosed_matrix(X, kernel_params, gamma, check_count("n_rows", n_rows), seed_from(random_state), threads_from(n_jobs))
    rows = free_rows(X)
    choice = kernel_choice(kernel, kernel_params, gamma, rows.shape[1], lambda: variance_of(rows, lambda block: block))
    found = _core.diagnose(choice["kernel"], choice.get("params", {}), rows, check_count("n_rows", n_rows), seed_from(random_state), threads_from(n_jobs))
    return Diagnosis(found)


def _diagnosed_matrix(K: Any, kernel_params: Any, gamma: Any, n_rows: int, seed: int, n_threads: int) -> MatrixDiagnosis:
    for name, value in (("kernel_params", kernel_params), ("gamma", gamma)):
        if value is not None:
            raise ValueError(f"{name} is {shown(value)}, but kernel='precomputed' has none: expected None")
    K = check_operator_to_fit(K) if is_operator(K) else free_rows(K)
    return MatrixDiagnosis(_core.diagnose_matrix(K, n_rows, seed, n_threads))
