"""i2b2-2014 stand-off XML: one file per note, its text followed by marks with offsets.

Labels are read and written verbatim (``LOCATION-OTHER``); an element's name is the label's category, and
``OTHER`` for a label outside the scheme. Files are named after patient and record, ``NNN-NN.xml``, so the
number before the dash is the patient id. Ids and comments of marks, and the encoding of a file that is not
UTF-8, are not kept.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import ClassVar

from plainsight.document import Document
from plainsight.formats.standoff_xml import Layout, StandoffXml
from plainsight.labels import CATEGORY_OF

_NAME = re.compile(r"(?:.*/)?(\d+)-\d+")


class I2b2Standoff(StandoffXml):
    """Read and write i2b2-2014 stand-off XML."""

    name: ClassVar[str] = "i2b2-2014"
    layout: ClassVar[Layout] = Layout(
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

    def note_of(self, id: str, data: bytes, where: str) -> Document:  # noqa: A002 - the domain's word
        """Return the note of one file; its name may tell the patient."""
        document = super().note_of(id, data, where)
        named = _NAME.fullmatch(id)
        return replace(document, patient_id=named[1]) if named else document
