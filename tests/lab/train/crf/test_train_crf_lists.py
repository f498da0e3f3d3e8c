"""A CRF that reads what a site's lists find (S101)."""

from __future__ import annotations

import pytest

from plainsight.config import Choice, load_policy
from plainsight.document import Document, Span
from plainsight.errors import UsageError
from plainsight.pipeline import Pipeline
from plainsight.site.folder import new_site
from plainsight.site.lists import write_lists
from plainsight.site.policy import with_site

pytest.importorskip("scipy")

from dataclasses import replace

from plainsight.lab.detect.crf import Crf
from plainsight.lab.train.crf import train_crf

WARDS = ("Garden", "Harbor", "Mill", "Terrace", "Orchard", "Beacon")


def note(number: int, ward: str) -> Document:
    text = f"Note {number}. Patient moved to {ward} overnight, slept well in the room."
    start = text.index(ward)
    return Document(str(number), text, (Span(start, start + len(ward), "HOSPITAL"),))


@pytest.fixture(scope="module")
def trained(tmp_path_factory):
    folder = tmp_path_factory.mktemp("listed")
    secret = bytes(range(32))
    folder.chmod(0o700)
    key = folder / "a.key"
    key.write_bytes(secret.hex().encode())
    key.chmod(0o600)
    site = new_site(folder / "site", policy="fast", secret=secret)
    write_lists(site, "units", [("unit", ward) for ward in WARDS])
    plain = [Document(f"p{n}", f"Note {n}. Patient moved to chair overnight, slept well.") for n in range(8)]
    notes = [*(note(n, WARDS[n % 4]) for n in range(12)), *plain]
    given = {"lists": str(site.lists), "key_file": str(key)}
    manifest = train_crf(notes, folder / "model", dev=[note(1, "Beacon")], iterations=25, trust=0.0, **given)
    return site, secret, folder / "model", manifest, notes, given


def test_the_lists_are_a_feature_and_no_part_of_the_model(trained):
    _, _, model, manifest, _, _ = trained
    assert manifest["needs"] == ["patterns", "site_lists"]
    assert manifest["scores"]["binary-token"]["recall"] == 1.0
    for file in model.iterdir():
        assert b"Beacon" not in file.read_bytes()
    assert Crf(model=str(model)).needs == ("patterns", "site_lists")


def test_a_pipeline_hands_the_claims_of_the_lists_to_the_model(trained):
    site, secret, model, _, _, _ = trained
    policy = load_policy("fast")
    crf = Choice("crf", {"model": str(model)})
    policy = replace(policy, detectors=(Choice("patterns"), crf), precedence=None)
    unseen = note(99, "Orchard")
    bare = replace(unseen, spans=())
    (found,) = Pipeline(with_site(policy, site), key=secret).detect([bare])
    (span,) = found.spans
    assert {claim.detector for claim in span.claims} >= {"crf", "site_lists"}


def test_without_its_site_the_model_works_with_what_is_left(trained):
    _, _, model, _, _, _ = trained
    bare = [replace(note(1, "Garden"), spans=())]
    crf = Crf(model=str(model))
    assert crf.detect(bare) == crf.detect_with(bare, [[]])


def test_sets_that_look_at_no_claims_are_refused(trained, tmp_path):
    _, _, _, _, notes, given = trained
    with pytest.raises(UsageError, match="look at claims"):
        train_crf(notes, tmp_path / "other", feature_set="mask", **given)
    with pytest.raises(UsageError, match="needs its key"):
        train_crf(notes, tmp_path / "other", lists=given["lists"])
