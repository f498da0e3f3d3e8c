"""The guard of medicine: clinical forms are refused, identifiers are not."""

from pathlib import Path

import pytest

from plainsight.combine.guard import EPONYM, Guard
from plainsight.document import Document, Span
from plainsight.formats.inline import parse
from plainsight.locale.clinical_forms import clinical_forms

HERE = Path(__file__).parent
CORPUS = HERE.parents[1] / "corpus"
GUARD = Guard()


def forms(marked: str) -> list[str]:
    text, spans = parse(marked)
    return [GUARD.form(text, span) for span in spans]


def form_of(line: str) -> tuple[str, str]:
    """Split a case into the form's name and the marked text."""
    name = max((name for name in NAMES if line.startswith(name)), key=len)
    return name, line.removeprefix(name).lstrip()


NAMES = (*clinical_forms("en_US").names, EPONYM)
LINES = [
    line for line in (HERE / "guard_cases.txt").read_text().splitlines() if line and not line.startswith("#")
]


@pytest.mark.parametrize("line", LINES)
def test_a_clinical_form_is_refused(line):
    name, marked = form_of(line)
    assert set(forms(marked)) == {name}


def test_every_form_has_a_case():
    assert {form_of(line)[0] for line in LINES} == set(NAMES)


@pytest.mark.parametrize(
    "marked",
    [
        "Last {{DATE|fall}} she moved to {{CITY|Flint}}, {{STATE|MI}} 48502.",
        "Seen {{DATE|1/2}} and again {{DATE|2/4}} by {{DOCTOR|L}}.",
        "Dr. {{DOCTOR|Bishop}} called; {{PATIENT|Yasmin Baker}} agreed.",
        "{{PATIENT|Baker}}, {{AGE|89}}, in bed {{HOSPITAL|C5-11}} until {{DATE|MAR 3}}.",
        "DOB {{DATE|5/5/1931}}, MRN {{MEDICALRECORD|4412012}}, lot {{DEVICE|G14L0622}}.",
        "Look at {{PATIENT|Brown}}'s drain; the {{DATE|fall}} was rough.",
        "Series 3/3 {{DATE|2019}}. 1730. Tetanus {{DATE|2021}}. Ate at 1600. Shot in deltoid {{DATE|5/6}}.",
        "{{PATIENT|Heather}} wants the pill. Took {{PATIENT|Camila}} to school in {{PATIENT|Heather}}'s car.",
        "{{DOCTOR|Heather}} gave Tylenol, checked on {{PATIENT|Camila}}. Took {{PATIENT|Yasmin}}, 4, home.",
        "{{DOCTOR|LD}} gave GSK lot 7K2. {{HOSPITAL|Duke}} {{DATE|2015}}. The {{DATE|3/3}} blood culture.",
        "RPH {{DOCTOR|AVM}}. PID|{{HOSPITAL|LVH}}^MR. {{HOSPITAL|HCG}} Oncology.",
        "Repeat {{DATE|fall}}. {{DATE|March}} on time. {{DATE|winter}} {{DATE|2015}}.",
    ],
)
def test_identifiers_are_not_refused(marked):
    assert not any(forms(marked))


NIGHT = "1845 report taken\n{year} turned, dry\n2115 meds given\n"


def test_a_year_in_a_column_of_times_is_a_time():
    assert forms(NIGHT.format(year="{{DATE|1930}}")) == ["time of day"]
    assert forms("Call 1858, out {{DATE|1904}}, there 2112.") == ["time of day"]


@pytest.mark.parametrize(
    "marked", ["2002: stent\n{{DATE|2006}}: PE\n2011: laser\n", "1845 report\nborn {{DATE|1930}}\n"]
)
def test_a_year_among_years_is_none(marked):
    assert forms(marked) == [""]


def test_refused_spans_are_left_out_and_named():
    text, spans = parse("{{PATIENT|Ann}} had another {{DATE|fall}} on {{DATE|3/4}}.")
    kept, refused = GUARD.refuse(Document("1", text, spans))
    assert [text[span.start : span.end] for span in kept.spans] == ["Ann", "3/4"]
    assert [(one.span, one.form) for one in refused] == [(spans[1], "fall")]


@pytest.mark.parametrize("source", ["patient.name", "propagate.patient"])
def test_what_the_record_holds_is_never_refused(source):
    assert not GUARD.form("Baker cyst", Span(0, 5, "PATIENT", 1.0, source))
    behind = (Span(0, 5, "PATIENT", 1.0, "cascade"), Span(0, 5, "PATIENT", 1.0, source))
    assert not GUARD.form("Baker cyst", Span(0, 5, "PATIENT", 1.0, "cascade", behind))


def test_hardly_a_gold_mark_of_the_corpus_is_refused():
    """Fewer than one in 10,000, though some texts make initials spell an abbreviation: S. N. Falk."""
    notes = sorted(CORPUS.rglob("*.txt"))
    assert len(notes) > 6_000
    marks, refused = 0, []
    for note in notes:
        text, spans = parse(note.read_text(encoding="utf-8"))
        marks += len(spans)
        refused += [(note.name, span.start) for span in spans if GUARD.form(text, span)]
    assert len(refused) <= marks / 10_000
