"""Rows, a kernel and a map of the extension module, as fixtures to import; features as new arrays."""

import numpy as np
import pytest

from askrff import _core


@pytest.fixture(scope="module")
def rows():
    return np.random.default_rng(1).random((400, 3))


@pytest.fixture(scope="module")
def kernel():
    return _core.make_kernel("sinh-gaussian", {"sigma": 1.0})


@pytest.fixture(scope="module")
def fourier(kernel, rows):
    return _core.make_map(kernel, rows, n_frequencies=64, estimator="jordan", sampler="exact", weights="exact", seed=3)


@pytest.fixture(scope="module")
def codes(rows):
    return (rows[:, 0] > 0.5).astype(np.int64)


def left(map, X, **options):
    out = np.empty((len(X), map.n_features), X.dtype)
    map.left(X, out, **options)
    return out


def right(map, X, **options):
    out = np.empty((len(X), map.n_features), X.dtype)
    map.right(X, out, **options)
    return out


def nystrom_map(kernel, rows, **options):
    return _core.make_map(kernel, rows, estimator="nystrom", n_frequencies=3, n_threads=4, **options)
