"""Errors of people and institutions, counted by the ids of their marks."""

from identity_notes import note

from plainsight.evaluate.surrogates import identity
from plainsight.evaluate.surrogates.pairs import Count
from plainsight.evaluate.surrogates.persons import Person, Persons

PERSONS = Persons(
    {
        "anna": Person("patient", "f", "slavic", "kowalski"),
        "jan": Person("relative", "m", "slavic", "kowalski"),
        "ng": Person("provider", "", "chinese", ""),
    }
)


def test_a_person_is_split_by_a_second_surname():
    notes = [
        note("{{PATIENT#anna|Anna Kowalski}}, {{DOCTOR#ng|Ng}}", "Eva Nowak", "Wu"),
        note("Ms. {{PATIENT#anna|Kowalski}}, {{DOCTOR#ng|NG}}", "Lis", "WU"),
    ]
    assert identity.split(notes, PERSONS) == Count(1, 2)
    assert "kowalski → lis, nowak" in identity.split(notes, PERSONS).examples[0]


def test_the_label_does_not_matter():
    notes = [note("{{PATIENT#anna|Anna Kowalski}}, RN {{DOCTOR#anna|Kowalski}}", "Eva Nowak", "Nowak")]
    assert identity.split(notes, PERSONS) == Count(0, 1)


def test_initials_must_fit_the_name():
    right = note(
        "{{DOCTOR#no|Nkechi Okafor}} {{DOCTOR#no|NO}} {{DOCTOR#no|N. Okafor}}", "Ada Eze", "AE", "A. Eze"
    )
    alone = note("{{DOCTOR#no|Nkechi Okafor}} {{DOCTOR#no|NO}}", "Ada Eze", "QT")
    before = note("{{DOCTOR#no|Nkechi Okafor}} {{DOCTOR#no|N. Okafor}}", "Ada Eze", "T. Eze")
    assert identity.split([right], PERSONS).count == 0
    assert identity.split([alone], PERSONS).count == identity.split([before], PERSONS).count == 1


def test_initials_in_small_letters_may_be_a_word():
    notes = [note("{{DOCTOR#no|Ruth Sato}} {{DOCTOR#no|rs}}", "Ada Lis", "al")]
    assert identity.split(notes, PERSONS).count == 0


def test_two_people_are_merged_if_one_reads_like_the_other():
    notes = [note("{{PATIENT#anna|Kowalski}}, Dr. {{DOCTOR#ng|Ng}}", "Wu", "Wu")]
    assert identity.merged(notes, PERSONS) == Count(2, 2)


def test_people_who_share_a_name_may_share_the_surrogate():
    notes = [note("{{PATIENT#anna|Long}}, Dr. {{DOCTOR#ng|LONG}}", "Wu", "WU")]
    assert identity.merged(notes, PERSONS).count == 0


def test_tags_merge_nobody():
    notes = [note("{{PATIENT#anna|Kowalski}}, {{PATIENT#jan|Jan}}", "[PATIENT]", "[PATIENT]")]
    assert identity.merged(notes, PERSONS).count == 0


def test_sex_comes_from_the_record():
    notes = [
        note("{{PATIENT#anna|Anna Kowalski}}, {{PATIENT#jan|Jan Kowalski}}", "Robert Ray", "Richard Ray")
    ]
    assert identity.wrong_sex(notes, PERSONS) == Count(1, 2)


def test_a_family_shares_its_surname():
    marked = "{{PATIENT#anna|Anna Kowalski}} {{PATIENT#jan|KOWALSKI, JAN}}"
    assert identity.broken_families([note(marked, "Eva Ray", "RAY, TOM")], PERSONS) == Count(0, 1)
    assert identity.broken_families([note(marked, "Eva Ray", "DAY, TOM")], PERSONS) == Count(1, 1)


def test_forms_of_an_institution_agree():
    marked = (
        "{{HOSPITAL#lakes|Lakes Regional Hospital}} {{HOSPITAL#lakes|LRH}} {{HOSPITAL#lakes|LAKES REGIONAL}}"
    )
    right = note(marked, "Hills Regional Hospital", "HRH", "HILLS REGIONAL")
    assert identity.institutions([right], PERSONS) == Count(0, 1)
    acronym = note(marked, "Hills Regional Hospital", "QXT", "HILLS REGIONAL")
    assert identity.institutions([acronym], PERSONS) == Count(1, 1)
    short = note(marked, "Hills Regional Hospital", "HRH", "YHBGQ REGIONAL")
    assert identity.institutions([short], PERSONS) == Count(1, 1)


def test_logins_follow_their_name():
    marked = "{{PATIENT#anna|Anna Kowalski}} {{EMAIL#anna|a.kowalski@x.org}}"
    assert identity.lost_logins([note(marked, "Eva Nowak", "e.nowak@y.example.org")], PERSONS) == Count(0, 1)
    assert identity.lost_logins([note(marked, "Eva Nowak", "q.jruwx@y.example.org")], PERSONS) == Count(1, 1)


def test_groups_are_kept_by_people():
    def fits(word: str, group: str) -> bool | None:
        return {"kowalski": True, "nowak": True, "kevin": False}.get(word) if group == "slavic" else None

    notes = [
        note(
            "{{PATIENT#anna|Anna Kowalski}} {{PATIENT#jan|Kevin}} {{DOCTOR#ng|Ng}}", "Eva Nowak", "Tom", "Wu"
        )
    ]
    assert identity.kept_groups(notes, PERSONS, fits) == {"slavic": Count(1, 1)}  # Kevin was no Slavic name
    lost = [note("{{PATIENT#anna|Anna Kowalski}}", "Kevin Ray")]
    assert identity.kept_groups(lost, PERSONS, fits) == {"slavic": Count(0, 1)}
    assert identity.kept_groups([note("{{PATIENT#anna|Kevin O.}}", "Tom R.")], PERSONS, fits) == {}
