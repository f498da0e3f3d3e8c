import string
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plainsight import registry
from plainsight.combine import PRECEDENCE, combine
from plainsight.document import Span
from plainsight.labels import LABELS

TEXT = "Seen by Dr. John Smith on May 5, 2019 at Boston Medical Center."


def span(words: str, label: str, source: str = "crf", score: float = 0.9) -> Span:
    start = TEXT.index(words)
    return Span(start, start + len(words), label, score, source)


def shown(spans: tuple[Span, ...]) -> list[tuple[str, str]]:
    return [(TEXT[s.start : s.end], s.label) for s in spans]


def test_a_lone_claim_stands_as_it_is():
    claim = span("John Smith", "DOCTOR")
    assert combine([claim], TEXT) == (claim,)
    assert combine([claim], TEXT)[0].claims == ()


def test_the_same_claim_twice_is_one_span():
    claim = span("John Smith", "DOCTOR")
    assert combine([claim, claim], TEXT) == (claim,)


def test_equal_extents_go_by_precedence_and_keep_all_claims():
    learned, record = span("John Smith", "DOCTOR"), span("John Smith", "PATIENT", "patient.name", 0.8)
    (found,) = combine([learned, record], TEXT)
    assert (found.label, found.source, found.score) == ("PATIENT", "patient.name", 0.9)
    assert set(found.claims) == {learned, record}


def test_precedence_can_be_given():
    learned, record = span("John Smith", "DOCTOR"), span("John Smith", "PATIENT", "patient")
    assert combine([learned, record], TEXT, precedence=("crf", "patient"))[0].label == "DOCTOR"


def test_every_built_in_detector_has_a_place_in_the_precedence():
    assert sorted(PRECEDENCE) == sorted(registry.BUILT_IN["detectors"])


def test_overlaps_of_one_category_are_merged():
    found = combine([span("John Smith", "DOCTOR"), span("Smith on", "PATIENT", score=0.5)], TEXT)
    assert shown(found) == [("John Smith on", "DOCTOR")]


def test_the_weaker_claim_of_another_category_keeps_its_rest():
    found = combine([span("John Smith", "DOCTOR"), span("Smith on May", "DATE", "patterns", 0.2)], TEXT)
    assert shown(found) == [("John Smith", "DOCTOR"), ("on May", "DATE")]


def test_a_sure_claim_of_a_detector_with_precedence_keeps_its_edges():
    record = span("John Smith", "PATIENT", "patient.name", 1.0)
    longer = span("John Smith on May 5, 2019 at Boston Medical Center", "HOSPITAL", "crf", 0.6)
    assert shown(combine([record, longer], TEXT)) == [
        ("John Smith", "PATIENT"),
        ("on May 5, 2019 at Boston Medical Center", "HOSPITAL"),
    ]


def test_precedence_settles_overlaps_of_two_sure_claims():
    record = span("John Smith", "PATIENT", "patient.name", 1.0)
    longer = span("Smith on May 5, 2019", "DATE", "patterns", 1.0)
    assert shown(combine([record, longer], TEXT)) == [("John Smith", "PATIENT"), ("on May 5, 2019", "DATE")]


def test_a_sure_claim_without_precedence_or_an_unsure_one_with_it_goes_by_evidence():
    sure = span("John Smith", "PATIENT", "crf", 1.0)
    longer = span("Smith on May 5, 2019", "DATE", "patterns", 0.9)
    assert shown(combine([sure, longer], TEXT))[1] == ("Smith on May 5, 2019", "DATE")
    unsure = span("John Smith", "PATIENT", "patient", 0.9)
    assert shown(combine([unsure, longer], TEXT))[1] == ("Smith on May 5, 2019", "DATE")


def test_a_longer_claim_outweighs_a_shorter_inside_it():
    found = combine([span("Boston", "CITY", score=1.0), span("Boston Medical Center", "HOSPITAL")], TEXT)
    assert shown(found) == [("Boston Medical Center", "HOSPITAL")]


def test_a_bridge_between_two_of_its_kind_leaves_both():
    claims = [
        span("John", "DOCTOR", score=1.0),
        span("Smith", "DOCTOR", score=1.0),
        Span(TEXT.index("ohn"), TEXT.index("mith"), "PATIENT", 0.1, "x"),
    ]
    assert [(TEXT[s.start : s.end]) for s in combine(claims, TEXT)] == ["John", "Smith"]


def test_routes_reserve_a_label():
    claims = [span("May 5, 2019", "DATE", "patterns"), span("Boston", "DATE", "crf")]
    assert shown(combine(claims, TEXT, routes={"DATE": frozenset({"patterns"})})) == [("May 5, 2019", "DATE")]


def test_a_threshold_drops_what_its_detector_is_not_sure_of():
    claims = [
        span("May 5, 2019", "DATE", "patterns", score=0.5),
        span("Boston", "CITY", "crf", score=0.5),
    ]
    assert shown(combine(claims, TEXT, thresholds={"crf": 0.6})) == [("May 5, 2019", "DATE")]
    assert len(combine(claims, TEXT, thresholds={"crf": 0.5})) == 2


def test_what_is_not_sure_enough_still_seconds_others():
    claims = [span("Boston", "CITY", "transformer"), span("Boston", "HOSPITAL", "crf", 0.5)]
    [found] = combine(claims, TEXT, thresholds={"crf": 0.6})
    assert found.label == "CITY"
    assert {claim.detector for claim in found.claims} == {"transformer", "crf"}


def test_vote_counts_detectors_not_claims():
    claims = [
        span("John Smith", "DOCTOR", "crf.title"),
        span("Smith", "DOCTOR", "crf.surname"),
        span("May 5", "DATE", "patterns.date"),
        span("May 5, 2019", "DATE", "crf"),
    ]
    assert shown(combine(claims, TEXT, vote=2)) == [("May 5, 2019", "DATE")]
    assert combine(claims, TEXT, vote=3) == ()


@st.composite
def texts_and_claims(draw: st.DrawFn) -> tuple[str, list[Span]]:
    text = draw(st.text(alphabet=string.ascii_letters + "0 .,-é漢", min_size=1, max_size=40))
    count = draw(st.integers(0, 12))
    claims = []
    for _ in range(count):
        start = draw(st.integers(0, len(text) - 1))
        end = draw(st.integers(start + 1, len(text)))
        label, source = draw(st.sampled_from(LABELS)), draw(st.sampled_from(["patterns", "crf.x", "zeta"]))
        claims.append(Span(start, end, label, draw(st.sampled_from([0.1, 0.5, 1.0])), source))
    return text, claims


@given(texts_and_claims())
def test_union_never_uncovers_a_letter_and_never_overlaps(case):
    text, claims = case
    spans = combine(claims, text)
    assert all(a.end <= b.start for a, b in pairwise(spans))
    covered = {i for s in spans for i in range(s.start, s.end)}
    claimed = {i for c in claims for i in range(c.start, c.end)}
    assert {i for i in claimed if text[i].isalnum()} <= covered <= claimed
    assert combine(reversed(claims), text) == spans
    for s in spans:
        assert set(s.claims) <= set(claims)
        assert s.claims or s in claims


@given(texts_and_claims(), st.integers(2, 3))
def test_a_vote_keeps_only_what_enough_detectors_touch(case, vote):
    text, claims = case

    def touched_by(s: Span) -> set[str]:
        return {c.detector for c in claims if c.start < s.end and s.start < c.end}

    standing = [c for c in claims if len(touched_by(c)) >= vote]
    assert combine(claims, text, vote=vote) == combine(standing, text)


@pytest.mark.parametrize("text", ["", "abc"])
def test_nothing_proposed_is_nothing_found(text):
    assert combine([], text) == ()
