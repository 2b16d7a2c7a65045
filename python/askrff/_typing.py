"""Types of the public interface, for checkers and editors."""

import os
from typing import TYPE_CHECKING, Any, Callable, Mapping, Sequence, Union

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.sparse import spmatrix

if TYPE_CHECKING:
    from .kernels import Kernel

AnyArray = NDArray[Any]
FloatArray = NDArray[Any]  # float32 or float64, as its maker says
Rows = Union[ArrayLike, spmatrix]  # arrays, sequences, sparse matrices, data frames
Targets = ArrayLike
Function = Callable[[NDArray[np.float64]], ArrayLike]  # differences (n, d) to n values
PairFunction = Callable[[NDArray[np.float64], NDArray[np.float64]], ArrayLike]  # rows (n, d) and (m, d) to (n, m) values
KernelLike = Union[str, "Kernel", Function]
KernelParams = Mapping[str, Union[float, Sequence[float], str]]
RandomState = Union[None, int, np.random.RandomState, np.random.Generator]
Dtype = Union[None, str, type, "np.dtype[Any]"]
PathLike = Union[str, bytes, "os.PathLike[Any]"]
Progress = Callable[[Any], object]
