import tomllib
from collections import Counter
from hashlib import sha256
from importlib.resources import files

import pytest
from tiny_notes import notes

from plainsight import lists
from plainsight.document import Document
from plainsight.formats.inline import parse
from plainsight.lab.experiments.name_groups import ATTRIBUTES, groups, rename


def note(marked: str, name: str = "1", patient: str | None = None) -> Document:
    text, spans = parse(marked)
    return Document(name, text, tuple(spans), patient_id=patient)


def group(attribute: str, name: str):
    return next(group for group in groups(attribute) if group.name == name)


def names_of(document: Document) -> list[str]:
    return [document.text[span.start : span.end] for span in document.spans]


@pytest.mark.parametrize("attribute", ATTRIBUTES)
def test_groups_have_names_of_their_own(attribute):
    drawn = {}
    for each in groups(attribute):
        assert each.attribute == attribute
        assert set(each.given) == {"F", "M", ""}
        drawn[each.name] = {each.surnames.draw(str(n)) + each.given[""].draw(str(n)) for n in range(200)}
    shared = Counter(name for names in drawn.values() for name in names)
    assert max(shared.values()) == 1


def test_names_are_drawn_as_often_as_people_bear_them():
    pool = group("ethnicity", "Hispanic").surnames
    often = Counter(pool.draw(str(number)) for number in range(3000))
    table = lists.load("surnames")
    count = dict(zip(table["name"], map(int, table["count"]), strict=True))
    common = [name for name, _ in often.most_common(5)]
    assert {"garcia", "rodriguez"} <= set(common)
    assert min(count[name] for name in common) > 300_000


def test_only_names_change_and_everybody_keeps_one_name():
    marked = (
        "{{PATIENT|LOPEZ, MARIA}} of {{CITY|Boston}}. Mrs. {{PATIENT|Lopez}} was seen by "
        "Dr. {{DOCTOR|J. Chen}} on {{DATE|3/4/2019}}. {{PATIENT|Maria}} is well. cc {{DOCTOR|JC}}"
    )
    (made,) = rename([note(marked)], group("region", "West Africa"), seed=1)
    full, surname, doctor, given = names_of(made)
    assert full == f"{surname.upper()}, {given.upper()}"
    assert doctor.startswith("J. ")
    assert "Boston" in made.text
    assert "3/4/2019" in made.text
    assert made.text.endswith("cc JC")
    assert not {"lopez", "maria", "chen"} & set(made.text.lower().replace(",", " ").split())
    assert given.lower() in group("region", "West Africa").given["F"].names


def test_a_patient_keeps_the_name_across_notes_and_seeds_change_it():
    pair = [note("{{PATIENT|Anna Berg}}", str(n), "p1") for n in (1, 2)]
    asian = group("ethnicity", "Asian and Pacific")
    one, two = rename(pair, asian, seed=0)
    assert one.text == two.text != "Anna Berg"
    assert rename(pair, asian, seed=1)[0].text != one.text
    assert rename(pair[:1], asian, seed=0)[0].text == one.text


def test_sexes_differ_in_given_names_alone():
    whole = notes(8)
    women, men = (rename(whole, group("sex", name), seed=0) for name in ("female", "male"))
    for one, two in zip(women, men, strict=True):
        full = [pair for pair in zip(names_of(one), names_of(two), strict=True) if " " in pair[0]]
        assert all(woman.split()[-1] == man.split()[-1] for woman, man in full)
    assert [names_of(w)[0] for w in women] != [names_of(m)[0] for m in men]


def test_as_written_keeps_the_text_and_only_the_spans_of_names():
    (made,) = rename([note("{{PATIENT|Anna Berg}}, {{AGE|91}}, by {{DOCTOR|AB}}")], None, seed=0)
    assert made.text == "Anna Berg, 91, by AB"
    assert names_of(made) == ["Anna Berg"]


def test_odd_names_do_not_break():
    odd = (
        "{{PATIENT|}-}} {{DOCTOR|123}} {{PATIENT|O'Neil-de la Cruz, A.}} {{DOCTOR|Łukasz\nŻ}} "
        "{{PATIENT|W H I T E}}"
    )
    for attribute in ATTRIBUTES:
        for each in groups(attribute):
            (made,) = rename([note(odd)], each, seed=0)
            assert "Neil" not in made.text


def test_the_list_is_the_one_its_source_describes():
    folder = files("plainsight.data") / "fairness"
    entry = tomllib.loads((folder / "source.toml").read_text(encoding="utf-8"))["regions"]
    assert entry["sha256"] == sha256((folder / "regions.txt").read_bytes()).hexdigest()
    for each in groups("region"):
        for pool in (*each.given.values(), each.surnames):
            assert len(set(pool.names)) == len(pool.names) >= 20 or pool is each.given[""]
            assert all(name.isascii() and name.isalpha() and name.islower() for name in pool.names)
