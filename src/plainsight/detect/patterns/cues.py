"""Read the words that announce an identifying number from a locale's ``number_cues.toml``."""

from __future__ import annotations

from functools import cache

import msgspec

from plainsight.errors import PluginError
from plainsight.locale import load_locale
from plainsight.locale.number_kinds import number_kinds


class Family(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Cues of one label whose numbers are read alike."""

    label: str
    words: str
    numbered: str = ""
    score: float = 0.9
    digits: int = 4
    reader: str = "id"
    sure: bool = False
    codes: bool = False
    suffix: bool = False


@cache
def cue_families(locale: str) -> tuple[Family, ...]:
    """Return the families of a locale, then one for each kind of number with cues that no family has."""
    try:
        tables = load_locale(locale).table("number_cues").values()
        families = [msgspec.convert(table, Family) for table in tables]
    except msgspec.ValidationError as error:
        raise PluginError(f"locale {locale}: number_cues.toml: {error}") from None
    known = {word for family in families for word in family.words.split()}
    for kind in number_kinds(locale):
        cues = " ".join(word for word in kind.cues.split() if word not in known)
        families += [Family(kind.label, cues, cues)] if kind.label and cues else []
    return tuple(families)
