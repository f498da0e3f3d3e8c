"""The corpus itself stays free of findings that nobody has looked at."""

from dataclasses import replace
from pathlib import Path

import pytest

from plainsight.document import Document
from plainsight.formats.inline import Inline
from plainsight.lab.synth.check import check

ROOT = Path(__file__).parents[3]
CORPUS = ROOT / "corpus"
NEXT = ROOT / "corpus-next"


@pytest.mark.server  # 3,500 notes take their time
@pytest.mark.skipif(not CORPUS.is_dir(), reason="the corpus is not in a source distribution")
def test_the_corpus_checks():
    check_folder(CORPUS)


@pytest.mark.skipif(not NEXT.is_dir(), reason="these texts are not in a source distribution")
def test_the_texts_for_the_next_training_check_and_are_counted():
    notes = check_folder(NEXT)
    rows = [line.split("|") for line in (NEXT / "README.md").read_text(encoding="utf-8").splitlines()]
    counted = {
        row[1].strip(): tuple(map(int, row[2:5]))
        for row in rows
        if len(row) > 4 and (NEXT / row[1].strip()).is_dir()
    }
    folders = {note.id.rpartition("/")[0].removeprefix("corpus-next/"): [] for note in notes}
    for note in notes:
        folders[note.id.rpartition("/")[0].removeprefix("corpus-next/")].append(len(note.spans))
    assert counted == {name: (len(c), c.count(0), sum(c)) for name, c in folders.items()}


def check_folder(folder):
    """Return the notes of a folder; they have no finding that its list does not accept."""
    items = list(Inline().read(folder))
    notes = [replace(item, id=f"{folder.name}/{item.id}.txt") for item in items if isinstance(item, Document)]
    assert len(notes) == len(items)
    accepted = set((folder / "accepted.lst").read_text(encoding="utf-8").splitlines())
    found = check(notes, scraps=lambda note: "/fragments/" in note)
    assert [finding.place for finding in found if finding.place not in accepted] == []
    return notes
