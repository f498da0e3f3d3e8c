"""What the words around a name tell: whether it is a given name or a surname, and the person's sex."""

from __future__ import annotations

import re
from dataclasses import dataclass

__all__ = ["Cue", "read"]

_MEN = (
    "husband|hubby|father|dad|daddy|papa|son|brother|bro|grand ?father|grand ?pa|grand ?dad|gran[d]?son|uncle"
    "|nephew|boyfriend|stepfather|stepdad|stepson|stepbrother|widower|godfather|half[- ]brother"
)
_WOMEN = (
    "wife|mother|mom|mum|mama|mommy|daughter|dtr|dau|sister|sis|grand ?mother|grand ?ma|granny|nana"
    "|grand ?daughter|aunt|auntie|niece|girlfriend|stepmother|stepmom|stepdaughter|stepsister|widow"
    "|godmother|half[- ]sister"
)
_EITHER = (
    "cousin|spouse|partner|friend|roommate|sibling|twin|baby|infant|fianc[eé]e?|grandchild|child|kid|dear|hi"
    "|hello|called|nicknamed|named"
)
_RELATION = re.compile(
    rf"\b(?:(?P<m>{_MEN})|(?P<f>{_WOMEN})|(?P<e>{_EITHER}))(?P<law>[- ]in[- ]law)?"
    r"(?:,? deceased)?(?:'s name)?(?: is| was| named| called)?[\s,:;(\[\"“‘'/+-]*$",
    re.IGNORECASE,
)
_TITLE = re.compile(
    r"\b(?:(?P<m>mr|mister|sr|señor)|(?P<f>mrs|ms|miss|sra|srta|señora|madam|mme)"
    r"|(?P<e>dr|drs|doctor|prof|professor|attending|resident|surgeon|officer|trooper|sgt|lt|capt|judge|attorney|atty"
    r"|rev|reverend|pastor|rabbi|imam|deputy|n[eé]e|maiden name)"
    r"|(?P<g>don|doña|nurse|tech|aide))\b\.?[\s(\[\"“‘']*$",
    re.IGNORECASE,
)
_PAIR = re.compile(r"(?:\band|&|/|\+)\s*$", re.IGNORECASE)
_AFTER = re.compile(
    rf"[\s,(]*(?:(?:his|her|the|pt'?s|patient'?s|my|their)\s+)?(?:(?P<m>{_MEN})|(?P<f>{_WOMEN}))"
    r"(?:[- ]in[- ]law)?\s*(?:[,).;:\n]|$|and\b)",
    re.IGNORECASE,
)
_OLD = re.compile(
    r"[^.\n]{0,30}?\b(?:years?|yrs?|y|months?|weeks?|days?)[-. /]*(?:old|o)\b\.?[-, ]*(?:[\w-]+,?\s+){0,4}?"
    r"(?:(?P<m>man|male|gentleman|boy|m)|(?P<f>woman|female|lady|girl|f))\b",
    re.IGNORECASE,
)
_PRONOUN = re.compile(r"[^.\n]{0,60}?[.;,]?\s+(?:(?P<m>he)|(?P<f>she))\b", re.IGNORECASE)
_QUOTES = ("'", '"', "“", "”", "‘", "’")
_CREDENTIAL = re.compile(r",?\s*(?:M\.?D\.?|D\.?O\.?|PA-?C|NP|PhD)\b")


@dataclass(frozen=True, slots=True)
class Cue:
    """Evidence around one name: for a surname (above zero) or a given name, for a woman or a man.

    ``told`` is what title, relation or age line say of the sex, ``hint`` what a pronoun suggests.
    """

    surname: float = 0.0
    told: float = 0.0
    hint: float = 0.0


def read(before: str, after: str) -> Cue:
    """Return what stands around a name says of it.

    >>> read("his wife ", " reports").told > 0, read("saw Mr. ", "").surname > 0
    (True, True)
    """
    surname = told = hint = 0.0
    if title := _TITLE.search(before):
        if title["g"] is None:
            surname += 2.0
        if not _PAIR.search(before[: title.start()]):
            told += 3.0 * _sign(title)
    elif relation := _RELATION.search(before):
        surname -= 2.0
        # a brother- or mother-in-law has a sex as well
        told += 2.0 * _sign(relation)
    if relation := _AFTER.match(after):
        surname -= 1.0
        told += 2.0 * _sign(relation)
    elif _CREDENTIAL.match(after):
        surname += 1.0
    if before[-1:] in _QUOTES and after[:1] in _QUOTES:  # known as "Wink"
        surname -= 1.0
    if old := _OLD.match(after):
        told += 2.0 * _sign(old)
    elif pronoun := _PRONOUN.match(after):
        hint = _sign(pronoun)
    return Cue(surname, told, hint)


def _sign(hit: re.Match[str]) -> float:
    """Return 1 for a woman, -1 for a man, 0 for either."""
    return 1.0 if hit["f"] else -1.0 if hit["m"] else 0.0
