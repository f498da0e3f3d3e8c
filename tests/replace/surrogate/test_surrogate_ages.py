from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plainsight import hipaa
from plainsight.replace.mask import AgeStyle
from plainsight.replace.surrogate.ages import Ages
from plainsight.replace.surrogate.scope import Mention


def age(text: str, style: AgeStyle = "keep") -> str:
    mention = Mention(0, 0, len(text), "AGE", text)
    return Ages(style).surrogates([mention])[0]


@pytest.mark.parametrize(
    ("text", "kept", "decade"),
    [
        ("67", "67", "60s"),
        ("sixty-seven", "sixty-seven", "60s"),
        ("50s", "50s", "50s"),
        ("7", "7", "under 10"),
        ("14-month", "14-month", "14-month"),
        ("3 week", "3 week", "3 week"),
        ("4y 2m", "4y 2m", "4y 2m"),
        ("89", "89", "80s"),
        ("90", "90+", "90+"),
        ("92-year-old", "90+-year-old", "90+-year-old"),
        ("92 y.o.", "90+ y.o.", "90+ y.o."),
        ("92F", "90+F", "90+F"),
        ("ninety-two", "90+", "90+"),
        ("88-92", "90+", "90+"),
        ("90s", "90+", "90+"),
        ("9l", "90+", "90+"),
        ("58-63", "58-63", "[AGE]"),
        ("8l", "[AGE]", "[AGE]"),
        ("65+", "[AGE]", "[AGE]"),
        ("elderly", "[AGE]", "[AGE]"),
        ("", "[AGE]", "[AGE]"),
    ],
)
def test_ages(text: str, kept: str, decade: str) -> None:
    assert (age(text), age(text, "decade")) == (kept, decade)


@given(st.text(max_size=40) | st.from_regex(r"\d{1,3}[ -]?(?:year-old|y/o|M|F|mo)?", fullmatch=True))
def test_nothing_over_89_is_left(text: str) -> None:
    for style in ("keep", "decade"):
        made = age(text, style)  # type: ignore[arg-type]
        assert made == "[AGE]" or made.startswith("90+") or hipaa.over_89(made) is False or made == "under 10"
