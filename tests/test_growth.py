"""A text four times as long takes about four times as long, however odd it is."""

import random
import time

import pytest

import plainsight
from plainsight.document import Document

PIECES = ["www.", "1-1-", "1.", "7", "a@", "1/", "(", "Mr. Smith ", "MRN 12 ", "12 St. ", "a-", "'a"]


def distinct(size):
    """A text of names, numbers and hospitals that are all different."""
    drawn = random.Random(1)

    def word():
        return "".join(drawn.choice("abcdefghijklmnoprstuvw") for _ in range(7)).title()

    made = [
        f"Mr. {word()} {word()}, MRN {drawn.randrange(10**8)}, {word()} Hospital. " for _ in range(size // 50)
    ]
    return "".join(made)[:size]


@pytest.fixture(scope="module")
def pipeline():
    pipeline = plainsight.load("fast", key=bytes(32))
    list(pipeline.deidentify([Document("warm-up", "Seen by Dr. Okafor on 3/4/2019.")]))
    return pipeline


@pytest.mark.parametrize("text", [*(piece * 12_000 for piece in PIECES), distinct(12_000)])
def test_time_grows_with_length(pipeline, text):
    seconds = []
    for size in (3_000, 12_000):
        began = time.process_time()
        list(pipeline.deidentify([Document("1", text[:size], (), "p")]))
        seconds.append(time.process_time() - began)
    assert seconds[1] < 8 * max(seconds[0], 0.05)  # quadratic code would take sixteen times as long
