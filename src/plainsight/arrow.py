"""De-identify tables of Arrow record batches, for engines that hand them to Python: Spark, Ray, Dask, Daft.

`Mapper` takes an iterator of record batches and returns one, so it knows no engine. It is made once, where
the job is planned, and pickled to the processes that do the work; each of them loads the models once. One
row is one note, and every row comes back, in order. A note that cannot be done comes back without its text
and with the reason in the column ``set_aside``: no note is lost, and none leaves half done.

Surrogates depend on the key, the patient, and the original alone, so it does not matter how an engine cuts a
table into partitions. What is linked across the notes of a patient (forms of a name, identifiers found in one
note and missed in another) is linked across consecutive notes of one partition.
"""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from arro3.core import Array, RecordBatch

from plainsight.config import Policy, load_policy
from plainsight.document import Document, Patient, SetAside
from plainsight.errors import DataError, FormatError, UsageError, suggest
from plainsight.formats.columns import Columns, find_columns
from plainsight.formats.parquet import from_values, is_text, values_of
from plainsight.interop.packages import need
from plainsight.keys import SHORTEST_KEY, decode_key
from plainsight.pipeline import Item, Pipeline, Replaced
from plainsight.run.hosted import check_version, results
from plainsight.run.processes import LIMITS, Limits
from plainsight.version import __version__

if TYPE_CHECKING:
    import pyarrow

Key = bytes | Callable[[], bytes] | None
"""A secret key, or a function that each process calls to get it; None draws a random one for this job."""

COUNTS, REASON = "identifiers", "set_aside"
"""The columns that are added: the count of replaced identifiers by label, and why a note was not done."""


class Mapper:
    """De-identify the notes of record batches.

    Args:
        policy: A built-in policy's name, the path of a policy file, or a policy.
        key: The secret key, or a function that each process calls to get it, so that the key itself never
            travels: ``partial(plainsight.load_key, "/run/secrets/project.key")``.
        text_column: The column with the note. Default: found by its name, as in files.
        id_column: The column with the note's id. Default: found by its name.
        patient_column: The column with the patient's id. Default: found by its name; there may be none.
        record_column: A column with what is known about the patient, as the JSON of a
            [patient record](../formats.md#the-patients-record). It is not released.
        limits: What a note may use; a note beyond it is set aside. None lets the calling process do the work
            itself, where it may not start another.

    The result has the columns of text, id and patient, those that the policy keeps (``output.keep_meta``),
    ``identifiers`` and ``set_aside``.
    """

    def __init__(
        self,
        *,
        policy: str | Path | Policy = "balanced",
        key: Key = None,
        text_column: str | None = None,
        id_column: str | None = None,
        patient_column: str | None = None,
        record_column: str | None = None,
        limits: Limits | None = LIMITS,
    ) -> None:
        self.policy = policy if isinstance(policy, Policy) else load_policy(policy)
        self.record_column = record_column
        self.limits = limits
        self._key = key if callable(key) else os.urandom(SHORTEST_KEY) if key is None else decode_key(key)
        self._given = {"text": text_column, "id": id_column, "patient": patient_column}
        self._version = __version__
        self._columns: Columns | None = None

    def __repr__(self) -> str:
        return f"Mapper({self.policy.name})"  # never the key

    def columns(self, names: Sequence[str]) -> Columns:
        """Return the columns that are read and released, in the table's order.

        They are found once and remembered. Refuse a table that cannot be done.
        """
        if self._columns is None:
            self._columns = self._find(names)
        return self._columns

    def _find(self, names: Sequence[str]) -> Columns:
        if self.record_column is not None and self.record_column not in names:
            raise UsageError(f"no column {self.record_column!r}{suggest(self.record_column, names)}")
        try:
            found = find_columns([name for name in names if name != self.record_column], self._given, "")
        except FormatError as error:
            raise UsageError(error.reason) from None
        if found.id is None:
            raise UsageError("no column is known to hold the id of the note: name it (id_column)")
        kept = {*self.policy.keep_meta, *self.policy.date_columns}
        keys = {name: key for name, key in found.keys.items() if key in kept}
        own = (found.text, found.id, found.patient)
        for name in {COUNTS, REASON} & {*own, *keys}:
            raise UsageError(f"the result has a column {name!r} of its own: rename the table's")
        released = tuple(name for name in found.names if name in own or name in keys)
        return replace(found, names=released, keys=keys)

    def __call__(self, batches: Iterable[pyarrow.RecordBatch]) -> Iterator[pyarrow.RecordBatch]:
        """Yield each batch with its notes de-identified, in order."""
        check_version(self._version)
        key = decode_key(self._key()) if callable(self._key) else self._key
        waiting: list[RecordBatch] = []
        done: list[Item] = []
        for result in results(
            (self.policy.to_toml(), key),
            lambda: Pipeline(self.policy, key=key),
            "with_originals",
            self._notes(batches, waiting),
            limits=self.limits,
        ):
            done.append(result.document if isinstance(result, Replaced) else result)
            if len(done) == waiting[0].num_rows:
                yield self._written(waiting.pop(0), done)
                done = []

    def table(self, table: pyarrow.Table) -> pyarrow.Table:
        """De-identify a table that is in memory, such as a block of Ray Data."""
        arrow = need("pyarrow", "pyarrow")
        empty = RecordBatch.from_arrow(arrow.RecordBatch.from_pylist([], schema=table.schema))
        schema = self._written(empty, []).schema  # an empty table has columns as well, and needs no models
        done = self(table.to_batches()) if table.num_rows else ()
        return arrow.Table.from_batches(done, schema=schema)

    def frame(self, frame: Any) -> Any:
        """De-identify a pandas data frame, such as a partition of a Dask data frame.

        The columns of the result have Arrow's types, so that nothing changes when it is written, and the rows
        are numbered anew.
        """
        arrow, pandas = need("pyarrow", "pyarrow"), need("pandas", "pandas")
        table = arrow.Table.from_pandas(frame, preserve_index=False)
        return self.table(table).to_pandas(types_mapper=pandas.ArrowDtype)

    def _notes(
        self, batches: Iterable[pyarrow.RecordBatch], waiting: list[RecordBatch]
    ) -> Iterator[Document | SetAside]:
        """Yield the notes of all batches; batches whose notes are not done yet are in ``waiting``."""
        for given in batches:
            if not given.num_rows:
                continue
            batch = RecordBatch.from_arrow(given)
            waiting.append(batch)
            columns = self.columns(batch.schema.names)
            if not is_text(batch.schema.field(columns.text).type):
                raise UsageError(f"column {columns.text!r} does not hold text")
            cells = zip(*(values_of(batch.column(name)) for name in columns.names), strict=True)
            records = batch.column(self.record_column).to_pylist() if self.record_column else ()
            for index, row in enumerate(cells):
                note = columns.read(row, index + 1, "", {})
                yield _with_record(note, records[index]) if records else note

    def _written(self, batch: RecordBatch, items: list[Item]) -> pyarrow.RecordBatch:
        """Return a batch with the released columns of its notes."""
        arrow = need("pyarrow", "pyarrow")
        columns = self.columns(batch.schema.names)
        released: dict[str, Any] = {}
        for name in columns.names:
            kind = batch.schema.field(name).type
            if name in (columns.id, columns.patient):
                released[name] = arrow.array(batch.column(name))
            elif name != columns.text:
                released[name] = arrow.array(_kept(columns.keys[name], kind, items))
            else:
                released[name] = None  # written last: a column before or after it may set a note aside
        texts = [item.text if isinstance(item, Document) else None for item in items]
        kind = batch.schema.field(columns.text).type
        plain = kind.value_type if kind.value_type is not None else kind  # a dictionary's texts
        released[columns.text] = arrow.array(Array(texts, plain))
        counts = [_counts(item) for item in items]
        released[COUNTS] = arrow.array(counts, arrow.map_(arrow.string(), arrow.int64()))
        reasons = [item.reason if isinstance(item, SetAside) else None for item in items]
        released[REASON] = arrow.array(reasons, arrow.string())
        return arrow.RecordBatch.from_arrays(list(released.values()), names=list(released))


def _with_record(note: Item, record: str | None) -> Item:
    """Return a note with what is known about its patient; a record that does not read sets the note aside."""
    if not record or isinstance(note, SetAside):
        return note
    try:
        return replace(note, patient=Patient.from_json(json.loads(record)))
    except (
        DataError,
        ValueError,
        TypeError,
        AttributeError,
        RecursionError,
    ):  # a message may hold the record
        return SetAside(note.id, "the patient's record does not read")


def _kept(key: str, kind: Any, items: list[Item]) -> Array:
    """Return a column that the policy keeps; set notes aside whose value does not fit the column any more."""
    values = [item.meta.get(key) if isinstance(item, Document) else None for item in items]
    try:
        return from_values(values, kind)
    except DataError:
        for index, (item, value) in enumerate(zip(items, values, strict=True)):
            try:
                from_values([value], kind)
            except DataError as error:
                items[index] = SetAside(item.id, f"column {key!r}: {error}")
                values[index] = None
        return from_values(values, kind)


def _counts(item: Item) -> list[tuple[str, int]] | None:
    if isinstance(item, SetAside):
        return None
    return sorted(Counter(span.label for span in item.spans).items())
