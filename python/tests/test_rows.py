"""Rows FourierFeatures takes and features it gives: types, layouts, sparse rows, data frames, threads."""

import numpy as np
import pytest
import scipy.sparse as sp

import askrff
from askrff import FourierFeatures
from samples import SHIFT, rows

@pytest.mark.parametrize("side", ["transform", "transform_right"])
@pytest.mark.parametrize("given, kept", [("float32", "float32"), ("float64", "float64"), ("int32", "float64"), ("float16", "float64")])
def test_dtype_is_kept(given, kept, side):
    X = (10 * rows()).astype(given)
    features = FourierFeatures(gamma=0.01, random_state=0).fit(X)
    assert getattr(features, side)(X).dtype == kept


def test_dtype_can_be_asked_for():
    Z = FourierFeatures(dtype="float32", random_state=0).fit_transform(rows())
    assert Z.dtype == np.float32
    with pytest.raises(ValueError, match="expected None, float32 or float64"):
        FourierFeatures(dtype="int32").fit(rows())


def test_float32_is_float64_up_to_rounding():
    X = rows().astype(np.float32)
    features = FourierFeatures(**SHIFT, random_state=0).fit(X)
    np.testing.assert_allclose(features.transform(X), features.transform(X.astype(np.float64)), atol=2e-6)


@pytest.mark.parametrize("side", ["transform", "transform_right"])
def test_layout_does_not_change_a_bit(side):
    X = rows()
    features = FourierFeatures(**SHIFT, random_state=0).fit(X)
    make = getattr(features, side)
    expected = make(X)
    wide = np.zeros((300, 6))
    wide[:, ::2] = X
    for same in (np.asfortranarray(X), wide[:, ::2], X.tolist(), sp.csr_matrix(X), sp.coo_matrix(X), sp.csc_matrix(X)):
        np.testing.assert_array_equal(make(same), expected)


@pytest.mark.parametrize("estimator", ["auto", "jordan", "nystrom"])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_a_row_has_the_same_bits_in_any_company(estimator, dtype):
    X = rows(533, d=5).astype(dtype)
    features = FourierFeatures(**SHIFT, estimator=estimator, n_frequencies=37, weights="exact", random_state=0).fit(X)
    expected = features.transform(X)
    order = np.random.default_rng(1).permutation(len(X))
    np.testing.assert_array_equal(features.transform(X[order]), expected[order])
    np.testing.assert_array_equal(np.concatenate([features.transform(X[i : i + 1]) for i in range(0, 533, 41)]), expected[::41])
    np.testing.assert_array_equal(features.transform(X[7:20]), expected[7:20])


def test_threads_do_not_change_a_bit():
    X = rows(1000)
    one, many = (FourierFeatures(**SHIFT, n_jobs=n, random_state=0).fit(X) for n in (1, 3))
    np.testing.assert_array_equal(one.transform(X), many.transform(X))
    np.testing.assert_array_equal(one.weights_, many.weights_)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("options", [{}, {"kernel": "shift-gaussian"}, {"estimator": "nystrom"}, {"scale": "standard"}, {"scale": "minmax"}])
def test_sparse_rows_give_the_bits_of_dense_ones(dtype, options):
    X = sp.random(300, 20, density=0.2, format="csr", random_state=0, dtype=dtype)
    features = FourierFeatures(random_state=0, **options).fit(X)
    for transform in (features.transform, features.transform_right):
        np.testing.assert_array_equal(transform(X), transform(X.toarray()))
        np.testing.assert_array_equal(transform(X[50:90]), transform(X.toarray()[50:90]))
    assert features.transform(X).dtype == dtype


def test_sparse_rows_of_other_kinds():
    X = sp.random(80, 30, density=0.1, format="csr", random_state=0)
    features = FourierFeatures(random_state=0).fit(X)
    expected = features.transform(X.toarray())
    wide = X.copy()
    wide.indices, wide.indptr = wide.indices.astype(np.int64), wide.indptr.astype(np.int64)
    for rows_ in (X.tocsc(), X.tocoo(), sp.csr_array(X), wide, X[::-1][::-1]):
        np.testing.assert_array_equal(features.transform(rows_), expected)
    assert features.transform(sp.csr_matrix((5, 30))).shape == (5, features.n_features_out_)


def test_hostile_indices_are_refused():
    X = sp.random(80, 30, density=0.1, format="csr", random_state=0)
    features = FourierFeatures(random_state=0).fit(X)
    for bad in (30, -1, 2**31 - 1):
        wrong = X.copy()
        wrong.indices[3] = bad
        wrong.has_canonical_format = True
        with pytest.raises(ValueError, match="columns"):
            features.transform(wrong)


def test_wide_sparse_rows_come_few_at_a_time():
    from askrff import _validation

    assert [_validation.rows_per_block(d) for d in (1, 1024, 2**16, 2**20)] == [4096, 4096, 64, 16]
    X = sp.random(100, 2**17, density=1e-4, format="csr", random_state=0)  # blocks of 32 rows
    features = FourierFeatures(n_frequencies=2, weights="exact", random_state=0).fit(X)
    np.testing.assert_array_equal(features.transform(X), features.transform(X.toarray()))


@pytest.mark.parametrize("scale", ["minmax", "standard"])
def test_entries_of_the_same_place_are_summed(scale):
    X = rows(50, d=2)
    twice = sp.csr_matrix((np.repeat(X.ravel() / 2, 2), np.tile([0, 0, 1, 1], 50), np.arange(0, 201, 4)), shape=(50, 2))
    options = {"scale": scale, "C": 1.0, "n_frequencies": 8, "random_state": 0}
    expected = askrff.FourierRegressor(**options).fit(X, X[:, 0]).predict(X)
    np.testing.assert_allclose(askrff.FourierRegressor(**options).fit(twice, X[:, 0]).predict(twice), expected, rtol=1e-9)
    assert twice.nnz == 200  # the caller's are left alone


def test_read_only_memmap(tmp_path):
    X = rows()
    X.tofile(tmp_path / "X.bin")
    mapped = np.memmap(tmp_path / "X.bin", dtype=np.float64, mode="r", shape=X.shape)
    features = FourierFeatures(**SHIFT, random_state=0)
    np.testing.assert_array_equal(features.fit_transform(mapped), FourierFeatures(**SHIFT, random_state=0).fit_transform(X))


def test_contiguous_arrays_are_not_copied(monkeypatch):
    features = FourierFeatures(weights="exact", random_state=0).fit(rows())
    seen = []

    class Spy:
        kind, weights_kind = "fourier", "exact"

        def left(self, X, out, n_threads):
            seen.append((X, out))

        def float32_warning(self, X, before_scaling):
            return ""

    features._map = Spy()
    for dtype in (np.float32, np.float64):
        X = rows().astype(dtype)
        Z = features.transform(X)
        assert np.shares_memory(seen[-1][0], X) and np.shares_memory(seen[-1][1], Z)


def test_one_row_and_one_column():
    assert FourierFeatures(n_frequencies=5, weights="exact").fit_transform([[1.0]]).shape == (1, 10)
    assert FourierFeatures(n_frequencies=5).fit_transform(rows(50, d=1)).shape == (50, 10)


def test_pandas_in_and_out():
    pd = pytest.importorskip("pandas")
    frame = pd.DataFrame(rows(), columns=["a", "b", "c"], index=np.arange(300) + 5)
    features = FourierFeatures(n_frequencies=4, random_state=0).set_output(transform="pandas")
    Z = features.fit_transform(frame)
    assert list(Z.columns) == list(features.get_feature_names_out()) == [f"fourierfeatures{i}" for i in range(8)]
    assert (Z.index == frame.index).all()
    assert list(features.feature_names_in_) == ["a", "b", "c"]
    with pytest.raises(ValueError, match="feature names"):
        features.transform(frame[["b", "a", "c"]])


def test_polars_in_and_out():
    pl = pytest.importorskip("polars")
    frame = pl.DataFrame(rows(), schema=["a", "b", "c"])
    features = FourierFeatures(n_frequencies=4, random_state=0).set_output(transform="polars")
    Z = features.fit_transform(frame)
    assert isinstance(Z, pl.DataFrame) and Z.columns == list(features.get_feature_names_out())
