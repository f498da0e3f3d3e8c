"""The distinguisher on numbers, places and organisations."""

import random

import pytest

from plainsight.document import Document
from plainsight.formats.inline import parse
from plainsight.lab.attack.distinguisher import distinguish
from plainsight.lab.attack.identifier_features import features_of
from plainsight.lab.attack.release import KINDS, with_missed

TOWNS = ("Bangor", "Dayton", "Fresno", "Tulsa", "Omaha", "Boise", "Salem", "Reno")


def notes(count=30):
    chance = random.Random(4)
    made = []
    for number in range(count):
        phone = f"{chance.randrange(201, 990)}-{chance.randrange(200, 999)}-{chance.randrange(1000, 9999)}"
        town = chance.choice(TOWNS)
        text, spans = parse(
            f"Call {{{{PHONE|{phone}}}}} in {{{{CITY|{town}}}}}, {{{{HOSPITAL|{town} Hospital}}}}."
        )
        made.append(Document(f"n{number}", text, spans))
    return made


class Fixed:
    """A stand-in engine with a text for each label."""

    name = "fixed"

    def __init__(self, texts):
        self.texts = texts

    def replace(self, documents):
        return [
            [self.texts[span.label].format(random.Random(f"{d.id}").randrange(10, 99)) for span in d.spans]
            for d in documents
        ]


@pytest.mark.parametrize("kind", ["numbers", "places", "organisations"])
def test_surrogates_that_give_themselves_away(kind):
    texts = {"PHONE": "555-555-01{}", "CITY": "Qzxwv{}", "HOSPITAL": "Zzqpff Qqx {}"}
    looks, _ = distinguish(notes(), kind=kind, share=0.1, seeds=5, make=lambda key, consistency: Fixed(texts))
    assert looks["auc"] > 0.95
    assert looks["kind"] == kind


def test_numbers_with_the_originals_look_are_not_told_apart():
    class Other:
        name = "other"

        def __init__(self, key):
            self.key = key

        def replace(self, documents):
            chance = random.Random(self.key)
            pools = {"PHONE": "{}-{}-{}"}
            return [
                [
                    pools["PHONE"].format(
                        chance.randrange(201, 990), chance.randrange(200, 999), chance.randrange(1000, 9999)
                    )
                    if span.label == "PHONE"
                    else "x"
                    for span in document.spans
                ]
                for document in documents
            ]

    looks, _ = distinguish(
        notes(60), kind="numbers", share=0.1, seeds=20, make=lambda key, consistency: Other(key)
    )
    assert 0.3 < looks["auc"] < 0.7


def test_record_numbers_padded_with_zeros_are_not_told_apart():
    chance = random.Random(5)
    padded = []
    for number in range(150):
        text, spans = parse(f"MRN {{{{MEDICALRECORD|{chance.randrange(10**4, 10**5):08}}}}}")
        padded.append(Document(f"n{number}", text, spans))
    looks, _ = distinguish(padded, kind="numbers", share=0.1, seeds=10)
    assert looks["auc"] < 0.65


def test_lessons_of_other_notes():
    texts = {"PHONE": "555-555-01{}", "CITY": "x", "HOSPITAL": "x"}
    options = {"kind": "numbers", "share": 0.1, "seeds": 5, "make": lambda key, consistency: Fixed(texts)}
    (looks, _) = distinguish(notes(8), lessons=notes(), **options)
    assert looks["auc"] > 0.95
    assert looks["repetitions"] == 5


def test_features_of_numbers():
    features = features_of("PHONE", "(207) 555-0142")
    assert {"PHONE head 207", "PHONE exchange 555", "PHONE line 01"} <= set(features)
    assert "LICENSE luhn True" in features_of("LICENSE", "79927398713")


def test_features_of_places():
    assert "CITY us_cities 6" in features_of("CITY", "Anchorage")
    assert "CITY us_cities -1" in features_of("CITY", "Qzxwv")


def test_kinds_cover_the_labels_they_name():
    assert {"SSN", "PHONE", "EMAIL"} <= set(KINDS["numbers"])


def test_missed_spans_join_those_found():
    text, spans = parse("{{PATIENT|Ann}} and {{PATIENT|Bo}}")
    found = Document("1", text, spans[:1])
    both = with_missed(Document("1", text, spans), found)
    assert [span.source for span in both.spans] == ["", "missed"]
