"""Agreement of annotators, in notes so small that it can be worked out by hand."""

from __future__ import annotations

import pytest
from marked_pairs import pair

from plainsight.evaluate.agreement import agreement, audit, cohen_kappa, token_labels


def test_kappa() -> None:
    # 20 yes/yes, 5 yes/no, 10 no/yes, 15 no/no: agreed 35/50 = .7; by chance .5*.6 + .5*.4 = .5; .2/.5
    first = ["yes"] * 25 + ["no"] * 25
    second = ["yes"] * 20 + ["no"] * 5 + ["yes"] * 10 + ["no"] * 15
    assert cohen_kappa(first, second) == pytest.approx(0.4)
    assert cohen_kappa("ABC", "ABC") == 1
    assert cohen_kappa("AB", "BA") == -1  # agreed 0, by chance 1/2
    assert cohen_kappa("AABB", "ABAB") == 0  # agreed 1/2, by chance 1/2
    assert cohen_kappa("AAA", "AAA") is None  # by chance alone
    assert cohen_kappa("", "") is None
    with pytest.raises(ValueError, match="the same items"):
        cohen_kappa("A", "AB")


def test_kappa_between_two_annotators_of_a_note() -> None:
    # Ann Roe on May: P P O D and P O O D: agreed 3/4; by chance (2*1 + 1*2 + 1*1)/16 = 5/16; (7/16)/(11/16)
    note = pair("{{PATIENT|Ann Roe}} on {{DATE|May}}", "{{PATIENT|Ann}} Roe on {{DATE|May}}")
    labels = [token_labels(note.text, side) for side in (note.gold, note.found)]
    assert cohen_kappa(*labels) == pytest.approx(7 / 11)


# Ann Roe on May at Elm:  gold P P O D O H,  found P O O D D P
NOTE = pair(
    "{{PATIENT|Ann Roe}} on {{DATE|May}} at {{HOSPITAL|Elm}}",
    "{{PATIENT|Ann}} Roe on {{DATE|May}} {{DATE|at}} {{PATIENT|Elm}}",
)


def test_agreement_with_labels_and_without() -> None:
    found = agreement([NOTE])
    assert found.tokens == 6
    # agreed Ann, on, May: 3/6; by chance P 2*2 + O 2*2 + D 1*2 + H 1*0 = 10/36; (18/36 - 10/36)/(26/36)
    assert found.kappa == pytest.approx(8 / 26)
    # marked or not: agreed all but Roe and at, 4/6; by chance 4*4 + 2*2 = 20/36; (24 - 20)/(36 - 20)
    assert found.kappa_marked == pytest.approx(4 / 16)
    assert agreement([pair("well", "well")]).kappa is None  # by chance alone


def test_errors_on_which_annotators_disagree() -> None:
    # wrong are Roe (P, O), at (O, D) and Elm (H, P); the second annotator differs from gold at Roe and Elm
    second = pair(
        "{{PATIENT|Ann Roe}} on {{DATE|May}} at {{HOSPITAL|Elm}}",
        "{{PATIENT|Ann}} Roe on {{DATE|May}} at {{CITY|Elm}}",
    )
    found = audit([NOTE], [second])
    assert (found.errors, found.ambiguous, found.ambiguous_share) == (3, 2, pytest.approx(2 / 3))
    # on those three gold says P O H, the second O O C: agreed 1/3; by chance O 1*2 = 2/9; (3 - 2)/(9 - 2)
    assert found.kappa_on_errors == pytest.approx(1 / 7)
    # over all six: agreed 4/6; by chance P 2*1 + O 2*3 + D 1*1 = 9/36; (24 - 9)/(36 - 9)
    assert found.annotators.kappa == pytest.approx(15 / 27)
    assert found.to_json()["annotators"]["tokens"] == 6
    with pytest.raises(ValueError, match="the same notes"):
        audit([NOTE], [])


def test_a_system_without_errors_leaves_nothing_to_audit() -> None:
    same = pair("{{AGE|70}}", "{{AGE|70}}")
    found = audit([same], [same])
    assert (found.errors, found.ambiguous_share, found.kappa_on_errors) == (0, None, None)
