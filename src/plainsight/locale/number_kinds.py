"""Kinds of numbers that a locale declares: their shape, the words before them and their check character."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache, cached_property
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

import msgspec

from plainsight.errors import DataError, PluginError, suggest
from plainsight.labels import LABELS
from plainsight.locale import load_locale

_DIGITS = "0123456789"


class NumberKind(msgspec.Struct, frozen=True, eq=False, kw_only=True, forbid_unknown_fields=True, dict=True):
    """A kind of number, as a table of ``number_kinds.toml`` declares it; the file says what each key means.

    >>> npi = next(kind for kind in number_kinds("en_US") if kind.name == "npi")
    >>> npi.is_valid("1234567893"), npi.is_valid("1234567890")
    (True, False)
    """

    name: str
    shape: str
    label: str = ""
    cues: str = ""
    needs_cue: bool = False
    letters: str = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
    start: str = ""
    check: str = ""
    check_place: int = -1
    check_signs: str = _DIGITS
    prefix: str = ""
    weights: tuple[int, ...] = ()
    values: tuple[int, ...] = ()
    modulus: int = 10
    alone: bool = False

    @cached_property
    def pattern(self) -> re.Pattern[str]:
        """The shape, compiled."""
        return re.compile(self.shape)

    @cached_property
    def _cue(self) -> re.Pattern[str]:
        words = "|".join(self.cues.split()).replace("_", r"[-. \t]{0,2}")
        return re.compile(rf"\b(?:{words})\b", re.IGNORECASE)

    @cached_property
    def _values(self) -> dict[str, int]:
        return {sign: int(sign) for sign in _DIGITS} | dict(zip(self.letters, self.values, strict=False))

    @cached_property
    def _is_valid(self) -> Callable[[str], bool]:
        validator: Callable[[str], bool] = import_module(f"stdnum.{self.check}").is_valid
        return validator

    def fits(self, number: str, label: str, before: str) -> bool:
        """Tell whether a number with this label, after the text ``before``, is of this kind."""
        if not self.pattern.fullmatch(number):
            return False
        if self.check and number[self.check_place] not in self.check_signs:
            return False
        if not self.cues or (label == self.label and not self.needs_cue):
            return True
        return self._cue.search(before) is not None

    def check_sign(self, number: str) -> str | None:
        """Compute the check character of a number of this shape; None if no character is right."""
        if self.check != "weights":
            place = self.check_place % len(number)
            before, after = self.prefix + number[:place], number[place + 1 :]
            return next((sign for sign in self.check_signs if self._is_valid(before + sign + after)), None)
        if len(number) != len(self.weights):
            raise DataError(
                f"number kind {self.name}: {len(self.weights)} weights for {len(number)} characters"
            )
        signs = zip(number, self.weights, strict=True)
        total = sum(self._values.get(sign, 0) * weight for sign, weight in signs)
        return self.check_signs[total % self.modulus :][:1] or None

    def is_valid(self, number: str) -> bool:
        """Tell whether the check character of a number of this shape is right."""
        bare = number.replace("-", "")
        if self.check not in ("", "weights"):
            return self._is_valid(self.prefix + bare)
        return not self.check or bare[self.check_place] == self.check_sign(bare)


def _exists(check: str) -> bool:
    """Tell whether python-stdnum has this module, without importing it: it imports ssl."""
    spec = find_spec("stdnum")
    folders = spec.submodule_search_locations if spec else None
    return any(Path(folder, *check.split(".")).with_suffix(".py").is_file() for folder in folders or ())


@cache
def number_kinds(locale: str) -> tuple[NumberKind, ...]:
    """Return the kinds of numbers of a locale; those with cues come before those that only have a shape."""
    kinds = []
    for name, table in load_locale(locale).table("number_kinds").items():
        try:
            cues = {"cues": table["cues"].replace("-", "_")} if isinstance(table.get("cues"), str) else {}
            kind = msgspec.convert({"name": name, **table, **cues}, NumberKind)
            re.compile(kind.shape)
            if kind.label and kind.label not in LABELS:
                raise PluginError(f"unknown label {kind.label!r}{suggest(kind.label, LABELS)}")
            if kind.check == "weights" and not kind.weights:
                raise PluginError('check = "weights" needs weights, one for each character')
            if kind.check not in ("", "weights") and not _exists(kind.check):
                raise PluginError(f"python-stdnum has no {kind.check!r}")
        except (msgspec.ValidationError, re.error, ImportError, PluginError) as error:
            raise PluginError(f"locale {locale}: number_kinds.toml, [{name}]: {error}") from None
        kinds.append(kind)
    return tuple(sorted(kinds, key=lambda kind: not kind.cues))
