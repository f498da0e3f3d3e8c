"""Tokens as plain offsets: ``tokenize`` for models, ``scorer_tokens`` and ``treebank_tokens`` for comparison.

A token is a ``(start, end)`` pair of code-point offsets. Tokens come in order and never overlap; what lies
between them is white space, so tokens and gaps together are the text. Offsets rather than objects,
because models read gigabytes: ``tokenize`` runs at 15 to 20 MB/s on one core.

What is not in a token can never be found, and an identifier that ends inside one can never be cut out
exactly. So ``tokenize`` splits wherever an identifier may end.
"""

from __future__ import annotations

import re

import numpy as np
import numpy.typing as npt

from plainsight.text.shadow import shadow

Offsets = list[tuple[int, int]]
"""Start and end of each token, in order."""

Edges = npt.NDArray[np.int64]
"""The same as an array, one row for each token: much quicker to make than so many pairs."""

Keys = npt.NDArray[np.uint64]
"""Tokens as numbers, in two rows: their first eight bytes and the next eight."""

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
    | [^\sA-Za-z0-9]                              # every other sign by itself, the underscore too
    | (?:Ma?c|D[aeiu]|L[aeou]|Van|Von|Fitz|San)[A-Z][a-z]++          # McKay, DeShawn: one name
    | [A-Z]?[a-z]++(?=[A-Z](?:[a-z]|[A-Z]{2}))    # by|Feng, Ioan|Results, q|MWF
    | [A-Z]{2,}?(?=[A-Z][a-z]{2}|(?:MRN|DOB|SSN|FIN|CSN|ACCT|LOC|SEX|AGE)\s?:)  # BELA|Associated, KAY|MRN:
    | [A-Za-z]++
    """,
    re.VERBOSE,
)

_SHORT = 500  # characters of a text for which array operations do not pay
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

_EIGHT = 8  # bytes of a number
_KEPT = np.array(
    [
        [256 ** min(max(size - first, 0), _EIGHT) - 1 for size in range(2 * _EIGHT + 1)] + [0]
        for first in (0, _EIGHT)
    ],
    np.uint64,
)
"""What is left of the first eight bytes and of the next, by the size of a token; of a long one nothing is."""

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

    Letters and digits part, every sign stands alone, glued words and time stamps come apart; white space
    is left out.

    >>> [text[a:b] for text in ["DOB:09/30/11 71yoM"] for a, b in tokenize(text)]
    ['DOB', ':', '09', '/', '30', '/', '11', '71', 'yoM']
    """
    view = shadow(text)
    if len(view) < _SHORT:
        return [match.span() for match in _TOKEN.finditer(view)]
    starts, ends = _long_edges(view)
    return list(zip(starts.tolist(), ends.tolist(), strict=True))


def token_edges(text: str, view: bytes | None = None) -> Edges:
    """Return the tokens of `tokenize` as an array; ``view`` is the shadow of the text, if it is at hand.

    >>> token_edges("71yoM").tolist()
    [[0, 2], [2, 5]]
    """
    if len(text) < _SHORT:
        return np.array(tokenize(text), np.int64).reshape(-1, 2)
    return np.array(_long_edges(shadow(text) if view is None else view)).T


def token_words(text: str, edges: Edges) -> list[str]:
    """Return what is written at the edges of a text's tokens.

    >>> token_words("71yoM, Ng", token_edges("71yoM, Ng"))
    ['71', 'yoM', ',', 'Ng']
    """
    starts, ends = edges.T
    # Thousands of slices are slow. So tokens that touch are set apart, and all are split at white space.
    glued = starts[1:][starts[1:] == ends[:-1]]
    apart = np.insert(np.frombuffer(shadow(text), np.uint8), glued, ord(" "))
    words = apart.tobytes().decode("ascii").split()
    if len(words) != len(edges):  # there are signs, such as \x1c, which only str takes for white space
        return [text[start:end] for start, end in zip(starts.tolist(), ends.tolist(), strict=True)]
    if words and not text.isascii():
        for place in set(_foreign(text, starts).tolist()):
            words[place] = text[starts[place] : ends[place]]
    return words


def token_keys(text: str, edges: Edges, view: bytes | None = None) -> Keys:
    """Return two numbers for each token, others for each word; 0 if it is longer than 16 signs or not ASCII.

    ``view`` is the shadow of the text, if it is at hand.

    >>> token_keys("as is, as-is", token_edges("as is, as-is")).tolist()
    [[29537, 29545, 44, 29537, 45, 29545], [0, 0, 0, 0, 0, 0]]
    """
    starts, ends = edges.T
    padded = (shadow(text) if view is None else view) + bytes(2 * _EIGHT)
    eights = np.ndarray(len(text) + _EIGHT, "<u8", padded, strides=(1,))  # from each sign on
    sizes = np.minimum(ends - starts, 2 * _EIGHT + 1)
    keys: Keys = np.zeros((2, len(edges)), np.uint64)
    np.bitwise_and(eights[starts], _KEPT[0].take(sizes), out=keys[0])
    longer = np.flatnonzero(sizes > _EIGHT)
    keys[1, longer] = eights[starts[longer] + _EIGHT] & _KEPT[1].take(sizes[longer])
    if len(edges) and not text.isascii():
        keys[:, _foreign(text, starts)] = 0
    return keys


def _foreign(text: str, starts: Edges) -> Edges:
    """Return the tokens that signs outside ASCII are in, or behind."""
    codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32)
    return np.searchsorted(starts, np.flatnonzero(codes > 127), "right") - 1


def _long_edges(view: bytes) -> tuple[Edges, Edges]:
    """Return where the tokens of a shadow start and end.

    It is split as `_TOKEN` does: at once where the kind of character changes, by it inside odd words. Nearly
    all words are small letters, with or without a capital, or capitals alone, and are one token.
    """
    size = len(view)
    kind = np.frombuffer(view.translate(_KINDS), np.uint8)
    alike, upper, sign = kind & (_LETTER | _DIGIT), kind == _UPPER, kind == _SIGN
    edge = np.ones(size + 1, bool)  # whether a token begins or ends before each character
    np.not_equal(alike[1:], alike[:-1], out=edge[1:size])
    edge[:size] |= sign
    edge[1:] |= sign
    marks = edge.tobytes()
    end = 0
    for place in _odd_places(view, kind, upper, edge):
        if place >= end:  # a run that has not been looked at
            at, end = marks.rfind(1, 0, place + 1), marks.find(1, place + 1)
            while (token := _TOKEN.match(view, at)) and (at := token.end()) < end:
                edge[at] = True
    solid = kind != _SPACE
    return np.flatnonzero(edge[:-1] & solid), np.flatnonzero(edge[1:] & solid) + 1


def _odd_places(view: bytes, kind: _Kinds, upper: _Marks, edge: _Marks) -> list[int]:
    """Return a place in every run of letters or digits that may be more than one token, in order."""
    inside = ~edge[1:-1]
    odd = np.zeros(len(view), bool)
    odd[1:] = upper[1:] & ~upper[:-1] & inside  # byFeng
    odd[2:] |= (kind[2:] == _LOWER) & upper[1:-1] & inside[1:] & inside[:-1]  # BELAAssociated
    digit = kind == _DIGIT
    odd[:-11] |= edge[:-12] & digit[:-11] & digit[11:]  # 202310191431
    characters = np.frombuffer(view, np.uint8)
    odd |= edge[:-1] & (characters == ord("Q"))  # QFRI
    fields = np.flatnonzero(upper[:-1] & (characters[1:] == ord(":"))).tolist()
    glued = [at for at in fields if view.endswith(_FIELDS, 0, at + 2)]  # KAYMRN:
    return sorted([*np.flatnonzero(odd).tolist(), *glued])


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
