"""Notes scanned together: what one says never reaches into the next, and each reads as it does alone."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from plainsight.detect.patterns import Patterns, rules
from plainsight.document import Document

RULES = rules("en_US")

CUT = [  # what would be an identifier, and where a note may end or begin
    "", "Her mother is 67", "mother,", " 67", "pager 1234.", "pager 1234", "seen in 98", "1234", "MRN",
    "MRN:", "Salem 97301.", "Salem, Oregon", "Oregon 97301", "signed by", " jkorhonen2", "born in", "1951",
    "x 4411", "diabetes since her twenties, worse", " at 41", "asthma", "zip",
    "97301", "\nMarch", " 3", "(503) 555",
    "-0142", "3/4", "/2019", "\x00", "\x1a\x1a\x1a", "-\x1a\x1a-1234", "X" * 60 + " ",
    "https://a.example", "jo@a.example", "45 yo", "123-45-", "6789",
]  # fmt: skip


def spans(*texts: str) -> list[list[tuple[int, int, str, float, str]]]:
    documents = [Document(str(number), text) for number, text in enumerate(texts)]
    found = Patterns().detect(documents)
    return [[(s.start, s.end, s.label, s.score, s.source) for s in note] for note in found]


@given(texts=st.lists(st.lists(st.sampled_from(CUT), max_size=3).map("".join), max_size=8))
def test_notes_together_read_as_alone(texts: list[str]) -> None:
    assert spans(*texts) == [spans(text)[0] for text in texts]


def test_no_scan_finds_nothing_at_all() -> None:
    assert all(rule.scanner.search(b"") is None and rule.candidates(b"\n \n") == [] for rule in RULES)
