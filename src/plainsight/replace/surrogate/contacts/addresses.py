"""Addresses of machines: others from the ranges that are kept for documentation."""

from __future__ import annotations

import re
from collections.abc import Sequence

from plainsight.replace.surrogate.scope import Mention, Scope, assign
from plainsight.replace.surrogate.shape import another, permute, scramble

_IPV4 = re.compile(r"(?<![\d.])\d{1,3}(?:\.\d{1,3}){3}(?![\d.])")
_COLONS = re.compile(
    rf"(?<![\w:])(?:[0-9a-f]{{0,4}}:){{2,7}}(?:{_IPV4.pattern}|[0-9a-f]{{0,4}})(?![\w:])", re.IGNORECASE
)
_MAC = re.compile(r"[0-9a-f]{2}(?:[:-][0-9a-f]{2}){5}", re.IGNORECASE)
_ADDRESS = re.compile(f"{_MAC.pattern}|{_IPV4.pattern}|{_COLONS.pattern}", re.IGNORECASE)
_REST = re.compile(r"(?:\s*port\W*\d+|[:/]\d+)?", re.IGNORECASE)
_DOCUMENTATION = ("192.0.2", "198.51.100", "203.0.113")
_HEX = "0123456789abcdef"


class Addresses:
    """Make the surrogates of IP addresses in one scope; machines of one network stay together."""

    def __init__(self, scope: Scope) -> None:
        self._keyed = scope.keyed.child("addresses")

    def surrogates(self, mentions: Sequence[Mention]) -> list[str]:
        """Return a surrogate for each mention."""
        found = {address.lower() for mention in mentions for address in _ADDRESS.findall(mention.text)}
        made = assign(found, self._candidate, keyed=self._keyed, refused=found.__contains__, may_swap=True)
        return [self._written(mention.text, made) for mention in mentions]

    def _written(self, text: str, made: dict[str, str]) -> str:
        """Return the text with its addresses replaced; port and mask stay, all else is scrambled."""
        pieces, last = [], 0
        for address in _ADDRESS.finditer(text):
            surrogate = made[address[0].lower()]
            pieces.append(scramble(self._keyed, text[last : address.start()]))
            pieces.append(surrogate.upper() if address[0].isupper() else surrogate)
            last = address.end()
        rest = text[last:]
        return "".join((*pieces, rest if _REST.fullmatch(rest) and pieces else scramble(self._keyed, rest)))

    def _candidate(self, address: str, turn: int) -> str:
        if _MAC.fullmatch(address):
            return self._hex(address, turn)
        if ":" in address:
            head, _, last = address.rpartition(":")
            if "." in last:  # ::ffff:10.0.0.1
                return f"{self._candidate(head, turn)}:{self._candidate(last, turn)}"
            groups = address.split(":")
            return "2001:db8:" + self._hex(":".join(groups[2:] if groups[1] else groups[1:]), turn)
        network, _, machine = address.rpartition(".")
        place = self._keyed.number(f"{network} {turn}", len(_DOCUMENTATION))
        return f"{_DOCUMENTATION[place]}.{another(self._keyed, int(machine) % 254, 254, turn) + 1}"

    def _hex(self, text: str, turn: int) -> str:
        return permute(self._keyed, text, [_HEX if sign in _HEX else "" for sign in text], turn)
