"""Measure what is still found when identifiers or whole texts are written in a disguise.

    python benchmarks/disguises.py FOLDER... [--policies fast balanced] [--only DISGUISE...] [--json]

The notes have marks in inline form. Each disguise rewrites every note, character by character, so that the
marks stay exact: invisible characters, letters that look like Latin ones, capitals, missing spaces, text in
an address or a program. The choices are drawn with a fixed seed.

- **recall**: the share of marked letters and digits that are hidden;
- **precision**: the share of hidden letters and digits that are marked;
- **clean**: the share of notes in which every marked letter and digit is hidden.

No text is printed.
"""

from __future__ import annotations

import argparse
import json
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from html import escape
from pathlib import Path
from random import Random
from urllib.parse import quote

from plainsight.config import load_policy
from plainsight.document import Document, Span
from plainsight.evaluate.read_notes import read_notes
from plainsight.pipeline import Pipeline
from plainsight.text.rare_words import marked

Write = Callable[[str, bool, str, Random], str]
"""Write a character anew, given whether it is marked and the character before it."""

_LATIN = "ABCEHIJKMOPSTXYaceijopsxy"
_CYRILLIC = "АВСЕНІЈКМОРЅТХУасеіјорѕху"
_LOOK_ALIKES = dict(zip(_LATIN, _CYRILLIC, strict=True))
_LIGATURES = {"ff": "ﬀ", "fi": "ﬁ", "fl": "ﬂ"}
_MISREAD = {"O": "0", "o": "0", "l": "1", "I": "1", "S": "5", "B": "8", "0": "O", "1": "l", "5": "S"}


def _between(mark: str, share: float = 0.3, among: Callable[[str], bool] = str.isalnum) -> Write:
    """Put a character between letters or digits of an identifier."""

    def write(char: str, hit: bool, before: str, random: Random) -> str:
        inside = hit and among(char) and among(before)
        return mark + char if inside and random.random() < share else char

    return write


def _each(table: dict[str, str], share: float = 1.0) -> Write:
    """Write some of the characters of identifiers otherwise."""

    def write(char: str, hit: bool, before: str, random: Random) -> str:
        return table[char] if hit and char in table and random.random() < share else char

    return write


def _always(change: Callable[[str], str]) -> Write:
    """Write every character of the text otherwise."""
    return lambda char, hit, before, random: change(char)


def _shifted(upper: int, lower: int, digit: int) -> dict[str, str]:
    table = {chr(65 + n): chr(upper + n) for n in range(26)} | {
        chr(97 + n): chr(lower + n) for n in range(26)
    }
    return table | {chr(48 + n): chr(digit + n) for n in range(10)}


def _same_length(change: Callable[[str], str]) -> Callable[[str], str]:
    return lambda char: new if len(new := change(char)) == 1 else char


def _first_of_word(mark: str) -> Write:
    return lambda char, hit, before, random: mark + char if char.isalnum() and not before.isalnum() else char


def _json(char: str) -> str:
    return json.dumps(char)[1:-1]


DISGUISES: dict[str, Write] = {
    "as written": _always(lambda char: char),
    "zero-width spaces in identifiers": _between("\u200b"),
    "soft hyphens in identifiers": _between("\u00ad"),
    "joiners in identifiers": _between("\u2060"),
    "a direction mark before each word": _first_of_word("\u200e"),
    "letters that look alike in identifiers": _each(_LOOK_ALIKES, 0.5),
    "accents in identifiers": _each(
        {c: unicodedata.normalize("NFC", c + "\u0301") for c in "aeiouAEIOU"}, 0.3
    ),
    "the same, as marks of their own": _each({c: c + "\u0301" for c in "aeiouAEIOU"}, 0.3),
    "wide letters in identifiers": _each(_shifted(0xFF21, 0xFF41, 0xFF10)),
    "bold mathematical letters in identifiers": _each(_shifted(0x1D400, 0x1D41A, 0x1D7CE)),
    "letters and digits misread in identifiers": _each(_MISREAD, 0.15),
    "capitals": _always(_same_length(str.upper)),
    "small letters": _always(_same_length(str.lower)),
    "no-break spaces": _always(lambda char: "\u00a0" if char == " " else char),
    "every fourth space missing": lambda char, hit, before, random: (
        "" if char == " " and random.random() < 0.25 else char
    ),
    "a line end for every fourth space": lambda char, hit, before, random: (
        "\n" if char == " " and random.random() < 0.25 else char
    ),
    "hyphens at line ends in identifiers": _between("-\n", 0.05, str.islower),
    "spaces between letters of identifiers": _between(" ", 1.0, str.isalpha),
    "tags around words": lambda char, hit, before, random: (
        f"<b>{char}" if char.isalnum() and before.isspace() else f"</b>{char}" if char.isspace() else char
    ),
    "HTML": _always(lambda char: escape(char).encode("ascii", "xmlcharrefreplace").decode()),
    "JSON": _always(_json),
    "an address": _always(lambda char: quote(char, safe=",:")),
    "an address with plus signs": _always(lambda char: "+" if char == " " else quote(char, safe=",:")),
    "underscores for spaces": _always(lambda char: "_" if char == " " else char),
}


def disguised(note: Document, write: Write, seed: str) -> Document:
    """Return a note in a disguise, with its marks where they are then."""
    random, text, marks = Random(seed), note.text, marked(note.text, note.spans)
    pieces = [
        write(char, bool(marks[at]), text[at - 1] if at else " ", random) for at, char in enumerate(text)
    ]
    ends = [0]
    for piece in pieces:
        ends.append(ends[-1] + len(piece))
    spans = tuple(
        replace(span, start=ends[span.start] + pieces[span.start].rfind(">") + 1, end=ends[span.end])
        for span in note.spans
    )  # a tag before an identifier is none of it
    return replace(note, text="".join(pieces), spans=spans, patient_id=note.id)


def found_in(policy: Pipeline, notes: Sequence[Document]) -> Iterator[tuple[Document, Sequence[Span]]]:
    """Yield each note with what a policy finds in it."""
    for note, item in zip(notes, policy.detect(replace(note, spans=()) for note in notes), strict=True):
        if not isinstance(item, Document):
            raise SystemExit(f"note {item.id} could not be read: {item.reason}")
        yield note, item.spans


def figures(policy: Pipeline, notes: Sequence[Document]) -> dict[str, float]:
    """Return recall and precision of letters and digits, and the share of clean notes."""
    both = gold = hidden = clean = 0
    for note, spans in found_in(policy, notes):
        true, said = marked(note.text, note.spans), marked(note.text, spans)
        places = [at for at, char in enumerate(note.text) if char.isalnum()]
        hits = sum(true[at] & said[at] for at in places)
        marks = sum(true[at] for at in places)
        both, gold, hidden = both + hits, gold + marks, hidden + sum(said[at] for at in places)
        clean += hits == marks
    return {"recall": both / gold, "precision": both / hidden, "clean": clean / len(notes)}


def main() -> None:
    """Print a table of disguises."""
    parser = argparse.ArgumentParser(description="Measure policies on disguised notes.")
    parser.add_argument("notes", nargs="+", type=Path, help="folders of notes in inline form")
    parser.add_argument("--policies", nargs="+", default=["fast", "balanced"])
    parser.add_argument("--only", nargs="+", default=list(DISGUISES), choices=DISGUISES, metavar="DISGUISE")
    parser.add_argument("--json", action="store_true")
    asked = parser.parse_args()
    notes = [note for path in asked.notes for note in read_notes(path, format="inline")]
    pipelines = {name: Pipeline(load_policy(name)) for name in asked.policies}
    results = {}
    if not asked.json:
        print(f"{len(notes)} notes: recall, precision, clean\n")
        print(f"| disguise | {' | '.join(pipelines)} |\n|---|{'---|' * len(pipelines)}")
    for disguise in asked.only:
        written = [disguised(note, DISGUISES[disguise], f"{disguise} {note.id}") for note in notes]
        results[disguise] = {name: figures(pipeline, written) for name, pipeline in pipelines.items()}
        if not asked.json:
            cells = (
                f"{r['recall']:.3f} {r['precision']:.3f} {r['clean']:.0%}" for r in results[disguise].values()
            )
            print(f"| {disguise} | {' | '.join(cells)} |", flush=True)
    if asked.json:
        print(json.dumps({"notes": len(notes), "disguises": results}, indent=2))


if __name__ == "__main__":
    main()
