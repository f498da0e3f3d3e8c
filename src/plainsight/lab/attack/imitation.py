"""The imitation: a CRF trained to mark what the de-identifier marks."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

from plainsight.document import Document, Span
from plainsight.errors import PluginError
from plainsight.lab.attack.name_features import name_flags
from plainsight.text.tokens import tokenize

_NAMES = ("PATIENT", "DOCTOR")
_SETTINGS = {"c1": 0.1, "c2": 0.1, "max_iterations": 30, "feature.possible_transitions": True}
_AROUND = ((-2, 1), (-1, 4), (1, 4), (2, 1))  # where beside a token, and how many of that one's features

Token = tuple[int, int, list[str]]


def require_crf() -> Any:
    """Return the CRF library, or say how to get it."""
    try:
        return import_module("pycrfsuite")
    except ImportError:
        raise PluginError("the parrot attack trains a CRF: pip install 'plainsight[train]'") from None


def imitate(
    learnt: Sequence[Document], marks: Sequence[Sequence[Span]], judged: Sequence[Document]
) -> list[dict[tuple[int, int], float]]:
    """Learn from notes and the de-identifier's marks; return each token's probability of being marked.

    One table for each note that is judged.
    """
    crf = require_crf()
    trainer = crf.Trainer(algorithm="lbfgs", verbose=False)
    trainer.set_params(_SETTINGS)
    for document, theirs in zip(learnt, marks, strict=True):
        named = {place for mark in theirs if mark.label in _NAMES for place in range(mark.start, mark.end)}
        for line in _lines(document.text):
            labels = ["N" if start in named or end - 1 in named else "O" for start, end, _ in line]
            trainer.append([features for _, _, features in line], labels)
    # The model holds words of the notes: the folder is the user's alone, and goes with it.
    with tempfile.TemporaryDirectory() as folder:
        model = str(Path(folder) / "imitation.crfsuite")
        trainer.train(model)
        tagger = crf.Tagger()
        tagger.open(model)
        try:
            return [_judge(tagger, document.text) for document in judged]
        finally:
            tagger.close()


def _judge(tagger: Any, text: str) -> dict[tuple[int, int], float]:
    sure: dict[tuple[int, int], float] = {}
    if "N" not in tagger.labels():  # nothing was marked, so nothing was learnt
        return sure
    for line in _lines(text):
        tagger.set([features for _, _, features in line])
        for number, (start, end, _) in enumerate(line):
            sure[start, end] = tagger.marginal("N", number)
    return sure


def _lines(text: str) -> Iterator[list[Token]]:
    """Yield the tokens of each line with their features."""
    line: list[tuple[int, int]] = []
    last = 0
    for start, end in tokenize(text):
        if line and "\n" in text[last:start]:
            yield _featured(text, line)
            line = []
        line.append((start, end))
        last = end
    if line:
        yield _featured(text, line)


def _featured(text: str, line: Sequence[tuple[int, int]]) -> list[Token]:
    own = [_own(text[start:end]) for start, end in line]
    found = []
    for number, (start, end) in enumerate(line):
        features = list(own[number])
        for offset, kept in _AROUND:
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
