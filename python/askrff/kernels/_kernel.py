"""A kernel as a value: by name from the library's registry, a formula, or a function of differences or of pairs. First stage of the flow."""

from __future__ import annotations

import copy
from typing import Any, Dict, List, Optional, Sequence, Tuple

import numpy as np

from .. import _core
from .._parameters import check_count, check_number, check_text, kept, shown, threads_from
from .._typing import FloatArray, Function, PairFunction, Rows
from .._validation import free_rows
from ._algebra import DEFAULT_TOLERANCE, KernelAlgebra


class Kernel(KernelAlgebra):
    """A kernel k(x - y): not necessarily symmetric, nor positive definite.

    Parameters
    ----------
    name : str
        One of ``askrff.kernels.names()``, ``"shifted:NAME"`` with a symmetric kernel of that list, a sum or product of such,
        ``"gaussian(sigma=0.5) + 0.3*laplacian"``, or ``"expr: FORMULA"``, see :func:`askrff.kernels.expression`.
    **params : float, sequence of floats or str
        Parameters of that kernel; those left out have its defaults. Vectors (``shift``, ``beta``) may be a number for every
        coordinate, a sequence of as many numbers as there are columns, or ``"2/d"`` for 2 over the number of columns. Every kernel
        takes ``scales``, lengths by which coordinates are divided first.

    Kernels are added, subtracted and multiplied, by each other and by numbers. With a function of pairs among them the result is one of
    pairs, with a function of differences one of differences: multiples keep its route, direction and tolerance; sums and products keep
    those that both have, if the result can have them (sums of products are no products, and ridges may differ in direction), else route
    and tolerance are the usual ones.

    Examples
    --------
    >>> from askrff import Kernel
    >>> k = Kernel("shift-gaussian", sigma=1.0, shift=0.5)
    >>> k
    Kernel('shift-gaussian', sigma=1.0, shift=0.5)
    >>> k([[0.0]], [[0.5], [-0.5]]).round(4)
    array([[1.    , 0.6065]])
    >>> k.symmetric
    False
    >>> k + 0.3 * Kernel("gaussian", sigma=2.0)
    Kernel('shift-gaussian(sigma=1.0, shift=0.5) + 0.3*gaussian(sigma=2.0)')
    """

    def __init__(self, name: str, **params: Any) -> None:
        self._set(name, dict(params), None, None)

    @classmethod
    def from_function(
        cls,
        function: Function,
        *,
        symmetric: bool = False,
        name: Optional[str] = None,
        route: str = "auto",
        direction: Optional[Sequence[float]] = None,
        tolerance: float = DEFAULT_TOLERANCE,
    ) -> Kernel:
        """A kernel of one's own. Its Fourier measure is found numerically when it is first needed, see :meth:`measure_reason`.

        Parameters
        ----------
        function : callable
            From differences x - y, an array of shape (n, d), to n values. It has to be defined on all of R^d; far out, where it has
            fallen to nothing, it may return anything. n is 256 at most where weights are calibrated and 16 384 at most elsewhere.
        symmetric : bool, default=False
            Whether k(δ) = k(-δ); it is taken at its word.
        name : str, default=None
            For messages; None is the function's own name.
        route : {"auto", "product", "radial", "ridge", "grid", "calibrated"}, default="auto"
            How its Fourier measure is found: as a product of functions of one coordinate each, a function of the distance, a Gaussian
            across one direction times a function along it, on a grid (up to 3 columns), or not at all ("calibrated": generic
            frequencies, every weight fitted). "auto" takes the first that fits. A route that is asked for and does not fit raises
            ValueError.
        direction : sequence of floats, default=None
            Of a ridge; None: the gradient at 0.
        tolerance : float, default=1e-6
            Of the kernel, relative to its largest value, that transforms aim at; 1e-8 to 0.1.

        Examples
        --------
        >>> import numpy as np
        >>> from askrff import Kernel
        >>> k = Kernel.from_function(lambda delta: np.exp(-np.sum((delta + 1) ** 2, axis=1)), name="mine")
        >>> k([[0.0]], [[1.0]])
        array([[1.]])
        """
        if not callable(function):
            raise TypeError(f"Kernel.from_function takes a function of differences, got {type(function).__name__}")
        kernel = cls.__new__(cls)
        form = {"route": route, "direction": None if direction is None else _direction(direction)}
        form["tolerance"] = check_number("tolerance", tolerance)
        kernel._set(name or getattr(function, "__name__", "function"), {}, function, bool(symmetric), form)
        return kernel

    @classmethod
    def from_pairs(cls, function: PairFunction, *, symmetric: bool = False, name: Optional[str] = None) -> Kernel:
        """A similarity k(x, y) of one's own that is no function of x - y: its features are kernel values at landmarks.

        Estimators with ``estimator="auto"``, ``"best"`` or ``"nystrom"`` take it, others refuse it. Rows are what the function makes of
        them: features, times, numbers of things in a table.

        Parameters
        ----------
        function : callable
            From rows X and Y, read-only arrays of shape (n, d) and (m, d), to their values, (n, m). Rows come in blocks; it is called on
            the thread of the caller only.
        symmetric : bool, default=False
            Whether k(x, y) = k(y, x); it is taken at its word.
        name : str, default=None
            For messages; None is the function's own name.

        Examples
        --------
        >>> import numpy as np
        >>> from askrff import Kernel
        >>> k = Kernel.from_pairs(lambda X, Y: X @ (2 * Y).T, name="twice")
        >>> k([[1.0, 2.0]], [[3.0, 4.0], [0.5, 0.0]])
        array([[22.,  1.]])
        """
        if not callable(function):
            raise TypeError(f"Kernel.from_pairs takes a function of two blocks of rows, got {type(function).__name__}")
        kernel = cls.__new__(cls)
        kernel._set(name or getattr(function, "__name__", "function"), {}, function, bool(symmetric), of_pairs=True)
        return kernel

    @classmethod
    def from_core(cls, core: _core.Kernel) -> Kernel:
        """That of a map or a file, with all its parameters and the measure that was found of it."""
        kernel = cls.__new__(cls)
        kernel._name, kernel._params, kernel._function, kernel._core = core.name, core.parameters, core.function, core
        return kernel

    def _set(
        self,
        name: str,
        params: Dict[str, Any],
        function: Optional[Function],
        symmetric: Optional[bool],
        form: Optional[Dict[str, Any]] = None,
        of_pairs: bool = False,
    ) -> None:
        if not isinstance(name, str):
            raise TypeError(f"a kernel's name is text, got {type(name).__name__}")
        check_text("a kernel's name", name)
        self._name, self._params, self._function = name, {key: kept(key, value) for key, value in params.items()}, function
        self._core = core_kernel(name, self._params, function, symmetric, form, of_pairs)

    @property
    def name(self) -> str:
        """As in the registry, or that of the function."""
        return self._name

    @property
    def params(self) -> Dict[str, Any]:
        """The parameters that were given; the others have their defaults."""
        return copy.deepcopy(self._params)

    @property
    def function(self) -> Optional[Function]:
        """The user's function, None for a kernel of the registry."""
        return self._function

    @property
    def shift_invariant(self) -> bool:
        """Whether it is a function of x - y; False for one of :meth:`from_pairs`."""
        return bool(self._core.shift_invariant)

    @property
    def symmetric(self) -> bool:
        """Whether k(δ) = k(-δ)."""
        return bool(self._core.symmetric)

    @property
    def positive_definite(self) -> bool:
        """Whether it is known to be positive definite; False for a function."""
        return bool(self._core.positive_definite)

    def measure_reason(self, dim: int) -> str:
        """How the Fourier measure of a function was found for `dim` columns, and how near it is, or why there is none.

        Empty for a kernel of the registry, whose measure is known. The function is called, some 20 000 times.
        """
        return self._core.measure_reason(check_count("dim", dim))

    def masses(self, dim: int) -> Optional[Dict[str, float]]:
        """Masses of the Jordan parts of the Fourier measure in `dim` dimensions, as a dict; None where they are not known exactly."""
        return self._core.masses(check_count("dim", dim))

    def __call__(self, X: Rows, Y: Optional[Rows] = None, *, n_jobs: Optional[int] = None) -> FloatArray:
        """The exact kernel matrix k(x_i - y_j), float64, in O(n·m·d); of sparse rows, d are the numbers of a row.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n, d)
        Y : array-like or sparse matrix of shape (m, d), default=None
            None: the rows of X.
        n_jobs : int, default=None
            Threads: None the library's default (1 inside a joblib worker), -1 all.
        """
        X = free_rows(X)
        Y = X if Y is None else free_rows(Y)
        return self._core.gram(X, Y, threads_from(n_jobs))

    def __repr__(self) -> str:
        given = "".join(f", {name}={value!r}" for name, value in self._params.items())
        if self._function is not None:
            maker = "from_function" if self.shift_invariant else "from_pairs"
            return f"Kernel.{maker}({self._name}, symmetric={self.symmetric})"
        return f"Kernel({self._name!r}{given})"

    def _key(self) -> Tuple[Any, ...]:
        params = [(name, np.asarray(value).tolist()) for name, value in sorted(self._params.items())]
        return self._name, self._function, self.symmetric, self.shift_invariant, params, self._core.form

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Kernel) and self._key() == other._key()

    def __hash__(self) -> int:
        return hash((self._name, self._function))

    def __copy__(self) -> Kernel:
        return self  # a value, and clones of an estimator share the measure that was found of it

    def __deepcopy__(self, memo: Dict[int, Any]) -> Kernel:
        return self

    def __reduce__(self) -> Tuple[Any, ...]:
        symmetric = self.symmetric if self._function is not None else None
        return restored_kernel, (self._name, self._params, self._function, symmetric, self._core.form, not self.shift_invariant)


def core_kernel(
    name: str,
    params: Dict[str, Any],
    function: Optional[Function],
    symmetric: Optional[bool],
    form: Optional[Dict[str, Any]] = None,
    of_pairs: bool = False,
) -> _core.Kernel:
    """The library's: one of the registry, or a function of differences (with its form) or of pairs."""
    if function is None:
        return _core.make_kernel(name, params)
    if of_pairs:
        return _core.callable_pairs(function, name, bool(symmetric))
    return _core.callable_kernel(function, name, bool(symmetric), **(form or {}))


def restored_kernel(
    name: str,
    params: Dict[str, Any],
    function: Optional[Function],
    symmetric: Optional[bool],
    form: Optional[Dict[str, Any]] = None,
    of_pairs: bool = False,
) -> Kernel:
    """What Kernel(name, **params) and its other makers give; parameters may have any name, and pickles call it."""
    kernel = Kernel.__new__(Kernel)
    kernel._set(name, params, function, symmetric, form, of_pairs)
    return kernel


def _direction(direction: Sequence[float]) -> List[float]:
    values = np.asarray(direction, dtype=np.float64)
    if values.ndim != 1 or not len(values):
        raise ValueError(f"direction is {shown(direction)}, expected a sequence of numbers, one for each column")
    return values.tolist()
