"""Metadata beside a note: dates move with the patient's offset or do not leave at all."""

from datetime import date, datetime

import pytest

import plainsight
from plainsight.document import Document, SetAside

KEY = b"a secret of at least thirty-two bytes"
TEXT = "Seen on 2019-03-04 by Dr. Okafor."


@pytest.fixture
def pipeline(tmp_path):
    def make(settings: str = ""):
        path = tmp_path / "p.toml"
        path.write_text(f'extends = "fast"\n{settings}')
        return plainsight.load(path, key=KEY)

    return make


def released(pipeline, meta, patient_id="p"):
    [item] = pipeline.deidentify([Document("1", TEXT, patient_id=patient_id, meta=meta)])
    return item


COLUMNS = '[output]\nkeep_meta = ["note_type"]\ndate_columns = ["seen"]\n'


@pytest.mark.parametrize("patient_id", ["p", None])
def test_a_date_column_moves_with_the_dates_of_the_text(pipeline, patient_id):
    note = released(pipeline(COLUMNS), {"seen": "2019-03-04", "note_type": "letter", "x": 1}, patient_id)
    assert note.meta == {"seen": note.text.split()[2], "note_type": "letter"}
    assert note.meta["seen"] != "2019-03-04"


def test_times_and_types_stay(pipeline):
    day = released(pipeline(COLUMNS), {"seen": date(2019, 3, 4)}).meta["seen"]
    moment = released(pipeline(COLUMNS), {"seen": datetime(2019, 3, 4, 10, 22)}).meta["seen"]
    text = released(pipeline(COLUMNS), {"seen": "2019-03-04T10:22:00Z"}).meta["seen"]
    assert type(day) is date
    assert moment == datetime(day.year, day.month, day.day, 10, 22)
    assert text == f"{day.isoformat()}T10:22:00Z"


@pytest.mark.parametrize(
    "value",
    [
        "2019-03-04",
        "3/4/2019",
        "20190304",
        "04 Mar 2019",
        "March 4, 2019",
        date(2019, 3, 4),
        {"a": ["1/2/19"]},
    ],
)
def test_a_date_in_another_kept_column_sets_the_note_aside(pipeline, value):
    item = released(pipeline('[output]\nkeep_meta = ["seen"]\n'), {"seen": value})
    assert isinstance(item, SetAside)
    assert "output.date_columns" in item.reason
    assert "2019" not in item.reason


def test_what_is_no_date_passes_and_dates_do_where_dates_stay(pipeline):
    meta = {"seen": "letter 12, room 4-5", "n": 20190304}
    assert released(pipeline('[output]\nkeep_meta = ["seen", "n"]\n'), meta).meta == meta
    keeping = pipeline('[output]\nkeep_meta = ["seen"]\n[replace]\nDATE = "keep"\n')
    assert released(keeping, {"seen": "2019-03-04"}).meta == {"seen": "2019-03-04"}


def test_a_date_column_without_a_date_sets_the_note_aside_and_an_empty_one_passes(pipeline):
    assert isinstance(released(pipeline(COLUMNS), {"seen": "yesterday"}), SetAside)
    assert isinstance(released(pipeline(COLUMNS), {"seen": 20190304}), SetAside)
    assert released(pipeline(COLUMNS), {"seen": None}).meta == {"seen": None}


def test_a_masked_date_column_keeps_the_year_as_text_and_nothing_as_a_date(pipeline):
    masking = pipeline(COLUMNS + '[replace]\nDATE = "mask"\n')
    assert released(masking, {"seen": "2019-03-04"}).meta == {"seen": "2019"}
    assert released(masking, {"seen": date(2019, 3, 4)}).meta == {"seen": None}
