"""Do notes in a process that another engine runs: a Spark executor's, a Ray actor, a Dask worker.

The engine starts the process, calls it again and again, and ends it when it likes. So what is loaded stays
for the next call, and each note has the limits that it has in the local engine.
"""

from __future__ import annotations

import os
import pickle
from collections.abc import Callable, Hashable, Iterable, Iterator
from typing import Any

from plainsight.errors import UsageError
from plainsight.pipeline import Item, Pipeline, batches
from plainsight.run.processes import Crew, Limits, Method
from plainsight.version import __version__

_MOST_LOADED = 2
_loaded: dict[Hashable, Crew | Pipeline] = {}


def results(
    name: Hashable,
    pipeline: Callable[[], Pipeline],
    method: Method,
    items: Iterable[Item],
    *,
    limits: Limits | None,
) -> Iterator[Any]:
    """Yield the results of a method of the pipeline for a stream of notes, in order.

    What is loaded stays under its ``name``; ``pipeline`` makes it. Without limits, this process does the work
    itself, otherwise one that it starts.
    """
    worker = _worker(name, pipeline, method, limits)
    if isinstance(worker, Pipeline):
        yield from getattr(worker, method)(items)
    else:
        for batch in batches(items):
            yield from worker.work(batch)


def packed(
    name: Hashable,
    pipeline: Callable[[], Pipeline],
    method: Method,
    batch: list[Item],
    *,
    limits: Limits | None,
) -> bytes:
    """Return the `results` of a batch pickled, for another process that they go to."""
    worker = _worker(name, pipeline, method, limits)
    if isinstance(worker, Pipeline):
        return pickle.dumps(list(getattr(worker, method)(batch)))
    return worker.packed(batch)


def _worker(
    name: Hashable, pipeline: Callable[[], Pipeline], method: Method, limits: Limits | None
) -> Crew | Pipeline:
    known = name, method, limits, os.getpid()  # workers are not shared with a forked process
    if known not in _loaded:
        while len(_loaded) >= _MOST_LOADED:
            if isinstance(oldest := _loaded.pop(next(iter(_loaded))), Crew):
                oldest.close()
        _loaded[known] = pipeline() if limits is None else Crew(pipeline(), method, limits)
    return _loaded[known]


def check_version(planned: str) -> None:
    """Refuse to work for a process with another version, whose results would differ."""
    if planned != __version__:
        problem = (
            f"a worker of the cluster has plainsight {__version__}, and the job was planned with {planned}"
        )
        raise UsageError(f"{problem}: install the same version everywhere")
