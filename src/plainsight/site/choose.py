"""Which notes a reader should read: those that teach most, and beside them a random sample to judge by.

| strategy | reads first |
|---|---|
| ``random`` | any note |
| ``least-confident`` | notes with the most expected errors: possible misses and doubtful spans |
| ``disagreement`` | notes that another policy marks differently |
| ``rare-words`` | notes with the rarest capitalised words that nobody marked |
| ``diversity`` | notes whose doubtful places are common at the site and unlike those chosen before |
| ``gain`` | the same for each second of reading time |
| ``leaks`` | the same, of what may have been missed alone |
| ``sentences`` | notes with doubtful sentences of forms that are common and were not read, for each second |

All but ``random`` use what the policy itself finds doubtful; none needs gold marks. The audit sample is drawn
first and at random, so what it shows holds for all notes.
"""

from __future__ import annotations

import heapq
import random
import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import groupby
from math import log2
from operator import attrgetter

from plainsight.combine.doubt import Doubt, Kind
from plainsight.config import load_policy
from plainsight.document import Document, Span
from plainsight.pipeline import Doubted, Item, Pipeline
from plainsight.site.reading import Pace
from plainsight.text.lines import bare_sentences
from plainsight.text.rare_words import surprise

AUDIT, DOUBT = "audit", "doubt"
"""Why a note is read."""

_WORD = re.compile(r"\w+|[^\w\s]")
_DIGIT = re.compile(r"\d")
_RARE_WORD = 0.1  # an unmarked rare word beside a network: how often it is an identifier
_DISAGREEMENT = 0.5


class Strategy(StrEnum):
    """How notes are chosen."""

    RANDOM = "random"
    LEAST_CONFIDENT = "least-confident"
    DISAGREEMENT = "disagreement"
    RARE_WORDS = "rare-words"
    DIVERSITY = "diversity"
    GAIN = "gain"
    LEAKS = "leaks"
    SENTENCES = "sentences"


@dataclass(frozen=True, slots=True, repr=False)
class Candidate:
    """A note that could be read: what was found in it, what is in doubt, and what another policy says."""

    document: Document
    doubts: tuple[Doubt, ...]
    differs: tuple[Span, ...] = ()
    seconds: float = 0.0
    kinds: Mapping[str, float] = field(default_factory=dict)
    """The kinds of its doubtful places, with the errors that each is expected to be."""
    leaks: Mapping[str, float] = field(default_factory=dict)
    """The kinds of what may have been missed in it, with the probability."""
    sentences: Mapping[str, float] = field(default_factory=dict)
    """The forms of its doubtful sentences, with the errors that are expected in each."""


def candidates(
    pipeline: Pipeline, notes: Iterable[Item], *, others: Mapping[str, Sequence[Span]] | None = None
) -> list[Candidate]:
    """Return what is in doubt in each note; notes that cannot be done are left out.

    ``others`` are another policy's spans of each note, by id (`second_opinion`). ``disagreement`` needs them,
    and ``diversity`` and ``gain`` choose better with them.
    """
    doubted = (item for item in pipeline.doubt(notes) if isinstance(item, Doubted))
    return [_candidate(item, None if others is None else others.get(item.document.id)) for item in doubted]


def second_opinion(policy: str, notes: Iterable[Item]) -> dict[str, tuple[Span, ...]]:
    """Return what another policy finds in each note: ``fast``, or ``balanced`` beside ``fast``."""
    found = Pipeline(load_policy("balanced" if policy == "fast" else "fast")).detect(notes)
    return {item.id: item.spans for item in found if isinstance(item, Document)}


def _candidate(item: Doubted, other: Sequence[Span] | None) -> Candidate:
    note, doubts = item.document, item.doubts.places
    differs = () if other is None else tuple(_differing(note.spans, other))
    places = [(doubt.start, doubt.end, doubt.label or "", _expected(doubt)) for doubt in doubts]
    places += [(span.start, span.end, span.label, _DISAGREEMENT) for span in differs]
    marked = {(span.start, span.end) for span in note.spans}
    kinds: dict[str, float] = {}
    leaks: dict[str, float] = {}
    for start, end, label, expected in places:
        key = _kind(note.text, start, end, label)
        kinds[key] = max(kinds.get(key, 0.0), expected)
        if (start, end) not in marked:
            leaks[key] = max(leaks.get(key, 0.0), expected)
    expected_changes = sum(_expected(doubt) for doubt in doubts)
    seconds = Pace().seconds(note.text, len(note.spans), expected_changes)
    return Candidate(note, doubts, differs, seconds, kinds, leaks, _sentences(note, places))


def _sentences(note: Document, places: Sequence[tuple[int, int, str, float]]) -> dict[str, float]:
    """Return the forms of the sentences that hold doubtful places, with the errors expected in each.

    A form has the labels of what was found, and of the other words the first two and the last two.
    """
    forms: dict[str, float] = {}
    for start, end in bare_sentences(note.text):
        expected = sum(place[3] for place in places if start <= place[0] < end)
        if not expected:
            continue
        words, at = list[str](), start
        for span in (span for span in note.spans if start <= span.start < end):
            words += [*_WORD.findall(note.text[at : span.start]), f"<{span.label}>"]
            at = max(at, span.end)
        words += _WORD.findall(note.text[at:end])
        flat = [_DIGIT.sub("0", word if word.startswith("<") else word.lower()) for word in words]
        labels = [word for word in flat[2:-2] if word.startswith("<")]
        form = " ".join((*flat[:2], *labels, *flat[-2:]))
        forms[form] = max(forms.get(form, 0.0), expected)
    return forms


def _expected(doubt: Doubt) -> float:
    """Return how probable it is that a place is an error."""
    if doubt.kind is Kind.SPAN:
        return 1.0 - (doubt.probability or 0.0)
    return _RARE_WORD if doubt.probability is None else doubt.probability


def _differing(ours: Sequence[Span], theirs: Sequence[Span]) -> Iterable[Span]:
    """Yield the spans of either side that the other has not, or under another label."""
    for one, two in ((ours, theirs), (theirs, ours)):
        known = {(span.start, span.end, span.label) for span in two}
        yield from (span for span in one if (span.start, span.end, span.label) not in known)


def _kind(text: str, start: int, end: int, label: str) -> str:
    """Return what a place has in common with others: its shape, its label and the words beside it.

    >>> _kind("Seen by abc at noon", 8, 11, "DOCTOR")
    'DOCTOR by a at'
    """
    before = _WORD.findall(text[max(0, start - 30) : start])[-1:]
    after = _WORD.findall(text[end : end + 30])[:1]
    chars = text[start : min(end, start + 12)]
    kinds = ("0" if c.isdigit() else "A" if c.isupper() else "a" if c.isalpha() else c for c in chars)
    shape = "".join(kind for kind, _ in groupby(kinds))
    return " ".join((label, *(_DIGIT.sub("0", word.lower()) for word in before), shape,
                     *(_DIGIT.sub("0", word.lower()) for word in after)))  # fmt: skip


def choose(
    notes: Sequence[Candidate],
    count: int,
    strategy: Strategy,
    *,
    audit: int = 0,
    seed: int = 0,
    read: Sequence[Candidate] = (),
) -> list[tuple[Candidate, str]]:
    """Return ``count`` notes to read and why, of which ``audit`` are drawn at random beforehand.

    ``read`` are notes that were read before: ``diversity`` and ``gain`` look for other kinds of doubt.
    """
    shuffled = list(notes)
    random.Random(seed).shuffle(shuffled)
    drawn, left = shuffled[:audit], shuffled[audit:]
    wanted = max(0, count - len(drawn))
    if strategy is Strategy.RANDOM:
        chosen = left[:wanted]
    elif strategy in _COVERED:
        chosen = _cover(left, wanted, read, _COVERED[strategy], per_second=strategy is not Strategy.DIVERSITY)
    else:
        chosen = sorted(left, key=_SCORES[strategy], reverse=True)[:wanted]
    return [*((note, AUDIT) for note in drawn), *((note, DOUBT) for note in chosen)]


def _cover(
    notes: Sequence[Candidate],
    count: int,
    before: Sequence[Candidate],
    kinds: Callable[[Candidate], Mapping[str, float]],
    *,
    per_second: bool,
) -> list[Candidate]:
    """Choose notes one by one, each with the most expected errors of kinds that were not read often yet.

    What reading a kind for the ``n``-th time teaches is taken to fall as ``1 / n**2``. A kind weighs as much
    as the errors expected of it in all notes. A note's gain only falls as others are chosen, so it is
    computed again only when the note comes first.
    """
    weight: Counter[str] = Counter()
    for note in notes:
        weight.update(kinds(note))
    read = Counter(kind for note in before for kind in kinds(note))

    def gain(note: Candidate) -> float:
        total = sum(log2(1.0 + weight[kind]) / (1.0 + read[kind]) ** 2 for kind in kinds(note))
        return total / max(note.seconds, 1.0) if per_second else total

    queue = [(-gain(note), index) for index, note in enumerate(notes)]
    heapq.heapify(queue)
    chosen: list[Candidate] = []
    while queue and len(chosen) < count:
        _, index = heapq.heappop(queue)
        now = -gain(notes[index])
        if queue and now > queue[0][0]:
            heapq.heappush(queue, (now, index))
            continue
        chosen.append(notes[index])
        read.update(dict.fromkeys(kinds(notes[index]), 1))
    return chosen


def _least_confident(note: Candidate) -> float:
    return sum(_expected(doubt) for doubt in note.doubts if doubt.kind is not Kind.RARE)


def _disagreement(note: Candidate) -> float:
    return float(len(note.differs))


def _rare_words(note: Candidate) -> float:
    text = note.document.text
    return sum(surprise(text[d.start : d.end]) for d in note.doubts if d.kind is Kind.RARE)


_SCORES: Mapping[Strategy, Callable[[Candidate], float]] = {
    Strategy.LEAST_CONFIDENT: _least_confident,
    Strategy.DISAGREEMENT: _disagreement,
    Strategy.RARE_WORDS: _rare_words,
}
_COVERED: Mapping[Strategy, Callable[[Candidate], Mapping[str, float]]] = {
    Strategy.DIVERSITY: attrgetter("kinds"),
    Strategy.GAIN: attrgetter("kinds"),
    Strategy.LEAKS: attrgetter("leaks"),
    Strategy.SENTENCES: attrgetter("sentences"),
}
"""What each strategy wants to see all kinds of."""
