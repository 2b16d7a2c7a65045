"""
The library behind askrff: kernels, feature maps, linear models. Users want the classes of askrff itself.
"""

from collections.abc import Sequence
from typing import Annotated

from numpy.typing import NDArray


version: str = '0.1.0'

def has_liblinear() -> bool:
    """Whether the solver 'liblinear' was built in."""

def describe_machine() -> dict:
    """What was found here: processor, backends, threads."""

class NumericalError(RuntimeError):
    """
    A computation that could not reach its stated accuracy or end in bounded time.
    """

class Kernel:
    """
    A shift-invariant kernel k(x - y): one of the library's, or a Python function.
    """

    @property
    def name(self) -> str: ...

    @property
    def parameters(self) -> dict:
        """By name, defaults included: numbers, lists, or text like '2/d'."""

    @property
    def symmetric(self) -> bool: ...

    @property
    def positive_definite(self) -> bool: ...

    @property
    def is_callable(self) -> bool: ...

    def gram(self, X: Annotated[NDArray, dict(device='cpu', writable=False)], Y: Annotated[NDArray, dict(device='cpu', writable=False)], n_threads: int = 0) -> object:
        """The exact matrix k(x_i - y_j), float64."""

    def masses(self, dim: int) -> object:
        """
        Exact masses of the Jordan parts in dim dimensions; None where they are not known.
        """

def kernels() -> list:
    """Every kernel that can be made by name."""

def make_kernel(name: str, params: dict = {}) -> Kernel:
    """
    The kernel of that name; parameters are numbers, lists with one number per coordinate, or text like '2/d'.
    """

def callable_kernel(function: object, name: str, symmetric: bool = False) -> Kernel:
    """
    A kernel of function(differences): (n, dim) float64, read-only, to n numbers.
    """

def median_distance(X: Annotated[NDArray, dict(device='cpu', writable=False)], seed: int = 0, absolute: bool = False) -> float:
    """
    The median distance of rows, Euclidean or by sums of absolute differences.
    """

class Map:
    """
    Features of a kernel, k(x, y) ≈ left(x)·right(y). Immutable. Rows are raw: scaled first, if so.
    """

    @property
    def dim(self) -> int: ...

    @property
    def n_features(self) -> int: ...

    @property
    def n_frequencies(self) -> int: ...

    @property
    def kind(self) -> str:
        """'fourier', 'nystrom' or 'columns'."""

    @property
    def estimator(self) -> str | None: ...

    @property
    def sampler(self) -> str | None: ...

    @property
    def weights_kind(self) -> str | None: ...

    @property
    def reason(self) -> str:
        """Why this map, where it was chosen."""

    @property
    def seed(self) -> int: ...

    @property
    def side(self) -> str: ...

    @property
    def has_parts(self) -> bool:
        """
        Whether atoms were drawn part by part: such a map has the side 'classifier'.
        """

    @property
    def kernel(self) -> object:
        """The kernel it approximates; None where that is not known."""

    @property
    def frequencies(self) -> object:
        """(n_frequencies, dim), read-only; None for other kinds of map."""

    @property
    def weights(self) -> object:
        """(n_frequencies,) complex, read-only; None for other kinds of map."""

    @property
    def landmarks(self) -> object:
        """(n_landmarks, dim), read-only; None for other kinds of map."""

    @property
    def masses(self) -> object:
        """
        Of the Jordan parts, by name; None where atoms were not drawn part by part.
        """

    @property
    def error(self) -> float | None:
        """
        The relative error of the certificate, or of the calibration; None without.
        """

    @property
    def error_interval(self) -> tuple[float, float] | None:
        """Of the certificate, 95 %; None without."""

    @property
    def certificate(self) -> object: ...

    @property
    def scaler(self) -> dict: ...

    @property
    def column_names(self) -> list[str]: ...

    def left(self, X: Annotated[NDArray, dict(device='cpu', writable=False)], out: Annotated[NDArray, dict(device='cpu')], n_threads: int = 0) -> None:
        """Fills out (rows, n_features), of the dtype of X."""

    def right(self, X: Annotated[NDArray, dict(device='cpu', writable=False)], out: Annotated[NDArray, dict(device='cpu')], n_threads: int = 0) -> None: ...

    def transform(self, X: Annotated[NDArray, dict(device='cpu', writable=False)], out: Annotated[NDArray, dict(device='cpu')], n_threads: int = 0) -> None:
        """The features of its side, as left() and right()."""

    def apply(self, X: Annotated[NDArray, dict(device='cpu', writable=False)], Y: Annotated[NDArray, dict(device='cpu', writable=False)], V: Annotated[NDArray, dict(device='cpu', writable=False)], transposed: bool = False, n_threads: int = 0) -> object:
        """
        left(X)·right(Y)ᵀ·V, or with the matrix transposed; features are never stored.
        """

    def held_out_error(self, kernel: Kernel, X: Annotated[NDArray, dict(device='cpu', writable=False)], n_threads: int = 0, matrix_rows: int = 1000) -> tuple[float, float, float]:
        """
        Relative error on rows that had no part in making the map, and its 95 % interval.
        """

    def rows_outside(self, X: Annotated[NDArray, dict(device='cpu', writable=False)]) -> int:
        """Rows far outside those the map was fitted on."""

    def with_scaler(self, kind: str, X: Annotated[NDArray, dict(device='cpu', writable=False)]) -> Map:
        """The same map of rows that are scaled first, as fitted to X."""

    def scale(self, X: Annotated[NDArray, dict(device='cpu', writable=False)]) -> object:
        """A scaled copy."""

    def with_side(self, side: str) -> Map: ...

    def with_column_names(self, names: Sequence[str]) -> Map: ...

    def save(self, path: str) -> None: ...

    def to_bytes(self) -> bytes: ...

    @staticmethod
    def from_bytes(bytes: bytes) -> Map: ...

def load_map(path: str) -> Map:
    """The map of a file of either kind, map or model."""

def approximate(kernel: Kernel, X: Annotated[NDArray, dict(device='cpu', writable=False)], n_frequencies: int = 512, estimator: str = 'auto', sampler: str = 'exact', weights: str = 'exact', seed: int = 0, n_threads: int = 0, allocation: str = 'equal', n_subset: int = 50, n_pairs: int = 0, pin_origin: bool = False) -> Map:
    """A Fourier map for rows like those of X; words as on the command line."""

def choose(kernel: Kernel, X: Annotated[NDArray, dict(device='cpu', writable=False)], tolerance: float | None = None, n_frequencies: int = 512, max_frequencies: int = 4096, family: str = 'any', seed: int = 0, n_threads: int = 0, progress: object | None = None) -> Map:
    """
    The best map for rows like those of X, certified; progress(dict) hears of every candidate.
    """

def nystrom(kernel: Kernel, X: Annotated[NDArray, dict(device='cpu', writable=False)], n_features: int = 128, landmarks: str = 'pivoted', seed: int = 0, n_threads: int = 0, n_landmarks: int = 0) -> Map:
    """
    A map of kernel values at landmarks among the rows of X; 0 landmarks: three per feature.
    """

def column_map(dim: int) -> Map:
    """The columns themselves as features."""

class RidgeSums:
    """
    The sums of ridge regression: rows come in any number of calls, models in between.
    """

    def __init__(self, map: Map, n_targets: int = 1, n_folds: int = 1, precision: str = 'float64', n_threads: int = 0) -> None: ...

    def add(self, X: Annotated[NDArray, dict(device='cpu', writable=False)], Y: Annotated[NDArray, dict(device='cpu', writable=False)], folds: Annotated[NDArray, dict(device='cpu', writable=False)] | None = None) -> None:
        """Rows, their targets (rows, n_targets) and, if there are folds, theirs."""

    def solve(self, c_grid: Sequence[float], bias: bool = True, progress: object | None = None) -> dict:
        """The model of the best C by the folds; further rows may be added."""

    @property
    def n_rows(self) -> int: ...

    @property
    def n_targets(self) -> int: ...

    @property
    def n_folds(self) -> int: ...

    @property
    def map(self) -> Map: ...

class FoldDealer:
    """Deals rows out to folds as they come, as the command line does."""

    def __init__(self, n_folds: int, seed: int = 0) -> None: ...

    def deal(self, codes: Annotated[NDArray, dict(device='cpu', writable=False)]) -> object:
        """The folds of the next rows, of these classes (all 0 for numbers)."""

def default_c_grid() -> object:
    """2^-5, …, 2^5, as in the paper."""

def fit_svm(map: Map, X: Annotated[NDArray, dict(device='cpu', writable=False)], codes: Annotated[NDArray, dict(device='cpu', writable=False)], n_classes: int, c_grid: Sequence[float], n_folds: int = 5, seed: int = 0, bias: bool = True, solver: str = 'newton', precision: str = 'float64', n_threads: int = 0, progress: object | None = None) -> dict:
    """
    A linear support vector machine on the features of the map's side; of several C the best in cross-validation.
    """

class Model:
    """From raw rows to outputs: a map, weights and a bias. Immutable."""

    def __init__(self, map: Map, weights: Annotated[NDArray, dict(device='cpu', writable=False)], bias: Sequence[float], task: str, classes: Sequence[str] = [], precision: str = 'float64', training: dict = {}) -> None: ...

    def outputs(self, X: Annotated[NDArray, dict(device='cpu', writable=False)], n_threads: int = 0) -> object:
        """(rows, n_outputs) float64, of raw rows."""

    def classes_of(self, outputs: Annotated[NDArray, dict(device='cpu', writable=False)]) -> object:
        """The number of the class of every row of outputs."""

    @property
    def classes(self) -> list[str]: ...

    @property
    def task(self) -> str: ...

    @property
    def precision(self) -> str: ...

    @property
    def map(self) -> Map: ...

    @property
    def training(self) -> dict: ...

    @property
    def weights(self) -> object: ...

    @property
    def bias(self) -> object: ...

    def save(self, path: str) -> None: ...

    def to_bytes(self) -> bytes: ...

    @staticmethod
    def from_bytes(bytes: bytes) -> Model: ...

def load_model(path: str) -> Model: ...
