"""What many patients share: a thousand patients of one site do not give the original away by its absence."""

from collections import Counter

import pytest
from scipy.stats import binom

from plainsight.document import Document, Span
from plainsight.formats.inline import parse
from plainsight.replace.surrogate.operation import Surrogate
from plainsight.replace.surrogate.places.regions import group, neighbours

KEY = bytes(range(32))
PATIENTS = 1000


def released(note: str, *, patients: int = PATIENTS) -> list[list[str]]:
    """Return the surrogates of one note for each of many patients."""
    text, marks = parse(note)
    spans = tuple(Span(mark.start, mark.end, mark.label, 1.0, "gold") for mark in marks)
    documents = [Document(str(n), text, spans=spans, patient_id=str(n)) for n in range(patients)]
    return Surrogate(key=KEY).replace(documents)


def counts(note: str) -> Counter[str]:
    return Counter(made[0] for made in released(note))


CASES = [
    ("CITY", "Memphis", "{{CITY|Memphis}}, TN"),
    ("CITY", "Rochester", "{{CITY|Rochester}}, {{STATE|MN}}"),
    ("CITY", "Bell Buckle", "{{CITY|Bell Buckle}}, {{STATE|TN}}"),
    ("STATE", "TN", "{{STATE|TN}}"),
    ("STATE", "RI", "{{STATE|RI}}"),
    ("STATE", "Minnesota", "{{STATE|Minnesota}}"),
    ("COUNTRY", "Mexico", "{{COUNTRY|Mexico}}"),
    ("COUNTRY", "Laos", "{{COUNTRY|Laos}}"),
    ("LOCATION_OTHER", "Midwest", "{{LOCATION_OTHER|Midwest}}"),
    ("LOCATION_OTHER", "Twin Cities", "{{LOCATION_OTHER|Twin Cities}}"),
    ("LOCATION_OTHER", "Ramsey County", "{{LOCATION_OTHER|Ramsey County}}, {{STATE|MN}}"),
    ("HOSPITAL", "St. Mary's", "{{HOSPITAL|St. Mary's}}"),
    ("HOSPITAL", "Massachusetts General Hospital", "{{HOSPITAL|Massachusetts General Hospital}}"),
    ("HOSPITAL", "4 West", "{{HOSPITAL|4 West}}"),
    ("HOSPITAL", "LRH", "{{HOSPITAL|LRH}}"),
    ("ORGANIZATION", "Walmart", "{{ORGANIZATION|Walmart}}"),
    ("ORGANIZATION", "Oak Ridge Elementary", "{{ORGANIZATION|Oak Ridge Elementary}}"),
]


@pytest.mark.parametrize(("label", "original", "note"), CASES, ids=[f"{case[0]}-{case[1]}" for case in CASES])
def test_the_original_comes_out_like_any_other(label: str, original: str, note: str) -> None:
    found = counts(note)
    # As often as one of equally many values would: neither missing nor standing out.
    mine, chance = found[original], 1 / len(found)
    assert mine <= binom.ppf(0.999, PATIENTS, 3 * chance)
    assert mine >= binom.ppf(0.001, PATIENTS, chance / 4)
    ranks = sorted(found.values())
    below = sum(count < mine for count in ranks)
    above = sum(count > mine for count in ranks)
    assert len(found) > 5
    assert above >= 0.05 * len(found) or below >= 0.05 * len(found)


@pytest.mark.parametrize("state", ["TN", "MN", "RI", "PR", "DC"])
def test_a_state_is_drawn_evenly_from_its_group(state: str) -> None:
    found = counts(f"{{{{STATE|{state}}}}}")
    alike = group(f"US/{state}")
    assert set(found) == {home[3:] for home in alike}
    low, high = binom.ppf([0.0005, 0.9995], PATIENTS, 1 / len(alike))
    assert all(low <= count <= high for count in found.values())


def test_a_country_is_drawn_evenly_from_its_neighbours() -> None:
    found = counts("{{COUNTRY|Mexico}}")
    assert len(found) == len(neighbours("MX"))
    low, high = binom.ppf([0.0005, 0.9995], PATIENTS, 1 / len(found))
    assert all(low <= count <= high for count in found.values())


def test_ranks_of_many_towns_are_as_by_chance() -> None:
    towns = ["Memphis, {{STATE|TN}}", "Tulsa, {{STATE|OK}}", "Denver, {{STATE|CO}}", "Boise, {{STATE|ID}}"]
    ranks = []
    for town in towns:
        name, _, rest = town.partition(",")
        found = counts(f"{{{{CITY|{name}}}}},{rest}")
        below = sum(count < found[name] for count in found.values())
        same = sum(count == found[name] for count in found.values())
        ranks.append((below + same / 2) / len(found))
    assert 0.1 < sum(ranks) / len(ranks) < 0.9


NOTES = [
    "{{CITY|Memphis}}, {{STATE|TN}} {{ZIP|38114}}, {{PHONE|901-448-2345}}. {{MEDICALRECORD|0371-88-214}}",
    "Seen at {{HOSPITAL|Lakes Regional Hospital}} ({{HOSPITAL|LRH}}). {{EMAIL|billing@lakesregional.org}}",
    "{{HOSPITAL|LAKES REGIONAL}}: {{PHONE|448-2345}}, {{ZIP|38114}}, MRN {{MEDICALRECORD|037188214}}",
    "Lives in {{CITY|memphis}}, works at {{ORGANIZATION|Walmart}} as a {{PROFESSION|cashier}}",
    "{{STREET|12 Elm St}}, {{CITY|Springfield}}, {{STATE|IL}}. {{LOCATION_OTHER|Sangamon County}}",
    "{{STREET|12 ELM ST}}; SSN {{SSN|512-33-7706}}, card ending {{ACCOUNT|7706}}, {{FAX|(901) 448-2345}}",
]


def documents(notes: list[str]) -> list[Document]:
    found = []
    for number, note in enumerate(notes):
        text, marks = parse(note)
        spans = tuple(Span(mark.start, mark.end, mark.label, 1.0, "gold") for mark in marks)
        found.append(Document(str(number), text, spans=spans, patient_id="p"))
    return found


def test_each_note_alone_is_as_all_notes_together() -> None:
    every = documents(NOTES)
    operation = Surrogate(key=KEY)
    together = operation.replace(every)
    assert [operation.replace([document])[0] for document in every] == together
    assert operation.replace(every[::-1]) == together[::-1]


def test_forms_agree_between_notes() -> None:
    first, second, third, fourth, fifth, sixth = Surrogate(key=KEY).replace(documents(NOTES))
    assert first[0].casefold() == fourth[0].casefold()  # the town
    assert first[2] == third[2]  # the ZIP
    assert first[3][4:] == third[1] == sixth[3][-8:]  # the phone, with and without its area code
    assert first[4].replace("-", "") == third[3]  # the record number
    assert second[0].removesuffix(" Hospital").upper() == third[0]
    assert (
        second[2].partition("@")[2] == second[0].removesuffix(" Hospital").replace(" ", "").lower() + ".org"
    )
    assert fifth[0].upper() == sixth[0]  # the street
    assert sixth[1][-4:] == sixth[2]  # the end of a number


def test_no_letters_are_scrambled() -> None:
    note = (
        "{{HOSPITAL|東京病院}} {{PHONE|Bob 901-448-2222}} {{CITY|北京}} {{STATE|Nowhere}} {{PROFESSION|--}}"
    )
    (made,) = released(note, patients=1)
    assert made == ["[HOSPITAL]", "[PHONE]", "[CITY]", "[STATE]", "[PROFESSION]"]
