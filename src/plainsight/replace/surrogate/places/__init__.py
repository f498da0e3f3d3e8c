"""Places: one coherent fictional geography for a patient.

Each state becomes a state, each town a town of that state of about its size, each post code one of that town,
each area code one of that town's, so that they agree wherever they stand (`geography.py`). Where a town lies
is read from its own note, the record and the tables (`atlas.py`). Streets and names of other places keep
their kind (`streets.py`).

>>> from plainsight.document import Document
>>> from plainsight.replace.surrogate.keyed import Keyed
>>> from plainsight.replace.surrogate.scope import Mention, Scope
>>> home = [Mention(0, 0, 7, "CITY", "Memphis"), Mention(0, 9, 11, "STATE", "TN")]
>>> Places(Scope(Keyed(bytes(32)), [Document("1", "Memphis, TN 38114")], home)).surrogates(home)
['Indianapolis', 'IN']
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from plainsight.replace.surrogate.places.atlas import KIND, Atlas, Known
from plainsight.replace.surrogate.places.geography import Geography, Place
from plainsight.replace.surrogate.places.post_codes import PostCodes
from plainsight.replace.surrogate.places.regions import (
    Form,
    read_country,
    read_state,
    states,
    write_country,
    write_state,
)
from plainsight.replace.surrogate.places.streets import Streets
from plainsight.replace.surrogate.places.towns import town_key
from plainsight.replace.surrogate.scope import Mention, Scope
from plainsight.replace.surrogate.shape import match_case

_CAR_WASH = ("wash", "calif", "miss")  # short forms of states that are other words, or rare


class Places:
    """The places that stand for those of a scope.

    ``known`` is what is known of the patient's places beforehand; without it, what the record says.
    """

    def __init__(self, scope: Scope, known: Known | None = None) -> None:
        self._scope = scope
        addresses = scope.patient.addresses if scope.patient else ()
        self._known = known or Known(addresses)
        self._geography = Geography(scope.keyed, scope.locale.partition("_")[2])
        self._codes = PostCodes(scope.keyed, self._geography)
        self._streets = Streets(scope.keyed, self._geography)
        self._atlases: dict[int, Atlas] = {}
        self._by_itself = Atlas(scope.of_note(-1), self._known)  # of no note

    def surrogates(self, mentions: Sequence[Mention]) -> list[str]:
        """Return a surrogate for each street, city, state, country, post code and other place.

        It is "" for what cannot be read.
        """
        write: dict[str, Callable[[Mention], str]] = {
            "CITY": self._city,
            "STATE": self._state,
            "COUNTRY": self._country,
            "ZIP": self._zip,
            "STREET": self._line,
            "LOCATION_OTHER": self._line,
        }
        return [write[mention.label](mention) for mention in mentions]

    def _atlas(self, note: int) -> Atlas:
        if note not in self._atlases:
            self._atlases[note] = Atlas(self._scope.of_note(note), self._known)
        return self._atlases[note]

    def _city(self, mention: Mention) -> str:
        place = self._atlas(mention.note).places[mention]
        if not any("a" <= character <= "z" for character in place.town):
            return ""
        made, kind = self._geography.name(place), KIND.search(mention.text)
        if town_key(made) == place.town:
            return mention.text
        if place.town != town_key(mention.text) and not kind and mention.text.isupper():
            return made  # NYC: capitals belong to the short name
        return match_case(mention.text, made) + (kind.group() if kind else "")

    def _state(self, mention: Mention) -> str:
        if home := read_state(mention.text):
            return self._written_state(home, mention.text)
        # A province that no table has: where it is known what country it is in, a city there.
        atlas, key = self._atlas(mention.note), town_key(mention.text)
        found = atlas.find(key)
        abroad = [found.home] if found and "/" not in found.home else sorted(atlas.countries - {"US"})
        return match_case(mention.text, self._geography.name(Place(abroad[0], key))) if abroad else ""

    def _written_state(self, home: str, text: str) -> str:
        new = self._geography.home(home)
        if new == home:
            return text
        if new in states():
            return write_state(new, text, home)
        # Its country becomes one whose states no table has: a city there.
        city = self._geography.name(Place(home.partition("/")[0], town_key(states()[home].name)))
        return city if text == states()[home].code else match_case(text, city)

    def _country(self, mention: Mention) -> str:
        read = read_country(mention.text)
        return self._written_country(*read, mention.text) if read else ""

    def _written_country(self, code: str, form: Form, text: str) -> str:
        new = self._geography.country(code)
        return text if new == code else write_country(new, form, text)

    def _zip(self, mention: Mention) -> str:
        atlas = self._atlas(mention.note)
        return self._codes.write(
            mention.text, home=atlas.state_beside(mention), australian=atlas.is_australian
        )

    def _line(self, mention: Mention) -> str:
        return self._streets.write(mention, self._atlas(mention.note))

    def phrase(self, text: str, *, town: bool) -> str | None:
        """Return what stands for the name of a place in the name of an organisation, in its case.

        It does not depend on the note: states are places everywhere, and so are the towns of the record;
        other towns only where the name looks like one (``town``). None for what is no place.
        """
        key = town_key(text)
        is_town = town or key in self._known.town_homes
        if is_town and (place := self._by_itself.find(key)):
            return match_case(text, self._geography.name(place))
        home = read_state(text)
        if home and (text == states()[home].code or (len(key) > 3 and key not in _CAR_WASH)):
            return self._written_state(home, text)
        return None

    def area_code(self, code: str) -> str | None:
        """Return an area code of the towns that stand for those of this code."""
        return self._geography.area_code(code)
