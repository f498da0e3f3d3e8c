"""Text without punctuation, and the way back."""

from hypothesis import given
from hypothesis import strategies as st

from plainsight.text.squeezed import Squeezed, squeeze

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
    assert squeezed.place(0) == 700
    assert squeezed.place(1) == 2701
    assert squeezed.span(0, 2) == (700, 2702)
    assert squeezed.place(601) == len(text) - 1
