"""The restored case of text in capitals only or in small letters only."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plainsight.text.case import restore_case

WORDS = st.sampled_from(
    ["DR.", "OKAFOR", "seen", "by", "İNAN", "straße", "o'brien", "MD", "K4471829", "\n", "ﬁx"]
)


@given(
    st.text()
    | st.lists(WORDS, max_size=12).map(" ".join)
    | st.lists(WORDS).map(lambda w: " ".join(w).upper())
)
def test_every_character_stays_but_for_its_case(text):
    restored = restore_case(text)
    assert len(restored) == len(text)
    assert all(new in (old, old.upper(), old.lower()) for old, new in zip(text, restored, strict=True))


@pytest.mark.parametrize(
    ("text", "restored"),
    [
        (
            "PATIENT LIVES AT 12 ELM STREET, DULUTH, MN WITH HER HUSBAND.",
            "Patient lives at 12 elm street, Duluth, MN with her husband.",
        ),
        ("seen by dr. john q okafor in may, i agree", "Seen by Dr. John Q Okafor in may, I agree"),
        ("MRS O'BRIEN'S SON CALLED", "Mrs O'Brien's son called"),
        ("write to smith@example.org about mr smith", "Write to smith@example.org about Mr Smith"),
        ("given ABX 500MG AND K4471829 by nurse", "given ABX 500MG AND K4471829 by nurse"),
        ("VITAL SIGNS\nMr. Okafor is well.", "VITAL SIGNS\nMr. Okafor is well."),
        ("", ""),
    ],
)
def test_words_get_the_case_that_they_mostly_have(text, restored):
    assert restore_case(text) == restored


def test_lines_in_capitals_are_restored_in_a_note_of_ordinary_case():
    note = "Seen today by Dr. Okafor.\nWILL RETURN TO SEE JANE SMITH\nand then go home"
    assert restore_case(note) == "Seen today by Dr. Okafor.\nWill return to see Jane Smith\nand then go home"


@pytest.mark.parametrize("part", ["a@", "www.", "..1", "A ", "a1", "SMITH ", "smith."])
def test_long_lines_take_no_quadratic_time(part):
    text = part * (400_000 // len(part))  # hours if quadratic
    assert len(restore_case(text)) == len(text)
