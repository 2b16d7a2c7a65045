"""The library's list of kernels, and a function that makes each of them."""

from __future__ import annotations

from typing import List

from .. import _core


def names() -> List[str]:
    """Names of the kernels of the registry.

    Examples
    --------
    >>> from askrff import kernels
    >>> "shift-gaussian" in kernels.names()
    True
    """
    return [entry["name"] for entry in _core.kernels() if not entry["wraps_another"]]


def is_formula(name: str) -> bool:
    """Whether a kernel's name is a formula, "expr: …" or "expr(route=…): …": a text of another language than sums and products of names."""
    return name.startswith(("expr:", "expr("))
