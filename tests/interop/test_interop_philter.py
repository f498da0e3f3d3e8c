"""Philter: run philter-lite, and read the outputs of any version."""

import json

import pytest

from plainsight.document import Document
from plainsight.errors import DataError, UsageError
from plainsight.interop import philter
from plainsight.labels import SCHEMES

NOTE = Document("ward/1", "Seen **Ann Roe** on 3/4/2019, MRN 4471.")
HIDDEN = "Seen ***** ***** on */*/****, MRN ****."


def marks(document):
    return [(span.label, document.text[span.start : span.end]) for span in document.spans]


def test_asterisks_of_the_same_length(tmp_path):
    (tmp_path / "1.txt").write_text(HIDDEN)
    (note,) = philter.read(tmp_path, [NOTE])
    # the stars of the note itself are text
    assert marks(note) == [("OTHER", "Ann"), ("OTHER", "Roe"), ("OTHER", "3/4/2019"), ("OTHER", "4471")]
    assert note.id == NOTE.id


def test_line_ends_count_as_one_character(tmp_path):
    (tmp_path / "1.txt").write_text("Seen\n*** ***")
    (note,) = philter.read(tmp_path, [Document("1", "Seen\r\nAnn Roe")])
    assert marks(note) == [("OTHER", "Ann"), ("OTHER", "Roe")]


def test_types_name_the_asterisks_that_they_touch():
    spans = philter.from_asterisks(NOTE.text, HIDDEN, [(20, 28, "DATE")])
    assert [span.label for span in spans] == ["OTHER", "OTHER", "DATE", "OTHER"]


def test_xml_as_philter_writes_it(tmp_path):
    start = NOTE.text.index("3/4")
    # not well-formed: Philter escapes nothing
    (tmp_path / "1.xml").write_text(
        '<?xml version="1.0" ?>\n<Philter>\n<TEXT><![CDATA[...]]></TEXT>\n<TAGS>\n'
        f'<DATE id="P0" start="{start}" end="{start + 8}" text="3/4/2019" TYPE="DATE" comment="" />\n'
        '<OTHER id="P1" start="5" end="10" text="**"Ann" TYPE="OTHER" comment="" />\n</TAGS>\n</Philter>\n'
    )
    (note,) = philter.read(tmp_path, [NOTE])
    assert marks(note) == [("OTHER", "**Ann"), ("DATE", "3/4/2019")]


def test_coordinates(tmp_path):
    phi = [{"start": 7, "stop": 14, "word": "Ann Roe", "phi_type": "Name", "filepath": ""}]
    (tmp_path / "coordinates.json").write_text(
        json.dumps({"./in/1.txt": {"text": "", "phi": phi, "non-phi": []}})
    )
    (note,) = philter.read(tmp_path / "coordinates.json", [NOTE])
    assert marks(note) == [("Name", "Ann Roe")]
    assert {"Name", "DATE", "OTHER"} <= set(SCHEMES["philter"].inward)


@pytest.mark.parametrize(
    ("name", "content", "reason"),
    [
        ("1.txt", "Seen ***", "has 8 characters, the note"),
        ("2.txt", HIDDEN, "has no note ward/1"),
        ("1.xml", '<X id="P0" start="7" end="700" text="Quillerby"/>', "does not fit note ward/1"),
    ],
)
def test_output_that_does_not_fit(tmp_path, name, content, reason):
    (tmp_path / name).write_text(content)
    with pytest.raises(DataError, match=reason) as raised:
        philter.read(tmp_path, [NOTE])
    assert "Quillerby" not in str(raised.value)


@pytest.mark.parametrize("content", ["[]", "{", '{"1.txt": {}}', '{"1.txt": {"phi": [{"start": 1}]}}'])
def test_coordinates_that_are_none(tmp_path, content):
    (tmp_path / "c.json").write_text(content)
    with pytest.raises(DataError, match="no coordinates as Philter writes them"):
        philter.read(tmp_path / "c.json", [NOTE])


def test_philter_lite_itself(monkeypatch):
    pytest.importorskip("philter_lite")
    nltk = pytest.importorskip("nltk")
    # its tagger's data are a download of their own; Philter keeps no proper nouns
    monkeypatch.setattr(
        nltk, "pos_tag", lambda words: [(w, "NNP" if w[:1].isupper() else "NN") for w in words]
    )
    text = "The patient was seen by Dr. Zbigniew Okonkwo on 03/04/2019, phone 617-555-0199."
    (note,) = philter.run([Document("1", text)])
    hidden = {found for _, found in marks(note)}
    assert any("Okonkwo" in found for found in hidden)
    assert ("DATE", "03/04/2019") in marks(note)
    assert "patient" not in hidden


def test_a_tagger_without_its_data_is_refused(monkeypatch):
    pytest.importorskip("philter_lite")

    def missing(words):
        raise LookupError

    monkeypatch.setattr("nltk.pos_tag", missing)
    with pytest.raises(UsageError, match="NLTK's tagger"):
        philter.check()
