"""Notes scanned together: what one says never reaches into the next, and each reads as it does alone."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plainsight.detect.patterns import Patterns, rules
from plainsight.detect.patterns.rule import Rule
from plainsight.document import Document
from plainsight.formats.inline import parse
from plainsight.text.shadow import shadow

RULES = rules("en_US")

CORPUS = Path(__file__).parents[2] / "corpus"

CUT = [  # what would be an identifier, and where a note may end or begin
    "", "Her mother is 67", "mother,", " 67", "pager 1234.", "pager 1234", "seen in 98", "1234", "MRN",
    "MRN:", "Salem 97301.", "Salem, Oregon", "Oregon 97301", "signed by", " jkorhonen2", "born in", "1951",
    "x 4411", "diabetes since her twenties, worse", " at 41", "asthma", "zip",
    "97301", "\nMarch", " 3", "(503) 555",
    "-0142", "3/4", "/2019", "\x00", "\x1a\x1a\x1a", "-\x1a\x1a-1234", "X" * 60 + " ", "123-45-", "6789",
]  # fmt: skip


def spans(*texts: str) -> list[list[tuple[int, int, str, float, str]]]:
    documents = [Document(str(number), text) for number, text in enumerate(texts)]
    found = Patterns().detect(documents)
    return [[(s.start, s.end, s.label, s.score, s.source) for s in note] for note in found]


@given(texts=st.lists(st.lists(st.sampled_from(CUT), max_size=3).map("".join), max_size=8))
def test_notes_together_read_as_alone(texts: list[str]) -> None:
    assert spans(*texts) == [spans(text)[0] for text in texts]


@given(text=st.lists(st.sampled_from(CUT), max_size=12).map(" ".join))
def test_a_scan_finds_what_finditer_finds(text: str) -> None:
    view = shadow(text)
    for rule in RULES:
        assert rule.candidates(view) == [match.span() for match in rule.scanner.finditer(view)]


@pytest.mark.parametrize("rule", [rule for rule in RULES if rule.heads or rule.parts], ids=lambda r: r.name)
def test_looking_for_heads_first_or_in_parts_misses_nothing(rule: Rule) -> None:
    notes = sorted(CORPUS.rglob("*.txt"))[::20]
    view = shadow("\n".join(parse(note.read_text(encoding="utf-8"))[0] for note in notes))
    found = rule.candidates(view)
    assert len(found) > 20
    assert found == [match.span() for match in rule.scanner.finditer(view)]


def test_no_scan_finds_nothing_at_all() -> None:
    assert all(rule.scanner.search(b"") is None and rule.candidates(b"\n \n") == [] for rule in RULES)
