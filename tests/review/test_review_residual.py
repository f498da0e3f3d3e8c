"""What still leaks: counted by hand, and intervals that cover the truth of whole populations."""

from __future__ import annotations

import random

import pytest

from plainsight.document import Span
from plainsight.evaluate.pairs import Pair
from plainsight.review.residual import Population, Read, notes_needed, residual, stands_for

TEXT = "Ann Lee came on May 3 with Ann Lee's son."
LEE, MAY, AGAIN = Span(0, 7, "PATIENT"), Span(16, 21, "DATE"), Span(27, 34, "PATIENT")
GOLD = (LEE, MAY, AGAIN)


def read(number, found, patient=None):
    return Read(Pair(str(number), TEXT, GOLD, found), patient)


def test_by_hand():
    half = (Span(0, 3, "PATIENT"), MAY, AGAIN)  # half a name leaks
    wrong_label = (Span(0, 34, "HOSPITAL"),)  # hidden is hidden
    rates = residual([read(1, half), read(2, wrong_label), read(3, (LEE, AGAIN))], Population.of([1] * 1000))
    assert (rates.all.identifiers, rates.all.leaked, rates.all.leaking_notes) == (9, 2, 2)
    assert (rates.direct.identifiers, rates.direct.leaked) == (6, 1)
    assert (rates.indirect.identifiers, rates.indirect.leaked) == (3, 1)
    assert rates.direct.per_identifier.value == pytest.approx(1 / 6)
    assert rates.direct.per_note.value == pytest.approx(1 / 3)
    assert rates.direct.per_patient.value == pytest.approx(1 / 3)  # one note each
    for kind in (rates.all, rates.direct, rates.indirect):
        for share in (kind.per_identifier, kind.per_note, kind.per_patient):
            assert share.low <= share.value <= share.high


def test_punctuation_and_spaces_do_not_leak():
    parts = (Span(0, 3, "PATIENT"), Span(4, 7, "PATIENT"), MAY, AGAIN)
    assert residual([read(1, parts)], Population.of([1, 1])).all.leaked == 0


def test_repeated_strings_widen_the_interval_though_nothing_leaks():
    clean = [read(n, GOLD) for n in range(20)]
    rates = residual(clean, Population.of([1] * 1000))
    assert rates.direct.effect == 2  # each name stands twice
    assert rates.indirect.effect == 1
    assert rates.direct.per_identifier.value == 0
    assert rates.direct.per_identifier.high == rates.direct.per_note.high  # one name a note
    assert 0 < rates.all.per_identifier.high < rates.all.per_note.high


def test_notes_of_one_patient_tell_less_than_those_of_many():
    def sample(patient_of):
        return [read(n, GOLD if n % 10 else (), str(patient_of(n))) for n in range(40)]

    apart = residual(sample(lambda n: n), Population.of([10] * 100)).all.per_note
    together = residual(sample(lambda n: n % 10), Population.of([10] * 100)).all.per_note
    assert apart.value == together.value == 0.1
    assert together.high > apart.high + 0.1


def test_nothing_read_is_undefined():
    rates = residual([], Population.of([1, 2]))
    assert rates.all.per_identifier.value is None
    assert rates.all.per_patient.high is None


def test_a_project_that_was_read_whole_is_certain():
    rates = residual([read(1, GOLD), read(2, (LEE,))], Population.of([1, 1]))
    assert rates.all.per_note.low == rates.all.per_note.value == rates.all.per_note.high == 0.5


@pytest.mark.parametrize("per", ["note", "identifier"])
def test_the_wanted_sample_shows_the_rate_and_one_note_less_does_not(per):
    population = Population.of([1] * 100_000)
    now = residual([read(n, GOLD) for n in range(50)], population)
    wanted = 0.01
    size = notes_needed(now.direct, population, wanted, per=per).none_leak
    for notes, shows in ((size, True), (size - 1, False)):
        rates = residual([read(n, GOLD) for n in range(notes)], population).direct
        share = rates.per_note if per == "note" else rates.per_identifier
        assert (share.high <= wanted) is shows


def test_no_sample_shows_a_rate_that_is_not_so():
    population = Population.of([1] * 1000)
    leaky = residual([read(n, () if n % 5 == 0 else GOLD) for n in range(50)], population)
    needed = notes_needed(leaky.all, population, 0.1, per="note")
    assert needed.as_now is None
    assert needed.none_leak < 60
    assert notes_needed(leaky.all, population, 0.3, per="note").as_now > 60


def test_the_intervals_cover_populations_of_patients():
    """50 of 600 notes are read: patients have few or many notes, and names that are missed in all of them."""
    draw, covered = random.Random(3), {"identifier": 0, "note": 0, "patient": 0}
    for _ in range(100):
        notes, sizes = [], []
        for patient in range(120):
            sizes.append(draw.choice((1, 1, 2, 6, 15)))
            missed = draw.random() < 0.04
            for _ in range(sizes[-1]):
                found = GOLD if draw.random() > 0.05 else (LEE, AGAIN)
                notes.append(read(len(notes), (MAY,) if missed else found, str(patient)))
        population = Population.of(sizes)
        leaks = [3 - len(note.pair.found) for note in notes]
        leaky = {note.patient for note, leaked in zip(notes, leaks, strict=True) if leaked}
        estimate = residual(draw.sample(notes, 50), population).all
        for name, share, true in (
            ("identifier", estimate.per_identifier, sum(leaks) / (3 * len(notes))),
            ("note", estimate.per_note, sum(map(bool, leaks)) / len(notes)),
            ("patient", estimate.per_patient, len(leaky) / len(sizes)),
        ):
            covered[name] += share.low <= true <= share.high
    assert min(covered.values()) >= 93, covered


def test_the_intervals_cover_what_stays_unread_when_doubtful_notes_are_read_first():
    """40 of 400 notes are the sample; of the others, the more doubtful half is read and leaks more."""
    draw, covered, plain = random.Random(5), {"identifier": 0, "note": 0}, 0
    for _ in range(100):
        notes = []
        for number in range(400):
            doubt = draw.random()
            found = tuple(span for span in GOLD if draw.random() > doubt * doubt / 2)
            notes.append((doubt, read(number, found, str(number // 3))))
        draw.shuffle(notes)
        sample, others = notes[:40], sorted(notes[40:], key=lambda note: -note[0])
        unread = others[180:]
        population = Population.of([1] * len(unread))
        weights = stands_for([doubt for doubt, _ in sample], [doubt for doubt, _ in unread])
        weighted = [Read(note.pair, note.patient, w) for (_, note), w in zip(sample, weights, strict=True)]
        estimate = residual(weighted, population, apart=True).all
        leaks = [3 - len(note.pair.found) for _, note in unread]
        for name, share, true in (
            ("identifier", estimate.per_identifier, sum(leaks) / (3 * len(leaks))),
            ("note", estimate.per_note, sum(map(bool, leaks)) / len(leaks)),
        ):
            covered[name] += share.low <= true <= share.high
        rate = residual([note for _, note in sample], population, apart=True).all.per_identifier
        plain += rate.low <= sum(leaks) / (3 * len(leaks)) <= rate.high
    assert min(covered.values()) >= 93, covered
    assert plain < 60  # without weights, the notes that were read speak for those that were not


def test_counts_are_those_of_the_sample_whatever_it_stands_for():
    pair = read(1, (LEE,)).pair
    rates = residual(
        [Read(pair, None, 1.5), Read(read(2, GOLD).pair, None, 0.5)], Population.of([1] * 10)
    ).all
    assert (rates.identifiers, rates.leaked, rates.leaking_notes, rates.notes) == (6, 2, 1, 2)
    assert rates.per_note.value == 0.75
