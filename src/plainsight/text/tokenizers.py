"""Presets by name: how notes are cut into tokens, and how tokens are cut into sequences.

A model's manifest names the presets that it was trained with, so that it reads notes in the same way.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterable, Mapping, Sequence
from types import MappingProxyType

from plainsight.document import Document
from plainsight.errors import UsageError, suggest
from plainsight.text.lines import sentences
from plainsight.text.shadow import shadow
from plainsight.text.tokens import Offsets, tokenize, treebank_tokens

_MONTHS = rb"(?i:jan|feb|mar|apr|may|june?|july?|aug|sept?|oct|nov|dec)[a-z]*"
_CARAFE_TOKEN = re.compile(
    rb"""
      (?P<date>(?<![A-Za-z0-9])(?:
          [0-9]{1,2}(?P<sep>[-/.])[0-9]{1,2}(?P=sep)(?:[0-9]{4}|[0-9]{2})     # 08/14/97, 8-14-1997
        | [0-9]{4}(?P<iso>[-/.])[0-9]{1,2}(?P=iso)[0-9]{1,2}                  # 1997-08-14
        | [0-9]{1,2}[-/][0-9]{1,2} | [0-9]{1,2}[-/][0-9]{4} | [0-9]{4}[-/][0-9]{1,2}   # 8/14, 8/1997
        | (?:19|20)[0-9]{2}-(?:19|20)[0-9]{2}                                 # 1997-1999
        | [0-9]{1,2}-"""
    + _MONTHS
    + rb"""(?:-[0-9]{2,4})? | """
    + _MONTHS
    + rb"""-[0-9]{1,2}(?:-[0-9]{2,4})?                                        # 14-Aug-97, Aug-14
      )(?![A-Za-z0-9]|[-/][0-9]))
    | (?:[DM]r|Mrs|Ms|Prof|Rev)\.                                             # titles keep their stop
    | [0-9]{1,3}(?=[A-Za-z]+(?![A-Za-z0-9-]))                                 # 86|F, 5|mg
    | [0-9]{1,3}(?=-(?i:year|yr|y|month|mo|week|wk|day))                      # 24|-|year-old
    | [xX](?=[0-9]{2,5}(?![A-Za-z0-9-]))                                      # x|2209, an extension
    | [0-9]+\.[0-9]+                                                          # 3.5
    | [A-Za-z0-9]+(?:-[A-Za-z0-9]+|'(?!(?i:s)(?![A-Za-z]))[A-Za-z]+)*         # x-ray, 555-1234, O'Neil
    | '(?i:s)(?![A-Za-z])
    | [^\sA-Za-z0-9]
    """,
    re.VERBOSE,
)
_DATE_PART = re.compile(rb"[0-9]+|[A-Za-z]+|[-/.]")


def carafe_tokens(text: str) -> Offsets:
    """Split as Carafe's baseline for newswire does, and dates into their parts (S18).

    Numbers, codes, telephone numbers and hyphenated words stay whole, so that a model can look at their
    shape. Ages with letters behind them are split from these, as an identifier ends there.

    >>> [text[a:b] for text in ["K4471829 08/14/97: x-ray 3.5 555-1234"] for a, b in carafe_tokens(text)]
    ['K4471829', '08', '/', '14', '/', '97', ':', 'x-ray', '3.5', '555-1234']
    """
    made: Offsets = []
    view = shadow(text)
    for match in _CARAFE_TOKEN.finditer(view):
        if match["date"]:
            made += [part.span() for part in _DATE_PART.finditer(view, *match.span())]
        else:
            made.append(match.span())
    return made


TOKENIZERS: Mapping[str, Callable[[str], Offsets]] = MappingProxyType(
    {"plainsight": tokenize, "carafe": carafe_tokens, "treebank": treebank_tokens}
)
"""How notes are cut into tokens: our way, that of Carafe, and roughly that of the Penn Treebank."""


def tokenizer(name: str) -> Callable[[str], Offsets]:
    """Return a tokeniser by its name."""
    if name not in TOKENIZERS:
        raise UsageError(f"unknown tokens {name!r}{suggest(name, TOKENIZERS)}")
    return TOKENIZERS[name]


def _record(text: str, tokens: Sequence[tuple[int, int]]) -> list[int]:
    """Do not cut: the whole record is one sequence (S19)."""
    return [len(tokens)]


def _sentence(text: str, tokens: Sequence[tuple[int, int]]) -> list[int]:
    """Cut into sentences and stand-alone lines (S110)."""
    starts = [start for start, _ in tokens]
    return [bisect_left(starts, end) for _, end in sentences(text)] or [0]


def _stop(text: str, tokens: Sequence[tuple[int, int]]) -> list[int]:
    """Cut after each token that is a full stop, question mark or exclamation mark, as MASK does (S194)."""
    ends = [place for place, (start, end) in enumerate(tokens, 1) if text[start:end] in (".", "?", "!")]
    return [*ends, len(tokens)]


SEQUENCES: Mapping[str, Callable[[str, Sequence[tuple[int, int]]], list[int]]] = MappingProxyType(
    {"record": _record, "sentence": _sentence, "stop": _stop}
)
"""How tokens are cut into sequences; each function returns the place after the last token of each."""


def cut_sequences(text: str, tokens: Offsets, name: str) -> list[Offsets]:
    """Return the tokens of each sequence; a note without tokens is one empty sequence.

    >>> cut_sequences("Ok. Home", [(0, 2), (2, 3), (4, 8)], "stop")
    [[(0, 2), (2, 3)], [(4, 8)]]
    """
    if name not in SEQUENCES:
        raise UsageError(f"unknown sequences {name!r}{suggest(name, SEQUENCES)}")
    made, first = [], 0
    for last in SEQUENCES[name](text, tokens):
        if last > first:
            made.append(tokens[first:last])
            first = last
    return made or [[]]


def aligned_share(documents: Iterable[Document], name: str) -> float | None:
    """Return the share of spans that begin and end at edges of tokens: a model can find no others (S17)."""
    cut = TOKENIZERS[name]
    aligned = total = 0
    for document in documents:
        tokens = cut(document.text)
        starts, ends = {start for start, _ in tokens}, {end for _, end in tokens}
        aligned += sum(span.start in starts and span.end in ends for span in document.spans)
        total += len(document.spans)
    return aligned / total if total else None
