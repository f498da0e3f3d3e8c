"""The lexicon detector as a whole: its contract, batches, long and strange notes, what it costs to import."""

from __future__ import annotations

import subprocess
import sys
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plainsight.detect.lexicon import Lexicon
from plainsight.document import Document, Span
from plainsight.testing import check_detector

LEXICON = Lexicon()
NOTE = "Dr. Ostrander saw Mrs. Quillerby at Tolbury General Hospital in Chattanooga, Tennessee.\n"


def spans_of(text: str) -> list[Span]:
    [spans] = LEXICON.detect([Document(id="note", text=text)])
    return spans


def test_contract() -> None:
    check_detector(LEXICON)


def test_every_span_says_its_rule_and_how_sure() -> None:
    spans = spans_of(NOTE)
    assert [NOTE[span.start : span.end] for span in spans] == [
        "Ostrander",
        "Quillerby",
        "Tolbury General Hospital",
        "Chattanooga",
        "Tennessee",
    ]
    assert all(span.source.startswith("lexicon.") and 0.5 <= span.score <= 1.0 for span in spans)


def test_documents_together_give_what_each_gives_alone() -> None:
    notes = [
        NOTE,
        "",
        "Attending:",
        "Quillerby was here",
        "PCP:\n",
        NOTE * 3,
        "seen by dr ostrander at noon today",
    ]
    documents = [Document(id=str(number), text=text) for number, text in enumerate(notes)]
    assert LEXICON.detect(documents) == [LEXICON.detect([document])[0] for document in documents]


def test_a_name_of_one_note_says_nothing_of_the_next() -> None:
    documents = [Document(id="a", text="Dr. Xylander agrees."), Document(id="b", text="Xylander was added.")]
    first, second = LEXICON.detect(documents)
    assert first
    assert not second


def test_a_long_note_is_found_in_to_its_end() -> None:
    text = NOTE * 2000
    spans = spans_of(text)
    assert len(spans) == 5 * 2000
    assert spans[-1].end == len(text) - 2


@pytest.mark.parametrize(
    "line",
    [
        "word " * 10_000,
        "WORD " * 10_000,
        "Smith " * 10_000,
        "A-" * 30_000,
        "x" * 60_000,
        "Dr. " * 10_000,
        "St. John's, " * 5_000,
        "in of at the Hospital " * 3_000,
        "(" * 60_000,
        "Name: " * 10_000,
        "'" * 60_000,
    ],
)
def test_time_grows_with_length_not_with_its_square(line: str) -> None:
    started = time.perf_counter()
    spans_of(line)
    one = time.perf_counter() - started
    started = time.perf_counter()
    spans_of(line * 4)
    four = time.perf_counter() - started
    assert four < 12 * one + 0.5


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Dr. Zoë Ångström agrees", "Zoë Ångström"),
        ("👩‍⚕️ seen by Dr. Ostrander", "Ostrander"),
        ("Ms. D’Angelo came", "D’Angelo"),
        ("Mr. İbrahim Çelik", "İbrahim Çelik"),
    ],
)
def test_offsets_are_code_points(text: str, found: str) -> None:
    assert [text[span.start : span.end] for span in spans_of(text)] == [found]


TEXTS = st.text(
    alphabet=st.sampled_from("AaBbMmSsTt DdrR.,:;'\"()/-\n\t0129é方\ud800\x00\x1a👩"), max_size=120
)
WORDS = st.lists(
    st.sampled_from(
        ["Dr.", "Mr.", "Smith", "SMITH,", "Mary", "at", "in", "of", "the", "Hospital", "St.",
         "Louis", "MO", "63110", "MD", ",", "works as a nurse", "wife", "May", "&", "Sons", "Lake",
         "I-95", "X-ray", "O'Brien", "K.", "patient:", "Name:", "\n", "University", "County",
         "retired", "Foley", "is", "who"]
    ),
    max_size=14,
).map(" ".join)  # fmt: skip


@settings(max_examples=150, deadline=None)
@given(st.one_of(TEXTS, WORDS))
def test_spans_lie_inside_any_text_and_hold_words(text: str) -> None:
    for span in spans_of(text):
        assert span.end <= len(text)
        assert any(char.isalnum() for char in text[span.start : span.end])
        assert not text[span.start].isspace()
        assert not text[span.end - 1].isspace()


@settings(max_examples=80, deadline=None)
@given(st.lists(WORDS, max_size=4))
def test_a_batch_is_its_parts(notes: list[str]) -> None:
    documents = [Document(id=str(number), text=text) for number, text in enumerate(notes)]
    assert LEXICON.detect(documents) == [LEXICON.detect([document])[0] for document in documents]


@pytest.mark.parametrize("before", ["at", "works", "Name:", "x,"])
@pytest.mark.parametrize("note", ["SMITH, MO", "seen at Hill View", "QKX RN", "Vt. 05401"])
def test_a_note_is_not_read_by_the_end_of_the_one_before(before: str, note: str) -> None:
    together = LEXICON.detect([Document("1", before), Document("2", note)])
    assert together[1] == LEXICON.detect([Document("2", note)])[0]


def test_importing_reads_no_list() -> None:
    code = (
        "import gzip, sys; import plainsight.detect.lexicon as lexicon;"
        "from plainsight.lists import load;"
        "from plainsight.detect.lexicon.vocabulary import load_vocabulary;"
        "assert load.cache_info().currsize == 0 and load_vocabulary.cache_info().currsize == 0"
    )
    subprocess.run([sys.executable, "-c", code.replace(" as lexicon", "")], check=True)


def test_a_possessive_is_no_head_of_an_organisation() -> None:
    """``DAUGHTER'S`` once had the flags of ``daughters``, a head, and stopped the note."""
    text = "Lives at DAUGHTER'S of Mercy house. Her Sister's of Hope card."
    assert Lexicon().detect([Document("1", text)])


def test_a_tab_after_a_nationality_stops_nobody() -> None:
    """It was once taken for a sign with a word behind it."""
    assert Lexicon().detect([Document("1", "at gustine dominican\tsurgical pathology")])
