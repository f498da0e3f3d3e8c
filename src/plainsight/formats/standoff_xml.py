"""The stand-off XML of i2b2-2014 and MEDDOCAN.

A file holds one note: its text, then one element per identifier, named by category, with ``start``, ``end``,
``text`` and ``TYPE``. Offsets count the code points of the text as an XML parser gives it (see `markup` for
line ends). Ids and comments of marks are not kept, nor is the encoding of a file that is not UTF-8.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import ClassVar

from plainsight.document import Document, SetAside, Span
from plainsight.errors import FormatError, SpanError
from plainsight.formats.base import OpenSink
from plainsight.formats.files import file_per_note, read_notes
from plainsight.formats.markup import Node, attribute, cdata, parse, refuse_characters
from plainsight.formats.standoff import WrittenMark, annotated, same, with_written_marks
from plainsight.labels import CATEGORY_OF

_FILE_NAME = re.compile(r"(?:.*/)?(\d+)-\d+")
_SPANISH_TYPES = {
    "NAME": "NOMBRE_SUJETO_ASISTENCIA NOMBRE_PERSONAL_SANITARIO",
    "PROFESSION": "PROFESION",
    "LOCATION": "CALLE TERRITORIO PAIS HOSPITAL INSTITUCION CENTRO_SALUD",
    "AGE": "EDAD_SUJETO_ASISTENCIA",
    "DATE": "FECHAS",
    "CONTACT": "CORREO_ELECTRONICO NUMERO_TELEFONO NUMERO_FAX URL_WEB DIREC_PROT_INTERNET",
    "ID": (
        "ID_SUJETO_ASISTENCIA ID_CONTACTO_ASISTENCIAL ID_ASEGURAMIENTO ID_TITULACION_PERSONAL_SANITARIO "
        "ID_EMPLEO_PERSONAL_SANITARIO IDENTIF_VEHICULOS_NRSERIE_PLACAS IDENTIF_DISPOSITIVOS_NRSERIE "
        "IDENTIF_BIOMETRICOS NUMERO_BENEF_PLAN_SALUD OTRO_NUMERO_IDENTIF"
    ),
    "OTHER": "SEXO_SUJETO_ASISTENCIA FAMILIARES_SUJETO_ASISTENCIA OTROS_SUJETO_ASISTENCIA",
}
_SPANISH_CATEGORIES = {label: kind for kind, types in _SPANISH_TYPES.items() for label in types.split()}


@dataclass(kw_only=True)
class StandoffXml:
    """Read and write one note a file; subclasses say how their corpus writes it.

    ``scored`` is for the official figures: each note remembers its marks' elements, and two kinds of marks
    are accepted that the official scripts count. One without TYPE gets its element's name as label; one
    without a character is no span.

    ``root`` is the root element. ``categories`` maps a label to the element that marks it; other labels are
    marked ``OTHER``. The marks' ids begin with ``prefix``, and their numbers with ``first``. ``close`` ends
    an empty element.
    """

    name: ClassVar[str]
    suffixes: ClassVar[tuple[str, ...]] = (".xml",)
    one_note_a_file: ClassVar[bool] = True
    root: ClassVar[str]
    categories: ClassVar[Mapping[str, str]]
    prefix: ClassVar[str]
    first: ClassVar[int]
    declaration: ClassVar[str]
    indent: ClassVar[str]
    close: ClassVar[str]

    scored: bool = False

    def read(self, path: Path) -> Iterator[Document | SetAside]:
        """Yield the notes of a file or, recursively, a folder."""
        return read_notes(path, self.suffixes, self.parse)

    def open(self, path: Path, *, span_column: bool = False, explain: bool = False) -> OpenSink:
        """Open a file for one note, or a folder for many, which are named by their ids."""
        return file_per_note(path, self.suffixes, self._render)

    def parse(self, id: str, data: bytes, where: str) -> Document:  # noqa: A002 - the domain's word
        """Return the note of one file."""
        root = parse(data, where)
        if root.name != self.root:
            raise FormatError(f"the root element is not <{self.root}>", f"{where}:{root.line}")
        text_element, tags = root.child("TEXT"), root.child("TAGS")
        if text_element is None:
            raise FormatError(f"<{root.name}> has no <TEXT>", f"{where}:{root.line}")
        text = text_element.text
        written = [self._mark(tag, text, f"{where}:{tag.line}") for tag in (tags.children if tags else ())]
        spans = [
            Span(mark.start, mark.end, mark.label or mark.element)
            for mark in written
            if mark.start < mark.end
        ]
        document = annotated(id, text, spans)
        return with_written_marks(document, written) if self.scored else document

    def _mark(self, tag: Node, text: str, where: str) -> WrittenMark:
        """Return the mark of an element, or refuse it."""
        label = tag.attributes.get("TYPE", "")
        try:
            start, end = int(tag.attributes["start"]), int(tag.attributes["end"])
            if not (self.scored and 0 <= start == end):
                Span(start, end, label or (tag.name if self.scored else ""))
        except (KeyError, ValueError):
            raise FormatError("a mark needs whole numbers as start and end", where) from None
        except SpanError as error:
            raise FormatError(str(error) if label else "a mark has no TYPE", where) from None
        if end > len(text):
            raise FormatError(f"a mark ends at {end}, the text at {len(text)}", where)
        if not same(tag.attributes.get("text", text[start:end]), text[start:end]):
            raise FormatError(f"the text noted for the mark at {start} is not what stands there", where)
        return WrittenMark(tag.name, label, start, end)

    def _render(self, document: Document) -> bytes:
        """Return the file of one note, in UTF-8, or refuse a note that XML cannot hold."""
        refuse_characters(document.text, document.id)
        indent, head = self.indent, [self.declaration, f"<{self.root}>"]
        marks = []
        for number, span in enumerate(document.spans, start=self.first):
            refuse_characters(span.label, document.id)
            marks.append(
                f"{indent}{indent}<{self.categories.get(span.label, 'OTHER')}"
                f' id="{self.prefix}{number}" start="{span.start}" end="{span.end}"'
                f" text={attribute(document.text[span.start : span.end])} TYPE={attribute(span.label)}"
                f' comment=""{self.close}'
            )
        text = f"{indent}<TEXT>{cdata(document.text)}</TEXT>"
        lines = [*head, text, f"{indent}<TAGS>", *marks, f"{indent}</TAGS>", f"</{self.root}>", ""]
        return "\n".join(lines).encode()


class I2b2Standoff(StandoffXml):
    """Read and write i2b2-2014 stand-off XML.

    Labels are read and written verbatim (``LOCATION-OTHER``). An element is named after the label's category,
    ``OTHER`` for an unknown label. Files are named after patient and record, ``NNN-NN.xml``, so the number
    before the dash is the patient id.
    """

    name: ClassVar[str] = "i2b2-2014"
    root = "deIdi2b2"
    categories: ClassVar[Mapping[str, str]] = {
        name: kind for label, kind in CATEGORY_OF.items() for name in (label, label.replace("_", "-"))
    }
    prefix = "P"
    first = 0
    declaration = '<?xml version="1.0" encoding="UTF-8" ?>'
    indent = ""
    close = " />"

    def parse(self, id: str, data: bytes, where: str) -> Document:  # noqa: A002 - the domain's word
        """Return the note of one file, with the patient id from the file's name."""
        document = super().parse(id, data, where)
        named = _FILE_NAME.fullmatch(id)
        return replace(document, patient_id=named[1]) if named else document


class Meddocan(StandoffXml):
    """Read and write MEDDOCAN XML.

    Its types are Spanish, read and written verbatim (``NOMBRE_SUJETO_ASISTENCIA``).
    """

    name: ClassVar[str] = "meddocan"
    root = "MEDDOCAN"
    categories: ClassVar[Mapping[str, str]] = {**CATEGORY_OF, **_SPANISH_CATEGORIES}
    prefix = "T"
    first = 1
    declaration = "<?xml version='1.0' encoding='UTF-8'?>"
    indent = "  "
    close = "/>"
