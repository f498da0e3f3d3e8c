"""The values of templates."""

from importlib.metadata import EntryPoint

import pytest

from plainsight import registry
from plainsight.document import Document, Span
from plainsight.errors import PluginError, UsageError
from plainsight.lab.detect.crf import Crf
from plainsight.lab.detect.crf.feature_sets import FeatureSet, feature_set
from plainsight.lab.detect.crf.notes import read_notes
from plainsight.lab.detect.crf.templates import (
    Template,
    as_written,
    fields,
    gap_kind,
    gaps,
    joined,
    kinds,
    settled,
    words,
)
from plainsight.lab.train.crf import train_crf


def read(text: str, *claims: Span):
    [note] = read_notes([Document("1", text)], [claims])
    return note


def test_a_pair_is_the_words_at_two_places_lowered():
    note = read("Seen by Dr Ito")
    assert joined(0, 1)(note) == ["seen by", "by dr", "dr ito", "ito "]
    assert joined(-1, 1)(note) == [" by", "seen dr", "by ito", "dr "]
    assert joined(0, 1)(read("")) == []


def test_gaps_are_told_by_kind():
    note = read(" one, two  three\nfour\n \nfive")
    kinds = [gap_kind(gap)[0] for gap in gaps(note)]
    assert kinds == ["start", "glued", "space", "wide", "line", "paragraph"]
    assert gaps(read("")) == []


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("Attending Physician: Jo Ito", ["-", "-", "-", "attending physician", "attending physician"]),
        ("Jo Ito:\nnext line", ["-", "-", "-", "-", "-"]),
        ("DOB: 3/4 Sex: F", ["-", "-", "dob", "dob", "dob", "dob", "dob", "sex"]),
        ("at 10:30 pm", ["-"] * 5),
        ("pulse (apical): 80", ["-", "-", "-", "-", "-", "pulse (apical)"]),
        (": alone", ["-", "-"]),
        ("a:" + " b" * 12, ["-", "-"] + ["a"] * 9 + ["-"] * 3),
    ],
)
def test_a_form_label_reaches_to_the_end_of_its_line_or_nine_tokens(text, wanted):
    assert fields(read(text)) == wanted


def test_each_detectors_surest_claim_on_a_token_counts():
    claims = (
        Span(0, 7, "PATIENT", 0.9, "convolution.name"),
        Span(4, 7, "CITY", 0.5, "convolution.place"),
        Span(4, 11, "DATE", 0.8, "patterns.date"),
    )
    note = read("Ann May 2019", *claims)
    assert list(note.claims) == [
        "convolution B-PATIENT name",
        "convolution I-PATIENT name|patterns B-DATE date",
        "patterns I-DATE date",
    ]


def test_of_claims_that_overlap_the_longer_and_surer_stands():
    claims = (
        Span(0, 3, "PATIENT", 0.9, "convolution.name"),
        Span(4, 7, "CITY", 0.9, "convolution.place"),
        Span(4, 12, "DATE", 0.8, "patterns.date"),
    )
    assert settled(read("Ann May 2019", *claims)) == ["B-PATIENT", "B-DATE", "I-DATE"]
    assert settled(read("Ann May 2019")) == ["O", "O", "O"]


def test_a_word_is_of_a_kind_and_has_neighbours_on_its_line():
    note = read("Mercy Hospital\nJ 12/2019")
    assert [value.split(" ")[0] for value in kinds(note)][1:] == [
        kinds(note)[0].split(" ")[1],
        "",
        "W",
        "0",
        "/",
    ]
    assert [value.split(" ")[2] for value in kinds(note)] == ["Ww.head", "", "0", "/", "0", ""]
    assert kinds(read("")) == []


def test_every_template_gives_each_token_a_value():
    note = read("Seen by Dr. Ito: well\nBP 120/80")
    for name in registry.names("feature_sets"):
        templates = feature_set(name).templates
        assert all(len(template.values(note)) == len(note.tokens) for template in templates)


WARDS = FeatureSet(about="Words alone.", templates=(Template("word", (0,), words, as_written),))


def test_a_package_adds_a_feature_set(monkeypatch, tmp_path):
    taught = [Document(str(n), f"Seen by Ito on ward {n}", (Span(8, 11, "DOCTOR"),)) for n in range(3)]
    points = [
        EntryPoint("wards", f"{__name__}:WARDS", "plainsight.feature_sets"),
        EntryPoint("broken", f"{__name__}:read", "plainsight.feature_sets"),
    ]
    monkeypatch.setattr(registry, "entry_points", lambda group: [p for p in points if p.group == group])
    assert feature_set("wards") is WARDS
    manifest = train_crf(taught, tmp_path / "m", feature_set="wards", iterations=5)
    assert manifest["feature_set"] == "wards"
    assert [span.label for span in Crf(model=str(tmp_path / "m")).detect(taught)[0]] == ["DOCTOR"]
    with pytest.raises(PluginError, match="'broken' is not a FeatureSet"):
        feature_set("broken")
    with pytest.raises(UsageError, match="did you mean 'carafe-all'"):
        feature_set("carafe-al")


def test_every_feature_set_says_what_it_is():
    for name in registry.names("feature_sets"):
        assert feature_set(name).about.endswith(".")
