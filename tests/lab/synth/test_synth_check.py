"""Checking a corpus: every kind of fault is found, and what is right is not."""

import pytest
from synthetic_notes import MARKED, corpus

from plainsight.document import Document
from plainsight.formats.inline import parse
from plainsight.lab.synth.check import KINDS, Finding, check, near_duplicates


def findings(marked, *, scraps=False):
    return list(check([Document("n.txt", *parse(marked))], scraps=lambda note: scraps))


def kinds(marked, **options):
    return [finding.kind for finding in findings(marked, **options)]


@pytest.mark.parametrize(
    ("marked", "kind"),
    [
        ("", "empty"),
        (" \n ", "empty"),
        ("Seen by {{doctor|Ng}}.", "broken-mark"),
        ("Seen by {DOCTOR|Ng}}.", "broken-mark"),
        ("Seen by DOCTOR|Ng}}.", "broken-mark"),
        ("Seen by {{PHYSICIAN|Ng}}.", "unknown-label"),
        ("Seen by {{DOCTOR|Ng }}.", "outer-space"),
        ("Seen by {{DOCTOR|\nNg}}.", "outer-space"),
        ("Seen by {{DOCTOR|Dr. Ng}}.", "title"),
        ("Seen by {{DOCTOR|Ada Ng, MD}}.", "title"),
        ("{{PATIENT|Mrs Hargrove}} slept.", "title"),
        ("{{PATIENT|Hargrove's}} wife.", "possessive"),
        ("{{PATIENT|Hargrove’s}} wife.", "possessive"),
        ("{{PATIENT|Harg}}rove slept.", "cut-word"),
        ("{{PATIENT|Hargrove}} slept. Later Hargrove ate.", "repeat"),
        ("{{PATIENT|Maria Hargrove}} slept. HARGROVE ate.", "repeat"),
        ("{{HOSPITAL|Okafor Clinic}} called; Okafor will see her.", "repeat"),
        ("Dr. {{DOCTOR|Whipple}} came. Dr. Whipple left.", "repeat"),
        ("{{DOCTOR|Whipple}} came. Whipple, RN left.", "repeat"),
        ("MRN {{MEDICALRECORD|0371-88}} here. Footer 0371-88 there.", "repeat"),
        ("Seen 3/14/2019 in clinic.", "shape"),
        ("Seen March 14, 2019 in clinic.", "shape"),
        ("Call 212-555-0123 now.", "shape"),
        ("Mail ada.ng@lake.example.org now.", "shape"),
        ("SSN 412-44-1188 on file.", "shape"),
    ],
)
def test_faults(marked, kind):
    assert kind in kinds(marked)
    assert kind in KINDS


@pytest.mark.parametrize(
    "marked",
    [
        "{{HOSPITAL|St. Luke's}} called.",
        "{{ORGANIZATION|Dr. Dan Trigg Memorial}} paid.",
        "in the {{AGE|60's}}",
        "Dr. {{DOCTOR|Whipple}} did a Whipple procedure.",
        "Mr. {{PATIENT|Parkinson}} has Parkinson disease.",
        "{{PATIENT|Will Young}} is a young man; Will try again.",
        "{{HOSPITAL|Lakeview Medical Center}}: the Medical Center is closed.",
        "Dr. {{DOCTOR|Swan}} placed a Swan-Ganz.",
        "{{DATE|May 3}}. 3. May eat. Monday fever.",
        "Pain 3/10, BP 120/80, {{DATE|3/10}}",
        "a {{AGE|4 months}} old; a burst 4 months ago",
        "No identifiers, and {braces} | pipes }} are text.",
    ],
)
def test_what_is_right(marked):
    assert kinds(marked) == []


def test_the_small_corpus_is_right():
    assert list(check(corpus())) == []


def test_lines_are_told_and_no_text():
    (finding,) = findings("one\ntwo {{PATIENT|Hargrove}}\nthree Hargrove")
    assert finding.place == "n.txt:3: repeat"
    assert "Hargrove" not in repr(finding)
    assert "Hargrove" not in str(finding.to_json())
    assert "Hargrove" in finding.to_json(show_text=True)["text"]


def test_scraps_have_nothing_to_do_with_one_another():
    marked = "{{PATIENT|Hargrove}} slept.\n\nHargrove elsewhere."
    assert kinds(marked) == ["repeat"]
    assert kinds(marked, scraps=True) == []
    assert kinds("{{PATIENT|Hargrove}} slept. Hargrove ate.\n\nMore.", scraps=True) == ["repeat"]


def test_one_note_written_from_another():
    text, spans = parse(MARKED["letters/one"])
    other = MARKED["letters/one"].replace("Delgado", "Voss").replace("Maria", "Ilse")
    notes = [Document("one", text, spans), Document("two", *parse(other)), *corpus()[1:]]
    (alike,) = near_duplicates(notes)
    assert {alike.note, alike.other} == {"one", "two"}
    assert alike.share == 1.0
    assert [finding.kind for finding in check(notes)] == ["near-duplicate"]


def test_findings_explain_themselves():
    assert Finding("a.txt", 3, "title", "DOCTOR").to_json() == {
        "note": "a.txt", "line": 3, "kind": "title", "about": "DOCTOR"
    }  # fmt: skip
