"""Templates match whole sentences, and files of rules that are damaged are refused."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plainsight import note_cache
from plainsight.config import load_policy
from plainsight.detect.templates import (
    FORMAT,
    Matcher,
    Rule,
    Templates,
    form_of,
    kinds,
    read_rules,
    syntax,
    template_of,
)
from plainsight.document import Document
from plainsight.errors import DataError, PolicyError, UsageError
from plainsight.pipeline import Pipeline
from plainsight.text.lines import bare_sentences

SIGNED = Rule("Electronically signed by {{DOCTOR|W W}}, MD on {{DATE|N/N/N}}", 40, 9)
BADGE = Rule("Badge no. {{IDNUM|A-N}} was shown.", 12, 4, 3)


def found(text: str, *rules: Rule) -> list[tuple[str, str]]:
    spans = [span for match in Matcher(rules).in_note(text) for span in match.spans]
    return [(span.label, text[span.start : span.end]) for span in spans]


def write_rules(path: Path, *rules: Rule) -> str:
    path.write_text(json.dumps({"format": FORMAT, "rules": [rule.to_json() for rule in rules]}))
    return str(path)


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        (
            "Stable.\n  Electronically signed by Zoë  Ngô, MD on 3/14/2019\nPlan: home",
            [("DOCTOR", "Zoë  Ngô"), ("DATE", "3/14/2019")],
        ),
        ("Electronically signed by Zoe Ng, MD on 3/14/2019 at noon", []),  # not the whole sentence
        ("electronically signed by Zoe Ng, MD on 3/14/2019", []),  # another fixed word
        ("Electronically signed by Zoe Ng-Li, MD on 3/14/2019", []),  # another syntax
        ("Electronically signed by the resident, MD on 3/14/2019", []),  # ordinary words
        ("Badge no. B7-4471 was shown.", [("IDNUM", "B7-4471")]),
        ("Badge no. 71-4471 was shown.", []),  # digits alone are N, not A
    ],
)
def test_a_rule_fires_only_where_all_of_a_sentence_matches(text: str, wanted: list[tuple[str, str]]) -> None:
    assert found(text, SIGNED, BADGE) == wanted


def test_signs_at_the_edge_of_a_slot_belong_to_it() -> None:
    template = template_of("Call (617) 555-0101 now.", [(5, 19, "PHONE")])
    assert template == "Call {{PHONE|(N) N-N}} now."
    assert found("Call (212) 555-0199 now.", Rule(template, 5)) == [("PHONE", "(212) 555-0199")]


@pytest.mark.parametrize(
    ("text", "marks"),
    [
        ("Aged 71yo today.", [(5, 7, "AGE")]),  # cuts a word
        ("Seen {{here}} by Ng.", [(17, 19, "DOCTOR")]),  # braces mean slots
        ("Seen -- today.", [(5, 7, "DATE")]),  # no word
    ],
)
def test_sentences_that_cannot_be_a_template(text: str, marks: list[tuple[int, int, str]]) -> None:
    assert template_of(text, marks) is None


def test_the_source_names_the_rule_and_the_score_falls_with_misses() -> None:
    [match] = Matcher([BADGE]).in_note("Badge no. B7-4471 was shown.")
    assert match.spans[0].source == f"templates.{BADGE.id}"
    assert 0.7 < match.spans[0].score < 0.85 < SIGNED.score


@given(st.text(alphabet="ab1 -/.\n{}|é", max_size=40))
def test_short_and_long_texts_have_the_same_syntax(text: str) -> None:
    view = kinds(text)
    assert syntax(view + b"," * 500) == syntax(view) + b"," * 500


@given(st.text(alphabet="Ab1 -/.,", min_size=1, max_size=30), st.integers(0, 29), st.integers(1, 30))
def test_a_template_matches_the_sentence_it_was_made_of(text: str, start: int, end: int) -> None:
    text = f"x {text.strip()} y"
    template = template_of(text, [(start, end, "PATIENT")]) if start < end <= len(text) else None
    if template is not None and template == template.strip():
        form = form_of(template)
        assert form.syntax == syntax(kinds(text))
        matcher = Matcher([Rule(template, 1)])
        [match] = matcher.in_sentence(text) or [None]
        if match is not None:  # a slot of ordinary words in small letters does not fire
            assert [(span.start, span.end) for span in match.spans] == [(start, end)]
        if len(bare_sentences(text)) == 1:
            assert list(matcher.in_note(text)) == matcher.in_sentence(text)


def test_the_detector_reads_its_rules_and_says_its_labels(tmp_path: Path) -> None:
    detector = Templates(rules=write_rules(tmp_path / "t.json", SIGNED, BADGE))
    assert detector.labels == {"DOCTOR", "DATE", "IDNUM"}
    note = Document("1", "Well.\nBadge no. B7-4471 was shown.\n")
    assert [len(spans) for spans in detector.detect([note, Document("2", "")])] == [1, 0]
    assert detector.explained(note) == [(6, 34)]
    assert [len(spans) for spans in detector.detect([note, note])] == [1, 1]  # the matches are known once
    assert detector._explained == {}
    detector.explained(note)
    note_cache.forget()
    assert detector._explained == {}  # no text outlives its pipeline


def test_a_policy_uses_templates(tmp_path: Path) -> None:
    write_rules(tmp_path / "t.json", Rule("Filed by {{DOCTOR|W}} at the desk.", 20, 5))
    policy = tmp_path / "ours.toml"
    policy.write_text(
        'extends = "fast"\ndetectors = ["templates"]\n[detector.templates]\nrules = "./t.json"\n'
    )
    pipeline = Pipeline(load_policy(policy))
    [note] = pipeline.detect([Document("1", "Filed by stapleton at the desk.")])
    assert "templates" in {claim.detector for span in note.spans for claim in span.claims or (span,)}


def test_a_policy_without_rules_is_refused(tmp_path: Path) -> None:
    policy = tmp_path / "ours.toml"
    policy.write_text('extends = "fast"\ndetectors = ["templates"]\n')
    with pytest.raises(PolicyError, match="name a file"):
        load_policy(policy)


@pytest.mark.parametrize(
    "content",
    [
        "{",
        "[]",
        '{"format": "other"}',
        json.dumps({"format": FORMAT}),
        json.dumps({"format": FORMAT, "rules": [1]}),
        json.dumps({"format": FORMAT, "rules": [Rule("no slot").to_json()]}),
        json.dumps({"format": FORMAT, "rules": [Rule("a {{DOCTOR|Smith}}").to_json()]}),
        json.dumps({"format": FORMAT, "rules": [Rule("a {{NOBODY|W}}").to_json()]}),
        json.dumps({"format": FORMAT, "rules": [Rule("a{{DOCTOR|W}}").to_json()]}),
        json.dumps({"format": FORMAT, "rules": [Rule("a {{DOCTOR|W}}", -1).to_json()]}),
    ],
)
def test_damaged_files_are_refused_without_their_text(tmp_path: Path, content: str) -> None:
    file = tmp_path / "t.json"
    file.write_text(content)
    with pytest.raises(DataError) as error:
        _ = Templates(rules=str(file)).labels
    assert "Smith" not in str(error.value)
    with pytest.raises(UsageError, match="no file of templates"):
        read_rules(tmp_path / "missing.json")
