"""Dates of whole patients: read alike note by note, moved by one offset, never impossible or scrambled."""

from pathlib import Path

import pytest

from plainsight.document import Document
from plainsight.evaluate.surrogates.dates import full_dates, shifts
from plainsight.evaluate.surrogates.pairs import by_patient, exact
from plainsight.formats.inline import parse
from plainsight.locale.calendar import load_calendar
from plainsight.locale.date_grammar import parse_date
from plainsight.replace.shift_date import ShiftDate
from plainsight.replace.surrogate.dates.options import DateOptions

ROOT = Path(__file__).parents[3]


def notes(folder: str) -> list[Document]:
    """Return the notes of a folder with their dates; a patient is a folder or the start of a file's name."""
    made = []
    for path in sorted((ROOT / folder).rglob("*.txt")):
        text, spans = parse(path.read_text(encoding="utf-8"))
        patient = path.parent.name if path.parent.name != "longitudinal" else path.name.split("-")[0]
        dates = tuple(span for span in spans if span.label == "DATE")
        made.append(Document(str(path), text, dates, patient_id=patient))
    return made


@pytest.fixture(scope="module", params=["corpus/longitudinal", "benchmarks/longitudinal"])
def released(request):
    documents = notes(request.param)
    shift = ShiftDate(key=bytes(range(32)))
    return documents, shift, shift.replace(documents)


def test_each_note_alone_gives_the_same_dates(released):
    documents, shift, together = released
    assert [shift.replace([document])[0] for document in documents] == together
    assert shift.replace(documents[::-1])[::-1] == together


def test_whole_dates_of_a_patient_move_by_one_offset(released):
    documents, _, texts = released
    offsets = set(DateOptions().offsets)
    for patient, own in by_patient(map(exact, documents, texts)).items():
        moved = [shifts(was, now) for _, was, now in full_dates(own) if now]
        assert set.intersection(*moved) & offsets, patient


def test_what_was_a_date_is_one_or_its_label(released):
    documents, _, texts = released
    calendar = load_calendar("en_US")
    for document, made in zip(documents, texts, strict=True):
        for span, text in zip(document.spans, made, strict=True):
            original = document.text[span.start : span.end]
            if text == "[DATE]" or not parse_date(original, calendar):
                continue
            assert parse_date(text, calendar), (document.id, span.start)
