"""Every scorer on pairs worked out by hand in cases/scorers.txt; alignment; labels."""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from marked_pairs import pair

from plainsight.document import Span
from plainsight.evaluate.pairs import Pair
from plainsight.evaluate.scorers import ANY, SCORERS, UNLABELLED, aligned, by_any_label, units
from plainsight.evaluate.tally import Tally, total

CASES = Path(__file__).parent / "cases" / "scorers.txt"
COUNTS = re.compile(r"R = (\d+)/(\d+); P = (\d+)/(\d+); F = (?:.* = )?(n/a|\d+(?:/\d+)?)")


def cases() -> Iterator[tuple[str, Pair, dict[str, str]]]:
    for block in CASES.read_text(encoding="utf-8").split("\n== ")[1:]:
        name, *lines = (line for line in block.splitlines() if line and not line.startswith("#"))
        sides, also, counts = {}, {"gold": [], "found": []}, {}
        for line in lines:
            if line.startswith("also "):
                _, side, start, end, label = line.split(" ")
                also[side].append((int(start), int(end), label))
            else:
                key, _, rest = line.partition(":")
                (sides if key in also else counts)[key] = rest.strip()
        made = pair(sides["gold"], sides["found"], also_gold=also["gold"], also_found=also["found"])
        assert counts.keys() == SCORERS.keys(), name
        yield name, made, counts


EXPECTED = [
    pytest.param(made, scorer, said, id=f"{name}: {scorer}")
    for name, made, counts in cases()
    for scorer, said in counts.items()
]


@pytest.mark.parametrize(("made", "scorer", "said"), EXPECTED)
def test_counts_worked_out_by_hand(made: Pair, scorer: str, said: str) -> None:
    tally = total(SCORERS[scorer](made).values())
    counted = COUNTS.fullmatch(said)
    assert counted, said
    gold_hits, gold, found_hits, found = map(int, counted.groups()[:4])
    assert tally == Tally(gold=gold, gold_hits=gold_hits, found=found, found_hits=found_hits)
    if counted[5] == "n/a":
        assert tally.f is None
    else:
        assert tally.f == pytest.approx(float(Fraction(counted[5])), abs=1e-15)


def test_the_case_file_is_read() -> None:
    assert len(EXPECTED) == 8 * 17


MIXED = pair(
    "{{DOCTOR|Ann Roe}} on {{DATE|3/4}}, {{DATE|5/6}}.",
    "{{PATIENT|Ann Roe}} on {{DATE|3/4}}, 5/6.",
)


def test_labels_are_counted_apart() -> None:
    # DOCTOR: one wanted, none right; PATIENT: one claimed; DATE: two wanted, one right
    assert SCORERS["strict"](MIXED) == {
        "DATE": Tally(2, 1, 1, 1),
        "DOCTOR": Tally(1, 0, 0, 0),
        "PATIENT": Tally(0, 0, 1, 0),
    }
    # tokens: 3 4 5 6 wanted, 3 4 found; Ann Roe
    assert SCORERS["token"](MIXED) == {
        "DATE": Tally(4, 2, 2, 2),
        "DOCTOR": Tally(2, 0, 0, 0),
        "PATIENT": Tally(0, 0, 2, 0),
    }
    # slots are counted under the label of their own side: the extent of Ann Roe is right for both
    assert SCORERS["muc"](MIXED) == {
        "DATE": Tally(4, 2, 2, 2),
        "DOCTOR": Tally(2, 1, 0, 0),
        "PATIENT": Tally(0, 0, 2, 1),
    }
    # whatever the label: Ann Roe 3 4 of six
    assert SCORERS["binary-token"](MIXED) == {ANY: Tally(6, 4, 4, 4)}


def test_tokens_are_cut_at_the_edges_of_a_mark() -> None:
    # 'McRoe86F' marked from 2 to 7 is one token, 'Roe86'
    assert units("token", "McRoe86F", [Span(2, 7, "PATIENT")]) == {("PATIENT", 2, 7)}
    # no letter or digit of ASCII: one empty token at the end
    assert units("token", "a é", [Span(2, 3, "X")]) == {("X", 3, 3)}


def test_the_best_fit_is_aligned_first() -> None:
    outer, inner = Span(0, 10, "A"), Span(0, 4, "B")
    # equal edges and label before the wider overlap
    assert aligned([outer, inner], [inner]) == [(inner, inner), (outer, None)]
    # one slot right (the label) before a wider overlap with none
    short, wide = Span(0, 2, "A"), Span(2, 10, "C")
    assert aligned([outer], [short, wide]) == [(outer, short), (None, wide)]
    # no slot right on either: the wider overlap, 6 characters before 2
    assert aligned([Span(0, 8, "A")], [Span(0, 2, "B"), Span(2, 9, "B")]) == [
        (None, Span(0, 2, "B")),
        (Span(0, 8, "A"), Span(2, 9, "B")),
    ]
    # touching edges share no character
    assert aligned([Span(0, 3, "A")], [Span(3, 5, "A")]) == [(Span(0, 3, "A"), None), (None, Span(3, 5, "A"))]


marks = st.lists(
    st.builds(
        lambda start, length, label: Span(start, start + length, label),
        st.integers(0, 20),
        st.integers(1, 9),
        st.sampled_from("AB"),
    ),
    max_size=8,
)


@given(gold=marks, found=marks)
def test_every_span_is_aligned_once_and_only_with_one_it_touches(gold: list[Span], found: list[Span]) -> None:
    made = aligned(gold, found)
    assert sorted(one for one, _ in made if one) == sorted(set(gold))
    assert sorted(two for _, two in made if two) == sorted(set(found))
    assert all(one.start < two.end and two.start < one.end for one, two in made if one and two)
    free_gold, free_found = ([entry[side] for entry in made if not entry[1 - side]] for side in (0, 1))
    assert not any(one.start < two.end and two.start < one.end for one in free_gold for two in free_found)


@given(gold=marks, found=marks)
def test_a_scorer_that_asks_less_hits_no_less(gold: list[Span], found: list[Span]) -> None:
    made = Pair("1", "x" * 40, tuple(gold), tuple(found))
    tallies = [total(SCORERS[name](made).values()) for name in ("strict", "relaxed", "overlap")]
    for stricter, looser in pairwise(tallies):
        assert (stricter.gold, stricter.found) == (looser.gold, looser.found)
        assert stricter.gold_hits <= looser.gold_hits
        assert stricter.found_hits <= looser.found_hits


@given(gold=marks, found=marks)
def test_exchanging_the_sides_exchanges_precision_and_recall(gold: list[Span], found: list[Span]) -> None:
    one = Pair("1", "x-" * 20, tuple(gold), tuple(found))
    two = Pair("1", "x-" * 20, tuple(found), tuple(gold))
    for name in SCORERS.keys() - {"muc"}:  # whose alignment may break a tie in another way
        first, second = (total(SCORERS[name](made).values()) for made in (one, two))
        assert (first.precision, first.recall, first.f) == (second.recall, second.precision, second.f)


# gold tokens: PATIENT Ann Roe, CITY Cox; found: DOCTOR Ann, CITY Cox, DATE now
NOTE = pair("{{PATIENT|Ann Roe}} in {{CITY|Cox}} now", "{{DOCTOR|Ann}} Roe in {{CITY|Cox}} {{DATE|now}}")


LABELS = ("CITY", "DATE", "DOCTOR", "PATIENT")


@pytest.mark.parametrize(
    ("scorer", "expected"),
    [
        ("binary-token", [(1, 1, 1, 1), (0, 0, 1, 0), (0, 0, 1, 1), (2, 1, 0, 0)]),
        ("binary-strict", [(1, 1, 1, 1), (0, 0, 1, 0), (0, 0, 1, 0), (1, 0, 0, 0)]),
        ("character", [(3, 3, 3, 3), (0, 0, 3, 0), (0, 0, 3, 3), (7, 3, 0, 0)]),
    ],
)
def test_counts_under_any_label(scorer, expected):
    assert by_any_label([NOTE], scorer) == dict(
        zip(LABELS, (Tally(*counts) for counts in expected), strict=True)
    )


@pytest.mark.parametrize("scorer", UNLABELLED)
def test_labels_add_up_where_nothing_overlaps(scorer):
    assert total(by_any_label([NOTE, NOTE], scorer).values()) == total([*SCORERS[scorer](NOTE).values()] * 2)


def test_nothing_under_any_label():
    assert by_any_label([]) == {}
