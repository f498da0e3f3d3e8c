from plainsight.document import Span
from plainsight.site.known import AS_WRITTEN, sentences_of
from plainsight.site.settle import READINGS, Settling

TEXT = "Magda is down.\n"


def settled(readings: list[list[Span]], possible: list[Span] | None = None, text: str = TEXT) -> dict:
    settling = Settling({sentence.text: 10 for sentence in sentences_of(text)})
    for spans in readings:
        settling.add(sentences_of(text), spans, possible or [])
    return settling.result()


NAME = Span(0, 5, "DOCTOR", 0.7, "cascade")


def test_three_equal_readings_settle_a_sentence() -> None:
    assert settled([[], []]) == {}
    assert settled([[], [], []]) == {"Magda is down.": ((), ())}


def test_readings_that_differ_vote_and_half_is_enough() -> None:
    few, enough = [[NAME]] * (READINGS // 2 - 1), [[NAME]] * (READINGS // 2)
    rest = READINGS // 2
    [(claims, _)] = settled([*enough, *[[]] * rest]).values()
    assert [(claim.start, claim.end, claim.label) for claim in claims] == [(0, 5, "DOCTOR")]
    [(claims, _)] = settled([*few, *[[]] * (rest + 1)]).values()
    assert claims == ()
    assert settled([[NAME], [], []]) == {}  # too few to vote


def test_the_label_of_most_readings_counts_with_the_highest_score() -> None:
    other = Span(0, 5, "PATIENT", 0.9, "cascade")
    surer = Span(0, 5, "DOCTOR", 0.8, "cascade")
    [(claims, _)] = settled([[other], [other], *[[NAME], [surer]] * 3]).values()
    assert [(claim.label, claim.score) for claim in claims] == [("DOCTOR", 0.8)]


def test_a_sentence_with_a_claim_across_its_edge_or_without_a_word_is_never_settled() -> None:
    crossing = [Span(0, 20, "STREET", 0.9, "patterns.street")]
    assert settled([crossing] * 9, text="12 Main Street\nBoston is near.\n") == {}
    assert settled([[]] * 9, text="12/13/14\n") == {}


def test_a_single_word_that_is_read_differently_is_never_settled() -> None:
    assert settled([*[[NAME]] * 4, *[[]] * 4], text="Magda\n") == {}
    assert list(settled([[NAME]] * 4, text="Magda\n")) == ["Magda"]


def test_the_possible_identifiers_of_the_most_doubtful_reading_are_kept() -> None:
    settling = Settling({"Magda is down.": 10})
    for score in (0.02, 0.3, 0.05):
        settling.add(sentences_of(TEXT), [], [Span(0, 5, "DOCTOR", score, "cascade")])
    [(_, possible)] = settling.result().values()
    assert [token.score for token in possible] == [0.3]


def test_a_sentence_with_a_number_that_nothing_claims_is_settled_with_its_very_digits_only() -> None:
    for text in ("The level was 25/20 again.\n", "Seen in 9876 by us.\n"):
        assert settled([[]] * 3, text=text) == {AS_WRITTEN + text.strip(): ((), ())}
    age = Span(4, 6, "AGE", 0.9, "patterns.age")
    assert list(settled([[age]] * 3, text="Now 45 years old.\n")) == ["Now 00 years old."]
    assert list(settled([[]] * 3, text="Take 1 tablet by mouth.\n")) == ["Take 0 tablet by mouth."]


def test_readings_with_other_digits_do_not_count() -> None:
    settling = Settling({"The level was 00/00 again.": 10})
    for number in ("25/20", "25/20", "10/12", "25/21", "20/00"):
        settling.add(sentences_of(f"The level was {number} again.\n"), [], [])
    assert settling.result() == {}
    settling.add(sentences_of("The level was 25/20 again.\n"), [], [])
    assert list(settling.result()) == [AS_WRITTEN + "The level was 25/20 again."]


def test_a_line_of_signs_is_settled() -> None:
    assert list(settled([[]] * 3, text="! . . . !\n")) == ["! . . . !"]
