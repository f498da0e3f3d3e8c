"""Edges of people's names that the case files do not show."""

from __future__ import annotations

import pytest
from test_lexicon_cases import claimed

from plainsight.detect.lexicon import Lexicon
from plainsight.document import Document


def people(text: str) -> list[str]:
    """Return the people claimed in a text, providers or not."""
    [spans] = Lexicon().detect([Document(id="note", text=text)])
    return [text[span.start : span.end] for span in spans if span.label in ("PATIENT", "DOCTOR")]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("reviewed with Margit A. Solberg today", ["Margit A. Solberg"]),
        ("seen by J.R. Solberg and left", ["J.R. Solberg"]),
        ("plan per Solberg, who agrees", ["Solberg"]),
        ("SOLBERG, MARGIT A   44", ["SOLBERG, MARGIT A"]),
        ("call to SOLBERG, MARGIT about it", ["SOLBERG, MARGIT"]),
        ("Smith, Mary Ann  MRN 44", ["Smith, Mary Ann"]),
        ("told Margit O'Brien-Hale twice", ["Margit O'Brien-Hale"]),
        ("Margit Solberg M.D.", ["Margit Solberg"]),
        ("Ms. X. Y. Solberg", ["X. Y. Solberg"]),
        ("Mr. K. came", []),
        ("by A Weck-Cel sponge", []),
        ("Density B. Montgomery tubercles", []),
        ("Child-Pugh B8 and Weber B", []),
        ("asked Solberg about it", ["Solberg"]),
        ("the Solberg retractor", []),
        ("no Solberg sign", []),
        ("Solberg 3 of 4", []),
        ("Rosalind arrived late", ["Rosalind"]),
        ("Rosalind's ride came", ["Rosalind"]),
        ("Solberg noted it", []),
        ("VATS by EORTC rules", []),
        ("WIFE MARGIT AT BEDSIDE", ["MARGIT"]),
        ("UNCLE XYLANDER AT BEDSIDE", ["XYLANDER"]),
        ("PT ANXIOUS, MOTHER NEAR", []),
        ("28 Fr Catheter", []),
        ("Attending: MARGIT SOLBERG MD", ["MARGIT SOLBERG"]),
        ("CC: WORST HEADACHE", []),
        ("seen by Quillerby, NP", ["Quillerby"]),
        ("Zxqrt Vbnmk came", []),
        ("we met Xylander Quillerby there", ["Xylander Quillerby"]),
        ("Margit B, here", ["Margit B"]),
        ("Grace period over; Hope so", []),
        ("daughter, Grace, agrees", ["Grace"]),
        ("Wife (Hope) agrees", ["Hope"]),
        ("nurse/tech Margit", ["Margit"]),
        ("Name.....SOLBERG, MARGIT", ["SOLBERG, MARGIT"]),
    ],
)
def test_names_by_what_stands_around_them(text: str, names: list[str]) -> None:
    assert people(text) == names


def test_a_name_said_with_a_title_once_is_a_provider_everywhere() -> None:
    text = "Dr. Quillerby agrees. I told Margit Quillerby again. Later Quillerby came."
    assert claimed(text, "DOCTOR") == ["Quillerby", "Margit Quillerby", "Quillerby"]


def test_a_repeated_eponym_is_not_a_repeated_name() -> None:
    text = "Dr. Hoffman saw him. Hoffman sign absent. Hoffman's reflex down. The Hoffman is negative."
    assert claimed(text) == ["Hoffman"]


def test_a_repeated_ordinary_word_at_a_sentence_start_is_no_name() -> None:
    assert claimed("Ms. Long came. Long talk. Mr. Stone too. Stone passed.", "PATIENT")[:2] == [
        "Long",
        "Stone",
    ]
