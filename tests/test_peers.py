"""The shared code of the race against other systems (benchmarks/peers); no peer is installed."""

from __future__ import annotations

import json
import sys
from importlib import import_module
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import pytest

from plainsight.document import Document, Span

PEERS = Path(__file__).parents[1] / "benchmarks" / "peers"
sys.path.insert(0, str(PEERS))
child, figures = import_module("child"), import_module("figures")
hidden, of_one_length = import_module("hidden").hidden, import_module("notes").of_one_length
spec = spec_from_file_location("race", PEERS / "run.py")  # not by name: tests/run is a folder, too
assert spec is not None
assert spec.loader is not None
run = module_from_spec(spec)
spec.loader.exec_module(run)
sys.path.remove(str(PEERS))


def test_notes_have_the_wanted_length_and_exact_spans() -> None:
    text = "Seen by Ann\nRoe today.\nHeart regular, lungs clear.\nPhone 555-0101.\n"
    source = Document("1", text, (Span(8, 15, "DOCTOR"), Span(57, 65, "PHONE")))
    made = of_one_length([source], 3, words=100)
    assert [note.id for note in made] == ["00000", "00001", "00002"]
    for note in made:
        assert 100 <= len(note.text.split()) < 110
        assert {note.text[span.start : span.end] for span in note.spans} == {"Ann\nRoe", "555-0101"}
        assert 3 <= len(note.spans) <= 5  # 100 words, one identifier in 34


def test_every_adapter_names_its_systems() -> None:
    for adapter, variant in run.SYSTEMS.values():
        module = run.load_adapter(adapter)
        assert module.TITLES[variant]
        assert module.LEAVES
        assert callable(module.load)


def test_accuracy_and_queries() -> None:
    gold = Document(
        "1", "Ann Roe, nurse, 34 years old, seen 3/4/2019", (Span(0, 7, "NAME"), Span(35, 43, "DATE"))
    )
    empty = Document("2", "a 34-year-old since 2019")
    found = [[(0, 3, "x"), (16, 28, "AGE"), (35, 43, "x")], [(2, 13, "DATE_TIME"), (20, 24, "DATE_TIME")]]
    plain = figures.accuracy(figures.pairs([gold, empty], found))
    assert plain["clean"] == 1
    assert plain["recall"] == pytest.approx(4 / 5)
    assert plain["precision"] < 0.6
    short = figures.query_figures(figures.pairs([gold, empty], found))
    assert (short["precision"], short["gone"], short["over"]) == (1.0, 1.0, 0.0)


def test_stars_of_the_note_itself_are_not_hidden() -> None:
    assert hidden("* Ann", "* ***") == [(2, 5, "OTHER")]
    with pytest.raises(ValueError, match="characters"):
        hidden("Ann", "**")


ADAPTER = """
TITLES, PACKAGES, LEAVES = {"": "digits"}, None, "letters"

def load(variant):
    return lambda texts: ([(0, 1, "ID")] for text in texts)
"""


def test_child_measures_an_adapter(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(child.os, "sched_setaffinity", lambda *_: None, raising=False)
    (tmp_path / "digits.py").write_text(ADAPTER, encoding="utf-8")
    lines = "".join(json.dumps({"id": str(number), "text": "7 up"}) + "\n" for number in range(50))
    (tmp_path / "notes.jsonl").write_text(lines, encoding="utf-8")
    sets = {
        "timed": str(tmp_path / "notes.jsonl"),
        "scored": 4,
        "others": {"hand": str(tmp_path / "notes.jsonl")},
    }
    (tmp_path / "sets.json").write_text(json.dumps(sets), encoding="utf-8")
    out = tmp_path / "out.json"
    child.main(str(tmp_path / "digits.py"), "", str(tmp_path / "sets.json"), str(out), "5")
    result = json.loads(out.read_text(encoding="utf-8"))
    assert (result["done"], result["read"]) == (True, 50)
    assert len(result["marks"]["notes"]) == 4
    assert len(result["marks"]["hand"]) == 50
    assert result["peak"] > 1


def test_a_system_that_fails_is_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run, "environment", lambda *_: Path(sys.executable))
    (tmp_path / "results").mkdir()
    result = run.measure("datafog", tmp_path / "missing.json", tmp_path, seconds=1, limit=60)
    assert result["failure"].startswith("fails: ")
    assert "datafog" in figures.failures({"datafog": result})
    assert "marks" not in result


def test_tables_verdict_and_page(tmp_path: Path) -> None:
    scores = {"recall": 0.9, "precision": 0.8, "safe_harbor": 0.95, "clean": 1, "notes": 2}
    timing = {"cold": 1.0, "warm": 2.0, "load": 0.5, "peak": 30.0, "read": 60}
    peer = {"title": "Peer 1", "leaves": "jobs", "ours": False, **timing, "figures": {"notes": scores}}
    ours = {**peer, "title": "plainsight `balanced`", "ours": True, "warm": 50.0}
    better = {**ours, "figures": {"notes": {**scores, "recall": 0.99, "precision": 0.79}}}
    results = {"balanced": better, "peer": peer}
    said = figures.verdict(results)
    assert "`balanced` is 25.0 times as fast" in said
    assert "- precision on the made notes (.790): Peer 1 .800 (recall .900)" in said
    assert "- recall" not in said
    assert figures.main_table(results).splitlines()[2].startswith("| plainsight `balanced` | 1.0 | 50 |")
    assert figures.chart(results).startswith("<svg")
    page = tmp_path / "page.md"
    page.write_text("Head\n<!-- race -->\nold\n<!-- end of race -->\nFoot\n", encoding="utf-8")
    figures.put_between(page, "race", "new")
    assert page.read_text(encoding="utf-8") == "Head\n<!-- race -->\n\nnew\n\n<!-- end of race -->\nFoot\n"


def test_cost_tables_follow_from_measured_rates() -> None:
    sys.path.insert(0, str(PEERS.parent))
    cost = import_module("cost")
    sys.path.remove(str(PEERS.parent))
    size = {"100": {"seconds": 3.0, "rate": 100.0}}
    measured = {"load": 2.0, "cold": 40.0, "first": 50, "warm": 100.0, "length": {"500": 100.0}, "size": size}
    asked = cost.argparse.Namespace(archive=104e6, price=0.05, efficiency=0.9)
    written = cost.report({"fast": measured}, asked)
    assert "| `fast` | 12.0 days | 20.1 h | 1.6 h | $16 | $0.15 |" in written
    assert "| GPT-4o |  |  |  | $2,225,600 | $21,400 |" in written
    assert "| `fast` | 2.0 | 40 (50) | 100 |" in written
