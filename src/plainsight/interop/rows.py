"""Notes from and to rows: pandas frames, Hugging Face datasets, and any other table of dictionaries.

A row is a mapping from column names to values. `from_rows` makes notes of rows, `to_rows` rows of notes;
`from_pandas` and `to_pandas` do the same with data frames. A Hugging Face dataset is an iterable of rows, so
`from_rows` takes it as it is and `to_dataset` makes one.

Columns that are not named become the note's ``meta``. De-identifying drops them, unless the policy keeps
them (``keep_meta``).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from plainsight.document import Document, SetAside, Span
from plainsight.errors import DataError, UsageError, suggest
from plainsight.formats.base import free_key, plain_meta
from plainsight.interop.packages import need
from plainsight.pipeline import Item

Row = Mapping[str, Any]


def from_rows(
    rows: Iterable[Row],
    *,
    text: str = "text",
    id: str | None = None,  # noqa: A002 - the domain's word
    patient_id: str | None = None,
    spans: str | None = None,
) -> Iterator[Item]:
    """Yield the note of each row, in order; the other columns become its meta.

    Args:
        rows: Mappings from column names to values, such as a Hugging Face dataset.
        text: The column with the note. A row without text is set aside.
        id: The column with the note's id. Default: the number of the row, from 1.
        patient_id: The column with the patient's id. Keep a patient's notes together, so that their
            replacements agree.
        spans: The column with gold spans: dictionaries with ``start``, ``end`` and ``label``.

    >>> [note] = from_rows([{"note": "Seen 3/4/2019.", "ward": "7"}], text="note")
    >>> note.id, note.text, note.meta
    ('1', 'Seen 3/4/2019.', {'ward': '7'})
    """
    for number, row in enumerate(rows, start=1):
        for column in filter(None, (text, id, patient_id, spans)):
            if column not in row:
                raise UsageError(f"the rows have no column {column!r}{suggest(column, map(str, row))}")
        name = str(number if id is None else row[id])
        patient = None if patient_id is None or _missing(row[patient_id]) else str(row[patient_id])
        meta: dict[str, Any] = {}
        for column, value in row.items():
            if column not in (text, id, patient_id, spans):
                meta[free_key(str(column), meta)] = value
        if not isinstance(row[text], str):
            yield SetAside(name, "the row has no text")
            continue
        try:
            marked = () if spans is None else _spans(row[spans])
            yield Document(name, row[text], marked, patient, meta=meta)
        except DataError as error:
            yield SetAside(name, str(error))


def _missing(value: Any) -> bool:
    return value is None or value != value  # NaN is not equal to itself


def _spans(cell: Any) -> tuple[Span, ...]:
    """Read a cell of spans: a list of dictionaries, in which absent values may be None."""
    if cell is None or isinstance(cell, float):
        return ()
    records = ({key: value for key, value in record.items() if value is not None} for record in cell)
    return tuple(sorted(map(Span.from_json, records)))


def to_rows(items: Iterable[Item]) -> list[dict[str, Any]]:
    """Return one row a note, all with the same columns: id, text, patient_id, spans and meta.

    If a note was set aside, its text is None and every row has a further column, ``set_aside``, with the
    reason or None.

    >>> to_rows([Document("1", "Ann", (Span(0, 3, "PATIENT"),))])[0]["spans"]
    [{'start': 0, 'end': 3, 'label': 'PATIENT', 'score': 1.0, 'source': ''}]
    """
    rows = []
    for item in items:
        row: dict[str, Any] = {"id": item.id, "text": None, "patient_id": None, "spans": []}
        if isinstance(item, SetAside):
            row["set_aside"] = item.reason
        else:
            row |= {"text": item.text, "patient_id": item.patient_id, "spans": list(map(_record, item.spans))}
            for key, value in plain_meta(item.meta).items():
                row[free_key(key, row)] = value
        rows.append(row)
    columns = dict.fromkeys(column for row in rows for column in row)
    return [{column: row.get(column) for column in columns} for row in rows]


def _record(span: Span) -> dict[str, Any]:
    names = ("start", "end", "label", "score", "source")
    return {name: getattr(span, name) for name in names}


def from_pandas(
    frame: Any,
    *,
    text: str = "text",
    id: str | None = None,  # noqa: A002 - the domain's word
    patient_id: str | None = None,
    spans: str | None = None,
) -> list[Item]:
    """Return the note of each row of a data frame, in order: see `from_rows`. The default id is the index."""
    names = [str(name) for name in frame.index] if id is None else None
    column = free_key("index", frame.columns) if id is None else id
    rows = (
        dict(zip(frame.columns, values, strict=True)) | ({column: names[place]} if names else {})
        for place, values in enumerate(frame.itertuples(index=False, name=None))
    )
    return list(from_rows(rows, text=text, id=column, patient_id=patient_id, spans=spans))


def to_pandas(items: Iterable[Item]) -> Any:
    """Return notes as a data frame, one row a note: see `to_rows`."""
    return need("pandas", "pandas").DataFrame(to_rows(items))


def spans_to_pandas(documents: Iterable[Document]) -> Any:
    """Return the spans of notes as a data frame, one row a span, with the note's id and the span's text."""
    rows = [
        {"id": document.id, **_record(span), "text": document.text[span.start : span.end]}
        for document in documents
        for span in document.spans
    ]
    columns = ["id", "start", "end", "label", "score", "source", "text"]
    return need("pandas", "pandas").DataFrame(rows, columns=columns)


def to_dataset(items: Iterable[Item]) -> Any:
    """Return notes as a Hugging Face dataset, one row a note: see `to_rows`."""
    return need("datasets", "datasets").Dataset.from_list(to_rows(items))
