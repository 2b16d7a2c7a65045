"""From what users pass as a kernel, with parameters and bandwidth, to a Kernel, or to what the library is asked."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Callable, Dict, Optional, Sequence, Union

import numpy as np
import scipy.sparse as sp

from .._parameters import check_number, check_text, shown
from .._typing import FloatArray, KernelLike, KernelParams, Rows
from .._validation import small_float64_blocks
from ._kernel import Kernel, restored_kernel
from ._registry import is_formula


def as_kernel(kernel: KernelLike, kernel_params: Optional[KernelParams] = None, gamma: Optional[float] = None) -> Kernel:
    """A Kernel of what estimators take: a name with parameters, a Kernel, or a function of differences.

    `gamma` is scikit-learn's word for the bandwidth: exp(-γ|δ|²) is sigma = 1/√(2γ), and exp(-γ|δ|₁) is sigma = 1/γ.
    """
    params = as_params(kernel_params)
    if isinstance(kernel, str):
        return restored_kernel(kernel, _with_sigma(kernel, params, gamma), None, None)
    if params or gamma is not None:
        raise ValueError("kernel_params and gamma belong to a kernel given by name; this one brings its parameters")
    if isinstance(kernel, Kernel):
        return kernel
    if callable(kernel):
        return Kernel.from_function(kernel)
    raise TypeError(f"kernel is {shown(kernel)}, expected a name, a Kernel or a function of differences")


def as_params(kernel_params: Optional[KernelParams]) -> Dict[str, Any]:
    """What was given as kernel_params, as a dict of its own."""
    if kernel_params is None:
        return {}
    if not isinstance(kernel_params, Mapping) or not all(isinstance(name, str) for name in kernel_params):
        raise TypeError(f"kernel_params is {shown(kernel_params)}, expected None or a dict from names of parameters to values")
    return {check_text("the name of a parameter", name): value for name, value in kernel_params.items()}


def _with_sigma(name: str, params: Dict[str, Any], gamma: Optional[float]) -> Dict[str, Any]:
    if gamma is None:
        return params
    if "sigma" in params:
        raise ValueError("gamma and kernel_params['sigma'] are both given: they are the same bandwidth, give one")
    if isinstance(gamma, str):
        raise ValueError(f"gamma is {shown(gamma)}, expected a number above 0, or for estimators 'scale'")
    gamma = check_number("gamma", gamma)
    if is_formula(name):
        raise ValueError("gamma is the bandwidth of gaussian and laplacian kernels; a formula has parameters of its own")
    if name.endswith("gaussian"):
        return {"sigma": float(1 / np.sqrt(2 * gamma)), **params}
    if name.endswith("laplacian"):
        return {"sigma": float(1 / gamma), **params}
    raise ValueError(f"gamma is the bandwidth of gaussian and laplacian kernels; for {name} give kernel_params={{'sigma': …}}")


def kernel_choice(
    kernel: KernelLike,
    kernel_params: Optional[KernelParams],
    gamma: Union[None, float, str],
    n_columns: int,
    variance_of_all: Callable[[], float],
) -> Dict[str, Any]:
    """What estimators take as the library takes it: a name with those parameters that are known, or a kernel of its own.

    A name without sigma is stretched to the data there; so is sigma="auto". gamma="scale" is 1/(columns · variance_of_all()).
    """
    if isinstance(kernel, str) and kernel == "precomputed":
        raise ValueError("kernel='precomputed' takes rows of a kernel matrix in one process, expected a kernel of rows here")
    if not isinstance(kernel, str):
        return {"kernel": as_kernel(kernel, kernel_params, gamma)._core}  # as it is: it keeps the measure that was found of it
    params = as_params(kernel_params)
    if isinstance(gamma, str) and gamma == "scale":
        variance = variance_of_all()
        gamma = 1 / (n_columns * variance) if variance > 0 else 1.0
    if isinstance(params.get("sigma"), str) and params["sigma"] == "auto" and gamma is None:
        del params["sigma"]
    return {"kernel": kernel, "params": as_kernel(kernel, params, gamma).params}


def variance_of(X: Any, scale: Callable[[FloatArray], FloatArray]) -> float:
    """The variance of all numbers of the scaled rows, float64 and block by block: rounding aside as scale(X).var()."""
    if sp.issparse(X) and not scale(np.zeros((1, X.shape[1]))).any():  # zeros stay 0: only the other numbers are looked at
        numbers = X.data * scale(np.ones((1, X.shape[1])))[0, X.indices]
        n_all = X.shape[0] * X.shape[1]
        mean = numbers.sum() / n_all
        return float((np.square(numbers - mean).sum() + (n_all - len(numbers)) * mean**2) / n_all)
    count, mean, deviations = 0, 0.0, 0.0
    for _, rows in small_float64_blocks(X):
        rows = scale(rows)
        step = rows.mean() - mean
        total = count + rows.size
        deviations += rows.var() * rows.size + step**2 * (count * rows.size / total)
        mean += step * rows.size / total
        count = total
    return float(deviations / count)


def shifted(base: KernelLike, shift: Union[float, Sequence[float]]) -> Kernel:
    """The kernel k(δ + shift): large where x is near y - shift.

    Parameters
    ----------
    base : str, Kernel or callable
        A symmetric kernel of the registry, or a function of differences.
    shift : float or sequence of floats
        For every coordinate, or one number for all.

    Examples
    --------
    >>> from askrff import shifted
    >>> shifted("matern-3/2", 0.5)
    Kernel('shifted:matern-3/2', shift=0.5)
    """
    return as_kernel(base).shifted(shift)


def exact_kernel(
    X: Rows,
    Y: Optional[Rows] = None,
    *,
    kernel: KernelLike = "gaussian",
    kernel_params: Optional[KernelParams] = None,
    gamma: Optional[float] = None,
    n_jobs: Optional[int] = None,
) -> FloatArray:
    """The exact kernel matrix, to judge approximations by: O(n·m·d) time, n·m float64 numbers.

    Parameters
    ----------
    X : array-like or sparse matrix of shape (n, d)
    Y : array-like or sparse matrix of shape (m, d), default=None
        None: the rows of X.
    kernel : str, Kernel or callable, default="gaussian"
        As in :class:`FourierFeatures`.
    kernel_params : dict, default=None
        Parameters of a kernel given by name.
    gamma : float, default=None
        Another word for the bandwidth of gaussian and laplacian kernels.
    n_jobs : int, default=None
        Threads: None the library's default (1 inside a joblib worker), -1 all.

    Returns
    -------
    K : ndarray of shape (n, m), float64
        K[i, j] = k(x_i - y_j).

    Examples
    --------
    >>> from askrff import exact_kernel
    >>> exact_kernel([[0.0], [1.0]], kernel="shift-gaussian", kernel_params={"sigma": 1.0, "shift": 1.0}).round(3)
    array([[0.607, 1.   ],
           [0.135, 0.607]])
    """
    return as_kernel(kernel, kernel_params, gamma)(X, Y, n_jobs=n_jobs)
