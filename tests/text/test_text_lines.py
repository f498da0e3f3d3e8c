"""Lines and sentences: offsets that partition the text."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plainsight.formats.inline import parse
from plainsight.text.lines import lines, sentences

CORPUS = Path(__file__).parents[2] / "corpus"

any_text = st.text(st.characters(), max_size=100) | st.text("aB. ?:\n\r\f\v\x85\u2028\x1c-1", max_size=80)


@given(text=any_text)
def test_lines_lose_nothing(text: str) -> None:
    found = lines(text)
    assert [text[line.start : line.end] for line in found] == text.splitlines(keepends=True)
    assert [text[line.start : line.stop] for line in found] == text.splitlines()
    assert "".join(text[start:end] for start, _, end in found) == text


def test_every_kind_of_line_ending() -> None:
    text = "a\nb\r\nc\rd\fe\vf\x85g\u2028\n\r\n"
    assert [text[line.start : line.stop] for line in lines(text)] == [
        "a",
        "b",
        "c",
        "d",
        "e",
        "f",
        "g",
        "",
        "",
    ]
    assert [line.end - line.stop for line in lines(text)] == [1, 2, 1, 1, 1, 1, 1, 1, 2]
    assert lines("") == []


@given(text=any_text)
def test_sentences_partition_the_text(text: str) -> None:
    found = sentences(text)
    assert "".join(text[start:end] for start, end in found) == text
    assert all(start < end for start, end in found)


@pytest.mark.parametrize(
    "pieces",
    [
        [],
        ["\n \n", "Plan: home.\n\n\n", "Next\n"],
        ["Seen by Dr. J. Ng on Feb. 9 at St. Mary. ", "Stable!) ", "Home. "],
        ["Allergies: none\n", "meds: aspirin\n", "1. rest\n", "2. fluids"],
        ["He was seen in the clinic this morning and was\nfeeling well.\n", "follow up in May.\n"],
        [
            "A line that a typist has wrapped because it was longer than the page of\nMemorial allows.\n",
            "End\n",
        ],
        ["A line that a typist has wrapped because it was longer than the page\n", "Plan: nothing\n"],
        ["A line that a typist has wrapped because it was longer than the page\n", "- bullet\n"],
        ["Is it? ", "No. 5 is not."],
        ["P.O. Box 5 e.g. Rome. ", "“Yes.” ", "It ended. ", "Écoute. "],
    ],
)
def test_sentence_ends(pieces: list[str]) -> None:
    text = "".join(pieces)
    assert [text[start:end] for start, end in sentences(text)] == pieces


def test_sentences_cut_hardly_any_identifier() -> None:
    cut = total = 0
    for file in CORPUS.rglob("*.txt"):
        text, spans = parse(file.read_bytes().decode())
        starts = {start for start, _ in sentences(text)}
        total += len(spans)
        cut += sum(not starts.isdisjoint(range(span.start + 1, span.end)) for span in spans)
    assert cut / total < 0.0015
