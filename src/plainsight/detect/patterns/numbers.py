"""Rules for identifying numbers.

A word announces most of them: `cues` reads the words, `values` the values behind them. Numbers that need no
word are in `shapes`, logins in `logins`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

from plainsight.detect.patterns import logins
from plainsight.detect.patterns.context import left_edge, words_before
from plainsight.detect.patterns.cues import Family, cue_families
from plainsight.detect.patterns.rule import Claim, Rule
from plainsight.detect.patterns.shapes import SHAPES, check_shape
from plainsight.detect.patterns.values import CODE_BYTES, READERS, STARTS, is_date
from plainsight.locale import default_locale
from plainsight.locale.number_kinds import number_kinds

# Between a cue and its value: "no.", an aside in brackets, a colon or leader dots, a verb, an opening sign.
_NO = r"(?:nos?\b\.?|num(?:ber)?s?\b\.?|nbr\b\.?|#s?|ids?\b)"
_ASIDE = r"(?:\([^()\n0-9]{1,16}4?[^()\n0-9]{0,8}\)[ \t]{0,2})?"
_POINT = r"(?:[:=|#]{1,2}|\.{1,24}|-{1,2}[ \t])?"
_VERB = (
    r"(?:(?:is|was|now|there|given by caller|given|assigned|on file|if filed|of|on old card|ending in|ending"
    r"|ends in|ends|digits)\b[ \t:]{0,3}(?:nos?\.?[ \t])?)?"
)
_OPEN = r"[\"'(\[#]{0,2}"
_REST = rf"[ \t]{{0,2}}{_ASIDE}{_POINT}[ \t]{{0,24}}{_VERB}"
_BARE_GAP = rf"\b\.?[ \t]{{0,3}}{_NO}?{_REST}{_OPEN}"
_NUMBERED_GAP = rf"\b\.?[ \t]{{0,3}}{_NO}{_REST}(?:\n[ \t]{{0,12}})?{_OPEN}"

_HEAD = re.compile(rb"([A-Za-z]+4?(?:/[A-Za-z]+)?)(?:[-. \t]{0,2}([A-Za-z4]+))?")
_GAP = re.compile(
    (
        rf"(?i)\.?[ \t]{{0,3}}(?P<no>{_NO})?[ \t]{{0,2}}{_ASIDE}(?P<point>{_POINT})[ \t]{{0,24}}{_VERB}"
        rf"(?:(?<=[:#.oODdRr ])\n[ \t]{{0,12}})?{_OPEN}"
    ).encode()
)
_WORD_START = re.compile(rb"(?<![A-Za-z])[A-Za-z]")
# The commonest case, read at once: a word, a sign, and a run of digits, alone or behind capitals.
_PLAIN = re.compile(
    rb"([A-Za-z]+)(?:[:#]|[ ]?[:#]?[ ]{1,4})"
    rb"((?!(?:19|20)\d{6}\b)[A-Z]{0,4}\d{5}[A-Z0-9]*|[A-Z]{1,5}-?\d{2,6}-\d{3,8}|[A-Z]{1,5}-\d{4,9})"
    rb"(?=\n|[ ]{2}|[;)\]|](?![, ]{0,2}\w?\d)|\.[ \n]|, [A-Za-z]{3}|\Z)"
)
_NOT_DIGITS = bytes(set(range(256)) - set(b"0123456789"))
_AMBIGUOUS = frozenset((b"id", b"lot", b"lots"))
_words = default_locale().word_sets("numbers")
_INSURERS = _words["insurers"]
_VACCINES = _words["vaccines"]
_SERIALS = frozenset((b"sn", b"s/n", b"ser", b"serial"))


@cache
def rules(locale: str) -> tuple[Rule, ...]:
    """Return the rules for the numbers of a locale."""
    numbers = _Numbers(locale)
    # One pass for both: a number that a cue has claimed is not looked at again for its shape.
    return (Rule("number", f"{numbers.scan()}|{SHAPES}", numbers.check), *logins.RULES)


class _Numbers:
    """The cues and kinds of numbers of one locale, and the check of what their scan finds."""

    def __init__(self, locale: str) -> None:
        self._families = cue_families(locale)
        self._kinds = number_kinds(locale)
        self._bare, self._numbered = self._by_cue("words"), self._by_cue("numbered")
        self._cues = self._bare.keys() | self._numbered.keys()
        self._first_words = frozenset(cue.split(b" ")[0] for cue in self._cues if b" " in cue)
        self._simple = {
            cue: (family.label, family.score)
            for cue, family in self._bare.items()
            if family.reader == "id" and family.label != "DEVICE" and not family.suffix
        }
        self._shape = Rule("shape", SHAPES, self._check_shape)

    def _by_cue(self, column: str) -> dict[bytes, Family]:
        """Return the family of each cue of a column; the first family that names a cue has it."""
        return {
            cue.replace("_", " ").encode(): family
            for family in reversed(self._families)
            for cue in getattr(family, column).split()
        }

    def scan(self) -> str:
        """Return one scan for all cues, each followed by the beginning of a value that its reader takes."""
        branches = []
        for reader, begin in STARTS.items():
            families = [family for family in self._families if family.reader == reader]
            bare_gap = r"[ -]?" if reader == "callsign" else _BARE_GAP
            for column, gap in (("words", bare_gap), ("numbered", _NUMBERED_GAP)):
                words = [word for family in families for word in getattr(family, column).split()]
                if words:
                    spelled = "|".join(words).replace("_", r"[-. \t]{0,2}")
                    branches.append(rf"(?:{spelled})(?:{gap}{begin}|\d{{4}})")
        glued = rf"mrn{_REST}{STARTS['id']}"  # legacy reports run fields together: `SMITH,JOHNMRN:0042`
        return rf"(?i:\b(?:{'|'.join(branches)})|{glued})"

    def _check_shape(self, text: bytes, start: int, end: int) -> Sequence[Claim]:
        return check_shape(text, start, end, self._kinds)

    def check(self, text: bytes, start: int, end: int) -> Sequence[Claim]:
        """Claim what a cue announces; if that is nothing, look at what stands between it and the value."""
        if text[start] < 65:
            return self._check_shape(text, start, end)
        claims = self._announced(text, start)
        if claims is None:
            return self._check_shape(text, start, end)
        if claims:
            return claims
        for word in _WORD_START.finditer(text, start + 1, end):
            claims = self._announced(text, word.start())
            if claims:
                return claims
        if len(text[end - 2 : end + 10].translate(None, _NOT_DIGITS)) < 4:
            return ()
        shape = self._shape.scanner.search(text, start + 1, min(len(text), end + 40))
        return self._check_shape(text, *shape.span()) if shape else ()

    def _announced(self, text: bytes, start: int) -> list[Claim] | None:
        """Read a cue and its value; None if no cue stands here."""
        plain = _PLAIN.match(text, start)
        if plain and (said := self._simple.get(plain[1].lower())):
            begin, end = plain.span(2)
            return [Claim(begin, end, *said)]
        head = _HEAD.match(text, start)
        if head is None:
            return None
        one, two = head.groups()
        cue, end = one.lower(), head.end(1)
        if two and cue in self._first_words and (pair := cue + b" " + two.lower()) in self._cues:
            cue, end = pair, head.end()
        elif cue not in self._cues:
            return None
        if text[start - 1 : start] in (b"/", b"_", b"'"):
            return []  # the dl of mg/dl is no driver's licence
        force = 0
        if text[end : end + 1] == b" " and text[end + 1 : end + 2].isdigit():  # nothing stands between
            family, end = self._bare.get(cue), end + 1
        else:
            gap = _GAP.match(text, end)
            assert gap is not None  # every part of it may be missing
            no, point = gap.groups()
            family, end = (no and self._numbered.get(cue)) or self._bare.get(cue), gap.end()
            force = 2 if no else 1 if point else 0
        if family is None:
            return []
        spans = READERS[family.reader](text, end, family, force)
        if not spans:
            return []
        if family.reader == "callsign":
            return [Claim(start, spans[0][1], family.label, family.score)]
        label = _refine(family.label, cue, text, start) if cue in _AMBIGUOUS else family.label
        claims = [Claim(begin, end, label, family.score) for begin, end in spans]
        if cue in _SERIALS:
            claims += _model_before(text, start)
        return claims


def _model_before(text: bytes, start: int) -> list[Claim]:
    """Claim the model that stands before a serial number: `Quartet 1458Q/86  SN BLF060317`."""
    end = len(text[max(0, start - 12) : start].rstrip(b" \t")) + max(0, start - 12)
    begin = left_edge(text, end, CODE_BYTES, 24)
    value = text[begin:end]
    digits = sum(48 <= byte <= 57 for byte in value)
    if digits < 3 or len(value) < 5 or is_date(value) or text[begin - 1 : begin] not in (b" ", b"\t"):
        return []
    return [Claim(begin, end, "DEVICE", 0.75)]


def _refine(label: str, cue: bytes, text: bytes, start: int) -> str:
    """Correct a label by the words before the cue: a lot may be a vaccine's, an ID an insurer's."""
    if cue != b"id" and not _VACCINES.isdisjoint(words_before(text, start, 60)):
        return "IDNUM"
    if cue == b"id" and not _INSURERS.isdisjoint(words_before(text, start, 60)):
        return "HEALTHPLAN"
    return label
