"""What a kernel is on given rows, before anything is approximated."""

from __future__ import annotations

from typing import Any, Dict, Optional

import numpy as np

from . import _core
from ._parameters import check_count, seed_from, threads_from
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
    "decay": "p where |k| falls like |δ|^-p; inf: faster",
    "integrable": "∫|k| is finite",
    "measure_reason": "its Fourier measure",
    "features_for_1e_2": "at best, by the singular values",
    "features_for_1e_3": "",
}
_OF_DIFFERENCES = ("smoothness", "decay", "integrable")


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
        p where \\|k\\| falls like \\|δ\\|^-p far out; inf if faster.
    integrable : bool
        Whether ∫\\|k\\| is finite.
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
        shown = [name for name in _MEANINGS if self.shift_invariant or name not in _OF_DIFFERENCES]
        values = {name: getattr(self, name) for name in shown}
        texts = {name: f"{value:.3g}" if isinstance(value, float) else str(value) for name, value in values.items()}
        width = max(len(texts[name]) for name in shown if name != "measure_reason")
        lines = [f"{name:<20}{texts[name]:<{width}}  {_MEANINGS[name]}".rstrip() for name in shown]
        head = f"{self.kernel} in {self.dim} dimensions, {self.n_rows} rows looked at"
        return "\n".join([head, "", *lines, "", f"recommended: {self.route}: {self.reason}"])

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
        if figure is None:
            from matplotlib import pyplot

            figure = pyplot.figure(figsize=(10, 7), layout="constrained")
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
        axes[1, 1].semilogy(np.arange(1, len(self.singular_values) + 1), self.singular_values / self.singular_values[0])
        axes[1, 1].set(title="singular values of K, over the largest", xlabel="number")
        figure.suptitle(self.kernel)
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
) -> Diagnosis:
    """What a kernel is on rows like those of X: symmetric, definite, shift-invariant, integrable, smooth, of what rank; and what suits it.

    Parameters
    ----------
    kernel : str, Kernel or callable
        As in :class:`FourierFeatures`; a name without ``sigma`` is stretched to the rows.
    X : array-like or sparse matrix of shape (n, d)
        Scaled as for the features.
    kernel_params : dict, default=None
        Parameters of a kernel given by name.
    gamma : float, default=None
        Another word for the bandwidth of gaussian and laplacian kernels.
    n_rows : int, default=400
        Rows, drawn at random, whose kernel matrix is looked at; 2 to 2000.
    random_state : int, RandomState instance, Generator or None, default=0
    n_jobs : int, default=None
        Threads: None the library's default (1 inside a joblib worker), -1 all.

    Returns
    -------
    diagnosis : Diagnosis

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
    rows = free_rows(X)
    choice = kernel_choice(kernel, kernel_params, gamma, rows.shape[1], lambda: variance_of(rows, lambda block: block))
    found = _core.diagnose(choice["kernel"], choice.get("params", {}), rows, check_count("n_rows", n_rows), seed_from(random_state), threads_from(n_jobs))
    return Diagnosis(found)
