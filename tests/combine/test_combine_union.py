"""A union of named detectors finds at least what each part finds: of one kind, for some labels, by routes."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plainsight.config import load_policy
from plainsight.document import Document
from plainsight.pipeline import Pipeline

PARTS = {
    "small": 'model = "conv-en"',
    "wide": 'model = "wide-en"',
    "careful": 'model = "conv-en"\nbias = -2.0',
    "names": 'model = "wide-en"\nlabels = ["PATIENT", "DOCTOR"]',
    "places": 'model = "wide-en"\nlabels = ["CITY", "STATE", "STREET", "ZIP", "HOSPITAL", "ORGANIZATION"]',
    "rest": 'model = "conv-en"\nlabels = ["DATE", "AGE", "PHONE", "MEDICALRECORD"]',
    "lower": 'model = "conv-en"\ntext = "lower"',
    "restored": 'model = "conv-en"\ntext = "restored"',
}
UNIONS = {
    "one kind, two models": ("small", "wide"),
    "one model, two biases": ("small", "careful"),
    "some labels each": ("names", "places", "rest"),
    "variants of the text": ("small", "lower", "restored"),
    "all": tuple(PARTS),
}
LINES = [
    "Mr. John Smith, 86F, MRN 4471882, was seen by Dr. Okafor on 3/4/2019.",
    "DISCUSSED WITH DR. NGUYEN AT LAKEVIEW MEDICAL CENTER, DULUTH MN 55804",
    "wife mary roe called from 617-555-0123, they live at 12 elm street",
    "Works for Sunrise Bakery in Dayton, Ohio; Parkinson disease, Braden 18.",
    "BP 120/80, pain 6/10. Back on Monday; follow up with R. Fannin, RN.",
    "MRN: 4471882   Smith,John   DOB 2/3/1933",
]
notes = st.lists(st.sampled_from(LINES), min_size=1, max_size=5).map(
    lambda lines: Document("1", "\n".join(lines))
)


@cache
def pipeline(names: tuple[str, ...], combine: str = "") -> Pipeline:
    """Return a pipeline of named detectors, and the patterns, whose claims the networks read."""
    tables = [f'[detector.{name}]\nkind = "convolution"\n{PARTS[name]}\n' for name in names]
    head = f"detectors = {['patterns', *names]}\n"
    with TemporaryDirectory() as folder:
        path = Path(folder, "policy.toml")
        path.write_text(head + "".join(tables) + "[combine]\npropagate = false\n" + combine)
        return Pipeline(load_policy(path))


def covered(found: Document) -> set[int]:
    return {at for span in found.spans for at in range(span.start, span.end) if found.text[at].isalnum()}


def detected(names: tuple[str, ...], note: Document, combine: str = "") -> Document:
    [found] = pipeline(names, combine).detect([note])
    assert isinstance(found, Document)
    return found


@pytest.mark.parametrize("union", UNIONS)
@settings(max_examples=8, deadline=None)
@given(note=notes)
def test_a_union_covers_what_each_part_finds(union, note):
    whole = covered(detected(UNIONS[union], note))
    for part in UNIONS[union]:
        assert covered(detected((part,), note)) <= whole


@settings(max_examples=15, deadline=None)
@given(notes)
def test_routes_by_name_keep_all_that_the_named_detectors_find(note):
    routes = '[combine.routes]\nDATE = ["rest"]\nPATIENT = ["names", "small"]\nDOCTOR = ["names", "small"]\n'
    parts = ("small", "names", "rest")
    whole = detected(parts, note, routes)
    for part, labels in {
        "rest": {"DATE"},
        "names": {"PATIENT", "DOCTOR"},
        "small": {"PATIENT", "DOCTOR"},
    }.items():
        for span in detected((part,), note).spans:
            if span.detector == part and span.label in labels:
                own = {at for at in range(span.start, span.end) if note.text[at].isalnum()}
                assert own <= covered(whole)
    claims = [claim for span in whole.spans for claim in (span.claims or (span,))]
    assert {claim.detector for claim in claims if claim.label == "DATE"} <= {"rest"}


@settings(max_examples=8, deadline=None)
@given(notes)
def test_more_votes_find_no_more(note):
    parts = UNIONS["all"]
    one, two = (covered(detected(parts, note, f"vote = {vote}\n")) for vote in (1, 2))
    assert two <= one
