"""Find the sex that a given name is borne with, so that no title, relation or pronoun clashes."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping

from plainsight.replace.surrogate.names.cues import Cue
from plainsight.replace.surrogate.names.pools import Sex, sex_of

__all__ = ["Evidence", "sexes"]

_STATISTICS = 2.0
_SHARED = 0.5  # of what is known of a person counts for each of the given names
_HINT = 0.5

Evidence = Iterable[tuple[tuple[str, ...], Cue]]
"""Given names of one person, with what stands around them somewhere."""


def sexes(evidence: Evidence, together: Iterable[tuple[str, ...]]) -> Mapping[str, Sex]:
    """Return the sex of each given name; ``together`` are the given names that one person has.

    Everything told in the scope is added up, the statistics of the name included, so that one odd remark does
    not turn John into a woman. Pronouns count only where nothing else is known.
    """
    told: dict[str, float] = defaultdict(float)
    hints: dict[str, float] = defaultdict(float)
    for words, cue in evidence:
        for word in words[:1]:
            told[word] += cue.told
            hints[word] += cue.hint
    groups = [*together]
    own = {word: told[word] + _statistics(word) for word in {*told, *(w for group in groups for w in group)}}
    shared: dict[str, float] = defaultdict(float)
    for group in groups:
        known = sum(own[word] for word in group)
        for word in group:
            shared[word] += _SHARED * known
    return {word: _sex(score + shared[word] or _HINT * hints[word]) for word, score in own.items()}


def _statistics(word: str) -> float:
    sex = sex_of(word)
    return _STATISTICS if sex == "F" else -_STATISTICS if sex == "M" else 0.0


def _sex(score: float) -> Sex:
    return "F" if score > 0 else "M" if score < 0 else ""
