"""Contacts: surrogates for phone and fax numbers, e-mail and web addresses, machines and logins."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from plainsight.replace.surrogate.contacts.addresses import Addresses
from plainsight.replace.surrogate.contacts.phones import Phones, PhoneStyle
from plainsight.replace.surrogate.contacts.web import Web
from plainsight.replace.surrogate.scope import Mention, Scope

__all__ = ["Contacts", "PhoneStyle"]


class Contacts:
    """The contacts of one scope.

    ``name_word`` returns the surrogate of a word of a name, for addresses built from names; ``area_code``
    returns the area code of the surrogate place; both return None where they know nothing. ``phones`` are
    fictional (555-01xx) or look like numbers of their area.
    """

    def __init__(
        self,
        scope: Scope,
        *,
        name_word: Callable[[str], str | None] = lambda word: None,
        area_code: Callable[[str], str | None] = lambda code: None,
        phones: PhoneStyle = "fictional",
    ) -> None:
        self._phones = Phones(scope, area_code=area_code, style=phones)
        self._addresses = Addresses(scope)
        self._web = Web(scope, name_word=name_word)

    def surrogates(self, mentions: Sequence[Mention]) -> list[str]:
        """Return a surrogate for each mention."""
        makers = {"PHONE": self._phones, "FAX": self._phones, "IPADDR": self._addresses}
        made: dict[Mention, str] = {}
        for maker in (self._phones, self._addresses, self._web):
            mine = [mention for mention in mentions if makers.get(mention.label, self._web) is maker]
            made.update(zip(mine, maker.surrogates(mine), strict=True))
        return [made[mention] for mention in mentions]
