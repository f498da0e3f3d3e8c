"""Recall by entity, counted by hand."""

from __future__ import annotations

from dataclasses import replace

from marked_pairs import pair

from plainsight.evaluate.entities import Entities, entities


def test_an_entity_is_hidden_only_if_every_mention_is() -> None:
    note = pair(
        "{{PATIENT#a|Ann Roe}}, {{PATIENT#a|Ann}}, {{PATIENT#b|Bob}}, {{PATIENT#b|Bob}}, {{DOCTOR#c|Coe}}",
        "{{PATIENT|Ann}} Roe, {{PATIENT|Ann}}, {{DATE|Bob}}, {{PATIENT|Bob}}, Coe",
    )
    # Ann leaks her surname once; Bob is hidden twice, once as a date; Coe leaks
    assert entities([note]) == {"DOCTOR": Entities(1, 0, 0, 0), "PATIENT": Entities(2, 1, 2, 1)}
    assert entities([note])["PATIENT"].recall == 1 / 2
    assert entities([note])["DOCTOR"].repeated_recall is None


def test_an_id_holds_in_all_notes_of_a_patient() -> None:
    one = pair("{{PATIENT#a|Ann}}", "{{PATIENT|Ann}}", name="1")
    two = pair("{{PATIENT#a|Ann}}", "Ann", name="2")
    assert entities([one, two]) == {"PATIENT": Entities(2, 1, 0, 0)}  # notes of nobody known: two people
    ours = [replace(each, patient_id="p1") for each in (one, two)]
    assert entities(ours) == {"PATIENT": Entities(1, 0, 1, 0)}


def test_without_ids_the_words_decide() -> None:
    note = pair(
        "{{PATIENT|ANN  ROE}} {{PATIENT|Ann Roe}} {{DOCTOR|Ann Roe}}", "{{PATIENT|ANN  ROE}} Ann Roe Ann Roe"
    )
    assert entities([note]) == {"DOCTOR": Entities(1, 0, 0, 0), "PATIENT": Entities(1, 0, 1, 0)}
