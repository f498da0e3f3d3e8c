"""Identifying numbers: behind a word that announces them, or with a shape that nothing else has.

The words are the locale's, in ``number_cues.toml``; ``number_kinds.toml`` has numbers with a check character.
"""

from __future__ import annotations

import re
from functools import cache, partial

import msgspec

from plainsight.detect.patterns.rule import Claim, Rule, Shape, shape_rule
from plainsight.errors import PluginError
from plainsight.locale import default_locale, load_locale, one_of
from plainsight.locale.number_kinds import NumberKind, number_kinds

# Between a cue and its value: "no.", an aside in brackets, a colon or leader dots, a verb, an opening sign.
_NO = r"(?:nos?\b\.?|num(?:ber)?s?\b\.?|nbr\b\.?|#s?|ids?\b)"
_ASIDE = r"(?:\([^()\n0-9]{1,16}4?[^()\n0-9]{0,8}\)[ \t]{0,2})?"
_POINT = r"(?:[:=|#]{1,2}|\.{1,24}|-{1,2}[ \t])?"
_VERB = r"(?:(?:is|was|given|assigned|on file|of|ending in|ending|ends in)\b[ \t:]{0,3})?"
_GAP = (
    rf"\.?[ \t]{{0,3}}(?P<no>{_NO})?[ \t]{{0,2}}{_ASIDE}(?P<point>{_POINT})[ \t]{{0,24}}{_VERB}"
    r"(?:\n[ \t]{0,12})?[\"'(\[#]{0,2}"
)
_VALUE_START = r"(?:[A-Z]{0,6}[-_/.:* ]?){0,2}[A-Z]{0,3}[0-9X*]"

_words = default_locale().word_sets("numbers")
_UNITS, _FIELDS, _NOT_PREFIXES = _words["units"], _words["fields"], _words["not_prefixes"]
_SEPARATED = rb"[-_/*.:]{1,2}(?=[A-Za-z]{0,4}[-_/]?[A-Za-z]{0,4}[-_/]?\d)[A-Za-z0-9]+"
_ID = re.compile(
    rb"(?:(?P<prefix>[A-Z]{1,5}) (?=[A-Z]?\d))?(?P<value>=?[A-Za-z0-9]+(?:" + _SEPARATED + rb")*)"
    rb"(?:[-/_](?:[A-Z]{1,4}|[a-z])\b)?"
)
_MORE = re.compile(rb"(?: (?:\d{2,7}(?:-\d{1,4})?|[A-Z]\d{3,6})(?:-?[A-Z]\b)?(?![\w%/-]|[.,:]\d))+")
# How to read a value: the longest of these patterns counts, if it has enough digits.
_READERS = {
    "ssn": re.compile(
        rb"(?:\d\d/)?(?P<value>[Xx*#]{3}[- ]?[Xx*#]{2}[- ]?\d{4}\b"
        rb"|[\dOlI]{3}(?:[- ./]?|[ ]-[ ])[\dOlI]{2}(?:[- ./]?|[ ]-[ ])[\dOlI]{4}\b|\d{3}[- ]\d{3}[- ]\d{3}\b"
        rb"|(?:[Xx*]{0,5}-?|[A-Z])\d{4}\b(?![-/]\d))"
    ),
    "plate": re.compile(
        rb"(?P<value>[A-HJ-NPR-Z0-9]{17}\b|[A-Z0-9]{1,8}(?:[ -][A-Z0-9]{2,6}){0,2})(?![A-Za-z0-9])"
    ),
    "group": re.compile(rb"(?P<value>[A-Z]{0,6}-?\d[A-Z0-9]*(?:-[A-Z0-9]+)*)(?![\w%/:]|[.,]\d)"),
}
_DATE = (
    rb"(?:[0-2]?\d|3[01])([-/.])(?:[0-2]?\d|3[01])\1(?:\d{2}|(?:19|20|21)\d\d)"
    rb"|(?:19|20)\d\d([-/])\d{1,2}\2\d{1,2}|\d{1,2}-[A-Za-z]{3}-\d{2,4}"
)
_IS_DATE = re.compile(_DATE)
_NO_ID = re.compile(
    _DATE + rb"|\d{1,2}/\d{1,4}|[A-Z]?\d+\.\d{1,3}|[\d.]+[/-][\d.]*\.\d{1,3}|\d{1,3}[/-]\d{1,3}"
    rb"|[CTLS]\d{1,2}-[CTLS]?\d{1,2}|\d{1,2}:\d\d.*|[A-Z]\d{2}(?:\.\d.*)?"
    rb"|\d+(?:st|nd|rd|th|s|x|mg|ml|mL|kg|cm|mm|h|hrs?|wks?|d|[ymwMF]|yo)"
)
# Four digits that may be a clock time or a year, eight that may be a day.
_TIMED = re.compile(
    rb"(?:[01]\d|2[0-3])[0-5]\d|(?:19|20)\d\d(?:(?:0\d|1[0-2])[0-3]\d)?|(?:0\d|1[0-2])[0-3]\d(?:19|20)\d\d"
)
_NOT_DIGITS = bytes(set(range(256)) - set(b"0123456789"))
_NEXT_WORD = re.compile(rb"[ \t]?([A-Za-z]+)")


class Family(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Cues of one label whose numbers are read alike."""

    label: str
    words: str = ""
    numbered: str = ""
    digits: int = 4
    reader: str = "id"
    sure: bool = False
    codes: bool = False


@cache
def cue_families(locale: str) -> tuple[Family, ...]:
    """Return the families of a locale, then one for each kind of number with cues that no family has."""
    try:
        tables = load_locale(locale).table("number_cues").values()
        families = [msgspec.convert(table, Family) for table in tables]
    except msgspec.ValidationError as error:
        raise PluginError(f"locale {locale}: number_cues.toml: {error}") from None
    known = {word for family in families for word in family.words.split()}
    for kind in number_kinds(locale):
        cues = " ".join(word for word in kind.cues.split() if word not in known)
        families += [Family(kind.label, cues, cues)] if kind.label and cues else []
    return tuple(families)


@cache
def rules(locale: str) -> tuple[Rule, ...]:
    """Return the rule for the numbers of a locale."""
    families = cue_families(locale)
    bare, numbered = dict[bytes, Family](), dict[bytes, Family]()
    for family in families:  # the first family that names a cue has it
        for by_cue, words in ((bare, family.words), (numbered, family.numbered)):
            for cue in words.split():
                by_cue.setdefault(cue.replace("_", "").encode(), family)
    cues = one_of(cue for family in families for cue in f"{family.words} {family.numbered}".split())
    cues = cues.replace("_", r"[-. \t]{0,2}")
    pattern = re.compile(rf"(?i)\b(?P<cue>{cues})\b{_GAP}".encode())
    shapes = shape_rule("shape", _shapes(number_kinds(locale)))

    def check(text: bytes, start: int, end: int) -> list[Claim]:
        until = end
        while start < until:  # a cue without a value may hide the one behind it
            announced = pattern.match(text, start)
            if announced is None:
                return list(shapes.check(text, start, end))
            cue = announced["cue"].lower().translate(None, b"-. \t")
            family = (announced["no"] and numbered.get(cue)) or bare.get(cue)
            value = family and _read(text, announced.end(), family, strong=bool(announced["no"]))
            if family and value and text[start - 1 : start] not in (b"/", b"_", b"'"):
                return [Claim(*value, family.label)]
            found = rule.scanner.search(text, start + 1, min(len(text), end + 40))
            if not found:
                break
            start, end = found.span()
        return []

    scan = rf"(?i:\b(?:{cues})\b{re.sub(r'[?]P<[a-z]+>', '?:', _GAP)}{_VALUE_START})"
    rule = Rule("number", f"{scan}|{shapes.scan}", check)
    return (rule,)


def _read(text: bytes, start: int, family: Family, *, strong: bool) -> tuple[int, int] | None:
    """Return where the value behind a cue begins and ends; ``strong`` cues end in "no." or "#"."""
    if family.reader != "id":
        match = _READERS[family.reader].match(text, start)
        if match is None or (family.reader != "ssn" and _is_measure(text, match["value"], match.end())):
            return None
        value = match["value"]
        plain = family.reader == "plate" and value.isdigit() and not strong
        return match.span("value") if _count_digits(value) and len(value) > 2 and not plain else None
    match = _ID.match(text, start, start + 80)
    if match is None:
        return None
    first, end = match["value"], match.end()
    digits = _count_digits(match[0])
    short = digits and len(first) - len(first.rstrip(b"0123456789")) <= 5 and not _IS_DATE.fullmatch(first)
    more = _MORE.match(text, end) if short else None
    if more and not _is_measure(text, b"", more.end()):
        end, digits = more.end(), digits + _count_digits(more[0])
    if digits < (2 if family.codes and digits < len(first) > 3 else 3 if strong else family.digits):
        return None
    if match["prefix"] in _FIELDS or (digits < 6 and match["prefix"] in _NOT_PREFIXES):
        return None
    measured = _is_measure(text, first if match["prefix"] else text[start:end], end)
    timed = not strong and _TIMED.fullmatch(text, start, end)
    return (start, end) if family.sure or not (measured or timed) else None


def _count_digits(value: bytes) -> int:
    return len(value.translate(None, _NOT_DIGITS))


def _is_measure(text: bytes, value: bytes, end: int) -> bool:
    """Tell whether a value is a date, a ratio or a measurement, or a unit follows it."""
    word = _NEXT_WORD.match(text, end, end + 16)
    after = text[end : end + 1]
    return (
        _NO_ID.fullmatch(value) is not None
        or (word is not None and word[1].lower() in _UNITS)
        or after == b"%"
        or (after != b"" and after in b"/:" and text[end + 1 : end + 2].isdigit())
    )


def _shapes(kinds: tuple[NumberKind, ...]) -> tuple[Shape, ...]:
    """Return the shapes that need no cue; the numbers of a kind count if their check character is right."""

    def fits(kind: NumberKind, match: re.Match[bytes]) -> bool:
        number = match[kind.label].decode("ascii")
        return kind.pattern.fullmatch(number) is not None and kind.is_valid(number)

    code = r"\b[A-Z0-9]{0,8}\d[A-Z0-9-]{4,20}\b"
    return (
        Shape(r"(?P<DEVICE>\(01\)\d{14}(?:\(\d\d\)[A-Za-z0-9]{1,20}){0,4})"),
        Shape(r"(?P<SSN>(?:[Xx]{3}[- /][Xx]{2}[- /]|[*]{3}[- /][*]{2}[- /]|[Xx]{5}-?|[*]{5}-?)\d{4}\b)"),
        # Legacy reports run fields together: SMITH,JOHNMRN:G0042117
        Shape(r"MRN[:#]? ?(?P<MEDICALRECORD>[A-Z]{0,3}\d{5,10})"),
        Shape(r"(?P<IDNUM>\b1\.[23](?:\.\d{1,12}){4,20}\b)"),
        Shape(r"(?P<IDNUM>\b[A-Z]\d{4} \d{2} \d{6}\b)"),
        Shape(r"(?P<SSN>\b\d{3}-\d{2}-\d{4}\b)", r"[\w.-]", r"[\w-]|[.,]\d"),
        *(
            Shape(rf"(?P<{kind.label}>{code})", r"[\w.-]", "-", partial(fits, kind))
            for kind in kinds
            if kind.alone
        ),
    )
