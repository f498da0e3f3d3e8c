"""The vocabulary as two files, so that it is read in a tenth of the time it takes to build.

``words.txt.gz`` has one line for each combination of flags: the number, then every word that has it.
``phrases.tsv.gz`` has one line for each listed entry: how it starts, kind, size and text. Both are made from
the lists and the rules of `vocabulary` by ``scripts/build_vocabulary.py``; a test holds them to that.
"""

from __future__ import annotations

import gzip
from collections import defaultdict
from collections.abc import Mapping
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import NamedTuple

_WORDS, _PHRASES = "words.txt.gz", "phrases.tsv.gz"


class Phrase(NamedTuple):
    """A listed entry: its text, what it is, and its size (of a city: digits of its people less one).

    Size 9 marks an excluded phrase whose words may lack capitals.
    """

    text: bytes
    kind: str
    size: int


def read_words(folder: Traversable) -> dict[bytes, int]:
    """Return the flags of every word; equal flags are one object."""
    flags: dict[bytes, int] = {}
    for line in gzip.decompress((folder / _WORDS).read_bytes()).splitlines():
        number, *words = line.split(b" ")
        flags.update(dict.fromkeys(words, int(number)))
    return flags


def read_phrases(folder: Traversable) -> dict[bytes, tuple[Phrase, ...]]:
    """Return the listed entries by how they start, the longest first."""
    found: defaultdict[bytes, list[Phrase]] = defaultdict(list)
    for line in gzip.decompress((folder / _PHRASES).read_bytes()).splitlines():
        start, kind, size, text = line.split(b"\t")
        found[start].append(Phrase(text, kind.decode(), int(size)))
    return {start: tuple(phrases) for start, phrases in found.items()}


def write_compiled(
    folder: Path, flags: Mapping[bytes, int], phrases: Mapping[bytes, tuple[Phrase, ...]]
) -> None:
    """Write both files, the same bytes for the same vocabulary."""
    by_flags: defaultdict[int, list[bytes]] = defaultdict(list)
    for word in sorted(flags):
        by_flags[flags[word]].append(word)
    words = b"".join(b"%d %b\n" % (number, b" ".join(by_flags[number])) for number in sorted(by_flags))
    rows = b"".join(
        b"%b\t%b\t%d\t%b\n" % (start, phrase.kind.encode(), phrase.size, phrase.text)
        for start in sorted(phrases)
        for phrase in phrases[start]
    )
    for name, content in ((_WORDS, words), (_PHRASES, rows)):
        (folder / name).write_bytes(gzip.compress(content, 9, mtime=0))
