r"""How else a text may be written: the forms that a leak search looks for.

Forms are regular expressions of RE2 over the small shadow of a note (`plainsight.text.shadow`), in which
capitals and accents do not count and offsets are those of the note. Letters of other scripts have no shadow;
a query that holds one is searched as it is written, in any case.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from typing import Any

from rapidfuzz.distance import OSA, JaroWinkler

from plainsight.errors import UsageError
from plainsight.locale import DEFAULT_LOCALE
from plainsight.locale.calendar import load_calendar
from plainsight.locale.date_grammar import parse_date
from plainsight.text.rare_words import surprise
from plainsight.text.shadow import shadow
from plainsight.text.spelling import SHORTEST

LONGEST_QUERY = 200
_TOKEN = re.compile(rb"[a-z]+|[0-9]+")
_NAME = re.compile(r"[^\W\d_]+(?:[-'’.]?[,\s]*[^\W\d_]+\.?){0,4}")
_GAP = "[^a-z0-9]{0,3}"
_BREAK = "[^a-z0-9]{1,3}"
_RARE = 14.0  # bits: a name's part that is rarer than one in 16,000 words is searched alone
_LONG = 9  # letters of a word in which two slips are searched
_LONG_NUMBER = 6  # digits of a number in which a slip is searched
_ALIKE = 0.75  # Jaro-Winkler similarity below which words that sound alike are others


@dataclass(frozen=True, slots=True, repr=False)
class Forms:
    """What a query is searched by.

    ``variants`` are patterns of forms; ``initials`` patterns that count only where their letters are
    capitals. ``words`` and ``numbers`` are what misspellings are compared with. ``shadowed`` is whether the
    shadow shows all letters of the query.
    """

    query: str
    shadowed: bool
    variants: tuple[str, ...] = ()
    initials: tuple[str, ...] = ()
    words: tuple[str, ...] = ()
    numbers: tuple[str, ...] = ()
    sounds: frozenset[str] = field(default_factory=frozenset)


def forms_of(query: str, *, fuzzy: bool = True) -> Forms:
    """Return the forms of a query; ``fuzzy`` adds misspellings and words that sound alike.

    >>> forms_of("Ann Quillerby").words
    ('ann', 'quillerby')
    """
    query = query.strip()
    if not query or len(query) > LONGEST_QUERY:
        raise UsageError(f"search for 1 to {LONGEST_QUERY} characters")
    small = shadow(query).lower()
    if not all(char.isascii() or not char.isalpha() or _has_shadow(char) for char in query):
        return Forms(query, shadowed=False)
    tokens = [token.decode() for token in _TOKEN.findall(small)]
    if not tokens:
        return Forms(query, shadowed=True)
    if dates := tuple(dict.fromkeys(_dates(query))):
        return Forms(query, shadowed=True, variants=dates)
    digits = "".join(token for token in tokens if token.isdigit())
    if len(digits) > sum(map(len, tokens)) / 2:  # a number: separators do not count
        spread = _GAP.join("".join(tokens))
        numbers = (digits,) if fuzzy and len(digits) >= _LONG_NUMBER else ()
        return Forms(query, shadowed=True, variants=(spread,), numbers=numbers)
    variants = [_GAP.join(tokens)]
    initials: list[str] = []
    if 2 <= len(tokens) <= 4 and _NAME.fullmatch(query):
        more, initials = _names(_in_order(query, tokens))
        variants += more
    words = tuple(dict.fromkeys(token for token in tokens if _telling(token, alone=len(tokens) == 1)))
    return Forms(
        query,
        shadowed=True,
        variants=tuple(dict.fromkeys(variants)),
        initials=tuple(initials),
        words=words if fuzzy else (),
        sounds=frozenset(sound for word in words for sound in sounds_of(word)) if fuzzy else frozenset(),
    )


def _has_shadow(char: str) -> bool:
    return shadow(char) not in (b"x", b"X") or char in "xX"


def _telling(word: str, *, alone: bool) -> bool:
    return len(word) >= 3 and (alone or surprise(word) >= _RARE)


# --- names ------------------------------------------------------------------------------------------------


def _in_order(query: str, words: list[str]) -> list[str]:
    """Return the words of a name with the surname last: ``Lee, Ann`` has it first."""
    before, comma, _ = query.partition(",")
    if not comma:
        return words
    surnames = len(_TOKEN.findall(shadow(before).lower()))
    return words[surnames:] + words[:surnames]


def _names(words: list[str]) -> tuple[list[str], list[str]]:
    """Return the forms of a name, and those of its initials."""
    *given, last = words
    if not given:
        return [], []
    first, letters = given[0], [word[0] for word in words]
    forms = [
        _BREAK.join(words),
        _BREAK.join([last, *given]),
        f"{first}{_GAP}{last}",
        f"{last}{_BREAK}{first}",
        f"{first[0]}{_GAP}{last}",  # J. Smith, jsmith
        f"{last}{_BREAK}{first[0]}",
    ]
    if len(given) > 1:
        forms += [f"{first[0]}{_GAP}{given[1][0]}{_GAP}{last}", f"{first}{_GAP}{given[1][0]}{_GAP}{last}"]
    forms += [word for word in words if _telling(word, alone=False)]
    initials = [r"\.[ ]?".join(letters) + r"\."]
    if len(letters) > 2:
        initials.append("".join(letters))
    return forms, initials


# --- dates ------------------------------------------------------------------------------------------------


def _dates(query: str) -> Iterator[str]:
    """Yield the forms of a date in both orders, with a long and a short year; nothing for another text."""
    calendar = load_calendar(DEFAULT_LOCALE)
    for reading in parse_date(query, calendar):
        values = reading.values(2035)[0]
        if reading.points > 1 or "day" not in values or "month" not in values:
            continue
        month, year = values["month"], values.get("year")
        if not 1 <= month <= 12 or not 1 <= values["day"] <= 31:
            continue
        name = calendar.month_names[calendar.language][month - 1].lower()
        word = f"(?:{name}|{name[:3]}|{'sept' if month == 9 else name[:4]})"
        months, days = _number(month), _number(values["day"])
        ordinal = f"{days}(?:st|nd|rd|th)?"
        if year is None:
            yield f"{word}{_GAP}{ordinal}"
            yield f"{ordinal}{_GAP}(?:of )?{word}"
            yield f"{months}[/.-]{days}"
            yield f"{days}[/.-]{months}"
            continue
        years = f"(?:{year:04}|{year % 100:02})"
        for one, other in ((months, days), (days, months)):
            yield f"{one}[ /.-]{{1,2}}{other}[ /.-]{{1,2}}{years}"
        yield f"{year:04}[ /.-]?{_number(month, padded=True)}[ /.-]?{_number(values['day'], padded=True)}"
        yield f"{year:04}[ /.-]{months}[ /.-]{days}"
        yield f"{word}{_GAP}{ordinal}{_GAP}{years}"
        yield f"{ordinal}{_GAP}(?:of )?{word}{_GAP}{years}"
        yield f"{word}{_GAP}{ordinal}"
        yield f"{ordinal}{_GAP}(?:of )?{word}"


def _number(value: int, *, padded: bool = False) -> str:
    return f"{value:02}" if padded or value > 9 else f"0?{value}"


# --- misspellings and sounds ------------------------------------------------------------------------------


def misspells(word: str, other: str) -> bool:
    """Whether one word is a misspelling of the other: one slip, or two in a long word.

    >>> misspells("kowalczyk", "kowalcyzk"), misspells("kowalczyk", "kovalcyk"), misspells("smith", "smart")
    (True, True, False)
    """
    if min(len(word), len(other)) < SHORTEST - 1 or len(word) < SHORTEST:
        return False
    slips = 2 if min(len(word), len(other)) >= _LONG - 1 and len(word) >= _LONG else 1
    return 0 < OSA.distance(word, other, score_cutoff=slips) <= slips


def sounds_of(word: str) -> tuple[str, ...]:
    """Return how a word sounds, in two phonetic codes; nothing for a short one.

    >>> set(sounds_of("smith")) & set(sounds_of("smyth"))
    {'m:SM0'}
    """
    if len(word) < 4:
        return ()
    phonetics = _phonetics()
    return f"m:{phonetics.metaphone(word)}", f"n:{phonetics.nysiis(word)}"


def sounds_alike(forms: Forms, word: str) -> bool:
    """Whether a word sounds like one of a query's words and is spelt somewhat like it."""
    if forms.sounds.isdisjoint(sounds_of(word)):
        return False
    return any(JaroWinkler.similarity(word, own) >= _ALIKE for own in forms.words)


@cache
def _phonetics() -> Any:
    try:
        return import_module("jellyfish")
    except ImportError:
        raise UsageError("a search by sound needs another package: pip install 'plainsight[serve]'") from None


def number_slips(forms: Forms, digits: str) -> bool:
    """Whether a number differs from one of the query by one digit, or by two that are swapped."""
    return any(OSA.distance(digits, own, score_cutoff=1) == 1 for own in forms.numbers)


def all_variants(forms: Forms) -> str:
    """Return one pattern for all variants, to find the notes that have any."""
    return "|".join(f"(?:{form})" for form in (*forms.variants, *forms.initials))
