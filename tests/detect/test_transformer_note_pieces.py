"""The inputs of an encoder: pieces and windows of notes."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from plainsight.detect.transformer.labelling import batch_of, token_scores
from plainsight.detect.transformer.note_pieces import CASES, GAPS, read
from plainsight.detect.transformer.pieces import MAX_PIECES, BytePairs, WordPieces, word_splitter
from plainsight.detect.transformer.windows import windows
from plainsight.document import Document, Span
from plainsight.text.tokens import tokenize
from plainsight.text.vocabulary import FLAG_BITS, Is, vocabulary

np = pytest.importorskip("numpy")

WORDS = [
    "[PAD]",
    "[UNK]",
    "[CLS]",
    "[SEP]",
    "smith",
    "##son",
    "s",
    "##m",
    "##i",
    "##th",
    "4",
    "##7",
    "/",
    "zoe",
]
WORD_PIECES = WordPieces(WORDS)
# the letters that stand for bytes: Ġ is the space, Ã and « are the two bytes of ë
PAIRS = ["<s>", "</s>", "<unk>", "Ġ", "D", "r", "Dr", "ĠDr", "N", "g", "Ã", "«", "Ã«", "."]
MERGES = ["D r", "Ġ Dr", "Ã «"]
BYTE_PAIRS = BytePairs(PAIRS, MERGES)


def names(numbers: tuple[int, ...], of: list[str]) -> list[str]:
    return [of[number] for number in numbers]


@pytest.mark.parametrize(
    ("word", "pieces"),
    [
        ("Smithson", ["smith", "##son"]),  # the longest piece first
        ("SMIM", ["s", "##m", "##i", "##m"]),
        ("Zoë", ["zoe"]),  # capitals and accents do not count
        ("477", ["4", "##7", "##7"]),
        ("kxq", ["[UNK]"]),
        ("smithx", ["[UNK]"]),  # a word that cannot be covered is unknown as a whole
    ],
)
def test_words_are_cut_into_the_longest_known_pieces(word, pieces):
    assert names(WORD_PIECES(word, spaced=True), WORDS) == pieces
    assert WORD_PIECES(word, spaced=True) == WORD_PIECES(word, spaced=False)


def test_bytes_are_merged_by_rank_and_the_space_belongs_to_the_word():
    assert names(BYTE_PAIRS("Dr", spaced=True), PAIRS) == ["ĠDr"]
    assert names(BYTE_PAIRS("Dr", spaced=False), PAIRS) == ["Dr"]
    assert names(BYTE_PAIRS("ë", spaced=False), PAIRS) == ["Ã«"]
    assert names(BYTE_PAIRS("x", spaced=False), PAIRS) == ["<unk>"]


@given(st.text())
def test_no_word_is_without_pieces_or_has_too_many(word):
    for splitter in (WORD_PIECES, BYTE_PAIRS):
        assert 1 <= len(splitter(word, spaced=True)) <= MAX_PIECES


@pytest.mark.parametrize("splitter", [WORD_PIECES, BYTE_PAIRS])
def test_many_words_are_split_like_each(splitter):
    words, spaced = ["Dr", "Dr", "Smithson", "ë"], [True, False, True, False]
    one_by_one = [splitter(word, spaced=space) for word, space in zip(words, spaced, strict=True)]
    assert splitter.split_all(words, spaced) == one_by_one


def test_a_note_without_words_has_no_pieces():
    note = read(Document("1", " \n"), WORD_PIECES, labels={"DATE": 1})
    assert not any(map(len, (note.tokens, note.first, note.pieces, note.gap, note.claim)))


def test_a_model_names_its_way_of_cutting():
    assert isinstance(word_splitter("wordpiece", {"vocabulary": WORDS}), WordPieces)
    assert isinstance(word_splitter("bytepair", {"vocabulary": PAIRS, "merges": MERGES}), BytePairs)


def test_case_gap_and_claims_stand_beside_the_pieces():
    text = "Seen by SMITHSON\n\n4/7  zoe\tx"
    claims = [Span(8, 16, "DOCTOR", 0.9), Span(18, 21, "DATE", 0.5), Span(18, 21, "AGE", 0.8)]
    note = read(Document("1", text), WORD_PIECES, claims=claims, labels={"DOCTOR": 1, "AGE": 2, "DATE": 3})
    assert note.tokens == tokenize(text)
    assert [text[slice(*token)] for token in note.tokens] == [
        "Seen",
        "by",
        "SMITHSON",
        "4",
        "/",
        "7",
        "zoe",
        "x",
    ]
    smithson = note.first[2]
    assert note.case[smithson] == note.case[smithson + 1]  # both pieces are of a word in capitals
    assert note.claim[smithson : smithson + 2].tolist() == [1, 1]
    assert note.claim[note.first[3] : note.first[6]].tolist() == [2, 2, 2]  # the surer claim counts
    paragraph, glued, wide, tab = (note.gap[note.first[place]] for place in (3, 4, 6, 7))
    assert len({paragraph, glued, wide, note.gap[note.first[1]]}) == 4
    assert tab == wide


def test_each_piece_of_a_word_is_told_the_lists_of_the_word():
    text = "smith ECZEMA smithson 4 zé"
    note = read(Document("1", text), WORD_PIECES, lists=True)
    smith, eczema, smithson, four, accented = (note.lists[first] for first in note.first)
    assert smith & Is.LAST
    assert eczema & Is.MEDICAL
    assert note.lists[note.first[2] + 1] == smithson
    assert four == accented == 0
    assert not read(Document("1", text), WORD_PIECES).lists.any()


BITS = """
KNOWN MARKED TITLE EPONYM PURE CITY FIRST LAST COMMON MIXED WORD STOP MEDICAL BIG_CITY STATE CODE COUNTRY
PEOPLE LANGUAGE CALENDAR HEAD ORG_HEAD GENERIC PHRASE SINGLE LOOSE PLACE_WORD CUE
"""


def test_bits_of_the_lists_mean_what_models_have_learnt():
    assert Is.LEVEL == 3
    assert [getattr(Is, name) for name in BITS.split()] == [1 << bit for bit in range(2, FLAG_BITS)]
    assert max(vocabulary().values()) < 1 << FLAG_BITS


@given(st.text())
def test_any_text_can_be_read(text):
    note = read(Document("1", text), WORD_PIECES, lists=True)
    assert len(note.pieces) == len(note.case) == len(note.gap) == len(note.claim) == len(note.lists)
    assert len(note.pieces) >= len(note.tokens)
    assert not len(note.case) or (note.case.max() < CASES and note.gap.max() < GAPS)


@given(st.integers(0, 500), st.integers(8, 40), st.integers(0, 3))
def test_windows_label_every_piece_once_and_cut_nothing_off(pieces, size, margin):
    found = list(windows(pieces, size=size, margin=margin))
    labelled = [piece for window in found for piece in range(window.keep, window.until)]
    assert labelled == list(range(pieces))
    for window in found:
        assert window.start <= window.keep <= window.until <= window.stop <= window.start + size
        assert window.start == 0 or window.keep - window.start >= margin
        assert window.stop == pieces or window.stop - window.until >= margin


@given(st.integers(1, 4), st.text(alphabet="smithzoe 47/\n", max_size=300))
def test_scores_come_back_to_their_tokens(batch_size, text):
    """A network that says of each piece its own number must be heard at the right tokens."""
    note = read(Document("1", text), WORD_PIECES)

    def run(batch, asked):
        return [row[places, None].astype(np.float32) for row, places in zip(batch[0], asked, strict=True)]

    own = [float(note.pieces[first]) for first in note.first]
    how = {"tags": 1, "size": 16, "margin": 2, "batch_size": batch_size}
    [scores] = token_scores([note], run, WORD_PIECES, **how)
    assert scores[:, 0].tolist() == own
    some = np.arange(len(own))[::3]
    [scores] = token_scores([note], run, WORD_PIECES, wanted=[some], **how)
    assert scores[:, 0].tolist() == [said if place % 3 == 0 else 0.0 for place, said in enumerate(own)]


@given(
    st.lists(st.sampled_from(["smithson", "zoe", "477"]), min_size=40, max_size=80),
    st.sets(st.integers(0, 39), max_size=4),
    st.integers(2, 6),
)
@example(["zoe"] * 40, {0, 5}, 2)  # two windows that become one
def test_windows_never_see_what_was_not_read(words, places, margin):
    """What is read only near some places goes through the network as if all had been read."""
    text, at = " ".join(words), np.array(sorted(places), np.int64)
    whole = read(Document("1", text), WORD_PIECES)
    near = read(Document("1", text), WORD_PIECES, at=at, margin=margin)
    assert near.tokens == whole.tokens

    def batches(reading):
        seen = []

        def run(batch, asked):
            seen.append([part.tolist() for part in (*batch, *asked)])
            return [np.zeros((len(places), 1), np.float32) for places in asked]

        token_scores([reading], run, WORD_PIECES, tags=1, size=16, margin=margin, wanted=[at])
        return seen

    assert batches(near) == batches(whole)


def test_windows_of_some_places_are_seen_together_and_labelled_once():
    text = " ".join(["zoe", "smithson", "477"] * 20)
    note, at = read(Document("1", text), WORD_PIECES), np.array([0, 1, 20, 40, 59])
    rows = []

    def run(batch, asked):
        rows.append(names(batch[0][0], WORDS))
        return [batch[0][0][places, None].astype(np.float32) for places in asked]

    [scores] = token_scores([note], run, WORD_PIECES, tags=1, size=40, margin=2, wanted=[at])
    assert scores[at, 0].tolist() == note.pieces[note.first[at]].tolist()
    assert not np.delete(scores, at).any()
    [row] = rows  # four windows
    assert row.count("[CLS]") == 1
    assert row.count("[SEP]") == 4
    rows.clear()
    token_scores([note], run, WORD_PIECES, tags=1, size=20, margin=2, wanted=[at])
    assert len(rows) == 2
    assert max(map(len, rows)) <= 20


def test_a_window_stands_between_the_pieces_that_begin_and_end_a_text():
    note = read(Document("1", "smith zoe"), WORD_PIECES)
    [window] = windows(len(note.pieces), size=8, margin=1)
    pieces, *_, mask = batch_of([(note, [window])], WORD_PIECES)
    assert names(pieces[0], WORDS) == ["[CLS]", "smith", "zoe", "[SEP]"]
    assert mask.tolist() == [[1, 1, 1, 1]]
