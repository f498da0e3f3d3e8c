"""Noise: what keyboards, scanners and hurried people do to notes, with the labels kept exact.

Each kind of noise turns a note into another one. A note is cut into pieces, the text of spans and what stands
between them; noise changes pieces, so a label never slips.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random
from types import MappingProxyType

from plainsight.document import Document, Span

__all__ = ["NOISES", "Noise", "Piece", "noisy"]


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of text under one label, or under none."""

    text: str
    label: str = ""


Pieces = list[Piece]
Noise = Callable[[Pieces, Random], Pieces]


def noisy(document: Document, random: Random, *, chance: float = 0.15) -> Document:
    """Return the note with each kind of noise at some chance."""
    pieces = _pieces(document)
    for noise in NOISES.values():
        if random.random() < chance:
            pieces = noise(pieces, random)
    return _joined(document, pieces)


def _pieces(document: Document) -> Pieces:
    made, last = [], 0
    for span in document.spans:
        made += [
            Piece(document.text[last : span.start]),
            Piece(document.text[span.start : span.end], span.label),
        ]
        last = span.end
    return [piece for piece in (*made, Piece(document.text[last:])) if piece.text]


def _joined(document: Document, pieces: Sequence[Piece]) -> Document:
    texts, spans, length = [], [], 0
    for piece in pieces:
        texts.append(piece.text)
        if piece.label and piece.text:
            spans.append(Span(length, length + len(piece.text), piece.label))
        length += len(piece.text)
    return replace(document, text="".join(texts), spans=tuple(spans))


# --- kinds ------------------------------------------------------------------------------------------------


def upper(pieces: Pieces, random: Random) -> Pieces:
    """Write the whole note in capitals."""
    return [replace(piece, text=_same_length(piece.text, piece.text.upper())) for piece in pieces]


def lower(pieces: Pieces, random: Random) -> Pieces:
    """Write the whole note without capitals."""
    return [replace(piece, text=_same_length(piece.text, piece.text.lower())) for piece in pieces]


def lower_names(pieces: Pieces, random: Random) -> Pieces:
    """Write some identifiers without capitals."""
    return [
        replace(piece, text=_same_length(piece.text, piece.text.lower()))
        if piece.label and random.random() < 0.3
        else piece
        for piece in pieces
    ]


def _same_length(before: str, after: str) -> str:
    return after if len(after) == len(before) else before


def typos(pieces: Pieces, random: Random) -> Pieces:
    """Swap, drop or double a letter in some identifiers and some words around them."""
    return [
        replace(piece, text=_typo(piece.text, random))
        if random.random() < (0.12 if piece.label else 0.25)
        else piece
        for piece in pieces
    ]


def _typo(text: str, random: Random) -> str:
    places = [m.start() for m in re.finditer(r"(?<=[a-z])[a-z](?=[a-z])", text)]
    if not places:
        return text
    place = random.choice(places)
    one, two = text[place], text[place + 1]
    kinds = (two + one, one, one + one + two)
    return text[:place] + random.choice(kinds) + text[place + 2 :]


def glued(pieces: Pieces, random: Random) -> Pieces:
    """Lose some of the spaces beside identifiers."""
    made: Pieces = []
    for place, piece in enumerate(pieces):
        text = piece.text
        if not piece.label and random.random() < 0.06:
            beside = pieces[place - 1].text[-1:] if place else ""
            if text.startswith(" ") and text[1:2].isalpha() and beside.isdigit():
                text = text[1:]
            elif text.endswith(": "):
                text = text[:-1]
        made.append(replace(piece, text=text))
    return made


_SCANNED = MappingProxyType(str.maketrans({"l": "1", "O": "0", "0": "O", "1": "l", "5": "S", "B": "8"}))


def scanned(pieces: Pieces, random: Random) -> Pieces:
    """Misread a letter here and there, as a scanner does."""
    return [
        replace(
            piece,
            text="".join(
                c.translate(_SCANNED) if c in "lO015B" and random.random() < 0.04 else c for c in piece.text
            ),
        )
        for piece in pieces
    ]


def dropped_stops(pieces: Pieces, random: Random) -> Pieces:
    """Leave out most full stops and commas between identifiers."""
    return [
        piece
        if piece.label
        else replace(
            piece, text=re.sub(r"[.,](?=\s)", lambda m: m[0] if random.random() < 0.4 else "", piece.text)
        )
        for piece in pieces
    ]


def wrapped(pieces: Pieces, random: Random) -> Pieces:
    """Break lines at a fixed width, also inside identifiers."""
    width, column, made = random.choice((60, 72, 80)), 0, []
    for piece in pieces:
        text = []
        for word in re.split(r"( )", piece.text):
            if word == " " and column >= width:
                word, column = "\n", 0
            text.append(word)
            column = len(word) - word.rfind("\n") - 1 if "\n" in word else column + len(word)
        made.append(replace(piece, text="".join(text)))
    return made


NOISES: Mapping[str, Noise] = MappingProxyType(
    {
        "upper": upper,
        "lower": lower,
        "lower-names": lower_names,
        "typos": typos,
        "glued": glued,
        "scanned": scanned,
        "dropped-stops": dropped_stops,
        "wrapped": wrapped,
    }
)
"""Every kind of noise by name."""
