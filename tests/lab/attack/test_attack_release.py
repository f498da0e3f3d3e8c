"""Releases with originals left in."""

import pytest

from plainsight.document import Document
from plainsight.formats.inline import parse
from plainsight.lab.attack.release import (
    by_scope,
    key_of,
    leave_by_chance,
    name_places,
    release,
    visible_names,
)


def note(name, marked, patient=None):
    text, spans = parse(marked)
    return Document(name, text, spans, patient_id=patient)


GOLD = [
    note("1", "Mr. {{PATIENT|Roe}} by {{DOCTOR|Ann Lee}} on {{DATE|3/4}}", "p"),
    note("2", "{{DATE|May}} {{PATIENT|Roe}}", "p"),
    note("3", "{{DOCTOR|Okafor}}"),
]
MADE = [["Adler", "Eva Ray", "5/6"], ["June", "Adler"], ["Novak"]]


def test_left_names_stay_and_all_else_is_replaced():
    released = release(GOLD, MADE, {(0, 1)})
    assert [document.text for document in released] == ["Mr. Adler by Ann Lee on 5/6", "June Adler", "Novak"]
    assert [(name.text, name.left, name.scope) for name in visible_names(released)] == [
        ("Adler", False, "p"),
        ("Ann Lee", True, "p"),
        ("Adler", False, "p"),
        ("Novak", False, "note 3"),
    ]


def test_names_have_places():
    assert name_places(GOLD) == [(0, 0), (0, 1), (1, 1), (2, 0)]


@pytest.mark.parametrize(("share", "count"), [(0.0, 1), (0.01, 1), (0.5, 2), (1.0, 4)])
def test_a_share_is_left_by_chance_and_at_least_one(share, count):
    left = leave_by_chance(GOLD, share, 7)
    assert len(left) == count
    assert left == leave_by_chance(GOLD, share, 7)


def test_nothing_can_be_left_where_no_names_are():
    assert leave_by_chance([note("1", "x")], 0.5, 0) == set()


def test_a_patients_notes_stay_together():
    parts = by_scope(GOLD, 2, 3)
    assert sorted(len(part) for part in parts) == [1, 2]
    assert sorted(document.id for part in parts for document in part) == ["1", "2", "3"]
    assert all(len({document.patient_id for document in part}) == 1 for part in parts)


def test_keys_differ_by_seed_and_purpose():
    assert len({key_of(seed, purpose) for seed in (1, 2) for purpose in ("a", "b")}) == 4
    assert len(key_of(0, "a")) == 32


def test_no_name_in_repr():
    assert "Adler" not in repr(visible_names(release(GOLD, MADE)))
