"""The parrot attack: imitate the de-identifier, and suspect the names that the imitation does not mark.

Names that are left in were missed once; whoever trains a tagger on the released notes to do what the
de-identifier did may find that it misses them again. Three attackers look at all names that a careful reader
sees in the released notes:

- ``rerun`` runs the public tool on them, and suspects what it does not mark;
- ``parrot`` trains a CRF on half of the notes, with the tool's marks as labels, and suspects names of the
  other half to which it gives little probability;
- ``counts`` suspects names whose words stand just once in the patient's notes, for surrogates repeat.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from importlib import import_module
from pathlib import Path
from typing import Any, Literal

from plainsight.config import load_policy
from plainsight.document import Document, Span
from plainsight.errors import PluginError
from plainsight.evaluate.attack.looks import least_seen, name_flags, occurrences
from plainsight.evaluate.attack.release import (
    CONSISTENCIES,
    Consistency,
    Maker,
    Name,
    Place,
    by_scope,
    key_of,
    leave_by_chance,
    name_places,
    release,
    surrogate,
    visible_names,
)
from plainsight.evaluate.attack.statistics import Flagged, flagged
from plainsight.pipeline import Pipeline
from plainsight.text.tokens import tokenize

__all__ = ["Attacker", "Parroted", "missed", "parrot"]

Attacker = Literal["rerun", "parrot", "counts"]

_NAMES = ("PATIENT", "DOCTOR")
_TOOL = "fast"  # the policy whose detectors everybody can run


@dataclass(frozen=True, slots=True)
class Parroted:
    """What one attacker found out about one release."""

    consistency: Consistency
    left_in: str
    attacker: Attacker
    result: Flagged

    def to_json(self) -> dict[str, object]:
        """Return plain data."""
        result = self.result
        rates = {
            "precision": result.precision,
            "recall": result.recall,
            "random_precision": result.guess,
            "auc": result.area,
        }
        return {
            "consistency": self.consistency,
            "left_in": self.left_in,
            "attacker": self.attacker,
            "names": result.names,
            "left": result.left,
            "accused": result.accused,
            "caught": result.caught,
            **{name: None if rate is None else round(rate, 4) for name, rate in rates.items()},
        }


def parrot(
    gold: Sequence[Document],
    *,
    consistencies: Sequence[Consistency] = CONSISTENCIES,
    shares: Sequence[float] = (0.02, 0.05),
    with_missed: bool = True,
    seed: int = 0,
    make: Maker = surrogate,
) -> list[Parroted]:
    """Attack releases with a share of the names left in by chance, and with those the tool really misses."""
    require_crf()
    ordered = [note for half in by_scope(gold, 2, seed) for note in half]
    cut = len(by_scope(gold, 2, seed)[0])
    leaks: dict[str, set[Place]] = {
        f"{share:.0%} by chance": leave_by_chance(ordered, share, seed) for share in shares
    }
    if with_missed:
        leaks["missed by the tool"] = missed(ordered)
    found = []
    for consistency in consistencies:
        surrogates = make(key_of(seed, "released"), consistency).replace(ordered)
        for left_in, left in leaks.items():
            released = release(ordered, surrogates, left)
            for attacker, result in _attack(released, cut).items():
                found.append(Parroted(consistency, left_in, attacker, result))
    return found


def missed(gold: Sequence[Document]) -> set[Place]:
    """Return the names that the tool does not find in the notes as they are: of a name, any letter."""
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


def _attack(released: Sequence[Document], cut: int) -> dict[Attacker, Flagged]:
    names = visible_names(released)
    truths = [name.left for name in names]
    marks = _marks(released)
    unmarked = [float(not _covered(name.span, marks[name.note])) for name in names]
    counts = occurrences(names)
    once = [-float(least_seen(name, counts)) for name in names]
    doubts = _doubts(released, marks, names, cut)
    imitated = [number for number, doubt in enumerate(doubts) if doubt is not None]
    return {
        "rerun": flagged(unmarked, truths, 0.5),
        "parrot": flagged(
            [doubts[number] or 0.0 for number in imitated], [truths[number] for number in imitated], 0.5
        ),
        "counts": flagged(once, truths, -1.5),
    }


# --- the imitation ----------------------------------------------------------------------------------------


def require_crf() -> Any:
    """Return the CRF library, or say how to get it."""
    try:
        return import_module("pycrfsuite")
    except ImportError:
        raise PluginError(
            "the parrot attack trains a CRF; install it with: pip install 'plainsight[train]'"
        ) from None


def _doubts(
    released: Sequence[Document], marks: Sequence[Sequence[Span]], names: Sequence[Name], cut: int
) -> list[float | None]:
    """Return how much the imitation doubts each name of the second half; None for the half it learnt from."""
    crf = require_crf()
    trainer = crf.Trainer(algorithm="lbfgs", verbose=False)
    trainer.set_params({"c1": 0.1, "c2": 0.1, "max_iterations": 40, "feature.possible_transitions": True})
    for document, theirs in zip(released[:cut], marks[:cut], strict=True):
        claimed = [mark for mark in theirs if mark.label in _NAMES]
        for line in _lines(document):
            labels = ["N" if _covered(Span(a, b, "N"), claimed) else "O" for a, b, _ in line]
            trainer.append([features for _, _, features in line], labels)
    doubts: list[float | None] = [None] * len(names)
    with tempfile.TemporaryDirectory() as folder:
        model = str(Path(folder) / "parrot.crfsuite")
        trainer.train(model)
        tagger = crf.Tagger()
        tagger.open(model)
        try:
            for place in range(cut, len(released)):
                sure = _sureness(tagger, released[place])
                for number, name in enumerate(names):
                    if name.note == place:
                        inside = [
                            s for (a, b), s in sure.items() if a < name.span.end and name.span.start < b
                        ]
                        doubts[number] = 1.0 - max(inside, default=0.0)
        finally:
            tagger.close()
    return doubts


def _sureness(tagger: Any, document: Document) -> dict[tuple[int, int], float]:
    """Return for each token how probable it is that the de-identifier would take it for a name."""
    sure = {}
    for line in _lines(document):
        tagger.set([features for _, _, features in line])
        for number, (start, end, _) in enumerate(line):
            sure[start, end] = tagger.marginal("N", number) if "N" in tagger.labels() else 0.0
    return sure


def _lines(document: Document) -> Iterator[list[tuple[int, int, list[str]]]]:
    """Yield the tokens of each line with their features."""
    line: list[tuple[int, int]] = []
    last = 0
    for start, end in tokenize(document.text):
        if line and "\n" in document.text[last:start]:
            yield _featured(document.text, line)
            line = []
        line.append((start, end))
        last = end
    if line:
        yield _featured(document.text, line)


def _featured(text: str, line: Sequence[tuple[int, int]]) -> list[tuple[int, int, list[str]]]:
    own = [_own(text[start:end]) for start, end in line]
    around = ((-2, 2), (-1, 4), (1, 4), (2, 2))
    found = []
    for number, (start, end) in enumerate(line):
        features = list(own[number])
        for offset, kept in around:
            place = number + offset
            beside = own[place][:kept] if 0 <= place < len(own) else ["edge"]
            features += [f"{offset}:{feature}" for feature in beside]
        found.append((start, end, features))
    return found


def _own(token: str) -> list[str]:
    low = token.casefold()
    shape = "".join(
        "X" if c.isupper() else "x" if c.islower() else "9" if c.isdigit() else c for c in token[:6]
    )
    return [f"w={low}", f"s={shape}", *name_flags(low), f"p={low[:3]}", f"e={low[-3:]}", f"e2={low[-2:]}"]
