"""Train the character-model chunker: count strings and transitions, then calibrate its probabilities.

A model holds pieces of the text that it was trained on, names among them: protect it like the notes.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from numpy.typing import NDArray

from plainsight.arrays import Doubles, Ints
from plainsight.document import Document
from plainsight.errors import DataError, UsageError
from plainsight.lab.detect.charlm import Charlm
from plainsight.lab.detect.charlm.language import count_strings
from plainsight.lab.detect.charlm.lattice import States
from plainsight.lab.detect.charlm.network import Network, Stretch
from plainsight.lab.detect.charlm.symbols import EDGE, Alphabet, Symbols, gaps, pieces
from plainsight.lab.train.bias import some_of, sweep
from plainsight.lab.train.check_notes import check_notes
from plainsight.lab.train.scores import save_scored
from plainsight.model import save_model
from plainsight.text.tags import encode
from plainsight.text.tokens import tokenize
from plainsight.text.variants import in_variant

Arrays = dict[str, NDArray[Any]]

_TEMPERATURES = tuple(np.geomspace(1.0, 16.0, 17).tolist())
_USUAL = 4.0  # the temperature if there are too few notes to calibrate
_FEWEST = 20  # notes from which on some are held out
_BIASES = tuple(float(bias) for bias in range(-4, 3))
_ENOUGH = 10_000  # tokens: this model is slow, and more of them hardly improve the choice of a bias


def train_charlm(
    documents: Sequence[Document],
    folder: Path,
    *,
    dev: Sequence[Document] = (),
    order: int = 8,
    ratio: float | None = None,
    most: int = 2_000_000,
    text: str | None = None,
    bias: float | None = 0.0,
    recall: float | None = None,
    progress: Callable[[int, float], None] = lambda step, loss: None,
    stage: Callable[[str], None] = lambda name: None,
) -> dict[str, Any]:
    """Learn from annotated notes, write a model folder and return its manifest.

    ``order`` is the length of the longest n-gram; ``ratio`` says how much a context leaves to shorter ones
    (half the order, if not given); of each of the three kinds of models at most ``most`` n-grams are kept.
    ``text`` is the variant of the text that the model reads (`TEXT_VARIANTS`), as written if None.
    From 20 notes on, every tenth is first held out to find the temperature at which probabilities are
    calibrated. Without a ``bias``, some of these notes also choose one: for the best F, or for a wanted
    ``recall`` of tokens. ``dev`` notes are scored at the end.
    """
    if not 2 <= order <= 32:
        raise UsageError(f"order is from 2 to 32, not {order}")
    ratio = order / 2 if ratio is None else ratio
    if not 0 < ratio < 1000:
        raise UsageError(f"ratio is above 0 and below 1000, not {ratio}")
    if most < 1:
        raise UsageError(f"most is at least 1, not {most}")
    found = check_notes(documents)
    full = [document for document in in_variant(documents, text) if tokenize(document.text)]
    labels = sorted({label for document in full for _, _, label in _marked(document)})
    if not labels:
        raise DataError("no identifier of the training notes has a token of its own")
    temperatures = {"lattice": _USUAL, "rescored": _USUAL}
    held_out, known = full[::10], [document for place, document in enumerate(full) if place % 10]
    choice: dict[str, Any] = {"bias": bias}
    if len(full) >= _FEWEST and all(any(map(_marked, part)) for part in (held_out, known)):
        stage("calibrating")
        settings, arrays = _learn(known, labels, order, ratio, most, temperatures)
        settings["temperatures"] = temperatures = _calibrated(Network(settings, arrays), held_out)
        if bias is None:
            stage("choosing the bias")
            choice = _chosen_bias(settings, arrays, held_out, recall)
    elif bias is None:
        raise DataError(f"a bias is chosen from {_FEWEST} notes on: give one, --bias 0 to begin with")
    stage("counting")
    settings, arrays = _learn(full, labels, order, ratio, most, temperatures)
    manifest = {**settings, **choice, "text": text, "training": {**asdict(found), "most": most}}
    save = partial(save_model, folder, kind=Charlm.name, arrays=arrays)
    return save_scored(save, manifest, dev, lambda: Charlm(model=str(folder)), stage)


def _marked(document: Document) -> list[tuple[int, int, str]]:
    """Return a note's identifiers in tokens: the first, the one after the last, the label."""
    made, first = [], 0
    for place, tag in enumerate(encode(document.spans, tokenize(document.text), scheme="BIOES")):
        if tag[0] in "BS":
            first = place
        if tag[0] in "ES":
            made.append((first, place + 1, tag[2:]))
    return made


def _learn(
    documents: Sequence[Document],
    labels: list[str],
    order: int,
    ratio: float,
    most: int,
    temperatures: dict[str, float],
) -> tuple[dict[str, Any], Arrays]:
    """Return a model's settings and arrays."""
    states, alphabet = States(len(labels)), Alphabet.of(document.text for document in documents)
    number = {label: place for place, label in enumerate(labels)}
    paths = []
    # strings and their states, for the models of tokens, of identifiers, and of the text outside
    words: _Strings = ([], [])
    inside: _Strings = ([], [])
    outside: _Strings = ([], [])
    for document in documents:
        text, tokens = document.text, tokenize(document.text)
        chunks = [(first, last, number[label]) for first, last, label in _marked(document)]
        paths.append(states.path(chunks, len(tokens)))
        words[0].extend(
            alphabet.word(gap, text[start:end])
            for gap, (start, end) in zip(gaps(text, tokens), tokens, strict=True)
        )
        words[1].extend(paths[-1])
        end, before = 0, EDGE
        for first, last, label in chunks:
            start, symbol = tokens[first][0], alphabet.size + label
            outside[0].append(_between(before, alphabet.text(text[end:start]), symbol))
            end, before = tokens[last - 1][1], symbol
            inside[0].append(alphabet.chunk(text[start:end]))
            inside[1].append(label)
        outside[0].append(_between(before, alphabet.text(text[end:]), EDGE))
    outside[1].extend([0] * len(outside[0]))
    arrays = _transitions(states, paths)
    for name, (strings, owners) in (("words", words), ("chunks", inside), ("outside", outside)):
        symbols = alphabet.size + (len(labels) if name == "outside" else 0)
        counted = count_strings(strings, np.array(owners), symbols=symbols, order=order, most=most)
        arrays |= {f"{name}.{key}": values for key, values in counted.items()}
    settings = {
        "labels": labels,
        "characters": alphabet.characters,
        "order": order,
        "ratio": ratio,
        "temperatures": temperatures,
    }
    return settings, arrays


_Strings = tuple[list[Symbols], list[int]]


def _between(before: int, symbols: Symbols, after: int) -> Symbols:
    return np.concatenate(([before], symbols, [after]))


# --- transitions ------------------------------------------------------------------------------------------


def _transitions(states: States, paths: Sequence[Sequence[int]]) -> Arrays:
    """Return log-probabilities of going from state to state, of starting and of stopping.

    States with the same possible successors are smoothed together: the number of an identifier's tokens does
    not matter for what follows it, and neither does the number of tokens before it.
    """
    counts, starts, stops = _counted(states, paths)
    own, labels = states, np.arange(states.labels)
    chances = np.zeros_like(counts)
    first, last = np.zeros(states.size), np.zeros(states.size)

    # after an identifier or the note's edge: the next one, a token between, a run outside, the note's end
    closed = counts[own.end] + counts[own.whole]
    rows = np.zeros((states.labels + 1, own.fresh.stop - own.fresh.start + 2))
    rows[:-1, :-2], rows[-1, :-2] = closed[:, own.fresh], starts[own.fresh]
    rows[:-1, -2], rows[-1, -2] = closed[labels, own.after.start + labels], starts[own.after.stop - 1]
    rows[:-1, -1] = stops[own.end] + stops[own.whole]
    rows = _smoothed(rows)
    for block in (own.end, own.whole):
        chances[block, own.fresh] = rows[:-1, :-2]
        chances[block.start + labels, own.after.start + labels] = rows[:-1, -2]
        last[block] = rows[:-1, -1]
    first[own.fresh], first[own.after.stop - 1] = rows[-1, :-2], rows[-1, -2]

    # within a run outside: on, or to the last token before an identifier or the note's end
    chances[own.running, own.run] = _smoothed(counts[own.running, own.run])

    # before an identifier: it has many tokens or one
    near = (counts[own.before] + counts[own.between])[:-1]
    many, one = own.begin.start + labels, own.whole.start + labels
    opened = _smoothed(np.stack((near[labels, many], near[labels, one]), axis=1))
    for block in (own.before, own.between):
        origins = block.start + labels
        chances[origins, many], chances[origins, one] = opened.T
        last[block.stop - 1] = 1.0

    # within an identifier: on, or to its last token
    on, done = own.inner.start + labels, own.end.start + labels
    for block in (own.begin, own.inner):
        origins = block.start + labels
        chances[origins, on], chances[origins, done] = _smoothed(
            np.stack((counts[origins, on], counts[origins, done]), axis=1)
        ).T
    with np.errstate(divide="ignore"):
        logs = {"transitions": np.log(chances), "start": np.log(first), "stop": np.log(last)}
    return {name: table.astype(np.float32) for name, table in logs.items()}


def _counted(states: States, paths: Sequence[Sequence[int]]) -> tuple[Doubles, Doubles, Doubles]:
    counts = np.zeros((states.size, states.size))
    starts, stops = np.zeros(states.size), np.zeros(states.size)
    for path in paths:
        starts[path[0]] += 1
        stops[path[-1]] += 1
        np.add.at(counts, (path[:-1], path[1:]), 1)
    return counts, starts, stops


def _smoothed(counts: Doubles) -> Doubles:
    """Return each row as probabilities, mixed with those of all rows as Witten and Bell do."""
    total: Doubles = counts.sum(axis=0)
    kinds = max(1, int(np.count_nonzero(total)))
    total = (total + kinds / len(total)) / (total.sum() + kinds)
    each = np.maximum(1, np.count_nonzero(counts, axis=1))[:, None]
    made: Doubles = (counts + each * total) / (counts.sum(axis=1, keepdims=True) + each)
    return made


# --- calibration ------------------------------------------------------------------------------------------


def _chosen_bias(
    settings: dict[str, Any], arrays: Arrays, held_out: Sequence[Document], recall: float | None
) -> dict[str, Any]:
    """Return a bias and how it was chosen, by a model that has not learnt from these notes."""
    sizes = [len(tokenize(document.text)) for document in held_out]
    some = [held_out[place] for place in some_of(held_out, sizes, _ENOUGH)]
    with TemporaryDirectory() as scratch:
        save_model(Path(scratch), kind=Charlm.name, manifest=settings, arrays=arrays)
        swept = sweep(some, lambda bias: Charlm(model=scratch, bias=bias).detect(some), _BIASES)
    return swept.to_manifest(notes=len(some), recall=recall)


def _calibrated(network: Network, documents: Sequence[Document]) -> dict[str, float]:
    """Return the temperatures at which probabilities of being inside fit held-out notes best."""
    cut = [pieces(document.text) for document in documents]
    flat = [piece for row in cut for piece in row]
    inside = []
    for document in documents:
        marks = np.zeros(len(tokenize(document.text)), dtype=bool)
        for first, last, _ in _marked(document):
            marks[first:last] = True
        inside.append(marks)
    truth = np.concatenate(inside)
    made = {}
    for name, rescore in (("lattice", False), ("rescored", True)):
        found = list(network.stretches(flat, 0.0, rescore=rescore))

        def loss(temperature: float, found: Sequence[tuple[Ints, list[Stretch]]] = found) -> float:
            sure = np.concatenate([network.choose(path, own, temperature).inside for path, own in found])
            return -float(np.log(np.where(truth, sure, 1 - sure).clip(1e-4)).mean())

        made[name] = min(_TEMPERATURES, key=loss)
    return made
