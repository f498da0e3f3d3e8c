"""Misses by kind: what was missed (a doctor's name, a clinic), and how it was written (initials, lower case).

A miss is a gold span of which at least one token leaks. Each miss has one kind of `WHAT` and one of `HOW`:
that of the first rule that fits. The kinds are those of the error analysis of Murugadoss et al. 2021, and
what else is often missed. To add a kind, add a line to a table.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType
from typing import Any, NamedTuple

from plainsight.document import Span
from plainsight.evaluate.pairs import Pair
from plainsight.evaluate.tally import ratio
from plainsight.labels import CATEGORIES
from plainsight.lists import load
from plainsight.text.rare_words import marked, words
from plainsight.text.spelling import SHORTEST, one_slip


@dataclass(frozen=True, slots=True, repr=False)
class Miss:
    """A gold span with a leak: its label and text, the words that leak, and what stands around it."""

    note: str
    span: Span
    text: str
    leaked: tuple[str, ...]
    first_leaks: bool
    all_leak: bool
    before: str
    after: str
    near_names: frozenset[str]
    """Words of the note's other gold spans of the same category, in lower case."""


class Rule(NamedTuple):
    """A kind of miss: the labels it is for (none: all), and what its text, surroundings or words are like."""

    kind: str
    labels: str = ""
    text: str = ""
    before: str = ""
    test: Callable[[Miss], bool] | None = None


_NAMES = " ".join(CATEGORIES["NAME"])
_PLACES = " ".join(CATEGORIES["LOCATION"])
_CARE = r"hospital|medical|health|clinic|hospice|nursing|rehab|surg|care|infirmary|ambulance|dialysis|imaging"
_TAIL = (
    r"(?:rooms?|rm|suites?|ste|floor|fl|wing|building|bldg|tower|pavilion|desk|door|unit|ward|pod|bay|station"
    r"|department|dept|clinic|entrance|level|gate|apt|box)"
)

WHAT: Sequence[Rule] = (
    Rule("pharmacy", "HOSPITAL ORGANIZATION", r"pharmac|apothecar|drug ?store|\bdrugs?\b|\brx\b|chemist"),
    Rule(
        "clinic location", "HOSPITAL LOCATION_OTHER IDNUM",
        rf"\b(?:{_TAIL}|laborator(?:y|ies)|lab|icu|[a-z]icu|ccu|pacu|\d{{1,2}} ?(?:north|south|east|west))\b",
    ),
    Rule("healthcare organisation", "HOSPITAL"),
    Rule("healthcare organisation", "ORGANIZATION", _CARE),
    Rule("organisation or company", "ORGANIZATION"),
    Rule("doctor or nurse", "DOCTOR USERNAME"),
    Rule("patient or family name", "PATIENT"),
    Rule("date", "DATE"),
    Rule("age", "AGE"),
    Rule("phone or fax", "PHONE FAX"),
    Rule("e-mail or web address", "EMAIL URL IPADDR"),
    Rule("numeric id", " ".join(CATEGORIES["ID"])),
    Rule("address", "STREET ZIP CITY STATE COUNTRY LOCATION_OTHER"),
    Rule("profession", "PROFESSION"),
    Rule("other"),
)  # fmt: skip
"""What was missed, the first rule that fits."""


def _is_partial(miss: Miss) -> bool:
    return not miss.all_leak


def _has_tail(miss: Miss) -> bool:
    tail = re.fullmatch(
        rf"(?:{_TAIL}|\w{{1,4}}\d*|north|south|east|west)+", "".join(miss.leaked), re.IGNORECASE
    )
    return not miss.all_leak and not miss.first_leaks and bool(tail)


def _is_misspelt(miss: Miss) -> bool:
    """Whether a word is one slip away from a word of another identifier of that category in the note."""
    return any(
        len(word) >= SHORTEST and word.lower() not in miss.near_names and one_slip(word.lower(), near)
        for word in miss.leaked
        for near in miss.near_names
        if len(near) >= SHORTEST
    )


def _is_joined(miss: Miss) -> bool:
    return miss.before[-1:].isalnum() or miss.after[:1].isalnum()


def _is_unusual(miss: Miss) -> bool:
    generic = any(word.lower() in _generic_words() for _, word in _words(miss.text))
    return not generic and kind_of(miss, "what") != "clinic location"


HOW: Sequence[Rule] = (
    Rule("room or building tail of a phrase", _PLACES, test=_has_tail),
    Rule("part of a phrase", test=_is_partial),
    Rule("single letter", _NAMES, r"\A[^\W\d_]\.?\Z"),
    Rule("initials", _NAMES, r"\A(?:[A-Z]{2,4}|(?:[A-Z]\. ?){2,4}|[A-Z]{1,3}[/-][A-Z]{1,3}|[a-z]{2,3})\Z"),
    Rule("lot number", " ".join(CATEGORIES["ID"]), before=r"\b(?:lot|batch|serial|exp)\b[^\n]{0,12}\Z"),
    Rule("dotted phone number", "PHONE FAX", r"\d\.\d"),
    Rule("extension or short number", "PHONE FAX", r"\A\D*(?:\d\D?){2,5}\D*\Z"),
    Rule("abbreviation", _PLACES, r"\A(?:[A-Z]\.?){2,6}\Z"),
    Rule("misspelt", f"{_NAMES} {_PLACES}", test=_is_misspelt),
    Rule("joined to other text", test=_is_joined),
    Rule("lower case", f"{_NAMES} {_PLACES}", r"\A(?-i:[^A-Z]*[a-z][^A-Z]*)\Z"),
    Rule("capitals", f"{_NAMES} {_PLACES}", r"\A(?-i:[^a-z]*[A-Z]{2}[^a-z]*)\Z"),
    Rule("unusual organisation name", "ORGANIZATION HOSPITAL", test=_is_unusual),
    Rule("other"),
)
"""How it was written, the first rule that fits."""

_CASED = ("single letter", "initials", "abbreviation")
"""Rules whose pattern tells large letters from small ones."""

TABLES: Mapping[str, Sequence[Rule]] = MappingProxyType({"what": WHAT, "how": HOW})
"""Both tables of kinds by name."""


def misses(pairs: Iterable[Pair]) -> list[Miss]:
    """Return every gold span with a leak, in the order of the notes."""
    found = []
    for pair in pairs:
        marks = marked(pair.text, pair.found)
        for span in pair.gold:
            tokens = words(pair.text, span.start, span.end)
            leaks = [not all(marks[start:end]) for start, end in tokens]
            if any(leaks):
                found.append(_miss(pair, span, tokens, leaks))
    return found


def _miss(pair: Pair, span: Span, tokens: Sequence[tuple[int, int]], leaks: Sequence[bool]) -> Miss:
    category = _category(span.label)
    near = frozenset(
        word.lower()
        for other in pair.gold
        if other != span and _category(other.label) == category
        for _, word in _words(pair.text[other.start : other.end])
    )
    return Miss(
        pair.id,
        span,
        pair.text[span.start : span.end],
        tuple(pair.text[start:end] for (start, end), leaked in zip(tokens, leaks, strict=True) if leaked),
        leaks[0],
        all(leaks),
        pair.text[max(0, span.start - 30) : span.start],
        pair.text[span.end : span.end + 10],
        near,
    )


def _category(label: str) -> str:
    ours = label.replace("-", "_")
    return next((name for name, labels in CATEGORIES.items() if ours in labels), ours)


def _words(text: str) -> list[tuple[int, str]]:
    return [(start, text[start:end]) for start, end in words(text)]


def kind_of(miss: Miss, table: str) -> str:
    """Return the kind of a miss in one of the `TABLES`."""
    label = miss.span.label.replace("-", "_")
    return next(rule.kind for rule in TABLES[table] if _fits(rule, label, miss))


def _fits(rule: Rule, label: str, miss: Miss) -> bool:
    return (
        (not rule.labels or label in rule.labels.split())
        and (not rule.text or bool(_compiled(rule.text, rule.kind in _CASED).search(miss.text.strip())))
        and (not rule.before or bool(_compiled(rule.before, False).search(miss.before)))
        and (rule.test is None or rule.test(miss))
    )


@cache
def _compiled(pattern: str, cased: bool) -> re.Pattern[str]:
    return re.compile(pattern, 0 if cased else re.IGNORECASE)


@cache
def _generic_words() -> frozenset[str]:
    return frozenset(word for entry in load("facility_words")["word"] for word in entry.split())


def miss_kinds(pairs: Sequence[Pair], *, examples: bool = False) -> dict[str, dict[str, dict[str, Any]]]:
    """Count the misses of each kind, the most frequent first.

    ``unique`` counts different strings, ``share`` is of all misses, ``of_all`` of all identifiers: the kind's
    part in the loss of recall. With ``examples``, each kind has the text of its first miss.
    """
    found = misses(pairs)
    total = sum(len(pair.gold) for pair in pairs)
    tables = {}
    for name in TABLES:
        of_kind: dict[str, list[Miss]] = {}
        for miss in found:
            of_kind.setdefault(kind_of(miss, name), []).append(miss)
        ordered = sorted(of_kind.items(), key=lambda entry: (-len(entry[1]), entry[0]))
        tables[name] = {
            kind: {
                "count": len(those),
                "unique": len({miss.text.casefold() for miss in those}),
                "share": ratio(len(those), len(found)),
                "of_all": ratio(len(those), total),
                **({"example": " ".join(those[0].text.split())[:60]} if examples else {}),
            }
            for kind, those in ordered
        }
    return tables
