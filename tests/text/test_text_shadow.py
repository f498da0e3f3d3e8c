"""The shadow: one ASCII byte for each code point."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plainsight.text.shadow import shadow


@given(text=st.text(st.characters(), max_size=200))
def test_one_ascii_byte_for_each_code_point(text: str) -> None:
    view = shadow(text)
    assert len(view) == len(text)
    assert view.isascii()


@given(text=st.text(st.characters(max_codepoint=127)))
def test_ascii_is_its_own_shadow(text: str) -> None:
    assert shadow(text) == text.encode()


@given(text=st.text(st.characters(), max_size=50), more=st.text(st.characters(), max_size=50))
def test_offsets_do_not_depend_on_context(text: str, more: str) -> None:
    assert shadow(text + more) == shadow(text) + shadow(more)


@pytest.mark.parametrize(
    ("text", "view"),
    [
        ("Zoë Müller-Łoś", b"Zoe Muller-Los"),
        ("Ørsted Straße Đà œuvre Æ ı İ", b"Orsted Strase Da ouvre A i I"),
        ("O’Neil ‘x’ “y” z´", b"O'Neil 'x' \"y\" z'"),
        ("3–4—5‑6−7", b"3-4-5-6-7"),
        ("方医生 Привет", b"xxx Xxxxxx"),
        ("٣٤ ²½", b"34 21"),
        ("a\u00a0b\u2003c\u2028d", b"a b c d"),
        ("86♀ 71♂", b"86F 71M"),
        ("😀\ud800\u200b", b"\x1a\x1a\x1a"),
    ],
)
def test_folds_to_what_patterns_can_match(text: str, view: bytes) -> None:
    assert shadow(text) == view
