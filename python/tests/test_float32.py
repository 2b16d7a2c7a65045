"""Features in float32: of which rows maps are made, what their certificates know of rounding, what is warned of."""

import warnings

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.base import clone

from askrff import AccuracyWarning, FourierFeatures, FourierRegressor, exact_kernel, kernels
from samples import SHIFT, rows


def test_float32_that_loses_the_rows_is_warned_about():
    X = 1e7 + rows()
    kernel = dict(**SHIFT, weights="exact", random_state=0)
    with pytest.warns(AccuracyWarning, match="float32 keeps too few digits"):
        FourierFeatures(**kernel, dtype="float32").fit(X).transform(X)
    with pytest.warns(AccuracyWarning, match="float32 keeps too few digits"):
        FourierFeatures(**kernel).fit(X.astype(np.float32)).transform(X.astype(np.float32))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        FourierFeatures(**kernel).fit(X).transform(X)
        FourierFeatures(**kernel, dtype="float32").fit(rows()).transform(rows())
        FourierFeatures(**kernel, dtype="float32", scale="standard").fit(X).transform(X)


@pytest.mark.filterwarnings("ignore::askrff.AccuracyWarning")
@pytest.mark.parametrize("estimator", ["auto", "best", "nystrom"])
@pytest.mark.parametrize("make", [np.asarray, sp.csr_matrix])
@pytest.mark.parametrize("offset", [0.0, 1e4, 1.7e9])
def test_error_of_float32_features_knows_of_rounding(estimator, make, offset):
    X, kernel = offset + rows(400, d=2), kernels.gaussian(sigma=0.5)
    K = exact_kernel(X, kernel=kernel)
    options = dict(kernel=kernel, estimator=estimator, n_features=64, random_state=0)
    single, double = (FourierFeatures(dtype=dtype, **options).fit(make(X)) for dtype in ("float32", "float64"))
    L, R = single.transform(make(X)).astype(float), single.transform_right(make(X)).astype(float)
    error = np.linalg.norm(L @ R.T - K) / np.linalg.norm(K)
    assert error <= single.error_interval_[1]
    assert single.error_ <= 2 * max(error, double.error_)
    assert single.error_ >= double.error_ and (single.error_ > 0.5) == (offset > 1e9)
    for name in ("frequencies_", "weights_", "landmarks_"):  # of the rows as they were given
        ours, theirs = (getattr(features, name) for features in (single, double))
        assert (ours is None and theirs is None) or abs(ours - theirs).max() == 0


def test_float32_is_warned_of_where_the_certificate_is_far_below():
    X = 1e4 + rows(400, d=2)
    features = FourierFeatures(kernel=kernels.gaussian(), estimator="nystrom", n_features=64, random_state=0).fit(X)
    with pytest.warns(AccuracyWarning, match="off by 0.0008. of their size"):
        features.transform(X.astype(np.float32))
    model = FourierRegressor(kernel=kernels.gaussian(), estimator="nystrom", n_features=64, scale="none", C=1.0, random_state=0)
    errors = [clone(model).set_params(dtype=dtype).fit(X, X[:, 0]).error_ for dtype in ("float32", "float64")]
    assert errors[0] > 1e-5 > 1e-8 > errors[1]
