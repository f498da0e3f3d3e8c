"""Numbers whose digits are a date."""

import pytest

from plainsight.combine.joined_dates import read_joined_dates
from plainsight.document import Document
from plainsight.formats.inline import mark, parse


@pytest.mark.parametrize(
    ("found", "labels"),
    [
        ("D: {{DATE|11/25/23}} T: {{IDNUM|112623}}", ["DATE", "DATE"]),
        ("D: {{DATE|Nov 25, 2023}}   {{LICENSE|112623}}", ["DATE", "DATE"]),
        ("D: {{DATE|11/25/23}} IMG {{DEVICE|20231126}}", ["DATE", "DATE"]),
        ("D: {{DATE|11/25/23}} Job {{IDNUM|071126}}", ["DATE", "IDNUM"]),  # another time
        ("D: {{DATE|11/25}} T: {{IDNUM|112623}}", ["DATE", "IDNUM"]),  # nothing to compare it with
        ("D: {{DATE|11/25/23}} MRN {{MEDICALRECORD|993481}}", ["DATE", "MEDICALRECORD"]),
        ("D: {{DATE|11/25/23}} {{IDNUM|11-2623}}, {{PHONE|112623}}", ["DATE", "IDNUM", "PHONE"]),
    ],
)
def test_labels(found, labels):
    text, spans = parse(found)
    read = read_joined_dates(Document("1", text, spans))
    assert [span.label for span in read.spans] == labels
    assert [(span.start, span.end) for span in read.spans] == [(span.start, span.end) for span in spans]


def test_what_the_record_says_is_a_number_stays_one():
    text, (day, number) = parse("{{DATE|11/25/23}} {{IDNUM|112623}}")
    known = number.__class__(number.start, number.end, "IDNUM", 1.0, "patient.id")
    assert mark(text, read_joined_dates(Document("1", text, (day, known))).spans).endswith("{{IDNUM|112623}}")
