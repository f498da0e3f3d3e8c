from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from plainsight.config import load_policy
from plainsight.document import Document, Patient
from plainsight.errors import DataError, UsageError
from plainsight.pipeline import Pipeline
from plainsight.site.folder import Site, new_site
from plainsight.site.inclusion import (
    Entry,
    InclusionList,
    Scan,
    load_inclusion,
    proposals,
    save_inclusion,
)
from plainsight.site.sentences import Stored

KEY = bytes(range(32))
NOW = datetime(2026, 1, 2, 3, 4, tzinfo=UTC)
SAFE = "Hand hygiene was performed before the examination."
POISONED = "Please call Maria Okafor at 617-555-0199 with questions."


@pytest.fixture(scope="module")
def scan() -> Scan:
    return Scan(load_policy("fast"))


@pytest.fixture
def site(tmp_path: Path) -> Site:
    return new_site(tmp_path / "ward", policy="fast", secret=KEY)


def accepted(scan: Scan, *texts: str) -> InclusionList:
    entries = InclusionList()
    entries.propose(Entry(text, 50, "frequent", settings=scan.settings) for text in texts)
    for text in texts:
        entries.decide(text, accept=True, who="ana", when=NOW)
    return entries


def with_site(site: Site) -> Pipeline:
    return Pipeline(replace(load_policy("fast"), site=str(site.folder)), key=KEY)


def test_frequent_and_medical_sentences_of_several_patients_are_proposed(scan: Scan) -> None:
    stored = [
        Stored(SAFE, 30, 8),
        Stored("Hypertension is stable on lisinopril.", 4, 6),
        Stored("The family was there again.", 4, 6),
        Stored("Hand hygiene was done by the night staff.", 30, 2),
        Stored("12-14", 99, 8),
    ]
    found = {entry.text: entry.reason for entry in proposals(stored, scan, InclusionList())}
    assert found == {SAFE: "frequent", "Hypertension is stable on lisinopril.": "medical"}


def test_a_sentence_with_a_name_is_not_proposed(scan: Scan) -> None:
    assert [*proposals([Stored(POISONED, 500, 8)], scan, InclusionList())] == []


def test_what_is_on_the_list_is_not_proposed_again(scan: Scan) -> None:
    entries = accepted(scan, SAFE)
    assert [*proposals([Stored(SAFE, 500, 8)], scan, entries)] == []
    assert entries.propose([Entry(SAFE, 1, "frequent")]) == 0


def test_a_decision_keeps_who_and_when_and_needs_a_proposal() -> None:
    entries = InclusionList([Entry(SAFE, 30, "frequent")])
    entry = entries.decide(SAFE, accept=True, who="ana", when=NOW)
    assert (entry.state, entry.who, entry.when) == ("accepted", "ana", "2026-01-02T03:04:00+00:00")
    with pytest.raises(UsageError, match="not proposed"):
        entries.decide("Another.", accept=True, who="ana", when=NOW)
    with pytest.raises(UsageError, match="who"):
        entries.decide(SAFE, accept=False, who=" ", when=NOW)


def test_a_poisoned_entry_is_suspended_by_a_new_scan(scan: Scan) -> None:
    entries = accepted(scan, SAFE, POISONED)
    [suspended] = entries.rescan(scan)
    assert (suspended.text, suspended.state) == (POISONED, "suspended")
    assert suspended.doubted_by in ("patterns", "convolution")
    assert entries.accepted(scan.settings) == {SAFE}
    assert entries.rescan(scan) == []
    with pytest.raises(UsageError, match="suspended"):
        entries.decide(POISONED, accept=True, who="ana", when=NOW)


def test_a_suspended_entry_that_is_no_longer_doubted_is_proposed_again(scan: Scan) -> None:
    entries = InclusionList([Entry(SAFE, 9, "frequent", state="suspended", doubted_by="x")])
    entries.rescan(scan)
    assert [entry.text for entry in entries.entries("proposed")] == [SAFE]


def test_accepted_sentences_count_only_for_the_detectors_they_were_scanned_with(
    site: Site, scan: Scan
) -> None:
    entries = accepted(scan, SAFE)
    save_inclusion(site, entries)
    assert with_site(site)._known.accepted == {SAFE}
    entries.entries()[0].settings = "those of an older model"
    save_inclusion(site, entries)
    assert with_site(site)._known.accepted == frozenset()


def test_claims_inside_accepted_sentences_are_dropped_but_not_those_of_the_record(
    site: Site, scan: Scan
) -> None:
    save_inclusion(site, accepted(scan, POISONED))
    note = Document("1", POISONED)
    [plain] = with_site(site).detect([note])
    assert plain.spans == ()
    [other] = with_site(site).detect([replace(note, text=POISONED.replace("call", "ring"))])
    assert other.spans != ()
    record = Patient(id="1", names=("Maria Okafor",))
    [known] = with_site(site).detect([replace(note, patient=record)])
    assert [known.text[span.start : span.end] for span in known.spans] == ["Maria Okafor"]


def test_the_list_survives_and_cannot_be_read_or_changed_without_the_key(site: Site, scan: Scan) -> None:
    save_inclusion(site, accepted(scan, SAFE))
    [entry] = load_inclusion(site).entries()
    assert (entry.text, entry.count, entry.who) == (SAFE, 50, "ana")
    content = site.inclusion.read_bytes()
    assert b"hygiene" not in content
    damaged = content[:-1] + bytes([content[-1] ^ 1])
    site.inclusion.write_bytes(damaged)
    with pytest.raises(DataError, match="damaged"):
        load_inclusion(site)
    assert site.inclusion.read_bytes() == damaged
