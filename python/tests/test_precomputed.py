"""kernel="precomputed": rows of a kernel matrix, in every form, through every method."""

import pickle

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from scipy.sparse.linalg import LinearOperator, aslinearoperator
from sklearn.base import clone
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline

from askrff import AccuracyWarning, FourierClassifier, FourierFeatures, FourierRegressor, diagnose, load


def skew(X, Y):
    """Neither symmetric nor a function of x - y."""
    width = 1 + 0.5 * np.sin(3 * X[:, :1])
    return np.exp(-np.square(X[:, None] - Y[None] + 0.4).sum(axis=2) / (2 * width**2))


def points(n, seed, d=2):
    return np.random.default_rng(seed).normal(size=(n, d))


X, Y, NEW = points(160, 0), points(120, 1), points(70, 2)
K = skew(X, X)


def fitted(matrix=K, **options):
    return FourierFeatures(**{"kernel": "precomputed", "n_features": 30, "random_state": 0, **options}).fit(matrix)


def relative_error(left, right, exact):
    return np.linalg.norm(left @ right.T - exact) / np.linalg.norm(exact)


def best_error(matrix, rank):
    s = np.linalg.svd(matrix, compute_uv=False)
    return np.sqrt((s[rank:] ** 2).sum() / (s**2).sum())


@pytest.mark.parametrize("matrix", [K, skew(X, Y), skew(Y, X)], ids=["square", "wide", "tall"])
@pytest.mark.parametrize("n_landmarks", [None, 75])
def test_it_is_near_the_best_of_its_rank(matrix, n_landmarks):
    features = fitted(matrix, n_landmarks=n_landmarks)
    left, right = features.transform(matrix), features.transform_right(matrix.T)
    assert left.shape == (matrix.shape[0], 30) and right.shape == (matrix.shape[1], 30)
    assert relative_error(left, right, matrix) < (1.05 if n_landmarks is None else 5) * best_error(matrix, 30)
    assert features.n_features_in_ == matrix.shape[1] and features.n_features_out_ == 30
    assert features.kernel_ is None and features.frequencies_ is None and features.landmarks_ is None
    lower, upper = features.error_interval_
    assert 0 < lower <= features.error_ <= upper < 1


def test_new_rows_and_columns_come_through_their_row_and_column():
    features = fitted()
    left, right = features.transform(skew(NEW, X)), features.transform_right(skew(X, NEW).T)
    error = relative_error(left, right, skew(NEW, NEW))
    assert error < 2 * features.error_interval_[1] and error < 0.2


def test_rows_with_nothing_but_landmarks():
    features = fitted(n_landmarks=60)
    assert len(features.landmark_columns_) == len(features.landmark_rows_) == 60
    rows, columns = skew(NEW, X), skew(X, NEW).T
    np.testing.assert_array_equal(features.transform(rows[:, features.landmark_columns_]), features.transform(rows))
    np.testing.assert_array_equal(features.transform_right(columns[:, features.landmark_rows_]), features.transform_right(columns))
    sparse = sp.csr_matrix(rows[:, features.landmark_columns_])
    np.testing.assert_array_equal(features.transform(sparse), features.transform(rows))
    with pytest.raises(ValueError, match="61"):
        features.transform(rows[:, :61])
    with pytest.raises(ValueError, match="expected 160, .* or 60 at landmarks"):
        features.transform_right(columns[:, :61])
    assert fitted().landmark_columns_ is None


@pytest.mark.parametrize("make", [sp.csr_matrix, sp.csc_matrix, sp.csr_array, sp.coo_matrix], ids=["csr", "csc", "array", "coo"])
def test_sparse_matrices_are_dense_ones(make):
    matrix = np.where(K > 0.3, K, 0)
    dense, sparse = fitted(matrix), fitted(make(matrix))
    np.testing.assert_allclose(sparse.transform(matrix), dense.transform(matrix), atol=1e-10)
    np.testing.assert_array_equal(sparse.transform(make(matrix)), sparse.transform(matrix))
    assert sparse.error_ == pytest.approx(dense.error_, rel=1e-9)


def test_operators():
    features, dense = fitted(aslinearoperator(K)), fitted()
    np.testing.assert_allclose(features.transform(K), dense.transform(K), atol=1e-9)
    np.testing.assert_allclose(features.transform(aslinearoperator(skew(NEW, X))), features.transform(skew(NEW, X)), atol=1e-12)
    np.testing.assert_allclose(features.transform_right(aslinearoperator(K).T), features.transform_right(K.T), atol=1e-12)
    np.testing.assert_allclose(fitted(aslinearoperator(K), n_landmarks=60).transform(K), fitted(n_landmarks=60).transform(K), atol=1e-9)
    assert features.fit_transform(aslinearoperator(K)).shape == (160, 30)


def operator_with(matmat, rmatmat=lambda V: K.T @ V, shape=(160, 160)):
    return LinearOperator(shape, matvec=lambda v: K @ v, matmat=matmat, rmatmat=rmatmat, dtype=float)


def test_operators_that_fail():
    def refuse(V):
        raise RuntimeError("not today")

    with pytest.raises(RuntimeError, match="not today"):
        fitted(operator_with(refuse))
    with pytest.raises(ValueError, match="matmat returned nan"):
        fitted(operator_with(lambda V: np.full((160, V.shape[1]), np.nan)))
    with pytest.raises(ValueError, match="complex"):
        fitted(aslinearoperator(K * 1j))
    with pytest.raises(TypeError, match="X is a LinearOperator, expected rows"):
        FourierRegressor(kernel="precomputed").fit(aslinearoperator(K), X[:, 0])
    with pytest.raises(TypeError, match="X is a LinearOperator, expected rows"):
        FourierFeatures().fit(aslinearoperator(K))
    with pytest.raises(TypeError, match="only with kernel='precomputed'"):
        FourierFeatures(n_features=8).fit(X).transform(aslinearoperator(K[:, :2]))
    with pytest.raises(ValueError, match="has 70 columns, expected 160"):
        fitted().transform(aslinearoperator(K[:, :70]))


def test_operators_without_a_product_with_the_transpose():
    without = LinearOperator(K.shape, matvec=lambda v: K @ v, dtype=float)
    for call in (lambda: fitted(without), lambda: diagnose("precomputed", without)):
        with pytest.raises(TypeError, match="no product with Kᵀ, expected one with rmatvec or rmatmat"):
            call()
    assert fitted(LinearOperator(K.shape, matvec=lambda v: K @ v, rmatvec=lambda v: K.T @ v, dtype=float)).n_features_out_ == 30
    wrong = LinearOperator(K.shape, matvec=lambda v: K @ v, rmatvec=lambda v: K @ v, dtype=float)
    for call in (lambda: fitted(wrong), lambda: diagnose("precomputed", wrong)):
        with pytest.raises(ValueError, match="rmatvec is not the product with the transpose of its matvec"):
            call()
    single = K.astype(np.float32)
    rounded = LinearOperator(K.shape, matvec=lambda v: single @ v.astype(np.float32), rmatvec=lambda v: single.T @ v.astype(np.float32), dtype=np.float32)
    assert fitted(rounded).n_features_out_ == 30


def test_operators_are_rows_of_transform_only():
    features = fitted()
    operator = aslinearoperator(K)
    for call in (features.operator, features.svd):
        with pytest.raises(TypeError, match="only transform and transform_right take operators"):
            call(operator, operator)
        with pytest.raises(TypeError, match="only transform and transform_right take operators"):
            call(K, operator)


def test_sparse_rows_in_any_order():
    A = sp.random(300, 300, 0.05, format="csr", random_state=0)
    product, other = A @ A, A.T.tocsr() @ A.T.tocsr()  # whose columns do not increase
    twice = sp.csr_matrix((np.repeat(other.data / 2, 2), np.repeat(other.indices, 2), 2 * other.indptr), shape=other.shape)
    assert not other.has_sorted_indices and not product.has_sorted_indices
    dense = product.toarray()
    for landmarks in (None, 60):
        features = fitted(product, n_features=20, n_landmarks=landmarks)
        right = features.transform_right(dense.T)
        np.testing.assert_allclose(features.transform_right(other), right, atol=1e-12)
        np.testing.assert_allclose(features.transform_right(twice), right, atol=1e-12)
        np.testing.assert_allclose(features.operator(product, other) @ np.eye(300), features.transform(dense) @ right.T, atol=1e-10)
        np.testing.assert_allclose(features.svd(product, other, k=5)[1], features.svd(dense, dense.T, k=5)[1], rtol=1e-9)
    some = product[:, features.landmark_columns_[::-1]][:, ::-1]  # SciPy leaves the columns of such in any order
    np.testing.assert_allclose(features.transform(some), features.transform(dense), atol=1e-12)


def test_operators_cannot_write_to_what_they_get():
    def write(V):
        V[0] = 1

    with pytest.raises(ValueError, match="read-only"):
        fitted(operator_with(write))


def test_symmetric_matrices():
    squares = np.square(X[:, None] - X[None]).sum(axis=2)
    features = fitted(np.exp(-squares))
    Z = features.transform(np.exp(-squares))
    np.testing.assert_array_equal(Z, features.transform_right(np.exp(-squares)))
    assert relative_error(Z, Z, np.exp(-squares)) < 1.05 * best_error(np.exp(-squares), 30)
    distances = np.sqrt(squares)
    features = fitted(distances, n_features=10)
    left, right = features.transform(distances), features.transform_right(distances)
    np.testing.assert_allclose(np.abs(left), np.abs(right))
    assert (left != right).any() and relative_error(left, right, distances) < 1.05 * best_error(distances, 10)


def test_awkward_matrices():
    one = fitted(np.array([[-2.0]]))
    assert one.transform([[-2.0]]) @ one.transform_right([[-2.0]]).T == pytest.approx(-2)
    assert np.isnan(one.error_)
    assert fitted(K[:20, :20], n_features=100).n_features_out_ <= 20
    with pytest.raises(ValueError, match="K is 20 x 20 and zero"):
        fitted(np.zeros((20, 20)))
    for bad in (np.nan, np.inf):
        with pytest.raises(ValueError, match="NaN|infinity"):
            fitted(np.where(K == K[3, 4], bad, K))
    with pytest.raises(ValueError, match="minimum of 1"):
        fitted(np.zeros((0, 3)))
    with pytest.raises(ValueError, match="159"):
        fitted().transform(K[:, :159])
    with pytest.raises(ValueError, match="159"):
        fitted().transform_right(K[:, :159])
    almost_zero = np.zeros((200, 200))
    almost_zero[3, 5] = 1
    features = fitted(almost_zero)  # what is left of it without the rows held out may be zero: nothing is known of the error then
    assert features.n_features_out_ == 1


def test_float32_and_memory_maps_and_frames(tmp_path):
    single = K.astype(np.float32)
    features = fitted(single)
    assert features.transform(single).dtype == np.float32
    np.testing.assert_allclose(features.transform(single), fitted().transform(K), atol=1e-3)
    assert fitted(single, dtype="float64").transform(single).dtype == np.float64
    np.save(tmp_path / "K.npy", K)
    mapped = np.load(tmp_path / "K.npy", mmap_mode="r")
    np.testing.assert_array_equal(fitted(mapped).transform(mapped), fitted().transform(K))
    np.testing.assert_array_equal(fitted(np.asfortranarray(K)).transform(np.asfortranarray(K)), fitted().transform(K))
    frame = pd.DataFrame(K, columns=[f"row {i}" for i in range(160)])
    of_frame = fitted(frame)
    np.testing.assert_array_equal(of_frame.transform(frame), fitted().transform(K))
    assert list(of_frame.feature_names_in_) == list(frame.columns)
    assert of_frame.set_output(transform="pandas").transform(frame).shape == (160, 30)


def test_options_that_mean_nothing_are_refused():
    for options, message in [
        ({"kernel_params": {"sigma": 1.0}}, "kernel_params"),
        ({"gamma": 1.0}, "gamma"),
        ({"tolerance": 0.1}, "tolerance"),
        ({"estimator": "fourier"}, "has no frequencies: expected auto or nystrom"),
        ({"scale": "standard"}, "scale is 'standard'"),
        ({"scale": "minmax"}, "scale is 'minmax'"),
        ({"sampler": "nonsense"}, "sampler is 'nonsense'"),
        ({"weights": "nonsense"}, "weights is 'nonsense'"),
        ({"max_frequencies": -1}, "max_frequencies is -1"),
        ({"n_landmarks": 5}, "at least as many landmarks as features"),
        ({"n_landmarks": 5000}, "n_landmarks is 5000"),
        ({"n_features": 5000}, "n_features is 5000"),
        ({"landmarks": "best"}, "landmarks is 'best'"),
    ]:
        with pytest.raises(ValueError, match=message):
            fitted(**options)
    with pytest.raises(ValueError, match="tune"):
        FourierRegressor(kernel="precomputed", tune=["sigma"]).fit(K, X[:, 0])
    with pytest.raises(ValueError, match="scale is 'standard'"):
        FourierRegressor(kernel="precomputed", scale="standard").fit(K, X[:, 0])


def test_the_same_bits_for_any_threads_and_rows():
    one, two = fitted(n_jobs=1), fitted(n_jobs=2)
    np.testing.assert_array_equal(one.transform(K), two.transform(K))
    np.testing.assert_array_equal(one.transform(K)[5:9], one.transform(K[5:9]))


@pytest.mark.parametrize("n_landmarks", [None, 60])
def test_copies_and_files(tmp_path, n_landmarks):
    features = fitted(n_landmarks=n_landmarks)
    features.save(tmp_path / "map.askrff")
    for other in (pickle.loads(pickle.dumps(features)), load(tmp_path / "map.askrff")):
        np.testing.assert_array_equal(other.transform(K), features.transform(K))
        np.testing.assert_array_equal(other.transform_right(K.T), features.transform_right(K.T))
        assert other.error_interval_ == features.error_interval_
        assert other.kernel == "precomputed"
        assert (other.landmark_columns_ is None) == (n_landmarks is None)
    np.testing.assert_array_equal(clone(features).fit(K).transform(K), features.transform(K))


def test_operator_and_svd_of_the_approximation():
    features, rows, columns = fitted(), skew(NEW, X), skew(X, Y).T
    approximate = features.transform(rows) @ features.transform_right(columns).T
    np.testing.assert_allclose(features.operator(rows, columns) @ np.eye(len(Y)), approximate, atol=1e-10)
    U, s, Vt = features.svd(rows, columns, k=30)
    np.testing.assert_allclose(U * s @ Vt, approximate, atol=1e-10)
    with pytest.raises(ValueError, match="rows of K are not its columns"):
        features.operator(rows)
    wide = fitted(skew(X, Y))
    assert wide.operator(skew(NEW, Y), K.T).shape == (70, 160)


LABELS = np.where(X[:, 0] * X[:, 1] > 0, "same", "different")


def test_cross_validation_takes_columns_with_rows():
    try:
        tags = FourierFeatures(kernel="precomputed").__sklearn_tags__().input_tags
        assert tags.pairwise and not FourierFeatures().__sklearn_tags__().input_tags.pairwise
    except AttributeError:  # an older scikit-learn
        assert FourierFeatures(kernel="precomputed")._get_tags()["pairwise"]
    pipeline = make_pipeline(FourierFeatures(kernel="precomputed", random_state=0), LogisticRegression(C=100))
    search = GridSearchCV(pipeline, {"fourierfeatures__n_features": [4, 40]}, cv=4).fit(K, LABELS)
    assert search.best_params_ == {"fourierfeatures__n_features": 40} and search.best_score_ > 0.9
    assert search.best_estimator_[0].n_features_in_ == 160
    assert cross_val_score(FourierClassifier(kernel="precomputed", n_features=40, random_state=0), K, LABELS, cv=4).mean() > 0.9


def test_models(tmp_path):
    rows, labels = skew(NEW, X), np.where(NEW[:, 0] * NEW[:, 1] > 0, "same", "different")
    for model in ("svm", "ridge"):
        classifier = FourierClassifier(kernel="precomputed", n_features=40, model=model, random_state=0).fit(K, LABELS)
        assert classifier.score(rows, labels) > 0.9 and classifier.predict_proba(rows).shape == (70, 2)
        sparse = clone(classifier).fit(sp.csr_matrix(K), LABELS)
        np.testing.assert_allclose(sparse.decision_function(sp.csr_matrix(rows)), classifier.decision_function(rows), rtol=1e-3, atol=1e-4)
        classifier.save(tmp_path / "model.askrff")
        for other in (pickle.loads(pickle.dumps(classifier)), load(tmp_path / "model.askrff")):
            np.testing.assert_array_equal(other.decision_function(rows), classifier.decision_function(rows))
    regressor = FourierRegressor(kernel="precomputed", n_features=40, n_landmarks=80, random_state=0).fit(K, X[:, 0])
    assert regressor.score(rows, NEW[:, 0]) > 0.85
    np.testing.assert_array_equal(regressor.predict(rows[:, regressor.landmark_columns_]), regressor.predict(rows))
    assert regressor.predict(rows, return_std=True)[1].shape == (70,)
    stream = FourierRegressor(kernel="precomputed", n_features=40, C=10.0, random_state=0).partial_fit(K, X[:, 0])
    stream.partial_fit(rows, NEW[:, 0])
    assert stream.n_rows_seen_ == 230
    weighted = clone(regressor).fit(K, X[:, 0], sample_weight=np.arange(160) % 2)
    assert weighted.n_rows_seen_ == 80


def test_models_of_tiny_matrices():
    rows, few = skew(NEW, X), X[:, 0] * X[:, 1] > 0.3
    usual = FourierClassifier(kernel="precomputed", n_features=40, random_state=0).fit(K, few)
    for size in (1e-4, 1e-6):  # features so small that every C of the first grid says the commonest class
        tiny = clone(usual).fit(size * K, few)
        assert tiny.C_ > 1000 * usual.C_ and tiny.score(size * rows, usual.predict(rows)) > 0.95
    with pytest.warns(AccuracyWarning, match="every C that could be tried, .* gives the same accuracy"):
        clone(usual).fit(1e-30 * K, few)


def test_a_fit_that_fails_leaves_the_one_before():
    features = fitted()
    before = features.transform(K)
    with pytest.raises(ValueError):
        features.fit(np.zeros((30, 30)))
    np.testing.assert_array_equal(features.transform(K), before)


def test_the_certificate_holds_on_rows_to_come():
    inside = 0
    for seed in range(20):
        x, new = points(250, seed), points(250, 100 + seed)
        features = FourierFeatures(kernel="precomputed", n_features=12, random_state=seed).fit(skew(x, x))
        error = relative_error(features.transform(skew(new, x)), features.transform_right(skew(x, new).T), skew(new, new))
        inside += features.error_interval_[0] <= error <= features.error_interval_[1]
    assert inside >= 14  # of intervals of 90 % or more fewer happen once in 10^4 runs
