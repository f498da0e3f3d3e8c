"""Fill: turn clinical text without labels into labelled notes.

Placeholders (``Dr. X``, ``ABC Hospital``, ``MM/DD/YYYY``, ``[**Name**]``, blanks after a cue) get identifiers
of the corpus. Dates, ages and numbers that the patterns find are labelled. Sentences in which the bundled
network finds anything else are left out. The rest has exact labels, as far as the detectors see, and is
resampled like any authored note.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from random import Random
from typing import NamedTuple

from plainsight.detect.convolution import Convolution
from plainsight.detect.patterns import Patterns
from plainsight.document import Document, Span
from plainsight.lab.synth.pieces import Piece, Pieces, joined
from plainsight.text.lines import sentences
from plainsight.text.vocabulary import Is, flags_of

_CERTAIN = frozenset({"DATE", "AGE", "PHONE", "EMAIL", "URL", "SSN", "ZIP"})
_BIAS = -1.5  # as in the policy fast
_BATCH = 32
_SHORTEST = 60  # characters that must be left of a note
_LEAST = 0.4  # and the share of it

_FORMS = {
    ("PATIENT", "last"): re.compile(r"[A-Z][a-z]{2,}(?:-[A-Z][a-z]+)?"),
    ("DOCTOR", "last"): re.compile(r"[A-Z][a-z]{2,}(?:-[A-Z][a-z]+)?"),
    ("PATIENT", "full"): re.compile(r"[A-Z][a-z]+(?: [A-Z]\.)? [A-Z][a-z]{2,}"),
    ("DOCTOR", "full"): re.compile(r"[A-Z][a-z]+(?: [A-Z]\.)? [A-Z][a-z]{2,}"),
    ("HOSPITAL", "long"): re.compile(r"(?:\w+[.'’]? ){1,4}(?:Hospital|Medical Center|Clinic|Center|Health)"),
    ("ORGANIZATION", "long"): re.compile(r"[A-Z]\w+(?: [A-Z]\w+){1,3}"),
    ("DATE", "full"): re.compile(r"\d{1,2}/\d{1,2}/(?:\d{4}|\d{2})"),
    ("AGE", ""): re.compile(r"\d\d"),
}
_ANYTHING = re.compile(r".+")
_RESIDUE = re.compile(  # what nobody claimed and is one all the same
    r"\d{1,3}[- ]?(?:year|yr|month|week|day)s?[- ]old\b|"
    r"\b\d{1,2}/\d{1,2}/\d{2,4}\b|\b(?:19|20)\d\d\b|\d{3}-\d{4}\b"
)
_TITLED_NAME = re.compile(
    r"\b(Dr|Mr|Mrs|Ms|Miss)\.? ((?:[A-Z][a-z]+ )?[A-Z][a-z]+(?:[-'’][A-Z][a-z]+)?)(?=['’]s\b|[\s,.;:)])"
)


class Filler:
    """Makes labelled notes from unlabelled text, with identifiers of a corpus."""

    def __init__(self, corpus: Sequence[Document], *, seed: int = 0) -> None:
        self.corpus = corpus
        self.seed = seed
        self._network = Convolution(bias=_BIAS)
        self._pools: dict[tuple[str, str], list[str]] = {}
        self._by_label: dict[str, list[str]] = {}

    def fill(self, documents: Sequence[Document]) -> Iterator[Document]:
        """Yield each note with its labels; skip notes of which too little is left."""
        for begin in range(0, len(documents), _BATCH):
            batch = documents[begin : begin + _BATCH]
            claims = zip(Patterns().detect(batch), self._network.detect(batch), strict=True)
            for document, (shaped, learned) in zip(batch, claims, strict=True):
                filled = self._filled(document, shaped, learned)
                if filled is not None:
                    yield filled

    def _filled(self, document: Document, shaped: Sequence[Span], learned: Sequence[Span]) -> Document | None:
        text = document.text
        holes = placeholders(text)
        sure = [hole for hole in holes if hole.label]
        sure += _titled(text, sure)
        doubts = [(hole.start, hole.end) for hole in holes if not hole.label]
        for claim in sorted(shaped, key=lambda claim: claim.start - claim.end):
            if claim.label in _CERTAIN and not _overlap(sure, claim.start, claim.end):
                sure.append(Placeholder(claim.start, claim.end, claim.label, "as it is"))
        doubts += [(c.start, c.end) for c in (*shaped, *learned) if not _overlap(sure, c.start, c.end)]
        further = [_RESIDUE.finditer(text), *(names.finditer(text) for names in _names(text, sure))]
        doubts += [hit.span() for hits in further for hit in hits if not _overlap(sure, *hit.span())]
        pieces = self._pieces(text, sorted(sure), doubts, Random(f"fill {self.seed} {document.id}"))
        kept = sum(len(piece.text) for piece in pieces)
        if kept < max(_SHORTEST, _LEAST * len(text)):
            return None
        return joined(pieces, document.id)

    def _pieces(
        self, text: str, sure: Sequence[Placeholder], doubts: Sequence[tuple[int, int]], random: Random
    ) -> Pieces:
        """Return the sentences without doubtful identifiers, with placeholders filled in."""
        filling: dict[tuple[str, str, str], str] = {}
        made: Pieces = []
        for start, end in sentences(text):
            if any(begin < end and start < stop for begin, stop in doubts):
                continue
            last = start
            for hole in sure:
                if not start <= hole.start < end:
                    continue
                if hole.end > end:
                    break
                made += Piece(text[last : hole.start]), self._identifier(text, hole, filling, random)
                last = hole.end
            made.append(Piece(text[last:end]))
        return [piece for piece in made if piece.text]

    def _identifier(
        self, text: str, hole: Placeholder, filling: dict[tuple[str, str, str], str], random: Random
    ) -> Piece:
        """Return the text for a placeholder: its own, or one of the corpus; equal ones get equal texts."""
        if hole.form == "as it is":
            return Piece(text[hole.start : hole.end], hole.label)
        key = hole.label, hole.form, hole.which or str(hole.start)
        if key not in filling:
            filling[key] = random.choice(self._pool(hole.label, hole.form))
        return Piece(filling[key], hole.label)

    def _pool(self, label: str, form: str) -> list[str]:
        """Return the corpus's identifiers of a label and a form."""
        if not self._by_label:
            self._by_label = _by_label(self.corpus)
        known = self._pools.get((label, form))
        if known is None:
            pattern = _FORMS.get((label, form), _ANYTHING)
            texts = self._by_label.get(label, [])
            known = (
                [text for text in texts if pattern.fullmatch(text)] or texts or [_LAST_RESORT.get(label, "X")]
            )
            self._pools[label, form] = known
        return known


_LAST_RESORT = {"DATE": "1/2/2003", "AGE": "44", "PHONE": "212-555-0123", "PATIENT": "Doe", "DOCTOR": "Roe"}


def _by_label(documents: Sequence[Document]) -> dict[str, list[str]]:
    found: dict[str, set[str]] = defaultdict(set)
    for document in documents:
        for span in document.spans:
            found[span.label].add(document.text[span.start : span.end])
    return {label: sorted(texts) for label, texts in found.items()}


def _titled(text: str, taken: Sequence[Placeholder]) -> list[Placeholder]:
    """Return the names after titles that the lists know as names."""
    return [
        Placeholder(*hit.span(2), "DOCTOR" if hit[1] == "Dr" else "PATIENT", "as it is")
        for hit in _TITLED_NAME.finditer(text)
        if all(flags_of(word) & Is.LEVEL >= 2 for word in hit[2].split())
        and not _overlap(taken, *hit.span(2))
    ]


def _overlap(holes: Sequence[Placeholder], start: int, end: int) -> bool:
    return any(hole.start < end and start < hole.end for hole in holes)


def _names(text: str, sure: Sequence[Placeholder]) -> list[re.Pattern[str]]:
    """Return a pattern for the words of the names in a text."""
    words = {
        word
        for hole in sure
        if hole.form == "as it is" and hole.label in ("PATIENT", "DOCTOR")
        for word in text[hole.start : hole.end].split()
    }
    return [re.compile(rf"\b(?:{'|'.join(map(re.escape, sorted(words)))})\b")] if words else []


class Placeholder(NamedTuple):
    """A placeholder: its label, the form of what it replaced, and which of several it is.

    Without a label it is unknown what was there.
    """

    start: int
    end: int
    label: str
    form: str = ""
    which: str = ""


_STAND_IN = r"(?:X{1,8}|Y{1,6}|Z{1,6}|XYZ\w?|XYZABC|ABC|ABCD|ABCDE|ABC XYZ|DEF|[A-Z]{1,2}|[Xx]x{2,6})"
_TITLED = re.compile(rf"\b(Dr|Mr|Mrs|Ms|Miss)s?(?:\.|\b) ?({_STAND_IN})\b(?!\.[A-Z]|-|['’]?[A-Za-z]{{2}})")
_QUALIFIED = re.compile(rf"\b({_STAND_IN}), ?(?:M\.?D|D\.?O|R\.?N|O\.?D|D\.?C|Ph\.?D|PA-C|NP)\b")
_FACILITY = re.compile(
    r"\b(?:the )?((?:XYZ\w?|ABCD?E?|X{3,6}|Y{3,6})(?: [A-Z][a-z]+){0,2} (?:Hospital|Medical Center|Clinic|"
    r"Nursing Home|Surgery Center|Health System|Rehabilitation Center|Center))\b"
)
_EMPLOYER = re.compile(
    r"\b((?:XYZ\w?|ABCD?E?|X{3,6}|Y{3,6}) (?:Insurance|Company|Corporation|Inc|School|University|Church))\b"
)
_DATE = re.compile(r"\b(?:MM|XX)([/-])(?:DD|XX)\1(?:YYYY|YY|XXXX|XX)\b", re.IGNORECASE)
_AGE = re.compile(r"\b(XX)(?=[- ]?(?:year|yr|y/?o)s?\b)", re.IGNORECASE)
_BRACKETED = re.compile(r"\[\*\*(.*?)\*\*\]", re.DOTALL)
_BLANK = re.compile(r"_{3,}|\*{3,}")
_LEFT = re.compile(
    r"\b(?:XYZ\w?|ABCD|ABCDE|X{2,}|Y{2,}|XXX\w*|Xxx+|Sample (?:Doctor|Patient|Hospital)|"
    r"(?:Doctor|Patient) (?:Sample|Name))\b|\bABC\b"
)
_BEFORE_BLANK = (
    (re.compile(r"\b(?:Dr|Doctor)\.? ?\Z"), "DOCTOR", "last"),
    (re.compile(r"\b(?:Mr|Mrs|Ms|Miss)\.? ?\Z"), "PATIENT", "last"),
    (re.compile(r"\b(?:Name|Patient|Pt)(?: name)?: ?\Z", re.IGNORECASE), "PATIENT", "full"),
    (
        re.compile(r"\b(?:signed|dictated|physician|surgeon|nurse)(?: by)?: ?\Z", re.IGNORECASE),
        "DOCTOR",
        "full",
    ),
    (re.compile(r"\b(?:dated?|DOB|born on|birth)\b:? ?\Z", re.IGNORECASE), "DATE", "full"),
    (re.compile(r"\b(?:MRN|record (?:number|no\.?|#))\b:? ?\Z", re.IGNORECASE), "MEDICALRECORD", ""),
    (re.compile(r"\b(?:phone|telephone|tel|pager)\b(?: number)?:? ?\Z", re.IGNORECASE), "PHONE", ""),
    (re.compile(r"\bserial (?:number|no\.?|#)? ?:?#? ?\Z", re.IGNORECASE), "DEVICE", ""),
    (re.compile(r"\baccount (?:number|no\.?|#)? ?:?#? ?\Z", re.IGNORECASE), "ACCOUNT", ""),
)
_INSIDE_BRACKETS = (
    (re.compile(r"\d{1,4}-\d{1,2}(?:-\d{1,4})?|Date|Month|Year|Holiday", re.IGNORECASE), "DATE", "full"),
    (re.compile(r"Hospital|Clinic|Ward", re.IGNORECASE), "HOSPITAL", ""),
    (re.compile(r"Company|University|School|Employer", re.IGNORECASE), "ORGANIZATION", ""),
    (re.compile(r"Telephone|Phone|Pager|Fax", re.IGNORECASE), "PHONE", ""),
    (re.compile(r"Medical Record|Unit No|MRN", re.IGNORECASE), "MEDICALRECORD", ""),
    (re.compile(r"Age over 90", re.IGNORECASE), "AGE", ""),
    (re.compile(r"Social Security", re.IGNORECASE), "SSN", ""),
    (re.compile(r"E-?mail", re.IGNORECASE), "EMAIL", ""),
    (re.compile(r"Street Address", re.IGNORECASE), "STREET", ""),
    (re.compile(r"State", re.IGNORECASE), "STATE", ""),
    (re.compile(r"Country", re.IGNORECASE), "COUNTRY", ""),
    (re.compile(r"Location|City", re.IGNORECASE), "CITY", ""),
    (re.compile(r"Number|Numeric|Identifier|Job", re.IGNORECASE), "IDNUM", ""),
    (re.compile(r"Last ?Name|Doctor|Attending|Name", re.IGNORECASE), "DOCTOR", "last"),
    (re.compile(r"Known|First ?Name", re.IGNORECASE), "PATIENT", "full"),
)


def placeholders(text: str) -> list[Placeholder]:
    """Return the placeholders of a text in order, without overlaps.

    A blank that nothing says anything about is no placeholder: notes have such blanks.

    >>> [(hit.label, hit.which) for hit in placeholders("Dr. X saw Mr. ABC on MM/DD/YYYY.")]
    [('DOCTOR', 'X'), ('PATIENT', 'ABC'), ('DATE', '')]
    """
    found: list[Placeholder] = []
    taken = bytearray(len(text))
    for hit in _candidates(text):
        if not any(taken[hit.start : hit.end]):
            taken[hit.start : hit.end] = b"\1" * (hit.end - hit.start)
            found.append(hit)
    return sorted(found)


def _candidates(text: str) -> Iterator[Placeholder]:
    for hit in _BRACKETED.finditer(text):
        yield _bracketed(hit)
    for hit in _TITLED.finditer(text):
        yield Placeholder(*hit.span(2), "DOCTOR" if hit[1] == "Dr" else "PATIENT", "last", hit[2])
    for hit in _QUALIFIED.finditer(text):
        yield Placeholder(*hit.span(1), "DOCTOR", "full", hit[1])
    for hit in _FACILITY.finditer(text):
        yield Placeholder(*hit.span(1), "HOSPITAL", "long", hit[1])
    for hit in _EMPLOYER.finditer(text):
        yield Placeholder(*hit.span(1), "ORGANIZATION", "long", hit[1])
    for hit in _DATE.finditer(text):
        yield Placeholder(*hit.span(), "DATE", "full")
    for hit in _AGE.finditer(text):
        yield Placeholder(*hit.span(), "AGE")
    for hit in _BLANK.finditer(text):
        before = text[max(0, hit.start() - 24) : hit.start()]
        for cue, label, form in _BEFORE_BLANK:
            if cue.search(before):
                yield Placeholder(*hit.span(), label, form)
                break
    for hit in _LEFT.finditer(text):
        yield Placeholder(*hit.span(), "")


def _bracketed(hit: re.Match[str]) -> Placeholder:
    for pattern, label, form in _INSIDE_BRACKETS:
        if pattern.search(hit[1]):
            return Placeholder(*hit.span(), label, form, hit[1])
    return Placeholder(*hit.span(), "")
