"""deidentify --update: the second night does only what is new or changed."""

import json
from pathlib import Path

import pytest

RULES = Path(__file__).parents[2] / "examples" / "rules-only.toml"


@pytest.fixture
def night(plainsight, tmp_path):
    """Run one night over notes by id."""
    key = tmp_path / "key"
    key.write_bytes(b"k" * 32)

    def run(notes: dict[str, str], *options, kind="jsonl", code=0):
        if kind == "text":
            source = tmp_path / "in"
            source.mkdir(exist_ok=True)
            for file in source.iterdir():
                file.unlink()
            for name, text in notes.items():
                (source / f"{name}.txt").write_text(text)
        elif kind == "csv":
            source = tmp_path / "in.csv"
            rows = [f'{name},"{text}",x\n' for name, text in notes.items()]
            source.write_text("Nr,Words,unit\n" + "".join(rows))
            options = (*options, "--text-column", "Words", "--id-column", "Nr")
        else:
            source = tmp_path / "in.jsonl"
            source.write_text("".join(json.dumps({"id": i, "text": t}) + "\n" for i, t in notes.items()))
        command = ("deidentify", source, "-o", tmp_path / "out", "--update", "--key-file", key, "-p", RULES)
        result = plainsight(*command, *options)
        assert result.code == code, result.err
        return result

    return run


def text(number, year=2019):
    return f"Note {number} of 3/{number + 1}/{year}."


def manifest(tmp_path):
    return json.loads((tmp_path / "out.manifest.json").read_text())


def read(folder: Path) -> dict[str, str]:
    lines = [line for file in sorted(folder.glob("*.jsonl")) for line in file.read_text().splitlines()]
    found = [json.loads(line) for line in lines]
    assert len({note["id"] for note in found}) == len(found)
    return {note["id"]: note["text"] for note in found}


def test_a_second_night_adds_a_part_with_what_is_new(night, tmp_path):
    first = {f"n{n}": text(n) for n in range(5)}
    night(first)
    before = (tmp_path / "out" / "part-00001.jsonl").read_bytes()
    result = night({**first, "n5": text(5)})
    assert (tmp_path / "out" / "part-00001.jsonl").read_bytes() == before
    assert len((tmp_path / "out" / "part-00002.jsonl").read_text().splitlines()) == 1
    assert list(read(tmp_path / "out")) == [f"n{n}" for n in range(6)]
    assert "1 new, 0 changed, 5 notes as before" in result.err
    assert manifest(tmp_path)["notes"] == 1
    counts = {"night": 2, "new": 1, "changed": 0, "unchanged": 5, "no_longer_in_the_input": 0}
    assert manifest(tmp_path)["update"] == counts
    assert not [*tmp_path.rglob(".plainsight*"), *tmp_path.rglob("*.part")]


def test_all_nights_together_give_what_one_run_gives(night, plainsight, tmp_path):
    notes = {f"n{n}": text(n) for n in range(6)}
    night(dict(list(notes.items())[:3]))
    night(notes)
    command = ("deidentify", tmp_path / "in.jsonl", "-o", tmp_path / "whole.jsonl", "-p", RULES)
    assert plainsight(*command, "--key-file", tmp_path / "key").code == 0
    whole = [json.loads(line) for line in (tmp_path / "whole.jsonl").read_text().splitlines()]
    assert read(tmp_path / "out") == {note["id"]: note["text"] for note in whole}


@pytest.mark.parametrize("kind", ["jsonl", "csv"])
def test_a_changed_note_replaces_its_earlier_version(night, tmp_path, kind):
    notes = {f"n{n}": text(n) for n in range(4)}
    night(notes, kind=kind)
    before = (tmp_path / "out" / f"part-00001.{kind}").read_text().splitlines()
    night({**notes, "n1": "Changed."}, kind=kind)
    after = (tmp_path / "out" / f"part-00001.{kind}").read_text().splitlines()
    assert after == [line for line in before if "n1" not in line]
    assert "Changed." in (tmp_path / "out" / f"part-00002.{kind}").read_text()
    night(dict.fromkeys(notes, "All new."), kind=kind)
    assert [file.name for file in (tmp_path / "out").iterdir()] == [f"part-00003.{kind}"]


def test_files_are_added_and_replaced(night, tmp_path):
    notes = {f"n{n}": text(n) for n in range(4)}
    night(notes, kind="text")
    kept = (tmp_path / "out" / "n0.txt").stat()
    night({**notes, "n1": "Changed.", "n9": "New."}, kind="text")
    assert sorted(file.name for file in (tmp_path / "out").iterdir()) == [
        "n0.txt",
        "n1.txt",
        "n2.txt",
        "n3.txt",
        "n9.txt",
    ]
    assert (tmp_path / "out" / "n1.txt").read_text() == "Changed."
    assert (tmp_path / "out" / "n0.txt").stat() == kept


def test_deleted_notes_are_reported_and_stay(night, tmp_path):
    notes = {f"n{n}": text(n) for n in range(4)}
    night(notes)
    result = night({"n0": notes["n0"], "n7": "New."})
    assert "3 no longer in the input" in result.err
    listed = (tmp_path / "out.deleted.jsonl").read_text().splitlines()
    assert [json.loads(line)["id"] for line in sorted(listed)] == ["n1", "n2", "n3"]
    assert {*read(tmp_path / "out")} == {*notes, "n7"}
    night({**notes, "n7": "New."})
    assert not (tmp_path / "out.deleted.jsonl").exists()


def test_a_night_without_news_changes_nothing(night, tmp_path):
    notes = {"n0": text(0)}
    night(notes)
    night(notes)
    assert [file.name for file in (tmp_path / "out").iterdir()] == ["part-00001.jsonl"]


def test_a_note_set_aside_is_tried_again(night, tmp_path):
    night({"n0": text(0), "n1": "\x00\x01" * 60}, kind="text", code=1)
    night({"n0": text(0), "n1": "\x00\x01" * 60}, kind="text", code=1)
    assert "n1" in (tmp_path / "out.quarantine.jsonl").read_text()
    night({"n0": text(0), "n1": "Good now."}, kind="text")
    assert not (tmp_path / "out.quarantine.jsonl").exists()
    assert (tmp_path / "out" / "n1.txt").exists()


def test_ids_by_key(night, tmp_path):
    notes = {f"n{n}": text(n) for n in range(3)}
    night(notes, "--ids", "keyed")
    night({**notes, "n1": "Changed."}, "--ids", "keyed")
    assert len(read(tmp_path / "out")) == 3
    night({"n1": "Changed."}, "--ids", "keyed")
    listed = [json.loads(line)["id"] for line in (tmp_path / "out.deleted.jsonl").read_text().splitlines()]
    assert {*listed} < {*read(tmp_path / "out")}


def test_other_settings_and_outputs_are_refused(night, plainsight, tmp_path):
    notes = {"n0": text(0)}
    night(notes)
    assert "--with-spans (was none, is yes)" in night(notes, "--with-spans", code=2).err
    other = tmp_path / "other.key"
    other.write_bytes(b"o" * 32)
    command = ("deidentify", tmp_path / "in.jsonl", "-p", RULES)
    assert plainsight(*command, "-o", tmp_path / "out", "--key-file", other, "--update").code == 2
    key = ("--key-file", tmp_path / "key")
    for plain in ((), ("--restart",)):
        assert "exists" in plainsight(*command, "-o", tmp_path / "out", *key, *plain).err
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "thesis.txt").write_text("Precious.")
    assert "was not made with --update" in plainsight(*command, "-o", tmp_path / "mine", *key, "--update").err
    assert "never overwrites" in plainsight(*command, "-o", tmp_path / "out", *key, "--update", "--force").err
    for option in (("--mapping", tmp_path / "m"), ("--ids", "numbered")):
        assert plainsight(*command, "-o", tmp_path / "new", *key, "--update", *option).code == 2
    assert plainsight(*command, "-o", tmp_path / "new", "--update").code == 2
    assert not (tmp_path / "new").exists()
    night(notes)
