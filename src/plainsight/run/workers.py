"""Worker processes that share one loaded pipeline, end with their parent, and can be killed and replaced.

A *loader* process loads the pipeline once and forks the workers, so that they share its memory. It is started
as a fresh Python, because a process with threads cannot safely fork. Each worker has a pipe of its own to the
parent and does one batch at a time.

Nothing outlives the parent. When it ends, even by ``kill -9``, the loader reads end-of-file, kills its
workers and ends. When the loader is killed, Linux kills the workers; elsewhere a worker ends when it has done
its batch. Core dumps are off in all of them, because they would hold note text.
"""

from __future__ import annotations

import contextlib
import ctypes
import gc
import json
import os
import pickle
import resource
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from multiprocessing.connection import Connection, Pipe
from multiprocessing.reduction import recv_handle, send_handle
from pathlib import Path
from typing import Literal, Protocol

from plainsight import note_cache
from plainsight.document import Document, Patient
from plainsight.errors import PlainsightError
from plainsight.pipeline import Item
from plainsight.run.core_dumps import no_core_dumps

Method = Literal["detect", "doubt", "with_originals"]

_DEMO_NOTES = Path(__file__).parent.parent / "data" / "demo" / "notes.jsonl"
_START = "import sys; sys.path[:] = {path!r}; from plainsight.run.workers import load; load({handle})"
_ONE_THREAD = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}
_PR_SET_PDEATHSIG = 1
_NO_MEMORY = 77  # the exit code of a worker that ran out of memory outside a note
_PATIENCE = 5  # a worker may take this many times as long by the clock as it may use a processor
_GROWTH = 512 << 20  # replace a worker that grew by this many bytes, since memory is not all given back


class Warmable(Protocol):
    """What a loader loads: a pipeline, or another object with methods that take notes."""

    def warm(self, method: str, notes: Sequence[Document]) -> None:
        """Load all that a method needs."""
        ...


class TooSlowError(Exception):
    """A worker took longer than it may for its batch."""


class WorkerEndedError(Exception):
    """A worker ended before its batch was done: killed, crashed or out of memory. Says how."""


class Loader:
    """The process that loads a pipeline and forks workers. Threads may share it."""

    def __init__(self, pipeline: Warmable, method: str, memory: int | None) -> None:
        self._work = pipeline, method, memory
        self._lock = threading.Lock()
        self._workers: set[int] = set()
        self._closed = False
        self._start()

    def _start(self) -> None:
        self._control, theirs = Pipe()
        with theirs:
            command = _START.format(path=sys.path, handle=theirs.fileno())
            self._process = subprocess.Popen(
                [sys.executable, "-P", "-c", command],
                stdin=subprocess.DEVNULL,
                stdout=2,  # what a plugin prints must not get among notes on standard output
                env={**_ONE_THREAD, **os.environ},
                pass_fds=[theirs.fileno()],
            )
        self._ready = False

    def fork(self) -> tuple[int, Connection]:
        """Return a new worker's process id and the pipe to it; start the loader again if it was killed."""
        with self._lock:
            for _ in range(2):
                with contextlib.suppress(EOFError, OSError):
                    return self._fork()
                if self._closed:
                    raise WorkerEndedError("the run was stopped")
                status = self._stop()
                self._start()
            raise PlainsightError(f"the process that loads the models ended: {status}")

    def _fork(self) -> tuple[int, Connection]:
        if not self._ready:
            self._control.send(self._work)
            if error := self._control.recv():
                raise error
            self._ready = True
        ours, theirs = Pipe()
        with theirs:
            self._control.send(0)
            send_handle(self._control, theirs.fileno(), self._process.pid)
            worker: int = self._control.recv()
        self._workers.add(worker)
        return worker, ours

    def end(self, worker: int) -> str:
        """Kill a worker, if it still runs; return how it ended."""
        with self._lock, contextlib.suppress(EOFError, OSError):
            if worker in self._workers:
                self._workers.discard(worker)
                self._control.send(worker)
                return _status(self._control.recv())
        return "the process that started it was killed"

    def close(self) -> None:
        """End the loader and all its workers at once, whatever they are doing."""
        self._closed = True
        self._stop()

    def _stop(self) -> str:
        for worker in list(self._workers):  # their ids are not given away before the loader asks for them
            with contextlib.suppress(ProcessLookupError):
                os.kill(worker, signal.SIGKILL)
        self._workers.clear()
        self._process.kill()
        return _status(self._process.wait())


class Worker:
    """A process that does batches of notes, one at a time."""

    def __init__(self, loader: Loader) -> None:
        self._loader = loader
        self._pid, self._pipe = loader.fork()
        self.spent = False

    def work(self, batch: list[Item], seconds: float | None) -> bytes:
        """Return a batch's results, pickled. Raise `TooSlowError` or `WorkerEndedError` if there are none.

        After an exception, and after a batch that took much memory, the worker is ``spent``: fork another.
        """
        try:
            self._pipe.send(batch)
            self._wait(seconds)
            results, error, self.spent = self._pipe.recv()
        except TooSlowError:
            self._end()
            raise
        except (EOFError, OSError):
            raise WorkerEndedError(self._end()) from None
        if self.spent:
            self._end()
        if error:
            raise error
        packed: bytes = results
        return packed

    def _wait(self, seconds: float | None) -> None:
        """Wait for the result, longer if the worker had to wait for a processor."""
        used = _processor_seconds(self._pid)
        for _ in range(_PATIENCE):
            if self._pipe.poll(seconds):
                return
            if seconds and _processor_seconds(self._pid) - used >= seconds:
                break
        raise TooSlowError

    def _end(self) -> str:
        self.spent = True
        self._pipe.close()
        return self._loader.end(self._pid)


def _processor_seconds(process: int) -> float:
    """Return how long a process has used a processor (Linux), or by the clock where that is not known."""
    try:
        fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    except (OSError, IndexError, ValueError):
        return time.monotonic()


def _status(code: int) -> str:
    """Say how a process ended."""
    if code == _NO_MEMORY:
        return "out of memory"
    if code >= 0:
        return f"exit code {code}"
    with contextlib.suppress(ValueError):
        return f"signal {signal.Signals(-code).name}"
    return f"signal {-code}"


def load(handle: int) -> None:
    """Be the loader: load the pipeline, then fork and end workers as the parent asks, until it is gone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the parent, which ends us
    no_core_dumps()
    control = Connection(handle)
    workers: set[int] = set()
    try:
        pipeline, method, memory = control.recv()
        control.send(_loaded(pipeline, method))
        while True:
            asked = control.recv()
            if asked:
                workers.discard(asked)
                control.send(_killed(asked))
                continue
            theirs = recv_handle(control)
            parent = os.getpid()
            if not (worker := os.fork()):
                try:
                    control.close()
                    code = _run(Connection(theirs), pipeline, method, memory, parent)
                except BaseException:  # a defect; its message could hold note text
                    code = 1
                os._exit(code)
            os.close(theirs)
            workers.add(worker)
            control.send(worker)
    except (EOFError, OSError):
        pass
    finally:
        for worker in workers:
            _killed(worker)


def _killed(worker: int) -> int:
    """Kill a process that was forked here; return its exit code."""
    with contextlib.suppress(ProcessLookupError):
        os.kill(worker, signal.SIGKILL)
    return os.waitstatus_to_exitcode(os.waitpid(worker, 0)[1])


def _loaded(pipeline: Warmable, method: str) -> Exception | None:
    """Load all that the pipeline needs by doing the demo's notes; return why it cannot."""
    try:
        with _DEMO_NOTES.open(encoding="utf-8") as lines:
            patient = Patient(id="demo", names=("Odessa Pettway",))  # what reads records is loaded, too
            notes = [
                Document(note["id"], note["text"], (), "demo", patient) for note in map(json.loads, lines)
            ]
        pipeline.warm(method, notes)
    except PlainsightError as error:
        return error
    note_cache.forget()
    gc.collect()
    gc.freeze()  # the collector would write to every object, and end the sharing of its memory
    return None


def _run(pipe: Connection, pipeline: Warmable, method: str, memory: int | None, parent: int) -> int:
    """Be a worker: do batches until the parent is gone. Return the exit code."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
        if os.getppid() != parent:  # it was killed before the line above
            return 0
        if memory:
            _limit_memory(memory)
    most = _peak_memory() + _GROWTH
    try:
        while True:
            batch = pipe.recv()
            results, failure = [], None
            try:
                results = list(getattr(pipeline, method)(batch))
            except PlainsightError as error:
                failure = error
            # pickled by themselves, they can go on through other processes as they are
            pipe.send((pickle.dumps(results, pickle.HIGHEST_PROTOCOL), failure, _peak_memory() > most))
    except (EOFError, OSError):
        return 0
    except MemoryError:
        return _NO_MEMORY


def _peak_memory() -> int:
    """Return the most bytes that this process ever had in memory."""
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak * 1024


def _limit_memory(memory: int) -> None:
    """Let this process allocate this many bytes more than it has."""
    pages = int(Path("/proc/self/statm").read_text().split()[0])
    limit = pages * resource.getpagesize() + memory
    resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
