"""Sums, differences, products and shifts of kernels: by the library's texts where there are such, else functions of differences or of pairs."""

from __future__ import annotations

import numbers
import re
from typing import TYPE_CHECKING, Any, Dict, Sequence, Union

import numpy as np

from .._parameters import kept, shown
from .._typing import FloatArray, Function
from ._registry import is_formula, names

if TYPE_CHECKING:
    from ._kernel import Kernel

# Of Kernel.from_function.
DEFAULT_TOLERANCE = 1e-6


class KernelAlgebra:
    """The operators of a kernel, and its shift."""

    if TYPE_CHECKING:
        _name: str
        _params: Dict[str, Any]

    def __add__(self: Kernel, other: Any) -> Kernel:
        return _combined(self, other, np.add, "{} + {}") if isinstance(other, KernelAlgebra) else NotImplemented

    def __radd__(self: Kernel, other: Any) -> Kernel:
        return self if isinstance(other, int) and other == 0 else NotImplemented  # what sum() begins with

    def __sub__(self: Kernel, other: Any) -> Kernel:
        return _combined(self, other, np.subtract, "{} - {}", "right") if isinstance(other, KernelAlgebra) else NotImplemented

    def __mul__(self: Kernel, other: Any) -> Kernel:
        if isinstance(other, numbers.Real) and not isinstance(other, bool):
            return _combined(Factor(other), self, np.multiply, "{}*{}", "right")
        return _combined(self, other, np.multiply, "{}*{}", "both") if isinstance(other, KernelAlgebra) else NotImplemented

    __rmul__ = __mul__

    def __neg__(self: Kernel) -> Kernel:
        return -1.0 * self

    def shifted(self: Kernel, shift: Union[float, Sequence[float]]) -> Kernel:
        """The kernel k(δ + shift), for a symmetric kernel of the registry or any function of differences.

        That of a function keeps its route, direction and tolerance; radial becomes auto: it is no function of the distance any more.
        """
        if not self.shift_invariant:
            raise ValueError(f"kernel {self.name} is no function of x - y, expected one that is: there is nothing to shift")
        if is_formula(self.name):
            raise ValueError(f"kernel {shown(self.name)} is a formula and is not shifted: write the shift into it, (x + 0.3) for x")
        if self.function is not None:
            form = dict(self._core.form)
            form["route"] = "auto" if form["route"] == "radial" else form["route"]
            return type(self).from_function(ShiftedFunction(self.function, shift), **form)
        return type(self)(f"shifted:{self.name}", **{**self.params, "shift": shift})

    def _text(self, in_parentheses: bool) -> str:
        """As the core reads it in a sum or product."""
        is_composed = self._name.removeprefix("shifted:") not in names()
        if is_composed and self._params:
            raise ValueError("a sum or product with scales cannot be part of another one; give its kernels scales")
        if is_composed:
            return f"({self._name})" if in_parentheses else self._name
        given = [f"{name}={value if isinstance(value, str) else _number_text(value)}" for name, value in self._params.items()]
        return f"{self._name}({', '.join(given)})" if given else self._name


def _number_text(value: Any) -> str:
    return f"[{', '.join(_number_text(each) for each in value)}]" if isinstance(value, list) else repr(float(value))


class Factor(float):
    """A number as a factor of a kernel."""

    def _text(self, in_parentheses: bool) -> str:
        return repr(float(self))


class CombinedFunction:
    """δ ↦ operation(a(δ), b(δ)) of kernels of which one at least is a function; a class, so that it can be pickled if they can."""

    def __init__(self, a: Union[Kernel, Factor], b: Kernel, operation: Any) -> None:
        self.a, self.b, self.operation = a, b, operation

    def __call__(self, differences: FloatArray) -> Any:
        return self.operation(_values(self.a, differences), _values(self.b, differences))


class CombinedPairs:
    """(X, Y) ↦ operation(a(X, Y), b(X, Y)) of kernels of which one at least is no function of differences."""

    def __init__(self, a: Union[Kernel, Factor], b: Kernel, operation: Any) -> None:
        self.a, self.b, self.operation = a, b, operation

    def __call__(self, X: FloatArray, Y: FloatArray) -> Any:
        a, b = (float(k) if isinstance(k, Factor) else k(X, Y, n_jobs=1) for k in (self.a, self.b))
        return self.operation(a, b)


def _values(kernel: Union[Kernel, Factor], differences: FloatArray) -> Any:
    if isinstance(kernel, Factor):
        return float(kernel)
    if kernel.function is not None:
        return np.asarray(kernel.function(differences), dtype=np.float64)
    return kernel(differences, np.zeros((1, differences.shape[1])))[:, 0]


def _combined(a: Union[Kernel, Factor], b: Kernel, operation: Any, form: str, parentheses: str = "") -> Kernel:
    """By text where both are of the registry, else a function. `parentheses`: which sides get them if they are sums or products."""

    def has_text(kernel: Union[Kernel, Factor]) -> bool:  # a formula is a text of another language
        return isinstance(kernel, Factor) or (kernel.function is None and not is_formula(kernel.name))

    if has_text(a) and has_text(b):
        return type(b)(form.format(a._text(parentheses == "both"), b._text(parentheses in ("both", "right"))))
    symmetric = b.symmetric and (isinstance(a, Factor) or a.symmetric)
    name = form.format(*[f"{float(k)}" if isinstance(k, Factor) else f"({k.name})" for k in (a, b)])
    if not b.shift_invariant or not (isinstance(a, Factor) or a.shift_invariant):
        return type(b).from_pairs(CombinedPairs(a, b, operation), symmetric=symmetric, name=name)
    return type(b).from_function(CombinedFunction(a, b, operation), symmetric=symmetric, name=name, **_joint_form(a, b, operation))


def _joint_form(a: Union[Kernel, Factor], b: Kernel, operation: Any) -> Dict[str, Any]:
    """Route, direction and tolerance of a combination: of a multiple those of the kernel, else those both have, where the combination of
    two such functions is one again. Sums of products are no products, and two ridges need not have one direction."""
    if isinstance(a, Factor):
        return _form(b)
    lost = ("ridge",) if operation is np.multiply else ("ridge", "product")
    form = _form(a)
    return form if form == _form(b) and form.get("route") not in lost else {}


def _form(kernel: Kernel) -> Dict[str, Any]:
    """That of a function; of a formula its route."""
    if kernel.function is not None:
        return dict(kernel._core.form)
    route = re.match(r"expr\(route=([a-z]+)\):", kernel.name)
    return {"route": route[1], "direction": None, "tolerance": DEFAULT_TOLERANCE} if route else {}


def _shift_values(shift: Any) -> FloatArray:
    try:
        values = np.array(kept("shift", shift), dtype=np.float64)
    except (TypeError, ValueError):
        values = np.empty((0, 0))
    if values.ndim > 1 or not values.size or not np.isfinite(values).all():
        raise ValueError(f"shift is {shown(shift)}, expected a finite number or one for every column")
    return values


class ShiftedFunction:
    """δ ↦ base(δ + shift) of a user's function; a class, so that it can be pickled if the function can."""

    def __init__(self, base: Function, shift: Union[float, Sequence[float]]) -> None:
        self.base, self.shift = base, _shift_values(shift)
        self.__name__ = f"shifted:{getattr(base, '__name__', 'function')}"

    def __call__(self, differences: FloatArray) -> Any:
        if self.shift.ndim and len(self.shift) != differences.shape[1]:
            raise ValueError(f"shift has {len(self.shift)} numbers for rows with {differences.shape[1]} columns, expected one or as many as columns")
        return self.base(differences + self.shift)
