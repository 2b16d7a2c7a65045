"""Dask collections cut at the same rows, and passes over them as graphs."""

from __future__ import annotations

from typing import Any, Callable, Dict, List, Sequence, Tuple

import dask
import dask.array as da
import numpy as np
from dask.base import tokenize
from dask.delayed import Delayed, delayed

from .. import _core, _parts


def is_frame(X: Any) -> bool:
    """A dask data frame or series."""
    return dask.is_dask_collection(X) and hasattr(X, "map_partitions") and hasattr(X, "_meta") and not isinstance(X, da.Array)


def is_parted(X: Any) -> bool:
    return isinstance(X, da.Array) or is_frame(X)


def one_chunk_of_columns(X: Any) -> Any:
    return X.rechunk({1: -1}) if isinstance(X, da.Array) and X.ndim == 2 and X.numblocks[1] > 1 else X


def blocks_of(X: Any) -> List[Delayed]:
    return list(X.to_delayed().reshape(-1)) if isinstance(X, da.Array) else list(X.to_delayed())


def _join_frames(X: Any, others: Dict[str, Any]) -> Tuple[List[Delayed], Dict[str, List[Delayed]]]:
    """The partitions of X and of other data frames or series. Together, since dask may cut files elsewhere for other columns of them."""
    if not others:
        return blocks_of(X), {}
    columns, places, all_of_them = list(X.columns), {}, X
    for name, values in others.items():
        series = {f"askrff:{name}": values} if values.ndim == 1 else {f"askrff:{name}:{i}": values[c] for i, c in enumerate(values.columns)}
        places[name] = list(series) if values.ndim == 2 else next(iter(series))
        try:
            all_of_them = all_of_them.assign(**series)
        except ValueError:  # of other files, without known divisions: partition by partition
            return blocks_of(X), {}
    blocks = blocks_of(all_of_them)
    return [block[columns] for block in blocks], {name: [block[place] for block in blocks] for name, place in places.items()}


class Partitions:
    """X, and y and weights where there are some, cut at the same rows."""

    def __init__(self, X: Any, y: Any = None, weights: Any = None) -> None:
        if isinstance(X, da.Array) and X.ndim != 2:
            raise ValueError(f"X has {X.ndim} dimensions, expected 2")
        self.X, self.labels = one_chunk_of_columns(X), y
        frames = {name: values for name, values in (("y", y), ("sample_weight", weights)) if is_frame(X) and is_frame(values)}
        self.blocks, joined = _join_frames(self.X, frames)
        self.y, self.weights = (joined[name] if name in joined else self._cut(name, values) for name, values in (("y", y), ("sample_weight", weights)))

    def _cut(self, name: str, values: Any) -> List[Any]:
        """The blocks of `values`, one for each of X."""
        if values is None:
            return [None] * len(self.blocks)
        sizes = self.X.chunks[0] if isinstance(self.X, da.Array) else None
        if isinstance(values, da.Array) and sizes is not None and not np.isnan(sizes + values.chunks[0]).any():
            if sum(sizes) != values.shape[0]:
                raise ValueError(f"{name} has {values.shape[0]} rows, X has {sum(sizes)}: expected as many")
            values = values.rechunk((sizes, *[-1] * (values.ndim - 1)))
        elif not is_parted(values):
            if sizes is None or np.isnan(sizes).any():
                raise TypeError(f"{name} is a {type(values).__name__}, but nobody knows where X is cut: expected a dask collection cut like X")
            values = np.asarray(values)
            if len(values) != sum(sizes):
                raise ValueError(f"{name} has {len(values)} rows, X has {sum(sizes)}: expected as many")
            values = da.from_array(values, chunks=(sizes, *[-1] * (values.ndim - 1)))
        blocks = blocks_of(one_chunk_of_columns(values))
        if len(blocks) != len(self.blocks):
            raise ValueError(f"{name} has {len(blocks)} partitions, X has {len(self.blocks)}: expected them to be cut at the same rows")
        return blocks

    def parts(self, job: Callable[[bytes], _parts.Job]) -> _parts.Parts:
        names = _parts.column_names_of(self.X)
        return _parts.Parts(len(self.blocks), int(self.X.shape[1]), names, lambda task, starts: self._run(job(task), starts))

    def _run(self, job: _parts.Job, starts: Sequence[bytes]) -> bytes:
        """One graph for every pass: shares of all partitions, joined by neighbours."""
        token = tokenize(job.task, *[block.key for block in self.blocks])
        told = delayed(job, name=f"askrff-task-{token}")
        shares = [
            delayed(_share)(told, start, i, *rows, dask_key_name=f"askrff-share-{token}-{i}")
            for i, (start, *rows) in enumerate(zip(starts, self.blocks, self.y, self.weights))
        ]
        return tree(shares, lambda some, place: delayed(_join)(told, some, dask_key_name=f"askrff-join-{token}-{place}")).compute()

    def counts(self, has_classes: bool) -> _parts.Counts:
        """Rows of every class, or of all: a pass over the labels alone."""
        alone = is_parted(self.labels) and self.weights[0] is None  # then nothing of X need be read, and y may be cut elsewhere
        pairs = zip(self.y, self.weights) if not alone else ((y, None) for y in blocks_of(one_chunk_of_columns(self.labels)))
        each = [delayed(_count)(i, y, weights, has_classes, _core.version) for i, (y, weights) in enumerate(pairs)]
        return tree(each, lambda some, place: delayed(_parts.add_counts)(some)).compute()


def tree(values: List[Any], join: Callable[[List[Any], str], Any]) -> Any:
    """Neighbours joined until one is left, in an order that depends on their number alone."""
    level = 0
    while len(values) > 1:
        groups = [values[i : i + _parts.FAN_IN] for i in range(0, len(values), _parts.FAN_IN)]
        values, level = [join(group, f"{level}-{i}") for i, group in enumerate(groups)], level + 1
    return values[0]


# What tasks do, by names that dashboards show.
def _share(job: _parts.Job, start: bytes, part: int, X: Any, y: Any, weights: Any) -> bytes:
    return _parts.share_of_part(job, start, part, [(X, y, weights)])


def _join(job: _parts.Job, results: List[bytes]) -> bytes:
    return _parts.joined(job, results)


def _count(part: int, y: Any, weights: Any, has_classes: bool, version: str) -> _parts.Counts:
    _parts.require_version(version)
    return _parts.count_rows(y, weights, has_classes, part)
