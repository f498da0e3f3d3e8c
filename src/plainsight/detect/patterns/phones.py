"""Telephone, pager and fax numbers: their shapes for the scan of `contacts`, and the check."""

from __future__ import annotations

import re

from plainsight.detect.patterns.context import (
    next_word,
    second_before,
    stands_alone,
    word_before,
    words_before,
)
from plainsight.detect.patterns.rule import Claim
from plainsight.locale import default_locale

# How far before a number a word may show that it is a telephone, in characters.
_REACH = 60

_words = default_locale().word_sets("phones")
_FAX = _words["fax_words"]
_PHONE = _words["phone_words"]
_SAYING = _FAX | _PHONE
_OTHER = _words["other_words"]
_MEASURES = _words["measures"]
_EXTENSION = re.compile(
    rb"(?i),?[ \t]?\(?(?:x|ext\.?|extension|extn\.?)[ .:#]{0,2}\d{1,6}\b|/\d{1,4}\b(?![-/.])"
)
_CLOCK = re.compile(rb"(?:[01]\d|2[0-3])[0-5]\d\Z")
_NATIONAL = re.compile(
    rb"\(0\d{1,4}\)|1[38]00 |011[- ]|0[1-9]\d{3} \d{3} ?\d{3}|0[257]\d \d{4} \d{4}|0[2378] \d{4} \d{4}"
    rb"|0\d\d \d{3} \d{4}|0[3-9]\d\d \d{3} \d{3,4}"
)
_SPACED = re.compile(rb"0\d{1,4}(?: \d{3,4}){1,2}\b|\d{5} \d{5}\b")
# A word behind a number counts for it, unless another number follows: then it belongs to that one.
_AFTER = re.compile(
    rb"(?i)[ \t]{0,2}\(?(?:(?P<fax>f|fax)|voice|phone|office|cell|home|mobile|main|work)\b"
    rb"(?![ :.]{0,3}\(?\d)"
)

_NOUN = r"pager|pgr|beeper|bpr|bleep|ascom|spectra(?:link)?|vocera|dect|voalte|spok|ext(?:ension|n)?|sta"
_VERB = r"paged?|call(?:back)?|line|phone|desk|portable|cisco|internal|tel|ph|cell|mobile"
_LINK = r"[ \t.:,/]{0,4}(?:(?:no|number|num|is|at|id)\b[ .:]{0,3})?\(?#?"
_SHORT = re.compile(
    (
        rf"(?i)(?:(?P<noun>{_NOUN}){_LINK}(?P<a>\d{{1,2}}-\d{{3,5}}|\d{{1,6}})"
        rf"|(?P<verb>{_VERB})[ \t.:]{{1,4}}\(?#?(?P<b>\d-\d{{4}}|\d{{4,6}})"
        r"|(?P<cross>x) ?(?P<c>\d-\d{4}|\d{4,6})|p(?P<d>\d-\d{4}|\d{5}))"
    ).encode()
)
_WORD = r"(?:zero|oh|one|two|three|four|five|six|seven|eight|nine|double)"


def _label(text: bytes, start: int, end: int, nearest: bytes) -> tuple[str, bool]:
    """Return the label of a number, and whether a word shows that it is a telephone; the nearest counts."""
    after = _AFTER.match(text, end, end + 16) if text[end : end + 3].lstrip(b" (")[:1].isalpha() else None
    if after:
        return ("FAX" if after["fax"] else "PHONE"), True
    if nearest in _SAYING:
        return ("FAX" if nearest in _FAX else "PHONE"), True
    words = words_before(text, start, _REACH)
    for word in words:
        if word in _SAYING:
            return ("FAX" if word in _FAX else "PHONE"), True
    return "PHONE", b"number" in words


def _is_measure(text: bytes, end: int) -> bool:
    return text[end : end + 2].strip()[:1] == b"%" or next_word(text, end) in _MEASURES


def _claim(text: bytes, start: int, end: int, label: str, score: float) -> tuple[Claim]:
    extension = _EXTENSION.match(text, end, end + 20)
    return (Claim(start, extension.end() if extension else end, label, score),)


def _full(text: bytes, start: int, end: int) -> tuple[Claim, ...]:
    """Decide on a number with its area or country code."""
    number = text[start:end]
    bare = number.translate(None, b" ()-./+")
    if len(bare) < 8:
        return ()
    if number[-3:].isalpha() and number[-3:].strip(b"OolI"):
        return (Claim(start, end, "PHONE", 0.85),)  # a number spelled as a word
    if not bare.isdigit() and len(bare.translate(None, b"OolI")) < 0.6 * len(bare):
        return ()
    nearest = word_before(text, start)
    label, cued = _label(text, start, end, nearest)
    other = nearest in _OTHER
    if len(bare) == len(number):
        if other or not cued:
            return ()  # bare digits with no cue are some identifier, but not surely a telephone
        score = 0.85
    elif number[0] in b"(+" or b"-" in number or b"." in number or b"/" in number:
        if other and not cued:
            return ()
        score = 0.97 if cued or number[0] == 43 else 0.9
    else:
        in_table = second_before(text, start).isdigit() or text[end : end + 2].strip().isdigit()
        if other or not (
            cued or (number[0] != 48 and not in_table and len(bare) == 10) or _NATIONAL.match(number)
        ):
            return ()
        score = 0.9 if cued else 0.7
    return _claim(text, start, end, label, score)


def _local(text: bytes, start: int, end: int) -> tuple[Claim, ...]:
    """Decide on seven digits, or five with an exchange. A word must announce those with a blank."""
    nearest = word_before(text, start)
    if nearest in _OTHER:
        return ()
    label, cued = _label(text, start, end, nearest)
    cued = cued or text[end : end + 1] == b")"
    if (cued or 45 in text[start:end]) and not _is_measure(text, end):
        return _claim(text, start, end, label, 0.85 if cued else 0.7)
    return ()


def _short(text: bytes, start: int) -> tuple[Claim, ...]:
    """Decide on a pager or an extension: a cue word and a few digits."""
    match = _SHORT.match(text, start)
    if match is None:
        return ()
    group = match.lastgroup or ""
    begin, end = match.span(group)
    spaced = _SPACED.match(text, begin, begin + 20)
    if spaced:
        return _full(text, *spaced.span())
    after, beyond = text[end : end + 1], text[end + 1 : end + 2]
    if after.isalnum() or (after in (b"/", b":", b"-", b".") and beyond.isdigit()) or _is_measure(text, end):
        return ()
    if (
        match["noun"]
        and match["noun"].lower() == b"extension"
        and end - begin < 4
        and _PHONE.isdisjoint(words_before(text, start, 40))
    ):
        return ()  # of a joint, in degrees
    if match["verb"] and _CLOCK.match(match[group]):
        return ()  # "paged 0514" tells the time
    if match["cross"] and text[start - 2 : start].strip().isdigit():
        return ()  # "400 x 1200" is a size
    return (Claim(begin, end, "PHONE", 0.9 if match["noun"] else 0.75),)


def check_phone(text: bytes, start: int, end: int) -> tuple[Claim, ...]:
    """Decide on what the scan `PHONES` found."""
    first = text[start]
    if first > 57:  # a letter: a cue, or digits in words
        spoken = text.count(b" ", start, end) >= 6
        return (Claim(start, end, "PHONE", 0.85),) if spoken else _short(text, start)
    if not stands_alone(text, start, end) and not _EXTENSION.match(text, end, end + 20):
        return ()
    return _full(text, start, end) if end - start > 8 or first == 43 else _local(text, start, end)


_D = "[0-9OolI]"  # a digit, or the letter a scanner made of it
_END = r"(?:[^-./0-9A-Za-z]|[-./][^0-9]|[-./]?\z)"

PHONES = (
    rf"(?:\+?1[-. ]{{0,2}})?(?:\({_D}{{3}}\)[-. /]{{0,2}}|{_D}{{3}}[-./ ]?){_D}{{3}}[-. ]?{_D}{{4}}"
    r"|\+\d{1,3}[-. ]?(?:\(\d{1,4}\)[-. ]?)?\d{1,5}(?:[-. ]?\d{2,5}){1,4}"
    r"|\(?\b0\d{1,4}\)?(?:(?: \d{3,4}){2}|(?:-\d{3,4}){2})\b|\(?\b0\d{3,4}\)? \d{6}\b"
    r"|\b0\d(?:[ .]\d\d){4}\b|\b\d{5} \d{5}\b|\b1[38]00 \d{3} \d{3}\b"
    r"|\b(?:1-)?8(?:00|33|44|55|66|77|88)-[A-Z][A-Z0-9]{1,6}(?:-[A-Z0-9]{2,6})?\b"
    r"|\b011[- ]\d{1,3}(?:[- ]\d{2,4}){2,4}\b|\b\d{3}[-. ]\d{4}|\b\d-\d{4}\b"
    rf"|(?i:\b(?:{_NOUN}){_LINK}(?:\d{{1,2}}-\d{{3,5}}|\d{{1,6}}){_END})"
    rf"|(?i:\b(?:{_VERB})[ \t.:]{{1,4}}\(?#?(?:\d-\d{{4}}|\d{{4,6}}){_END})"
    r"|\bx ?(?:\d{4,6}|\d-\d{4})\b|\bp(?:\d{5}|\d-\d{4})\b"
    rf"|(?i:\b{_WORD}(?:[ ,.\n-]{{1,3}}{_WORD}){{6,}}\b)"
)
