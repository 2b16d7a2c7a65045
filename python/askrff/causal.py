"""Causal kernels in time: sums of exponentials, and their products with vectors in one ordered pass."""

from __future__ import annotations

from typing import Any, Callable, Optional, Tuple, Union

import numpy as np
from numpy.typing import ArrayLike

from . import _core
from ._parameters import check_count, check_number, shown, threads_from
from ._products import RealProducts
from ._typing import AnyArray, FloatArray


def numbers_of(name: str, values: ArrayLike) -> FloatArray:
    """A contiguous float64 array of one dimension; the core looks at what it holds."""
    array = np.asarray(values)
    if array.dtype.kind not in "fiu" or array.dtype.itemsize > 8:
        raise TypeError(f"{name} holds {array.dtype}, expected numbers that float64 can hold")
    if array.ndim != 1:
        raise ValueError(f"{name} has shape {array.shape}, expected one dimension")
    return np.ascontiguousarray(array, dtype=np.float64)


def row_of(array: AnyArray) -> AnyArray:
    """One row, as the core takes arrays of one dimension."""
    return array.reshape(1, -1)


class ExponentialSum:
    """A causal kernel: φ(t) = Σ amplitudes[k]·exp(-rates[k]·t) for t > 0, and 0 for t ≤ 0.

    Parameters
    ----------
    amplitudes : array-like of shape (n_terms,)
        Of either sign.
    rates : array-like of shape (n_terms,)
        At least 0.

    Attributes
    ----------
    error : float or None
        Of a sum made by :meth:`fit`: max |function - sum| / max |function|.

    Examples
    --------
    >>> import numpy as np
    >>> from askrff import ExponentialSum
    >>> phi = ExponentialSum.fit(lambda t: (1 + t) ** -1.5, horizon=100.0, tolerance=1e-5)
    >>> bool(abs(phi(3.0) - 4 ** -1.5) < 1e-5)
    True
    >>> phi(np.array([-1.0, 0.0]))
    array([0., 0.])
    """

    def __init__(self, amplitudes: ArrayLike, rates: ArrayLike) -> None:
        self.amplitudes, self.rates = numbers_of("amplitudes", amplitudes), numbers_of("rates", rates)
        self.error: Optional[float] = None
        self._values(np.zeros(0), integral=False)  # checks

    @classmethod
    def fit(
        cls,
        function: Callable[[FloatArray], ArrayLike],
        horizon: float,
        tolerance: float = 1e-6,
        shortest: Optional[float] = None,
        max_terms: int = 30,
    ) -> ExponentialSum:
        """Few exponentials that come near a function of time.

        Parameters
        ----------
        function : callable
            Takes times (n,), float64 and above 0, and gives as many numbers.
        horizon : float
            The longest time that counts.
        tolerance : float, default=1e-6
            On max |function - sum| / max |function| between `shortest` and `horizon`.
        shortest : float, default=None
            Shorter times are not looked at; None is a millionth of the horizon.
        max_terms : int, default=30
            At most so many exponentials; NumericalError if they do not suffice.

        Returns
        -------
        sum : ExponentialSum
        """
        if not callable(function):
            raise TypeError(f"function is {shown(function)}, expected a function of times")

        def checked(times: FloatArray) -> FloatArray:
            values = np.asarray(function(times), dtype=np.float64)
            if values.shape != times.shape:
                raise ValueError(f"the function returned shape {values.shape} for {len(times)} times, expected one number for each")
            return row_of(np.ascontiguousarray(values))

        least = 0.0 if shortest is None else check_number("shortest", shortest)
        amplitudes, rates, error = _core.fit_exponential_sum(
            checked, check_number("horizon", horizon), check_number("tolerance", tolerance), least, check_count("max_terms", max_terms)
        )
        result = cls(amplitudes, rates)
        result.error = error
        return result

    def __call__(self, t: ArrayLike) -> Union[float, FloatArray]:
        """φ at times of any shape."""
        return self._values(t, integral=False)

    def integral(self, t: ArrayLike) -> Union[float, FloatArray]:
        """Of φ from 0 to t, for times of any shape."""
        return self._values(t, integral=True)

    def _values(self, t: ArrayLike, integral: bool) -> Any:
        times = np.asarray(t, dtype=np.float64)
        values = _core.exponential_values(row_of(self.amplitudes), row_of(self.rates), row_of(np.ascontiguousarray(times)), integral)
        return float(values[0]) if times.ndim == 0 else values.reshape(times.shape)

    def __repr__(self) -> str:
        return f"ExponentialSum(amplitudes={self.amplitudes.tolist()}, rates={self.rates.tolist()})"


class CausalOperator(RealProducts):
    """The matrix φ(targets[i] - sources[j]) of a causal kernel, by its products, each in one pass over the times.

    Sources of the same time as a target or later have no part in it. The matrix is not stored: a product takes time and memory in
    proportion to targets + sources, and is exact to rounding. Vectors may be complex.

    Parameters
    ----------
    kernel : ExponentialSum
    targets : array-like of shape (n,)
        Times, in any order.
    sources : array-like of shape (m,), default=None
        None: the targets.
    n_jobs : int, default=None
        Threads; results are the same for any number.

    Examples
    --------
    >>> import numpy as np
    >>> from askrff import CausalOperator, ExponentialSum
    >>> K = CausalOperator(ExponentialSum([1.0], [np.log(2)]), targets=[0.0, 1.0, 2.0])
    >>> K @ np.array([8.0, 4.0, 2.0])
    array([0., 4., 4.])
    """

    def __init__(self, kernel: ExponentialSum, targets: ArrayLike, sources: Optional[ArrayLike] = None, *, n_jobs: Optional[int] = None) -> None:
        if not isinstance(kernel, ExponentialSum):
            raise TypeError(f"kernel is {shown(kernel)}, expected an ExponentialSum")
        t = numbers_of("targets", targets)
        s = t if sources is None else numbers_of("sources", sources)
        self._arguments = kernel, t, s, n_jobs
        self._product = _core.CausalProduct(row_of(kernel.amplitudes), row_of(kernel.rates), row_of(t), row_of(s))
        self._n_threads = threads_from(n_jobs)
        super().__init__(np.dtype(np.float64), (len(t), len(s)))

    def _product_with(self, V: AnyArray, transposed: bool) -> AnyArray:
        return self._product.apply(V, transposed, self._n_threads)

    def __reduce__(self) -> Tuple[Any, ...]:
        return _made_again, self._arguments


def _made_again(kernel: ExponentialSum, targets: FloatArray, sources: FloatArray, n_jobs: Optional[int]) -> CausalOperator:
    return CausalOperator(kernel, targets, sources, n_jobs=n_jobs)
