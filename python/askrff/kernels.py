"""Kernels as values: by name from the library's registry, or a function of differences. First stage of the flow."""

from __future__ import annotations

import copy
import inspect
import numbers
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Callable, Dict, List, Optional, Sequence, Tuple, Union

import numpy as np
import scipy.sparse as sp

from . import _core
from ._parameters import check_count, check_number, check_text, shown, threads_from
from ._typing import FloatArray, Function, KernelLike, KernelParams, PairFunction, Rows
from ._validation import free_rows, small_float64_blocks

__all__ = ["Kernel", "exact_kernel", "expression", "shifted"]


class Kernel:
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

    Kernels are added, subtracted and multiplied, by each other and by numbers.

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
        tolerance: float = 1e-6,
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
        """That of a map or a file, with all its parameters."""
        return _restored_kernel(core.name, core.parameters, core.function, core.symmetric, core.form, not core.shift_invariant)

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
        self._name, self._params, self._function = name, {key: _kept(key, value) for key, value in params.items()}, function
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

    def shifted(self, shift: Union[float, Sequence[float]]) -> Kernel:
        """The kernel k(δ + shift), for a symmetric kernel of the registry or any function."""
        return shifted(self, shift)

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

    def __add__(self, other: Any) -> Kernel:
        return _combined(self, other, np.add, "{} + {}") if isinstance(other, Kernel) else NotImplemented

    def __radd__(self, other: Any) -> Kernel:
        return self if isinstance(other, int) and other == 0 else NotImplemented  # what sum() begins with

    def __sub__(self, other: Any) -> Kernel:
        return _combined(self, other, np.subtract, "{} - {}", "right") if isinstance(other, Kernel) else NotImplemented

    def __mul__(self, other: Any) -> Kernel:
        if isinstance(other, numbers.Real) and not isinstance(other, bool):
            return _combined(_Factor(other), self, np.multiply, "{}*{}", "right")
        return _combined(self, other, np.multiply, "{}*{}", "both") if isinstance(other, Kernel) else NotImplemented

    __rmul__ = __mul__

    def __neg__(self) -> Kernel:
        return -1.0 * self

    def _text(self, in_parentheses: bool) -> str:
        """As the core reads it in a sum or product."""
        is_composed = self._name.removeprefix("shifted:") not in names()
        if is_composed and self._params:
            raise ValueError("a sum or product with scales cannot be part of another one; give its kernels scales")
        if is_composed:
            return f"({self._name})" if in_parentheses else self._name
        given = [f"{name}={value if isinstance(value, str) else _number_text(value)}" for name, value in self._params.items()]
        return f"{self._name}({', '.join(given)})" if given else self._name

    def _key(self) -> Tuple[Any, ...]:
        params = [(name, np.asarray(value).tolist()) for name, value in sorted(self._params.items())]
        return self._name, self._function, self.symmetric, self.shift_invariant, params, self._core.form

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Kernel) and self._key() == other._key()

    def __hash__(self) -> int:
        return hash((self._name, self._function))

    def __reduce__(self) -> Tuple[Any, ...]:
        symmetric = self.symmetric if self._function is not None else None
        return _restored_kernel, (self._name, self._params, self._function, symmetric, self._core.form, not self.shift_invariant)


def _number_text(value: Any) -> str:
    return f"[{', '.join(_number_text(each) for each in value)}]" if isinstance(value, list) else repr(float(value))


class _Factor(float):
    """A number as a factor of a kernel."""

    def _text(self, in_parentheses: bool) -> str:
        return repr(float(self))


class _CombinedFunction:
    """δ ↦ operation(a(δ), b(δ)) of kernels of which one at least is a function; a class, so that it can be pickled if they can."""

    def __init__(self, a: Union[Kernel, _Factor], b: Kernel, operation: Any) -> None:
        self.a, self.b, self.operation = a, b, operation

    def __call__(self, differences: FloatArray) -> Any:
        return self.operation(_values(self.a, differences), _values(self.b, differences))


def _values(kernel: Union[Kernel, _Factor], differences: FloatArray) -> Any:
    if isinstance(kernel, _Factor):
        return float(kernel)
    if kernel.function is not None:
        return np.asarray(kernel.function(differences), dtype=np.float64)
    return kernel(differences, np.zeros((1, differences.shape[1])))[:, 0]


def _combined(a: Union[Kernel, _Factor], b: Kernel, operation: Any, form: str, parentheses: str = "") -> Kernel:
    """By text where both are of the registry, else a function. `parentheses`: which sides get them if they are sums or products."""

    def has_text(kernel: Union[Kernel, _Factor]) -> bool:  # a formula is a text of another language
        return isinstance(kernel, _Factor) or (kernel.function is None and not kernel.name.startswith("expr:"))

    if has_text(a) and has_text(b):
        return Kernel(form.format(a._text(parentheses == "both"), b._text(parentheses in ("both", "right"))))
    symmetric = b.symmetric and (isinstance(a, _Factor) or a.symmetric)
    name = form.format(*[f"{float(k)}" if isinstance(k, _Factor) else f"({k.name})" for k in (a, b)])
    return Kernel.from_function(_CombinedFunction(a, b, operation), symmetric=symmetric, name=name)


def _kept(name: str, value: Any) -> Any:
    """A copy of a parameter's value, since the caller may go on to change an array: text, a number, or a list of numbers."""
    if isinstance(value, str):
        return check_text(name, value)
    try:
        value = np.asarray(value).tolist()
        for number in value if isinstance(value, list) else [value]:
            float(number)
    except OverflowError:
        raise ValueError(f"{name} is {shown(value)}, expected numbers that a float can hold") from None
    except (TypeError, ValueError):
        pass  # the core says what it is and what was expected
    return value


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


def _restored_kernel(
    name: str,
    params: Dict[str, Any],
    function: Optional[Function],
    symmetric: Optional[bool],
    form: Optional[Dict[str, Any]] = None,
    of_pairs: bool = False,
) -> Kernel:
    kernel = Kernel.__new__(Kernel)
    kernel._set(name, params, function, symmetric, form, of_pairs)
    return kernel


def _direction(direction: Sequence[float]) -> List[float]:
    values = np.asarray(direction, dtype=np.float64)
    if values.ndim != 1 or not len(values):
        raise ValueError(f"direction is {shown(direction)}, expected a sequence of numbers, one for each column")
    return values.tolist()


class _ShiftedFunction:
    """δ ↦ base(δ + shift) of a user's function; a class, so that it can be pickled if the function can."""

    def __init__(self, base: Function, shift: Union[float, Sequence[float]]) -> None:
        self.base, self.shift = base, np.array(_kept("shift", shift), dtype=np.float64)
        self.__name__ = f"shifted:{getattr(base, '__name__', 'function')}"

    def __call__(self, differences: FloatArray) -> Any:
        return self.base(differences + self.shift)


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
    base = as_kernel(base)
    if not base.shift_invariant:
        raise ValueError(f"kernel {base.name} is no function of x - y, expected one that is: there is nothing to shift")
    if base.function is not None:
        return Kernel.from_function(_ShiftedFunction(base.function, shift))
    return Kernel(f"shifted:{base.name}", **{**base.params, "shift": shift})


def expression(formula: str, /, *, tables: Optional[Mapping[str, Tuple[Sequence[float], Sequence[float]]]] = None, **params: Any) -> Kernel:
    """The kernel of a formula in the differences of coordinates, evaluated by vector instructions over blocks of pairs.

    Files keep such a kernel, and every estimator takes it; ``kernel="expr: FORMULA"`` with ``kernel_params`` is the same.

    Parameters
    ----------
    formula : str
        In ``x``: k is the product over all coordinates of δ = x - y. Or in any of ``r``, the length of δ, ``t``, its inner product with
        the parameter ``a``, and single coordinates ``x1``, ``x2``, … Powers are ``^`` or ``**``, a condition is ``c ? u : v``;
        docs/expressions.md has the functions.
    tables : dict, default=None
        From names of functions in the formula to pairs of increasing abscissae and values: a cubic between them, 0 outside.
    **params : float, sequence of floats or str
        Values of all other names of the formula. In formulas in ``x`` also a number for each coordinate, or ``"2/d"``.

    Examples
    --------
    >>> from askrff import kernels
    >>> k = kernels.expression("exp(-abs(x + 0.3)/s) * (1 + 0.5*tanh(x))", s=0.8)
    >>> k
    Kernel('expr: exp(-abs(x + 0.3)/s) * (1 + 0.5*tanh(x))', s=0.8)
    >>> k([[0.0]], [[0.3], [-0.3]]).round(3)
    array([[0.854, 0.541]])
    >>> k.symmetric
    False
    >>> kernels.expression("f(r)", tables={"f": ([0, 1, 2], [1, 0.5, 0])})([[0.0]], [[0.5]])
    array([[0.75]])
    """
    if not isinstance(formula, str):
        raise TypeError(f"a formula is text, got {type(formula).__name__}")
    for name, table in (tables or {}).items():
        if name in params:
            raise ValueError(f"{name} is among the tables and among the parameters, expected one of them")
        params[name] = _table_values(name, table)
    return _restored_kernel(f"expr: {formula.strip()}", params, None, None)


def _table_values(name: str, table: Any) -> List[float]:
    """x0, f0, x1, f1, …"""
    try:
        abscissae, values = (np.asarray(side, dtype=np.float64) for side in table)
    except (TypeError, ValueError):
        raise TypeError(f"table {name} is {shown(table)}, expected a pair of abscissae and values") from None
    if abscissae.ndim != 1 or abscissae.shape != values.shape:
        raise ValueError(
            f"table {name} has abscissae of shape {abscissae.shape} and values of shape {values.shape}, expected as many of each"
        )
    return list(np.column_stack((abscissae, values)).ravel().tolist())


def names() -> List[str]:
    """Names of the kernels of the registry.

    Examples
    --------
    >>> from askrff import kernels
    >>> "shift-gaussian" in kernels.names()
    True
    """
    return [entry["name"] for entry in _core.kernels() if not entry["wraps_another"]]


def as_kernel(kernel: KernelLike, kernel_params: Optional[KernelParams] = None, gamma: Optional[float] = None) -> Kernel:
    """A Kernel of what estimators take: a name with parameters, a Kernel, or a function of differences.

    `gamma` is scikit-learn's word for the bandwidth: exp(-γ|δ|²) is sigma = 1/√(2γ), and exp(-γ|δ|₁) is sigma = 1/γ.
    """
    params = as_params(kernel_params)
    if isinstance(kernel, str):
        return _restored_kernel(kernel, _with_sigma(kernel, params, gamma), None, None)
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
    if name.startswith("expr:"):
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
        own = as_kernel(kernel, kernel_params, gamma)
        return {"kernel": own._core} if own.function is not None else {"kernel": own.name, "params": own._core.parameters}
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


def _factory(entry: Dict[str, Any]) -> Callable[..., Kernel]:
    """A function of the registry's entry: kernels.shift_gaussian(sigma=…, shift=…)."""
    parameters = entry["parameters"]

    def make(**params: Any) -> Kernel:
        return Kernel(entry["name"], **params)

    make.__name__ = make.__qualname__ = entry["name"].replace("-", "_").replace("/", "_")
    make.__signature__ = inspect.Signature(
        [inspect.Parameter(p["name"], inspect.Parameter.KEYWORD_ONLY, default=p["default"]) for p in parameters]
    )
    described = "\n".join(f"{p['name']} : default={p['default']}\n    {p['meaning']}" for p in parameters)
    make.__doc__ = f"The kernel {entry['formula']}, δ = x - y.\n\nParameters\n----------\n{described}\n"
    return make


if TYPE_CHECKING:  # checkers cannot see what follows

    def __getattr__(name: str) -> Callable[..., Kernel]: ...


# One function per kernel of the registry, which is the only list: kernels.gaussian, kernels.matern_3_2, …
for _entry in _core.kernels():
    if not _entry["wraps_another"]:
        _make = _factory(_entry)
        globals()[_make.__name__] = _make
        __all__.append(_make.__name__)
del _entry, _make
