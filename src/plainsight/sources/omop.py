"""The tables NOTE and NOTE_NLP of the OMOP common data model.

Ids become keyed numbers, the same for the same id in every table, and dates shift with those of the text. All
columns of NOTE stay, so that the table fits the model: free text beside the note and columns that the field
policy does not keep have no value. Where spans are asked for, each one is a row of NOTE_NLP.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, date, datetime
from pathlib import Path
from typing import ClassVar

from plainsight.document import Document, Span
from plainsight.errors import UsageError
from plainsight.formats.base import OpenSink, Sink
from plainsight.formats.columns import beside_text
from plainsight.sources.database import as_database
from plainsight.sources.places import Database
from plainsight.sources.sql import Sql
from plainsight.sources.sql_sink import Table, TableSink, open_table
from plainsight.version import __version__

_NOTE_NLP = {
    "note_nlp_id": "integer",
    "note_id": "integer",
    "section_concept_id": "integer",
    "snippet": "text",
    "offset": "text",
    "lexical_variant": "text",
    "note_nlp_concept_id": "integer",
    "note_nlp_source_concept_id": "integer",
    "nlp_system": "text",
    "nlp_date": "date",
    "nlp_datetime": "datetime",
    "term_exists": "text",
    "term_temporal": "text",
    "term_modifiers": "text",
}
_OF_OTHERS = "nlp_system IS NULL OR nlp_system NOT LIKE 'plainsight %'"
_LONGEST_VARIANT = 250  # characters of lexical_variant in the model


@dataclass(kw_only=True)
class Omop(Sql):
    """The table ``note`` of an OMOP database, with the options of `Sql`.

    ``postgresql://reader@db/cdm#cdm.note`` names another schema. What becomes of each column is in
    ``data/fields/omop.toml``; ``fields`` is a file that changes it, under ``[omop.columns]``.
    """

    name: ClassVar[str] = "omop"
    suffixes: ClassVar[tuple[str, ...]] = ()

    _table: ClassVar[str | None] = "note"

    text: str | None = "note_text"
    id: str | None = "note_id"
    patient: str | None = "person_id"

    @contextmanager
    def open(self, path: Path, *, span_column: bool = False, explain: bool = False) -> Iterator[Sink]:
        """Open the table; with ``span_column``, spans go to the table ``note_nlp`` of the same schema."""
        database = as_database(path)
        kind = _NotesAndSpans if span_column else _Notes
        with open_table(database, spans=None, kind=kind) as sink:
            yield sink

    def open_to_update(self, path: Path, *, span_column: bool = False, explain: bool = False) -> OpenSink:
        """Open the table ``note``, whose other rows stay."""
        if span_column:
            raise UsageError("--update does not go with spans in note_nlp: a night would lose those before")
        return open_table(as_database(path), spans=None, kind=_Notes, update=True)


class _Notes(TableSink):
    """Write the table ``note``."""

    default_table: ClassVar[str] = "note"


class _NotesAndSpans(_Notes):
    """Write the tables ``note`` and ``note_nlp``."""

    def __init__(
        self, database: Database, *, spans: str | None, update: bool = False, today: date | None = None
    ) -> None:
        super().__init__(database, spans=spans, update=update)
        schema = self.table_name.rpartition(".")[0]
        name = f"{schema}.note_nlp" if schema else "note_nlp"
        self._spans_table = Table(self.link, name, _NOTE_NLP, "note_nlp_id")
        with self.link.connect() as connection:
            if self.link.has_rows(connection, name, _OF_OTHERS):
                raise UsageError(f"{self.link}: {name} has rows of other systems, which would be lost")
        self._create(self._spans_table)
        self._today = today or datetime.now(UTC).date()
        self._count = 0

    def tables(self) -> Sequence[Table]:
        """Return the tables that are being filled."""
        return [*super().tables(), self._spans_table]

    def write(self, document: Document) -> None:
        """Write a note's row, and one for each of its spans."""
        super().write(document)
        note_id = beside_text(document).get("note_id", document.id)
        for span in document.spans:
            self._count += 1
            self._spans_table.add(
                self._spans_table.row(
                    {
                        "note_nlp_id": self._count,
                        "note_id": note_id,
                        "offset": str(span.start),
                        "lexical_variant": document.text[span.start : span.end][:_LONGEST_VARIANT],
                        "nlp_system": f"plainsight {__version__}",
                        "nlp_date": self._today,
                        "term_modifiers": _modifiers(span),
                    },
                    f"note {document.id}",
                )
            )

    def finish(self) -> None:
        """Let the tables appear."""
        self._spans_table.flush()
        super().finish()


def _modifiers(span: Span) -> str:
    """Return what is known of a span in the form of the model: names and values.

    >>> _modifiers(Span(3, 9, "DOCTOR", 0.875))
    'label=DOCTOR,end=9,score=0.875'
    """
    return f"label={span.label},end={span.end},score={round(span.score, 4):g}"
