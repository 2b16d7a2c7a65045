"""Kernels of formulas, and of tables of functions in them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, List, Optional, Sequence, Tuple

import numpy as np

from .._parameters import shown
from ._kernel import Kernel, restored_kernel


def expression(
    formula: str, /, *, tables: Optional[Mapping[str, Tuple[Sequence[float], Sequence[float]]]] = None, route: str = "auto", **params: Any
) -> Kernel:
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
    route : {"auto", "product", "radial", "ridge", "grid", "calibrated"}, default="auto"
        How its Fourier measure is found, as in :meth:`Kernel.from_function`; part of the name, ``"expr(route=radial): FORMULA"``. That
        neither is done but landmarks are taken is ``estimator="nystrom"`` of the estimators.
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
    if tables is not None and not isinstance(tables, Mapping):
        raise TypeError(f"tables is {shown(tables)}, expected None or a dict from names of functions to pairs of abscissae and values")
    for name, table in (tables or {}).items():
        if not isinstance(name, str):
            raise TypeError(f"tables has the name {shown(name)}, expected text")
        if name in params:
            raise ValueError(f"{name} is among the tables and among the parameters, expected one of them")
        params[name] = _table_values(name, table)
    if not isinstance(route, str):
        raise TypeError(f"route is {shown(route)}, expected the name of one")
    prefix = "expr" if route == "auto" else f"expr(route={route})"
    return restored_kernel(f"{prefix}: {formula.strip()}", params, None, None)


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
