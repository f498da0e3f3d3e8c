"""Resample: the same note with other people, places and dates, and exact labels.

The surrogate engine makes a few variants of every note, each consistent in itself. A resampled note takes its
names from one variant, its places from another, and so on, which gives very many notes at the cost of joining
text.

Half of the identifiers are borrowed if other notes have some in similar places. No list holds what people
call a ward, a shop or a job in passing, and a job that follows a verb cannot be any other job ("teaches third
grade"). An identifier that other notes have after the same word fits here as well.

Surrogates are made realistic: the engine writes phones as 555-01xx, web addresses under example.org and
unassigned social security numbers, and leaves ages alone. A model would learn these rules.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from hashlib import sha256
from random import Random

from plainsight.document import Document, Span
from plainsight.lab.synth.pieces import Piece, Pieces, cut, joined
from plainsight.labels import CATEGORIES, CATEGORY_OF
from plainsight.replace.surrogate.operation import Surrogate

_KEPT = 500_000  # texts, all worlds together: some 50 MB
_LONGEST_SHIFT = 9_000  # days: 24 years to either side
_BORROWED = 0.5  # of the identifiers for which other notes have something
_PLACE_OF = {category: place for place, category in enumerate(CATEGORIES)}
_OTHER = _PLACE_OF["ID"]


class Resampler:
    """Make new notes of annotated ones; the same seed gives the same notes.

    Each visit to a note adds one world to it, until it has ``variants`` of them, or all notes together have
    as many as can be kept. Notes may be added at the end of ``documents`` at any time. A ``lender`` knows
    what other notes have in the place of an identifier.
    """

    def __init__(
        self, documents: Sequence[Document], *, lender: Lender | None = None, variants: int = 8, seed: int = 0
    ) -> None:
        self.documents = documents
        self.lender = lender
        self.variants = variants
        self.seed = seed
        self._cut: dict[int, tuple[Pieces, list[int]]] = {}
        self._worlds: dict[int, list[list[str]]] = {}
        self._held = 0

    def notes(self) -> Iterator[Document]:
        """Yield resampled notes without end, every authored note once before any comes again."""
        random = Random(self.seed)
        for place, turn in self.turns(random):
            yield self.note(place, random, name=f"{self.documents[place].id}~{turn}")

    def note(self, place: int, random: Random, *, name: str) -> Document:
        """Return one note made anew, under a name."""
        return joined(self.pieces(place, random), name)

    def turns(self, random: Random) -> Iterator[tuple[int, int]]:
        """Yield places of notes without end, all of them in a new order at each turn, and the turn."""
        turn = 0
        while self.documents:
            for place in random.sample(range(len(self.documents)), len(self.documents)):
                yield place, turn
            turn += 1

    def draw(self, random: Random) -> Pieces:
        """Return any note made anew."""
        return self.pieces(random.randrange(len(self.documents)), random)

    def pieces(self, place: int, random: Random) -> Pieces:
        """Return one note made anew."""
        pieces, kinds = self._cuts(place)
        worlds = self._known(place)
        chosen = [random.choice(worlds) for _ in _PLACE_OF]
        made: Pieces = []
        number = 0
        for piece in pieces:
            if not piece.label:
                made.append(piece)
                continue
            made.append(Piece(chosen[kinds[number]][number], piece.label))
            number += 1
        return made

    def _cuts(self, place: int) -> tuple[Pieces, list[int]]:
        """Return a note's pieces, and for each identifier the place of its category."""
        known = self._cut.get(place)
        if known is None:
            document = self.documents[place]
            kinds = [_PLACE_OF.get(CATEGORY_OF.get(span.label, ""), _OTHER) for span in document.spans]
            known = self._cut[place] = cut(document), kinds
        return known

    def _known(self, place: int) -> list[list[str]]:
        """Return the worlds of a note, one more than at the last visit."""
        worlds = self._worlds.setdefault(place, [])
        if not worlds or (len(worlds) < self.variants and self._held < _KEPT):
            worlds.append(self._world(place, len(worlds)))
            self._held += len(worlds[-1])
        return worlds

    def _world(self, place: int, variant: int) -> list[str]:
        """Return other texts for a note's identifiers, the same for the same."""
        document = self.documents[place]
        key = sha256(f"resample {self.seed} {variant}".encode()).digest()
        (surrogates,) = Surrogate(key=key, max_shift=_LONGEST_SHIFT).replace([document])
        random = Random(f"lifelike {self.seed} {variant} {document.id}")
        known: dict[tuple[str, str], str] = {}
        made = []
        for span, surrogate in zip(document.spans, surrogates, strict=True):
            if (span.label, surrogate) not in known:
                known[span.label, surrogate] = self._other(document.text, span, surrogate, random)
            made.append(known[span.label, surrogate])
        return made

    def _other(self, text: str, span: Span, surrogate: str, random: Random) -> str:
        """Return what stands in the place of an identifier: its surrogate, or what other notes have there."""
        lent = self.lender.lend(text, span, random) if self.lender else None
        if lent and random.random() < _BORROWED:
            return lent
        if self.lender and not lent and span.label == "PROFESSION":
            return text[span.start : span.end]  # what is done with or to something: no job of a list fits
        return realistic(span.label, surrogate, random)


_BEFORE = re.compile(r"(\w+|[^\w\s]|\n)[^\S\n]*\Z")
_FAR = 40  # characters in which the word before an identifier is looked for
_LEAST = 5  # different ones must be known of a place, or nothing is lent
_SHORT_FORM = 5  # letters; a longer one in capitals is a name that is shouted

_LENT = frozenset(
    {
        "HOSPITAL",
        "ORGANIZATION",
        "PROFESSION",
        "LOCATION_OTHER",
        "CITY",
        "COUNTRY",
        "DEVICE",
        "VEHICLE",
        "IDNUM",
        "LICENSE",
        "HEALTHPLAN",
        "ACCOUNT",
        "MEDICALRECORD",
        "USERNAME",
    }
)

Place = tuple[str, str, bool]
"""A label, the word or sign before, and whether there is a digit in it."""


class Lender:
    """Finds identifiers of other notes by their context."""

    def __init__(self, documents: Sequence[Document]) -> None:
        known: dict[Place, dict[str, None]] = defaultdict(dict)  # each once, in their order
        for document in documents:
            for span in document.spans:
                if span.label in _LENT:
                    known[_place(document.text, span)][document.text[span.start : span.end]] = None
        self._known = {place: list(texts) for place, texts in known.items() if len(texts) >= _LEAST}

    def lend(self, text: str, span: Span, random: Random) -> str | None:
        """Return an identifier that fits in the place of another, or None if too few are known.

        >>> notes = [Document(name, f"works at {name}", (Span(9, 9 + len(name), "ORGANIZATION"),))
        ...          for name in ("Lorne Mills", "Tesk", "the co-op", "Hale & Sons", "CTA")]
        >>> Lender(notes).lend("he was at dunmore's", Span(10, 19, "ORGANIZATION"), Random(2))
        'lorne mills'
        """
        texts = self._known.get(_place(text, span))
        return written_like(random.choice(texts), text[span.start : span.end]) if texts else None


def _place(text: str, span: Span) -> Place:
    before = _BEFORE.search(text[max(0, span.start - _FAR) : span.start])
    digit = _DIGIT.search(text, span.start, span.end) is not None
    return span.label, before[1].lower() if before else "", digit


def written_like(lent: str, own: str) -> str:
    """Return an identifier in the case of the one that it replaces."""
    if own.islower():
        return lent.lower()
    if own.isupper() and len(own) > _SHORT_FORM:
        return lent.upper()
    if own[:1].isupper() and (lent.islower() or (lent.isupper() and len(lent) > _SHORT_FORM)):
        return lent.capitalize() if own[1:].islower() else lent.title()
    return lent


_DIGIT, _NUMBER = re.compile(r"\d"), re.compile(r"\d+")
_FICTIONAL = re.compile(r"\bexample(\.(?:com|org|net|edu))?\b")
_UNDER_EXAMPLE = re.compile(r"(?<=[\w-])\.example(\.(?:com|org|net|edu))?\b")
_PROVIDERS = ("gmail.com", "yahoo.com", "hotmail.com", "aol.com", "outlook.com", "comcast.net", "icloud.com")
_ENDINGS = (".com", ".org", ".net", ".edu", ".health", ".us", ".ca", ".co.uk", ".gov", ".clinic")
_SMALL = re.compile(r"\d{1,3}(?=\D*(?:mo|m\b|w|d))", re.IGNORECASE)


def realistic(label: str, text: str, random: Random) -> str:
    """Return a surrogate as it might occur in a note.

    >>> realistic("DOCTOR", "Ng", Random(1)), len(realistic("PHONE", "212-555-0123", Random(1)))
    ('Ng', 12)
    """
    change = _CHANGES.get(label)
    return change(text, random) if change else text


def _phone(text: str, random: Random) -> str:
    """Draw all digits behind the area code anew."""
    digits = len(_DIGIT.findall(text))
    if digits < 7:
        return text
    kept = 0 if digits == 7 else 4 if text.lstrip("(+").startswith("1") and digits == 11 else 3
    place = 0

    def draw(match: re.Match[str]) -> str:
        nonlocal place
        place += 1
        if place <= kept:
            return match[0]
        return random.choice("23456789" if place == kept + 1 else "0123456789")

    return _DIGIT.sub(draw, text)


def _address(text: str, random: Random) -> str:
    """Give an address of the web a domain as others have."""
    shorter = _UNDER_EXAMPLE.sub(lambda match: match[1] or random.choice(_ENDINGS), text)
    return _FICTIONAL.sub(lambda match: random.choice(_PROVIDERS), shorter)


def _network(text: str, random: Random) -> str:
    parts = text.split(".")
    if len(parts) != 4 or not all(map(str.isdigit, parts)):
        return text
    first = random.choice(([10], [192, 168], [172, random.randint(16, 31)], [random.randint(11, 223)]))
    return ".".join(map(str, (*first, *(random.randint(0, 254) for _ in range(4 - len(first))))))


def _social_security(text: str, random: Random) -> str:
    return random.choice("012345678") + text[1:] if len(_DIGIT.findall(text)) == 9 else text


def _age(text: str, random: Random) -> str:
    """Draw another age of the same kind: of a child, in months or weeks, a decade, or of a grown-up."""

    def draw(match: re.Match[str]) -> str:
        age = int(match[0][:4])
        if _SMALL.match(text, match.start()):
            return str(random.randint(2, 22))
        if text.endswith("s") and age % 10 == 0:
            return str(random.choice(range(20, 100, 10)))
        return str(random.randint(1, 17) if age < 18 else round(random.triangular(18, 100, 66)))

    return _NUMBER.sub(draw, text.removesuffix("+"))  # 90+ is how the engine hides the oldest


_CHANGES: Mapping[str, Callable[[str, Random], str]] = {
    "PHONE": _phone,
    "FAX": _phone,
    "EMAIL": _address,
    "URL": _address,
    "IPADDR": _network,
    "SSN": _social_security,
    "AGE": _age,
}
