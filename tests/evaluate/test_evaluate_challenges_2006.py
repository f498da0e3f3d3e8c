"""The 2006 challenge's token F, worked out by hand."""

from __future__ import annotations

import pytest
from marked_pairs import pair

from plainsight.evaluate.agreement import token_labels
from plainsight.evaluate.challenges import i2b2_2006

#        Ann      Roe      saw  Coe     on    3     May
# gold   PATIENT  PATIENT  O    DOCTOR  O     DATE  DATE
# found  PATIENT  O        O    DOCTOR  DATE  DATE  DATE
NOTE = pair(
    "{{PATIENT|Ann Roe}} saw {{DOCTOR|Coe}} on {{DATE|3 May}}",
    "{{PATIENT|Ann}} Roe saw {{DOCTOR|Coe}} {{DATE|on 3 May}}",
)


def test_unmarked_tokens_count() -> None:
    # PATIENT P 1/1 R 1/2 F 2/3; DOCTOR F 1; DATE P 2/3 R 2/2 F 4/5; O P 1/2 R 1/2 F 1/2
    figures = i2b2_2006([NOTE])
    # weighted by gold tokens: (2*2/3 + 1*1 + 2*4/5 + 2*1/2)/7 = (74/15)/7 = 74/105
    assert figures["f"] == pytest.approx(74 / 105)
    # without O: (4/3 + 1 + 8/5)/5 = (59/15)/5 = 59/75
    assert figures["f_identifiers"] == pytest.approx(59 / 75)
    assert figures["tokens"] == 7
    assert figures["accuracy"] == pytest.approx(5 / 7)


def test_notes_are_added_before_figures_are_made() -> None:
    # a second note of one unmarked token, right: O P 2/3 R 2/3 F 2/3;
    # (4/3 + 1 + 8/5 + 3*2/3)/8 = (89/15)/8 = 89/120
    assert i2b2_2006([NOTE, pair("well", "well")])["f"] == pytest.approx(89 / 120)


def test_a_label_that_only_the_system_uses_has_no_weight() -> None:
    # gold O O, found O AGE: O P 1/1 R 1/2 F 2/3
    figures = i2b2_2006([pair("took 12", "took {{AGE|12}}")])
    assert figures["f"] == pytest.approx(2 / 3)
    assert figures["f_identifiers"] is None


def test_nothing_found() -> None:
    # gold AGE O, found O O: AGE F 0; O P 1/2 R 1/1 F 2/3; (0 + 2/3)/2
    figures = i2b2_2006([pair("{{AGE|12}} now", "12 now")])
    assert figures["f"] == pytest.approx(1 / 3)
    assert figures["f_identifiers"] == 0


def test_no_tokens() -> None:
    figures = i2b2_2006([pair("{{X|--}}", "--")])
    assert (figures["f"], figures["f_identifiers"], figures["tokens"], figures["accuracy"]) == (
        None,
        None,
        0,
        None,
    )


def test_a_token_has_the_label_of_the_first_span_that_touches_it() -> None:
    # McRoe: a mark that covers half a token labels it; City is in both marks, the hospital begins first
    half = pair(
        "Mc{{PATIENT|Roe}} in {{HOSPITAL|Elm City}} at 3",
        "McRoe in Elm City at 3",
        also_gold=[(13, 17, "CITY")],
    )
    assert token_labels(half.text, half.gold) == ["PATIENT", "O", "HOSPITAL", "HOSPITAL", "O", "O"]
    # the spans may come in any order
    assert token_labels(half.text, half.gold[::-1]) == token_labels(half.text, half.gold)
    # letters beyond ASCII are no tokens: Zo and nal
    name = pair("{{PATIENT|Zoë}} Ünal", "Zoë Ünal")
    assert token_labels(name.text, name.gold) == ["PATIENT", "O"]
