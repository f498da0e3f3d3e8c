"""Check the marks of annotated notes for errors.

Each rule looks at one note and yields findings. `check` runs them all, finds what is marked in a note but
stands unmarked elsewhere in it, and finds near-duplicate notes, which teach nothing new and leak between
splits. A finding has a place and a kind; it shows words of the note only on demand.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from types import MappingProxyType
from typing import Any, NamedTuple

from plainsight.detect.patterns import Patterns
from plainsight.document import Document, Span
from plainsight.labels import LABELS
from plainsight.text.shadow import shadow
from plainsight.text.vocabulary import Is, vocabulary

KINDS: Mapping[str, str] = MappingProxyType(
    {
        "unreadable": "a file that cannot be read, or a mark that is empty, nested or never closed",
        "empty": "a note without text",
        "broken-mark": "text that looks like a mark but is none",
        "unknown-label": "a mark with a label that is not ours",
        "outer-space": "a mark that begins or ends with white space",
        "title": "a name's mark that holds a title or a credential",
        "possessive": "a name's mark that holds the possessive 's",
        "cut-word": "a mark that begins or ends within a word",
        "repeat": "a marked number, or a word of a marked name or place, that stands unmarked elsewhere",
        "shape": "something unmarked that has the shape of a date, phone, address of the web or SSN",
        "near-duplicate": "a note that shares much of its text with another",
    }
)
"""What can be found, by name."""


@dataclass(frozen=True, slots=True)
class Finding:
    """A finding: the note, the line and the kind; ``about`` explains it without words of the note."""

    note: str
    line: int
    kind: str
    about: str = ""
    text: str = field(default="", repr=False)

    @property
    def place(self) -> str:
        """The finding as one line without note text; equal findings give equal lines."""
        return f"{self.note}:{self.line}: {self.kind}" + (f" ({self.about})" if self.about else "")

    def to_json(self, *, show_text: bool = False) -> dict[str, Any]:
        """Return the finding as a record."""
        record: dict[str, Any] = {"note": self.note, "line": self.line, "kind": self.kind}
        if self.about:
            record["about"] = self.about
        if show_text and self.text:
            record["text"] = self.text
        return record


def check(
    documents: Iterable[Document], *, scraps: Callable[[str], bool] = lambda note: False
) -> Iterator[Finding]:
    """Yield findings note by note, then the near-duplicates.

    A note of ``scraps`` is a collection: each paragraph is checked for repeats on its own.
    """
    notes = []
    for document in documents:
        notes.append(document)
        if not document.text.strip():
            yield Finding(document.id, 1, "empty")
            continue
        found = [finding for rule in _RULES for finding in rule(document)]
        found += [
            _at(document, start, end, "repeat")
            for start, end in unmarked_repeats(document, by_paragraph=scraps(document.id))
        ]
        yield from sorted(found, key=lambda finding: finding.line)
    for pair in near_duplicates(notes):
        about = f"{pair.share:.0%} of it stands in {pair.other}"
        yield Finding(pair.note, 1, "near-duplicate", about)


def line_of(text: str, offset: int) -> int:
    """Return the number of the line that an offset is in."""
    return text.count("\n", 0, offset) + 1


def _at(document: Document, start: int, end: int, kind: str, about: str = "") -> Finding:
    shown = " ".join(document.text[max(0, start - 20) : end + 15].split())
    return Finding(document.id, line_of(document.text, start), kind, about, shown)


# --- rules ------------------------------------------------------------------------------------------------

_LIKE_A_MARK = re.compile(
    rf"\{{+\s*[A-Za-z_]{{3,}}\s*[|:]|(?<![\w|])(?:{'|'.join(sorted(LABELS))})\s?\|(?=[^\s|])(?=[^|\n]*\}})"
)
_TITLE = re.compile(r"(?:Dr|Mr|Mrs|Ms|Miss|Mx|Prof|Rev|Hon)\b\.?\s|Fr\.\s", re.IGNORECASE)
_CREDENTIAL = re.compile(
    r"(?:,\s*(?:M\.?D|D\.?O|R\.?N|N\.?P|Ph\.?D|P\.?A(?:-C)?|LPN|LCSW|PharmD|DDS|DPM|CRNA|MBBS|Esq)|"
    r"\s(?:MD|M\.D|RN|PA-C|PhD|PharmD|LCSW|CRNA|MBBS))\.?\Z"
)
_POSSESSIVE = re.compile(r"['’]s\Z", re.IGNORECASE)
_NAMES = ("PATIENT", "DOCTOR")
_SHAPED = frozenset({"DATE", "PHONE", "FAX", "EMAIL", "SSN", "URL", "IPADDR"})
_SURE = 0.95


def _broken_marks(document: Document) -> Iterator[Finding]:
    for hit in _LIKE_A_MARK.finditer(document.text):
        yield _at(document, *hit.span(), "broken-mark")


def _marks(document: Document) -> Iterator[Finding]:
    for span in document.spans:
        text = document.text[span.start : span.end]
        if span.label not in LABELS:
            yield _at(document, span.start, span.end, "unknown-label", span.label)
        if text != text.strip():
            yield _at(document, span.start, span.end, "outer-space", span.label)
        if span.label in _NAMES:
            if _TITLE.match(text) or _CREDENTIAL.search(text):
                yield _at(document, span.start, span.end, "title", span.label)
            if _POSSESSIVE.search(text):
                yield _at(document, span.start, span.end, "possessive", span.label)
        if _cuts(document.text, span.start) or _cuts(document.text, span.end):
            yield _at(document, span.start, span.end, "cut-word", span.label)


def _cuts(text: str, edge: int) -> bool:
    """Tell whether an edge lies between two lower-case letters, and so within a word."""
    return 0 < edge < len(text) and text[edge - 1].islower() and text[edge].islower()


def _shapes(document: Document) -> Iterator[Finding]:
    (claims,) = Patterns().detect([document])
    for claim in claims:
        if claim.label not in _SHAPED or claim.score < _SURE or not _telling(document.text, claim):
            continue
        if not any(span.start < claim.end and claim.start < span.end for span in document.spans):
            yield _at(document, claim.start, claim.end, "shape", claim.label)


_MAY = re.compile(r"\D+|\d+\. \D+")


def _telling(text: str, claim: Span) -> bool:
    """Tell whether a date is more than a word, or a word after a list number: May has other uses."""
    return claim.label != "DATE" or _MAY.fullmatch(text, claim.start, claim.end) is None


_RULES: tuple[Callable[[Document], Iterator[Finding]], ...] = (_broken_marks, _marks, _shapes)


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


_TOKEN = re.compile(r"\w+")
_LENGTH = 7
_FEWEST = 12  # shingles in common: below, two short notes share a phrase or two by chance


class Alike(NamedTuple):
    """A note, another one that holds a share of its shingles, and that share."""

    note: str
    other: str
    share: float


def shingles(document: Document, length: int = _LENGTH) -> set[int]:
    """Return the runs of words in a note, as numbers; identifiers count by their label alone.

    So a note with other names in it is still the same note.
    """
    pieces: list[str] = []
    last = 0
    for span in document.spans:
        pieces += document.text[last : span.start], f" {span.label} "
        last = span.end
    words = _TOKEN.findall("".join((*pieces, document.text[last:])).lower())
    return {hash(tuple(words[n : n + length])) for n in range(len(words) - length + 1)}


def near_duplicates(documents: Sequence[Document], *, share: float = 0.15) -> Iterator[Alike]:
    """Yield pairs of notes that share at least this much of the shorter one."""
    sets = [shingles(document) for document in documents]
    held = Counter(chain.from_iterable(sets))
    common = {shingle for shingle, times in held.items() if times > 1}  # few: most stand in one note only
    holders: dict[int, list[int]] = defaultdict(list)
    for place, found in enumerate(sets):
        for shingle in found & common:
            holders[shingle].append(place)
    shared = Counter[tuple[int, int]]()
    for places in holders.values():
        for number, one in enumerate(places):
            for other in places[number + 1 :]:
                shared[one, other] += 1
    for (one, other), count in sorted(shared.items()):
        small, large = sorted((one, other), key=lambda place: len(sets[place]))
        if count >= _FEWEST and count / len(sets[small]) >= share:
            yield Alike(documents[small].id, documents[large].id, count / len(sets[small]))
