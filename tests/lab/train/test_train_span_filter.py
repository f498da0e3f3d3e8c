"""A filter learns which spans of a policy are false alarms, and drops no more right ones than allowed."""

import json
import stat
from pathlib import Path

import pytest

pytest.importorskip("scipy")

from plainsight.config import load_policy
from plainsight.document import Document, Span
from plainsight.errors import DataError, PolicyError, UsageError
from plainsight.lab.train.span_filter import train_filter
from plainsight.models import models_of
from plainsight.pipeline import Pipeline

POLICY = 'labels = "all"\ndetectors = ["patterns"]\n[combine]\npropagate = false\n'


def notes(count: int = 60, first: int = 0) -> list[Document]:
    """Return notes with a date that is one, and one of a form that is none."""
    made = []
    for number in range(first, first + count):
        date, form = f"{number % 12 + 1}/{number % 27 + 1}/2019", f"{number % 9 + 1}/{number % 23 + 1}/2017"
        text = f"Seen on {date} at home.\nForm rev. {form} printed."
        made.append(Document(f"n{number}", text, (Span(8, 8 + len(date), "DATE"),), patient_id=f"p{number}"))
    return made


@pytest.fixture
def policy(tmp_path: Path) -> Path:
    path = tmp_path / "patterns.toml"
    path.write_text(POLICY)
    return path


def test_false_alarms_are_dropped_and_dates_stay(tmp_path: Path, policy: Path) -> None:
    manifest = train_filter(notes(), tmp_path / "filter", policy=str(policy), folds=2)
    assert manifest["cross_validation"]["false_alarms_dropped"] == 60
    assert manifest["cross_validation"]["right_spans_dropped"] == 0
    assert stat.S_IMODE((tmp_path / "filter" / "arrays.npz").stat().st_mode) == 0o600
    with_filter = tmp_path / "filtered.toml"
    with_filter.write_text(POLICY + 'filter = "./filter"\n')
    filtered = load_policy(with_filter)
    assert filtered.filter == str(tmp_path / "filter")
    (tmp_path / "again.toml").write_text(filtered.to_toml())
    assert load_policy(tmp_path / "again.toml") == filtered
    assert "filter" in models_of(filtered)
    new = notes(10, first=100)
    before, after = (list(Pipeline(one).detect(new)) for one in (load_policy(policy), filtered))
    assert [len(note.spans) for note in before] == [2] * 10  # type: ignore[union-attr]
    assert [note.spans for note in after] == [note.spans[:1] for note in before]  # type: ignore[union-attr]


def test_what_the_record_supports_is_never_dropped(tmp_path: Path, policy: Path) -> None:
    from plainsight.combine.span_filter import SpanFilter

    train_filter(notes(), tmp_path / "filter", policy=str(policy), folds=2)
    text = "Form rev. 3/4/2017 printed."
    alarm, known = Span(10, 18, "DATE", 0.95, "patterns.date"), Span(10, 18, "DATE", 0.95, "patient.date")
    drop = SpanFilter(model=str(tmp_path / "filter"))
    both = Span(10, 18, "DATE", 0.95, "patterns.date", (alarm, known))
    for span, kept in ((alarm, 0), (known, 1), (both, 1)):
        assert [len(note.spans) for note in drop([Document("1", text, (span,))])] == [kept]


def test_the_allowed_loss_is_kept_when_right_and_wrong_look_alike(tmp_path: Path, policy: Path) -> None:
    alike = [
        Document(f"n{n}", f"Seen on {n % 12 + 1}/7/2019 at home.", (Span(8, 15, "DATE"),) * (n % 2), f"p{n}")
        for n in range(80)
    ]
    manifest = train_filter(alike, tmp_path / "filter", policy=str(policy), folds=2, loss=0.1)
    assert manifest["cross_validation"]["right_spans_dropped"] <= 4


def test_too_few_examples_and_wrong_settings_are_refused(tmp_path: Path, policy: Path) -> None:
    with pytest.raises(DataError, match="needs 20 right"):
        train_filter(notes(5), tmp_path / "filter", policy=str(policy))
    with pytest.raises(UsageError, match="loss"):
        train_filter(notes(5), tmp_path / "filter", policy=str(policy), loss=2.0)
    assert not (tmp_path / "filter").exists()


def test_a_policy_refuses_what_is_no_filter(tmp_path: Path, policy: Path) -> None:
    policy.write_text(POLICY + 'filter = "conv-en"\n')
    with pytest.raises(PolicyError, match="not a filter"):
        load_policy(policy)
    policy.write_text(POLICY + f"filter = {json.dumps(str(tmp_path / 'nothing'))}\n")
    with pytest.raises(PolicyError, match="no model at"):
        load_policy(policy)
