"""Detectors under names of their own: several of one kind, some labels, variants of the text."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plainsight.config import Choice, load_policy
from plainsight.detect.named import Named, NamedDoubting, named
from plainsight.detect.patterns import Patterns
from plainsight.document import Document
from plainsight.errors import PolicyError
from plainsight.pipeline import Pipeline
from plainsight.text.variants import TEXT_VARIANTS

TWO = """
detectors = ["patterns", "dates", "quick", "quick-lower"]
[detector.dates]
kind = "patterns"
labels = ["DATE"]
[detector.quick]
kind = "convolution"
labels = ["PATIENT", "DOCTOR"]
[detector.quick-lower]
kind = "convolution"
text = "lower"
bias = -2.0
[combine]
precedence = ["dates", "quick-lower"]
[combine.routes]
DATE = ["dates", "quick-lower"]
[combine.thresholds]
quick-lower = 0.2
"""
NOTE = Document("1", "DR. OKAFOR saw John Smith on 3/4/2019, phone 212-555-0123.")


@pytest.fixture
def policy(tmp_path):
    path = tmp_path / "two.toml"
    path.write_text(TWO)
    return load_policy(path)


def test_a_policy_holds_several_detectors_of_one_kind(policy, tmp_path):
    assert [choice.plugin for choice in policy.detectors] == [
        "patterns",
        "patterns",
        "convolution",
        "convolution",
    ]
    assert policy.detectors[3] == Choice("quick-lower", {"bias": -2.0}, "convolution", None, "lower")
    again = tmp_path / "again.toml"
    again.write_text(policy.to_toml())
    assert load_policy(again) == policy


def test_routes_thresholds_and_sources_speak_of_names(policy):
    [found] = Pipeline(policy).detect([NOTE])
    claims = [claim for span in found.spans for claim in (span.claims or (span,))]
    sources = {claim.detector for claim in claims}
    assert sources <= {"patterns", "dates", "quick", "quick-lower", "propagate"}
    assert {"patterns", "dates", "quick", "quick-lower"} <= sources
    assert {claim.label for claim in claims if claim.detector == "dates"} == {"DATE"}
    assert {claim.label for claim in claims if claim.detector == "quick"} <= {"PATIENT", "DOCTOR"}
    assert not any(claim.label == "DATE" and claim.detector == "patterns" for claim in claims)


def test_a_kind_in_the_precedence_stands_for_its_detectors(policy):
    order = Pipeline(policy)._precedence
    assert order[:2] == ("dates", "quick-lower")
    whole = Pipeline(load_policy("balanced"))._precedence
    assert whole == ("patient", "cascade", "patterns")


@settings(max_examples=25, deadline=None)
@given(st.lists(st.sampled_from([NOTE.text, "MRN: 4471882", "Roe, 3/4/2019", "212-555-0123 "]), max_size=4))
def test_a_union_covers_what_each_part_finds(parts):
    note = Document("1", " ".join(parts))
    detectors = [
        Patterns(),
        named(Patterns(), "dates", labels={"DATE"}),
        named(Patterns(), "low", text="lower"),
    ]
    table = load_policy("redact")
    pipeline = Pipeline(table)
    pipeline.__dict__["detectors"] = tuple(detectors)
    [found] = pipeline.detect([note])
    covered = {at for span in found.spans for at in range(span.start, span.end)}
    for detector in detectors:
        for span in detector.detect([note])[0]:
            assert {at for at in range(span.start, span.end) if note.text[at].isalnum()} <= covered


@given(st.text())
def test_variants_keep_every_offset(text):
    for variant in TEXT_VARIANTS.values():
        assert len(variant(text)) == len(text)


def test_only_what_differs_is_wrapped():
    patterns = Patterns()
    assert named(patterns, "patterns") is patterns
    assert type(named(patterns, "shapes")) is Named
    [quick] = [d for d in Pipeline(load_policy("fast")).detectors if d.name == "convolution"]
    assert type(named(quick, "quick")) is NamedDoubting


DATES = 'detectors = ["d"]\n[detector.d]\nkind = "patterns"\n'


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ('detectors = ["names"]', "unknown detector 'names'"),
        ('detectors = ["names"]\n[detector.names]\nkind = "transformr"', "did you mean 'transformer'"),
        ('detectors = ["x.y"]\n[detector."x.y"]\nkind = "patterns"', "letters, digits"),
        (DATES + 'labels = ["PATIENT"]', "does not find 'PATIENT'"),
        (DATES + "labels = []", "labels is empty"),
        (DATES + 'text = "upper"', "unknown text 'upper'"),
        (DATES + 'local = "en"', "did you mean 'locale'"),
        (DATES + '[combine]\nprecedence = ["e"]', "unknown detector 'e'"),
    ],
)
def test_wrong_settings_are_refused(tmp_path, content, message):
    path = tmp_path / "wrong.toml"
    path.write_text(content)
    with pytest.raises(PolicyError, match=message):
        load_policy(path)
