"""The second pass takes what is sure in a patient's notes as evidence, and nothing from other patients."""

from pathlib import Path

import pytest

from plainsight.config import load_policy
from plainsight.detect.second_pass import SecondPass
from plainsight.document import Document, Span
from plainsight.pipeline import Pipeline

FIRST = ("first",)


def second(
    *notes: tuple[str, str, list[tuple[str, str, float]]], **options: object
) -> list[list[tuple[str, ...]]]:
    """Return what the second pass finds; a note is a patient, a text and its claims (text, label, score)."""
    documents, claims = [], []
    for number, (patient, text, found) in enumerate(notes):
        documents.append(Document(str(number), text, patient_id=patient or None))
        spans = [(text.index(part), part, label, score) for part, label, score in found]
        claims.append([Span(at, at + len(part), label, score, "first") for at, part, label, score in spans])
    made = SecondPass(of=FIRST, **options).detect_with(documents, claims)  # type: ignore[arg-type]
    return [
        [(document.text[span.start : span.end], span.label, span.source) for span in spans]
        for document, spans in zip(documents, made, strict=True)
    ]


SURE = ("p", "Seen by Dr. Stavropoulos. Stavropoulos agrees.", [("Stavropoulos", "DOCTOR", 0.99)])
AGAIN = ("p", "Dr. Stavropoulos called.", [("Stavropoulos", "DOCTOR", 0.98)])


def test_a_doubtful_claim_that_agrees_with_a_sure_one_is_supported() -> None:
    doubtful = ("p", "stavropoulos to review", [("stavropoulos", "PATIENT", 0.3)])
    assert second(SURE, doubtful)[1] == [("stavropoulos", "DOCTOR", "second-pass.agrees")]
    other = ("q", *doubtful[1:])
    assert second(SURE, other)[1] == []
    assert second(("", *SURE[1:]), ("", *doubtful[1:]))[1] == []
    assert second(SURE, ("p", "at Stavropoulos", [("Stavropoulos", "CITY", 0.3)]))[1] == []


def test_parts_of_a_sure_name_support_a_doubtful_one() -> None:
    sure = ("p", "Eleni Stavropoulos came.", [("Eleni Stavropoulos", "PATIENT", 0.95)])
    assert second(sure, ("p", "Eleni slept.", [("Eleni", "DOCTOR", 0.4)]))[1] == [
        ("Eleni", "PATIENT", "second-pass.agrees")
    ]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Signed: Stavropuolos", ["Stavropuolos"]),
        ("Signed: STAVROPOLOS", ["STAVROPOLOS"]),
        ("signed: stavropolos", []),  # no capital
        ("Signed: Stavrapulos", []),  # two slips
    ],
)
def test_misspellings_of_names_that_were_found_twice(text: str, found: list[str]) -> None:
    assert [word for word, *_ in second(SURE, AGAIN, ("p", text, []))[2]] == found
    assert second(SURE, ("p", text, []))[1] == []
    assert second(SURE, AGAIN, ("p", text, []), misspellings=False)[2] == []


def test_words_of_their_own_are_no_misspellings() -> None:
    notes = [("p", "Mr. Vizion came.", [("Vizion", "PATIENT", 0.99)])] * 2
    assert second(*notes, ("p", "Vision is normal. Vizione", []))[2] == [
        ("Vizione", "PATIENT", "second-pass.misspelling")
    ]


def test_a_policy_keeps_doubtful_claims_only_with_support(tmp_path: Path) -> None:
    policy = tmp_path / "two.toml"
    policy.write_text(
        'extends = "fast"\ndetectors = ["second-pass"]\n'
        '[detector.second-pass]\nof = ["patterns", "patient", "convolution"]\n'
        "[combine.thresholds]\nconvolution = 0.9\n"
    )
    pipeline = Pipeline(load_policy(policy))
    notes = [Document("1", "Seen by Dr. Ana Okafor.", patient_id="p"), Document("2", "", patient_id="p")]
    assert [len(note.spans) for note in pipeline.detect(notes)] == [1, 0]  # type: ignore[union-attr]
