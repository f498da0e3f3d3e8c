"""Spread a pipeline over several processes; results come back in the order of the input."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context
from typing import Any, Literal

from plainsight.errors import PlainsightError
from plainsight.pipeline import Item, Pipeline, batches

Method = Literal["detect", "doubt", "with_originals"]

_WAITING = 3  # batches under way for each process


def spread(pipeline: Pipeline, method: Method, items: Iterable[Item], *, processes: int) -> Iterator[Any]:
    """Yield the results of a method of the pipeline for a stream of notes, with the work shared by processes.

    The result and its order are those of one process: a patient's consecutive notes go to one process. Each
    process loads the models. Only as many notes are read ahead as keep all processes busy.
    """
    if processes == 1:
        done: Iterator[Any] = getattr(pipeline, method)(items)
        return done
    return _spread(pipeline, method, items, processes)


def _spread(pipeline: Pipeline, method: Method, items: Iterable[Item], processes: int) -> Iterator[Any]:
    pool = ProcessPoolExecutor(
        processes,
        mp_context=get_context("spawn"),  # nothing of this process, such as its threads, goes along
        initializer=_begin,
        initargs=(pipeline, method),
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
        raise PlainsightError("a process ended before its notes were done, perhaps out of memory") from None
    finally:
        pool.shutdown(cancel_futures=True)


_here: dict[str, tuple[Pipeline, Method]] = {}


def _begin(pipeline: Pipeline, method: Method) -> None:
    _here["work"] = pipeline, method


def _work(batch: list[Item]) -> list[Any]:
    pipeline, method = _here["work"]
    return list(getattr(pipeline, method)(batch))
