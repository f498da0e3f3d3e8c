"""Systems that mark notes here and now."""

import json
import shlex
import sys

import pytest

from plainsight.document import Document, Span
from plainsight.errors import DataError, UsageError
from plainsight.evaluate.systems import is_system, run_system
from plainsight.formats.standoff import marks_of

NOTES = [Document("a", "Ann Roe\u2028 here", (Span(0, 3, "PATIENT"),)), Document("b", "Ann")]


def command(code):
    return f"command:{shlex.quote(sys.executable)} -c {shlex.quote(code)}"


MARK = """
import json, sys
for line in sys.stdin:
    note = json.loads(line)
    spans = [{"start": 0, "end": 3, "label": "NAME"}, {"start": 0, "end": len(note["text"]), "label": "ID"}]
    print(json.dumps({"id": note["id"], "spans": spans, "text": note["text"]}, ensure_ascii=False))
"""


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("policy:fast", True),
        ("presidio", True),
        ("presidio:blank", True),
        ("command:x", True),
        ("a.jsonl", False),
    ],
)
def test_names(name, expected):
    assert is_system(name) is expected


def test_a_command_reads_notes_and_writes_spans():
    notes = run_system(command(MARK), NOTES, labels="mask")
    assert [note.text for note in notes] == [note.text for note in NOTES]
    assert set(marks_of(notes[0])) == {Span(0, 3, "PATIENT"), Span(0, 13, "IDNUM")}  # they may overlap


def test_a_command_never_sees_the_gold_spans():
    code = "import sys; assert 'PATIENT' not in sys.stdin.read()"
    with pytest.raises(DataError, match="line 1"):
        run_system(command(code), NOTES)


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("command:", "names no program"),
        ("command:no-such-program", "no-such-program cannot be run"),
        (command("raise SystemExit(3)"), "failed with exit code 3"),
        ("policy:no-such-policy", "no-such-policy"),
    ],
)
def test_what_cannot_be_run(name, reason):
    with pytest.raises(UsageError, match=reason):
        run_system(name, NOTES)


@pytest.mark.parametrize("line", ["Ann Roe", "[]", '{"id": "c", "spans": []}', '{"id": "a"}'])
def test_lines_that_are_no_notes_are_named_by_number(line):
    with pytest.raises(DataError, match="line 1 of") as raised:
        run_system(command(f"print({json.dumps(line)})"), NOTES)
    assert "Ann Roe" not in str(raised.value)


def test_a_policy():
    assert [note.id for note in run_system("policy:redact", NOTES)] == ["a", "b"]


def test_presidio_under_our_labels():
    pytest.importorskip("presidio_analyzer")
    (note,) = run_system("presidio:blank", [Document("1", "Mail ann@example.org")])
    assert "EMAIL" in {span.label for span in marks_of(note)}
