"""The corpus itself stays free of findings that nobody has looked at."""

from dataclasses import replace
from pathlib import Path

import pytest

from plainsight.document import Document
from plainsight.formats.inline import Inline
from plainsight.lab.synth.check import check

ROOT = Path(__file__).parents[3]
CORPUS = ROOT / "corpus"


@pytest.mark.server  # 7,600 notes take their time
@pytest.mark.skipif(not CORPUS.is_dir(), reason="the corpus is not in a source distribution")
def test_the_corpus_checks_and_its_notes_are_counted():
    items = list(Inline().read(CORPUS))
    notes = [replace(item, id=f"corpus/{item.id}.txt") for item in items if isinstance(item, Document)]
    assert len(notes) == len(items)
    accepted = set((CORPUS / "accepted.lst").read_text(encoding="utf-8").splitlines())
    found = check(notes, scraps=lambda note: "/fragments/" in note)
    assert [finding.place for finding in found if finding.place not in accepted] == []
    rows = [line.split("|") for line in (CORPUS / "README.md").read_text(encoding="utf-8").splitlines()]
    counted = {
        row[1].strip(): (int(row[2].replace(",", "")), int(row[4].replace(",", "")))
        for row in rows
        if len(row) > 5 and (CORPUS / row[1].strip()).is_dir()
    }
    folders: dict[str, list[int]] = {}
    for note in notes:
        folders.setdefault(note.id.split("/")[1], []).append(len(note.spans))
    assert counted == {name: (len(counts), sum(counts)) for name, counts in folders.items()}
