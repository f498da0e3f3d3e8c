"""Post codes: those of the town that stands for theirs, in their shape."""

from __future__ import annotations

import re
from functools import cache

from plainsight.locale import default_locale
from plainsight.replace.surrogate.keyed import Keyed
from plainsight.replace.surrogate.places.geography import Geography, Place
from plainsight.replace.surrogate.places.towns import area_of, of_code, town_key, towns
from plainsight.replace.surrogate.shape import scramble

_SHAPES = {"US/": re.compile(r"\d{5}"), "CA/": re.compile(r"[A-Z]\d[A-Z]"), "AU/": re.compile(r"\d{4}")}
_ZIP = re.compile(r"\d{5}(?:\d{4})?")
_CANADIAN = re.compile(r"([A-Z]\d[A-Z])(\d[A-Z]\d)")
_BRITISH = re.compile(r"([A-Z]{1,2})(\d[A-Z\d]?)(\d[A-Z]{2})")
_INWARD = "ABDEFGHJLNPQRSTUWXYZ"
_CANADIAN_LETTERS = "ABCEGHJKLMNPRSTVWXYZ"
_PREFIX = 3  # digits of a ZIP code that an area shares, written alone


def post_code(text: str) -> str:
    """Return the part of a post code that identifies its place: five digits, a Canadian half, or all."""
    code = "".join(filter(str.isalnum, text.upper()))
    if _ZIP.fullmatch(code):
        return code[:5]
    return code[:3] if _CANADIAN.fullmatch(code) else code


def fits(code: str, home: str) -> bool:
    """Whether a post code, as `post_code` gives it, has the shape of those of a state's country."""
    shape = _SHAPES.get(home[:3])
    return bool(shape and shape.fullmatch(code))


def place_of(code: str, *, australian: bool = False) -> Place | None:
    """Return the place of a post code by the table: its town, or one of its area."""
    town = of_code().get(code)
    if town is None and (fits(code, "US/") or fits(code, "CA/")):
        town = of_code().get(area_of(code))
    if town is None or (fits(code, "AU/") and not australian):
        return None
    return Place(town.home, town_key(town.name))


class PostCodes:
    """The post codes that stand for others."""

    def __init__(self, keyed: Keyed, geography: Geography) -> None:
        self._keyed = keyed.child("post codes")
        self._geography = geography

    def write(self, text: str, *, home: str = "", australian: bool = False) -> str:
        """Return the post code that stands for one, in its shape; "" for what is none.

        ``home`` is the state written beside it: it counts for codes that no table has. Codes of four digits
        are read as Australian ones only where the note is about Australia.
        """
        code = "".join(filter(str.isalnum, text))
        if not code.isascii() or not any(map(str.isdecimal, code)):
            return ""
        made = self._of_town(post_code(text), home, australian=australian)
        if not made or len(made) > len(code):
            made = self._by_shape(code.upper())
        rest = code[len(made) :].upper()
        if _CANADIAN.fullmatch(code.upper()):
            made += self._letters(rest, _CANADIAN_LETTERS, made)
        elif rest:
            made += scramble(self._keyed.child("rest"), rest)
        letters = iter(made)
        shaped = "".join(next(letters, sign) if sign.isalnum() else sign for sign in text)
        return shaped.lower() if text.islower() else shaped

    def _of_town(self, code: str, home: str, *, australian: bool) -> str:
        """Return a code of the fictional town, or the beginning of one for a beginning."""
        place = place_of(code, australian=australian)
        if home and code not in of_code() and fits(code, home) and (not place or place.home != home):
            codes = _codes(self._geography.home(home))
            return codes[self._keyed.number(code, len(codes))] if codes else ""
        town = self._geography.town(place) if place else None
        if place is None or town is None:
            return ""
        codes = town.codes.split() or _codes(town.home)
        if not codes:  # a state without any, such as Nunavut
            return ""
        was = towns()[place.home][place.town].codes.split()
        index = was.index(code) if code in was else self._keyed.number(code, len(codes))
        made = codes[self._keyed.permute(index % len(codes), len(codes))]
        return made[:_PREFIX] if len(code) == _PREFIX else made

    def _by_shape(self, code: str) -> str:
        """Return a code of the same letters and digits, with the parts that name an area changed alike."""
        if british := _BRITISH.fullmatch(code):
            area, district, inward = british.groups()
            areas = default_locale().words("states", "british_areas")
            mine = [other for other in areas if len(other) == len(area)]
            index = mine.index(area) if area in mine else self._keyed.number(area, len(mine))
            made = mine[self._keyed.permute(index, len(mine))]
            made += scramble(self._keyed.child(f"district {area}"), district)
            return made + self._letters(inward, _INWARD, area + district)
        half = 2 if code.isdigit() else 3
        first, second = code[:half], code[half:]
        made = scramble(self._keyed.child("first"), first)
        return made + scramble(self._keyed.child(f"second {first}"), second)

    def _letters(self, text: str, alphabet: str, before: str) -> str:
        """Draw digits and letters, the letters from an alphabet."""
        made = ""
        for place, character in enumerate(text):
            choices = alphabet if character.isalpha() else "0123456789"
            made += choices[self._keyed.number(f"inward {before} {place} {character}", len(choices))]
        return made


@cache
def _codes(home: str) -> list[str]:
    """Return the post codes of a state."""
    return sorted({code for town in towns().get(home, {}).values() for code in town.codes.split()})
