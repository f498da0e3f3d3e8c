"""The canary: none of a patient's identifiers is in the bytes of its released notes, in any format."""

import html
import re
from dataclasses import dataclass, replace
from functools import cache
from itertools import groupby
from pathlib import Path

import pytest
from note_formats import NOTE_FORMATS

from plainsight import lists, registry
from plainsight.config import load_policy
from plainsight.document import Document
from plainsight.evaluate.read_notes import read_notes
from plainsight.formats.base import write_all
from plainsight.labels import CATEGORY_OF
from plainsight.pipeline import Pipeline
from plainsight.run.patients import read_patients

CORPUS = Path(__file__).parents[1] / "corpus" / "longitudinal"
NAMES = ("PATIENT", "DOCTOR")
STRINGS = ("EMAIL", "STREET", "HOSPITAL")
NAME_WORD = re.compile(r"[^\W\d_]{4,}")
TOKEN = re.compile(r"[^\W_]+")
NOBODY = frozenset(("babyboy", "babygirl"))  # what those are called who have no name yet
LONGEST = 6  # tokens of a number: +1 (901) 555-0142 x 17 has six


@dataclass(frozen=True)
class Canaries:
    """What must not be found, folded: name words, numbers without punctuation, strings."""

    words: frozenset[str]
    numbers: frozenset[str]
    strings: frozenset[str]

    def found(self, text: str) -> set[str]:
        text = html.unescape(text).casefold()
        words = self.words.intersection(NAME_WORD.findall(text))
        whole = {s for s in self.strings if s in text and re.search(rf"(?<!\w){re.escape(s)}(?!\w)", text)}
        return {*words, *(self.numbers & runs(text)), *whole}


def runs(text: str) -> set[str]:
    """Return the tokens of a text, and what neighbours make when nothing stands between them."""
    tokens = TOKEN.findall(text)
    return {"".join(tokens[at : at + many]) for at in range(len(tokens)) for many in range(1, LONGEST + 1)}


def unmarked(notes: list[Document]) -> str:
    """Return what stays by right: there the gold says that eponyms and ordinary words name nobody."""
    pieces = []
    for note in notes:
        ends = [0, *(span.end for span in note.spans)]
        starts = [*(span.start for span in note.spans), len(note.text)]
        pieces += [note.text[end:start] for end, start in zip(ends, starts, strict=True)]
    return "\n".join(pieces).casefold()


@cache
def dictionary() -> frozenset[str]:
    table = lists.load("words")
    return frozenset(
        word for word, listed in zip(table["word"], table["listed"], strict=True) if listed == "1"
    )


def canaries(notes: list[Document]) -> Canaries:
    """Return the identifiers of a patient's notes and record."""
    record, stays = notes[0].patient, unmarked(notes)
    marked = [(span.label, note.text[span.start : span.end]) for note in notes for span in note.spans]
    names = [text for label, text in marked if label in NAMES]
    numbers = [text for label, text in marked if CATEGORY_OF[label] in ("ID", "CONTACT")]
    strings = [text for label, text in marked if label in STRINGS]
    names += record.names + record.relatives + record.providers
    numbers += [number for _, number in record.ids] + [*record.phones, *record.emails]
    strings += [*record.emails, *(address.street for address in record.addresses)]
    words = {word for name in names for word in NAME_WORD.findall(name.casefold())}
    squeezed = {"".join(TOKEN.findall(number.casefold())) for number in numbers}
    return Canaries(
        frozenset(words - dictionary() - NOBODY - {*NAME_WORD.findall(stays)}),
        frozenset(number for number in squeezed if len(number) >= 5) - runs(stays),
        frozenset(text for string in strings if len(text := string.casefold()) >= 5 and text not in stays),
    )


@cache
def patients(key: int = 0) -> list[tuple[list[Document], list[Document], Canaries]]:
    """Return each patient's notes, their released form under a key, and what must not be in it."""
    records = read_patients(CORPUS)
    notes = read_notes(CORPUS, format="inline", patient_from_name="^(p[0-9]+)-")
    notes = sorted((replace(n, patient=records[n.patient_id]) for n in notes), key=lambda n: n.patient_id)
    released = list(Pipeline(load_policy("fast"), key=bytes(range(key, key + 32))).replace(notes))
    assert all(isinstance(note, Document) for note in released)
    pairs = zip(notes, released, strict=True)
    found = []
    for _, group in groupby(pairs, lambda pair: pair[0].patient_id):
        before, after = (list(side) for side in zip(*group, strict=True))
        hidden = canaries(before)
        after = [without_chance(*pair, hidden.words) for pair in zip(before, after, strict=True)]
        found.append((before, after, hidden))
    return found


def without_chance(before: Document, after: Document, words: frozenset[str]) -> Document:
    """Cross out surrogates that are by chance the word of somebody else: names are drawn one by one.

    Some lists of names are short, so that in a large family Vang may become Thao and Thao become Moua.
    """
    text = after.text
    for old, new in zip(before.spans, after.spans, strict=True):
        original = {*NAME_WORD.findall(before.text[old.start : old.end].casefold())}
        for word in NAME_WORD.finditer(text, new.start, new.end):
            if word[0].casefold() in words - original:
                text = text[: word.start()] + "x" * len(word[0]) + text[word.end() :]
    return replace(after, text=text)


def written(format_name: str, notes: list[Document], path: Path) -> str:
    """Write notes and return all there is to see: names and bytes of all files, and what is read back."""
    format_ = registry.create("formats", format_name)
    write_all(format_, notes, path)
    files = [path] if path.is_file() else [file for file in path.rglob("*") if file.is_file()]
    assert files
    seen = [file.name + "\n" + file.read_bytes().decode("utf-8", "replace") for file in files]
    # A packed file hides its text, and one with a token in each row tears numbers apart.
    seen += [note.text for note in format_.read(path) if isinstance(note, Document)]
    return "\n".join(seen)


def target(format_name: str, folder: Path) -> Path:
    """Return a path for many notes: a file where the format holds them in one."""
    one = {"jsonl": ".jsonl", "csv": ".csv", "tsv": ".tsv", "parquet": ".parquet", "conll": ".conll",
           "i2b2-2006": ".xml", "muc": ".sgml"}  # fmt: skip
    return folder / f"notes{one.get(format_name, '')}"


@pytest.mark.parametrize("name", NOTE_FORMATS)
def test_no_original_is_in_a_release(name, tmp_path):
    """Under one key, a provider may by chance get her own name or somebody else's: so it takes two."""
    for number, (_, released, hidden) in enumerate(patients()):
        folder = tmp_path / str(number)
        folder.mkdir()
        if found := hidden.found(written(name, released, target(name, folder))):
            again = tmp_path / f"{number} again"
            again.mkdir()
            _, released, _ = patients(1)[number]
            assert not found & hidden.found(written(name, released, target(name, again)))


@pytest.mark.parametrize("name", NOTE_FORMATS)
def test_every_original_is_seen_in_the_notes_themselves(name, tmp_path):
    notes, _, hidden = patients()[0]
    here = hidden.found("\n".join(note.text for note in notes))
    assert len(here) > 40
    assert here <= hidden.found(written(name, notes, target(name, tmp_path)))


def test_there_is_much_to_find():
    assert sum(len(hidden.words) for *_, hidden in patients()) > 150
    assert sum(len(hidden.numbers) for *_, hidden in patients()) > 80
    assert sum(len(hidden.strings) for *_, hidden in patients()) > 40
