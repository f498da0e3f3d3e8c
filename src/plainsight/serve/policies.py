"""What a worker of the service runs: several policies, and notes of several requests at once.

Each note says in its metadata which request it is of, and which method of which policy it wants. Notes of
several requests go through a pipeline together, which is much faster than one by one. What comes out must not
depend on whose notes they were done with, so two requests that speak of one patient never share a batch.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Literal, NamedTuple

from plainsight import note_cache
from plainsight.document import Document
from plainsight.pipeline import Item, Pipeline

Method = Literal["detect", "deidentify", "replace"]
METHODS: tuple[Method, ...] = ("detect", "deidentify", "replace")

_TASK = "_task"
_IDLE_SECONDS = 2.0


class Task(NamedTuple):
    """What is to be done with a note, and the number of its request."""

    policy: str
    method: Method
    request: int


def with_task(note: Document, task: Task) -> Document:
    """Return a note that says what is to be done with it."""
    return replace(note, meta={**note.meta, _TASK: task})


@dataclass(frozen=True, slots=True)
class Policies:
    """The pipelines of a service by the names of their policies."""

    pipelines: Mapping[str, Pipeline]

    def warm(self, method: str, notes: Sequence[Document]) -> None:
        """Load all policies by doing some notes. Policies with the same detectors share them."""
        loaded: list[Pipeline] = []
        for pipeline in self.pipelines.values():
            for other in loaded:
                if other.policy.detectors == pipeline.policy.detectors:
                    pipeline.__dict__["detectors"] = other.detectors
            for _ in (*pipeline.deidentify(notes), *pipeline.detect(notes)):
                pass
            loaded.append(pipeline)

    def answer(self, notes: Sequence[Document]) -> list[Item]:
        """Return the result of each note, in order."""
        with _forgetting.after_idling():
            return self._answers(notes)

    def _answers(self, notes: Sequence[Document]) -> list[Item]:
        done: dict[int, Item] = {}
        for task, places in _batches(notes):
            pipeline = self.pipelines[task.policy]
            batch = [_without_task(notes[place]) for place in places]
            done.update(zip(places, getattr(pipeline, task.method)(batch), strict=True))
        return [done[place] for place in range(len(notes))]


class _Forgetting:
    """Forget words of notes when a worker has had nothing to do for a while; sooner would be slow."""

    def __init__(self) -> None:
        self._working = threading.Lock()
        self._timer: threading.Timer | None = None

    @contextmanager
    def after_idling(self) -> Iterator[None]:
        """Do work; forget afterwards, unless there is more."""
        if self._timer is not None:
            self._timer.cancel()
        with self._working:
            yield
        self._timer = threading.Timer(_IDLE_SECONDS, self._forget)
        self._timer.daemon = True
        self._timer.start()

    def _forget(self) -> None:
        with self._working:
            note_cache.forget()


_forgetting = _Forgetting()


def owner(note: Document) -> str:
    """Return whose surrogates a note's are drawn with: the patient's or, without one, the note's own."""
    return note.id if note.patient_id is None else note.patient_id


def _batches(notes: Sequence[Document]) -> Iterator[tuple[Task, list[int]]]:
    """Yield the places of notes that may be done together, with what is to be done."""
    rounds: dict[tuple[str, Method, int], tuple[Task, list[int]]] = {}
    turns: dict[tuple[str, Method, str], dict[int, int]] = {}
    for place, note in enumerate(notes):
        task: Task = note.meta[_TASK]
        requests = turns.setdefault((task.policy, task.method, owner(note)), {})
        turn = requests.setdefault(task.request, len(requests))
        # Notes of one request that have the same owner are in the same round, one after another.
        rounds.setdefault((task.policy, task.method, turn), (task, []))[1].append(place)
    yield from rounds.values()


def _without_task(note: Document) -> Document:
    return replace(note, meta={key: value for key, value in note.meta.items() if key != _TASK})
