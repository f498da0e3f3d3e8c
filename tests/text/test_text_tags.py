"""Tags: spans to BIO, BIOES and IO and back."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plainsight.document import Span
from plainsight.errors import DataError
from plainsight.text.tags import Scheme, decode, encode
from plainsight.text.tokens import tokenize

LABELS = ["DATE", "CITY", "LOCATION-OTHER", "E", "O"]
text = st.text("ab1 .\n", min_size=1, max_size=40)


@st.composite
def spans_of(draw: st.DrawFn, edges: list[int]) -> list[Span]:
    """Draw ordered spans without overlap whose edges are among these offsets."""
    count = draw(st.integers(0, len(edges) // 2))
    picked = sorted(draw(st.permutations(edges))[: 2 * count])
    pairs = zip(picked[::2], picked[1::2], strict=True)
    return [Span(a, b, draw(st.sampled_from(LABELS))) for a, b in pairs if a < b]


@st.composite
def on_token_edges(draw: st.DrawFn) -> tuple[list[Span], list[tuple[int, int]]]:
    tokens = tokenize(draw(text))
    # runs of tokens, possibly neighbours
    spans: list[Span] = []
    index = 0
    while index < len(tokens):
        last = index + draw(st.integers(0, 3))
        if draw(st.booleans()) and last < len(tokens):
            spans.append(Span(tokens[index][0], tokens[last][1], draw(st.sampled_from(LABELS))))
        index = last + 1
    return spans, tokens


@pytest.mark.parametrize("scheme", ["BIO", "BIOES"])
@given(case=on_token_edges())
def test_exact_on_token_edges(scheme: Scheme, case: tuple[list[Span], list[tuple[int, int]]]) -> None:
    spans, tokens = case
    assert decode(encode(spans, tokens, scheme=scheme), tokens) == spans


@given(case=on_token_edges())
def test_io_keeps_every_token_and_its_label(case: tuple[list[Span], list[tuple[int, int]]]) -> None:
    spans, tokens = case
    tags = encode(spans, tokens, scheme="IO")
    assert encode(decode(tags, tokens), tokens, scheme="IO") == tags


@pytest.mark.parametrize("scheme", ["BIO", "BIOES", "IO"])
@given(data=st.data(), words=text)
def test_expands_and_never_shrinks(scheme: Scheme, data: st.DataObject, words: str) -> None:
    tokens = tokenize(words)
    spans = data.draw(spans_of(list(range(len(words) + 1))))
    found = decode(encode(spans, tokens, scheme=scheme), tokens)
    covered = {offset for span in found for offset in range(span.start, span.end)}
    touched = {
        offset
        for start, end in tokens
        for offset in range(start, end)
        if any(span.start < end and start < span.end for span in spans)
    }
    assert touched <= covered
    edges = {start for start, _ in tokens} | {end for _, end in tokens}
    assert {span.start for span in found} | {span.end for span in found} <= edges


@given(tags=st.lists(st.sampled_from(["O", "", "CITY", *(f"{p}-{x}" for p in "BIESLU" for x in LABELS)])))
def test_any_sequence_decodes_without_losing_a_token(tags: list[str]) -> None:
    tokens = [(2 * index, 2 * index + 1) for index in range(len(tags))]
    spans = decode(tags, tokens, source="crf")
    assert all(before.end <= after.start for before, after in pairwise(spans))
    covered = {offset for span in spans for offset in range(span.start, span.end)}
    for tag, (start, _) in zip(tags, tokens, strict=True):
        assert (start in covered) == (tag not in ("O", ""))
    assert all(span.source == "crf" for span in spans)


@pytest.mark.parametrize(
    ("tags", "spans"),
    [
        ("O I-A I-A O", [(1, 3, "A")]),
        ("B-A I-B O O", [(0, 1, "A"), (1, 2, "B")]),
        ("B-A B-A I-A E-A", [(0, 1, "A"), (1, 4, "A")]),
        ("S-A I-A E-A I-A", [(0, 1, "A"), (1, 3, "A"), (3, 4, "A")]),
        ("B-A L-A U-A O", [(0, 2, "A"), (2, 3, "A")]),
        ("A A O E-MAIL", [(0, 2, "A"), (3, 4, "MAIL")]),
        ("I-O X-Y B- O", [(0, 1, "O"), (1, 2, "X-Y"), (2, 3, "B-")]),
    ],
)
def test_illegal_and_foreign_sequences(tags: str, spans: list[tuple[int, int, str]]) -> None:
    tokens = [(0, 1), (1, 2), (2, 3), (3, 4)]
    assert decode(tags.split(), tokens) == [Span(*span) for span in spans]


def test_two_spans_in_one_token_share_it() -> None:
    tokens = [(0, 4), (5, 6)]
    assert encode([Span(0, 1, "A"), Span(2, 3, "B")], tokens) == ["B-A", "O"]
    assert encode([Span(0, 1, "A"), Span(2, 6, "B")], tokens) == ["B-A", "B-B"]


def test_a_span_without_tokens_leaves_no_tag() -> None:
    assert encode([Span(1, 2, "A")], [(0, 1), (2, 3)]) == ["O", "O"]


def test_lengths_must_agree() -> None:
    with pytest.raises(DataError, match="2 tags for 1 tokens"):
        decode(["O", "O"], [(0, 1)])
