"""Post codes: those of the fictional towns where tables have them, others by their shape."""

from __future__ import annotations

import re
from functools import cache, cached_property

from plainsight.locale import default_locale
from plainsight.replace.surrogate.keyed import Keyed
from plainsight.replace.surrogate.places.atlas import Atlas, Place, fits, post_code
from plainsight.replace.surrogate.places.geography import Geography
from plainsight.replace.surrogate.places.towns import towns
from plainsight.replace.surrogate.scope import Mention, Scope, assign
from plainsight.replace.surrogate.shape import another, scramble

_CANADIAN = re.compile(r"([A-Z]\d[A-Z])(\d[A-Z]\d)")
_BRITISH = re.compile(r"([A-Z]{1,2})(\d[A-Z\d]?)(\d[A-Z]{2})")
_INWARD = "ABDEFGHJLNPQRSTUWXYZ"
_CANADIAN_LETTERS = "ABCEGHJKLMNPRSTVWXYZ"
_CITY_TURNS, _AREA_TURNS = 6, 20


@cache
def _codes(home: str, area: str = "") -> tuple[str, ...]:
    """Return the post codes of a state, or of one of its areas."""
    mine = towns().get(home, {}).values()
    return tuple(sorted({c for town in mine for c in town.codes.split() if c.startswith(area)}))


class PostCodes:
    """The post codes that stand for those of a scope."""

    def __init__(self, scope: Scope, atlas: Atlas, geography: Geography) -> None:
        self._scope = scope
        self._atlas = atlas
        self._geography = geography

    @cached_property
    def _keyed(self) -> Keyed:
        return self._scope.keyed.child("post codes")

    @cached_property
    def _made(self) -> dict[tuple[str, Place], str]:
        own = {
            (post_code(m.text), place)
            for m in self._scope.of("ZIP")
            if (place := self._atlas.places.get(m))
            and fits(post_code(m.text), place.home)
            and _codes(self._geography.home(place.home))  # none if its country ran out of states
        }
        originals = {code for code, _ in own}
        return assign(
            sorted(own),
            self._candidate,
            keyed=self._keyed,
            refused=lambda code: code in originals or code.lower() in self._scope.words,
        )

    def _candidate(self, original: tuple[str, Place], turn: int) -> str:
        """Return a code of the fictional town; if it has none left, one of its area, then of its state."""
        code, place = original
        home, town = self._geography.home(place.home), self._geography.town(place)
        codes = tuple(town.codes.split()) if town else ()
        if codes and turn >= _CITY_TURNS:
            codes = _codes(home, codes[0][:3])
        if not codes or turn >= _AREA_TURNS:
            codes = _codes(home)
        was = towns().get(place.home, {}).get(place.town)
        siblings = was.codes.split() if was else []
        if code in siblings:
            index = siblings.index(code) % len(codes)
        else:
            index = self._keyed.number(code, len(codes))
        return codes[(self._keyed.permute(index, len(codes)) + turn) % len(codes)]

    def write(self, mention: Mention) -> str:
        """Return the post code that stands for a mention, in its shape."""
        code = "".join(character for character in mention.text if character.isalnum())
        place = self._atlas.places.get(mention)
        made = self._made.get((post_code(mention.text), place)) if place else None
        if made is None or not code.isascii() or len(made) > len(code):
            made = self._by_shape(code.upper())
        rest = code[len(made) :].upper()
        if _CANADIAN.fullmatch(code.upper()):
            made += self._letters(rest, _CANADIAN_LETTERS, made)
        elif rest:
            made += scramble(self._keyed.child("rest"), rest)
        return _reshape(mention.text, made)

    def _by_shape(self, code: str) -> str:
        """Return a code of the same letters and digits, with the parts that name an area changed alike."""
        if british := _BRITISH.fullmatch(code):
            area, district, inward = british.groups()
            mine = [
                other
                for other in default_locale().words("states", "british_areas")
                if len(other) == len(area)
            ]
            if area in mine:
                made = mine[another(self._keyed, mine.index(area), len(mine))]
            else:
                made = scramble(self._keyed.child("area"), area)
            made += scramble(self._keyed.child(f"district {area}"), district)
            return made + self._letters(inward, _INWARD, area + district)
        half = 2 if code.isdigit() else 3
        first, second = code[:half], code[half:]
        made = scramble(self._keyed.child("first"), first)
        return made + scramble(self._keyed.child(f"second {first}"), second)

    def _letters(self, text: str, alphabet: str, before: str) -> str:
        """Scramble digits and letters, the letters within an alphabet."""
        keyed = self._keyed.child(f"inward {before}")
        made = ""
        for place, character in enumerate(text):
            choices = alphabet if character.isalpha() else "0123456789"
            index = choices.find(character)
            made += choices[another(keyed.child(str(place)), max(0, index), len(choices))]
        return made


def _reshape(text: str, made: str) -> str:
    """Write the letters and digits of a code where those of another one stand."""
    letters = iter(made)
    shaped = "".join(next(letters, character) if character.isalnum() else character for character in text)
    return shaped.lower() if text.islower() else shaped
