import json
import re
import sqlite3
from datetime import date, timedelta

import pytest
import sqlalchemy as sa
from database_notes import POLICY, rows_of
from typer.testing import CliRunner

from plainsight.cli import app
from plainsight.errors import UsageError
from plainsight.sources.omop import Omop
from plainsight.sources.places import place

pytest.importorskip("sqlalchemy")

ROWS = [
    {
        "note_id": 500 + number,
        "person_id": 7715 + number // 2,
        "note_date": date(2019, 3, 4) + timedelta(days=number),
        "note_datetime": sa.text(f"'2019-03-0{4 + number} 10:30:00'"),
        "note_type_concept_id": 32831,
        "note_class_concept_id": 706391,
        "note_title": "Letter to Mr. Quillfeather",
        "note_text": f"Seen on 03/0{4 + number}/2019. Call 617-555-0147.",
        "encoding_concept_id": 32678,
        "language_concept_id": 4180186,
        "provider_id": 9301,
        "visit_occurrence_id": 88001 + number // 2,
        "visit_detail_id": None,
        "note_source_value": "ACC-991-Quillfeather",
        "note_event_id": None,
        "note_event_field_concept_id": 0,
        "site_comment": "Quillfeather was here",
    }
    for number in range(4)
]


def fill_cdm(url, schema=None):
    engine = sa.create_engine(url)
    meta = sa.MetaData()
    kinds = {"note_date": sa.Date, "note_datetime": sa.DateTime}
    texts = ("note_title", "note_text", "note_source_value", "site_comment")
    columns = [
        sa.Column(
            name, kinds.get(name, sa.Text if name in texts else sa.Integer), primary_key=name == "note_id"
        )
        for name in ROWS[0]
    ]
    table = sa.Table("note", meta, *columns, schema=schema)
    meta.create_all(engine)
    with engine.begin() as connection:
        for row in ROWS:
            connection.execute(table.insert().values(row))
    engine.dispose()


@pytest.fixture
def cdm(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "rules.toml").write_text(POLICY)
    (tmp_path / "key").write_text("11" * 32)
    (tmp_path / "key").chmod(0o600)
    fill_cdm(f"sqlite:///{tmp_path}/cdm.db")
    return tmp_path


def deidentify(*words):
    words = ("deidentify", *words, "--format", "omop", "--policy", "rules.toml", "--key-file", "key")
    return CliRunner().invoke(app, words)


def test_a_note_table_stays_one_without_its_identifiers(cdm):
    result = deidentify("sqlite:///cdm.db", "-o", "sqlite:///clean.db")
    assert result.exit_code == 0, result.output
    rows = rows_of(f"sqlite:///{cdm}/clean.db", "note")
    assert list(rows[0]) == [name for name in ROWS[0] if name != "site_comment"]
    assert b"Quillfeather" not in (cdm / "clean.db").read_bytes()
    for row in rows:
        assert row["note_title"] is None
        assert row["note_source_value"] is None
        assert (row["note_type_concept_id"], row["language_concept_id"]) == (32831, 4180186)
        ids = {row["note_id"], row["person_id"], row["provider_id"], row["visit_occurrence_id"]}
        assert all(type(value) is int and 0 <= value < 1 << 31 for value in ids)
        assert not ids & {value for old in ROWS for value in old.values() if isinstance(value, int)}
    assert len({row["note_id"] for row in rows}) == 4
    assert len({row["provider_id"] for row in rows}) == 1
    assert len({(row["person_id"], row["visit_occurrence_id"]) for row in rows}) == 2


def test_dates_shift_alike_in_text_and_columns(cdm):
    assert deidentify("sqlite:///cdm.db", "-o", "sqlite:///clean.db").exit_code == 0
    offsets = {}
    for row in rows_of(f"sqlite:///{cdm}/clean.db", "note"):
        month, day, year = map(int, re.search(r"(\d+)/(\d+)/(\d+)", row["note_text"]).groups())
        assert row["note_date"] == date(year, month, day).isoformat()
        assert row["note_datetime"].startswith(row["note_date"])
        assert not row["note_date"].startswith("2019-03-0")
        offsets.setdefault(row["person_id"], []).append(date(year, month, day))
    for first, second in map(sorted, offsets.values()):
        assert second - first == timedelta(days=1)


def test_spans_become_rows_of_note_nlp(cdm):
    assert deidentify("sqlite:///cdm.db", "-o", "sqlite:///clean.db", "--with-spans").exit_code == 0
    notes = {row["note_id"]: row["note_text"] for row in rows_of(f"sqlite:///{cdm}/clean.db", "note")}
    found = rows_of(f"sqlite:///{cdm}/clean.db", "note_nlp")
    assert len(found) == 8
    assert len({row["note_nlp_id"] for row in found}) == 8
    for row in found:
        start = int(row["offset"])
        assert notes[row["note_id"]][start:].startswith(row["lexical_variant"])
        assert re.match(r"label=(DATE|PHONE),end=\d+,score=", row["term_modifiers"])
        assert row["nlp_system"].startswith("plainsight")
    assert b"617-555-0147" not in (cdm / "clean.db").read_bytes()


def test_a_file_of_fields_changes_what_becomes_of_columns(cdm):
    (cdm / "fields.toml").write_text(
        '[omop.columns]\nnote_title = "keep"\nsite_comment = "drop"\nnote_source_value = "IDNUM"\n'
    )
    result = deidentify("sqlite:///cdm.db", "-o", "sqlite:///clean.db", "--fields", "fields.toml")
    assert result.exit_code == 0, result.output
    row = rows_of(f"sqlite:///{cdm}/clean.db", "note")[0]
    assert row["note_title"] == "Letter to Mr. Quillfeather"
    assert row["site_comment"] is None
    assert row["note_source_value"] not in (None, "ACC-991-Quillfeather")


def test_unknown_columns_can_be_refused(cdm):
    (cdm / "fields.toml").write_text('[omop]\nunknown = "refuse"\n')
    with pytest.raises(UsageError, match="refuses the column 'site_comment'"):
        Omop(fields="fields.toml").read(place("sqlite:///cdm.db"))


def test_ids_agree_between_runs_and_the_manifest_holds_none(cdm):
    assert deidentify("sqlite:///cdm.db", "-o", "sqlite:///one.db").exit_code == 0
    assert deidentify("sqlite:///cdm.db", "-o", "sqlite:///two.db").exit_code == 0
    assert rows_of(f"sqlite:///{cdm}/one.db", "note") == rows_of(f"sqlite:///{cdm}/two.db", "note")
    manifest = json.loads((cdm / "one.db.manifest.json").read_text())
    assert "7715" not in json.dumps(manifest["identifiers_by_label"])


def test_rows_of_other_systems_are_not_overwritten(cdm):
    words = ("sqlite:///cdm.db", "-o", "sqlite:///clean.db#note", "--with-spans")
    assert deidentify(*words).exit_code == 0
    assert deidentify(*words, "--force").exit_code == 0
    with sqlite3.connect(cdm / "clean.db") as connection:
        connection.execute("UPDATE note_nlp SET nlp_system = 'other' WHERE note_nlp_id = 1")
    result = deidentify(*words, "--force")
    assert "note_nlp has rows of other systems, which would be lost" in str(result.exception)
    assert len(rows_of(f"sqlite:///{cdm}/clean.db", "note_nlp")) == 8
