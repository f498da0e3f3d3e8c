"""Rescoring against reading whole chunkings from one end to the other."""

from sys import modules

import numpy as np
import pytest

from plainsight.lab.detect.charlm.language import Language, count_strings
from plainsight.lab.detect.charlm.lattice import States
from plainsight.lab.detect.charlm.rescore import Rescorer
from plainsight.lab.detect.charlm.symbols import EDGE, Alphabet, gaps, groups, pieces
from plainsight.text.tokens import tokenize

TEXT = "Seen by Dr. Ito on 3/4. Ms. Reyes, a baker, was well.\nNext: Dr. Ito."
LABELS = 2


@pytest.fixture(scope="module")
def rescorer():
    states, alphabet = States(LABELS), Alphabet.of([TEXT])
    order = 5

    def learn(strings, owners, count, symbols):
        arrays = count_strings(strings, np.array(owners), symbols=symbols, order=order, most=10_000)
        return Language(arrays, states=count, symbols=symbols, order=order, ratio=2.0)

    inside = [alphabet.chunk(text) for text in ("Ito", "Reyes", "3/4")]
    label = alphabet.size
    outside = [
        np.concatenate(([EDGE], alphabet.text("Seen by Dr. "), [label])),
        np.concatenate(([label], alphabet.text(" on "), [label + 1])),
        np.concatenate(([label + 1], alphabet.text(". Ms. "), [EDGE])),
    ]
    return Rescorer(
        states,
        alphabet,
        learn(inside, [0, 0, 1], LABELS, alphabet.size),
        learn(outside, [0, 0, 0], 1, alphabet.size + LABELS),
    )


def read_through(rescorer, piece, path):
    """Score a whole chunking, symbol by symbol."""
    alphabet, total, last, before = rescorer.alphabet, 0.0, 0, EDGE
    _, firsts, stops, labels = rescorer.states.chunks(path[None])
    for first, stop, label in zip(firsts, stops, labels, strict=True):
        start, end = piece.starts[first], piece.ends[stop - 1]
        symbol = alphabet.size + label
        string = np.concatenate(([before], alphabet.text(piece.text[last:start]), [symbol]))
        total += rescorer.outside.log_steps(string)[1:, 0].sum()
        total += rescorer.inside.log_steps(alphabet.chunk(piece.text[start:end]))[1:, label].sum()
        last, before = end, symbol
    string = np.concatenate(([before], alphabet.text(piece.text[last:]), [EDGE]))
    return total + rescorer.outside.log_steps(string)[1:, 0].sum()


def test_differences_are_those_of_whole_chunkings(rescorer):
    (piece,) = pieces(TEXT)
    length = len(piece.starts)
    words = [word for _, word in piece.words()]
    ito, reyes, date = words.index("Ito"), words.index("Reyes"), words.index("3")
    last = (length - 2, length - 1, 0)
    first_part = [[(ito, ito + 1, 0)], [(ito, ito + 1, 1), (date, date + 3, 1)], []]
    second_part = [[(reyes, reyes + 1, 0)], [], [(reyes, reyes + 4, 0)], [(reyes - 2, reyes + 1, 1)]]
    cut = words.index("Ms")
    kept = rescorer.states.path([*first_part[0], *second_part[0], last], length)
    for chosen, low, high in ((first_part, 0, cut), (second_part, cut, length - 3)):
        paths = []
        for own in chosen:
            other = [] if low else second_part[0]
            both = [*first_part[0], *own] if low else [*own, *other]
            paths.append(rescorer.states.path([*both, last], length))
        paths = np.array(paths)
        expected = [read_through(rescorer, piece, path) for path in paths]
        (found,) = rescorer.scores(piece, np.array(kept), [(low, paths[:, low:high])])
        assert found - found[0] == pytest.approx(np.array(expected) - expected[0], abs=1e-4)


def test_stretches_are_scored_together_as_alone(rescorer):
    (piece,) = pieces(TEXT)
    path = np.array(rescorer.states.path([(4, 5, 0)], len(piece.starts)))
    other = np.array(rescorer.states.path([(4, 5, 1), (15, 16, 0)], len(piece.starts)))
    both = np.stack((path, other))
    stretches = [(0, both[:, :8]), (9, both[:, 9:])]
    together = rescorer.scores(piece, path, stretches)
    for stretch, found in zip(stretches, together, strict=True):
        assert found == pytest.approx(rescorer.scores(piece, path, [stretch])[0], abs=1e-6)


def test_long_notes_are_cut_and_nothing_is_lost(monkeypatch):
    monkeypatch.setattr(modules["plainsight.lab.detect.charlm.symbols"], "_PIECE", 5)
    monkeypatch.setattr(modules["plainsight.lab.detect.charlm.symbols"], "_BATCH", 12)
    cut = pieces(f"  {TEXT} ")
    assert "".join(piece.text for piece in cut) == f"  {TEXT} "
    offsets = [
        (piece.offset + start, piece.offset + end)
        for piece in cut
        for start, end in zip(piece.starts, piece.ends, strict=True)
    ]
    assert offsets == tokenize(f"  {TEXT} ")
    together = list(groups(cut))
    assert [piece for group in together for piece in group] == cut
    assert all(sum(len(piece.starts) for piece in group) <= 12 for group in together)
    assert pieces(" \n") == []


def test_what_lies_before_tokens_is_told_apart():
    text = "a b  c\td\ne\n \nf.g\r\n\r\nh"
    kinds = gaps(text, tokenize(text))
    glued, space, wide, line, blank = range(2, 7)
    assert kinds == [blank, space, wide, wide, line, blank, glued, glued, blank]


def test_unknown_and_odd_characters_are_one_symbol():
    alphabet = Alphabet.of(["aab\ud800\ud800"])
    assert alphabet.characters == "a"
    known, *unknown = alphabet.text("ab\U0001f600\ud800é")
    assert known not in unknown
    assert len(set(unknown)) == 1
    assert len(alphabet.word(2, "x" * 1_000_000)) < 100
