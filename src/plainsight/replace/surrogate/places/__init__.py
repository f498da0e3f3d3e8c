"""Places: one coherent fictional geography for a scope.

Each state becomes another state, each town a town of that state of about its size, each post code one of
that town, so that city, state and ZIP agree wherever they stand. Cities abroad move with their country to a
neighbour of it. Street lines and names of other places keep their kind, and their names agree in every form.

>>> from plainsight.document import Document
>>> from plainsight.replace.surrogate.keyed import Keyed
>>> from plainsight.replace.surrogate.scope import Mention, Scope
>>> home = [Mention(0, 0, 7, "CITY", "Memphis"), Mention(0, 9, 11, "STATE", "TN")]
>>> Places(Scope(Keyed(bytes(32)), [Document("1", "Memphis, TN 38114")], home)).surrogates(home)
['Staten Island', 'NY']
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property

from plainsight.replace.surrogate.places.atlas import KIND, Atlas
from plainsight.replace.surrogate.places.geography import Geography, PostCodes
from plainsight.replace.surrogate.places.regions import read_country, read_state, write_country, write_state
from plainsight.replace.surrogate.places.streets import Streets
from plainsight.replace.surrogate.places.towns import town_key
from plainsight.replace.surrogate.scope import Mention, Scope
from plainsight.replace.surrogate.shape import match_case, scramble

_LABELS = frozenset(("STREET", "CITY", "STATE", "COUNTRY", "ZIP", "LOCATION_OTHER"))


class Places:
    """The places that stand for those of a scope."""

    def __init__(self, scope: Scope) -> None:
        self._scope = scope
        self._atlas = Atlas(scope)
        self._geography = Geography(scope, self._atlas)
        self._codes = PostCodes(scope, self._atlas, self._geography)
        self._streets = Streets(scope, self._atlas, self._geography)

    def surrogates(self, mentions: Sequence[Mention]) -> list[str]:
        """Return a surrogate for each street, city, state, country, post code and other place."""
        write: dict[str, Callable[[Mention], str]] = {
            "CITY": self._city,
            "STATE": self._state,
            "COUNTRY": self._country,
            "ZIP": self._codes.write,
            "STREET": self._streets.write,
            "LOCATION_OTHER": self._streets.write,
        }
        return [write[mention.label](mention) for mention in mentions]

    def _scrambled(self, mention: Mention) -> str:
        """Return a surrogate for what nothing here can read."""
        return scramble(self._scope.keyed.child("scrambled"), mention.text)

    def _city(self, mention: Mention) -> str:
        place = self._atlas.places[mention]
        if not any("a" <= character <= "z" for character in place.town):
            return self._scrambled(mention)
        made, kind = self._geography.name(place), KIND.search(mention.text)
        if place.town != town_key(mention.text) and not kind and mention.text.isupper():
            return made  # NYC: capitals belong to the short name
        return match_case(mention.text, made) + (kind.group() if kind else "")

    def _state(self, mention: Mention) -> str:
        home = read_state(mention.text)
        if home is None:
            return self._scrambled(mention)
        place = self._atlas.places[mention]
        if place.town:  # its country is named and has moved: a province there
            return match_case(mention.text, self._geography.name(place))
        return write_state(self._geography.home(home), mention.text, home)

    def _country(self, mention: Mention) -> str:
        read = read_country(mention.text)
        if read is None:
            return self._scrambled(mention)
        return write_country(self._geography.home(read[0]), read[1], mention.text)

    def phrase(self, text: str) -> str | None:
        """Return what stands for the name of one of this scope's places, in its case; None for others."""
        if _LABELS.isdisjoint(self._scope.by_label):
            return None
        key = town_key(text)
        if whole := self._whole.get(key):
            return match_case(text, whole)
        named = self._streets.names.get(key) if key in self._streets.other_places else None
        if made := self._geography.by_key.get(key) or named:
            return match_case(text, made)
        home = read_state(text)
        if home and home in self._homes:
            return write_state(self._geography.home(home), text, home)
        read = read_country(text, forgiving=False)
        if read and read[0] in self._atlas.countries:
            return write_country(self._geography.home(read[0]), read[1], text)
        return None

    @cached_property
    def _homes(self) -> frozenset[str]:
        return frozenset(place.home for place in self._atlas.places.values())

    @cached_property
    def _whole(self) -> dict[str, str]:
        """Return what stands for other places as they are named: ``Orange Mound``, ``Shelby County``."""
        # Of MIDTOWN and Midtown the second counts: it shows where the capitals are.
        named = sorted(
            self._scope.of("LOCATION_OTHER"),
            key=lambda m: (not (m.text.isupper() or m.text.islower()), m.text),
        )
        return {town_key(mention.text): self._streets.write(mention) for mention in named}

    def area_code(self, code: str) -> str | None:
        """Return a telephone area code of the state that stands for the one of this code."""
        return self._geography.area_code(code)
