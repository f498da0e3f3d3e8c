"""Check the marks of annotated notes for errors.

Each rule looks at one note and yields findings; `check` runs them all, and compares notes with one another. A
finding tells where and of what kind it is, and what the note says there only where it is asked for.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from plainsight.detect.patterns import Patterns
from plainsight.document import Document, Span
from plainsight.lab.synth.duplicates import near_duplicates
from plainsight.lab.synth.repeats import unmarked_repeats
from plainsight.labels import LABELS

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

    A note of ``scraps`` is a collection: each paragraph stands for itself, and repeats are sought within it.
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
