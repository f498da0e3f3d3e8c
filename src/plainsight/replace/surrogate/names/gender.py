"""Find the sex that a given name is borne with, so that no title, relation or pronoun clashes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from plainsight.replace.surrogate.names.cues import Cue
from plainsight.replace.surrogate.names.pools import Sex, sex_of

__all__ = ["Evidence", "sexes"]

_STATISTICS: dict[Sex, float] = {"F": 2.0, "M": -2.0, "": 0.0}
_SHARED = 0.5  # of what is known of a person counts for each of the given names
_HINT = 0.5

Evidence = Iterable[tuple[tuple[str, ...], Cue]]
"""Given names of one person, with what stands around them somewhere."""


def sexes(evidence: Evidence, together: Iterable[tuple[str, ...]]) -> Mapping[str, Sex]:
    """Return the sex of each given name; ``together`` are the given names that one person has.

    Everything told in the scope is added up, the statistics of the name included, so that one odd remark does
    not turn John into a woman. Pronouns count only where nothing else is known.
    """
    told: dict[str, float] = {}
    hints: dict[str, float] = {}
    for words, cue in evidence:
        for word in words[:1]:
            told[word] = told.get(word, 0.0) + cue.told
            hints[word] = hints.get(word, 0.0) + cue.hint
    groups = [*together]
    own = {word: score + _STATISTICS[sex_of(word)] for word, score in told.items()}
    shared: dict[str, float] = {}
    for group in groups:
        for word in group:
            if word not in own:
                own[word] = _STATISTICS[sex_of(word)]
        known = own[group[0]] if len(group) == 1 else sum([own[word] for word in group])
        for word in group:
            shared[word] = shared.get(word, 0.0) + _SHARED * known
    return {
        word: _sex(score + shared.get(word, 0.0) or _HINT * hints.get(word, 0.0))
        for word, score in own.items()
    }


def _sex(score: float) -> Sex:
    return "F" if score > 0 else "M" if score < 0 else ""
