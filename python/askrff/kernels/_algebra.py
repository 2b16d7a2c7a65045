"""Sums, differences, products and shifts of kernels: by the library's texts where there are such, else functions of functions."""

from __future__ import annotations

import numbers
from typing import TYPE_CHECKING, Any, Dict, Sequence, Union

import numpy as np

from .._parameters import kept
from .._typing import FloatArray, Function
from ._registry import is_formula, names

if TYPE_CHECKING:
    from ._kernel import Kernel


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
        """The kernel k(δ + shift), for a symmetric kernel of the registry or any function."""
        if not self.shift_invariant:
            raise ValueError(f"kernel {self.name} is no function of x - y, expected one that is: there is nothing to shift")
        if self.function is not None:
            return type(self).from_function(ShiftedFunction(self.function, shift))
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
    return type(b).from_function(CombinedFunction(a, b, operation), symmetric=symmetric, name=name)


class ShiftedFunction:
    """δ ↦ base(δ + shift) of a user's function; a class, so that it can be pickled if the function can."""

    def __init__(self, base: Function, shift: Union[float, Sequence[float]]) -> None:
        self.base, self.shift = base, np.array(kept("shift", shift), dtype=np.float64)
        self.__name__ = f"shifted:{getattr(base, '__name__', 'function')}"

    def __call__(self, differences: FloatArray) -> Any:
        return self.base(differences + self.shift)
