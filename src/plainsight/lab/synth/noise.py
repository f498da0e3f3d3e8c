"""Noise: what keyboards, scanners, printers and hurried people do to notes, with exact labels.

Each kind of noise changes the texts of pieces, or the white space between them, so labels stay exact. No
piece becomes empty.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from random import Random
from types import MappingProxyType
from typing import NamedTuple

from plainsight.lab.synth.pieces import Piece, Pieces


class Noise(NamedTuple):
    """A kind of noise, and its frequency relative to the one that the user asks for."""

    apply: Callable[[Pieces, Random], Pieces]
    weight: float = 1.0


def disturb(pieces: Pieces, random: Random, noises: Mapping[str, Noise], chance: float) -> Pieces:
    """Return pieces with each kind of noise applied with some probability."""
    for noise in noises.values():
        if random.random() < chance * noise.weight:
            pieces = noise.apply(pieces, random)
    return pieces


def substitute(
    pattern: re.Pattern[str],
    rates: Sequence[float],
    change: Callable[[re.Match[str], Random], str],
    *,
    identifiers: bool = True,
) -> Callable[[Pieces, Random], Pieces]:
    """Return a kind of noise that changes a random share of a pattern's hits, at one of several rates."""

    def apply(pieces: Pieces, random: Random) -> Pieces:
        rate = random.choice(rates)

        def sometimes(match: re.Match[str]) -> str:
            return change(match, random) if random.random() < rate else match[0]

        return [
            Piece(pattern.sub(sometimes, piece.text), piece.label)
            if identifiers or not piece.label
            else piece
            for piece in pieces
        ]

    return apply


# --- case -------------------------------------------------------------------------------------------------


def _upper(pieces: Pieces, random: Random) -> Pieces:
    """Write the whole note in capitals."""
    return [Piece(piece.text.upper(), piece.label) for piece in pieces]


def _lower(pieces: Pieces, random: Random) -> Pieces:
    """Write the whole note without capitals."""
    return [Piece(piece.text.lower(), piece.label) for piece in pieces]


def _line_case(pieces: Pieces, random: Random) -> Pieces:
    """Write some lines in capitals or without any."""

    def change() -> Callable[[str], str] | None:
        return random.choice((str.upper, str.upper, str.lower)) if random.random() < 0.15 else None

    made: Pieces = []
    turn = change()
    for text, label in pieces:
        if "\n" not in text:
            made.append(Piece(turn(text), label) if turn else Piece(text, label))
            continue
        lines = []
        for number, line in enumerate(text.split("\n")):
            if number:
                turn = change()
            lines.append(turn(line) if turn else line)
        made.append(Piece("\n".join(lines), label))
    return made


_WAYS: tuple[Callable[[str], str], ...] = (str.upper, str.lower, str.capitalize)
_word_case = substitute(
    re.compile(r"[^\W\d_]{3,}"), (0.02, 0.05, 0.1), lambda word, random: random.choice(_WAYS)(word[0])
)


def _identifier_case(pieces: Pieces, random: Random) -> Pieces:
    """Write some identifiers in capitals or without any."""
    change = random.choice((str.lower, str.lower, str.upper))
    share = random.choice((0.2, 0.5, 1.0))
    return [
        Piece(change(piece.text), piece.label) if piece.label and random.random() < share else piece
        for piece in pieces
    ]


# --- keyboards --------------------------------------------------------------------------------------------

_INNER = re.compile(r"(?<=[a-z])[a-z](?=[a-z])")
_ROWS = ("qwertyuiop", "asdfghjkl", "zxcvbnm")
_BESIDE = MappingProxyType(
    {key: row[max(0, n - 1) : n] + row[n + 1 : n + 2] for row in _ROWS for n, key in enumerate(row)}
)


def _typos(pieces: Pieces, random: Random) -> Pieces:
    """Swap, drop, double or miss a letter in some identifiers and in the text around them."""
    return [
        Piece(_typo(piece.text, random), piece.label)
        if random.random() < (0.12 if piece.label else 0.25)
        else piece
        for piece in pieces
    ]


def _typo(text: str, random: Random) -> str:
    places = [match.start() for match in _INNER.finditer(text)]
    if not places:
        return text
    place = random.choice(places)
    one, two = text[place], text[place + 1]
    other = random.choice(_BESIDE[one])
    made = random.choice((two + one, two, one + one + two, other + two))
    return text[:place] + made + text[place + 2 :]


_CUE = re.compile(r"[^\W_][:#.,;/)] \Z")


def _glued(pieces: Pieces, random: Random) -> Pieces:
    """Drop some of the spaces beside identifiers, where the edge stays visible."""
    rate = random.choice((0.05, 0.15, 0.4))
    made: Pieces = []
    for place, (text, label) in enumerate(pieces):
        if not label:
            before = pieces[place - 1].text[-1:] if place else ""
            after = pieces[place + 1].text[:1] if place + 1 < len(pieces) else ""
            if text[:1] == " " and _parts(before, text[1:2]) and random.random() < rate:
                text = text[1:]
            if text[-1:] == " " and random.random() < rate and (
                _CUE.search(text) or _parts(text[-2:-1], after)
            ):  # fmt: skip
                text = text[:-1]
        made.append(Piece(text, label))
    return made


def _parts(before: str, after: str) -> bool:
    """Tell whether the edge between two characters is visible without a space."""
    if before.isdigit():
        return after.isalpha()
    return (before.islower() and after.isupper()) or (before.isalpha() and after.isdigit())


_dropped_stops = substitute(
    re.compile(r"[.,;](?=\s)"), (0.3, 0.6, 1.0), lambda stop, random: "", identifiers=False
)


# --- scanners ---------------------------------------------------------------------------------------------

_MISREAD = MappingProxyType(
    {
        "l": ("1", "I", "|"), "O": ("0", "Q"), "0": ("O", "o"), "1": ("l", "I"), "5": ("S",), "S": ("5",),
        "B": ("8",), "8": ("B",), "I": ("l", "1"), "6": ("b",), "Z": ("2",), "e": ("c",), "h": ("b",),
        "u": ("n",), "g": ("q",), "m": ("rn",), "rn": ("m",), "cl": ("d",), "vv": ("w",), "ri": ("n",),
        "li": ("h",), ".": (",",), ",": (".",),
    }
)  # fmt: skip
_scanned = substitute(
    re.compile("|".join(map(re.escape, sorted(_MISREAD, key=len, reverse=True)))),
    (0.01, 0.03, 0.06),
    lambda letters, random: random.choice(_MISREAD[letters[0]]),
)
_split_words = substitute(re.compile(r"(?<=\w\w)(?=\w\w)"), (0.004, 0.01, 0.03), lambda nothing, random: " ")
_joined_words = substitute(re.compile(r"(?<=\w) (?=\w)"), (0.01, 0.03, 0.08), lambda space, random: "")


# --- lines ------------------------------------------------------------------------------------------------


def _wrapped(pieces: Pieces, random: Random) -> Pieces:
    """Break lines at a fixed width, also inside identifiers."""
    width, column = random.choice((55, 66, 72, 80)), 0
    made: Pieces = []
    for text, label in pieces:
        words = text.split(" ")
        lines = [words[0]]
        column = _column(column, words[0])
        for word in words[1:]:
            broken = column >= width
            lines += "\n" if broken else " ", word
            column = _column(0 if broken else column + 1, word)
        made.append(Piece("".join(lines), label))
    return made


def _column(column: int, word: str) -> int:
    return column + len(word) if "\n" not in word else len(word) - word.rindex("\n") - 1


_LINE_END = re.compile(r"[ \t]*\n[ \t]*")


def _one_line(pieces: Pieces, random: Random) -> Pieces:
    """Lose all line ends, as a database column does."""
    gap = random.choice((" ", "  ", "   ", " | "))
    plain = gap if gap.isspace() else " "  # identifiers keep white space
    return [
        Piece(_LINE_END.sub(plain if piece.label else gap, piece.text), piece.label)
        if "\n" in piece.text
        else piece
        for piece in pieces
    ]


_GAP = re.compile(r" {2,}|\t")


def _respaced(pieces: Pieces, random: Random) -> Pieces:
    """Write the gaps of tables and headers with other white space."""
    gap = random.choice((" ", "  ", "\t", "      "))
    return [piece if piece.label else Piece(_GAP.sub(gap, piece.text)) for piece in pieces]


NOISES: Mapping[str, Noise] = MappingProxyType(
    {
        "line-case": Noise(_line_case),
        "word-case": Noise(_word_case),
        "identifier-case": Noise(_identifier_case),
        "typos": Noise(_typos),
        "glued": Noise(_glued),
        "dropped-stops": Noise(_dropped_stops),
        "scanned": Noise(_scanned, 0.6),
        "split-words": Noise(_split_words, 0.4),
        "joined-words": Noise(_joined_words, 0.4),
        "wrapped": Noise(_wrapped),
        "one-line": Noise(_one_line, 0.5),
        "respaced": Noise(_respaced),
        "upper": Noise(_upper, 0.5),
        "lower": Noise(_lower, 0.5),
    }
)
"""Every kind of noise by name, in the order in which they are applied."""
