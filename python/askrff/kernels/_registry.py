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
