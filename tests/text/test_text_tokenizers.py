"""Presets of tokens and sequences."""

from itertools import chain
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plainsight.document import Document, Span
from plainsight.errors import UsageError
from plainsight.formats.inline import parse
from plainsight.text.tokenizers import (
    SEQUENCES,
    TOKENIZERS,
    aligned_share,
    carafe_tokens,
    cut_sequences,
    tokenizer,
)

CORPUS = Path(__file__).parents[2] / "corpus"


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("MRN K4471829, dose 3.5mg", "MRN K4471829 , dose 3.5 mg"),
        ("x-ray: call 555-1234 or 617-555-0142.", "x-ray : call 555-1234 or 617-555-0142 ."),
        ("08/14/97 8-14-1997 1997-08-14", "08 / 14 / 97 8 - 14 - 1997 1997 - 08 - 14"),
        ("8/14, 14-Aug-97, 08.14.97, 3/2019", "8 / 14 , 14 - Aug - 97 , 08 . 14 . 97 , 3 / 2019"),
        ("Dr. O'Neil's 86F, a 24-year-old", "Dr. O'Neil 's 86 F , a 24 - year-old"),
        ("Smith-Jones x2209 S95-1234 12-34-56-7", "Smith-Jones x 2209 S95-1234 12-34-56-7"),
    ],
)
def test_carafe_keeps_codes_and_splits_dates(text: str, tokens: str) -> None:
    assert [text[start:end] for start, end in carafe_tokens(text)] == tokens.split()


@pytest.mark.parametrize("name", TOKENIZERS)
@given(text=st.text(alphabet=st.sampled_from("aZé 0189-/.,'x\n\t_x\x1c—"), max_size=40))
def test_tokens_cover_all_but_white_space_in_order(name: str, text: str) -> None:
    last = 0
    for start, end in tokenizer(name)(text):
        assert start < end
        assert not text[last:start].strip(" \n\t\x1c")
        last = end
    assert not text[last:].strip(" \n\t\x1c")


@pytest.mark.parametrize("name", SEQUENCES)
@given(text=st.text(alphabet=st.sampled_from("aZ. ?!\n"), max_size=40))
def test_sequences_partition_the_tokens(name: str, text: str) -> None:
    tokens = tokenizer("treebank")(text)
    cut = cut_sequences(text, tokens, name)
    assert list(chain.from_iterable(cut)) == tokens
    assert cut == [[]] or all(cut)


def test_sequences_end_at_stops() -> None:
    text = "Seen by Dr. Ng. Stable? Yes! Home"
    cut = cut_sequences(text, tokenizer("treebank")(text), "stop")
    assert [text[part[0][0] : part[-1][1]] for part in cut] == ["Seen by Dr. Ng.", "Stable?", "Yes!", "Home"]
    assert len(cut_sequences(text, tokenizer("treebank")(text), "record")) == 1


def test_unknown_presets_are_refused_with_the_nearest() -> None:
    with pytest.raises(UsageError, match="did you mean 'carafe'"):
        tokenizer("caraf")
    with pytest.raises(UsageError, match="did you mean 'sentence'"):
        cut_sequences("", [], "sentences")


def test_the_share_of_spans_on_token_edges() -> None:
    note = Document("1", "86F K4471829", (Span(0, 2, "AGE"), Span(5, 12, "MEDICALRECORD")))
    assert aligned_share([note], "carafe") == 0.5
    assert aligned_share([note], "plainsight") == 1.0
    assert aligned_share([Document("2", "")], "carafe") is None
    assert aligned_share([Document("3", "", ())], "carafe") is None


def test_nearly_all_gold_spans_of_the_corpus_are_on_token_edges() -> None:
    files = sorted((CORPUS / "letters").rglob("*.txt"))
    documents = [Document(file.stem, *parse(file.read_bytes().decode())) for file in files]
    ours, carafe, treebank = (aligned_share(documents, name) or 0.0 for name in TOKENIZERS)
    assert ours >= carafe >= 0.99
    assert carafe > treebank > 0.9
