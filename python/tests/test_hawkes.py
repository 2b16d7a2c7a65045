"""HawkesProcess: fits of simulated events, likelihoods against direct sums, refusals. Seeds are fixed; with a fresh one some of the nine
numbers compared with 4 standard errors would fail with probability 6e-4."""

import pickle

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.exceptions import NotFittedError

from askrff import AccuracyWarning, HawkesProcess

BASELINE, BRANCHING, DECAY = np.array([0.5, 0.1]), np.array([[0.3, 0.5], [0.1, 0.2]]), 2.0


def process(**options):
    return HawkesProcess.from_parameters(BASELINE, BRANCHING, DECAY, **options)


def direct(times, types, horizon):
    value = -BASELINE.sum() * horizon + (BRANCHING.sum(axis=1)[types] * np.expm1(-DECAY * (horizon - times))).sum()
    for t, v in zip(times, types):
        before = times < t
        value += np.log(BASELINE[v] + (BRANCHING[types[before], v] * DECAY * np.exp(-DECAY * (t - times[before]))).sum())
    return value


def test_parameters_are_recovered():
    times, types = process().simulate(20_000.0, random_state=3)
    fitted = HawkesProcess().fit(times, types, horizon=20_000.0)
    assert (np.abs(fitted.baseline_ - BASELINE) < 4 * fitted.baseline_error_).all()
    assert (np.abs(fitted.branching_ - BRANCHING) < 4 * fitted.branching_error_).all()
    assert abs(fitted.decay_ - DECAY) < 4 * fitted.decay_error_ < 0.5
    assert fitted.branching_.shape == (2, 2) and isinstance(fitted.decay_, float)
    assert fitted.score(times, types, 20_000.0) == fitted.log_likelihood_ >= process().score(times, types, 20_000.0)
    assert fitted.branching_ratio_ == pytest.approx(np.abs(np.linalg.eigvals(fitted.branching_)).max())
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(fitted)).intensity([3.0]), fitted.intensity([3.0]))


def test_several_given_decays():
    truth = HawkesProcess.from_parameters([0.5], [[[0.3]], [[0.4]]], [5.0, 0.2])
    times, _ = truth.simulate(20_000.0, random_state=1)
    fitted = HawkesProcess(decays=[5.0, 0.2]).fit(times, horizon=20_000.0)
    assert fitted.branching_.shape == (2, 1, 1) and fitted.decay_.tolist() == [5.0, 0.2] and np.isnan(fitted.decay_error_).all()
    assert (np.abs(fitted.branching_ - truth.branching_) < 4 * fitted.branching_error_).all()
    one = HawkesProcess(decays=1.0).fit(times, horizon=20_000.0)
    assert one.branching_.shape == (1, 1) and one.decay_ == 1.0 and one.log_likelihood_ < fitted.log_likelihood_


def test_likelihood_is_the_direct_sum():
    times, types = process().simulate(500.0, random_state=5)
    assert process().score(times, types, 500.0) == pytest.approx(direct(times, types, 500.0), rel=1e-12)
    order = np.random.default_rng(0).permutation(len(times))
    assert process().score(times[order], types[order], 500.0) == process().score(times, types, 500.0)
    value, baseline, branching, decay = process().log_likelihood(times, types, 500.0)
    assert baseline.shape == (2,) and branching.shape == (2, 2) and isinstance(decay, float)
    step = 1e-6
    above = HawkesProcess.from_parameters(BASELINE, BRANCHING, DECAY + step).score(times, types, 500.0)
    assert (above - value) / step == pytest.approx(decay, abs=1e-2)


def test_intensity():
    kernel = DECAY * np.exp(-DECAY * 0.5)
    found = process().intensity([0.0, 1.0, 1.5], times=[1.0], types=[0])
    np.testing.assert_allclose(found, [BASELINE, BASELINE, BASELINE + BRANCHING[0] * kernel], rtol=1e-14)
    np.testing.assert_allclose(process().intensity([4.0]), [BASELINE])


def test_labels_of_types_may_be_text():
    times, types = process(types=["a", "b"]).simulate(2000.0, random_state=1)
    assert set(types) == {"a", "b"}
    fitted = HawkesProcess().fit(times, types, 2000.0)
    codes = HawkesProcess().fit(times, (types == "b").astype(int), 2000.0)
    assert fitted.types_.tolist() == ["a", "b"]
    np.testing.assert_array_equal(fitted.branching_, codes.branching_)
    reverse = HawkesProcess.from_parameters(BASELINE, BRANCHING, DECAY, types=["b", "a"])
    assert reverse.score([1.0], ["b"], 2.0) == process().score([1.0], [0], 2.0)
    with pytest.raises(ValueError, match=r"types holds 'c', expected \['a', 'b'\]"):
        fitted.score([1.0], ["c"], 2.0)


def test_simulation_is_that_of_its_seed():
    first, again = process().simulate(100.0, random_state=7), process().simulate(100.0, random_state=7)
    np.testing.assert_array_equal(first, again)
    assert (np.diff(first[0]) >= 0).all() and first[0].max() <= 100


def test_threads_do_not_matter():
    times, types = process().simulate(50_000.0, random_state=2)
    one, two = (HawkesProcess(n_jobs=n).fit(times, types) for n in (1, 2))
    np.testing.assert_array_equal(one.branching_, two.branching_)
    assert one.decay_ == two.decay_


def test_time_stamps_are_told_of():
    times, _ = process().simulate(100.0, random_state=2)
    with pytest.warns(AccuracyWarning, match="times count from 0"):
        HawkesProcess().fit(1.7e9 + times)


def test_clone_and_failed_fits():
    fitted = HawkesProcess(decays=[1.0, 2.0]).fit([1.0, 2.0, 2.5])
    assert clone(fitted).decays == [1.0, 2.0] and not hasattr(clone(fitted), "baseline_")
    before = dict(vars(fitted))
    with pytest.raises(ValueError):
        fitted.fit([1.0, np.nan])
    assert vars(fitted) == before


@pytest.mark.parametrize(
    "call, error, sentence",
    [
        (lambda: HawkesProcess().fit([]), ValueError, "no events"),
        (lambda: HawkesProcess().fit([1.0, np.nan], horizon=2.0), ValueError, r"times\[1\] is nan"),
        (lambda: HawkesProcess().fit([-1.0], horizon=2.0), ValueError, "from 0 to the horizon"),
        (lambda: HawkesProcess().fit([3.0], horizon=2.0), ValueError, "from 0 to the horizon"),
        (lambda: HawkesProcess().fit([0.0]), ValueError, "the horizon is 0"),
        (lambda: HawkesProcess().fit([1.0, np.nan]), ValueError, r"times\[1\] is nan"),
        (lambda: HawkesProcess().fit([np.inf, 1.0]), ValueError, r"times\[0\] is inf"),
        (lambda: HawkesProcess().fit([-1.0]), ValueError, r"times\[0\] is -1"),
        (lambda: HawkesProcess().fit([1.0, 2.0], [1.0, np.nan]), ValueError, r"types\[1\] is .*nan"),
        (lambda: HawkesProcess().fit([1.0, 2.0], np.array(["a", None])), TypeError, "labels of NoneType, str"),
        (lambda: process().score([1.0, 2.0], np.array(["a", 1], dtype=object)), TypeError, "labels of int, str"),
        (lambda: HawkesProcess().fit([1.0], [0, 1]), ValueError, "got 2 types"),
        (lambda: HawkesProcess().fit(["a"]), TypeError, "expected numbers"),
        (lambda: HawkesProcess(decays=-1.0).fit([1.0]), ValueError, r"decays\[0\] is -1"),
        (lambda: HawkesProcess(decays=[]).fit([1.0]), ValueError, "decays is empty"),
        (lambda: process().score([1.0], horizon=2.0), ValueError, "got no types"),
        (lambda: process().score([]), ValueError, "no horizon"),
        (lambda: process().simulate(-1.0), ValueError, "horizon"),
        (lambda: process().intensity([-1.0]), ValueError, "from 0"),
        (lambda: process().intensity([np.inf]), ValueError, "is inf, expected a number from 0"),
        (lambda: process().intensity([1.0], [np.nan], [0]), ValueError, r"times\[0\] is nan"),
        (lambda: HawkesProcess.from_parameters([], np.zeros((0, 0)), 1.0), ValueError, "baseline is empty"),
        (lambda: HawkesProcess.from_parameters([1.0], [[1.0]], 1.0).simulate(1.0), ValueError, "branching ratio is 1"),
        (lambda: HawkesProcess.from_parameters([1.0], [[0.5, 0.5]], 1.0), ValueError, "branching has shape"),
        (lambda: HawkesProcess.from_parameters([-1.0], [[0.5]], 1.0), ValueError, r"baseline\[0\] is -1"),
        (lambda: process(types=["a", "a"]), ValueError, "expected 2 different labels"),
        (lambda: HawkesProcess().intensity([1.0]), NotFittedError, "not fitted"),
    ],
)
def test_refusals(call, error, sentence):
    with pytest.raises(error, match=sentence):
        call()
