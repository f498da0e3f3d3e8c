"""Take a street line or the name of a place apart: what names it, what counts it, what says its kind."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import Literal, NamedTuple

from plainsight.note_cache import note_cache
from plainsight.replace.surrogate.places.towns import word_set
from plainsight.replace.surrogate.scope import folded

Kind = Literal["keep", "name", "number", "ordinal", "id", "word number", "word ordinal"]

_TOKEN = re.compile(r"\d/\d(?!\d)|[^\W_]+(?:['’ʻ][^\W_]+)*")
_BREAK = re.compile(r"[,;&\n|()\"]|/(?!\d)")
_ORDINAL = re.compile(r"\d+(?:st|nd|rd|th)", re.IGNORECASE)


class Part(NamedTuple):
    """A stretch of a line and what it is; all parts together are the line."""

    kind: Kind
    text: str


@note_cache(4096)
def parts(text: str, *, street: bool) -> tuple[Part, ...]:
    """Return the parts of a street line, or of the name of another place.

    >>> [part.text for part in parts("1846 Old Mill St, Apt 4", street=True) if part.kind != "keep"]
    ['1846', 'Mill', '4']
    """
    made: list[Part] = []
    last = 0
    for start, end in _segments(text):
        made += [Part("keep", text[last:start])] if start > last else []
        made += _segment(text[start:end], _types(street), street=street)
        last = end
    return (*made, Part("keep", text[last:])) if last < len(text) else tuple(made)


def _types(street: bool) -> frozenset[str]:
    """Return the words that say what kind of street, or of place, one is."""
    return word_set("types") if street else word_set("types", "place_kinds")


def _segments(text: str) -> list[tuple[int, int]]:
    """Return where the pieces between commas and the like stand."""
    cuts = [-1, *(hit.start() for hit in _BREAK.finditer(text)), len(text)]
    return [(first + 1, second) for first, second in pairwise(cuts) if second > first + 1]


def _segment(text: str, types: frozenset[str], *, street: bool) -> list[Part]:
    hits = list(_TOKEN.finditer(text))
    kinds = _kinds([hit.group() for hit in hits], text, hits, types, street=street)
    made: list[Part] = []
    last = 0
    for hit, kind in zip(hits, kinds, strict=True):
        between = text[last : hit.start()]
        if kind == "name" and made and made[-1].kind == "name" and between.isspace():
            made[-1] = Part("name", made[-1].text + between + hit.group())  # one name of several words
        else:
            made += [Part("keep", between)] if between else []
            made.append(Part(kind, hit.group()))
        last = hit.end()
    return [*made, Part("keep", text[last:])] if last < len(text) else made


def _kinds(
    tokens: list[str], text: str, hits: list[re.Match[str]], types: frozenset[str], *, street: bool
) -> list[Kind]:
    """Return what each token is."""
    plain = [folded(token) for token in tokens]
    kinds: list[Kind] = [_alone(token, first=n == 0, more=len(tokens) > 1) for n, token in enumerate(plain)]
    after_unit = False
    for n, token in enumerate(plain):
        marked = text[: hits[n].start()].rstrip(" ").endswith("#")
        if kinds[n] == "name" and (after_unit or marked) and _is_id(tokens[n]):
            kinds[n] = "id"
        elif (
            kinds[n] == "name" and len(token) == 1 and token not in word_set("directions") and len(tokens) > 1
        ):
            kinds[n] = "id"  # Avenue J
        after_unit = (after_unit and kinds[n] in ("id", "number")) or (
            token in word_set("units") and kinds[n] == "name"
        )
    for n in range(len(plain) - 2, -1, -1):  # County Road 29, P.O. Box 12: kept where a number follows
        follows = kinds[n + 1] in ("number", "ordinal", "id") or (
            kinds[n + 1] == "keep" and plain[n + 1] in word_set("roads")
        )
        if plain[n] in word_set("roads", "units") and kinds[n] in ("name", "id") and follows:
            kinds[n] = "keep"
    for n, token in enumerate(plain):
        counted = n and kinds[n - 1] in ("ordinal", "word ordinal")
        counted = counted or (n and kinds[n - 1] == "number" and token in word_set("floors"))
        if kinds[n] == "name" and (
            token in word_set("particles") or (counted and token in word_set("units"))
        ):
            kinds[n] = "keep"
    _keep_kinds(plain, kinds, types, street=street)
    return kinds


def _alone(token: str, *, first: bool, more: bool) -> Kind:
    """Return what a token looks like by itself."""
    if token.isdecimal():
        return "number"
    if "/" in token:
        return "keep"  # 418 1/2
    if _ORDINAL.fullmatch(token):
        return "ordinal"
    if token in word_set("ordinals") and more:
        return "word ordinal"
    if token in word_set("numbers") and first and more:
        return "word number"
    letters = sum(map(str.isalpha, token))
    return (
        "name"
        if letters == len(token.replace("'", "").replace("’", "").replace("ʻ", "")) or letters > 3
        else "id"
    )


def _is_id(token: str) -> bool:
    return len(token) == 1 or (len(token) <= 3 and token.isupper())


def _keep_kinds(plain: list[str], kinds: list[Kind], types: frozenset[str], *, street: bool) -> None:
    """Keep the words that say the kind of place or the direction, as long as a name is left."""
    left = [n for n, kind in enumerate(kinds) if kind == "name"]
    numbered = any(kind in ("number", "ordinal", "id", "word ordinal") for kind in kinds)
    while left and plain[left[-1]] in word_set("directions") and (len(left) > 1 or numbered):
        kinds[left.pop()] = "keep"
    unnamed = any(
        kind in ("ordinal", "id", "word ordinal") or (kind == "keep" and word in word_set("roads"))
        for kind, word in zip(kinds, plain, strict=True)
    )
    while (
        left
        and plain[left[0]] in word_set("directions")
        and (
            unnamed
            or len(left) > 2
            or any(plain[n] not in types for n in left[1:])
            or (len(left) == 1 and numbered)
        )
    ):
        kinds[left.pop(0)] = "keep"
    while left and plain[left[-1]] in types and (len(left) > 1 or unnamed):
        kinds[left.pop()] = "keep"
        if street and left and plain[left[-1]] not in word_set("units"):
            break
    if len(left) > 1 and plain[left[0]] in word_set("front_types"):
        kinds[left.pop(0)] = "keep"
    while len(left) > 1 and plain[left[-1]] in word_set("directions"):
        kinds[left.pop()] = "keep"
