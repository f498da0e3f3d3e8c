"""The corpus itself stays free of findings that nobody has looked at."""

from dataclasses import replace
from pathlib import Path

import pytest

from plainsight.document import Document
from plainsight.formats.inline import Inline
from plainsight.lab.synth.check import check

ROOT = Path(__file__).parents[3]
CORPUS = ROOT / "corpus"


@pytest.mark.server  # 3,500 notes take their time
@pytest.mark.skipif(not CORPUS.is_dir(), reason="the corpus is not in a source distribution")
def test_the_corpus_checks():
    items = list(Inline().read(CORPUS))
    notes = [replace(item, id=f"corpus/{item.id}.txt") for item in items if isinstance(item, Document)]
    assert len(notes) == len(items)
    accepted = set((CORPUS / "accepted.lst").read_text(encoding="utf-8").splitlines())
    found = check(notes, scraps=lambda note: "/fragments/" in note)
    assert [finding.place for finding in found if finding.place not in accepted] == []
