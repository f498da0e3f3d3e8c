"""Each note is written or set aside, and counted; a run that fails leaves nothing."""

import pytest

from plainsight.document import Document, SetAside, Span
from plainsight.errors import DataError
from plainsight.formats.brat import Brat
from plainsight.formats.jsonl import JsonLines
from plainsight.pipeline import Replaced
from plainsight.run.mapping import MappingFile, read_mapping
from plainsight.run.output import Output, Quarantine

GOOD = Replaced(Document("1", "Dr. Ng", (Span(4, 6, "DOCTOR"),)), ((4, 6, "Quill"),))
BAD = Replaced(Document("2", "Dr. Ng", (Span(4, 6, "A B"),)), ((4, 6, "Quill"),))


def test_a_note_that_the_format_cannot_hold_is_set_aside(tmp_path):
    mapping = MappingFile(tmp_path / "map", b"k" * 32)
    with Output(Brat().open(tmp_path / "out"), Quarantine(tmp_path / "aside"), mapping=mapping) as output:
        for item in (GOOD, BAD, SetAside("3", "why")):
            output.write(item)
    assert (output.account.notes, output.account.set_aside) == (1, 2)
    assert output.account.labels == {"DOCTOR": 1}
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == ["1.ann", "1.txt"]
    assert [entry.id for entry in read_mapping(tmp_path / "map", b"k" * 32)] == ["1"]
    assert len((tmp_path / "aside").read_text().splitlines()) == 2


def test_spans_are_left_out_but_counted(tmp_path):
    with Output(JsonLines().open(tmp_path / "o.jsonl"), Quarantine(None), spans=False) as output:
        output.write(GOOD)
    assert '"spans":[]' in (tmp_path / "o.jsonl").read_text()
    assert output.account.labels.total() == 1


@pytest.mark.parametrize("last", [SetAside("3", "why"), BAD])
def test_a_whole_run_stops_at_the_first_note_set_aside(tmp_path, last):
    def run() -> None:
        sink = Brat().open(tmp_path / "out")
        with Output(sink, Quarantine(tmp_path / "aside"), whole=True) as output:
            output.write(GOOD)
            output.write(last)

    with pytest.raises(DataError, match=r"note '[23]'"):
        run()
    assert list(tmp_path.iterdir()) == []


def test_refused_clinical_forms_are_counted_by_name(tmp_path):
    with Output(JsonLines().open(tmp_path / "o.jsonl"), Quarantine(None)) as output:
        for forms in (("fall", "ratio"), ("fall",), ()):
            output.write(Replaced(GOOD.document, GOOD.originals, forms))
    assert output.account.to_json()["clinical_forms_refused"] == {"fall": 2, "ratio": 1}


def test_events_left_in_the_release_are_counted_by_kind(tmp_path):
    text = "Ng fasts for Ramadan, Ng fell at the Super Bowl, ate at Christmas."
    christmas = text.index("Christmas")
    spans = (Span(0, 2, "DOCTOR"), Span(christmas, christmas + 9, "DATE"))  # a surrogate is no event
    with Output(JsonLines().open(tmp_path / "o.jsonl"), Quarantine(None)) as output:
        output.write(Replaced(Document("1", text, spans), ()))
        output.write(Document("2", text))  # not de-identified, so nothing is released
    assert output.account.to_json()["events_left"] == {"moving feast": 1, "sports event": 1}
