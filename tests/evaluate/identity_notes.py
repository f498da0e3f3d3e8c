"""Notes for the tests of surrogates by identity: marked text, and the surrogates in its order."""

from __future__ import annotations

from plainsight.document import Document
from plainsight.evaluate.surrogates.pairs import Note, exact
from plainsight.formats.inline import parse


def note(marked: str, *surrogates: str, name: str = "anna/01_ed") -> Note:
    """Return a note of the patient ``anna``."""
    text, spans = parse(marked)
    return exact(Document(name, text, spans, patient_id="anna"), surrogates)
