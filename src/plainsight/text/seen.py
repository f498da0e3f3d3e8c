r"""A note as a reader sees it: without what is invisible, in plain letters, and where each character stands.

A page shows ``Mary`` where the text may hold ``Ma\u200bry`` (a zero-width space), ``M\u0430ry`` (a Cyrillic
letter), wide or mathematical letters, ``Mar&#121;`` or ``<b>Mary</b>``. Detectors would not know the name. So
they read what is seen, and what they find is carried back to the note as written, in which nothing changes.

- Dropped: characters of the Unicode category Cf (zero-width, soft hyphens, direction marks), marks that no
  letter has (Mn and Me), HTML tags without attributes, a hyphen and line end inside a word.
- In plain letters: letters with their accents in one character; wide, mathematical and small capital letters,
  ligatures, digits of all scripts; letters that look like Latin ones, in words that have Latin letters or
  none that look otherwise.
- Decoded: HTML entities, ``\u0041``, ``%20`` and, in the same word or in one with ``=``, ``+``. An address
  with its scheme stays as it is: detectors find it as a whole.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from html import unescape
from typing import NamedTuple
from urllib.parse import unquote

from plainsight.document import Document, Span
from plainsight.note_cache import note_cache

_ACCENTS = ("Mn", "Me")
_STYLES = ("<wide>", "<narrow>", "<font>")
_LOOK_ALIKES = dict(
    zip(
        "АВЕЅІЈКМНОРСТУХҮԚԜаеорсухѕіјԁһԛԝӏѵΑΒΕΖΗΙΚΜΝΟΡΤΥΧονικυραᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘʀꜱᴛᴜᴠᴡʏᴢɑɡɩ",
        "ABESIJKMHOPCTYXYQWaeopcyxsijdhqwlvABEZHIKMNOPTYXovikupaabcdefghijklmnoprstuvwyzagi",
        strict=True,
    )
)
_ALIKE = re.compile(f"[{''.join(_LOOK_ALIKES)}]")
_LATIN = re.compile("[A-Za-z]")
_WORD = re.compile("(?:[^\\W\\d_]|[\u00ad\u200b-\u200f\u2060\u0300-\u036f])+")

_INLINE = "a|b|i|u|s|em|tt|sub|sup|big|font|span|mark|code|small|strong"
_BLOCKS = "p|br|hr|td|th|tr|li|ul|ol|dl|dt|dd|h[1-6]|div|pre|center|table|thead|tbody|body|html"
_ESCAPES = {
    "&": re.compile(r"&(?:#\d{1,7}|#[xX][\da-fA-F]{1,6}|[A-Za-z]{2,8}\d?);"),
    "\\u": re.compile(r"\\u[\da-fA-F]{4}"),
    "<": re.compile(rf"<(?:/?(?i:{_INLINE})>|/?(?P<block>(?i:{_BLOCKS})) ?/?>)"),
    "-\n": re.compile(r"-\n(?<=[a-z]-\n)(?=[a-z])"),
    "-\r\n": re.compile(r"-\r\n(?<=[a-z]-\r\n)(?=[a-z])"),
}
"""What is written otherwise than it is seen, by the sign that it begins with: so searching is fast."""
_RUN = re.compile(r"\S+")
_PERCENT = re.compile(r"%[\da-fA-F]{2}")
_PLUS = re.compile(r"=[^\s=]*\+")
_IN_QUERY = re.compile(rf"(?:{_PERCENT.pattern})+|\+")
_ADDRESS = re.compile(r"://|\bwww\.", re.IGNORECASE)
_CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufffd]")
"""What nobody sees and no format can hold: such codes stay as they are written."""


class _Edit(NamedTuple):
    """A stretch of a text, and what is seen there."""

    start: int
    end: int
    seen: str


@dataclass(frozen=True, slots=True, repr=False)
class Seen:
    """A note as it is written, and as a reader sees it, which mostly is the same.

    ``starts`` and ``ends`` say where each character that is seen stands in the written text; None if the
    notes are the same.
    """

    written: Document
    document: Document
    starts: Sequence[int] | None = None
    ends: Sequence[int] = ()

    def place(self, start: int, end: int) -> tuple[int, int]:
        """Return where a stretch of the text that is seen stands in the written text."""
        return (start, end) if self.starts is None else (self.starts[start], self.ends[end - 1])

    def in_written(self, spans: Iterable[Span]) -> tuple[Span, ...]:
        """Return spans of the note that is seen as spans of the written one."""
        if self.starts is None:
            return tuple(spans)
        found, last = [], 0
        for span in spans:
            start, end = self.place(span.start, span.end)
            start = max(start, last)
            if start < end:  # else it shares its only character, such as a ligature, with the span before
                claims = tuple(_moved(claim, *self.place(claim.start, claim.end)) for claim in span.claims)
                found.append(replace(_moved(span, start, end), claims=claims))
                last = end
        return tuple(found)


def seen(document: Document) -> Seen:
    r"""Return a note as a reader sees it.

    Its spans cover what they cover in the written note. If one of them covers nothing that is seen, the note
    is taken as it is written.

    >>> note = seen(Document("1", "Ma\u200bry &amp; Tom"))
    >>> note.document.text, note.place(0, 4), note.place(5, 6)
    ('Mary & Tom', (0, 5), (6, 11))
    """
    text = document.text
    edits = _edits(text)
    if not edits:
        return Seen(document, document)
    pieces: list[str] = []
    starts: list[int] = []
    ends: list[int] = []
    last = 0
    for start, end, new in (*edits, _Edit(len(text), len(text), "")):
        pieces += text[last:start], new
        starts += range(last, start)
        ends += range(last + 1, start + 1)
        starts += [start] * len(new)
        ends += [end] * len(new)
        last = end
    spans: list[Span] = []
    for span in document.spans:
        first, after = bisect_right(ends, span.start), bisect_left(starts, span.end)
        if first >= after or (spans and first < spans[-1].end):
            return Seen(document, document)
        spans.append(_moved(span, first, after))
    cuts = tuple(bisect_left(starts, cut) for cut in document.cuts)
    note = replace(document, text="".join(pieces), spans=tuple(spans), cuts=cuts)
    return Seen(document, note, starts, ends)


def _moved(span: Span, start: int, end: int) -> Span:
    return replace(span, start=start, end=end)


@note_cache(64)  # detectors and operations look at the same notes
def _edits(text: str) -> tuple[_Edit, ...]:
    """Return what is seen otherwise than it is written, in the order of the text."""
    edits: list[_Edit] = []
    for sign, pattern in _ESCAPES.items():
        if sign in text:
            edits += _decoded(pattern, text)
    if _PERCENT.search(text) or ("+" in text and _PLUS.search(text)):
        edits += _queries(text)
    if not text.isascii():
        edits += _letters(text)
    return tuple(sorted(edits))


def _decoded(pattern: re.Pattern[str], text: str) -> Iterator[_Edit]:
    for match in pattern.finditer(text):
        found = match.group()
        new = "\n" if match.lastgroup == "block" else ""
        if found[0] == "&":
            new = _plain(unescape(found))
        elif found[0] == "\\":
            new = _plain(chr(int(found[2:], 16)))
        if new != found and not _CONTROL.search(new):
            yield _Edit(*match.span(), new)


def _queries(text: str) -> Iterator[_Edit]:
    """Yield what is encoded in words such as ``name=Mary+Smith`` and ``Mary%20Smith``."""
    for run in _RUN.finditer(text):
        word = run.group()
        encoded = ("%" in word and _PERCENT.search(word)) or ("+" in word and _PLUS.search(word))
        if not encoded or _ADDRESS.search(word):
            continue
        for match in _IN_QUERY.finditer(word):
            new = " " if match.group() == "+" else unquote(match.group())
            # Letters and digits are never encoded: 95%30 is no 950.
            if not _CONTROL.search(new) and not (new.isascii() and any(map(str.isalnum, new))):
                yield _Edit(run.start() + match.start(), run.start() + match.end(), _plain(new))


def _letters(text: str) -> Iterator[_Edit]:
    """Yield characters that are invisible or no plain letters."""
    alike = _alike(text) if _ALIKE.search(text) else {}
    others = {char for char in set(text) if _plain(char) != char}
    dropped = "".join(char for char in others if not _plain(char))
    accents = re.escape("".join(char for char in dropped if unicodedata.category(char) in _ACCENTS))
    patterns = [rf"[^\W\d_](?=[{accents}])[{re.escape(dropped)}]+"] if accents else []
    patterns += [f"[{re.escape(''.join(others))}]"] if others else []
    for match in re.finditer("|".join(patterns), text) if patterns else ():
        first, rest = match.group()[0], match.group()[1:]
        first = alike.pop(match.start(), first)
        yield _Edit(*match.span(), _plain(unicodedata.normalize("NFC", first + rest)))
    for at, letter in alike.items():
        yield _Edit(at, at + 1, letter)


def _alike(text: str) -> dict[int, str]:
    """Return the Latin letters that others look like, by where those stand."""
    found: dict[int, str] = {}
    for word in _WORD.finditer(text):
        places = [match.start() for match in _ALIKE.finditer(word.group())]
        if places and (_LATIN.search(word.group()) or 1 < len(places) == sum(map(str.isalpha, word.group()))):
            found |= {word.start() + at: _LOOK_ALIKES[word.group()[at]] for at in places}
    return found


@note_cache(1 << 12)
def _plain(text: str) -> str:
    """Return how characters are seen; letters that only look like Latin ones stay."""
    return text if text.isascii() else "".join(map(_plain_character, text))


def _plain_character(char: str) -> str:
    category = unicodedata.category(char)
    if category == "Cf" or category in _ACCENTS:
        return ""
    if category == "Nd":
        return str(unicodedata.decimal(char))
    style = unicodedata.decomposition(char).partition(" ")[0]
    if style in _STYLES or (style == "<compat>" and char.isalpha()):
        plain = unicodedata.normalize("NFKD", char)
        if plain.isascii() and plain.isprintable():
            return plain
    return char
