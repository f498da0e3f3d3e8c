"""The shadow: one ASCII byte for each code point."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plainsight.text.shadow import Squeezed, shadow, squeeze


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


SHADOWS = st.binary(max_size=3000).map(lambda data: bytes(byte % 128 for byte in data))


@given(SHADOWS, st.data())
def test_every_stretch_leads_back_to_where_it_was(text: bytes, data: st.DataObject) -> None:
    squeezed = Squeezed(text)
    assert squeezed.form == bytes(byte for byte in text if chr(byte).isalnum()).lower() == squeeze(text)
    if squeezed.form:
        at = data.draw(st.integers(0, len(squeezed.form) - 1))
        length = data.draw(st.integers(1, len(squeezed.form) - at))
        start, end = squeezed.span(at, length)
        assert squeeze(text[start:end]) == squeezed.form[at : at + length]
        assert chr(text[start]).isalnum()
        assert chr(text[end - 1]).isalnum()


def test_the_way_back_crosses_blocks() -> None:
    text = b"-" * 700 + b"a" + b"." * 2000 + b"B" + b"1" * 600
    squeezed = Squeezed(text)
    assert squeezed.offset(0) == 700
    assert squeezed.offset(1) == 2701
    assert squeezed.span(0, 2) == (700, 2702)
    assert squeezed.offset(601) == len(text) - 1
