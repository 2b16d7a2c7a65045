"""From single values that users pass, parameters, seeds, threads, paths, to what the core takes; and how messages show them."""

from __future__ import annotations

import math
import numbers
import os
from typing import Any, Optional, Sequence

import joblib
import numpy as np

from ._typing import PathLike, RandomState

# The core's limit.
MOST_THREADS = 1024
# Counts above this cannot be meant, and do not fit the core's numbers.
MOST_OF_ANYTHING = 2**31 - 1


def seed_from(random_state: RandomState) -> int:
    """A 64-bit seed of an int (itself: the same frequencies as ``--seed``), a RandomState or Generator (the next draw) or None."""
    if random_state is None:
        return int(np.random.SeedSequence().generate_state(1, np.uint64)[0])
    if isinstance(random_state, numbers.Integral) and not isinstance(random_state, bool):
        if not 0 <= random_state < 2**64:
            raise ValueError(f"random_state is {random_state}, expected a whole number from 0 to 2^64 - 1")
        return int(random_state)
    if isinstance(random_state, np.random.RandomState):
        return int(random_state.randint(0, 2**63 - 1, dtype=np.int64))
    if isinstance(random_state, np.random.Generator):
        return int(random_state.integers(0, 2**63 - 1))
    raise ValueError(f"random_state is {random_state!r}, expected None, a whole number, a RandomState or a Generator")


def threads_from(n_jobs: Optional[int]) -> int:
    """Threads for the core, 0 for its default. None is that default, but 1 inside a joblib worker: the workers share the machine."""
    if n_jobs is None:
        backend, _ = joblib.parallel.get_active_backend()
        return 1 if getattr(backend, "nesting_level", 0) else 0
    if not isinstance(n_jobs, numbers.Integral) or isinstance(n_jobs, bool):
        raise TypeError(f"n_jobs is {n_jobs!r}, expected None or a whole number")
    if n_jobs == 0:
        raise ValueError("n_jobs is 0, expected at least 1, or -1 for all processors")
    if n_jobs > MOST_THREADS:
        raise ValueError(f"n_jobs is {shown(n_jobs)}, expected at most {MOST_THREADS}")
    return int(n_jobs) if n_jobs > 0 else min(MOST_THREADS, max(1, joblib.cpu_count() + 1 + int(n_jobs)))


def shown(value: Any) -> str:
    """For messages: as repr, but no longer than a line, also of numbers that Python refuses to print."""
    try:
        text = repr(value)
    except ValueError:
        return f"a {type(value).__name__} of too many digits"
    return text if len(text) <= 80 else f"{text[:38]}…{text[-38:]}"


def check_count(name: str, value: Any, least: int = 1, most: int = MOST_OF_ANYTHING) -> int:
    """A whole number from `least` to `most`, as int."""
    if not isinstance(value, numbers.Integral) or isinstance(value, bool):
        raise TypeError(f"{name} is {shown(value)}, expected a whole number")
    if value < least:
        raise ValueError(f"{name} is {shown(value)}, expected at least {least}")
    if value > most:
        raise ValueError(f"{name} is {shown(value)}, expected at most {most}")
    return int(value)


def check_number(name: str, value: Any, expected: str = "a number above 0", least: float = 5e-324, most: float = math.inf) -> float:
    """A finite number from `least` to `most`, as float; `expected` says so in words."""
    if not isinstance(value, numbers.Real) or isinstance(value, bool):
        raise TypeError(f"{name} is {shown(value)}, expected {expected}")
    try:
        number = float(value)
    except OverflowError:
        number = math.inf
    if not (math.isfinite(number) and least <= number <= most):
        raise ValueError(f"{name} is {shown(value)}, expected {expected}")
    return number


def check_flag(name: str, value: Any) -> bool:
    """True or False, and nothing that only counts as one of them."""
    if not isinstance(value, (bool, np.bool_)):
        raise TypeError(f"{name} is {shown(value)}, expected True or False")
    return bool(value)


def check_function(name: str, value: Any) -> Any:
    """None or something to call."""
    if value is not None and not callable(value):
        raise TypeError(f"{name} is {shown(value)}, expected None or a function")
    return value


def check_text(what: str, text: str) -> str:
    """Text that can be written as UTF-8, as files and the core have it."""
    try:
        text.encode()
    except UnicodeEncodeError:
        raise ValueError(f"{what} is {shown(text)}, expected text without lone surrogates") from None
    return text


def kept(name: str, value: Any) -> Any:
    """A copy of a parameter's value, since the caller may go on to change an array: text, a number, or a list of numbers."""
    if isinstance(value, str):
        return check_text(name, value)
    try:
        value = np.asarray(value).tolist()
        for number in value if isinstance(value, list) else [value]:
            float(number)
    except OverflowError:
        raise ValueError(f"{name} is {shown(value)}, expected numbers that a float can hold") from None
    except (TypeError, ValueError):
        pass  # the core says what it is and what was expected
    return value


def path_text(path: PathLike) -> str:
    """The path of a file as the core takes it."""
    try:
        text = os.fsdecode(path)
    except TypeError:
        raise TypeError(f"path is {shown(path)}, expected str, bytes or os.PathLike") from None
    if "\0" in text:
        raise ValueError(f"path is {shown(text)}, expected one without null characters")
    return check_text("path", text)


def check_word(name: str, value: Any, words: Sequence[str]) -> str:
    """One of `words`."""
    if not isinstance(value, str) or value not in words:
        raise ValueError(f"{name} is {shown(value)}, expected one of {', '.join(words)}")
    return value
