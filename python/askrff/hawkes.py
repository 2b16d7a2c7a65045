"""HawkesProcess: events that cause events, by maximum likelihood."""

from __future__ import annotations

from typing import Any, Optional, Sequence, Tuple, Union

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_is_fitted

from . import _core
from ._parameters import check_count, check_number, seed_from, shown, threads_from
from ._typing import AnyArray, FloatArray, RandomState
from ._validation import unchanged_if_it_fails, warn
from .causal import numbers_of, row_of


class HawkesProcess(BaseEstimator):
    """Events that cause events: the rate of events of type v at time t is

        baseline_[v] + Σ_j branching_[type_j, v]·decay_·exp(-decay_·(t - t_j)),   over all events strictly before t.

    branching_[u, v] is how many events of type v one of type u causes on average, 1/decay_ the mean time until then. It need not be
    symmetric: who excites whom is what it tells.

    Parameters
    ----------
    decays : float or sequence of float, default=None
        None: one decay for all pairs of types, found with the rest. Else kept as given; of a sequence of K every decay has a branching
        matrix of its own, so that delays are mixtures of exponentials.
    n_jobs : int, default=None
        Threads; results are the same for any number.

    Attributes
    ----------
    types_ : ndarray of shape (n_types,)
        The labels of types, sorted by ``fit``: the order of all that follows.
    baseline_ : ndarray of shape (n_types,)
        Events in a unit of time that no other event caused.
    decay_ : float, or ndarray of shape (K,) if `decays` is a sequence
    branching_ : ndarray of shape (n_types, n_types), or (K, n_types, n_types)
    branching_ratio_ : float
        The largest absolute eigenvalue of the branching matrix; of one type the share of events that others caused.
    baseline_error_, branching_error_, decay_error_ : like those above
        Standard errors by the observed information. NaN where a number is 0, was given, or the events say nothing about it.
    log_likelihood_ : float
    n_iter_ : int
        Newton's steps.

    Examples
    --------
    >>> from askrff import HawkesProcess
    >>> truth = HawkesProcess.from_parameters(baseline=[0.5, 0.1], branching=[[0.3, 0.5], [0.0, 0.2]], decay=2.0)
    >>> times, types = truth.simulate(horizon=5000.0, random_state=0)
    >>> fitted = HawkesProcess().fit(times, types, horizon=5000.0)
    >>> bool(fitted.branching_[0, 1] > 10 * fitted.branching_[1, 0])
    True
    """

    def __init__(self, decays: Union[None, float, Sequence[float]] = None, *, n_jobs: Optional[int] = None) -> None:
        self.decays = decays
        self.n_jobs = n_jobs

    def fit(self, times: ArrayLike, types: Optional[ArrayLike] = None, horizon: Optional[float] = None) -> HawkesProcess:
        """Find the parameters under which the events are most likely.

        Parameters
        ----------
        times : array-like of shape (n_events,)
            In any order, from 0 on, when observation began. Events of the same time do not cause each other.
        types : array-like of shape (n_events,), default=None
            A label for every event, numbers or text; None if all are alike.
        horizon : float, default=None
            When observation ended; None: with the last event, which makes rates a little too high.

        Returns
        -------
        self
        """
        with unchanged_if_it_fails(self):
            t = numbers_of("times", times)
            if len(t) == 0:
                raise ValueError("got no events, expected at least one")
            labels = np.zeros(len(t), dtype=np.int64) if types is None else _labels_of(types)
            self.types_ = _different(labels)[0]
            end = _end_of(t, horizon)
            events = self._events_of(t, None if types is None else labels, end)
            given = self.decays is not None
            decays = numbers_of("decays", np.atleast_1d(np.asarray(self.decays))) if given else np.zeros(0)
            if given and len(decays) == 0:
                raise ValueError("decays is empty, expected None, a number or some of them")
            found, errors, self.log_likelihood_, self.n_iter_ = _core.fit_hawkes(events, row_of(decays), threads_from(self.n_jobs))
            shape = () if not given or np.ndim(self.decays) == 0 else (len(decays),)
            self.baseline_, self.branching_, self.decay_ = _shaped(found, shape)
            self.baseline_error_, self.branching_error_, self.decay_error_ = _shaped(errors, shape)
            self._keep(t, labels, end)
            if len(t) > 1 and t.min() > 0.9 * end:
                warn(f"the first event is at {t.min():g} of {end:g}, and nothing before it: times count from 0, when observation began")
            return self

    @classmethod
    def from_parameters(
        cls, baseline: ArrayLike, branching: ArrayLike, decay: Union[float, Sequence[float]], types: Optional[ArrayLike] = None
    ) -> HawkesProcess:
        """A process of which all parameters are known, to simulate it or to judge events by it.

        Parameters
        ----------
        baseline : array-like of shape (n_types,)
        branching : array-like of shape (n_types, n_types), or (K, n_types, n_types) if decay is a sequence
        decay : float or sequence of float
        types : array-like of shape (n_types,), default=None
            Their labels; None: 0, 1, …

        Returns
        -------
        process : HawkesProcess
        """
        process = cls(decays=decay)
        process.baseline_ = numbers_of("baseline", baseline)
        n_types = len(process.baseline_)
        if n_types == 0:
            raise ValueError("baseline is empty, expected a number for every type")
        rates = np.asarray(decay, dtype=np.float64)
        process.decay_ = float(rates) if rates.ndim == 0 else numbers_of("decay", rates)
        process.branching_ = np.asarray(branching, dtype=np.float64)
        expected = rates.shape + (n_types, n_types)
        if process.branching_.shape != expected:
            raise ValueError(f"branching has shape {process.branching_.shape}, expected {expected}")
        process.types_ = np.arange(n_types) if types is None else _labels_of(types)
        if len(process.types_) != n_types or len(set(process.types_.tolist())) != n_types:
            raise ValueError(f"types is {shown(process.types_.tolist())}, expected {n_types} different labels")
        process._keep(np.zeros(0), process.types_[:0], 1.0)
        return process

    def intensity(self, t: ArrayLike, times: Optional[ArrayLike] = None, types: Optional[ArrayLike] = None) -> FloatArray:
        """The rate of events of every type just before some times.

        Parameters
        ----------
        t : array-like of shape (n,)
            From 0 on, in any order.
        times, types : array-like of shape (n_events,), default=None
            The events until then; None: those of the fit, none of a process from parameters.

        Returns
        -------
        intensity : ndarray of shape (n, n_types)
        """
        check_is_fitted(self, "baseline_")
        at = numbers_of("t", t)
        known = self._event_times if times is None else numbers_of("times", times)
        labels = self._event_types if times is None else types
        end = _end_of(np.append(known, 1e-300), None)
        return _core.hawkes_intensity(*self._parameters(), self._events_of(known, labels, end), row_of(at), threads_from(self.n_jobs))

    def score(self, times: ArrayLike, types: Optional[ArrayLike] = None, horizon: Optional[float] = None) -> float:
        """The log-likelihood of events, observed from 0 to the horizon; parameters as in ``fit``."""
        return self.log_likelihood(times, types, horizon)[0]

    def log_likelihood(
        self, times: ArrayLike, types: Optional[ArrayLike] = None, horizon: Optional[float] = None
    ) -> Tuple[float, FloatArray, FloatArray, Union[float, FloatArray]]:
        """The log-likelihood of events and its gradient, for optimisers of one's own; parameters as in ``fit``.

        Returns
        -------
        value : float
        baseline, branching, decay : like baseline_, branching_ and decay_
            The derivatives in them.
        """
        check_is_fitted(self, "baseline_")
        t = numbers_of("times", times)
        if horizon is None and len(t) == 0:
            raise ValueError("got no events and no horizon, expected one of them")
        end = _end_of(t, horizon)
        value, gradient = _core.hawkes_log_likelihood(*self._parameters(), self._events_of(t, types, end), threads_from(self.n_jobs))
        return (value, *_shaped(gradient, np.shape(self.decay_)))

    def simulate(self, horizon: float, random_state: RandomState = None, max_events: int = 10_000_000) -> Tuple[FloatArray, AnyArray]:
        """Events of this process, from time 0, with nothing before it, to the horizon.

        Parameters
        ----------
        horizon : float
        random_state : int, RandomState, Generator or None, default=None
            The same int gives the same events everywhere.
        max_events : int, default=10_000_000
            More are an error.

        Returns
        -------
        times : ndarray of shape (n_events,)
            Ascending.
        types : ndarray of shape (n_events,)
            Their labels.
        """
        check_is_fitted(self, "baseline_")
        end, most = check_number("horizon", horizon), check_count("max_events", max_events)
        events = _core.simulate_hawkes(*self._parameters(), end, seed_from(random_state), most)
        return events.times, self.types_[events.types]

    def _keep(self, times: FloatArray, labels: AnyArray, horizon: float) -> None:
        self._event_times, self._event_types, self.horizon_ = times, labels, horizon
        self.branching_ratio_ = _core.branching_ratio(*self._parameters())

    def _parameters(self) -> Tuple[FloatArray, FloatArray, FloatArray]:
        n_types = len(self.baseline_)
        branching = np.ascontiguousarray(self.branching_, dtype=np.float64).reshape(-1, n_types)
        return row_of(self.baseline_), branching, row_of(np.atleast_1d(np.asarray(self.decay_, dtype=np.float64)))

    def _events_of(self, times: FloatArray, labels: Optional[ArrayLike], horizon: float) -> Any:
        if labels is None:
            if len(self.types_) > 1 and len(times):
                raise ValueError(f"got no types, expected one of {len(self.types_)} for every event")
            codes = np.zeros(len(times), dtype=np.uint32)
        else:
            codes = _codes_of(_labels_of(labels), self.types_)
        if len(codes) != len(times):
            raise ValueError(f"got {len(codes)} types, expected one for each of {len(times)} times")
        return _core.hawkes_events(row_of(times), row_of(codes), horizon, len(self.types_))


def _end_of(times: FloatArray, horizon: Optional[float]) -> float:
    """The horizon, or the last of some times: who gave none is told what is wrong with these."""
    if horizon is not None:
        return check_number("horizon", horizon)
    wrong = np.flatnonzero(~((times >= 0) & np.isfinite(times)))
    if len(wrong):
        raise ValueError(f"times[{wrong[0]}] is {times[wrong[0]]:g}, expected a finite number of at least 0")
    return float(times.max())


def _labels_of(types: ArrayLike) -> AnyArray:
    labels = np.asarray(types)
    if labels.ndim != 1:
        raise ValueError(f"types has shape {labels.shape}, expected one dimension")
    for i in np.flatnonzero(labels != labels)[:1]:
        raise ValueError(f"types[{i}] is {shown(labels[i])}, expected a label that is equal to itself")
    return labels


def _different(labels: AnyArray) -> Tuple[AnyArray, AnyArray]:
    """Every label once, sorted, and the place of each among them."""
    try:
        different, inverse = np.unique(labels, return_inverse=True)
        return different, inverse.reshape(-1)
    except TypeError:
        kinds = sorted({type(label).__name__ for label in labels})
        raise TypeError(f"types holds labels of {', '.join(kinds)}, expected labels of one kind that can be sorted") from None


def _codes_of(labels: AnyArray, types: AnyArray) -> AnyArray:
    """The place of every label among the types."""
    if labels.dtype.kind in "iu" and np.array_equal(types, np.arange(len(types))) and len(labels) and 0 <= labels.min() <= labels.max() < len(types):
        return labels.astype(np.uint32)  # they are the places
    # By a dict: of text and numbers some versions of NumPy make a single type, and "1" equal to 1.
    code_of = {label: code for code, label in enumerate(types.tolist())}
    different, inverse = _different(labels)
    for label in different.tolist():
        if label not in code_of:
            raise ValueError(f"types holds {shown(label)}, expected {shown(types.tolist())}")
    return np.asarray([code_of[label] for label in different.tolist()], dtype=np.uint32)[inverse]


def _shaped(parameters: Tuple[FloatArray, FloatArray, FloatArray], shape: Tuple[int, ...]) -> Tuple[FloatArray, FloatArray, Any]:
    """As attributes have them: of a single decay a number, and one matrix."""
    baseline, branching, decays = parameters
    n_types = len(baseline)
    return baseline, branching.reshape(*shape, n_types, n_types), decays if shape else float(decays[0])
