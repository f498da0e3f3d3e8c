"""Tokens as plain offsets: ``tokenize`` for models, ``scorer_tokens`` and ``treebank_tokens`` for comparison.

A token is a ``(start, end)`` pair of code-point offsets. Tokens are in order and never overlap; between
them is only white space. They are offsets rather than objects for speed: ``tokenize`` runs at 15 to 20 MB/s
on one core.

Models can only find whole tokens. So ``tokenize`` splits wherever an identifier may begin or end.
"""

from __future__ import annotations

import re

import numpy as np
import numpy.typing as npt

from plainsight.text.shadow import shadow

Offsets = list[tuple[int, int]]
"""Start and end of each token, in order."""

Edges = npt.NDArray[np.int64]
"""Start and end of each token as an array with one row for each; much faster to make than pairs."""

_Kinds = npt.NDArray[np.uint8]
_Marks = npt.NDArray[np.bool_]

# Possessive quantifiers (++) keep every alternative linear, also on a line of a million letters.
# The shadow has ASCII letters only, so the classes below cover accented and other letters as well.
_TOKEN = re.compile(
    rb"""
      Q(?=(?:MON|TUE|WED|THU|FRI|SAT|SUN|MWF|TTHS?|TTS)(?![A-Za-z]))   # every Friday: Q|FRI
    | [A-Z]?[a-z]++(?![A-Z])                      # a word: most tokens end here
    | [A-Z]++(?![a-z:])                           # capitals, unless a field name may be glued to them
    | (?:19|20)[0-9]{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12][0-9]|3[01])
      (?=(?:[01][0-9]|2[0-3])[0-5][0-9](?:[0-5][0-9])?(?![0-9]))   # the date of a time stamp: 20231019|1431
    | [0-9]++                                     # 08 / 14 / 97, 86|F
    | [^\sA-Za-z0-9]                              # every other sign alone, also the underscore
    | (?:Ma?c|D[aeiu]|L[aeou]|Van|Von|Fitz|San)[A-Z][a-z]++          # McKay, DeShawn: one name
    | [A-Z]?[a-z]++(?=[A-Z](?:[a-z]|[A-Z]{2}))    # by|Feng, Ioan|Results, q|MWF
    | [A-Z]{2,}?(?=[A-Z][a-z]{2}|(?:MRN|DOB|SSN|FIN|CSN|ACCT|LOC|SEX|AGE)\s?:)  # BELA|Associated, KAY|MRN:
    | [A-Za-z]++
    """,
    re.VERBOSE,
)

_SHORT = 500  # characters: array operations do not pay for texts below this length
_SPACE, _SIGN, _DIGIT, _LOWER, _UPPER = 0, 1, 2, 4, 5
_LETTER = _LOWER & _UPPER  # a bit that letters share
_KINDS = bytes(
    _UPPER if 65 <= byte <= 90
    else _LOWER if 97 <= byte <= 122
    else _DIGIT if 48 <= byte <= 57
    else _SPACE if byte in b" \t\n\r\f\v"
    else _SIGN
    for byte in range(256)
)  # fmt: skip
_FIELDS = (b"MRN:", b"DOB:", b"SSN:", b"FIN:", b"CSN:", b"ACCT:", b"LOC:", b"SEX:", b"AGE:")

_SCORER_TOKEN = re.compile(r"[A-Za-z0-9]+")

_CLITIC = rb"(?i:'(?:s|m|d|ll|re|ve))(?![A-Za-z])"
_TREEBANK_TOKEN = re.compile(
    rb"""
      \.{2,} | -{2,}
    | [0-9]+(?=-[A-Za-z])                         # 24|-|year-old
    | [A-Za-z]+?(?=(?i:n't)(?![A-Za-z])) | (?i:n't)(?![A-Za-z])      # did|n't
    | """
    + _CLITIC
    + rb"""
    | (?:[A-Za-z]\.)+(?![A-Za-z0-9]) | (?:[DMJS]r|Mrs|Ms|St|vs)\.     # initials and titles keep their stop
    | [A-Za-z0-9]+(?: (?!"""
    + _CLITIC
    + rb""")[-'./_][A-Za-z0-9]+ | [,:][0-9]+ )*  # signs inside a word stay there
    | \S
    """,
    re.VERBOSE,
)


def tokenize(text: str) -> Offsets:
    """Split a text wherever an identifier may begin or end.

    Letters are split from digits, every sign is a token, glued words and time stamps are split. White space
    is left out.

    >>> [text[a:b] for text in ["DOB:09/30/11 71yoM"] for a, b in tokenize(text)]
    ['DOB', ':', '09', '/', '30', '/', '11', '71', 'yoM']
    """
    view = shadow(text)
    if len(view) < _SHORT:
        return [match.span() for match in _TOKEN.finditer(view)]
    starts, ends = _long_edges(view)
    return list(zip(starts.tolist(), ends.tolist(), strict=True))


def token_edges(text: str) -> Edges:
    """Return the tokens of `tokenize` as an array.

    >>> token_edges("71yoM").tolist()
    [[0, 2], [2, 5]]
    """
    if len(text) < _SHORT:
        return np.array(tokenize(text), np.int64).reshape(-1, 2)
    return np.array(_long_edges(shadow(text))).T


def token_words(text: str, edges: Edges) -> list[str]:
    """Return the text of each token.

    >>> token_words("71yoM, Ng", token_edges("71yoM, Ng"))
    ['71', 'yoM', ',', 'Ng']
    """
    starts, ends = edges.T
    # Thousands of slices are slow. So insert spaces between tokens that touch, and split at white space.
    touching = starts[1:][starts[1:] == ends[:-1]]
    spaced = np.insert(np.frombuffer(shadow(text), np.uint8), touching, ord(" "))
    words = spaced.tobytes().decode("ascii").split()
    if len(words) != len(edges):  # only str takes some characters, such as \x1c, for white space
        return [text[start:end] for start, end in zip(starts.tolist(), ends.tolist(), strict=True)]
    if words and not text.isascii():
        codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32)
        not_ascii = np.searchsorted(starts, np.flatnonzero(codes > 127), "right") - 1
        for index in set(not_ascii.tolist()):  # in the shadow they are folded to ASCII
            words[index] = text[starts[index] : ends[index]]
    return words


def _long_edges(view: bytes) -> tuple[Edges, Edges]:
    """Return the starts and ends of the tokens of a shadow.

    Tokens are those of `_TOKEN`, found by array operations where the kind of character changes. The pattern
    itself runs only inside unusual words: nearly all are lower case, title case or upper case, and one token.
    """
    size = len(view)
    kind = np.frombuffer(view.translate(_KINDS), np.uint8)
    group, upper, sign = kind & (_LETTER | _DIGIT), kind == _UPPER, kind == _SIGN
    edge = np.ones(size + 1, bool)  # whether a token begins or ends before each character
    np.not_equal(group[1:], group[:-1], out=edge[1:size])
    edge[:size] |= sign
    edge[1:] |= sign
    marks = edge.tobytes()
    end = 0
    for offset in _unusual_offsets(view, kind, upper, edge):
        if offset >= end:  # in a run that has not been split yet
            at, end = marks.rfind(1, 0, offset + 1), marks.find(1, offset + 1)
            while (token := _TOKEN.match(view, at)) and (at := token.end()) < end:
                edge[at] = True
    solid = kind != _SPACE
    return np.flatnonzero(edge[:-1] & solid), np.flatnonzero(edge[1:] & solid) + 1


def _unusual_offsets(view: bytes, kind: _Kinds, upper: _Marks, edge: _Marks) -> list[int]:
    """Return an offset in every run of letters or digits that may be more than one token, in order."""
    inside = ~edge[1:-1]
    unusual = np.zeros(len(view), bool)
    unusual[1:] = upper[1:] & ~upper[:-1] & inside  # byFeng
    unusual[2:] |= (kind[2:] == _LOWER) & upper[1:-1] & inside[1:] & inside[:-1]  # BELAAssociated
    digit = kind == _DIGIT
    unusual[:-11] |= edge[:-12] & digit[:-11] & digit[11:]  # 202310191431
    characters = np.frombuffer(view, np.uint8)
    unusual |= edge[:-1] & (characters == ord("Q"))  # QFRI
    fields = np.flatnonzero(upper[:-1] & (characters[1:] == ord(":"))).tolist()
    glued = [at for at in fields if view.endswith(_FIELDS, 0, at + 2)]  # KAYMRN:
    return sorted([*np.flatnonzero(unusual).tolist(), *glued])


def scorer_tokens(text: str) -> Offsets:
    """Return the maximal runs of ``[A-Za-z0-9]``: the tokens that the i2b2-2014 scorer counts.

    >>> [text[a:b] for text in ["Zoë_2, O'Neil"] for a, b in scorer_tokens(text)]
    ['Zo', '2', 'O', 'Neil']
    """
    return [match.span() for match in _SCORER_TOKEN.finditer(text)]


def treebank_tokens(text: str) -> Offsets:
    """Split roughly as the Penn Treebank does, and digits from letters at a dash.

    Words keep inner hyphens, slashes and stops, so identifiers may end inside a token: use it to reproduce
    published systems, not to find identifiers.

    >>> [text[a:b] for text in ["Didn't 24-year-old's pain."] for a, b in treebank_tokens(text)]
    ['Did', "n't", '24', '-', 'year-old', "'s", 'pain', '.']
    """
    return [match.span() for match in _TREEBANK_TOKEN.finditer(shadow(text))]
