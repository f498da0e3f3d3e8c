"""Phone and fax numbers: never-assigned ones, in the format of the original to the character."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Literal

from plainsight.locale import default_locale
from plainsight.replace.surrogate.contacts.phone_forms import Phone, read
from plainsight.replace.surrogate.scope import Mention, Scope, assign_or_swap
from plainsight.replace.surrogate.shape import alphabets, another, permute, scramble, sounds

__all__ = ["PhoneStyle", "Phones"]

PhoneStyle = Literal["fictional", "area"]

_EXCHANGES = tuple(f"{number:03}" for number in range(200, 1000) if number % 100 != 11)
_FICTIONAL_TURNS = 8  # after these the hundred fictional numbers are taken for used up
_SHORTEST_TAIL = 4

_AREA_CODES = default_locale().words("phones", "area_codes")
_TOLL_FREE = default_locale().words("phones", "toll_free")


class Phones:
    """Make the surrogates of the phone and fax numbers in one scope.

    The parts of a number are mapped apart, so that forms agree without a table: an area code always becomes
    the same other one, and the seven digits after it do not depend on it.
    """

    def __init__(self, scope: Scope, *, area_code: Callable[[str], str | None], style: PhoneStyle) -> None:
        self._scope = scope
        self._keyed = scope.keyed.child("phones")
        self._area_code = area_code
        self._style = style
        self._areas: dict[str, str] = {}

    def surrogates(self, mentions: Sequence[Mention]) -> list[str]:
        """Return a surrogate for each mention."""
        texts = [read(mention.text) for mention in mentions]
        made = self._made({phone for text in texts for phone in text.phones})
        return [
            # another word for one that a number should not hold: it may be a name
            text.written([made[phone] for phone in text.phones], partial(scramble, self._keyed))
            if text.phones
            else scramble(self._keyed, mention.text)
            for mention, text in zip(mentions, texts, strict=True)
        ]

    def _made(self, phones: set[Phone]) -> dict[Phone, str]:
        """Return the digits of each surrogate: whole numbers first, then what may be parts of them."""
        record = self._scope.patient.phones if self._scope.patient else ()
        known = {phone for number in record for phone in read(number).phones} | phones
        originals = {phone.digits for phone in known}
        alone = {phone.digits for phone in known if phone.kind == "local"}

        def refused(made: str) -> bool:
            return made in originals or (len(made) == 10 and made[3:] in alone)

        made = self._assigned({phone for phone in phones if phone.kind not in ("local", "short")}, refused)
        for kind in ("local", "short"):
            made |= self._parts({phone for phone in phones if phone.kind == kind}, made, originals)
        return made

    def _parts(self, parts: set[Phone], whole: Mapping[Phone, str], originals: set[str]) -> dict[Phone, str]:
        """Return the surrogates of numbers that may be the last digits of whole ones."""
        if not parts:
            return {}
        longer = sorted(whole, key=lambda phone: (len(phone.digits), phone))
        taken = {digits[-7:] for digits in whole.values()} | originals
        made = {}
        for part in sorted(parts):
            size = len(part.digits)
            ends = (whole[phone][-size:] for phone in longer if phone.digits.endswith(part.digits))
            tail = next(ends, "") if size >= _SHORTEST_TAIL else ""
            if tail and tail not in originals:
                made[part] = tail
        taken |= set(made.values())
        return made | self._assigned(parts - made.keys(), taken.__contains__)

    def _assigned(self, phones: set[Phone], refused: Callable[[str], bool]) -> dict[Phone, str]:
        return assign_or_swap(phones, self._candidate, keyed=self._keyed, refused=refused)

    def _candidate(self, phone: Phone, turn: int) -> str:
        if phone.kind == "us":
            return self._area(phone.digits[:3]) + self._local(phone.digits[3:], turn)
        if phone.kind == "local":
            return self._local(phone.digits, turn)
        if phone.kind == "vanity":
            rest = phone.digits[3:]
            return self._area(phone.digits[:3]) + permute(self._keyed, rest, sounds(rest), turn)
        for start, fictional in default_locale().table("phones")["fictional"].get(phone.kind, {}).items():
            left = len(phone.digits) - len(fictional)
            if left > 1 and phone.digits.startswith(start):
                return f"{fictional}{another(self._keyed, int(phone.digits[-left:]), 10**left, turn):0{left}}"
        kinds = alphabets(phone.digits)
        if phone.kind not in ("short", "other"):
            kinds[0] = ""  # it tells mobile from land lines
        return permute(self._keyed, phone.digits, kinds, turn)

    def _area(self, code: str) -> str:
        made = self._areas.get(code)
        if made is None:
            pool = _TOLL_FREE if code in _TOLL_FREE else _AREA_CODES
            place = pool.index(code) if code in pool else 0
            step = 1 + self._keyed.number(f"area {code}", len(pool) - 1)
            made = self._areas[code] = self._area_code(code) or pool[(place + step) % len(pool)]
        return made

    def _local(self, digits: str, turn: int) -> str:
        """Return the seven digits that take the place of seven."""
        head, tail = digits[:5], int(digits[5:])
        if self._style == "area":
            place = (
                _EXCHANGES.index(head[:3]) if head[:3] in _EXCHANGES else self._keyed.number(head[:3], 792)
            )
            line = another(self._keyed, int(digits[3:]), 10_000, turn)
            return f"{_EXCHANGES[another(self._keyed, place, 792)]}{line:04}"
        if turn < _FICTIONAL_TURNS:
            # Each head has permutations of its own: numbers that share it never meet.
            return f"55501{self._keyed.child(head).follower(tail, 100, turn):02}"
        return f"555{self._keyed.permute(int(digits[3:]), 10_000, turn):04}"
