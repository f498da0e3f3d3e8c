"""Noise: the labels never slip."""

import re
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from synthetic_notes import corpus, pieces

from plainsight.lab.synth.noise import NOISES, disturb
from plainsight.lab.synth.pieces import Piece, cut, joined, paragraphs
from plainsight.lab.synth.restyle import NEW, STYLES, _surnames
from plainsight.lists import load

KINDS = {**NOISES, **STYLES, **NEW}
seeds = st.integers(0, 10_000).map(Random)


@pytest.mark.parametrize("kind", KINDS)
@settings(max_examples=40, deadline=None)
@given(before=pieces, random=seeds)
def test_labels_stay_in_order_and_cover_something(kind, before, random):
    after = KINDS[kind].apply(before, random)
    assert [piece.label for piece in after if piece.label] == [piece.label for piece in before if piece.label]
    assert all(piece.text.strip() == piece.text != "" for piece in after if piece.label)
    note = joined(after, "n")
    assert [note.text[span.start : span.end] for span in note.spans] == [
        piece.text for piece in after if piece.label
    ]


@pytest.mark.parametrize("kind", ["upper", "lower", "line-case", "word-case", "identifier-case"])
@settings(max_examples=40, deadline=None)
@given(before=pieces, random=seeds)
def test_case_is_all_that_changes(kind, before, random):
    after = KINDS[kind].apply(before, random)
    assert [piece.text.casefold() for piece in after] == [piece.text.casefold() for piece in before]


@pytest.mark.parametrize("kind", ["wrapped", "one-line", "respaced", "glued", "split-words", "joined-words"])
@settings(max_examples=40, deadline=None)
@given(before=pieces, random=seeds)
def test_white_space_is_all_that_changes(kind, before, random):
    after = KINDS[kind].apply(before, random)
    assert _solid(after) == _solid(before)


def _solid(before):
    return re.sub(r"[\s|]", "", "".join(piece.text for piece in before))


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_does_something(kind):
    notes = [*map(cut, corpus()), [Piece("BP 120/80, pain 6/10")]]
    changed = [KINDS[kind].apply(list(note), Random(seed)) != note for note in notes for seed in range(15)]
    assert any(changed)


@pytest.mark.parametrize("kind", ["dropped-stops", "respaced"])
def test_identifiers_are_left_alone(kind):
    before = cut(corpus()[0])
    for seed in range(9):
        after = KINDS[kind].apply(before, Random(seed))
        assert [p for p in after if p.label] == [p for p in before if p.label]


def test_wrapped_lines_are_not_much_longer_than_wide():
    long = [Piece("word " * 40), Piece("Maria Delgado Ruiz", "PATIENT"), Piece(" and so on" * 30)]
    for seed in range(8):
        text = joined(NOISES["wrapped"].apply(long, Random(seed)), "n").text
        assert max(map(len, text.split("\n"))) <= 88


def test_no_chance_no_noise_and_some_chance_some():
    note = corpus()[0]
    assert disturb(cut(note), Random(1), NOISES, 0.0) == cut(note)
    assert any(disturb(cut(note), Random(seed), NOISES, 0.5) != cut(note) for seed in range(5))
    assert disturb(cut(note), Random(1), {}, 1.0) == cut(note)


def test_strange_names_agree_within_a_note():
    assert len(_surnames()[1]) > 100
    before = [
        Piece("Maria Delgado", "PATIENT"),
        Piece(" and "),
        Piece("DELGADO", "PATIENT"),
        Piece(" in May"),
    ]
    for seed in range(30):
        after = NEW["unusual-names"].apply(before, Random(seed))
        assert after[2].text == after[0].text.split()[-1].upper()
        assert after[1::2] == before[1::2]


def test_common_names_keep_first_names_apart_from_surnames():
    before = [Piece("Okafor, Ngozi", "PATIENT"), Piece(" with her aunt "), Piece("NGOZI", "PATIENT")]
    drawn = [NEW["common-names"].apply(before, Random(seed)) for seed in range(30)]
    firsts = set(load("first_names")["name"][:250])
    surnames = set(load("surnames")["name"][:250])
    changed = [after for after in drawn if "Okafor" not in after[0].text and "Ngozi" not in after[0].text]
    assert len(changed) > 10
    for after in changed:
        surname, first = after[0].text.split(", ")
        assert surname.lower() in surnames
        assert first.lower() in firsts
        assert after[2].text == first.upper()
        assert after[1] == before[1]


def others(text):
    return {NEW["other-numbers"].apply([Piece(text)], Random(seed))[0].text for seed in range(200)} - {text}


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("pain 6/10.", r"pain \d{1,2}/\d{1,2}\."),
        ("BP 142/86", r"BP \d{3}/\d\d"),
        ("T 98.6", r"T [1-9]\d\.\d"),
        ("for 3-5 days", r"for \d-\d days"),
        ("at 0415", r"at [012]\d[0-5]\d"),
        ("1500 mL", r"[1-9]\d{3} mL"),
        ("x 07", r"x 0\d"),
    ],
)
def test_other_numbers_are_written_alike(text, written):
    made = others(text)
    assert len(made) > 5
    assert all(re.fullmatch(written, each) for each in made)


@pytest.mark.parametrize("text", ["q4h", "B12", "Ki-67", "1:200", "12:30", "CYP2C19*17", "12345", "5.125"])
def test_numbers_of_codes_and_words_stay(text):
    assert not others(text)


def test_a_score_is_at_most_its_total():
    scores = [tuple(map(int, each.split("/"))) for each in others("6/10")]
    assert all(points <= total for points, total in scores)
    assert len({total for _, total in scores}) > 3


def test_numbers_of_identifiers_stay():
    assert NEW["other-numbers"].apply([Piece("6/10", "DATE")], Random(1)) == [Piece("6/10", "DATE")]


@pytest.mark.parametrize(
    ("kind", "label", "text", "wanted"),
    [
        ("dates", "DATE", "03/14/1951", {"March 14, 1951", "14MAR51", "1951-03-14", "3/14/51"}),
        ("dates", "DATE", "2019-04-02", {"4/2/2019", "Apr 2, 2019"}),
        ("dates", "DATE", "May 3rd, 2020", {"05-03-2020", "3 May 2020"}),
        ("dates", "DATE", "4/9", {"Apr 9", "April 9th", "04/09"}),
        ("dates", "DATE", "25/12/99", {"12/25/1999"}),
        ("phones", "PHONE", "(937) 555-0142", {"937.555.0142", "9375550142", "+1 937 555 0142"}),
        ("names", "DOCTOR", "Adaeze Okafor", {"Okafor, Adaeze", "A. Okafor", "ADAEZE OKAFOR"}),
    ],
)
def test_identifiers_are_written_in_other_ways(kind, label, text, wanted):
    made = {STYLES[kind].apply([Piece(text, label)], Random(seed))[0].text for seed in range(400)}
    assert wanted <= made


@pytest.mark.parametrize("text", ["Monday", "14/15/16", "0/0", "spring of 2010", "99"])
def test_other_dates_stay_as_they_are(text):
    made = {STYLES["dates"].apply([Piece(text, "DATE")], Random(seed))[0].text for seed in range(20)}
    assert made == {text}


def test_surname_first_only_in_forms():
    running = [Piece("I saw "), Piece("Adaeze Okafor", "DOCTOR"), Piece(" today.")]
    made = {STYLES["names"].apply(running, Random(seed))[1].text for seed in range(200)}
    assert not any("," in name or "^" in name for name in made)


@given(before=pieces)
def test_paragraphs_are_the_whole(before):
    parts = paragraphs(before)
    assert "".join(p.text for part in parts for p in part) == "".join(p.text for p in before)
    assert [p.label for part in parts for p in part if p.label] == [p.label for p in before if p.label]
