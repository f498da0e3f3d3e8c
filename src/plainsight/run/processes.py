"""Spread a pipeline over worker processes; results come back in the order of the input.

One note cannot hold or kill a run. A batch that takes too long, or whose worker ends, is done again: its
notes are tried one by one in fresh workers, those that fail alone are set aside with the reason, and the
others are done together, so that a patient's notes still agree.
"""

from __future__ import annotations

import pickle
import threading
from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

from plainsight.document import Document, SetAside
from plainsight.errors import PlainsightError
from plainsight.pipeline import Item, Pipeline, batches
from plainsight.run.workers import Loader, Method, TooSlowError, Warmable, Worker, WorkerEndedError

__all__ = ["LIMITS", "Crew", "Limits", "Method", "spread"]

_WAITING = 3  # batches under way for each process
_CHARACTERS = 200_000  # a note as long as this has the whole time limit; a longer one has more
_MOST_ENDED = 200  # workers that end one after another, before the run fails


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """What a note may use: seconds for each 200,000 characters begun, and megabytes of memory (Linux)."""

    seconds: float | None = 30.0
    megabytes: int | None = 4096


LIMITS = Limits()


def spread(
    pipeline: Pipeline,
    method: Method,
    items: Iterable[Item],
    *,
    processes: int,
    limits: Limits | None = LIMITS,
) -> Iterator[Any]:
    """Yield the results of a method of the pipeline for a stream of notes, with the work shared by processes.

    The result and its order are those of one process: a patient's consecutive notes go to one process. The
    models are loaded once. Only as many notes are read ahead as keep all processes busy.

    A note that is beyond the ``limits`` is set aside. To keep them, one process is a worker as well; with
    ``processes=1`` and no limits, this process does the work itself.
    """
    if processes == 1 and limits is None:
        done: Iterator[Any] = getattr(pipeline, method)(items)
        return done
    return _spread(pipeline, method, items, processes, limits or Limits(seconds=None, megabytes=None))


def _spread(
    pipeline: Pipeline, method: Method, items: Iterable[Item], processes: int, limits: Limits
) -> Iterator[Any]:
    crew = Crew(pipeline, method, limits)
    pool = ThreadPoolExecutor(processes, "worker")  # a thread waits for its worker
    waiting: deque[Future[list[Any]]] = deque()
    try:
        for batch in batches(items):
            waiting.append(pool.submit(crew.work, batch))
            if len(waiting) >= _WAITING * processes:
                yield from waiting.popleft().result()
        while waiting:
            yield from waiting.popleft().result()
    finally:
        crew.close()
        pool.shutdown(cancel_futures=True)


class Crew:
    """Workers, one for each thread that calls `work`, which are replaced when they are lost."""

    def __init__(self, pipeline: Warmable, method: str, limits: Limits) -> None:
        self._loader = Loader(pipeline, method, limits.megabytes and limits.megabytes << 20)
        self._limits = limits
        self._of_thread = threading.local()
        self._ended = 0

    def work(self, batch: list[Item]) -> list[Any]:
        """Return the results of a batch, with notes set aside that are beyond the limits."""
        results: list[Any] = pickle.loads(self.packed(batch))
        return results

    def packed(self, batch: list[Item]) -> bytes:
        """Return the results of a batch pickled, for another process that they go to."""
        characters = sum(len(item.text) for item in batch if isinstance(item, Document))
        for _ in range(2):  # it may be that somebody else killed the worker
            try:
                return self._try(batch, self._seconds(characters))
            except TooSlowError:
                break
            except WorkerEndedError:
                continue
        return pickle.dumps(self._one_by_one(batch))

    def close(self) -> None:
        """End the workers at once."""
        self._loader.close()

    def _one_by_one(self, batch: list[Item]) -> list[Any]:
        """Return the results of a batch without the notes that fail by themselves."""
        checked = [self._checked(item) if isinstance(item, Document) else item for item in batch]
        rest: list[Item] = [item for item in checked if isinstance(item, Document)]
        try:
            results = iter(pickle.loads(self._try(rest, self._together(rest))) if rest else ())
        except (TooSlowError, WorkerEndedError):  # fail closed
            reason = "failed together with the notes read before and after it"
            return [SetAside(item.id, reason) if isinstance(item, Document) else item for item in checked]
        return [next(results) if isinstance(item, Document) else item for item in checked]

    def _checked(self, note: Document) -> Item:
        """Return the note if a worker can do it alone; otherwise set it aside."""
        seconds = self._seconds(len(note.text))
        for _ in range(2):
            try:
                self._try([note], seconds)
            except TooSlowError:
                return SetAside(note.id, f"took longer than {seconds:g} seconds")
            except WorkerEndedError as error:
                reason = f"ended the process that worked on it ({error})"
            else:
                return note
        return SetAside(note.id, reason)

    def _seconds(self, characters: int) -> float | None:
        return self._limits.seconds and self._limits.seconds * max(1, -(-characters // _CHARACTERS))

    def _together(self, notes: list[Item]) -> float | None:
        """Return the seconds for notes that each are within the limit."""
        if not self._limits.seconds:
            return None
        return sum(self._seconds(len(note.text)) or 0 for note in notes if isinstance(note, Document))

    def _try(self, batch: list[Item], seconds: float | None) -> bytes:
        worker: Worker | None = getattr(self._of_thread, "worker", None)
        if worker is None or worker.spent:
            worker = self._of_thread.worker = Worker(self._loader)
        try:
            results = worker.work(batch, seconds)
        except WorkerEndedError as error:
            self._ended += 1
            if self._ended > _MOST_ENDED:
                raise PlainsightError(f"the processes that do the notes keep ending ({error})") from None
            raise
        self._ended = 0
        return results
