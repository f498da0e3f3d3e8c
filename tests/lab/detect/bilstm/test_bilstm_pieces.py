from hypothesis import given
from hypothesis import strategies as st

from plainsight.lab.detect.bilstm.inputs import Piece, pieces, windows
from plainsight.text.tokens import tokenize


def labelled(cut):
    return [place for piece in cut for place in range(piece.keep, piece.until)]


@given(st.integers(0, 300), st.integers(3, 40), st.integers(0, 10))
def test_windows_label_each_token_once_and_see_what_is_around(count, size, margin):
    margin = min(margin, (size - 1) // 2)
    cut = windows(count, size=size, margin=margin)
    assert labelled(cut) == list(range(count))
    for start, stop, keep, until in cut:
        assert 0 <= start <= keep < until <= stop <= count
        assert stop - start <= size
        assert start == 0 or keep - start >= margin
        assert stop == count or stop - until >= margin


@given(st.text(alphabet="ab .\nA1", max_size=200))
def test_sentences_label_each_token_once(text):
    tokens = tokenize(text)
    assert labelled(pieces(text, tokens, {"by": "sentence"})) == list(range(len(tokens)))


def test_sentences_are_read_one_by_one():
    text = "Seen by Dr. Ito. Stable.\n\nPlan: home"
    cut = pieces(text, tokenize(text), {"by": "sentence"})
    assert cut == [Piece(0, 6, 0, 6), Piece(6, 8, 6, 8), Piece(8, 11, 8, 11)]


def test_an_endless_sentence_is_read_in_windows():
    text = "word " * 1000
    cut = pieces(text, tokenize(text), {"by": "sentence"})
    assert labelled(cut) == list(range(1000))
    assert max(piece.stop - piece.start for piece in cut) == 400
