"""Kinds of numbers that a locale declares: checked when read, found and replaced without new code."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from stdnum import verhoeff
from stdnum.nl import bsn

from plainsight.config import load_policy
from plainsight.detect.patterns import Patterns
from plainsight.document import Document, Span
from plainsight.errors import UsageError
from plainsight.locale.number_kinds import NumberKind, number_kinds
from plainsight.pipeline import Pipeline
from plainsight.replace.surrogate.operation import Surrogate

DUTCH = """
[bsn]
label = "SSN"
shape = '\\d{9}'
cues = "bsn burgerservicenummer"
check = "nl.bsn"

[permit]
label = "LICENSE"
shape = '\\d{12}'
check = "verhoeff"
alone = true
"""


@pytest.fixture
def dutch(tmp_path: Path) -> str:
    (tmp_path / "locale.toml").write_text('extends = "en_US"\n')
    (tmp_path / "number_kinds.toml").write_text(DUTCH)
    return str(tmp_path)


@pytest.mark.parametrize(
    ("name", "valid", "invalid"),
    [
        ("vin", "1M8GDM9AXKP042788", "1M8GDM9A1KP042788"),
        ("npi", "1234567893", "1234567890"),
        ("dea", "AB1234563", "AB1234567"),
        ("nhs", "9434765919", "9434765910"),
        ("aba", "011000015", "011000016"),
        ("luhn", "79927398713", "79927398710"),
    ],
)
def test_published_examples(name: str, valid: str, invalid: str) -> None:
    (kind,) = (kind for kind in number_kinds("en_US") if kind.name == name)
    assert kind.is_valid(valid)
    assert not kind.is_valid(invalid)


def test_a_kind_in_a_new_folder_is_found_and_replaced_by_a_valid_one(dutch: str) -> None:
    assert bsn.is_valid("111222333")
    note = Document("1", "Patient bekend, BSN 111222333, opgenomen.")
    (spans,) = Patterns(locale=dutch).detect([note])
    (span,) = [span for span in spans if note.text[span.start : span.end] == "111222333"]
    assert span.label == "SSN"
    for key in range(20):
        surrogate = Surrogate(key=bytes([key]) * 32, locale=dutch)
        ((made,),) = surrogate.replace([replace(note, spans=(span,))])
        assert made != "111222333"
        assert bsn.is_valid(made)


def test_a_policy_names_the_locale(dutch: str, tmp_path: Path) -> None:
    policy = tmp_path / "dutch.toml"
    policy.write_text(
        f'''detectors = ["patterns"]
labels = "all"

[detector.patterns]
locale = "{dutch}"

[replace]
default = {{ operation = "surrogate", locale = "{dutch}" }}
'''
    )
    (made,) = Pipeline(load_policy(str(policy)), key=bytes(32)).deidentify([Document("1", "BSN 111222333")])
    assert isinstance(made, Document)
    assert made.text != "BSN 111222333"
    assert bsn.is_valid(made.text.removeprefix("BSN "))


def test_two_words_of_a_cue_are_joined_as_notes_join_them(tmp_path: Path) -> None:
    (tmp_path / "number_kinds.toml").write_text(
        "[tax]\nlabel = 'IDNUM'\nshape = '\\d{11}'\ncues = 'steuer-id idnr'\ncheck = 'de.idnr'\n"
    )
    (kind,) = number_kinds(str(tmp_path))
    assert kind.fits("36574261809", "OTHER", "Steuer ID: ")
    assert kind.is_valid("36574261809")


def test_a_kind_that_stands_alone_is_found_by_its_shape(dutch: str) -> None:
    valid = "12345678901" + verhoeff.calc_check_digit("12345678901")
    note = Document("1", f"Papers seen: {valid} only.")
    (spans,) = Patterns(locale=dutch).detect([note])
    assert [span.label for span in spans] == ["LICENSE"]


def test_a_new_kind_changes_nothing_for_other_locales(dutch: str) -> None:
    note = Document("1", "BSN 111222333")
    (here,), (there,) = (Patterns(locale=locale).detect([note]) for locale in ("en_US", dutch))
    assert [span.label for span in here] != [span.label for span in there]


def test_a_number_without_a_valid_surrogate_becomes_any_other(
    dutch: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(NumberKind, "is_valid", lambda _, number: number == "111222333")
    note = Document("1", "BSN 111222333", (Span(4, 13, "SSN"),))
    ((made,),) = Surrogate(key=bytes(32), locale=dutch).replace([note])
    assert made.isdecimal()
    assert len(made) == 9
    assert made != "111222333"


@pytest.mark.parametrize(
    "table",
    [
        "shape = '('",
        "label = 'X'",
        "shape = '1'\nlabel = 'IDNUMB'",
        "shape = '1'\nlabel = 'IDNUM'\nchek = 'luhn'",
        "shape = '1'\nlabel = 'IDNUM'\ncheck = 'no.such'",
        "shape = '1'\nlabel = 'IDNUM'\ncheck = 'weights'",
    ],
)
def test_a_wrong_declaration_is_named(tmp_path: Path, table: str) -> None:
    (tmp_path / "number_kinds.toml").write_text(f"[odd]\n{table}\n")
    with pytest.raises(UsageError, match=r"\[odd\]"):
        number_kinds(str(tmp_path))
