"""The figures of the MEDDOCAN task, worked out by hand from its rules."""

from __future__ import annotations

import pytest
from marked_pairs import pair

from plainsight.document import Span
from plainsight.evaluate.challenges import meddocan
from plainsight.evaluate.pairs import Pair

NOTES = [
    # NER and strict: the date and Elche of four; found three, one of them wrong: 2 1 2.
    # Merged: on both sides 'Ana Ruiz, 3 mayo' is one, for only signs are between; so right are the date,
    # Elche and that one: 3. 'Ana', 'Ruiz' and 'Ana Ruiz' lie inside it: none missed, none spurious.
    pair(
        "Sra. {{N|Ana}} {{N|Ruiz}}, {{F|3 mayo}}. Vive en {{T|Elche}}",
        "Sra. {{N|Ana Ruiz}}, {{F|3 mayo}}. Vive en {{T|Elche}}",
        name="a",
    ),
    # NER: none of three, two found: 0 2 3. Strict: Ana: 1 1 2. Merged: letters are between all: 1 1 2.
    pair("{{N|Ana}} y {{N|Eva}} de {{T|Cox}}", "{{T|Ana}} y {{N|Eva de Cox}}", name="b"),
]


def figures(block: dict[str, float]) -> tuple[float, ...]:
    return block["precision"], block["recall"], block["f"]


def test_every_track() -> None:
    tracks = meddocan(NOTES, sentences_of={"a": 2, "b": 1})
    # 2 3 5: P 2/5, R 2/7, F = 2*2/(5+7)
    assert figures(tracks["NER"]) == pytest.approx((2 / 5, 2 / 7, 1 / 3))
    # five marks missed in three sentences
    assert tracks["NER"]["leak"] == pytest.approx(5 / 3)
    # 3 2 4: P 3/5, R 3/7, F = 6/12
    assert figures(tracks["strict spans"]) == pytest.approx((3 / 5, 3 / 7, 1 / 2))
    # 4 1 2: P 4/5, R 4/6, F = 8/11
    assert figures(tracks["merged spans"]) == pytest.approx((4 / 5, 4 / 6, 8 / 11))
    assert tracks["NER"].keys() == {"precision", "recall", "f", "leak"}
    assert tracks["merged spans"].keys() == {"precision", "recall", "f"}


def test_sentences_are_ours_where_the_tasks_are_not_known() -> None:
    note = pair("Vino {{N|Ana}}. Vive en {{T|Cox}}.", "Vino Ana. Vive en Cox.")
    assert meddocan([note])["NER"]["leak"] == 1  # two missed in two sentences
    assert meddocan([note], sentences_of={"1": 4})["NER"]["leak"] == 0.5
    assert meddocan([note], sentences_of={"1": 0})["NER"]["leak"] == 0


def merged(gold: list[tuple[int, int]], found: list[tuple[int, int]], text: str) -> tuple[float, ...]:
    one, two = (tuple(Span(*edges, "X") for edges in side) for side in (gold, found))
    return figures(meddocan([Pair("1", text, one, two)])["merged spans"])


def test_adjacent_marks_are_joined_and_letters_beyond_ascii_part_them() -> None:
    assert merged([(0, 2), (2, 4)], [(0, 4)], "abcd") == (1, 1, 1)
    assert merged([(0, 2), (3, 5)], [(0, 5)], "ab-cd") == (1, 1, 1)
    assert merged([(0, 2), (3, 5)], [(0, 5)], "abñcd") == (0, 0, 0)


def test_joined_marks_and_their_parts_both_count_where_both_are_found() -> None:
    # right are both parts and the whole: 3, none missed
    assert merged([(0, 2), (3, 5)], [(0, 2), (3, 5)], "ab-cd") == (1, 1, 1)


def test_a_mark_inside_another_ends_the_joined_one() -> None:
    # gold 0-10 with 2-5 inside becomes 0-5, which is found: 1 right; 0-10 is missed, 2-5 lies in it
    assert merged([(0, 10), (2, 5)], [(0, 5)], "x" * 10) == pytest.approx((1, 1 / 2, 2 / 3))


def test_empty_sides_are_zero() -> None:
    for gold, found in (("{{N|Ana}}", "Ana"), ("Ana", "{{N|Ana}}"), ("Ana", "Ana")):
        assert {figures(track) for track in meddocan([pair(gold, found)]).values()} == {(0, 0, 0)}
