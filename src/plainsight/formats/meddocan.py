"""MEDDOCAN XML: the layout of i2b2-2014 with Spanish types, one file per note.

Types are read and written verbatim (``NOMBRE_SUJETO_ASISTENCIA``). Ids and comments of marks are not kept;
marks are numbered by their place.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import ClassVar

from plainsight.document import Document, SetAside
from plainsight.formats.files import read_notes, write_notes
from plainsight.formats.standoff import Layout, Overlaps, parse_note, render_note
from plainsight.labels import CATEGORY_OF

__all__ = ["Meddocan"]

_TYPES = {
    "NAME": ("NOMBRE_SUJETO_ASISTENCIA", "NOMBRE_PERSONAL_SANITARIO"),
    "PROFESSION": ("PROFESION",),
    "LOCATION": ("CALLE", "TERRITORIO", "PAIS", "HOSPITAL", "INSTITUCION", "CENTRO_SALUD"),
    "AGE": ("EDAD_SUJETO_ASISTENCIA",),
    "DATE": ("FECHAS",),
    "CONTACT": ("CORREO_ELECTRONICO", "NUMERO_TELEFONO", "NUMERO_FAX", "URL_WEB", "DIREC_PROT_INTERNET"),
    "ID": (
        "ID_SUJETO_ASISTENCIA",
        "ID_CONTACTO_ASISTENCIAL",
        "ID_ASEGURAMIENTO",
        "ID_TITULACION_PERSONAL_SANITARIO",
        "ID_EMPLEO_PERSONAL_SANITARIO",
        "IDENTIF_VEHICULOS_NRSERIE_PLACAS",
        "IDENTIF_DISPOSITIVOS_NRSERIE",
        "IDENTIF_BIOMETRICOS",
        "NUMERO_BENEF_PLAN_SALUD",
        "OTRO_NUMERO_IDENTIF",
    ),
    "OTHER": ("SEXO_SUJETO_ASISTENCIA", "FAMILIARES_SUJETO_ASISTENCIA", "OTROS_SUJETO_ASISTENCIA"),
}
_LAYOUT = Layout(
    root="MEDDOCAN",
    categories={
        **CATEGORY_OF,
        **{label: category for category, labels in _TYPES.items() for label in labels},
    },
    prefix="T",
    first=1,
    declaration="<?xml version='1.0' encoding='UTF-8'?>",
    indent="  ",
    close="/>",
)


class Meddocan:
    """Read and write MEDDOCAN XML.

    ``overlaps`` says what becomes of marks that overlap: ``refuse`` sets the note aside, ``cut`` lets the
    longest keep its place, ``keep`` cuts and remembers the marks as they were, for evaluation.
    """

    name: ClassVar[str] = "meddocan"
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
        return parse_note(_LAYOUT, id, data, where, self.overlaps)
