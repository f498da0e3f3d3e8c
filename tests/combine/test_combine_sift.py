"""What of the found spans a policy replaces."""

from dataclasses import replace

import pytest

from plainsight.combine.sift import Sift
from plainsight.document import Document, Span
from plainsight.formats.inline import mark, parse
from plainsight.labels import group

LAW = Sift(labels=group("safe-harbor"), keep_providers=True, law=True)


def sifted(marked: str, sift: Sift = LAW) -> str:
    text, spans = parse(marked)
    found = tuple(replace(span, source="cascade") for span in spans)
    [note] = sift([Document("1", text, found)])
    return mark(text, note.spans)


@pytest.mark.parametrize(
    ("found", "kept"),
    [
        ("{{AGE|67}} and {{AGE|ninety-two}}", "67 and {{AGE|ninety-two}}"),
        ("{{DATE|2012}}, {{DATE|3/4/2012}}", "2012, {{DATE|3/4/2012}}"),
        ("born {{DATE|1931}}", "born {{DATE|1931}}"),
        ("DOB {{DATE|'31}}", "DOB {{DATE|'31}}"),
        ("{{STATE|Ohio}} {{STATE|OH}} {{STATE|Whitehaven}}", "Ohio OH {{LOCATION_OTHER|Whitehaven}}"),
        ("{{COUNTRY|Kenya}} {{COUNTRY|Karatina}}", "Kenya {{LOCATION_OTHER|Karatina}}"),
        ("{{STATE|OH 45402}}", "{{LOCATION_OTHER|OH 45402}}"),
        ("{{ZIP|551**}} {{ZIP|55116}}", "551** {{ZIP|55116}}"),
        ("{{STATE|GA}} {{LICENSE|071882}}, {{STATE|GA}}", "{{LICENSE|GA}} {{LICENSE|071882}}, GA"),
        ("{{HOSPITAL|Lakes Hospital}}, the {{HOSPITAL|Lakes}}", "Lakes Hospital, the Lakes"),
        ("works nights at {{HOSPITAL|LRH}}", "works nights at {{ORGANIZATION|LRH}}"),
        ("{{HOSPITAL|Fox Hollow}}", "{{ORGANIZATION|Fox Hollow}}"),
        ("{{HOSPITAL|La Jolla 92161}}", "{{ORGANIZATION|La Jolla 92161}}"),
        ("login {{USERNAME|jdoe4}}, a {{PROFESSION|miner}}", "login {{USERNAME|jdoe4}}, a miner"),
        ("Dr. {{DOCTOR|Lee}} and son {{DOCTOR|Carl}}", "Dr. Lee and son {{PATIENT|Carl}}"),
        ("Dr. {{DOCTOR|Ann Lee}}   {{DOCTOR|alee}}", "Dr. Ann Lee   {{USERNAME|alee}}"),
    ],
)
def test_what_safe_harbor_lets_stay(found, kept):
    assert sifted(found) == kept


def test_providers_go_where_the_policy_says_so():
    sift = Sift(labels=group("safe-harbor") | {"DOCTOR", "HOSPITAL"}, keep_providers=False, law=True)
    found = "Dr. {{DOCTOR|Lee}}, {{HOSPITAL|Lakes}}, {{DATE|2012}}, {{STATE|Ohio}}"
    assert sifted(found, sift) == "Dr. {{DOCTOR|Lee}}, {{HOSPITAL|Lakes}}, 2012, Ohio"


def test_without_the_law_only_providers_stay():
    sift = Sift(labels=group("all"), keep_providers=True, law=False)
    found = "Dr. {{DOCTOR|Lee}}, {{AGE|67}}, {{STATE|Ohio}}, her son {{DOCTOR|Carl}}"
    assert sifted(found, sift) == "Dr. Lee, {{AGE|67}}, {{STATE|Ohio}}, her son {{PATIENT|Carl}}"


def one(span: Span, text: str) -> list[tuple[str, str]]:
    [note] = LAW([Document("1", text, (span,))])
    return [(text[found.start : found.end], found.label) for found in note.spans]


def test_what_must_go_inside_a_span_that_stays_goes():
    text = "Marcus Delgado Clinic"
    record, network = Span(0, 14, "PATIENT", 1.0, "patient.name"), Span(0, 21, "HOSPITAL", 1.0, "cascade")
    assert one(replace(network, claims=(network, record)), text) == [("Marcus Delgado", "PATIENT")]
    assert one(network, text) == []


def test_a_weekday_is_nobody_and_a_month_in_a_name_is_no_date():
    network = Span(0, 7, "DOCTOR", 1.0, "cascade")
    whole = Span(0, 7, "DATE", 0.9, "patterns.date")
    assert one(replace(network, claims=(network, whole)), "Tuesday") == [("Tuesday", "DATE")]
    network, part = Span(4, 13, "DOCTOR", 1.0, "cascade"), Span(4, 9, "DATE", 0.9, "patterns.date")
    assert one(replace(network, claims=(network, part)), "Dr. April Lee") == []
