"""Tell the names of hospitals from those of schools, firms, offices and neighborhoods.

A detector takes an employer or a part of town for a hospital now and then. Whoever keeps hospitals must see
that it is one: by a word such as Clinic, unless the last word says otherwise (Diabetes Supply); by a short
number (4 West); as letters that the patient's notes spell out; or as a part of a name that shows it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache

from plainsight.document import Document, Span
from plainsight.locale import default_locale, one_of
from plainsight.text.vocabulary import Is, flags_of

_WORD = re.compile(r"[^\W\d_]+")
_ACRONYM = re.compile(r"[A-Z][A-Z&/-]{1,6}|(?:[A-Z]\.){2,5}")
_VAGUE = Is.STOP | Is.PLACE_WORD | Is.STATE | Is.COUNTRY
_ADDRESS = frozenset({"STREET", "CITY", "STATE", "ZIP"})
_REACH = 48


class Facilities:
    """The hospitals of one patient's notes."""

    def __init__(self, documents: Sequence[Document]) -> None:
        names = [words for words in _names(documents) if _names_facility(words)]
        self._words = {
            word.casefold() for words in names for word in words if len(word) > 3 and not _of_other(word)
        }
        self._initials = ["".join(word[0] for word in words).upper() for words in names]

    def has(self, text: str, span: Span, before: Span | None) -> bool:
        """Whether a name in a text, behind another span, is one of a hospital that employs nobody here."""
        inside = text[span.start : span.end]
        if _employer_before().search(text, max(0, span.start - _REACH), span.start):
            return False
        digits = sum(char.isdigit() for char in inside)
        words = _WORD.findall(inside)
        if digits > 4 or not (words or digits):  # a ZIP code, a serial number
            return False
        if digits or _names_facility(words):
            return True
        if before and _continues(text, before, span):
            return False
        if _ACRONYM.fullmatch(inside):
            return self._spells_out("".join(words))
        return not _of_other(words[-1]) and any(word.casefold() in self._words for word in words)

    def _spells_out(self, letters: str) -> bool:
        """Whether letters are a known hospital's, or stand in order among the initials of a name."""
        return letters in _known_letters() or any(
            initials[0] == letters[0] and _in_order(letters, initials) for initials in self._initials
        )


def _names(documents: Sequence[Document]) -> Iterator[list[str]]:
    """Yield the words of each name that was found as a hospital's."""
    for document in documents:
        for span in document.spans:
            if span.label == "HOSPITAL" and (words := _WORD.findall(document.text[span.start : span.end])):
                yield words


def _continues(text: str, before: Span, span: Span) -> bool:
    """Whether a name continues a person's (``SMITH, MERCY``) or an address (``Ohio 45402 (Northside)``)."""
    gap = text[before.end : span.start]
    if before.label == "PATIENT":
        return not gap.strip() and (bool(gap) or text[before.end - 1] == ",")
    return before.label in _ADDRESS and len(gap) < 4 and not _WORD.search(gap) and "\n" not in gap


def _in_order(letters: str, initials: str) -> bool:
    left = iter(initials)
    return all(letter in left for letter in letters)


# --- words --------------------------------------------------------------------------------------------------


def _names_facility(words: Sequence[str]) -> bool:
    """Whether words name a hospital by themselves: one shows it, and the last shows nothing else."""
    return bool(words) and not _of_other(words[-1]) and any(map(_of_facility, words))


def _of_facility(word: str) -> bool:
    """Whether a word shows a hospital."""
    flags = flags_of(word)
    return bool(flags & Is.HEAD or (flags & Is.GENERIC and not flags & _VAGUE)) and not _of_other(word)


def _of_other(word: str) -> bool:
    """Whether a word shows an organisation that does not treat."""
    small, flags = word.casefold(), flags_of(word)
    return small in _uncertain() or (
        not flags & Is.HEAD and (bool(flags & Is.ORG_HEAD) or small in _words_of_others())
    )


@cache
def _uncertain() -> frozenset[str]:
    return frozenset(default_locale().words("roles", "no_facility"))


@cache
def _words_of_others() -> frozenset[str]:
    """Return the words for schools, churches, companies and offices that are none for hospitals."""
    kinds = {
        name: set(words.split()) for name, words in default_locale().table("organisations")["kinds"].items()
    }
    return frozenset((kinds["schools"] | kinds["faith"] | kinds["companies"]) - kinds["hospitals"])


@cache
def _known_letters() -> frozenset[str]:
    return frozenset(default_locale().table("organisations")["brands"]["hospital letters"].split())


@cache
def _employer_before() -> re.Pattern[str]:
    """Return what stands before the name of an employer: ``works nights at the``."""
    words = one_of(default_locale().words("roles", "employer_before"))
    leads = rf"{words}(?: (?!as\b)[a-z-]+){{0,2}} (?:at|for|by|from)(?: the)?"
    return re.compile(rf"\b(?:{leads}|employers?)[: ]{{1,2}}\Z", re.I)
