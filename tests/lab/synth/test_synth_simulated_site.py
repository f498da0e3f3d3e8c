from __future__ import annotations

import pytest

from plainsight.lab.synth.simulated_site import LineCounts, SimulatedSite


@pytest.fixture(scope="module")
def site() -> SimulatedSite:
    return SimulatedSite(seed=1, patients=10, census=20)


def test_the_same_seed_gives_the_same_notes_and_another_seed_another_hospital(site: SimulatedSite) -> None:
    again = SimulatedSite(seed=1, patients=10, census=20)
    other = SimulatedSite(seed=2, patients=10, census=20)
    assert list(site.notes(20)) == list(again.notes(20))
    assert site.hospital.mrn_shape != other.hospital.mrn_shape
    assert not {line for lines in site.families.values() for line in lines} <= {
        line for lines in other.families.values() for line in lines
    }


def test_a_site_has_forty_families_and_most_lines_repeat(site: SimulatedSite) -> None:
    counts = LineCounts()
    for document in site.notes(400):
        counts.add(document)
    assert len(site.families) >= 40
    assert counts.repeated > 0.75


def test_three_of_a_hundred_notes_hold_a_trap_and_all_layouts_occur(site: SimulatedSite) -> None:
    notes = list(site.notes(600))
    trapped = sum("trap" in note.meta for note in notes)
    assert 6 <= trapped <= 36
    assert {note.meta["layout"] for note in notes} == {"plain", "margin", "wire", "coded"}


def test_marks_hold_what_the_tables_say(site: SimulatedSite) -> None:
    tables = site.hospital.tables()
    numbers = {row["mrn"].upper() for row in tables["patients"]}
    units = {row["unit"].upper() for row in tables["units"]}
    seen = 0
    for note in site.notes(60):
        for span in note.spans:
            text = note.text[span.start : span.end].upper()
            if span.label == "MEDICALRECORD" and "trap" not in note.meta:
                assert text in numbers
                seen += 1
            if any(text == unit for unit in units):
                assert span.label in ("HOSPITAL", "PATIENT", "DOCTOR", "ORGANIZATION", "STREET")
    assert seen > 20


def test_local_protocols_are_not_marked(site: SimulatedSite) -> None:
    system = site.hospital.system
    for note in site.notes(60):
        for span in note.spans:
            assert note.text[span.start : span.end] != system
