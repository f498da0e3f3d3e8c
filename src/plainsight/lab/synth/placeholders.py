"""Placeholders such as ``Dr. X`` or ``[**Name**]``, and the label of what they replaced."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple


class Placeholder(NamedTuple):
    """A placeholder: its label, the form of what it replaced, and which of several it is.

    Without a label it is unknown what was there.
    """

    start: int
    end: int
    label: str
    form: str = ""
    which: str = ""


_STAND_IN = r"(?:X{1,8}|Y{1,6}|Z{1,6}|XYZ\w?|XYZABC|ABC|ABCD|ABCDE|ABC XYZ|DEF|[A-Z]{1,2}|[Xx]x{2,6})"
_TITLED = re.compile(rf"\b(Dr|Mr|Mrs|Ms|Miss)s?(?:\.|\b) ?({_STAND_IN})\b(?!\.[A-Z]|-|['’]?[A-Za-z]{{2}})")
_QUALIFIED = re.compile(rf"\b({_STAND_IN}), ?(?:M\.?D|D\.?O|R\.?N|O\.?D|D\.?C|Ph\.?D|PA-C|NP)\b")
_FACILITY = re.compile(
    r"\b(?:the )?((?:XYZ\w?|ABCD?E?|X{3,6}|Y{3,6})(?: [A-Z][a-z]+){0,2} (?:Hospital|Medical Center|Clinic|"
    r"Nursing Home|Surgery Center|Health System|Rehabilitation Center|Center))\b"
)
_EMPLOYER = re.compile(
    r"\b((?:XYZ\w?|ABCD?E?|X{3,6}|Y{3,6}) (?:Insurance|Company|Corporation|Inc|School|University|Church))\b"
)
_DATE = re.compile(r"\b(?:MM|XX)([/-])(?:DD|XX)\1(?:YYYY|YY|XXXX|XX)\b", re.IGNORECASE)
_AGE = re.compile(r"\b(XX)(?=[- ]?(?:year|yr|y/?o)s?\b)", re.IGNORECASE)
_BRACKETED = re.compile(r"\[\*\*(.*?)\*\*\]", re.DOTALL)
_BLANK = re.compile(r"_{3,}|\*{3,}")
_LEFT = re.compile(
    r"\b(?:XYZ\w?|ABCD|ABCDE|X{2,}|Y{2,}|XXX\w*|Xxx+|Sample (?:Doctor|Patient|Hospital)|"
    r"(?:Doctor|Patient) (?:Sample|Name))\b|\bABC\b"
)
_BEFORE_BLANK = (
    (re.compile(r"\b(?:Dr|Doctor)\.? ?\Z"), "DOCTOR", "last"),
    (re.compile(r"\b(?:Mr|Mrs|Ms|Miss)\.? ?\Z"), "PATIENT", "last"),
    (re.compile(r"\b(?:Name|Patient|Pt)(?: name)?: ?\Z", re.IGNORECASE), "PATIENT", "full"),
    (
        re.compile(r"\b(?:signed|dictated|physician|surgeon|nurse)(?: by)?: ?\Z", re.IGNORECASE),
        "DOCTOR",
        "full",
    ),
    (re.compile(r"\b(?:dated?|DOB|born on|birth)\b:? ?\Z", re.IGNORECASE), "DATE", "full"),
    (re.compile(r"\b(?:MRN|record (?:number|no\.?|#))\b:? ?\Z", re.IGNORECASE), "MEDICALRECORD", ""),
    (re.compile(r"\b(?:phone|telephone|tel|pager)\b(?: number)?:? ?\Z", re.IGNORECASE), "PHONE", ""),
    (re.compile(r"\bserial (?:number|no\.?|#)? ?:?#? ?\Z", re.IGNORECASE), "DEVICE", ""),
    (re.compile(r"\baccount (?:number|no\.?|#)? ?:?#? ?\Z", re.IGNORECASE), "ACCOUNT", ""),
)
_INSIDE_BRACKETS = (
    (re.compile(r"\d{1,4}-\d{1,2}(?:-\d{1,4})?|Date|Month|Year|Holiday", re.IGNORECASE), "DATE", "full"),
    (re.compile(r"Hospital|Clinic|Ward", re.IGNORECASE), "HOSPITAL", ""),
    (re.compile(r"Company|University|School|Employer", re.IGNORECASE), "ORGANIZATION", ""),
    (re.compile(r"Telephone|Phone|Pager|Fax", re.IGNORECASE), "PHONE", ""),
    (re.compile(r"Medical Record|Unit No|MRN", re.IGNORECASE), "MEDICALRECORD", ""),
    (re.compile(r"Age over 90", re.IGNORECASE), "AGE", ""),
    (re.compile(r"Social Security", re.IGNORECASE), "SSN", ""),
    (re.compile(r"E-?mail", re.IGNORECASE), "EMAIL", ""),
    (re.compile(r"Street Address", re.IGNORECASE), "STREET", ""),
    (re.compile(r"State", re.IGNORECASE), "STATE", ""),
    (re.compile(r"Country", re.IGNORECASE), "COUNTRY", ""),
    (re.compile(r"Location|City", re.IGNORECASE), "CITY", ""),
    (re.compile(r"Number|Numeric|Identifier|Job", re.IGNORECASE), "IDNUM", ""),
    (re.compile(r"Last ?Name|Doctor|Attending|Name", re.IGNORECASE), "DOCTOR", "last"),
    (re.compile(r"Known|First ?Name", re.IGNORECASE), "PATIENT", "full"),
)


def placeholders(text: str) -> list[Placeholder]:
    """Return the placeholders of a text in order, without overlaps.

    A blank that nothing says anything about is no placeholder: notes have such blanks.

    >>> [(hit.label, hit.which) for hit in placeholders("Dr. X saw Mr. ABC on MM/DD/YYYY.")]
    [('DOCTOR', 'X'), ('PATIENT', 'ABC'), ('DATE', '')]
    """
    found: list[Placeholder] = []
    taken = bytearray(len(text))
    for hit in _candidates(text):
        if not any(taken[hit.start : hit.end]):
            taken[hit.start : hit.end] = b"\1" * (hit.end - hit.start)
            found.append(hit)
    return sorted(found)


def _candidates(text: str) -> Iterator[Placeholder]:
    for hit in _BRACKETED.finditer(text):
        yield _bracketed(hit)
    for hit in _TITLED.finditer(text):
        yield Placeholder(*hit.span(2), "DOCTOR" if hit[1] == "Dr" else "PATIENT", "last", hit[2])
    for hit in _QUALIFIED.finditer(text):
        yield Placeholder(*hit.span(1), "DOCTOR", "full", hit[1])
    for hit in _FACILITY.finditer(text):
        yield Placeholder(*hit.span(1), "HOSPITAL", "long", hit[1])
    for hit in _EMPLOYER.finditer(text):
        yield Placeholder(*hit.span(1), "ORGANIZATION", "long", hit[1])
    for hit in _DATE.finditer(text):
        yield Placeholder(*hit.span(), "DATE", "full")
    for hit in _AGE.finditer(text):
        yield Placeholder(*hit.span(), "AGE")
    for hit in _BLANK.finditer(text):
        before = text[max(0, hit.start() - 24) : hit.start()]
        for cue, label, form in _BEFORE_BLANK:
            if cue.search(before):
                yield Placeholder(*hit.span(), label, form)
                break
    for hit in _LEFT.finditer(text):
        yield Placeholder(*hit.span(), "")


def _bracketed(hit: re.Match[str]) -> Placeholder:
    for pattern, label, form in _INSIDE_BRACKETS:
        if pattern.search(hit[1]):
            return Placeholder(*hit.span(), label, form, hit[1])
    return Placeholder(*hit.span(), "")
