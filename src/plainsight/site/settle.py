"""Read repeated sentences in several notes, and decide what is claimed in them wherever they stand.

What detectors claim in a sentence may depend on the text around it. So a sentence that the site repeats is
read in several whole notes. If `ALIKE` readings claim the same, that is kept. If they differ, `READINGS` of
them vote: text that at least the share `SHARE` of them claim stays claimed, with the label that most gave it.
So the same sentence is treated alike in all notes. A sentence is never settled if a claim
reaches into or out of it, if it has letters or digits but no word, or if it is a single word that was read
differently. One with a number of several digits that nothing claims is settled with just these digits, after
as many readings with them: another number in its place may be a date or an identifier.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from plainsight.document import Document, SetAside, Span
from plainsight.pipeline import Pipeline, batches
from plainsight.site.known import AS_WRITTEN, Found, Sentence, flat, sentences_of

ALIKE = 3
READINGS = 8
SHARE = 0.5
LEAST = 3
"""How often a sentence occurs that is worth keeping."""
MOST = 200_000
"""How many sentences are kept: the most frequent ones. They take about 50 MB in memory."""

_GAIN = 0.05  # the least part of a note that is in sentences still to be read
_NUMBER = re.compile(r"0[0/.:-]*0")  # more than one digit, in a text with digits as 0
_WORD = re.compile(r"[^\W\d_]{2,}")
_SIGNS = re.compile(r"[\W_]*")

Settled = dict[str, tuple[tuple[Found, ...], tuple[Found, ...]]]
"""The claims and the possible identifiers of each sentence; see `AS_WRITTEN`."""


@dataclass(slots=True)
class _Seen:
    """The readings of a sentence: each different set of claims, without scores, and how often it was made."""

    readings: Counter[tuple[Found, ...]] = field(default_factory=Counter)
    scores: dict[Found, float] = field(default_factory=dict)
    possible: tuple[Found, ...] = ()
    crossed: bool = False

    def add(self, claims: Sequence[Found], possible: tuple[Found, ...]) -> None:
        """Add a reading; of the possible identifiers, those of the most doubtful one are kept."""
        bare = [claim._replace(score=0.0) for claim in claims]
        self.readings[tuple(bare)] += 1
        for key, claim in zip(bare, claims, strict=True):
            self.scores[key] = max(claim.score, self.scores.get(key, 0.0))
        self.possible = max(self.possible, possible, key=lambda tokens: sum(token.score for token in tokens))

    @property
    def is_enough(self) -> bool:
        """Whether no further reading can change what is kept."""
        return self.crossed or self.readings.total() >= (ALIKE if len(self.readings) == 1 else READINGS)

    def claims(self) -> tuple[Found, ...]:
        """Return the claims that count."""
        if len(self.readings) == 1:
            [kept] = self.readings
        else:
            kept = self._vote()
        return tuple(claim._replace(score=self.scores[claim]) for claim in kept)

    def _vote(self) -> tuple[Found, ...]:
        """Return what enough readings claim; the label is that of most."""
        votes: defaultdict[tuple[int, int, str], Counter[Found]] = defaultdict(Counter)
        for reading, times in self.readings.items():
            for claim in reading:
                votes[claim.start, claim.end, claim.detector][claim] += times
        enough = SHARE * self.readings.total()
        return tuple(
            max(given, key=lambda claim: (given[claim], claim))
            for _, given in sorted(votes.items())
            if given.total() >= enough
        )


class Settling:
    """What was read so far of the sentences that a site repeats, by their text with digits as ``0``."""

    def __init__(self, repeated: Mapping[str, int]) -> None:
        self._counts = repeated
        self._seen: dict[str, _Seen] = {}
        self._written: dict[str, _Seen] = {}  # sentences with numbers, by their text with its digits

    def is_wanted(self, note: Document, found: Sequence[Sentence]) -> bool:
        """Whether enough of a note is in repeated sentences of which too little was read."""
        gain = 0
        for sentence in found:
            if sentence.text in self._counts:
                seen = self._seen.get(sentence.text)
                if seen is None or not seen.is_enough:
                    gain += len(sentence.text)
        return gain > _GAIN * len(note.text)

    def add(self, found: Sequence[Sentence], claims: Sequence[Span], possible: Sequence[Span]) -> None:
        """Add what was claimed in a note."""
        for sentence in found:
            if sentence.text in self._counts:
                inside = [span for span in claims if span.start < sentence.end and sentence.start < span.end]
                crossed = any(s.start < sentence.start or sentence.end < s.end for s in inside)
                tokens = [
                    span for span in possible if sentence.start <= span.start and span.end <= sentence.end
                ]
                each = [self._seen.setdefault(sentence.text, _Seen())]
                is_new = sentence.written not in self._written
                if _NUMBER.search(sentence.text) and not (is_new and len(self._written) >= MOST):
                    each.append(self._written.setdefault(sentence.written, _Seen()))
                for seen in each:
                    seen.crossed |= crossed
                    seen.add(_relative(inside, sentence.start), _relative(tokens, sentence.start))

    def result(self) -> Settled:
        """Return the sentences that are settled.

        With a number that nobody claims, only just this one is: 25/20 is a ratio, and 10/12 in its place a
        date.
        """
        settled = {}
        for text in sorted(self._seen, key=lambda text: (-self._counts[text], text)):
            if _is_settled(text, seen := self._seen[text]):
                claims = seen.claims()
                if all(_is_claimed(found, claims) for found in _NUMBER.finditer(text)):
                    settled[text] = (claims, seen.possible)
        for text, seen in sorted(self._written.items()):
            if flat(text) not in settled and _is_settled(text, seen):
                settled[AS_WRITTEN + text] = (seen.claims(), seen.possible)
        return settled


def _is_settled(text: str, seen: _Seen) -> bool:
    words = len(_WORD.findall(text))
    decided = words > 1 or (words and len(seen.readings) == 1) or _SIGNS.fullmatch(text)
    return bool(decided) and seen.is_enough and not seen.crossed


def _is_claimed(found: re.Match[str], claims: Iterable[Found]) -> bool:
    return any(claim.start <= found.start() and found.end() <= claim.end for claim in claims)


def settle(
    pipeline: Pipeline,
    notes: Iterable[Document | SetAside],
    repeated: Mapping[str, int],
    *,
    progress: Callable[[int], None] = lambda notes: None,
) -> Settled:
    """Read notes until enough was read of every repeated sentence; return those that are settled.

    ``repeated`` has the texts, with digits as ``0``, and how often each occurs.
    """
    settling = Settling(repeated)
    for batch in batches(notes):
        split = [(item, sentences_of(item.text)) for item in batch if isinstance(item, Document)]
        wanted = [(note, found) for note, found in split if settling.is_wanted(note, found)]
        claimed = pipeline.local_claims([note for note, _ in wanted])
        for (_, found), (claims, possible) in zip(wanted, claimed, strict=True):
            settling.add(found, claims, possible)
        progress(len(batch))
    return settling.result()


def _relative(spans: Iterable[Span], offset: int) -> tuple[Found, ...]:
    return tuple(
        Found(span.start - offset, span.end - offset, span.label, span.score, span.source) for span in spans
    )
