"""Kernels by formula."""

import copy
import pickle

import numpy as np
import pytest
import scipy.sparse as sp

import askrff
from askrff import FourierClassifier, FourierFeatures, Kernel, exact_kernel, kernels
from samples import moons, relative_error, rows

FORMULA = "exp(-abs(x + 0.3)/s) * (1 + 0.5*tanh(x))"
TABLE = ([0.0, 0.5, 1.0, 2.0], [1.0, 0.8, 0.3, 0.0])


def by_numpy(differences):
    return np.prod(np.exp(-np.abs(differences + 0.3) / 0.8) * (1 + 0.5 * np.tanh(differences)), axis=1)


def test_a_formula_is_the_function_it_says():
    X, Y = rows(40), rows(30, seed=1)
    expected = exact_kernel(X, Y, kernel=by_numpy)
    for kernel in (kernels.expression(FORMULA, s=0.8), Kernel(f"expr: {FORMULA}", s=0.8)):
        np.testing.assert_allclose(kernel(X, Y), expected, rtol=1e-13)
        np.testing.assert_allclose(kernel(sp.csr_matrix(X), Y), expected, rtol=1e-13)
    np.testing.assert_allclose(exact_kernel(X, Y, kernel=f"expr: {FORMULA}", kernel_params={"s": 0.8}), expected, rtol=1e-13)


def test_powers_may_be_written_as_in_python():
    X = rows(20)
    np.testing.assert_array_equal(kernels.expression("exp(-r**2)")(X), kernels.expression("exp(-r^2)")(X))


def test_a_route_can_be_forced(tmp_path):
    assert kernels.expression("exp(-r^2)").measure_reason(3).startswith("product")
    radial = kernels.expression("exp(-(r/s)^2)", route="radial", s=0.8)
    assert repr(radial) == "Kernel('expr(route=radial): exp(-(r/s)^2)', s=0.8)"
    assert radial.measure_reason(3).startswith("radial")
    assert pickle.loads(pickle.dumps(radial)) == radial
    features = FourierFeatures(kernel=radial, n_frequencies=16, random_state=0).fit(rows())
    features.save(tmp_path / "map.askrff")
    assert askrff.load(tmp_path / "map.askrff").kernel_ == radial
    assert kernels.expression("exp(-r^2)", route="calibrated").masses(3) is None
    for route, message in [("square", "got 'square', expected auto, product"), (3, "expected the name of one")]:
        with pytest.raises((TypeError, ValueError), match=message):
            kernels.expression("exp(-r)", route=route)
    with pytest.raises(ValueError, match="the route radial does not fit"):
        kernels.expression("exp(-abs(x))", route="radial").masses(3)


def test_vectors_directions_and_tables():
    X, Y = rows(20), rows(25, seed=1)
    delta = X[:, None, :] - Y[None, :, :]
    width, direction = np.array([0.5, 1.0, 2.0]), np.array([0.1, -0.2, 0.3])
    np.testing.assert_allclose(kernels.expression("exp(-abs(x)/s)", s=width)(X, Y), np.exp(-np.abs(delta / width).sum(axis=2)), rtol=1e-13)
    np.testing.assert_allclose(kernels.expression("exp(-abs(x)/s)", s="3/d")(X, Y), np.exp(-np.abs(delta).sum(axis=2)), rtol=1e-13)
    np.testing.assert_allclose(
        kernels.expression("exp(t - r^2)", a=direction)(X, Y), np.exp(delta @ direction - (delta**2).sum(axis=2)), rtol=1e-12
    )
    k = kernels.expression("f(r)", tables={"f": TABLE})
    np.testing.assert_allclose(k([[0.0]], [[0.5], [1.0], [2.5]]), [[0.8, 0.3, 0.0]], atol=1e-15)
    assert k.params == {"f": [0.0, 1.0, 0.5, 0.8, 1.0, 0.3, 2.0, 0.0]}


def test_it_is_a_value():
    k = kernels.expression("f(r)*exp(-s*t)", s=0.5, a=[1.0, 2.0], tables={"f": TABLE})
    same = pickle.loads(pickle.dumps(k))
    assert same == k and copy.deepcopy(k) == k and hash(same) == hash(k)
    assert k != kernels.expression("f(r)*exp(-s*t)", s=0.6, a=[1.0, 2.0], tables={"f": TABLE})
    X = rows(10, 2)
    np.testing.assert_array_equal(same(X), k(X))
    assert eval(repr(k), {"Kernel": Kernel}) == k
    assert not k.symmetric and not k.positive_definite and k.function is None
    assert kernels.expression("exp(-r)").symmetric
    assert k.masses(2) is None


@pytest.mark.parametrize("estimator", ["nystrom", "best", "fourier"])
def test_features_of_it(estimator):
    X = rows(600)
    features = FourierFeatures(kernel=f"expr: {FORMULA}", kernel_params={"s": 0.8}, estimator=estimator, n_frequencies=128, random_state=0).fit(X)
    assert relative_error(features, rows(100, seed=3), rows(100, seed=4)) < 0.2
    again = FourierFeatures(kernel=kernels.expression(FORMULA, s=0.8), estimator=estimator, n_frequencies=128, random_state=0).fit(X)
    np.testing.assert_array_equal(features.transform(X), again.transform(X))


def test_estimators_files_and_pickles_keep_it(tmp_path):
    X, y = moons()
    model = FourierClassifier(kernel=kernels.expression("f(r)*exp(-s*x1)", s=0.5, tables={"f": TABLE}), n_frequencies=64, random_state=0).fit(X, y)
    expected = model.predict(X)
    assert (expected == y).mean() > 0.9
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(model)).predict(X), expected)
    model.save(tmp_path / "m.askrff")
    loaded = askrff.load(tmp_path / "m.askrff")
    np.testing.assert_array_equal(loaded.predict(X), expected)
    assert loaded.kernel_.name == "expr: f(r)*exp(-s*x1)"
    assert loaded.kernel_.params["f"] == [0.0, 1.0, 0.5, 0.8, 1.0, 0.3, 2.0, 0.0]


@pytest.mark.parametrize(
    "make, words",
    [
        (lambda: kernels.expression("exp(-*x)"), 'expression, column 6: got "\\*"'),
        (lambda: kernels.expression("exp(-x/s)"), "column 8: s is no variable and has no value"),
        (lambda: kernels.expression("f(x)"), "f is no function of the language and no table was given"),
        (lambda: kernels.expression("x*r"), "column 3: got r beside x"),
        (lambda: kernels.expression("exp(-r)", s=1.0), "no parameter 's', it has none"),
        (lambda: kernels.expression("exp(-r/s)", s=[1.0, 2.0]), "s is 1,2, expected one number"),
        (lambda: kernels.expression("f(r)", tables={"f": ([0, 1], [1])}), "expected as many of each"),
        (lambda: kernels.expression("f(r)", tables={"f": ([1, 0], [1, 2])}), "increasing abscissae"),
        (lambda: kernels.expression("f(r)", f=[0, 1, 1, 0], tables={"f": TABLE}), "among the tables and among the parameters"),
        (lambda: kernels.expression("log(r)")([[0.0]]), "it is -inf where x - y = \\(0\\)"),
        (lambda: kernels.expression("exp(-x/s)", s=[1.0, 2.0])(rows(3)), "s has 2 values, the data has dimension 3"),
        (lambda: FourierFeatures(kernel="expr: exp(-r)", gamma=1.0).fit(rows()), "parameters of its own"),
        (lambda: kernels.expression("(" * 5000), "5000 characters, expected at most 4096"),
    ],
)
def test_mistakes_are_refused(make, words):
    with pytest.raises(ValueError, match=words):
        make()


@pytest.mark.parametrize("make", [lambda: kernels.expression(7), lambda: kernels.expression("f(r)", tables={"f": 3}), lambda: kernels.expression("f(r)", tables={"f": "ab"})])
def test_wrong_types_are_refused(make):
    with pytest.raises(TypeError):
        make()


def test_tables_that_are_none():
    with pytest.raises(TypeError, match="tables is .1., expected None or a dict from names of functions"):
        kernels.expression("f(r)", tables=[1])
    with pytest.raises(TypeError, match="tables has the name 1, expected text"):
        kernels.expression("f(r)", tables={1: TABLE})
