"""Parameters of askrff's estimators as those of pyspark.ml: the same names, defaults and words."""

from __future__ import annotations

import inspect
import re
from typing import Any, Callable, Dict, Sequence, TypeVar, Union

import numpy as np
from pyspark.ml.param import Param, Params
from pyspark.ml.param.shared import HasSeed

C = TypeVar("C", bound=type)

# In their place are seed, and Spark's own reports.
_LEFT_OUT = ("self", "random_state", "progress", "max_row_bytes")


def plain(value: Any) -> Any:
    """Of NumPy's values those that JSON holds too; askrff checks them when they are used."""
    if isinstance(value, (np.generic, np.ndarray)):
        return value.tolist()
    if isinstance(value, np.dtype) or (isinstance(value, type) and issubclass(value, np.generic)):
        return np.dtype(value).name
    if isinstance(value, (list, tuple)):
        return [plain(each) for each in value]
    return {key: plain(each) for key, each in value.items()} if isinstance(value, dict) else value


def by_label(value: Any) -> Any:
    """class_weight, whose labels JSON makes text of."""
    return {float(label): plain(weight) for label, weight in value.items()} if isinstance(value, dict) else value


def one_or_more_names(value: Any) -> Union[str, Sequence[str]]:
    if isinstance(value, str):
        return value
    names = list(value) if isinstance(value, (list, tuple)) else []
    if not names or not all(isinstance(name, str) for name in names):
        raise TypeError(f"{value!r} is no name of a column, nor a list of such names")
    return names


def with_parameters_of(local: type) -> Callable[[C], C]:
    """Class decorator: a Param for every parameter of an estimator of askrff."""

    def add(cls: C) -> C:
        cls._local_class = local
        cls._local_defaults = {
            name: each.default for name, each in inspect.signature(local.__init__).parameters.items() if name not in _LEFT_OUT
        }
        for name in cls._local_defaults:
            setattr(cls, name, Param(Params._dummy(), name, _doc_of(local, name), by_label if name == "class_weight" else plain))
        return cls

    return add


def _doc_of(local: type, name: str) -> str:
    """What its documentation says of a parameter, as one line."""
    found = re.search(rf"^    {name} : (.*)\n((?:        .*\n)+)", local.__doc__ or "", flags=re.MULTILINE)
    return " ".join(f"{found[1]}. {found[2]}".split()) if found else f"as in askrff.{local.__name__}"


class AskrffParams(HasSeed):
    """The parameters of an estimator of askrff, and how Spark reads the rows."""

    persist = Param(
        Params._dummy(),
        "persist",
        "Whether fit has the executors keep the columns it reads, in memory and on their disks, unless the data frame is persisted already. "
        "If not, every pass reads the source anew; it must give the same partitions with the same rows in the same order then.",
        plain,
    )

    _local_class: type
    _local_defaults: Dict[str, Any]

    def __init__(self, **params: Any) -> None:
        super().__init__()
        self._setDefault(**self._local_defaults, persist=True, seed=0)
        self.setParams(**params)

    def setParams(self, **params: Any) -> Any:
        """Sets some of the parameters; None leaves one as it is."""
        for name in params:
            if not self.hasParam(name):
                raise TypeError(f"{type(self).__name__} has no parameter {name!r}, expected some of {', '.join(p.name for p in self.params)}")
        return self._set(**{name: value for name, value in params.items() if value is not None})

    def setSeed(self, value: int) -> Any:
        """Sets the value of :py:attr:`seed`."""
        return self._set(seed=value)

    def _local(self) -> Any:
        """The estimator of askrff with these parameters."""
        return self._local_class(**{name: self.getOrDefault(name) for name in self._local_defaults}, random_state=self.getSeed() % 2**64)

    def _require_json(self) -> None:
        kernel = self.getOrDefault("kernel")
        if not isinstance(kernel, str):
            raise ValueError(f"kernel is {kernel!r}, which is not saved: expected a name, and kernel_params")


# pyspark.ml's own take one name only.
_ROWS = "the rows: a column of vectors, dense or sparse, or of arrays of numbers; or a list of names of columns of numbers"
FEATURES_COL = Param(Params._dummy(), "featuresCol", _ROWS, one_or_more_names)
INPUT_COL = Param(Params._dummy(), "inputCol", _ROWS, one_or_more_names)

PREDICTOR_COLUMNS = """featuresCol : str or list of str, default="features"
        The rows: a column of vectors, dense or sparse, or of arrays of numbers; or the names of columns of numbers.
    labelCol : str, default="label"
        Numbers; they are taken as doubles.
    weightCol : str, default=None
        What every row counts; None: all the same.
    predictionCol : str, default="prediction"
        Where ``transform`` of the model puts what it predicts; "" for nowhere.
    seed : int, default=0
        What random_state is in :mod:`askrff`.
    persist : bool, default=True
        Whether fit has the executors keep the columns it reads, unless the data frame is persisted already."""
