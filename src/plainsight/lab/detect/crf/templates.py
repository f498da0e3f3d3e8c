"""Templates: what a CRF looks at around each token.

A template gives every token of a sequence one value (its text, the gap before it, what rules claim of it) and
every value a few features. A feature at offset ``-1`` counts for the token after it. Values repeat, so their
features are computed once a batch (`weights`).
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from operator import attrgetter
from string import ascii_letters

from plainsight.document import Span
from plainsight.lab.detect.crf.notes import Note
from plainsight.note_cache import note_cache
from plainsight.text.tags import encode
from plainsight.text.vocabulary import listed


@dataclass(frozen=True, slots=True)
class Template:
    """One value for each token, features for each value, and the offsets at which they count."""

    name: str
    offsets: tuple[int, ...]
    values: Callable[[Note], Sequence[str]]
    features: Callable[[str], Sequence[str]]


def uses_claims(templates: Sequence[Template]) -> bool:
    """Tell whether templates look at the claims of other detectors."""
    return any(template.name == "claim" for template in templates)


# --- values -----------------------------------------------------------------------------------------------


def words(note: Note) -> Sequence[str]:
    """Return each token's text."""
    return note.words


def joined(*places: int, lower: bool = True) -> Callable[[Note], Sequence[str]]:
    """Return a function that gives for each token the two words at these places around it."""

    def both(note: Note) -> Sequence[str]:
        reach = max(map(abs, places))
        edge = [""] * reach
        padded = [*edge, *(word.lower() if lower else word for word in note.words), *edge]
        ones, others = (padded[reach + place :] for place in places)
        return [f"{one} {other}" for _, one, other in zip(note.words, ones, others, strict=False)]

    return both


def gaps(note: Note) -> Sequence[str]:
    """Return what stands before each token."""
    text, tokens = note.document.text, note.tokens
    return ["start", *[text[end:start] for (_, end), (start, _) in pairwise(tokens)]][: len(tokens)]


def fields(note: Note) -> Sequence[str]:
    """Return for each token the form label before it on its line, or ``-``.

    ``Attending Physician: Jo Ito`` gives ``attending physician`` to the last two tokens.
    """
    text, tokens = note.document.text, note.tokens
    made = ["-"] * len(tokens)
    for place in [place for place, word in enumerate(note.words) if word == ":"]:
        start, end = tokens[place]
        before = text[max(0, start - _FIELD_LONGEST) : start]
        named = before[len(before.rstrip(_FIELD)) :].lstrip(_FIELD_SIGNS)
        if named:
            label = " ".join(named.lower().split())
            last = min(place + 1 + _FIELD_REACH, len(tokens))
            line = text.find("\n", end, tokens[last - 1][0])
            made[place + 1 : last] = [
                label if line < 0 or start < line else "-" for start, _ in tokens[place + 1 : last]
            ]
    return made


_FIELD_REACH, _FIELD_LONGEST = 9, 31
_FIELD_SIGNS = "/#.'() -"
_FIELD = ascii_letters + _FIELD_SIGNS


def claims(note: Note) -> Sequence[str]:
    """Return what other detectors claim of each token."""
    return note.claims


def settled(note: Note) -> Sequence[str]:
    """Return each token's tag if claims that overlap are settled: what is longer and surer stands."""
    standing: list[Span] = []
    for span in sorted(note.proposed, key=lambda span: ((span.start - span.end) * span.score, span.start)):
        place = bisect_right(standing, span.start, key=attrgetter("end"))
        if place == len(standing) or standing[place].start >= span.end:
            standing.insert(place, span)
    return encode(standing, note.tokens)


def kinds(note: Note) -> Sequence[str]:
    """Return the kinds of the word before each on its line, of itself, and of the word after."""
    own = [kind_of(word) for word in note.words]
    breaks = [gap == "start" or "\n" in gap for gap in gaps(note)] + [True]
    before = ["" if first else kind for first, kind in zip(breaks, ["", *own], strict=True)]
    after = ["" if last else kind for last, kind in zip(breaks[1:], [*own[1:], ""], strict=False)]
    return [" ".join(around) for around in zip(before, own, after, strict=False)]


# --- features ---------------------------------------------------------------------------------------------

_REGEXES = tuple(
    (name, re.compile(pattern))
    for name, pattern in {
        "digit3": r"[0-9]{3}$", "digit5": r"[0-9]{5}$", "digit6": r"[0-9]{6}$", "digit7": r"[0-9]{7}$",
        "digit8": r"[0-9]{8,}$", "novowels": r"[^AaEeIiOoUu0-9]+$", "datesep": r"[-/]$",
        "mixed": r"(?=.*[0-9])(?=.*[A-Za-z])",
    }.items()
)  # fmt: skip


def word(value: str) -> list[str]:
    """Return the word itself."""
    return [f"w={value.lower()}"]


def affixes(value: str) -> list[str]:
    """Return prefixes and suffixes of one and two characters."""
    return [f"p1={value[:1]}", f"p2={value[:2]}", f"s1={value[-1:]}", f"s2={value[-2:]}"]


def longer_affixes(value: str) -> list[str]:
    """Return prefixes and suffixes of three and four characters of longer words."""
    low = value.lower()
    made = [f"p3={low[:3]}", f"s3={low[-3:]}"] if len(low) > 3 else []
    return made + ([f"p4={low[:4]}", f"s4={low[-4:]}"] if len(low) > 4 else [])


def regexes(value: str) -> list[str]:
    """Recognise numbers of so many digits, words without vowels, letters and digits mixed."""
    return [name for name, pattern in _REGEXES if pattern.match(value)]


def as_written(value: str) -> list[str]:
    """Return the word itself, in its case."""
    return [f"w={value}"]


def parts(value: str) -> list[str]:
    """Return the parts of a value that holds several, such as the lists that a token is in."""
    return value.split("|") if value else []


def short_shape(value: str) -> list[str]:
    """Return the shape with runs made one (``McKay`` is ``WwWw``, ``2019`` is ``d``), and the length."""
    short = _RUN.sub(r"\1", shape(value))
    return [f"short={short}", f"len={min(len(value), 12)}"]


def shape(value: str) -> str:
    """Return each character's kind: W upper case, w lower case, d digit, others as they are (S192)."""
    return "".join(
        "W" if c.isupper() else "w" if c.islower() else "d" if c.isdigit() else c for c in value[:20]
    )


_RUN = re.compile(r"(.)\1+")


def gap_kind(value: str) -> list[str]:
    """Tell what a gap is: nothing, a space, a column, a line's or a paragraph's end, or the note's start."""
    breaks = value.count("\n")
    kind = "glued" if not value else value if value == "start" else "space" if value == " " else "wide"
    return ["paragraph" if breaks > 1 else "line" if breaks else kind]


def itself(value: str) -> list[str]:
    """Return the value itself."""
    return [value]


def claimed(value: str) -> list[str]:
    """Return each claim with its rule and without, and all together."""
    if not value:
        return ["none"]
    parts = value.split("|")
    return [f"all={value}", *parts, *(part.rpartition(" ")[0] for part in parts)]


def kinds_around(value: str) -> list[str]:
    """Return a word's kind, alone, with that of either neighbour, and with both."""
    before, own, after = value.split(" ")
    return [own, f"{before}<{own}", f"{own}>{after}", value]


def all_of(*features: Callable[[str], Sequence[str]]) -> Callable[[str], list[str]]:
    """Return the features of several functions together."""

    def together(value: str) -> list[str]:
        return [feature for function in features for feature in function(value)]

    return together


def around(reach: int, more: int | None = None) -> tuple[int, ...]:
    """Return the offsets from ``-reach`` to ``reach``, or to ``more``."""
    return tuple(range(-reach, (reach if more is None else more) + 1))


def pairs(name: str, offsets: tuple[int, ...], one: int, other: int, *, lower: bool = True) -> Template:
    """Return a template of the two words at these places around each token."""
    return Template(name, offsets, joined(one, other, lower=lower), itself)


_TELLING = (
    "title", "cue", "head", "orghead", "generic", "place", "calendar", "state", "stop", "medical",
)  # fmt: skip
"""Lists that decide the kind of a word, in this order."""

_SAME = re.compile(r"(.)\1+")
_LONGEST = 5  # signs of a token that is no word


@note_cache(1 << 16)
def kind_of(word: str) -> str:
    """Return the kind of a word, which has no space in it.

    >>> kind_of("Hospital"), kind_of("O'Neil"), kind_of("12/2019"), kind_of("J")
    ('Ww.head', "a'a", '0/0', 'W')
    """
    if not word.isalpha():
        signs = ("a" if sign.isalpha() else "0" if sign.isdigit() else sign for sign in word)
        return _SAME.sub(r"\1", "".join(signs))[:_LONGEST]
    case = "w" if word.islower() else "W" if word.isupper() else "Ww"
    return case if len(word) == 1 else f"{case}.{_list_of(word)}"


def _list_of(word: str) -> str:
    """Return the most informative list of a word."""
    lists = {feature.removeprefix("in=") for feature in listed(word)}
    for name in _TELLING:
        if name in lists:
            return name
    if lists & {"pure", "common"}:
        return "name"
    if "word" in lists:
        return "mixed" if "mixed" in lists else "word"
    return next((name for name in ("city", "country") if name in lists), "unknown")
