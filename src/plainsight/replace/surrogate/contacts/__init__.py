"""Contacts: surrogates for phone and fax numbers, e-mail and web addresses, machines and logins."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from plainsight.replace.surrogate.contacts.addresses import Addresses
from plainsight.replace.surrogate.contacts.phones import Phones, PhoneStyle
from plainsight.replace.surrogate.contacts.web import Web
from plainsight.replace.surrogate.scope import Mention, Scope

__all__ = ["Contacts", "PhoneStyle"]


class Contacts:
    """The contacts of one scope.

    ``people`` offers ``word``, the surrogate of a word of a name, for addresses built from names; ``places``
    may offer ``area_code``, the one of the surrogate place. ``phones`` are fictional (555-01xx) or look like
    numbers of their area.
    """

    def __init__(
        self, scope: Scope, *, people: object = None, places: object = None, phones: PhoneStyle = "fictional"
    ) -> None:
        self._scope = scope
        self._people = people
        self._places = places
        self._phones = phones

    def surrogates(self, mentions: Sequence[Mention]) -> list[str]:
        """Return a surrogate for each mention."""
        made: dict[Mention, str] = {}
        for labels, maker in self._makers():
            mine = [mention for mention in mentions if (mention.label in labels) == bool(labels)]
            mine = [mention for mention in mine if mention not in made]
            if mine:
                made.update(zip(mine, maker().surrogates(mine), strict=True))
        return [made[mention] for mention in mentions]

    def _makers(self) -> list[tuple[tuple[str, ...], Callable[[], Maker]]]:
        """Return what makes the surrogates of which labels; the last makes those of all others."""
        area_code = getattr(self._places, "area_code", _nothing)
        name_word = getattr(self._people, "word", _nothing)
        return [
            (("PHONE", "FAX"), lambda: Phones(self._scope, area_code=area_code, style=self._phones)),
            (("IPADDR",), lambda: Addresses(self._scope)),
            ((), lambda: Web(self._scope, name_word=name_word)),
        ]


class Maker(Protocol):
    """What makes the surrogates of some contacts."""

    def surrogates(self, mentions: Sequence[Mention]) -> list[str]:
        """Return a surrogate for each mention."""
        ...


def _nothing(_: str) -> None:
    return None
