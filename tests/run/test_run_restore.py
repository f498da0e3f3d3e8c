"""Restore: exactly what the consent names goes back, or nothing."""

import json
import subprocess

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plainsight.document import Document, SetAside, Span
from plainsight.errors import DataError, FormatError
from plainsight.run.manifest import checksum
from plainsight.run.mapping import Entry, digest
from plainsight.run.restore import Consent, read_consent, restore

RELEASED = Document("1", "Dr. Quill gave Lasix on May 3.", (Span(4, 9, "DOCTOR"), Span(24, 29, "DATE")))
ENTRY = Entry(
    "1", digest(RELEASED.text), ((4, 9, "Zq"), (24, 29, "June 14"), (30, 30, " Bye"), (30, 30, "!"))
)
GOOD = {
    "owner": "Ward 3",
    "date": "2026-11-15",
    "purpose": "over-redaction",
    "released_sha256": "0" * 64,
    "spans": [{"id": "1", "start": 4, "end": 9}],
}


def allowed(*places: tuple[int, int], note: str = "1") -> Consent:
    return Consent("", {note: frozenset(places)})


def test_only_the_places_named_change():
    other = Document("2", "Nothing.")
    entries = [ENTRY, Entry("2", digest("Nothing."), ())]
    first, second = restore([RELEASED, other], entries, allowed((4, 9)))
    assert second is other
    assert first.text == "Dr. Zq gave Lasix on May 3."
    assert [(first.text[s.start : s.end], s.label) for s in first.spans] == [("May 3", "DATE")]
    (both,) = restore([RELEASED], [ENTRY], allowed((4, 9), (24, 29), (30, 30)))
    assert both.text == "Dr. Zq gave Lasix on June 14. Bye!"
    assert both.spans == ()


@pytest.mark.parametrize(
    ("items", "entries", "consent", "message"),
    [
        ([RELEASED], [ENTRY], allowed((4, 8)), "4 to 8 is not the place"),
        ([RELEASED], [ENTRY], allowed((15, 20)), "15 to 20 is not the place"),
        ([RELEASED], [ENTRY], allowed((4, 9), note="7"), "note '7', of which nothing is known"),
        ([], [ENTRY], allowed((4, 9)), "note '1', which the release does not have"),
        ([RELEASED, Document("2", "x")], [ENTRY], allowed((4, 9)), "note '2' does not come from"),
        ([Document("1", RELEASED.text + " ")], [ENTRY], allowed((4, 9)), "note '1' does not come from"),
        ([SetAside("x", "not JSON", "f:3")], [ENTRY], allowed((4, 9)), "f:3: not JSON"),
    ],
)
def test_any_doubt_refuses_the_whole(items, entries, consent, message):
    with pytest.raises(DataError) as caught:
        list(restore(items, entries, consent))
    assert message in str(caught.value)
    assert not any(word in str(caught.value) for word in ("Quill", "Zq", "June", "Lasix"))


pieces = st.lists(
    st.tuples(st.text(max_size=5), st.text(max_size=5), st.text(max_size=5), st.booleans()), max_size=6
)


@settings(max_examples=200, deadline=None)
@given(pieces)
def test_restoring_all_gives_the_original_and_some_gives_just_those(parts):
    """Each part is text that stays, a replacement, its original, and whether it goes back."""
    released, wanted, originals, places = "", "", [], set()
    for stays, replacement, original, back in parts:
        start = len(released + stays)
        released += stays + replacement
        place = (start, start + len(replacement))
        # replacements by nothing at one place go back together
        back = back or place in places
        if any((s, e) == place for s, e, _ in originals) and place not in places:
            back = False
        originals.append((*place, original))
        if back:
            places.add(place)
        wanted += stays + (original if back else replacement)
    if not places:
        return
    note = Document("1", released)
    (made,) = restore([note], [Entry("1", digest(released), tuple(originals))], allowed(*places))
    assert made.text == wanted


def write(folder, **changed):
    record = {key: value for key, value in {**GOOD, **changed}.items() if value is not None}
    (folder / "consent.json").write_text(json.dumps(record))
    return folder / "consent.json"


def test_a_consent_is_read(tmp_path):
    spans = [
        {"id": 1, "start": 4, "end": 9},
        {"id": "1", "start": 0, "end": 2},
        {"id": "b", "start": 1, "end": 2},
    ]
    consent = read_consent(write(tmp_path, spans=spans, released_sha256="A" * 64))
    assert consent == Consent("a" * 64, {"1": {(4, 9), (0, 2)}, "b": {(1, 2)}})
    assert len(consent) == 3


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"owner": None}, "owner missing"),
        ({"owner": " "}, "owner is empty"),
        ({"purpose": 3}, "purpose is empty or not a string"),
        ({"date": "yesterday"}, "not a date"),
        ({"released_sha256": "abc"}, "64 hexadecimal digits"),
        ({"spans": []}, "spans is not a list, or is empty"),
        ({"spans": [3]}, "span 1: not a JSON object"),
        ({"spans": [{"id": "1", "start": 4}]}, "end missing"),
        ({"spans": [{"id": "1", "start": 4, "end": "9"}]}, "whole numbers"),
        ({"spans": [{"id": "1", "start": True, "end": 9}]}, "whole numbers"),
        ({"spans": [{"id": "1", "start": 4, "end": 9, "txt": ""}]}, "unknown key 'txt'"),
        ({"ownr": "x"}, "did you mean 'owner'"),
    ],
)
def test_a_wrong_consent_is_refused(tmp_path, changed, message):
    with pytest.raises(FormatError) as caught:
        read_consent(write(tmp_path, **changed))
    assert message in str(caught.value)


@pytest.mark.parametrize("content", [b"{", b"[]", b"\xff", b"[" * 100_000])
def test_a_consent_that_is_no_object_is_refused(tmp_path, content):
    (tmp_path / "consent.json").write_bytes(content)
    with pytest.raises(FormatError, match=r"consent\.json: not"):
        read_consent(tmp_path / "consent.json")


def test_checksums_are_those_of_sha256sum(tmp_path):
    folder = tmp_path / "out"
    (folder / "a").mkdir(parents=True)
    for name in ("b.txt", "a/1.txt", "a-1.txt"):
        (folder / name).write_text(name)
    command = "find * -type f | LC_ALL=C sort | xargs sha256sum | sha256sum"
    told = subprocess.run(["sh", "-c", command], cwd=folder, capture_output=True, text=True, check=True)
    assert checksum(folder) == told.stdout.split()[0]
    told = subprocess.run(["sha256sum", str(folder / "b.txt")], capture_output=True, text=True, check=True)
    assert checksum(folder / "b.txt") == told.stdout.split()[0]


def test_a_consent_is_for_one_release(tmp_path):
    (tmp_path / "clean.txt").write_text("x")
    Consent(checksum(tmp_path / "clean.txt"), {}).check(tmp_path / "clean.txt")
    with pytest.raises(DataError, match=checksum(tmp_path / "clean.txt")):
        Consent("0" * 64, {}).check(tmp_path / "clean.txt")
