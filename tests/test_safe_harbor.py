"""Safe Harbor as a whole: the table in the docs, and the policy on notes with gold marks."""

import re
from pathlib import Path

import pytest

from plainsight.config import load_policy
from plainsight.document import Document
from plainsight.evaluate.read_notes import read_notes
from plainsight.formats.inline import parse
from plainsight.hipaa import identifying
from plainsight.labels import GROUPS, group
from plainsight.pipeline import Pipeline

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs" / "explanation" / "safe-harbor.md").read_text(encoding="utf-8")
ROWS = [
    [cell.strip() for cell in line.strip("|").split("|")]
    for line in PAGE.splitlines()
    if re.match(r"\| \(", line)
]
WORD = re.compile(r"[^\W_]+")


def test_the_table_has_every_clause():
    clauses = {row[0].split(")")[0] + ")" for row in ROWS}
    assert clauses == {*(f"({letter})" for letter in "ABCDEFGHIJKLMNOPQR"), "(ii)"}
    assert all(len(row) == 6 for row in ROWS)


def test_the_table_names_every_label_of_the_policy():
    named = {label for row in ROWS for label in re.findall(r"\b[A-Z_]{3,}\b", row[2])}
    assert named == GROUPS["safe-harbor"] | {"DOCTOR"}


@pytest.mark.parametrize("row", ROWS, ids=[f"{row[0]} {row[1][:20]}" for row in ROWS])
def test_code_and_test_of_a_clause_exist(row):
    *_, code, test = row
    if (code, test) == ("none", "none"):
        assert row[0] == "(Q)"
        return
    assert (ROOT / code.strip("`")).is_file()
    file, _, name = test.strip("`").partition("::")
    assert re.search(rf"^def {name}\(", (ROOT / file).read_text(encoding="utf-8"), re.MULTILINE)


# --- notes with gold marks ----------------------------------------------------------------------------------


EVERY_LABEL = """\
{{PATIENT|Ann Roe}}, {{AGE|ninety-two}}, b. {{DATE|'31}}, {{STREET|12 Elm St}}, {{CITY|Yuma}}, AZ
{{ZIP|85364}} ({{LOCATION_OTHER|Yuma County}}), {{PHONE|928-555-0142}}, {{FAX|928-555-0143}},
{{EMAIL|ann.roe@mail.com}}, SSN {{SSN|912-44-7706}}, MRN {{MEDICALRECORD|0371-88-214}}, plan
{{HEALTHPLAN|ZEX904418826}}, acct {{ACCOUNT|4471-22}}, licence {{LICENSE|RN448120}}, plate
{{VEHICLE|KLM 2047}}, pump {{DEVICE|SN-77812}}, {{URL|www.annroe.com/me}}, {{IPADDR|34.7.11.90}},
voiceprint {{BIOID|VP-77812}}, case {{IDNUM|S23-11844}}, login {{USERNAME|aroe77}}, works at
{{ORGANIZATION|Elm Bakery}}."""


@pytest.fixture(scope="module")
def notes() -> list[Document]:
    corpus = ROOT / "corpus" / "longitudinal"
    return [
        *read_notes(corpus, format="inline", patient_from_name="^(p[0-9]+)-"),
        Document("every label", *parse(EVERY_LABEL), patient_id="ann"),
    ]


def words(note: Document, label: str) -> set[tuple[int, int]]:
    return {
        (span.start + word.start(), span.start + word.end())
        for span in note.spans
        if span.label == label
        for word in WORD.finditer(note.text[span.start : span.end])
    }


@pytest.fixture(scope="module")
def released(notes) -> list[dict[tuple[int, int], str]]:
    """What the gold marks of each note become, by their offsets."""
    pipeline = Pipeline(load_policy("safe-harbor"), key=bytes(32))
    chosen = [note for note in pipeline.choose(notes) if isinstance(note, Document)]
    made = [note for note in pipeline.replace(chosen) if isinstance(note, Document)]
    return [
        {
            (old.start, old.end): after.text[new.start : new.end]
            for old, new in zip(before.spans, after.spans, strict=True)
        }
        for before, after in zip(chosen, made, strict=True)
    ]


@pytest.mark.parametrize("label", sorted(group("safe-harbor")))
def test_no_listed_identifier_is_left(notes, released, label):
    """With gold marks, nothing that a clause lists stays."""
    seen = 0
    for note, texts in zip(notes, released, strict=True):
        for span in note.spans:
            text = note.text[span.start : span.end]
            if span.label == label and identifying(label, text):
                assert texts[span.start, span.end].casefold() != text.casefold(), (note.id, span.start)
                seen += 1
    assert seen


def test_providers_are_kept_wholly_or_replaced_wholly(notes, tmp_path):
    for note, kept in zip(notes, Pipeline(load_policy("safe-harbor")).choose(notes), strict=True):
        replaced = [(span.start, span.end) for span in kept.spans]
        assert not [
            word for word in words(note, "DOCTOR") if any(a < word[1] and word[0] < b for a, b in replaced)
        ]
    path = tmp_path / "all.toml"
    path.write_text('extends = "safe-harbor"\nproviders = "replace"\n')
    for note, kept in zip(notes, Pipeline(load_policy(path)).choose(notes), strict=True):
        replaced = {(span.start, span.end) for span in kept.spans}
        gold = {(span.start, span.end) for span in note.spans if span.label in ("DOCTOR", "HOSPITAL")}
        assert gold <= replaced


def test_no_invented_town_stands_beside_a_true_state(notes, released):
    places = {"CITY", "STREET", "LOCATION_OTHER", "ORGANIZATION"}
    for note, texts in zip(notes, released, strict=True):
        for span in note.spans:
            if span.label in places:
                assert texts[span.start, span.end] == f"[{span.label}]"
