from dataclasses import replace
from pathlib import Path

import pytest

from plainsight.config import load_policy
from plainsight.document import Document, Excerpt, Patient, Span
from plainsight.errors import DataError, UsageError
from plainsight.pipeline import Pipeline
from plainsight.site.folder import Site, new_site, open_site
from plainsight.site.knowledge import knowledge_of, save_known
from plainsight.site.known import (
    AS_WRITTEN,
    Found,
    Known,
    KnownSentences,
    pack,
    sentences_of,
    settings_of,
    unpack,
)
from plainsight.site.policy import with_site
from plainsight.site.settle import settle

KEY = bytes(range(32))
LOCALE = Path(__file__).parents[2] / "examples/locale/de_DE"
RULES = """
detectors = ["patterns", "patient"]
[replace]
default = "redact"
"""


@pytest.fixture
def site(tmp_path: Path) -> Site:
    (tmp_path / "rules.toml").write_text(RULES)
    return new_site(tmp_path / "ward", policy=str(tmp_path / "rules.toml"), secret=KEY)


def pipeline_of(site: Site) -> Pipeline:
    return Pipeline(replace(load_policy(site.policy), site=str(site.folder)), key=KEY)


def test_a_sentence_has_no_white_space_around_it_and_zeros_for_digits() -> None:
    found = sentences_of("  Seen 3/14.  Stable.\n\n \nHome")
    assert [(one.start, one.end, one.text) for one in found] == [
        (2, 12, "Seen 0/00."),
        (14, 21, "Stable."),
        (25, 29, "Home"),
    ]


def test_only_unknown_sentences_are_read_each_with_the_one_before_it() -> None:
    known = KnownSentences({f"Line {word}.": Known() for word in ("one", "two", "four", "five")})
    note = Document("1", "Line one.\nLine two.\nDr. Okafor came.\nLine four.\nLine five.\n")
    reading = known.read_note(note)
    assert reading.excerpt is not None
    assert reading.excerpt.text == "Line two.\nDr. Okafor came."
    assert isinstance(reading.excerpt, Excerpt)
    assert [reading.excerpt.text[a:b] for a, b in reading.excerpt.asked] == ["Dr. Okafor came."]
    spans = [Span(5, 8, "DATE"), Span(14, 20, "DOCTOR")]
    assert [note.text[span.start : span.end] for span in reading.in_note(spans)] == ["Okafor"]


def test_a_note_without_known_sentences_is_read_itself_and_a_known_one_not_at_all() -> None:
    known = KnownSentences({"Stable.": Known()})
    note = Document("1", "Dr. Okafor came.\n")
    assert known.read_note(note).excerpt is note
    assert known.read_note(Document("2", "Stable.\nStable.")).excerpt is None
    assert known.read([note, Document("2", "Stable.")]).claims("patterns", [[Span(0, 2, "DATE")]]) == [
        [Span(0, 2, "DATE")],
        [],
    ]


def test_a_sentence_that_is_known_with_its_digits_is_not_known_with_others() -> None:
    known = KnownSentences({AS_WRITTEN + "Ratio 25/20 again.": Known()})
    for written, is_known in (("25/20", True), ("10/12", False), ("00/00", False)):
        reading = known.read_note(Document("1", f"Ratio {written} again."))
        assert (reading.excerpt is None) == is_known


def test_a_span_over_two_parts_of_an_excerpt_ends_with_the_first() -> None:
    known = KnownSentences({"Stable.": Known()})
    note = Document("1", "Okafor\nStable.\nStable.\nBrown\n")
    reading = known.read_note(note)
    assert reading.excerpt is not None
    assert reading.excerpt.text == "Okafor\n\nStable.\nBrown"
    assert isinstance(reading.excerpt, Excerpt)
    assert [reading.excerpt.text[a:b] for a, b in reading.excerpt.asked] == ["Okafor", "Brown"]
    [span] = reading.in_note([Span(0, 10, "DOCTOR")])
    assert (span.start, span.end) == (0, 6)


def test_claims_of_known_sentences_move_to_their_place() -> None:
    found = Found(5, 9, "DATE", 0.9, "patterns.date")
    known = KnownSentences({"Seen 0/00.": Known({"patterns": [found]}, {})})
    note = Document("1", "Stable today.\nSeen 3/14.\n")
    readings = known.read([note])
    assert readings.claims("patterns", [[]]) == [[Span(19, 23, "DATE", 0.9, "patterns.date")]]
    assert readings.claims("cascade", [[]]) == [[]]


def test_repeated_sentences_are_settled_and_give_the_same_spans(site: Site) -> None:
    pipeline = pipeline_of(site)
    lines = ["Seen on 3/14/2019 in clinic.", "No known allergies.", "Call 617-555-0199 with questions."]
    notes = [Document(str(n), "\n".join((*lines, f"Note {'x' * n}."))) for n in range(5)]
    repeated = {sentence.text: 5 for sentence in sentences_of("\n".join(lines))}
    settled = settle(pipeline, notes, repeated)
    assert set(settled) == set(repeated)
    save_known(site, pipeline.policy, ["patterns"], settled)
    fresh = pipeline_of(site)
    test = Document("t", "No known allergies.\nSeen on 5/16/2020 in clinic.\nDOB 1/2/1950\n")
    [found], [expected] = fresh.detect([test]), pipeline_of_rules(site).detect([test])
    assert found.spans == expected.spans
    assert len(fresh._known or ()) == 3


def pipeline_of_rules(site: Site) -> Pipeline:
    return Pipeline(load_policy(site.policy))


def test_what_the_record_knows_is_found_in_known_sentences(site: Site) -> None:
    pipeline = pipeline_of(site)
    save_known(site, pipeline.policy, ["patterns"], {"Ask Okafor about pain.": ((), ())})
    note = Document("1", "Ask Okafor about pain.", patient=Patient(id="1", names=("Rose Okafor",)))
    [found] = pipeline_of(site).detect([note])
    assert [found.text[span.start : span.end] for span in found.spans] == ["Okafor"]


def test_known_sentences_count_only_for_the_settings_they_were_made_with(site: Site) -> None:
    policy = pipeline_of(site).policy
    save_known(site, policy, ["patterns"], {"Stable.": ((), ())})
    assert len(knowledge_of(policy, ["patterns"], key=KEY)) == 1
    [patterns, patient] = policy.detectors
    other = replace(policy, detectors=(replace(patterns, options={"locale": str(LOCALE)}), patient))
    assert settings_of(other, ["patterns"]) != settings_of(policy, ["patterns"])
    assert len(knowledge_of(other, ["patterns"], key=KEY)) == 0


def test_a_site_may_be_moved_and_opened_by_another_path(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    rules = site.folder / "templates.json"
    rules.write_text('{"format": "plainsight templates 1", "rules": []}')
    save_known(
        site, with_site(load_policy(site.policy), site), ["patterns", "templates"], {"Stable.": ((), ())}
    )
    moved = site.folder.rename(site.folder.with_name("moved"))
    monkeypatch.chdir(moved.parent)
    for folder in (moved, Path("moved"), Path("../") / moved.parent.name / "moved"):
        opened = open_site(folder, KEY)
        policy = with_site(load_policy(opened.policy), opened)
        assert len(knowledge_of(policy, ["patterns", "templates"], key=KEY)) == 1


def test_a_damaged_file_is_refused_and_stays(site: Site) -> None:
    policy = pipeline_of(site).policy
    save_known(site, policy, ["patterns"], {"Stable.": ((), ())})
    damaged = site.known.read_bytes()[:-1] + b"?"
    site.known.write_bytes(damaged)
    with pytest.raises(DataError, match="damaged"):
        knowledge_of(policy, ["patterns"], key=KEY)
    with pytest.raises(UsageError, match="damaged"):  # no note is set aside for it
        next(pipeline_of(site).detect([Document("1", "Stable.")]))
    assert site.known.read_bytes() == damaged
    with pytest.raises(DataError, match="another version"):
        unpack(b"\x93\x01", "", "file")


def test_the_file_holds_no_readable_text(site: Site) -> None:
    save_known(site, pipeline_of(site).policy, ["patterns"], {"Dr. Okafor came.": ((), ())})
    assert b"Okafor" not in site.known.read_bytes()
    assert unpack(pack("s", {"a b.": ((), ())}), "s", "") == {"a b.": Known()}
