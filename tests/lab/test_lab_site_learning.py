"""Learning from corrections: better where it was taught, and not worse elsewhere."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from site_notes import KEY, marked

from plainsight.cli.lab.site_learn import outdated
from plainsight.config import load_policy
from plainsight.detect.corrected import Corrected
from plainsight.document import Document, Span
from plainsight.errors import UsageError
from plainsight.lab.site_learning import corrector, judge, learn, shipped_replay
from plainsight.pipeline import Pipeline
from plainsight.site.choose import AUDIT, DOUBT, Candidate
from plainsight.site.corrections import begin_round, correct
from plainsight.site.folder import new_site
from plainsight.site.learned import model_in_use, with_corrections
from plainsight.site.policy import with_site
from plainsight.site.rounds import read_rounds
from plainsight.testing import check_detector, sample_documents

pytest.importorskip("scipy")

REPLAY, CHECKED = shipped_replay()


@pytest.fixture
def site(tmp_path):
    return new_site(tmp_path / "ward", policy="fast", secret=KEY)


def read(site, notes):
    """Let a reader correct notes, the first twelve as the audit sample."""
    chosen = [
        (Candidate(replace(n, spans=()), ()), AUDIT if at < 12 else DOUBT) for at, n in enumerate(notes)
    ]
    begin_round(site, chosen, strategy="random", notes=len(notes))
    correct(site, notes)


def test_a_round_takes_away_most_errors_and_keeps_the_corpus(site):
    read(site, [marked(n) for n in range(52)])
    learned = learn(site, made="2026-01-01", replay=REPLAY, checked=CHECKED)
    assert learned.kept, learned.reason
    assert learned.after.strict.missed + learned.after.strict.wrong < 0.5 * (
        learned.before.strict.missed + learned.before.strict.wrong
    )
    [line] = read_rounds(site)
    assert (line["round"], line["read"], line["audit"], line["kept"]) == (1, 52, 12, True)
    assert "Okafor" not in json.dumps(line)
    unseen = [marked(n) for n in range(60, 70)]
    policy = with_site(load_policy("fast"), site)
    assert policy.detectors[-1].plugin == "corrected"
    assert judge(policy, KEY, unseen).strict.f > judge(load_policy("fast"), KEY, unseen).strict.f
    assert {each.name for each in policy.detectors} == {each.name for each in load_policy("fast").detectors}
    [corrected] = (each for each in policy.detectors if each.plugin == "corrected")
    small = [note for note in sample_documents() if len(note.text) < 10_000]
    check_detector(Corrected(**corrected.options).with_key(KEY), small)
    folder = model_in_use(site)
    assert not any(b"okafor" in path.read_bytes().lower() for path in folder.iterdir())
    with pytest.raises(UsageError, match="key"):
        list(Pipeline(policy, key=bytes(32)).detect(unseen))


def test_the_transformer_can_be_left_out(tmp_path):
    site = new_site(tmp_path / "large", policy="balanced", secret=KEY)
    read(site, [marked(n) for n in range(52)])
    learned = learn(site, made="2026-01-01", replay=REPLAY, checked=CHECKED, without_transformer=True)
    assert learned.kept, learned.reason
    policy = with_site(load_policy("balanced"), site)
    [corrected] = (each for each in policy.detectors if each.plugin == "corrected")
    assert corrected.options["settings"]["doubt"] == 1.0
    pipeline = Pipeline(policy, key=KEY)
    assert next(iter(pipeline.detect([marked(60)]))).spans
    [detector] = (each.detector for each in pipeline.detectors if each.name == "cascade")
    assert "_large" not in vars(detector.network)  # it was never loaded


def test_a_policy_without_a_transformer_cannot_leave_it_out(site):
    with pytest.raises(UsageError, match="no transformer"):
        corrector(load_policy("fast"), KEY, without_transformer=True)


def test_the_command_says_what_was_read_by_the_old_model(site):
    assert list(outdated(site)) == []
    site.known.touch()
    [told] = outdated(site)
    assert "run `plainsight site sentences`" in told
    site.inclusion.touch()
    assert "safe --rescan" in list(outdated(site))[1]


def test_contradictory_corrections_change_nothing(site):
    notes = [marked(n) for n in range(52)]
    wrong = [
        replace(n, spans=tuple(Span(s.start, s.end, "AGE" if at % 2 else "ZIP") for s in n.spans[at % 3 :]))
        for at, n in enumerate(notes)
    ]
    read(site, [*notes[:12], *wrong[12:]])
    learned = learn(site, made="2026-01-01", replay=REPLAY, checked=CHECKED)
    assert not learned.kept
    assert learned.reason
    assert model_in_use(site) is None
    assert with_site(load_policy("fast"), site).detectors == load_policy("fast").detectors
    assert [line["kept"] for line in read_rounds(site)] == [False]


@pytest.mark.server  # it replays all notes that ship
def test_contradictory_corrections_do_not_spoil_our_corpus(tmp_path):
    """Without any judge: replay alone keeps what was learned wrongly at the site out of other notes."""
    notes = [marked(n) for n in range(40)]
    wrong = [
        replace(n, spans=tuple(Span(s.start, s.end, "AGE" if at % 2 else "ZIP") for s in n.spans[at % 3 :]))
        for at, n in enumerate(notes)
    ]
    replay, checked = shipped_replay()
    policy = load_policy("fast")
    teacher = corrector(policy, KEY)
    teacher.learn(teacher.examples(wrong), tmp_path / "model", replay=teacher.examples(replay))
    before, after = (
        judge(each, KEY, checked) for each in (policy, with_corrections(policy, tmp_path / "model"))
    )
    assert after.token.f >= before.token.f - 0.002
    assert after.strict.f >= before.strict.f - 0.002


def test_too_little_to_learn_from_or_judge_by_is_refused(site):
    with pytest.raises(UsageError, match="nothing was corrected"):
        learn(site, made="2026-01-01")
    notes = [marked(n) for n in range(4)]
    begin_round(site, [(Candidate(n, ()), DOUBT) for n in notes], strategy="random", notes=4)
    correct(site, notes)
    with pytest.raises(UsageError, match="audit sample has 0"):
        learn(site, made="2026-01-01")
    assert read_rounds(site) == []


def test_empty_notes_are_no_obstacle(tmp_path):
    teacher = corrector(load_policy("fast"), KEY)
    examples = teacher.examples([Document("1", ""), marked(1), Document("2", " \n ")])
    assert len(examples) == len(teacher.examples([marked(1)]))
    with pytest.raises(UsageError, match="no word"):
        teacher.examples([Document("1", "")])
