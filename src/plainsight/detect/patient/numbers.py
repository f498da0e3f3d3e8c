"""Find the numbers of a record in a text: phones, record and plan numbers, with any punctuation or none."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import accumulate
from typing import NamedTuple

from plainsight.detect.patient.view import Claim
from plainsight.document import Patient
from plainsight.labels import LABELS
from plainsight.text.shadow import Squeezed, shadow, squeeze

_BROKEN = re.compile(rb"[^0-9A-Za-z]{4}|[^-./ ()_\t0-9A-Za-z]")
"""What no number contains: a wide gap, or a mark that does not separate."""
_LONG = 7
"""From this length on, a number may have punctuation anywhere; a shorter one only where the record has it."""
_FAX = re.compile(rb"fax\b[^0-9\n]{0,8}\Z", re.IGNORECASE)
_DECIMAL_AFTER, _DECIMAL_BEFORE = re.compile(rb"[.,]\d"), re.compile(rb"\d[.,]\Z")
_COUNTRY_CODE = re.compile(rb"(?:\A|[^0-9A-Za-z])(\+?1[-. ]?\(?)\Z")
_CUE = re.compile(
    rb"\b(?:id|no|num|number|mrn?|acct|account|chart|record|case|member|policy|plan|claim|"
    rb"lic\w*)[.:#]?[ \t]*#?[ \t]*\Z|#[ \t]?\Z",
    re.IGNORECASE,
)
_LAST_FOUR = re.compile(
    rb"(?:ss\#|ssn?\b|\bsocial\b|\blast[ -](?:4|four)\b|\bending\b|\bends\b)[^\n0-9]{0,28}\Z|"
    rb"[x*#]{3}[- ]?[x*#]{2}[- ]?\Z|[x*#]{5}-?\Z",
    re.IGNORECASE,
)
_MASK = re.compile(rb"(?:\A|[^A-Za-z0-9])([xX*#]{3}[- ]?[xX*#]{2}[- ]?)\Z")


class Key(NamedTuple):
    """A number without punctuation, what it is, and how it may be written."""

    form: bytes
    label: str
    score: float
    breaks: frozenset[int] | None
    """After how many characters punctuation may stand; None for all."""
    needs_cue: bool = False
    """It is short and needs a word before it that announces a number."""
    needs_break: bool = False
    """It needs punctuation somewhere."""


class Numbers:
    """The numbers of one record, ready to be found."""

    def __init__(self, patient: Patient) -> None:
        keys = [key for phone in patient.phones for key in _phone_keys(shadow(phone))]
        for label, value in patient.ids:
            keys += _id_keys(label if label in LABELS else "IDNUM", shadow(value))
        self._keys = list({key.form: key for key in reversed(keys)}.values())
        self._endings = frozenset(key.form[-4:] for key in keys if key.label == "SSN" and len(key.form) == 9)

    def find(self, text: bytes) -> Iterator[Claim]:
        """Yield the record's numbers."""
        squeezed = Squeezed(text)
        form = squeezed.form
        for key in self._keys:
            at = form.find(key.form)
            while at >= 0:
                claim = _claim(text, *squeezed.span(at, len(key.form)), key)
                if claim:
                    yield claim
                at = form.find(key.form, at + 1)
        for ending in self._endings:
            if ending in form:
                yield from _last_four(text, ending)


def _claim(text: bytes, start: int, end: int, key: Key) -> Claim | None:
    """Claim a number where it stands alone and is written as it may be."""
    if key.label == "PHONE" and key.breaks is None and text[start - 1 : start] == b"1":
        start -= 1  # the country code, glued to the number
    if text[start - 1 : start].isalnum() or text[end : end + 1].isalnum():
        return None
    written = text[start:end]
    if len(written) > len(key.form):
        if _BROKEN.search(written) or (key.breaks is not None and not _breaks(written) <= key.breaks):
            return None
    elif key.needs_break:
        return None
    if key.needs_cue and not _CUE.search(text, max(0, start - 16), start):
        return None
    decimal = _DECIMAL_AFTER.match(text, end) or _DECIMAL_BEFORE.search(text, max(0, start - 2), start)
    if decimal and key.form.isdigit() and len(key.form) < _LONG:
        return None
    label = key.label
    if label == "PHONE":
        if _FAX.search(text, max(0, start - 12), start):
            label = "FAX"
        country = _COUNTRY_CODE.search(text, max(0, start - 6), start)
        if country:
            start = country.start(1)
        elif text[start - 1 : start] == b"(" and b")" in written:
            start -= 1
    return Claim(start, end, label, key.score, "number")


def _breaks(written: bytes) -> frozenset[int]:
    """Return after how many letters and digits a number has punctuation."""
    groups = re.findall(rb"[0-9A-Za-z]+", written)
    return frozenset(accumulate(len(group) for group in groups[:-1]))


def _is_filler(form: bytes) -> bool:
    """Tell whether a number is a filler such as 999-99-9999, or too short to identify anybody."""
    digits = sum(48 <= char < 58 for char in form)
    return (digits < 4 and (digits < 2 or len(form) < 6)) or len(set(form)) < 2


def _phone_keys(value: bytes) -> Iterator[Key]:
    digits = re.sub(rb"[^0-9]", b"", re.split(rb"(?i)ext|x", value)[0])
    if len(digits) == 11 and digits.startswith(b"1"):
        digits = digits[1:]
    if len(digits) < 7 or len(set(digits)) < 3:
        return
    yield Key(digits, "PHONE", 0.99, None)
    if len(digits) == 10:  # the number without its area code, when it is written like one
        yield Key(digits[3:], "PHONE", 0.9, frozenset({3}), needs_break=True)


def _id_keys(label: str, value: bytes) -> Iterator[Key]:
    form = squeeze(value)
    if _is_filler(form):
        return
    short = form.isdigit() and len(form) < 5
    breaks = None if len(form) >= _LONG else _breaks(value)
    yield Key(form, label, 0.99 if len(form) > 5 else 0.8, breaks, needs_cue=short)
    bare = form.lstrip(b"abcdefghijklmnopqrstuvwxyz")
    if bare != form and bare.isdigit() and len(bare) > 4 and not _is_filler(bare):
        yield Key(bare, label, 0.9, None if len(bare) >= _LONG else frozenset())
    head, dash, _ = value.rpartition(b"-")
    stem = squeeze(head)
    if (
        dash and label == "HEALTHPLAN" and len(stem) > 6 and not _is_filler(stem)
    ):  # without the member's suffix
        yield Key(stem, label, 0.9, None)


def _last_four(text: bytes, ending: bytes) -> Iterator[Claim]:
    """Yield the last four digits of a social security number behind words that announce them, or a mask."""
    for match in re.finditer(rb"(?<!\d)%b(?![0-9A-Za-z])" % ending, text):
        start, end = match.span()
        if _LAST_FOUR.search(text, max(0, start - 40), start):
            mask = _MASK.search(text, max(0, start - 9), start)
            yield Claim(mask.start(1) if mask else start, end, "SSN", 0.95, "number")
