"""``key signer``, ``release`` and ``verify``, as a privacy officer uses them."""

from __future__ import annotations

import json

import pytest
from typer.testing import CliRunner

from plainsight.cli import app
from plainsight.document import Document
from plainsight.errors import UsageError
from plainsight.review.project import Project

runner = CliRunner()
PHRASE = {"PLAINSIGHT_SIGNING_PASSPHRASE": "a long enough phrase"}
SAYS = ["--name", "Dr. Ada Officer", "--statement", "The risk is very small."]


def run(*arguments, **options):
    return runner.invoke(app, [str(argument) for argument in arguments], env=PHRASE, **options)


@pytest.fixture
def ward(tmp_path):
    policy = tmp_path / "rules.toml"
    policy.write_text('detectors = ["patterns"]\n[replace]\ndefault = "surrogate"\n')
    with Project.create(tmp_path / "ward", policy=policy, audit=1) as project:
        project.import_notes(
            [Document("a", "Call 617-555-0199 on 3/4/2019."), Document("b", "Seen 5/6/2019.")]
        )
        for note in project.notes():
            project.finish(note.id, "ann", 5)
    return tmp_path / "ward"


def test_a_release_is_signed_and_any_change_is_found(ward, tmp_path):
    key, out = tmp_path / "officer.key", tmp_path / "out"
    made = run("key", "signer", key)
    assert made.exit_code == 0
    fingerprint = made.output.strip().split()[-1]
    assert run("release", ward, "-o", out, *SAYS, "--signing-key", key).exit_code == 0
    checked = run("verify", out)
    assert checked.exit_code == 0
    assert fingerprint in checked.output
    known = run("verify", out, "--public-key", f"{key}.pub", "--json")
    assert all(check["good"] for check in json.loads(known.output))
    run("key", "signer", tmp_path / "other.key")
    assert run("verify", out, "--public-key", tmp_path / "other.key.pub").exit_code == 1
    page = out / "report.html"
    page.write_text(page.read_text().replace("2 notes", "3 notes").replace("95 %", "99 %", 1))
    changed = run("verify", out)
    assert changed.exit_code == 1
    assert "changed since it was signed" in changed.output


def test_what_is_missing_is_said(ward, tmp_path):
    with Project.open(ward) as project:
        project.import_notes([Document("c", "Seen 7/8/2019.")], audit=0)
    run("key", "signer", tmp_path / "officer.key")
    refused = run("release", ward, "-o", tmp_path / "out", *SAYS, "--signing-key", tmp_path / "officer.key")
    assert isinstance(refused.exception, UsageError)
    assert "1 of 3 notes are not read" in str(refused.exception)
    assert not (tmp_path / "out").exists()
    signed = run(
        "release", ward, "-o", tmp_path / "out", *SAYS, "--signing-key", tmp_path / "officer.key",
        "--leave-out-unread",
    )  # fmt: skip
    assert signed.exit_code == 0


def test_a_key_is_needed(ward, tmp_path):
    refused = run("release", ward, "-o", tmp_path / "out", *SAYS)
    assert "one signing key" in str(refused.exception)
    assert "give a file" in str(run("key", "signer").exception)
