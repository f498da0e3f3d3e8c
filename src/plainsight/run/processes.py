"""Spread a pipeline over processes: batches of notes go out, what becomes of them comes back in order."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context
from typing import Any, Literal

from plainsight.errors import PlainsightError
from plainsight.pipeline import Item, Pipeline, batches

Verb = Literal["detect", "with_originals"]

_WAITING = 3  # batches for each process that are under way


def spread(pipeline: Pipeline, verb: Verb, items: Iterable[Item], *, processes: int) -> Iterator[Any]:
    """Yield what a verb of the pipeline makes of a stream of notes, with the work shared by processes.

    The result and its order are those of one process: a patient's consecutive notes go to one process. Each
    process loads the models. Only as many notes are read ahead as keep all processes busy.
    """
    if processes == 1:
        done: Iterator[Any] = getattr(pipeline, verb)(items)
        return done
    return _spread(pipeline, verb, items, processes)


def _spread(pipeline: Pipeline, verb: Verb, items: Iterable[Item], processes: int) -> Iterator[Any]:
    pool = ProcessPoolExecutor(
        processes,
        mp_context=get_context("spawn"),  # nothing of this process, such as its threads, goes along
        initializer=_begin,
        initargs=(pipeline, verb),
    )
    waiting: deque[Future[list[Any]]] = deque()
    try:
        for batch in batches(items):
            waiting.append(pool.submit(_work, batch))
            if len(waiting) >= _WAITING * processes:
                yield from waiting.popleft().result()
        while waiting:
            yield from waiting.popleft().result()
    except BrokenProcessPool:
        raise PlainsightError(
            "a process ended before its notes were done, perhaps for want of memory"
        ) from None
    finally:
        pool.shutdown(cancel_futures=True)


_here: dict[str, tuple[Pipeline, Verb]] = {}


def _begin(pipeline: Pipeline, verb: Verb) -> None:
    _here["work"] = pipeline, verb


def _work(batch: list[Item]) -> list[Any]:
    pipeline, verb = _here["work"]
    return list(getattr(pipeline, verb)(batch))
