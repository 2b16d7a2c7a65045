"""Kernels as values: by name from the library's registry, by formula, or functions of differences or of pairs.

One function makes each kernel of the registry: ``kernels.gaussian(sigma=1.0)``, ``kernels.matern_3_2()``, …; :func:`names` lists them.
"""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING, Any, Callable, Dict

from .. import _core
from ._algebra import CombinedFunction as _CombinedFunction  # older pickles name these by their old names
from ._algebra import Factor as _Factor
from ._algebra import ShiftedFunction as _ShiftedFunction
from ._choice import as_kernel, as_params, exact_kernel, kernel_choice, shifted, variance_of
from ._formulas import expression
from ._kernel import Kernel, core_kernel
from ._kernel import restored_kernel as _restored_kernel
from ._registry import names

__all__ = ["Kernel", "exact_kernel", "expression", "names", "shifted"]


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
    make.__doc__ = f"The kernel ``{entry['formula']}``, δ = x - y.\n\nParameters\n----------\n{described}\n"
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
