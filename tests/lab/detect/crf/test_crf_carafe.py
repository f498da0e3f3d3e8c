"""Carafe's features, one by one as published."""

import pytest

from plainsight.document import Document
from plainsight.lab.detect.crf.carafe import regexes, shapes
from plainsight.lab.detect.crf.feature_sets import feature_set
from plainsight.lab.detect.crf.notes import Note, read_notes


def features(text: str, name: str) -> list[set[str]]:
    """Return what each token's features are, with their template and offset."""
    chosen = feature_set(name)
    [note] = read_notes([Document("1", text)], [[]], tokens=chosen.tokens)
    return [at(note, chosen.templates, place) for place in range(len(note.tokens))]


def at(note: Note, templates, place: int) -> set[str]:
    return {
        f"{template.name}{offset:+d} {feature}"
        for template in templates
        for offset in template.offsets
        if 0 <= place + offset < len(note.tokens)
        for feature in template.features(template.values(note)[place + offset])
    }


@pytest.mark.parametrize(
    ("token", "wanted"),
    [
        ("Jones", "INITCAP CAPS_MIX ALPHA_NUM"),
        ("MGH", "INITCAP ALLCAPS CAPS_MIX ALPHA_NUM"),
        ("7", "HAS_DIGIT SINGLE_DIGIT NAT_NUM ALPHA_NUM"),
        ("14", "HAS_DIGIT DOUBLE_DIGIT NAT_NUM ALPHA_NUM"),
        ("1997", "HAS_DIGIT FOUR_DIGIT NAT_NUM REAL_NUM ALPHA_NUM"),
        ("3.5", "HAS_DIGIT REAL_NUM"),
        ("K4471829", "INITCAP HAS_DIGIT ALPHA_NUM"),
        ("x-ray", "HAS_DASH"),
        ("--", "HAS_DASH PUNCTUATION"),
    ],
)
def test_shapes(token, wanted):
    assert shapes(token) == wanted.split()


@pytest.mark.parametrize(
    ("token", "wanted"),
    [
        ("555-1234", {"PHONE_REG1", "HAS_DASH_NUM_ALPHA", "NO_VOWELS"}),
        ("617-555-0142", {"PHONE_REG2", "HAS_DASH_NUM_ALPHA", "NO_VOWELS"}),
        ("617-555-014", {"HAS_DASH_NUM_ALPHA", "NO_VOWELS"}),
        ("02139", {"FIVE_DIGIT", "DIGITS_5", "NO_VOWELS"}),
        ("4471829", {"DIGITS_7", "NO_VOWELS"}),
        ("K4471829", {"MIXED", "NO_VOWELS"}),
        ("S95-1234A", {"MIXED", "HAS_DASH_NUM_ALPHA"}),
        ("x-ray", set()),
        ("mgh", {"NO_VOWELS"}),
        ("/", {"DATE_SEP", "NO_VOWELS"}),
    ],
)
def test_regular_expressions(token, wanted):
    assert set(regexes(token)) == wanted


def test_the_baseline_looks_at_words_pairs_affixes_and_shapes():
    here = features("seen by Dr. Jones at Salem today", "carafe-i")[3]
    assert here == {
        *("word-2 w=by", "word-1 w=Dr.", "word+0 w=Jones", "word+1 w=at", "word+2 w=Salem"),
        *("pair-1 Dr. Jones", "pair-2 by Dr.", "pair+1 at Salem", "around+0 Dr. at"),
        *("token+0 p1=J", "token+0 p2=Jo", "token+0 s1=s", "token+0 s2=es"),
        *("token+0 INITCAP", "token+0 CAPS_MIX", "token+0 ALPHA_NUM"),
    }


def test_the_sets_add_to_one_another():
    text = "no one two three of Ohio in March four five"
    base, lexicon, context, everything = (
        features(text, name)[5] for name in ("carafe-i", "carafe-i+l", "carafe-i+rc", "carafe-all")
    )
    assert base < lexicon < everything
    assert base < context < everything
    assert lexicon | context == everything
    assert lexicon - base == {"list+0 us-state"}
    assert {"affix-3 p2=tw", "affix+2 s1=h", "far-4 w=one", "far-3 w=two", "far+4 w=five"} <= context
    assert {"farpair-3 two three", "farpair+0 Ohio in", "farpair+2 March four"} <= context


def test_hospitals_and_addresses_of_several_tokens():
    found = features("at Salem Mercy General Hospital for", "carafe-all")
    inside = [{f for f in here if f.startswith("pattern")} for here in found]
    assert inside[0] == inside[5] == set()
    assert inside[4] == {"pattern+0 HOSPITAL_1", "pattern+0 HOSPITAL_2", "pattern+0 HOSPITAL_3"}
    assert inside[1] == {"pattern+0 HOSPITAL_3"}
    for place in ("Health Care Center", "Medical Center", "Morgue"):
        assert "pattern+0 HOSPITAL_1" in features(f"Mercy {place}", "carafe-all")[-1]
    for text in ("12 Elm Dr., Salem, Massachusetts, 02139", "lives 12 Elm Blvd. Salem, MA 02139 now"):
        found = features(text, "carafe-all")
        assert "pattern+0 ADDRESS" in found[text.split().index("Elm")]
    assert not any("ADDRESS" in f for here in features("12 Elm trees, Salem", "carafe-all") for f in here)


def test_the_lexicon_knows_states_months_and_english_words():
    found = features("New York in march Brigham wandering Kowalczyk", "carafe-i+l")
    lists = [{f.removeprefix("list+0 ") for f in here if f.startswith("list")} for here in found]
    assert lists[0] >= {"us-state"}
    assert lists[1] >= {"us-state"}
    assert lists[3] >= {"month", "english"}
    assert lists[5] == {"english"}
    assert lists[6] == set()
