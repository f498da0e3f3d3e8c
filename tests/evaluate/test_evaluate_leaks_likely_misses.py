"""Likely misses: rare words that nobody marked, and how good the list is."""

from __future__ import annotations

import pytest
from marked_pairs import pair

from plainsight.document import Span
from plainsight.evaluate.leaks import likely_misses, list_quality
from plainsight.evaluate.pairs import Pair


def test_likely_misses_are_rare_capitalised_words_that_nobody_marked() -> None:
    text = "Seen by Quillerby and Müllerová at Hospital with X9 Zq quillerby; Okafornia called"
    note = Pair("n", text, (Span(8, 17, "DOCTOR"),), (Span(67, 76, "CITY"),))
    assert text[67:76] == "kafornia "  # half of a word is enough
    listed = likely_misses([note])
    # Seen and Hospital are common, X9 is no word, Zq too short, quillerby no name by its looks
    assert [text[entry.start : entry.end] for entry in listed] == ["Quillerby", "Müllerová"]
    assert [entry.bits for entry in listed] == pytest.approx([26.575, 26.575], abs=0.001)  # 8 * 3.3219
    assert [entry.leaks for entry in listed] == [True, False]
    # Elm stands at Zipf 3.4: 5.6 * 3.3219 = 18.60 bits
    elm = pair("{{CITY|Elm}}", "Elm")
    assert [len(likely_misses([elm], least_bits=least)) for least in (18.5, 18.7)] == [1, 0]


def test_how_good_the_list_is() -> None:
    # leaked: Quillerby and 70; listed: Quillerby and Vexorin, a drug that no list has, unlike Lisinopril
    notes = [
        pair("{{DOCTOR|Quillerby}} gave Vexorin, Lisinopril", "Quillerby gave Vexorin, Lisinopril"),
        pair("aged {{AGE|70}}, {{PATIENT|Okafornia}}", "aged 70, {{PATIENT|Okafornia}}", name="2"),
    ]
    found = list_quality(notes)
    assert (found["listed"], found["leaks"], found["leaked"]) == (2, 1, 2)
    assert (found["precision"], found["recall"]) == (0.5, 0.5)
    nothing = list_quality([pair("well", "well")])
    assert nothing == {"listed": 0, "leaks": 0, "leaked": 0, "precision": None, "recall": None}
