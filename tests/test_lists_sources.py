"""The hand-written sources and the script that builds the lists: what ships is what they say."""

from __future__ import annotations

import io
import sys
from pathlib import Path

import pytest

from plainsight.lists import load

SCRIPTS = Path(__file__).parent.parent.parent / "scripts"
sys.path.insert(0, str(SCRIPTS))
build = pytest.importorskip("build_lexicons")
archives = pytest.importorskip("lexicon_archives")

WRITTEN = [
    "states",
    "places_extra",
    "hospitals",
    "organizations",
    "facility_words",
    "excluded_phrases",
    "eponyms",
    "brands",
    "clinical",
    "languages",
]


@pytest.mark.parametrize("name", WRITTEN)
def test_a_hand_written_list_ships_as_its_source_stands(name: str) -> None:
    builder = build.LISTS[name][0]
    rows = [tuple(map(str, row)) for row in builder(None)]
    assert rows == list(zip(*load(name).values(), strict=True))


def test_every_list_is_built_by_the_script() -> None:
    from plainsight.lists import names

    assert sorted(build.LISTS) == names()


def test_hundreds_of_eponyms_are_known() -> None:
    assert len(load("eponyms")["word"]) > 1500


def test_no_entry_is_broken_by_a_line_end() -> None:
    heads = load("facility_words")
    assert {"medical center", "health centre", "nursing home"} <= set(heads["word"])
    assert "" not in heads["word"]


@pytest.mark.parametrize(
    ("text", "folded"),
    [("Düsseldorf", "Dusseldorf"), ("Łódź", "Lodz"), ("Kahoʻolawe", "Kaho'olawe"), ("Æbelø", "Abelo")],
)
def test_folding_matches_the_shadow_of_a_note(text: str, folded: str) -> None:
    assert build.ascii_fold(text) == folded


@pytest.mark.parametrize(
    ("word", "base"),
    [("babies", "baby"), ("walked", "walk"), ("running", "run"), ("bakes", "bake"), ("larger", "large")],
)
def test_inflections_lead_to_their_base(word: str, base: str) -> None:
    assert base in build._bases(word)


def test_messagepack_lists_are_read() -> None:
    packed = b"\x93\x81\xa1a\x01\x91\xa3the\xdc\x00\x02\xa1x\xd9\x01y"
    assert archives._msgpack(io.BytesIO(packed)) == [{"a": 1}, ["the"], ["x", "y"]]


def test_a_pickle_that_imports_is_refused() -> None:
    with pytest.raises(SystemExit, match=r"imports os\.system"):
        archives._PlainUnpickler(io.BytesIO(b"cos\nsystem\n(S'true'\ntR.")).load()


def test_a_missing_archive_is_named(tmp_path: Path) -> None:
    with pytest.raises(SystemExit, match="wordfreq"):
        archives.Archives(tmp_path).read("wordfreq", "x")
