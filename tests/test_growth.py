"""A text four times as long takes about four times as long, however odd it is."""

import random
import time

import pytest

import plainsight
from plainsight.detect.patterns import rules
from plainsight.document import Document

PIECES = ["www.", "1-1-", "1.", "7", "a@", "1/", "(", "Mr. Smith ", "MRN 12 ", "12 St. ", "a-", "'a"]


def distinct(size, form="Mr. {} {}, MRN {}, {} Hospital. "):
    """A text of names, numbers and hospitals that are all different."""
    drawn = random.Random(1)

    def word():
        return "".join(drawn.choice("abcdefghijklmnoprstuvw") for _ in range(7)).title()

    made = [form.format(word(), word(), drawn.randrange(10**8), word()) for _ in range(size // 20)]
    return "".join(made)[:size]


@pytest.fixture(scope="module")
def pipeline():
    pipeline = plainsight.load("fast", key=bytes(32))
    list(pipeline.deidentify([Document("warm-up", "Seen by Dr. Okafor on 3/4/2019.")]))
    return pipeline


@pytest.mark.server  # takes long
@pytest.mark.parametrize(
    "text", [*(piece * 12_000 for piece in PIECES), distinct(12_000), distinct(12_000, "Mr. {} {}. ")]
)
def test_time_grows_with_length(pipeline, text):
    seconds = []
    for size in (3_000, 12_000):
        began = time.process_time()
        list(pipeline.deidentify([Document("1", text[:size], (), "p")]))
        seconds.append(time.process_time() - began)
    assert seconds[1] < 8 * max(seconds[0], 0.05)  # quadratic code would take sixteen times as long


@pytest.mark.server  # takes long
@pytest.mark.parametrize(
    "text", [distinct(54_000), "Mr. Ernest Okafor, MRN 44718829, at Mercy Hospital on 3/4/2019. " * 900]
)
def test_time_grows_with_the_notes_of_a_patient(pipeline, text):
    seconds = []
    for count in (150, 600):
        notes = [Document(str(at), text[60 * at : 60 * at + 60], (), "p") for at in range(count)]
        began = time.process_time()
        list(pipeline.deidentify(notes))
        seconds.append(time.process_time() - began)
    assert seconds[1] < 8 * max(seconds[0], 0.05)


def test_a_scan_reads_no_further_than_a_shape_can_reach():
    [rule] = [rule for rule in rules("en_US") if rule.name == "contact"]
    seconds = []
    for size in (40_000, 160_000):
        began = time.process_time()
        rule.candidates(b"1." * (size // 2))
        seconds.append(time.process_time() - began)
    assert seconds[1] < 8 * max(seconds[0], 0.05)


def test_windows_do_not_change_what_a_scan_finds():
    drawn = random.Random(2)
    pieces = [
        *(piece.encode() for piece in PIECES),
        b" 617-555-0142 ",
        b" 3/4/2019 ",
        b"a@b.org ",
        b"\n",
        b"well ",
    ]
    text = b"".join(drawn.choice(pieces) * drawn.randrange(1, 9) for _ in range(8_000))
    for rule in rules("en_US"):
        assert rule.candidates(text) == [found.span() for found in rule.scanner.finditer(text)]
