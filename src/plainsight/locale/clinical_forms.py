"""Clinical forms that look like identifiers: ``G4P2012``, ``5/5 strength``, ``O2 sat 89``, ``another fall``.

``clinical_forms.toml`` of a locale lists them. A form is a pattern for the text of a claim and, where that is
not enough, patterns for what stands before and after it. ``{table.key}`` in a pattern stands for the words of
another table, so that guard and detectors know the same words.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

import re2

from plainsight.errors import PluginError
from plainsight.locale import Locale, load_locale, one_of

_KEYS = {"name", "text", "before", "after", "labels", "case"}
_WORDS = re.compile(r"\{(?:(\w+)\.)?([a-z_]\w*)\}")
_LIST = re.compile(r"\{([a-z_]\w*)\}")
_REACH = 48
_LONGEST = 32
"""How far a form looks before and after a claim, and how long it can be itself, in characters."""


@dataclass(frozen=True, slots=True)
class _Form:
    """A clinical form: its name, what must stand before and after it, and the labels that it is taken for."""

    name: str
    before: re.Pattern[str] | None
    after: re.Pattern[str] | None
    labels: frozenset[str] | None

    def fits(self, text: str, start: int, end: int, label: str) -> bool:
        """Whether label and surroundings of a text that looks like this form fit it."""
        return (
            (self.labels is None or label in self.labels)
            and (self.after is None or self.after.match(text, end, end + _REACH) is not None)
            and (self.before is None or self.before.search(text, max(0, start - _REACH), start) is not None)
        )


class ClinicalForms:
    """The clinical forms of a locale. One automaton tells which of them a text can be.

    Forms that are only a list of words are looked up instead: an automaton of a thousand words is slow.
    """

    def __init__(self, locale: Locale) -> None:
        self._looks = re2.Set.FullMatchSet()
        self._listed: dict[str, list[int]] = {}
        self._listed_in_any_case: dict[str, list[int]] = {}
        self._of_look: list[int] = []
        forms: list[_Form] = []
        for place, entry in enumerate(locale.table("clinical_forms")["forms"]):
            patterns = _patterns(locale, entry)
            try:
                if only := _LIST.fullmatch(entry["text"]):
                    table = self._listed if entry.get("case") else self._listed_in_any_case
                    for word in _words(locale, None, only[1]):
                        table.setdefault(word if entry.get("case") else word.lower(), []).append(place)
                else:
                    self._looks.Add(patterns["text"])
                    self._of_look.append(place)
                before, after = patterns.get("before"), patterns.get("after")
                form = _Form(
                    entry["name"],
                    re.compile(rf"(?:{before})\Z") if before else None,
                    re.compile(after) if after else None,
                    frozenset(entry["labels"]) if "labels" in entry else None,
                )
            except (re.error, re2.error) as error:
                raise _wrong(locale, f"{entry['name']}: {error}") from None
            forms.append(form)
        self._looks.Compile()
        self._forms = tuple(forms)

    def find(self, text: str, start: int, end: int, label: str) -> str:
        """Return the name of the form that a claim at these offsets is, or nothing.

        >>> clinical_forms("en_US").find("new L breast mass", 4, 5, "DOCTOR")
        'laterality'
        """
        if end - start > _LONGEST:
            return ""
        inside = text[start:end]
        looks: list[int] = (
            self._looks.Match(inside.encode("utf-8", "replace")) or []
        )  # a lone surrogate is in none
        possible = [self._of_look[look] for look in looks]
        possible += self._listed.get(inside, ())
        possible += self._listed_in_any_case.get(inside.lower(), ())
        for form in map(self._forms.__getitem__, sorted(possible)):
            if form.fits(text, start, end, label):
                return form.name
        return ""

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the forms, each once."""
        return tuple(dict.fromkeys(form.name for form in self._forms))


@cache
def clinical_forms(locale: str) -> ClinicalForms:
    """Return the clinical forms of a locale, by its name or folder."""
    return ClinicalForms(load_locale(locale))


def _patterns(locale: Locale, entry: Mapping[str, Any]) -> dict[str, str]:
    """Return the patterns of a form, with words in place of the names of word lists."""
    if unknown := sorted(entry.keys() - _KEYS):
        raise _wrong(locale, f"unknown key {unknown[0]!r}")
    if not {"name", "text"} <= entry.keys():
        raise _wrong(locale, "a form needs name and text")
    flag = "" if entry.get("case") else "i"
    return {
        key: f"(?{flag}:{_WORDS.sub(lambda name: one_of(_words(locale, *name.groups())), entry[key])})"
        for key in ("text", "before", "after")
        if key in entry
    }


def _words(locale: Locale, table: str | None, key: str) -> tuple[str, ...]:
    """Return the words that a pattern names: of another table, or of this one."""
    if table:
        return locale.words(table, key)
    return tuple(locale.table("clinical_forms")["words"][key].split())


def _wrong(locale: Locale, problem: str) -> PluginError:
    return PluginError(f"locale {locale.name}: clinical_forms.toml: {problem}")
