"""Random Fourier features for kernels k(x - y) that need be neither symmetric nor positive definite.

    K(X, Y) ≈ features.transform(X) @ features.transform_right(Y).T

:class:`FourierFeatures` is a scikit-learn transformer, :class:`FourierClassifier` and :class:`FourierRegressor` are linear models on such
features; :func:`load` reads what they and the command line save. :class:`CausalOperator` and :class:`HawkesProcess` are for kernels of time
that look back only.
"""

try:
    from ._core import NumericalError, version as __version__
except ImportError as error:
    raise ImportError(
        f"askrff cannot be used without its compiled module askrff._core, on drivers of clusters too ({error}): install the wheel for this "
        "Python, or build it with pip install . in a copy of the sources"
    ) from error

from . import kernels
from ._validation import AccuracyWarning
from .causal import CausalOperator, ExponentialSum
from .classifier import FourierClassifier
from .diagnosis import Diagnosis, MatrixDiagnosis, diagnose
from .features import FourierFeatures
from .files import load
from .hawkes import HawkesProcess
from .inversion import SourceInversion
from .kernels import Kernel, exact_kernel, shifted
from .operator import KernelOperator, kernel_operator
from .regressor import FourierRegressor

__all__ = [
    "AccuracyWarning",
    "CausalOperator",
    "Diagnosis",
    "ExponentialSum",
    "FourierClassifier",
    "FourierFeatures",
    "FourierRegressor",
    "HawkesProcess",
    "Kernel",
    "KernelOperator",
    "MatrixDiagnosis",
    "NumericalError",
    "SourceInversion",
    "__version__",
    "diagnose",
    "exact_kernel",
    "kernel_operator",
    "kernels",
    "load",
    "shifted",
]
