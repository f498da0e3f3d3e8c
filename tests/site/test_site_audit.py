"""The estimate of what still leaks: by hand, and never without an interval that could be wrong."""

from __future__ import annotations

import pytest

from plainsight.document import Span
from plainsight.evaluate.pairs import Pair
from plainsight.site.audit import audit

TEXT = "Ann Lee saw Bob"
GOLD = (Span(0, 7, "PATIENT"), Span(12, 15, "DOCTOR"))


def test_by_hand():
    clean = Pair("1", TEXT, GOLD, GOLD)
    leaky = Pair("2", TEXT, GOLD, (Span(0, 7, "PATIENT"), Span(8, 11, "DATE")))
    result = audit([clean, leaky])
    assert result.notes == 2
    assert result.leaking_notes.value == 0.5
    assert result.leaked.value == pytest.approx(1 / 6)
    assert (result.strict.missed, result.strict.wrong) == (1, 1)
    assert (result.token.missed, result.token.wrong) == (1, 1)
    assert result.leaked.low is not None
    assert result.leaked.high is not None
    assert result.leaked.low <= 1 / 6 <= result.leaked.high


def test_no_leak_in_the_sample_is_no_proof():
    result = audit([Pair(str(n), TEXT, GOLD, GOLD) for n in range(20)])
    assert result.leaked.value == 0
    assert result.leaked.low == 0
    assert 0.03 < result.leaked.high < result.leaking_notes.high  # of 60 tokens, and of 20 notes
    assert result.leaking_notes.high == pytest.approx(0.168, abs=0.001)
