"""Rows, kernels and errors that several tests share."""

import numpy as np

SHIFT = {"kernel": "shift-gaussian", "kernel_params": {"sigma": 1.0, "shift": 0.25}}


def rows(n=300, d=3, seed=0):
    return np.random.default_rng(seed).uniform(size=(n, d))


def relative_error(features, X, Y):
    K = features.kernel_(X, Y)
    return np.linalg.norm(features.transform(X) @ features.transform_right(Y).T - K) / np.linalg.norm(K)


def own_kernel(differences):
    """exp(-|δ + ½|²), as a function."""
    return np.exp(-np.sum((differences + 0.5) ** 2, axis=1))
