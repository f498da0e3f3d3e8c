"""i2b2-2014 stand-off XML: one file per note, its text followed by marks with offsets.

Labels are read and written verbatim (``LOCATION-OTHER``); an element's name is the label's category, and
``OTHER`` for a label outside the scheme. Files are named after patient and record, ``NNN-NN.xml``, so the
number before the dash is the patient id. Ids and comments of marks, and the encoding of a file that is not
UTF-8, are not kept.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import ClassVar

from plainsight.document import Document, SetAside
from plainsight.formats.files import read_notes, write_notes
from plainsight.formats.standoff import Layout, Overlaps, parse_note, render_note
from plainsight.labels import CATEGORY_OF

__all__ = ["I2b2Standoff"]

_LAYOUT = Layout(
    root="deIdi2b2",
    categories={
        **CATEGORY_OF,
        **{label.replace("_", "-"): category for label, category in CATEGORY_OF.items()},
    },
    prefix="P",
    first=0,
    declaration='<?xml version="1.0" encoding="UTF-8" ?>',
    indent="",
    close=" />",
)
_NAME = re.compile(r"(?:.*/)?(\d+)-\d+")


class I2b2Standoff:
    """Read and write i2b2-2014 stand-off XML.

    ``overlaps`` says what becomes of marks that overlap: ``refuse`` sets the note aside, ``cut`` lets the
    longest keep its place, ``keep`` cuts and remembers the marks as they were, for evaluation.
    """

    name: ClassVar[str] = "i2b2-2014"
    suffixes: ClassVar[tuple[str, ...]] = (".xml",)

    def __init__(self, *, overlaps: Overlaps = "refuse") -> None:
        self.overlaps = overlaps

    def read(self, path: Path) -> Iterator[Document | SetAside]:
        """Yield the notes of a file or, recursively, a folder."""
        return read_notes(path, self.suffixes, self._parse)

    def write(self, documents: Iterable[Document], path: Path) -> None:
        """Write one note to a file, or many to a folder of files named by their ids."""
        write_notes(documents, path, self.suffixes, self.render)

    def render(self, document: Document) -> bytes:
        """Return the file of one note, or refuse a note that XML cannot hold."""
        return render_note(_LAYOUT, document)

    def _parse(self, id: str, data: bytes, where: str) -> Document:  # noqa: A002 - the domain's word
        document = parse_note(_LAYOUT, id, data, where, self.overlaps)
        named = _NAME.fullmatch(id)
        return replace(document, patient_id=named[1]) if named else document
