"""The parrot attack: imitate the de-identifier, and suspect the names that the imitation does not mark.

The attack is that of Carrell et al. (2019). The de-identifier missed the names that are left in. A tagger
trained on the released notes to do the same may miss them again. Three attackers look at all names in the
released notes:

- ``rerun`` runs the public tool on them, and suspects what it does not mark;
- ``parrot`` trains a CRF on half of the notes, with the tool's marks as labels, and suspects names of the
  other half to which it gives little probability;
- ``counts`` suspects names whose words stand just once in the patient's notes, because surrogates repeat.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from importlib import import_module
from itertools import groupby
from pathlib import Path
from typing import Any

from plainsight.config import load_policy
from plainsight.document import Document, Span
from plainsight.errors import PluginError
from plainsight.lab.attack.name_features import least_seen, name_flags, occurrences
from plainsight.lab.attack.release import (
    CONSISTENCIES,
    NAMES,
    Consistency,
    Maker,
    Place,
    by_scope,
    key_of,
    leave_by_chance,
    name_places,
    names_only,
    release,
    surrogate,
    visible_names,
)
from plainsight.lab.attack.statistics import Record, accuse
from plainsight.pipeline import Pipeline
from plainsight.text.tokens import tokenize

_TOOL = "fast"  # the policy whose detectors everybody can run
_SETTINGS = {"c1": 0.1, "c2": 0.1, "max_iterations": 30, "feature.possible_transitions": True}
_AROUND = ((-2, 1), (-1, 4), (1, 4), (2, 1))  # neighbours of a token, and how many of their features count

Token = tuple[int, int, list[str]]


def parrot(
    gold: Sequence[Document],
    *,
    consistencies: Sequence[Consistency] = CONSISTENCIES,
    shares: Sequence[float] = (0.05,),
    with_missed: bool = True,
    seed: int = 0,
    make: Maker = surrogate,
) -> list[Record]:
    """Attack releases with a share of the names left in by chance, and with those that the tool misses."""
    _require_crf()
    own, theirs = by_scope([names_only(document) for document in gold], 2, seed)
    notes = own + theirs
    leaks: dict[str, set[Place]] = {
        f"{share:.0%} by chance": leave_by_chance(notes, share, seed) for share in shares
    }
    if with_missed:
        leaks["missed by the tool"] = missed(notes)
    records = []
    for consistency in consistencies:
        surrogates = make(key_of(seed, "released"), consistency).replace(notes)
        for left_in, left in leaks.items():
            attacks = _attack(release(notes, surrogates, left), len(own))
            for attacker, result in attacks.items():
                about = {"consistency": consistency, "left_in": left_in, "attacker": attacker}
                records.append({**about, **result})
    return records


def missed(gold: Sequence[Document]) -> set[Place]:
    """Return the names of which the tool does not find a single letter."""
    marks = _marks(gold)
    return {
        (note, number)
        for note, number in name_places(gold)
        if not _covered(gold[note].spans[number], marks[note])
    }


def _marks(documents: Sequence[Document]) -> list[list[Span]]:
    """Return what the public tool marks, of any label."""
    bare = [replace(document, spans=(), patient=None) for document in documents]
    found = Pipeline(load_policy(_TOOL)).detect(bare)
    return [list(item.spans) if isinstance(item, Document) else [] for item in found]


def _covered(span: Span, marks: Sequence[Span]) -> bool:
    return any(mark.start < span.end and span.start < mark.end for mark in marks)


def _attack(released: Sequence[Document], half: int) -> dict[str, Record]:
    names, marks = visible_names(released), _marks(released)
    truths = [name.left for name in names]
    unmarked = [float(not _covered(name.span, marks[name.note])) for name in names]
    counts = occurrences(names)
    once = [-float(least_seen(name, counts)) for name in names]
    probabilities = imitate(released[:half], marks[:half], released[half:])
    theirs = [name for name in names if name.note >= half]
    doubts = [1.0 - _probability(name.span, probabilities[name.note - half]) for name in theirs]
    return {
        "rerun": accuse(unmarked, truths, 0.5),
        "parrot": accuse(doubts, [name.left for name in theirs], 0.5),
        "counts": accuse(once, truths, -1.5),
    }


def _probability(span: Span, tokens: Mapping[tuple[int, int], float]) -> float:
    """Return the highest probability that the imitation gives to a token of a name."""
    inside = (chance for (start, end), chance in tokens.items() if start < span.end and span.start < end)
    return max(inside, default=0.0)


# --- the imitation ----------------------------------------------------------------------------------------


def _require_crf() -> Any:
    """Return the CRF library, or say how to install it."""
    try:
        return import_module("pycrfsuite")
    except ImportError:
        raise PluginError("the parrot attack trains a CRF: pip install 'plainsight[train]'") from None


def imitate(
    own: Sequence[Document], marks: Sequence[Sequence[Span]], theirs: Sequence[Document]
) -> list[dict[tuple[int, int], float]]:
    """Train a CRF on the de-identifier's marks; return each token's probability of being marked.

    One table for each note of ``theirs``.
    """
    crf = _require_crf()
    trainer = crf.Trainer(algorithm="lbfgs", verbose=False)
    trainer.set_params(_SETTINGS)
    for document, spans in zip(own, marks, strict=True):
        inside = {place for span in spans if span.label in NAMES for place in range(span.start, span.end)}
        for line in _lines(document.text):
            labels = ["N" if start in inside or end - 1 in inside else "O" for start, end, _ in line]
            trainer.append([features for _, _, features in line], labels)
    # The model holds words of the notes: the folder is the user's alone and is deleted.
    with tempfile.TemporaryDirectory() as folder:
        model = str(Path(folder) / "imitation.crfsuite")
        trainer.train(model)
        tagger = crf.Tagger()
        tagger.open(model)
        try:
            return [_tag(tagger, document.text) for document in theirs]
        finally:
            tagger.close()


def _tag(tagger: Any, text: str) -> dict[tuple[int, int], float]:
    probabilities: dict[tuple[int, int], float] = {}
    if "N" not in tagger.labels():  # nothing was marked, so nothing was learnt
        return probabilities
    for line in _lines(text):
        tagger.set([features for _, _, features in line])
        for number, (start, end, _) in enumerate(line):
            probabilities[start, end] = tagger.marginal("N", number)
    return probabilities


def _lines(text: str) -> Iterator[list[Token]]:
    """Yield the tokens of each line with their features."""
    for _, line in groupby(tokenize(text), lambda token: text.count("\n", 0, token[0])):
        tokens = list(line)
        own = [_features(text[start:end]) for start, end in tokens]
        yield [(*token, _with_neighbours(own, number)) for number, token in enumerate(tokens)]


def _with_neighbours(own: Sequence[Sequence[str]], number: int) -> list[str]:
    features = list(own[number])
    for offset, count in _AROUND:
        place = number + offset
        beside = own[place][:count] if 0 <= place < len(own) else ["edge"]
        features += [f"{offset}:{feature}" for feature in beside]
    return features


def _features(token: str) -> list[str]:
    low = token.casefold()
    shape = "".join(
        "X" if c.isupper() else "x" if c.islower() else "9" if c.isdigit() else c for c in token[:6]
    )
    return [f"w={low}", f"s={shape}", *name_flags(low), f"p={low[:3]}", f"e={low[-3:]}", f"e2={low[-2:]}"]
