"""Spread a pipeline over a Spark cluster; results come back in the order of the input.

This process reads the notes and cuts them into chunks. A chunk is one Spark job of one task: the notes go to
an executor, their results come back, and this process writes them as if it had done them itself. So every
source, format and ledger works, the output is the same to the byte, and the cluster needs no common file
system. When an executor is lost, Spark does its chunks again elsewhere; the result is the same, because it
depends on the notes, the policy and the key alone.

An executor does a chunk as the local engine does: a process of its own with the limits of a note. For the
executors, the pipeline with its key is inside the pickled function; Spark's settings and logs do not hold it.
"""

from __future__ import annotations

import os
import pickle
import socket
import sys
import uuid
import warnings
from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from concurrent.futures import TimeoutError as NotInTime
from contextlib import contextmanager
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from plainsight.document import Document
from plainsight.errors import PlainsightError, UsageError
from plainsight.interop.packages import need
from plainsight.pipeline import Item, Pipeline, batches
from plainsight.run.hosted import check_version, packed
from plainsight.run.processes import LIMITS, Limits, Method
from plainsight.version import __version__

if TYPE_CHECKING:
    import pyarrow
    from pyspark.sql import SparkSession

_CHUNK = 1 << 22  # characters: about 1,200 notes, seconds of work against 0.1 s for a job
_WAITING = 2  # chunks under way for each core of the cluster
_MOST_WAITING = 256  # more than the cores that one driver feeds
_MEASURE = 100  # chunks after which to look again how many cores there are
_PATIENCE = 600  # seconds until the first executor must be there: a cluster may have to grow
_ANSWER = 10  # seconds that a master has to take a connection; Spark itself would try for a minute

INSTALL = "'plainsight[spark]'"
"""What to install for Spark."""

_SETTINGS = {
    "spark.io.encryption.enabled": "true",  # what Spark spills or hands over through files holds notes
    "spark.log.level": "ERROR",
    "spark.ui.showConsoleProgress": "false",
}


def check_installed() -> None:
    """Refuse to go on without what Spark needs."""
    if not (find_spec("pyspark") and find_spec("pyarrow")):
        raise UsageError(f"Spark needs more packages, here and on the cluster: pip install {INSTALL}")


@contextmanager
def connect(master: str | None) -> Iterator[SparkSession]:
    """Connect to a cluster: ``spark://host:7077``, ``yarn``, ``k8s://…``, ``local[2]``, ``sc://host:15002``.

    Without ``master``, Spark's own settings say where it is. Fail when no executor comes.
    """
    warnings.filterwarnings("ignore", category=FutureWarning, module="pyspark")  # about versions of pandas
    check_installed()
    sql = need("pyspark.sql", INSTALL)
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    builder = sql.SparkSession.builder.appName("plainsight")
    if master and master.startswith("sc://"):
        builder = builder.remote(master)  # Spark Connect: the server has settings of its own
    else:
        builder = builder.master(master) if master else builder
        for name, value in _SETTINGS.items():
            builder = builder.config(name, value)
    where = f" at {master}" if master else ""
    if master and master.startswith("spark://"):
        _check_answers(master)
    try:
        session = builder.getOrCreate()
    except Exception as error:  # Java's, py4j's or gRPC's
        raise UsageError(f"cannot connect to Spark{where}: {_first_line(error)}") from None
    try:
        with ThreadPoolExecutor(1) as pool:
            try:
                pool.submit(_cores, session).result(_PATIENCE)
            except NotInTime:
                session.stop()  # ends the job, or the pool would wait for it
                problem = f"Spark{where} gave no executor within {_PATIENCE} seconds"
                raise PlainsightError(f"{problem}: are its workers up, and have they free cores?") from None
            except Exception as error:  # such as a master that does not answer
                raise PlainsightError(f"Spark{where} does not work: {_first_line(error)}") from None
        yield session
    finally:
        session.stop()


def _check_answers(master: str) -> None:
    """Refuse a standalone master, or several of them for one cluster, if none takes a connection."""
    problem = ""
    for one in master.removeprefix("spark://").split(","):
        host, _, port = one.rpartition(":")
        try:
            socket.create_connection((host.strip("[]"), int(port)), _ANSWER).close()
        except (OSError, ValueError) as error:
            problem = problem or str(error)
        else:
            return
    raise UsageError(f"cannot connect to Spark at {master}: {problem}")


def spread_on_spark(
    pipeline: Pipeline,
    method: Method,
    items: Iterable[Item],
    *,
    master: str | None,
    limits: Limits | None = LIMITS,
) -> Iterator[Any]:
    """Yield the results of a method of the pipeline for a stream of notes, done by a Spark cluster.

    Only as many notes are read ahead as keep its cores busy; cores that come later are used as well.
    """
    task = _Task(pipeline, method, limits)
    waiting: deque[Future[list[Any]]] = deque()
    most, measured, count = _WAITING, None, 0
    with connect(master) as session, _threads() as pool:
        for chunk in _chunks(items):
            waiting.append(pool.submit(_done, session, task, chunk))
            if measured and measured.done():
                most, measured = min(_MOST_WAITING, _WAITING * measured.result()), None
            while len(waiting) >= most:
                yield from waiting.popleft().result()
                if count % _MEASURE == 0:
                    measured = pool.submit(_cores, session)
                count += 1
        while waiting:
            yield from waiting.popleft().result()


def _chunks(items: Iterable[Item]) -> Iterator[list[list[Item]]]:
    """Group a stream into chunks of batches: the same batches as in the local engine."""
    chunk: list[list[Item]] = []
    size = 0
    for batch in batches(items):
        chunk.append(batch)
        size += sum(len(item.text) for item in batch if isinstance(item, Document))
        if size >= _CHUNK:
            yield chunk
            chunk, size = [], 0
    if chunk:
        yield chunk


@contextmanager
def _threads() -> Iterator[ThreadPoolExecutor]:
    """Give threads that each wait for a job; do not wait for them when the run fails."""
    pool = ThreadPoolExecutor(_MOST_WAITING, "spark")
    try:
        yield pool
    finally:
        pool.shutdown(wait=False, cancel_futures=True)


def _cores(session: SparkSession) -> int:
    """Return the cores of the cluster: the partitions that Spark makes of a range."""
    functions = need("pyspark.sql.functions", "pyspark")
    parts = session.range(1 << 16).select(functions.spark_partition_id().alias("part"))
    return int(parts.distinct().count())


def _done(session: SparkSession, task: _Task, chunk: list[list[Item]]) -> list[Any]:
    """Return the results of a chunk, which an executor does."""
    given = pickle.dumps(chunk)
    try:
        if session.version.startswith("3."):
            frame = session.createDataFrame([(bytearray(given),)], "notes binary")
        else:  # straight to the executor
            frame = session.createDataFrame(need("pyarrow", "pyarrow").table({"notes": [given]}))
        [[made]] = frame.coalesce(1).mapInArrow(task, "done binary").collect()
    except Exception as error:  # of Spark, Java, py4j or gRPC
        raise PlainsightError(f"Spark could not do a chunk of notes: {_first_line(error)}") from None
    done: list[bytes] | PlainsightError = pickle.loads(made)
    if isinstance(done, PlainsightError):
        raise done
    return [result for batch in done for result in pickle.loads(batch)]


def _first_line(error: Exception) -> str:
    """Return what is wrong, without the traces of Java and Python."""
    lines = [line.strip(" :") for line in str(error).splitlines()]
    said = (line for line in lines if line and not line.startswith("An error occurred while calling"))
    return next(said, type(error).__name__)


class _Task:
    """Do chunks of notes in an executor: pickled notes in, pickled results out.

    An error of plainsight comes back as a result: it is not tried again, and Spark does not log it.
    """

    def __init__(self, pipeline: Pipeline, method: Method, limits: Limits | None) -> None:
        self._pipeline, self._method, self._limits = pipeline, method, limits
        self._version, self._job = __version__, uuid.uuid4()

    def __call__(self, given: Iterable[pyarrow.RecordBatch]) -> Iterator[pyarrow.RecordBatch]:
        import pyarrow

        for batch in given:
            for chunk in batch.column(0).to_pylist():
                made = pyarrow.array([pickle.dumps(self._results(chunk))], pyarrow.binary())
                yield pyarrow.RecordBatch.from_arrays([made], ["done"])

    def _results(self, given: bytes) -> list[bytes] | PlainsightError:
        """Return the pickled results of each batch of a chunk."""
        try:
            check_version(self._version)
            own = self._job, lambda: self._pipeline, self._method
            chunk: list[list[Item]] = pickle.loads(given)
            return [packed(*own, batch, limits=self._limits) for batch in chunk]
        except PlainsightError as error:
            return error
