"""The estimators of askrff for dask arrays and data frames, on whatever scheduler dask uses: threads, processes or a cluster.

The classes have the parameters, attributes and files of those of :mod:`askrff`; a fitted one is the same whatever the partitions and the
workers. ``fit`` reads the partitions once for every pass (three for features and ridge regression, a few dozen for the support vector
machine: persist them where memory allows); ``transform`` and ``predict`` are lazy. A task uses one thread unless n_jobs says otherwise.
Collections of other kinds go to the ordinary estimators.
"""

try:
    import dask.array  # noqa: F401
except ImportError as error:
    raise ImportError("askrff.dask needs dask, which is not installed: pip install 'askrff[dask]'") from error

from .estimators import FourierClassifier, FourierFeatures, FourierRegressor
from .operator import KernelOperator

__all__ = ["FourierClassifier", "FourierFeatures", "FourierRegressor", "KernelOperator"]
