"""The figures of the MEDDOCAN task, to the last digit.

- **NER**: marks that agree in type, start and end; the leak score is the missed marks per sentence.
- **strict spans**: start and end alone.
- **merged spans**: marks with no letter or digit between them are joined on both sides; what agrees strictly
  or joined is right, and a mark inside something right is neither missed nor spurious.

All are micro averages over notes; undefined ones are 0. The task counts the sentences of a splitter of its
own, which is not ours: give the number for each note, where it is known, or our sentences are counted.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from plainsight.document import Span
from plainsight.evaluate.pairs import Pair
from plainsight.text.lines import sentences

__all__ = ["Meddocan", "meddocan"]

Edges = tuple[int, int]
Count = tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class Meddocan:
    """Precision, recall and F of one track; the leak score of the first."""

    precision: float
    recall: float
    f: float
    leak: float | None = None

    def to_json(self) -> dict[str, Any]:
        """Return the figures by name."""
        figures = {"precision": self.precision, "recall": self.recall, "f": self.f}
        return figures if self.leak is None else {**figures, "leak": self.leak}


def meddocan(pairs: Sequence[Pair], *, sentences_of: Mapping[str, int] | None = None) -> dict[str, Meddocan]:
    """Return the figures of each track by its title; ``sentences_of`` gives note ids their sentences."""
    known = sentences_of or {}
    count = sum(known[pair.id] if pair.id in known else len(sentences(pair.text)) for pair in pairs)
    missed = sum(_ner(pair)[2] for pair in pairs)
    return {
        "NER": _figures(pairs, _ner, leak=missed / count if count else 0.0),
        "strict spans": _figures(pairs, _strict),
        "merged spans": _figures(pairs, _merged),
    }


def _figures(pairs: Sequence[Pair], count: Callable[[Pair], Count], leak: float | None = None) -> Meddocan:
    right, spurious, missed = (sum(column) for column in zip(*map(count, pairs), strict=True))
    precision = right / (right + spurious) if right + spurious else 0.0
    recall = right / (right + missed) if right + missed else 0.0
    both = precision + recall
    return Meddocan(precision, recall, 2 * precision * recall / both if both else 0.0, leak)


def _ner(pair: Pair) -> Count:
    gold, found = ({(s.label, s.start, s.end) for s in spans} for spans in (pair.gold, pair.found))
    return len(gold & found), len(found - gold), len(gold - found)


def _strict(pair: Pair) -> Count:
    gold, found = _edges(pair.gold), _edges(pair.found)
    return len(gold & found), len(found - gold), len(gold - found)


def _merged(pair: Pair) -> Count:
    gold, found = _edges(pair.gold), _edges(pair.found)
    right = (gold & found) | (_joined(pair.text, pair.gold) & _joined(pair.text, pair.found))
    spurious = [edges for edges in found - gold if not _inside(edges, right)]
    missed = [edges for edges in gold - found if not _inside(edges, right)]
    return len(right), len(spurious), len(missed)


def _edges(spans: Sequence[Span]) -> set[Edges]:
    return {(span.start, span.end) for span in spans}


def _joined(text: str, spans: Sequence[Span]) -> set[Edges]:
    """Return the spans with those joined that nothing but signs and white space parts.

    A span joined to one that it lies in ends the whole, as in the task's script.
    """
    joined: list[Edges] = []
    for start, end in sorted(_edges(spans)):
        if joined and not any(character.isalnum() for character in text[joined[-1][1] : start]):
            joined[-1] = (joined[-1][0], end)
        else:
            joined.append((start, end))
    return set(joined)


def _inside(edges: Edges, others: set[Edges]) -> bool:
    return any(start <= edges[0] and edges[1] <= end for start, end in others)
