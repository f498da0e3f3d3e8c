"""Collect notes of several requests into batches, and hand them to worker processes.

While all workers are busy, notes queue; a worker that is free takes its share of what waits. So a lone
request is done at once, and under load the batches form by themselves. Clients that were answered together
send their next requests one after another: after a batch, a worker gives them a moment, or it would take the
first alone.

A worker is a process with a limit of time and memory (`plainsight.run.processes.Crew`): a note that is beyond
it is set aside, and cannot hold or end the service.
"""

from __future__ import annotations

import asyncio
import threading
import time
from collections import deque
from collections.abc import AsyncIterator, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from itertools import count

from plainsight.document import Document
from plainsight.pipeline import Item
from plainsight.run.processes import Crew, Limits
from plainsight.serve.limits import RefusedError
from plainsight.serve.metrics import Metrics
from plainsight.serve.policies import Method, Policies, Task, owner, with_task

_CHARACTERS = 1 << 17  # of a batch: larger ones do not fit the processor's caches
_PART = 1 << 15  # characters of a part of a large request, so that workers share it
_WINDOW = 2  # parts of one request under way for each worker
_MOMENT = 0.03  # seconds; a batch takes about a second
_FADE = 0.9


@dataclass(slots=True, repr=False)
class _Part:
    """Notes that are done together: all notes of some patients of one request."""

    notes: Sequence[Document]
    characters: int
    answer: asyncio.Future[list[Item]]


class Batcher:
    """Do notes in worker processes, several requests at once."""

    def __init__(self, policies: Policies, *, processes: int, limits: Limits, metrics: Metrics) -> None:
        self._policies = policies
        self._processes = processes
        self._limits = limits
        self._metrics = metrics
        self._waiting: deque[_Part] = deque()
        self._wake = asyncio.Condition()
        self._workers: list[asyncio.Task[None]] = []
        self._numbers = count()
        self._idle = processes
        self._batches: dict[int, int] = {}  # the parts that each worker does, or has just done, together
        self._speed = 100_000.0  # characters a second, measured while it runs

    async def start(self) -> None:
        """Load the policies and start the workers; raise what is wrong with them."""
        self._crew = Crew(self._policies, "answer", self._limits)
        self._pool = ThreadPoolExecutor(self._processes, "worker")
        loop, together = asyncio.get_running_loop(), threading.Barrier(self._processes)

        def first() -> None:
            together.wait()  # so that each thread of the pool takes one, and starts its own worker
            self._crew.work([])

        try:
            await asyncio.gather(*(loop.run_in_executor(self._pool, first) for _ in range(self._processes)))
        except BaseException:
            await self.stop()
            raise
        self._workers = [asyncio.create_task(self._work(number)) for number in range(self._processes)]

    async def stop(self) -> None:
        """End the workers at once. What is under way is lost: stop when all requests are done."""
        for worker in self._workers:
            worker.cancel()
        for part in self._waiting:
            if not part.answer.done():
                part.answer.set_exception(RefusedError(503, "the service is stopping"))
        await asyncio.gather(*self._workers, return_exceptions=True)
        self._crew.close()
        self._pool.shutdown(cancel_futures=True)

    @property
    def seconds_waiting(self) -> float:
        """How long what waits now will take, by the speed that was measured."""
        return sum(part.characters for part in self._waiting) / (self._speed * self._processes)

    async def run(self, method: Method, policy: str, notes: Iterable[Document]) -> list[Item]:
        """Return the results of the notes of a request, in order. A patient's notes need not be together."""
        notes = list(notes)
        order = sorted(range(len(notes)), key=_first_places(notes).__getitem__)
        done = [
            item async for items in self.stream(method, policy, [notes[n] for n in order]) for item in items
        ]
        results: dict[int, Item] = dict(zip(order, done, strict=True))
        return [results[place] for place in range(len(notes))]

    async def stream(
        self, method: Method, policy: str, notes: Sequence[Document]
    ) -> AsyncIterator[list[Item]]:
        """Yield the results of parts of a request, in order; a patient's notes stand together."""
        task = Task(policy, method, next(self._numbers))
        under_way: deque[asyncio.Future[list[Item]]] = deque()
        try:
            for part in _parts(notes):
                under_way.append(await self.submit(task, part))
                if len(under_way) >= _WINDOW * self._processes:
                    yield await under_way.popleft()
            while under_way:
                yield await under_way.popleft()
        finally:
            for answer in under_way:
                answer.cancel()

    def task(self, method: Method, policy: str) -> Task:
        """Return the task of a new request."""
        return Task(policy, method, next(self._numbers))

    async def submit(self, task: Task, notes: Sequence[Document]) -> asyncio.Future[list[Item]]:
        """Queue notes; the future holds their results."""
        answer: asyncio.Future[list[Item]] = asyncio.get_running_loop().create_future()
        part = _Part([with_task(note, task) for note in notes], _size(notes), answer)
        async with self._wake:
            self._waiting.append(part)
            self._metrics.queued.set(len(self._waiting))
            self._wake.notify()
        return answer

    async def _work(self, number: int) -> None:
        """Be the other end of one worker."""
        loop = asyncio.get_running_loop()
        while True:
            async with self._wake:
                while not self._waiting:
                    await self._wake.wait()
            if any(size > 1 for size in self._batches.values()):
                await asyncio.sleep(_MOMENT)
            parts = self._share()
            self._batches[number] = len(parts)
            if not parts:
                continue
            self._idle -= 1
            try:
                notes: list[Item] = [note for part in parts for note in part.notes]
                begun = time.monotonic()
                try:
                    results = await loop.run_in_executor(self._pool, self._crew.work, notes)
                except Exception as error:
                    for part in parts:
                        with suppress(asyncio.InvalidStateError):
                            part.answer.set_exception(error)
                    continue
                self._measure(parts, time.monotonic() - begun)
                done = iter(results)
                for part in parts:
                    own = [next(done) for _ in part.notes]
                    if not part.answer.done():
                        part.answer.set_result(own)
            finally:
                self._idle += 1

    def _share(self) -> list[_Part]:
        """Take from the queue what one worker does next: its share, up to a full batch."""
        most = -(-len(self._waiting) // max(1, self._idle))
        parts: list[_Part] = []
        characters = 0
        while self._waiting and len(parts) < most:
            if parts and characters + self._waiting[0].characters > _CHARACTERS:
                break
            part = self._waiting.popleft()
            if part.answer.cancelled():  # nobody waits for it any more
                continue
            parts.append(part)
            characters += part.characters
        self._metrics.queued.set(len(self._waiting))
        return parts

    def _measure(self, parts: Sequence[_Part], seconds: float) -> None:
        characters = sum(part.characters for part in parts)
        self._metrics.batch_notes.observe(sum(len(part.notes) for part in parts))
        self._metrics.batch_seconds.observe(seconds)
        if characters > 1000:  # a short note says little about speed
            self._speed = _FADE * self._speed + (1 - _FADE) * characters / max(seconds, 1e-3)


def _size(notes: Sequence[Document]) -> int:
    return sum(len(note.text) + sum(len(str(one.value)) for one in note.fields) for note in notes)


def _first_places(notes: Sequence[Document]) -> list[int]:
    """Return for each note where the first note of its owner stands."""
    first: dict[str, int] = {}
    return [first.setdefault(owner(note), place) for place, note in enumerate(notes)]


def _parts(notes: Sequence[Document]) -> Iterator[list[Document]]:
    """Divide notes into parts of limited length; a patient's notes stay together."""
    part: list[Document] = []
    size = 0
    for note in notes:
        if part and size >= _PART and owner(part[-1]) != owner(note):
            yield part
            part, size = [], 0
        part.append(note)
        size += len(note.text)
    if part:
        yield part
