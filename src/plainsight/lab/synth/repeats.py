"""Find what is marked in a note and stands unmarked elsewhere in it: words of names and places, numbers."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator

from plainsight.document import Document
from plainsight.text.shadow import shadow
from plainsight.text.vocabulary import Is, vocabulary

_LABELS = frozenset({"PATIENT", "DOCTOR", "HOSPITAL", "ORGANIZATION", "STREET", "CITY", "LOCATION_OTHER"})
_WORD = re.compile(rb"[A-Za-z]{4,}")
_PARAGRAPH = re.compile(r"\n[ \t]*\n")
_ORDINARY = (
    Is.WORD | Is.MIXED | Is.STOP | Is.MEDICAL | Is.CALENDAR | Is.GENERIC | Is.HEADS | Is.PLACE_WORD
    | Is.CUE | Is.TITLE | Is.LANGUAGE | Is.PEOPLE
)  # fmt: skip
_CALLED = re.compile(rb"(?:(?i:Drs?|Mr|Mrs|Ms|Miss)\.? |\bper )\Z")
_QUALIFIED = re.compile(rb",? (?:MD|DO|RN|NP|PA-C|LPN|PharmD|LCSW)\b")
_NUMBER = 6  # characters, so that a date such as 3/18 is not taken for a dose


def unmarked_repeats(document: Document, *, by_paragraph: bool = False) -> Iterator[tuple[int, int]]:
    """Yield where it stands; ordinary words and eponyms only where a title or a credential makes them names.

    With ``by_paragraph`` the paragraphs have nothing to do with one another.
    """
    text = shadow(document.text)
    covered = bytearray(len(text))
    for span in document.spans:
        covered[span.start : span.end] = b"\1" * (span.end - span.start)
    for start, end in (*_words(document, text, by_paragraph), *_numbers(document)):
        if not any(covered[start:end]):
            yield start, end


def _words(document: Document, text: bytes, by_paragraph: bool) -> Iterator[tuple[int, int]]:
    marked = _marked_words(document, text, by_paragraph)
    flags = vocabulary()
    for hit in _WORD.finditer(text):
        word = hit.group().lower()
        if word not in marked:
            continue
        part = _part(document.text, hit.start()) if by_paragraph else 0
        if (part, hit.group()[:1].isupper()) not in marked[word] and (part, False) not in marked[word]:
            continue
        known = flags.get(word, 0)
        plain = known & (_ORDINARY | Is.EPONYM) or _compound(text, *hit.span())
        if not plain or (not known & Is.GENERIC and _is_somebody(text, *hit.span())):
            yield hit.span()


def _numbers(document: Document) -> Iterator[tuple[int, int]]:
    """Yield every place of the marked texts that hold digits, marked or not."""
    texts = {document.text[span.start : span.end] for span in document.spans if span.label != "AGE"}
    wanted = sorted(text for text in texts if len(text) >= _NUMBER and any(map(str.isdigit, text)))
    if wanted:
        pattern = "|".join(map(re.escape, sorted(wanted, key=len, reverse=True)))
        for hit in re.finditer(rf"(?<![\w./-])(?:{pattern})(?![\w/-])", document.text):
            yield hit.span()


def _is_somebody(text: bytes, start: int, end: int) -> bool:
    """Tell whether a word with a capital is called by a title, or has a credential behind it."""
    if not text[start : start + 1].isupper():
        return False
    before = _CALLED.search(text, max(0, start - 6), start)
    return before is not None or _QUALIFIED.match(text, end) is not None


def _marked_words(document: Document, text: bytes, by_paragraph: bool) -> dict[bytes, set[tuple[int, bool]]]:
    """Return the words of marks, each with its paragraphs and whether it is capitalised there."""
    found: dict[bytes, set[tuple[int, bool]]] = defaultdict(set)
    for span in document.spans:
        if span.label in _LABELS:
            part = _part(document.text, span.start) if by_paragraph else 0
            for hit in _WORD.finditer(text, span.start, span.end):
                found[hit.group().lower()].add((part, hit.group()[:1].isupper()))
    return found


def _part(text: str, offset: int) -> int:
    return sum(1 for _ in _PARAGRAPH.finditer(text, 0, offset))


def _compound(text: bytes, start: int, end: int) -> bool:
    """Tell whether a word is half of a hyphenated one: Swan-Ganz, Gore-Tex."""
    after, before = text[end : end + 2], text[max(0, start - 2) : start]
    return (after[:1] == b"-" and after[1:].isalpha()) or (before[1:] == b"-" and before[:1].isalpha())
