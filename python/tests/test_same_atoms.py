"""The atoms of a kernel are the same bits for the same seed, whether it is a formula, a numpy function or an option of the command line."""

import os
import subprocess

import numpy as np
import pytest

from askrff import FourierFeatures, Kernel, kernels, load
from samples import rows

COMMAND = os.environ.get("ASKRFF_COMMAND", "")
DIRECTION = [0.5, -0.3, 0.1]


def product(delta):
    return np.prod(np.exp(-np.abs(delta + 0.3) / 0.8) * (1 + 0.5 * np.tanh(delta)), axis=1)


def radial(delta):
    return (1 + np.sqrt(3) * np.linalg.norm(delta, axis=1)) * np.exp(-np.sqrt(3) * np.linalg.norm(delta, axis=1))


def ridge(delta):
    return np.exp(-0.5 * np.sum(delta**2, axis=1)) * (1 + np.sinh(delta @ np.array(DIRECTION)))


def grid(delta):
    return np.exp(-(delta[:, 0] ** 2) - (delta[:, 1] + 0.2 * delta[:, 0]) ** 2) * (1 + np.tanh(delta[:, 0] * delta[:, 1] + 0.5))


KERNELS = [
    pytest.param("product", 3, product, "exp(-abs(x + 0.3)/s) * (1 + 0.5*tanh(x))", {"s": 0.8}, id="product"),
    pytest.param("radial", 3, radial, "(1 + sqrt(3)*r)*exp(-sqrt(3)*r)", {}, id="radial"),
    pytest.param("ridge", 3, ridge, "exp(-r^2/2) * (1 + sinh(t))", {"a": DIRECTION}, id="ridge"),
    pytest.param("grid", 2, grid, "exp(-x1^2 - (x2 + 0.2*x1)^2) * (1 + tanh(x1*x2 + 0.5))", {}, id="grid"),
]
OPTIONS = {"n_frequencies": 64, "estimator": "polar", "sampler": "exact", "weights": "exact", "random_state": 3}


def assert_same_atoms(one, other):
    np.testing.assert_array_equal(one.frequencies_, other.frequencies_)
    np.testing.assert_array_equal(one.weights_, other.weights_)


@pytest.mark.parametrize("route, d, function, formula, params", KERNELS)
def test_formulas_and_functions_have_the_same_atoms(route, d, function, formula, params):
    """Values differ by roundings, which have a chance of a few in ten thousand to show; they do not for these."""
    by_formula, by_function = kernels.expression(formula, **params), Kernel.from_function(function)
    assert by_formula.measure_reason(d).startswith(route) and by_function.measure_reason(d).startswith(route)
    X = rows(100, d=d)
    assert_same_atoms(*(FourierFeatures(kernel=kernel, **OPTIONS).fit(X) for kernel in (by_formula, by_function)))


@pytest.mark.skipif(not os.path.exists(COMMAND), reason="ASKRFF_COMMAND does not name the command line")
@pytest.mark.parametrize("route, d, function, formula, params", KERNELS)
def test_files_of_the_command_line_have_the_same_atoms(route, d, function, formula, params, tmp_path):
    X = rows(100, d=d)
    np.savetxt(tmp_path / "rows.csv", np.column_stack([X, X.sum(axis=1)]), delimiter=",", fmt="%.17g")
    arguments = ["train", "--model", "ridge", "--data", tmp_path / "rows.csv", "--label", d + 1, "--scale", "none", "--seed", 3]
    arguments += ["--kernel", f"expr: {formula}", "--frequencies", 64, "--estimator", "polar", "--sampler", "exact", "--weights", "exact"]
    for name, value in params.items():
        arguments += ["--param", f"{name}={','.join(map(str, np.atleast_1d(value)))}"]
    arguments += ["--out", tmp_path / "model.askrff"]
    result = subprocess.run([COMMAND, *map(str, arguments)], capture_output=True, text=True)
    assert result.returncode == 0, result.stderr
    stored = load(tmp_path / "model.askrff")._map
    features = FourierFeatures(kernel=Kernel.from_function(function), **OPTIONS).fit(X)
    np.testing.assert_array_equal(stored.frequencies, features.frequencies_)
    np.testing.assert_array_equal(stored.weights, features.weights_)
