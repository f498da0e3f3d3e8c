"""Tokens: offsets that partition the text, and label edges that fall on token edges."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from plainsight.document import Document
from plainsight.formats.inline import parse
from plainsight.text.shadow import shadow
from plainsight.text.tokens import (
    _TOKEN,
    Offsets,
    _long_edges,
    scorer_tokens,
    token_edges,
    token_words,
    tokenize,
    treebank_tokens,
)

CORPUS = Path(__file__).parents[2] / "corpus"

any_text = st.text(st.characters(), max_size=200)
dense_text = st.text("abzABZ019 .,:'-_/\n\r\t éÉ½♀😀\u0301\ud800MRNQFI", max_size=80)


def cut(text: str, tokenizer: Callable[[str], Offsets] = tokenize) -> list[str]:
    return [text[start:end] for start, end in tokenizer(text)]


@pytest.mark.parametrize("tokenizer", [tokenize, treebank_tokens])
@given(text=any_text | dense_text)
def test_tokens_and_white_space_partition_the_text(tokenizer: Callable[[str], Offsets], text: str) -> None:
    last = 0
    for start, end in tokenizer(text):
        assert last <= start < end <= len(text)
        assert shadow(text[last:start]).strip() == b""
        assert not any(char.isspace() for char in text[start:end] if char not in "\x1c\x1d\x1e\x1f")
        last = end
    assert shadow(text[last:]).strip() == b""


words = st.text("aaBBMRNQFRIDOB", max_size=6) | st.sampled_from(
    ["QFRI", "KAYMRN:", "PATDOB: ", "McKay", "byFeng", "BELAAssociated", "20231019143312", "202310191431"]
)
signs = st.sampled_from(["", " ", ":", "-", "'", "\n", "7", "19", "."])
glued_text = st.lists(words | signs, min_size=1, max_size=40).map("".join)


@given(text=any_text | dense_text | glued_text)
def test_long_texts_are_split_like_short_ones(text: str) -> None:
    view = shadow(text) + b" " * 12
    assert np.transpose(_long_edges(view)).tolist() == [list(match.span()) for match in _TOKEN.finditer(view)]


@pytest.mark.parametrize("times", [0, 1, 200])
def test_edges_are_those_of_the_tokens(times: int) -> None:
    text = "DOB:09/30/11 Zoë\n" * times
    assert [*map(tuple, token_edges(text).tolist())] == tokenize(text)


@example(text="¸")  # white space in the shadow, and no token
@example(text="¸ a\x1cb \x1f ¨ \xa0Zoë–\x85x")
@example(text="¸ é ¨ \xa0Zoë–\x85x")
@given(text=any_text | dense_text | glued_text)
def test_words_are_what_is_written_at_the_edges(text: str) -> None:
    assert token_words(text, token_edges(text)) == cut(text)


def test_a_long_text_is_split_at_its_very_edges() -> None:
    tokens = cut("QFRI " + "x " * 300 + "KAYMRN:202310191431")
    assert tokens[:3] == ["Q", "FRI", "x"]
    assert tokens[-5:] == ["KAY", "MRN", ":", "20231019", "1431"]


@given(text=any_text)
def test_scorer_tokens_are_the_maximal_alphanumeric_runs(text: str) -> None:
    kept = "".join(char if char.isascii() and char.isalnum() else " " for char in text)
    assert cut(text, scorer_tokens) == kept.split()


@given(text=any_text | dense_text)
def test_a_letter_and_a_digit_never_share_a_token(text: str) -> None:
    for start, end in tokenize(text):
        view = shadow(text)[start:end]
        assert view.isalpha() or view.isdigit() or len(view) == 1


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("86F", "86 F"),
        ("71yoM", "71 yoM"),
        ("DOB:09/30/2011", "DOB : 09 / 30 / 2011"),
        ("08/14/97", "08 / 14 / 97"),
        ("SP_0471", "SP _ 0471"),
        ("byFeng", "by Feng"),
        ("Ioan Results04", "Ioan Results 04"),
        ("IoanResults", "Ioan Results"),
        ("BELAAssociated", "BELA Associated"),
        ("HANNIBALMRN:G33", "HANNIBAL MRN : G 33"),
        ("QFRI qMWF", "Q FRI q MWF"),
        ("McKay DeShawn", "McKay DeShawn"),
        ("McKayMRN", "McKay MRN"),
        ("PCPs MRI:", "PCPs MRI :"),
        ("20231019143312", "20231019 143312"),
        ("202310191431", "20231019 1431"),
        ("20231399143312 2023101914331", "20231399143312 2023101914331"),
        ("Zoë-Łuczak’s", "Zoë - Łuczak ’ s"),
        ("Müller-LüdenscheidtÄrztin", "Müller - Lüdenscheidt Ärztin"),
        ("方医生 x", "方医生 x"),
        ("a…--b", "a … - - b"),
        ("\u00a0x\u2028y", "x y"),
    ],
)
def test_splits_where_identifiers_end(text: str, tokens: str) -> None:
    assert cut(text) == tokens.split()


def test_long_runs_stay_linear() -> None:
    for text in ("A" * 10**6, "a" * 10**6 + "B", "A" * 10**6 + ":", "1" * 10**6, "MRN" * 10**5 + ":"):
        tokens = tokenize(text)
        assert tokens[0][0] == 0
        assert tokens[-1][1] == len(text)
        assert len(tokens) <= 3


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("He didn't.", "He did n't ."),
        ("the patient's 24-year-old", "the patient 's 24 - year-old"),
        ("Dr. O'Neil (J.R.) at 10:30, BP 120/80...", "Dr. O'Neil ( J.R. ) at 10:30 , BP 120/80 ..."),
        ("1,200 mg; stop--now", "1,200 mg ; stop -- now"),
    ],
)
def test_treebank_tokens(text: str, tokens: str) -> None:
    assert cut(text, treebank_tokens) == tokens.split()


def aligned_share(documents: list[Document], tokenizer: Callable[[str], Offsets]) -> float:
    """Return the share of span edges that are token edges."""
    aligned = total = 0
    for document in documents:
        tokens = tokenizer(document.text)
        starts, ends = {start for start, _ in tokens}, {end for _, end in tokens}
        aligned += sum((span.start in starts) + (span.end in ends) for span in document.spans)
        total += 2 * len(document.spans)
    assert total > 20_000
    return aligned / total


@pytest.mark.server  # 3,500 notes take their time
def test_gold_edges_of_the_corpus_fall_on_token_edges() -> None:
    files = sorted(CORPUS.rglob("*.txt"))
    documents = [Document(file.stem, *parse(file.read_bytes().decode())) for file in files]
    share = aligned_share(documents, tokenize)
    assert share >= 0.999
    assert aligned_share(documents, treebank_tokens) < share
