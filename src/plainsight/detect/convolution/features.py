"""The features of a word, and their rows in a model's table of vectors.

Every feature of a word (the word itself, its parts, its shape, its lists) is a string, whose hash selects a
row of the table. Features may share a row. So every word has a vector, and a model holds no word of its
training notes. A model may also use the word pieces of a pre-trained encoder; their rows follow.
"""

from __future__ import annotations

import re
from string import ascii_lowercase, ascii_uppercase, digits
from zlib import crc32

from plainsight.detect.transformer.pieces import WordSplitter
from plainsight.note_cache import note_cache
from plainsight.text.vocabulary import listed

_MAX_LENGTH = 40  # characters: of longer words only the two ends are used
_SHAPE_LENGTH = 12
_DIGIT = re.compile(r"[0-9]")
_RUN = re.compile(r"(.)\1\1+")


def features(word: str) -> list[str]:
    """Return the features of a word; the first is the word in lower case, with 0 for every digit.

    >>> features("1987")
    ['=0000', '#dddd', '+1987', '^<00', '$00>', '^<000', '$000>', '^<0000', '$0000>', '<00', '000', '000', \
'00>', '<000', '0000', '000>']
    """
    plain = _DIGIT.sub("0", word.lower())
    if len(plain) > _MAX_LENGTH:
        plain = plain[: _MAX_LENGTH // 2] + plain[-_MAX_LENGTH // 2 :]
    number = [f"+{word[:4]}"] if word[0].isdigit() else []  # 19.., 20.., or no year at all
    lists = [f"@{name}" for name in listed(word)]
    return [
        f"={plain}",
        f"#{_shape(_kinds(word[:_SHAPE_LENGTH]))}",
        *number,
        *lists,
        *_parts(f"<{plain}>"),
    ]


def _parts(word: str) -> list[str]:
    """Return the beginnings and ends of a word, then its other parts, each from short to long."""
    return [
        *("^" + word[:3], "$" + word[-3:], "^" + word[:4], "$" + word[-4:], "^" + word[:5], "$" + word[-5:]),
        *[word[at : at + 3] for at in range(len(word) - 2)],
        *[word[at : at + 4] for at in range(len(word) - 3)],
    ]


@note_cache(1 << 12)
def _shape(kinds: str) -> str:
    """Shorten long runs of one kind of character: McKay is ``XxXxx``, Okafor ``Xxx``, 2019 ``dddd``."""
    return _RUN.sub(lambda run: run[0][:6] if run[1] == "d" else run[1] * 2, kinds)


_KINDS = str.maketrans({**dict.fromkeys(ascii_uppercase, "X"), **dict.fromkeys(ascii_lowercase, "x")})
_KINDS |= str.maketrans(dict.fromkeys(digits, "d"))


def _kinds(word: str) -> str:
    return word.translate(_KINDS) if word.isascii() else "".join(map(_kind, word))


def _kind(character: str) -> str:
    if character.isupper():
        return "X"
    return "x" if character.islower() else "d" if character.isdigit() else character


class WordRows:
    """Look up the rows of words in a table that has ``count`` rows for features; row 0 is padding.

    The rows of word pieces come after those, if there is a ``splitter``.
    """

    def __init__(self, count: int, splitter: WordSplitter | None = None) -> None:
        self.count = count
        self._splitter = splitter

    def lookup(self, word: str) -> tuple[list[int], list[int]]:
        """Return the rows of a word's features and those of its pieces."""
        lines = "\n".join(features(word))  # no word has a line end
        encoded = lines.encode("utf-8", "surrogatepass").split(b"\n")
        pieces = self._splitter(word, spaced=True) if self._splitter else ()
        hashed = self.count - 1
        return [1 + crc32(feature) % hashed for feature in encoded], [self.count + piece for piece in pieces]
