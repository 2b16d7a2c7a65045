"""Rows, kernels and errors that several tests share."""

import pickle

import numpy as np
from sklearn.datasets import make_moons

SHIFT = {"kernel": "shift-gaussian", "kernel_params": {"sigma": 1.0, "shift": 0.25}}


def rows(n=300, d=3, seed=0):
    return np.random.default_rng(seed).uniform(size=(n, d))


def relative_error(features, X, Y):
    K = features.kernel_(X, Y)
    return np.linalg.norm(features.transform(X) @ features.transform_right(Y).T - K) / np.linalg.norm(K)


def own_kernel(differences):
    """exp(-|δ + ½|²), as a function."""
    return np.exp(-np.sum((differences + 0.5) ** 2, axis=1))


def moons(n=400):
    return make_moons(n, noise=0.1, random_state=0)


def waves(n=500, d=2, n_targets=None):
    """Two smooth functions' sum on the plane, or several multiples of it."""
    X = np.random.default_rng(0).uniform(-2, 2, size=(n, d))
    y = np.sin(2 * X[:, 0]) + X[:, -1] ** 2
    return X, y if n_targets is None else np.stack([y * (t + 1) for t in range(n_targets)], axis=1)


def interrupt(part):
    raise KeyboardInterrupt


def by_pickle(model):
    return pickle.loads(pickle.dumps(model))
