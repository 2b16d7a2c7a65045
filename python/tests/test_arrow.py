"""Tables by columns: Arrow through its C interface (pyarrow, polars), pandas frames; names for labels; readers; what cannot be data."""

import numpy as np
import pytest

from askrff import FourierClassifier, FourierFeatures, FourierRegressor, exact_kernel

pa = pytest.importorskip("pyarrow")

NAMES = ["a", "b", "c"]
OPTIONS = {"n_features": 32, "C": [1.0, 1e4], "n_folds": 3, "random_state": 0}
pytestmark = pytest.mark.filterwarnings("ignore:the best C")


def numbers(n=700):
    X = np.random.default_rng(0).uniform(size=(n, 3))
    return X, np.sin(3 * X[:, 0]) * X[:, 1]


def table(n=700):
    X, y = numbers(n)
    return pa.table([*X.T], names=NAMES), y


def polars_frame(arrow):
    return pytest.importorskip("polars").from_arrow(arrow)


def pandas_frame(arrow):
    pd = pytest.importorskip("pandas")
    return pd.DataFrame({name: arrow[name].to_numpy() for name in arrow.column_names})


def batch(arrow):
    return arrow.combine_chunks().to_batches()[0]


class ArrayOnly:
    """A batch of a library that knows no streams."""

    def __init__(self, of_rows):
        self._batch = of_rows

    def __arrow_c_array__(self, requested_schema=None):
        return self._batch.__arrow_c_array__(requested_schema)


def reader(arrow, rows=97):
    return pa.RecordBatchReader.from_batches(arrow.schema, arrow.to_batches(max_chunksize=rows))


def chunks(arrow):
    return pa.concat_tables([arrow.slice(0, 5), arrow.slice(5, 300), arrow.slice(305)])


FORMS = [lambda t: t, chunks, batch, lambda t: ArrayOnly(batch(t)), reader, polars_frame, pandas_frame]
FORM_NAMES = ["table", "chunks", "batch", "array", "reader", "polars", "pandas"]


@pytest.mark.parametrize("form", FORMS, ids=FORM_NAMES)
def test_every_form_gives_the_bits_of_an_array(form):
    X, y = numbers()
    t, _ = table()
    of_array, of_table = FourierRegressor(**OPTIONS).fit(X, y), FourierRegressor(**OPTIONS).fit(form(t), y)
    assert np.array_equal(of_array.coef_, of_table.coef_)
    assert list(of_table.feature_names_in_) == NAMES and of_table.n_features_in_ == 3
    assert np.array_equal(of_table.predict(form(t)), of_array.predict(X))
    features = FourierFeatures(n_features=16, random_state=0).fit(form(t))
    assert np.array_equal(features.transform(form(t)), FourierFeatures(n_features=16, random_state=0).fit_transform(X))
    assert np.array_equal(features.transform_right(form(t)), features.transform(form(t)))


@pytest.mark.parametrize("form", FORMS, ids=FORM_NAMES)
def test_labels_and_weights_by_name(form):
    X, y = numbers()
    t, _ = table()
    weights = np.linspace(0.5, 2, len(y))
    whole = t.append_column("y", pa.array(y)).append_column("w", pa.array(weights))
    expected = FourierRegressor(**OPTIONS).fit(X, y, weights)
    found = FourierRegressor(**OPTIONS).fit(form(whole), y="y", sample_weight="w")
    assert np.array_equal(found.coef_, expected.coef_) and list(found.feature_names_in_) == NAMES
    again = FourierRegressor(**OPTIONS).partial_fit(form(whole), y="y", sample_weight="w")
    assert np.array_equal(again.coef_, FourierRegressor(**OPTIONS).partial_fit(X, y, weights).coef_)


def test_several_targets_by_name():
    X, y = numbers()
    t, _ = table()
    whole = t.append_column("y", pa.array(y)).append_column("z", pa.array(2 * y))
    expected = FourierRegressor(**OPTIONS).fit(X, np.column_stack([y, 2 * y]))
    assert np.array_equal(FourierRegressor(**OPTIONS).fit(whole, y=["y", "z"]).coef_, expected.coef_)
    streamed = FourierRegressor(**OPTIONS).partial_fit(reader(whole), y=["y", "z"])
    assert streamed.predict(t).shape == (700, 2)


@pytest.mark.parametrize("type_", ["string", "large_string", "string_view", "dictionary", "int8", "bool"])
@pytest.mark.parametrize("by_polars", [False, True])
def test_labels_of_every_type(type_, by_polars):
    X, y = numbers()
    t, _ = table()
    positive = y > 0.3
    if type_ in ("int8", "bool"):
        column, labels = pa.array(positive).cast(type_), positive.astype(np.int64)
    else:
        labels = np.where(positive, "a rather long label", "no")
        column = pa.array(labels).dictionary_encode() if type_ == "dictionary" else pa.array(labels).cast(getattr(pa, type_)())
    whole = t.append_column("l", column)
    whole = polars_frame(whole) if by_polars else whole
    found = FourierClassifier(n_features=32, random_state=0).fit(whole, y="l")
    expected = FourierClassifier(n_features=32, random_state=0).fit(X, labels)
    assert np.array_equal(found.classes_, expected.classes_) and np.array_equal(found.coef_, expected.coef_)


def test_batches_of_a_reader_do_not_matter(monkeypatch):
    monkeypatch.setattr("askrff._columns.ROWS_OF_A_PIECE", 200)
    X, y = numbers()
    t, _ = table()
    whole = t.append_column("y", pa.array(y))
    models = [FourierRegressor(**OPTIONS).partial_fit(reader(whole, rows), y="y") for rows in (1, 97, 200, 10**6)]
    for model in models:
        assert np.array_equal(model.coef_, models[0].coef_) and model.n_rows_seen_ == 700
    # As if pieces came by calls.
    by_calls = FourierRegressor(**OPTIONS)
    for first in range(0, 700, 200):
        by_calls.partial_fit(X[first : first + 200], y[first : first + 200])
    assert np.array_equal(by_calls.coef_, models[0].coef_)
    # More of it, with y beside the rows.
    models[0].partial_fit(reader(t), y)
    assert models[0].n_rows_seen_ == 1400
    assert np.array_equal(models[1].predict(reader(t, 33)), models[1].predict(X))


def test_classes_of_a_reader():
    t, y = table()
    whole = t.append_column("l", pa.array(np.where(y > 0.3, "yes", "no")))
    model = FourierClassifier(model="ridge", n_features=32, random_state=0)
    model.partial_fit(reader(whole), y="l", classes=["no", "yes"]).partial_fit(reader(whole), y="l")
    assert model.n_rows_seen_ == 1400 and model.score(t, np.where(y > 0.3, "yes", "no")) > 0.9


def test_dtypes_are_those_of_numpy():
    t, _ = table()
    single = t.cast(pa.schema([(name, pa.float32()) for name in NAMES]))
    features = FourierFeatures(n_features=16, random_state=0).fit(single)
    assert features.transform(single).dtype == np.float32
    assert features.transform(single.set_column(0, "a", pa.array(np.zeros(700, np.int16)))).dtype == np.float32
    assert features.transform(single.set_column(0, "a", pa.array(np.zeros(700, np.int64)))).dtype == np.float64
    assert FourierFeatures(n_features=16, dtype="float32", random_state=0).fit_transform(t).dtype == np.float32


def test_whole_numbers_truth_values_and_slices():
    columns = {"b": [True, False] * 40, "u": np.arange(80, dtype=np.uint8), "i": np.arange(-40, 40)}
    t = pa.table(columns).slice(3, 61)
    X = np.column_stack([np.asarray(column, dtype=float) for column in columns.values()])[3:64]
    features = FourierFeatures(n_features=8, random_state=0).fit(X)
    assert np.array_equal(features.transform(t), features.transform(X))
    assert np.array_equal(exact_kernel(t, gamma=0.1), exact_kernel(X, gamma=0.1))
    assert features.operator(t).shape == (61, 61)


def test_rows_of_weight_zero_are_left_out():
    X, y = numbers()
    t, _ = table()
    weights = np.where(np.arange(700) % 3 == 0, 0.0, 1.0)
    found, expected = FourierRegressor(**OPTIONS), FourierRegressor(**OPTIONS)
    assert np.array_equal(found.partial_fit(t, y, weights).coef_, expected.partial_fit(X, y, weights).coef_)


ONE_HOT = "turn categories into columns of 0 and 1 first"


@pytest.mark.parametrize(
    "column, sentence",
    [
        (pa.array(["x"] * 700), f"column 'q' holds text, .*{ONE_HOT}"),
        (pa.array(["x"] * 700).dictionary_encode(), f"column 'q' holds categories .*{ONE_HOT}"),
        (pa.array([1.0, None] + [1.0] * 698), "column 'q' has no value in row 1, .*SimpleImputer"),
        (pa.array([1.0, float("nan")] + [1.0] * 698), "column 'q' has NaN in row 1, .*SimpleImputer"),
        (pa.array([1.0, float("inf")] + [1.0] * 698), "column 'q' is inf in row 1, expected a finite number"),
        (pa.array([[1.0]] * 700), "column 'q' holds lists, expected one number in a row"),
        (pa.array(range(700), pa.timestamp("s")), "column 'q' holds timestamps, "),
        (pa.nulls(700), "column 'q' holds missing values only"),
        (pa.array(np.zeros(700, np.float16)), "column 'q' holds float16 numbers"),
        (pa.array([{"k": 1}] * 700), "column 'q' holds columns of its own"),
    ],
)
def test_says_which_column_is_no_data_and_what_to_do(column, sentence):
    t, y = table()
    with pytest.raises(ValueError, match=sentence):
        FourierRegressor(**OPTIONS).fit(t.append_column("q", column), y)


@pytest.mark.parametrize("kind", ["Categorical", "String", "Datetime"])
def test_says_it_of_polars_frames_too(kind):
    pl = pytest.importorskip("polars")
    t, y = table()
    column = pl.Series(["x"] * 700).cast(getattr(pl, kind)) if kind != "Datetime" else pl.Series(range(700)).cast(pl.Datetime)
    with pytest.raises(ValueError, match="column 'q' holds (categories|text|timestamps)"):
        FourierRegressor(**OPTIONS).fit(polars_frame(t).with_columns(q=column), y)


def test_gaps_are_found_in_transform_too():
    t, _ = table()
    features = FourierFeatures(n_features=8, random_state=0).fit(t)
    with pytest.raises(ValueError, match="column 'b' has no value in row 2"):
        features.transform(t.set_column(1, "b", pa.array([1.0, 2.0, None] + [1.0] * 697)))


def test_columns_must_be_those_of_the_fit():
    t, y = table()
    model = FourierRegressor(**OPTIONS).fit(t, y)
    with pytest.raises(ValueError, match=r"X does not know \['x'\], expected the 3 columns that FourierRegressor was fitted on"):
        model.predict(t.rename_columns(["a", "b", "x"]))
    with pytest.raises(ValueError, match=r"X lacks \['c'\]"):
        model.predict(t.drop_columns(["c"]))
    with pytest.raises(ValueError, match="X has another order"):
        model.predict(t.select(["b", "a", "c"]))
    X, _ = numbers()
    with pytest.raises(ValueError, match="X has 2 columns, but FourierRegressor was fitted on 3"):
        FourierRegressor(**OPTIONS).fit(X, y).predict(t.drop_columns(["c"]))


def test_names_that_are_none():
    t, y = table()
    X, _ = numbers()
    with pytest.raises(ValueError, match="X has no columns called 'z', expected one; there are 'a', 'b', 'c'"):
        FourierRegressor(**OPTIONS).fit(t, y="z")
    with pytest.raises(TypeError, match="y is 'z', the name of a column, but X is ndarray: expected a table"):
        FourierRegressor(**OPTIONS).fit(X, y="z")
    with pytest.raises(ValueError, match="an Arrow array that holds float64 numbers, expected a table"):
        FourierRegressor(**OPTIONS).fit(t["a"], y)
    with pytest.raises(ValueError, match="expected at least one of each"):
        FourierFeatures().fit(t.slice(0, 0))


def test_readers_that_fail():
    t, y = table()

    def failing():
        yield from t.to_batches(max_chunksize=100)
        raise RuntimeError("the disk is gone")

    def broken():
        return pa.RecordBatchReader.from_batches(t.schema, failing())

    model = FourierRegressor(**OPTIONS)
    with pytest.raises(ValueError, match="the stream ends with an error: .*the disk is gone"):
        model.partial_fit(broken(), y)
    assert not hasattr(model, "n_rows_seen_") and not hasattr(model, "n_features_in_")
    with pytest.raises(ValueError, match="y has 600 elements, but the reader has more rows"):
        model.partial_fit(reader(t), y[:600])
    with pytest.raises(ValueError, match="y has 1400 elements, but the reader had 700 rows"):
        model.partial_fit(reader(t), np.tile(y, 2))
    with pytest.raises(ValueError, match="the reader has no rows"):
        model.partial_fit(reader(t.slice(0, 0)), y)
    used = reader(t)
    used.read_all()
    with pytest.raises(ValueError, match="the reader has no rows"):
        model.partial_fit(used, y)
    with pytest.raises(ValueError, match="out is given, but X is a reader"):
        FourierFeatures(n_features=4).fit(t).transform(reader(t), out=np.empty((700, 4)))


def test_a_later_reader_that_fails_counts_what_came_before(monkeypatch):
    monkeypatch.setattr("askrff._columns.ROWS_OF_A_PIECE", 200)
    t, y = table()
    model = FourierRegressor(**OPTIONS).partial_fit(reader(t), y)
    gap = t.set_column(1, "b", pa.array([0.5] * 450 + [None] + [0.5] * 249))
    with pytest.raises(ValueError, match="column 'b' has no value in row 50"):
        model.partial_fit(reader(gap), y)
    assert model.n_rows_seen_ == 1100
    assert model.partial_fit(reader(t), y).n_rows_seen_ == 1800


def test_pandas_columns():
    pd = pytest.importorskip("pandas")
    t, y = table()
    frame = pandas_frame(t)
    mixed = frame.assign(b=(frame["b"] * 100).astype("int32"), c=frame["c"] > 0.5)
    X = mixed.to_numpy(dtype=float)
    found = FourierRegressor(**OPTIONS).fit(mixed, y)
    assert np.array_equal(found.coef_, FourierRegressor(**OPTIONS).fit(X, y).coef_)
    nullable = mixed.assign(b=mixed["b"].astype("Int64"), c=mixed["c"].astype("boolean"))
    assert np.array_equal(found.predict(nullable), found.predict(mixed))
    with pytest.raises(ValueError, match=f"column 'k' holds categories, .*{ONE_HOT}"):
        found.fit(frame.assign(k=pd.Categorical(["u", "v"] * 350)), y)
    with pytest.raises(ValueError, match="column 'k' holds timestamps"):
        found.fit(frame.assign(k=pd.Timestamp("2020-01-01")), y)
    with pytest.raises(ValueError, match="column 'b' has NaN in row 0"):
        found.fit(mixed.assign(b=pd.array([None] + [1] * 699, dtype="Int64")), y)
    with pytest.raises(ValueError, match="feature names"):
        FourierRegressor(**OPTIONS).fit(mixed, y).predict(mixed.rename(columns={"a": "z"}))
