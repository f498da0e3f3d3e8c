"""The command restore: with key and consent exactly the spans named go back, without either nothing."""

import json
from pathlib import Path

import pytest

from plainsight.document import Document
from plainsight.pipeline import Replaced
from plainsight.run.keys import VARIABLE, read_key
from plainsight.run.manifest import checksum
from plainsight.run.mapping import MappingFile

NOTES = [
    {"id": "1", "text": "Dr. Anna Whitcombe saw John Q. Smith on 03/04/2019.", "patient_id": "p"},
    {"id": "2", "text": "Mr. Smith, MRN 4471-882, came on 03/09/2019. 😀", "patient_id": "p"},
    {"id": "3", "text": "Nothing.", "patient_id": "q"},
]
ORIGINALS = ("Whitcombe", "Smith", "03/04/2019", "03/09/2019", "4471-882")


@pytest.fixture(autouse=True)
def no_key_around(monkeypatch):
    monkeypatch.delenv(VARIABLE, raising=False)


@pytest.fixture
def room(plainsight, stamp, jsonl, tmp_path, monkeypatch) -> Path:
    """A folder with notes, a key, another key, a release and its mapping."""
    monkeypatch.chdir(tmp_path)
    jsonl(tmp_path / "in.jsonl", *NOTES)
    for name in ("key", "other"):
        assert plainsight("key", "new", name).code == 0
    release(plainsight, stamp, "in.jsonl", "out.jsonl")
    return tmp_path


def release(plainsight, stamp: Path, source: str, output: str, *more: str) -> None:
    arguments = ["-p", stamp, "--key-file", "key", "--mapping", f"{output}.map", *more]
    result = plainsight("deidentify", source, "-o", output, *arguments)
    assert result.code == 0, result.err


def lines(path: str) -> list[dict]:
    return [json.loads(line) for line in Path(path).read_text(encoding="utf-8").splitlines()]


def consent(released: str, *spans: tuple[str, int, int], **changed: object) -> str:
    record = {
        "owner": "Ward 3",
        "date": "2026-11-15",
        "purpose": "over-redaction",
        "released_sha256": checksum(Path(released)),
        "spans": [{"id": note, "start": start, "end": end} for note, start, end in spans],
        **changed,
    }
    Path("consent.json").write_text(json.dumps(record))
    return "consent.json"


def date_in(text: str) -> tuple[int, int]:
    """Find the replacement of the date in note 1."""
    start = text.index("on ~") + 3
    return start, start + 7


WAYS = [["--mapping", "out.jsonl.map"], ["--originals", "in.jsonl", "--policy", "policy/stamp.toml"]]


@pytest.mark.parametrize("way", WAYS, ids=["mapping", "originals"])
def test_only_what_the_consent_names_goes_back(plainsight, room, way):
    before = lines("out.jsonl")
    assert not any(word in Path("out.jsonl").read_text() for word in ORIGINALS)
    yes = consent("out.jsonl", ("1", *date_in(before[0]["text"])))
    arguments = ["-o", "back.jsonl", "--consent", yes, "--key-file", "key", "--json"]
    result = plainsight("restore", "out.jsonl", *arguments, *way)
    assert result.code == 0, result.err
    assert (result.json["verb"], result.json["restored"]) == ("restore", 1)
    start, end = date_in(before[0]["text"])
    text = before[0]["text"]
    before[0]["text"] = text[:start] + "03/04/2019" + text[end:]
    assert lines("back.jsonl") == before
    rest = Path("out.jsonl").read_bytes().splitlines()[1:]
    assert Path("back.jsonl").read_bytes().splitlines()[1:] == rest
    for told in (result.out, result.err, Path("back.jsonl.manifest.json").read_text()):
        assert not any(word in told for word in ORIGINALS)


def test_surrogates_themselves_go_back(plainsight, room):
    arguments = ["--key-file", "key", "--with-spans"]
    assert plainsight("deidentify", "in.jsonl", "-o", "hidden.jsonl", *arguments).code == 0
    note = lines("hidden.jsonl")[0]
    (span,) = [span for span in note["spans"] if span["label"] == "DATE"]
    yes = consent("hidden.jsonl", ("1", span["start"], span["end"]))
    for key, code in (("other", 2), ("key", 0)):
        arguments = ["--consent", yes, "--originals", "in.jsonl", "--key-file", key]
        result = plainsight("restore", "hidden.jsonl", "-o", "back.jsonl", *arguments)
        assert result.code == code, result.err
    back = lines("back.jsonl")[0]["text"]
    assert back == note["text"][: span["start"]] + "03/04/2019" + note["text"][span["end"] :]


@pytest.mark.parametrize("way", WAYS, ids=["mapping", "originals"])
@pytest.mark.parametrize("key", [["--key-file", "other"], []], ids=["wrong", "none"])
def test_without_the_key_nothing_goes_back(plainsight, room, way, key):
    yes = consent("out.jsonl", ("1", *date_in(lines("out.jsonl")[0]["text"])))
    before = sorted(room.iterdir())
    result = plainsight("restore", "out.jsonl", "-o", "back.jsonl", "--consent", yes, *key, *way)
    assert result.code == 2
    assert "key" in result.err
    assert not any(word in result.err for word in ORIGINALS)
    assert sorted(room.iterdir()) == before


@pytest.mark.parametrize("way", WAYS, ids=["mapping", "originals"])
@pytest.mark.parametrize(
    ("spans", "changed", "message"),
    [
        ([("1", 0, 3)], {}, "is not the place of a replacement"),
        ([("9", 0, 3)], {}, "note '9'"),
        ([("1", 4, 11)], {"released_sha256": "0" * 64}, "the consent is for another release"),
        ([], {}, "spans is not a list, or is empty"),
    ],
)
def test_a_consent_that_does_not_fit_is_refused(plainsight, room, way, spans, changed, message):
    yes = consent("out.jsonl", *spans, **changed)
    before = sorted(room.iterdir())
    arguments = ["-o", "back.jsonl", "--consent", yes, "--key-file", "key"]
    result = plainsight("restore", "out.jsonl", *arguments, *way)
    assert result.code == 2
    assert message in result.err
    assert not any(word in result.err for word in ORIGINALS)
    assert sorted(room.iterdir()) == before


def test_originals_or_policy_that_are_not_the_releases_are_refused(plainsight, room, jsonl):
    jsonl(room / "changed.jsonl", {**NOTES[0], "text": NOTES[0]["text"] + " "}, *NOTES[1:])
    yes = consent("out.jsonl", ("1", *date_in(lines("out.jsonl")[0]["text"])))
    for way in (
        ["--originals", "changed.jsonl", *WAYS[1][2:]],
        ["--originals", "in.jsonl", "-p", "safe-harbor"],
    ):
        arguments = ["-o", "back.jsonl", "--consent", yes, "--key-file", "key"]
        result = plainsight("restore", "out.jsonl", *arguments, *way)
        assert result.code == 2
        assert not (room / "back.jsonl").exists()


def test_a_mapping_of_another_release_is_refused(plainsight, stamp, room, jsonl):
    jsonl(room / "more.jsonl", {**NOTES[0], "text": NOTES[0]["text"] + " "}, *NOTES[1:])
    release(plainsight, stamp, "more.jsonl", "more-out.jsonl")
    yes = consent("out.jsonl", ("1", *date_in(lines("out.jsonl")[0]["text"])))
    arguments = ["-o", "back.jsonl", "--consent", yes, "--key-file", "key", "--mapping", "more-out.jsonl.map"]
    result = plainsight("restore", "out.jsonl", *arguments)
    assert (result.code, "note '1'" in result.err) == (2, True)


@pytest.mark.parametrize("wanted", ["mapping", "originals"])
def test_tables_keep_their_columns_and_marks(plainsight, stamp, room, wanted):
    rows = [f'{note["id"]},{note["patient_id"]},ED,"{note["text"]}"\r\n' for note in NOTES]
    Path("in.csv").write_text("NUMBER,SUBJECT,note_type,BODY\r\n" + "".join(rows), newline="")
    columns = ["--text-column", "BODY", "--id-column", "NUMBER", "--patient-column", "SUBJECT"]
    release(plainsight, stamp, "in.csv", "out.csv", *columns, "--with-spans")
    before = Path("out.csv").read_bytes()
    text = before.decode().split("\r\n")[1]
    note = text[text.index('"') + 1 :]
    start, end = date_in(note)
    yes = consent("out.csv", ("1", start, end))
    way = {"mapping": ["--mapping", "out.csv.map"], "originals": ["--originals", "in.csv", "-p", stamp]}[
        wanted
    ]
    arguments = ["-o", "back.csv", "--consent", yes, "--key-file", "key", *columns, *way]
    result = plainsight("restore", "out.csv", *arguments)
    assert result.code == 0, result.err
    after = Path("back.csv").read_bytes()
    assert after.split(b"\r\n")[2:] == before.split(b"\r\n")[2:]
    changed = after.decode().split("\r\n")[1]
    assert "on 03/04/2019." in changed
    assert '""DATE""' in text
    assert '""DATE""' not in changed
    assert '""DOCTOR""' in changed


@pytest.mark.parametrize("wanted", ["mapping", "originals"])
def test_a_folder_with_numbered_notes(plainsight, stamp, room, wanted):
    (room / "in" / "p").mkdir(parents=True)
    for note in NOTES:
        (room / "in" / "p" / f"{note['id']}.txt").write_text(note["text"])
    reading = ["--patient-folders", "--ids", "numbered"]
    release(plainsight, stamp, "in", "out", *reading)
    before = {path.name: path.read_text() for path in (room / "out").iterdir()}
    start, end = date_in(before["note-0000001.txt"])
    yes = consent("out", ("note-0000001", start, end))
    way = {"mapping": ["--mapping", "out.map"], "originals": ["--originals", "in", "-p", stamp, *reading]}[
        wanted
    ]
    result = plainsight("restore", "out", "-o", "back", "--consent", yes, "--key-file", "key", *way)
    assert result.code == 0, result.err
    after = {path.name: path.read_text() for path in (room / "back").iterdir()}
    assert "on 03/04/2019." in after.pop("note-0000001.txt")
    before.pop("note-0000001.txt")
    assert after == before


def test_originals_in_another_format_than_the_release(plainsight, stamp, room):
    rows = [f'{note["id"]},{note["patient_id"]},"{note["text"]}"\n' for note in NOTES]
    Path("in.csv").write_bytes(("ID,SUBJECT,BODY\n" + "".join(rows[:1])).encode("utf-16"))
    columns = ["--text-column", "BODY", "--patient-column", "SUBJECT", "--encoding", "utf-16"]
    release(plainsight, stamp, "in.csv", "table.jsonl", *columns)
    yes = consent("table.jsonl", ("1", *date_in(lines("table.jsonl")[0]["text"])))
    way = ["--originals", "in.csv", "--originals-format", "csv", "-p", stamp, *columns]
    arguments = ["-o", "back.jsonl", "--consent", yes, "--key-file", "key"]
    result = plainsight("restore", "table.jsonl", *arguments, *way)
    assert result.code == 0, result.err
    assert "on 03/04/2019." in lines("back.jsonl")[0]["text"]


def test_an_original_that_the_format_cannot_hold_refuses_the_whole(plainsight, stamp, room):
    release(plainsight, stamp, "in.jsonl", "xml", "--output-format", "i2b2-2014")
    note = lines("out.jsonl")[0]
    start, end = date_in(note["text"])
    held = [Replaced(Document(n["id"], n["text"]), ()) for n in lines("out.jsonl")[1:]]
    odd = Replaced(Document("1", note["text"]), ((start, end, "3/4\x0b/2019"),))
    with MappingFile(Path("odd.map"), read_key(Path("key")).secret) as mapping:
        for item in (odd, *held):
            mapping.add(item)
    yes = consent("xml", ("1", start, end))
    arguments = ["-o", "back", "--consent", yes, "--key-file", "key", "--mapping", "odd.map"]
    result = plainsight("restore", "xml", *arguments)
    assert result.code == 2
    assert "note '1': the output format cannot hold it" in result.err
    assert not (room / "back").exists()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--key-file", "key"], "either --mapping or --originals"),
        (
            ["--key-file", "key", "--mapping", "out.jsonl.map", "--originals", "in.jsonl"],
            "either --mapping or",
        ),
        (["--key-file", "key", "--mapping", "none"], "no file at none"),
        (["--key-file", "key", "--mapping", "in.jsonl"], "not a mapping"),
    ],
)
def test_wrong_use_is_told(plainsight, room, arguments, message):
    yes = consent("out.jsonl", ("1", *date_in(lines("out.jsonl")[0]["text"])))
    result = plainsight("restore", "out.jsonl", "-o", "back.jsonl", "--consent", yes, *arguments)
    assert result.code == 2
    assert message in result.err
    assert not (room / "back.jsonl").exists()


def test_the_mapping_is_private_and_the_manifest_names_it(room):
    assert json.loads(Path("out.jsonl.manifest.json").read_text())["mapping"] == "out.jsonl.map"
    data = Path("out.jsonl.map").read_bytes()
    assert not any(word.encode() in data for word in ORIGINALS)
