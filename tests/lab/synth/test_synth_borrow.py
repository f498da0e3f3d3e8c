"""Borrowing: what stands after the same word elsewhere, in the case of what it replaces."""

from itertools import islice
from random import Random

import pytest

from plainsight.document import Document, Span
from plainsight.formats.inline import parse
from plainsight.lab.synth.resample import Lender, Resampler

JOBS = ("cab", "school bus", "forklift", "Zamboni", "TRUCK ROUTE")


def note(text):
    return Document(text, *parse(text))


def lender():
    drives = [note(f"He drives a {{{{PROFESSION|{job}}}}}.") for job in JOBS]
    beds = [
        note(f"moved to {{{{HOSPITAL|{place}}}}}") for place in ("4N02", "bed 6", "7 West", "Pod 3", "12B")
    ]
    homes = [
        note(f"back to {{{{HOSPITAL|{place}}}}}")
        for place in ("Larkmoor", "St. Odo", "Tern", "Ash Lodge", "QVH")
    ]
    return Lender([*drives, *beds, *homes])


def lent(text, seed=0):
    (span,) = (document := note(text)).spans
    return lender().lend(document.text, span, Random(seed))


def test_only_what_stands_after_the_same_word_is_lent():
    made = {lent("she drives a {{PROFESSION|van}}", seed) for seed in range(60)}
    assert made == {job.lower() for job in JOBS}
    assert lent("she teaches {{PROFESSION|third grade}}") is None
    assert lent("he drives a {{ORGANIZATION|van}}") is None  # another label


def test_places_with_digits_are_told_from_those_without():
    assert {lent("went to {{HOSPITAL|Mercy}}", seed) for seed in range(60)} == {
        "Larkmoor",
        "St. Odo",
        "Tern",
        "Ash Lodge",
        "QVH",
    }
    assert all(any(map(str.isdigit, lent("went to {{HOSPITAL|6C}}", seed))) for seed in range(20))


@pytest.mark.parametrize(
    ("own", "wanted"),
    [("van", str.islower), ("VAN ROUTE", str.isupper), ("Van", lambda made: made[0].isupper())],
)
def test_what_is_lent_is_written_like_what_it_replaces(own, wanted):
    assert all(wanted(lent(f"drives a {{{{PROFESSION|{own}}}}}", seed)) for seed in range(30))


def test_names_and_dates_are_never_lent():
    notes = [note(f"seen by {{{{DOCTOR|{name}}}}}") for name in ("Ash", "Bo", "Cy", "Di", "Ed", "Flo")]
    assert Lender(notes).lend("seen by Gus", Span(8, 11, "DOCTOR"), Random(1)) is None


def test_a_job_that_nothing_fits_stays_in_resampled_notes():
    documents = [note("She teaches {{PROFESSION|third grade}} near {{CITY|Denver}}.")]
    made = [it.text for it in islice(Resampler(documents, lender=lender()).notes(), 8)]
    assert all(text.startswith("She teaches third grade near ") for text in made)
    assert not any("Denver" in text for text in made)


def test_one_identifier_is_exchanged_for_one_wherever_it_stands():
    documents = [note("Back to {{HOSPITAL|Mercy}}. Then to {{HOSPITAL|Mercy}}, again to {{HOSPITAL|Mercy}}.")]
    for made in islice(Resampler(documents, lender=lender(), seed=2).notes(), 12):
        assert len({made.text[span.start : span.end] for span in made.spans}) == 1
