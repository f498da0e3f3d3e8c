from __future__ import annotations

from pathlib import Path

import pytest

from plainsight.config import load_policy
from plainsight.document import Document, Patient
from plainsight.errors import DataError, FormatError, UsageError
from plainsight.pipeline import Pipeline
from plainsight.site.census import read_rows, read_site_patients
from plainsight.site.folder import Site, new_site
from plainsight.site.lists import SiteLists, name_words, of_patient, of_rows, write_lists
from plainsight.site.policy import with_site
from plainsight.site.records import records_file, site_records, write_records

KEY = bytes(range(32))
PATIENTS = """\
Patient ID,MRN,Last Name,First Name,DOB,Street,City,Home Phone,Employer,Next of Kin
P1,59/6098-r,Qi,Deborah,1991-04-05,25 Union Ln,Midway,555-0101,Reyes Glass,James Qi
P2,44/4665-w,Luca,Evaristo,1933-01-02,3 Depot St,Midway,555-0102,,
"""
PROVIDERS = "last_name,first_name,initials,login\nMichaelson,Linda,lam,micha4\n"


@pytest.fixture
def site(tmp_path: Path) -> Site:
    return new_site(tmp_path / "site", policy="fast", secret=KEY)


@pytest.fixture
def tables(tmp_path: Path) -> Path:
    (tmp_path / "patients.csv").write_text(PATIENTS)
    (tmp_path / "providers.csv").write_text(PROVIDERS)
    (tmp_path / "units.csv").write_text("unit,facility\nGarden,Midway Hospital\nT7S,Midway Hospital\n")
    return tmp_path


def found(site: Site, text: str) -> list[str]:
    detector = SiteLists(lists=str(site.lists)).with_key(KEY)
    spans = detector.detect([Document("a", text)])[0]
    return [f"{text[span.start : span.end]} {span.label} {span.source}" for span in spans]


def fill(site: Site, tables: Path) -> None:
    patients = write_records(site, read_site_patients(tables / "patients.csv"))
    write_lists(site, "patients", (entry for patient in patients for entry in of_patient(patient)))
    for table in ("providers", "units"):
        write_lists(site, table, of_rows(table, tables / f"{table}.csv"))


def test_what_the_tables_say_is_found(site: Site, tables: Path) -> None:
    fill(site, tables)
    text = "Evaristo Luca 44/4665-w to Garden-3, d/w lam; son James Qi, 555-0101"
    assert found(site, text) == [
        "Evaristo Luca PATIENT site_lists.person",
        "44/4665-w MEDICALRECORD site_lists.record",
        "Garden-3 HOSPITAL site_lists.unit",
        "lam DOCTOR site_lists.small_initials",
        "James Qi PATIENT site_lists.person",
        "555-0101 PHONE site_lists.phone",
    ]


def test_the_words_of_names_are_those_of_people(site: Site, tables: Path) -> None:
    assert name_words(site) == set()
    fill(site, tables)
    words = name_words(site)
    assert words >= {"evaristo", "luca", "michaelson", "deborah"}
    assert not words & {"garden", "midway", "depot", "lam"}


def test_a_table_given_again_replaces_itself_only(site: Site, tables: Path) -> None:
    fill(site, tables)
    (tables / "units.csv").write_text("name\nHarbor\n")
    write_lists(site, "units", of_rows("units", tables / "units.csv"))
    assert found(site, "to Garden, to Harbor, per lam") == [
        "Harbor HOSPITAL site_lists.unit",
        "lam DOCTOR site_lists.small_initials",
    ]


def test_no_file_of_a_site_holds_a_readable_name_and_others_cannot_open_it(site: Site, tables: Path) -> None:
    fill(site, tables)
    for file in (*site.lists.iterdir(), records_file(site)):
        content = file.read_bytes().lower()
        for word in (b"deborah", b"luca", b"6098", b"garden", b"michaelson", b"p1"):
            assert word not in content
        assert file.stat().st_mode & 0o777 == 0o600


def test_a_policy_with_a_site_uses_the_lists_and_one_without_does_not(site: Site, tables: Path) -> None:
    policy = load_policy("fast")
    assert with_site(policy, site).detectors == policy.detectors
    fill(site, tables)
    listed = with_site(policy, site)
    assert [choice.name for choice in listed.detectors] == [
        "patterns",
        "patient",
        "convolution",
        "site_lists",
    ]
    assert listed.precedence == ("patient", "site_lists", "convolution", "patterns")
    assert with_site(listed, site) == listed
    note = Document("a", "Moved to Garden overnight, d/w lam.")
    (found,) = Pipeline(listed, key=KEY).detect([note])
    assert isinstance(found, Document)
    assert {"Garden", "lam"} <= {note.text[span.start : span.end] for span in found.spans}


def test_a_damaged_or_foreign_list_is_refused(site: Site, tables: Path) -> None:
    fill(site, tables)
    file = site.lists / "units.list"
    data = file.read_bytes()
    file.write_bytes(data[:-1] + bytes([data[-1] ^ 1]))
    with pytest.raises(DataError, match=r"units\.list is damaged"):
        found(site, "to Garden")
    with pytest.raises(UsageError, match="fingerprint"):
        SiteLists(lists=str(site.lists)).with_key(bytes(32)).detect([Document("a", "x")])


def test_records_are_found_by_the_id_of_the_patient(site: Site, tables: Path) -> None:
    assert site_records(site) is None
    fill(site, tables)
    records = site_records(site)
    assert records is not None
    patient = records.get("P1")
    assert patient is not None
    assert (patient.names, patient.ids) == (("Qi, Deborah",), (("MEDICALRECORD", "59/6098-r"),))
    assert patient.relatives == ("James Qi",)
    assert records.get("P9") is None
    own = Document("b", "y", patient_id="P1", patient=Patient(id="other"))
    attached = list(records.attached([Document("a", "x", patient_id="P1"), own, Document("c", "z")]))
    assert [getattr(item, "patient", None) and item.patient.id for item in attached] == ["P1", "other", None]


def test_damaged_records_are_refused_and_a_failed_import_leaves_the_old_ones(
    site: Site, tables: Path
) -> None:
    fill(site, tables)
    before = records_file(site).read_bytes()
    (tables / "patients.csv").write_text("patient_id,last_name\nP1,Qi\n,Luca\n")
    with pytest.raises(FormatError, match="row 2"):
        fill(site, tables)
    assert records_file(site).read_bytes() == before
    assert {file.name for file in site.folder.iterdir()} == {"lists", "patients.db", "site.toml"}
    records_file(site).write_bytes(b"no database" * 100)
    records = site_records(site)
    assert records is not None
    with pytest.raises(DataError, match="damaged"):
        records.get("P1")


def test_tables_of_fhir_are_read(tmp_path: Path) -> None:
    patient = (
        '{"resourceType": "Patient", "id": "P7", "name": [{"family": "Qi", "given": ["Deborah"]}],'
        ' "identifier": [{"type": {"coding": [{"code": "MR"}]}, "value": "59/6098-r"}]}\n'
    )
    (tmp_path / "Patient.ndjson").write_text(patient)
    (read,) = read_site_patients(tmp_path / "Patient.ndjson")
    assert (read.names, read.ids) == (("Deborah Qi",), (("MEDICALRECORD", "59/6098-r"),))
    staff = '{"resourceType": "Practitioner", "name": [{"family": "Michaelson", "given": ["Linda"]}]}\n'
    (tmp_path / "Practitioner.ndjson").write_text(staff)
    (row,) = read_rows("providers", tmp_path / "Practitioner.ndjson")
    assert (row["last"], row["first"]) == (["Michaelson"], ["Linda"])
    (tmp_path / "Location.ndjson").write_text(
        '{"resourceType": "Location", "name": "Garden", "alias": ["G4"]}\n'
    )
    (row,) = read_rows("units", tmp_path / "Location.ndjson")
    assert (row["name"], row["alias"]) == (["Garden"], ["G4"])


def test_a_table_without_names_is_refused_before_anything_is_written(site: Site, tmp_path: Path) -> None:
    (tmp_path / "units.csv").write_text("bed,colour\n1,red\n")
    with pytest.raises(UsageError, match="no column of the units is named unit or"):
        write_lists(site, "units", of_rows("units", tmp_path / "units.csv"))
    assert not site.lists.exists()
