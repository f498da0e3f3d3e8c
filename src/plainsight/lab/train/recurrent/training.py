"""From annotated notes to the model folder of a recurrent network."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray

from plainsight.detect.learned import claims_of
from plainsight.document import Document, Span
from plainsight.errors import UsageError
from plainsight.lab.detect.bilstm import Bilstm
from plainsight.lab.detect.bilstm.inputs import NoteReader, digests_of, vector_forms
from plainsight.lab.train.bias import sweep
from plainsight.lab.train.checkpoint import Checkpoint, signature
from plainsight.lab.train.recurrent.architecture import Architecture
from plainsight.lab.train.recurrent.corpus import Corpus, alphabet_of, corpus_of, known_forms
from plainsight.lab.train.recurrent.fit import Fitting, fit, transitions_of
from plainsight.lab.train.recurrent.graph import Weights, to_onnx, weights_of
from plainsight.lab.train.recurrent.language import LanguageModel, load_language_model
from plainsight.lab.train.recurrent.layers import new_parts
from plainsight.lab.train.recurrent.vectors import Vectors, read_vectors
from plainsight.lab.train.scores import save_scored, scores
from plainsight.model import save_model
from plainsight.text.tags import OUTSIDE

Arrays = dict[str, NDArray[Any]]

_LOSS = 0.001  # of F that bytes for weights may cost


class Notes(NamedTuple):
    """The notes to learn from, those that stop the training, those that are only scored, and all tags."""

    learn: Sequence[Document]
    held: Sequence[Document]
    dev: Sequence[Document]
    tags: Sequence[str]


@dataclass(frozen=True, slots=True)
class _Tables:
    """The known strings of each column, their counts, and initial vectors."""

    arrays: Arrays
    counts: Mapping[str, NDArray[np.float32]]
    begin: Mapping[str, NDArray[np.float32]]


def train(
    notes: Notes,
    folder: Path,
    architecture: Architecture,
    manifest: Mapping[str, Any],
    *,
    vectors: Sequence[Path],
    language_model: str | Path | None,
    most_words: int,
    quantise: bool | None,
    bias: float | None,
    recall: float | None,
    seed: int,
    progress: Callable[[int, float], None],
    stage: Callable[[str], None],
) -> dict[str, Any]:
    """Fit a network and write its folder: see `plainsight.lab.train.bilstm.train_bilstm`."""
    stage("reading the notes")
    context = load_language_model(language_model) if language_model else None
    needed = Bilstm.needs if "claim" in architecture.columns else ()
    claims = claims_of(needed, [*notes.learn, *notes.held])
    learnt, held = claims[: len(notes.learn)], claims[len(notes.learn) :]
    tables = _tables(notes.learn, learnt, architecture, context, vectors, most_words)
    read = NoteReader(_network(architecture), tables.arrays)
    corpora = [
        corpus_of(documents, said, read, notes.tags, architecture) if documents else None
        for documents, said in ((notes.learn, learnt), (notes.held, held))
    ]
    fitting = _fitting(notes.tags, corpora, architecture, tables, context, seed)
    settings = {**asdict(architecture), "seed": seed, "context": context and context.files}
    settings |= {"tags": notes.tags, "vectors": [path.name for path in vectors]}
    checkpoint = Checkpoint(folder, signature([*notes.learn, *notes.held], settings))
    stage("fitting")
    figures = fit(fitting, checkpoint, progress=progress)

    made = {
        "labels": sorted({tag[2:] for tag in notes.tags if tag != OUTSIDE}),
        "tags": list(notes.tags),
        "bias": bias or 0.0,
        "network": _network(architecture),
        **manifest,
    }
    made["training"] = {**made["training"], **figures}
    arrays = {**tables.arrays, "transitions": transitions_of(fitting)}
    weights = weights_of(fitting.parts, architecture, context=context)
    stage("writing")
    made["quantised"] = _write(folder, made, arrays, weights, quantise, notes.held)
    if bias is None and notes.held:
        stage("choosing the bias")
        swept = sweep(notes.held, lambda bias: Bilstm(model=str(folder), bias=bias).detect(notes.held))
        made["bias"] = swept.best(recall=recall)
        made["bias_choice"] = swept.to_record(folds=1, notes=len(notes.held), recall=recall)
    save = partial(save_model, folder, kind=Bilstm.name, arrays=arrays)
    saved = save_scored(save, made, notes.dev, lambda: Bilstm(model=str(folder)), stage)
    checkpoint.clear()
    return saved


def _network(architecture: Architecture) -> dict[str, Any]:
    """Return the settings that the detector needs to read notes."""
    return {
        "tokens": architecture.tokens,
        "pieces": dict(architecture.pieces),
        "columns": list(architecture.columns),
    }


# --- tables -----------------------------------------------------------------------------------------------


def _tables(
    documents: Sequence[Document],
    claims: Sequence[Sequence[Span]],
    architecture: Architecture,
    context: LanguageModel | None,
    vectors: Sequence[Path],
    most_words: int,
) -> _Tables:
    arrays: Arrays = {}
    counts: dict[str, NDArray[np.float32]] = {}
    begin: dict[str, NDArray[np.float32]] = {}
    for column, size in architecture.columns.items():
        seen = known_forms(column, documents, claims, architecture)
        forms = list(seen)
        if column == "vector" and vectors:
            known = read_vectors(vectors)
            forms += [word for word in list(known)[:most_words] if word not in seen]
            begin[column] = _begin(forms, known, size)
        arrays[f"column-{column}"] = digests_of(column, forms)
        counts[column] = np.array([0.0, *(seen.get(form, 0) for form in forms)], np.float32)
    if context:
        arrays["characters"] = context.characters
    elif architecture.spelt:
        arrays["characters"] = alphabet_of(document.text for document in documents)
    return _Tables(arrays, counts, begin)


def _begin(words: Sequence[str], known: Vectors, size: int) -> NDArray[np.float32]:
    """Return the initial vectors of words, by any form that is known; nan where there is none."""
    if (found := len(next(iter(known.values())))) != size:
        raise UsageError(f"the word vectors have {found} numbers, the architecture has {size}")
    rows = np.full((len(words) + 1, size), np.nan, np.float32)
    for place, word in enumerate(words, start=1):
        form = next((form for form in vector_forms(word) if form in known), None)
        if form is not None:
            rows[place] = known[form]
    return rows


# --- the fit ----------------------------------------------------------------------------------------------


def _fitting(
    tags: Sequence[str],
    corpora: Sequence[Corpus | None],
    architecture: Architecture,
    tables: _Tables,
    context: LanguageModel | None,
    seed: int,
) -> Fitting:
    learn, held = corpora
    assert learn is not None
    torch.manual_seed(seed)
    rows = {column: len(tables.arrays[f"column-{column}"]) for column in architecture.columns}
    signs = len(tables.arrays.get("characters", ()))
    parts = new_parts(
        architecture, rows=rows, signs=signs, context=context.width if context else 0, tags=len(tags)
    )
    for column, vectors in tables.begin.items():
        known = torch.from_numpy(~np.isnan(vectors[:, 0]))
        parts[f"column-{column}"].weight.data[known] = torch.from_numpy(vectors)[known]
    forget = {
        column: torch.from_numpy(_chances(tables.counts[column], architecture))
        for column in ("vector", "word")
        if column in architecture.columns
    }
    return Fitting(
        parts=parts,
        architecture=architecture,
        tags=tags,
        learn=learn,
        held=held,
        forget=forget,
        context=context,
        seed=seed,
    )


def _chances(counts: NDArray[np.float32], architecture: Architecture) -> NDArray[np.float32]:
    """Return the chance of each row of a column to pass for unknown."""
    rare = (counts > 0) & (counts <= architecture.forget_most)
    return np.where(rare, architecture.forget / (architecture.forget + counts), 0).astype(np.float32)


# --- what is written --------------------------------------------------------------------------------------


def _write(
    folder: Path,
    manifest: Mapping[str, Any],
    arrays: Arrays,
    weights: Weights,
    quantise: bool | None,
    held: Sequence[Document],
) -> bool:
    """Write the network, quantised if wanted or if that costs next to nothing; return whether it is."""
    folder.mkdir(parents=True, exist_ok=True)

    def write(exact: bool) -> float:
        (folder / "network.onnx").write_bytes(to_onnx(weights, exact=exact))
        save_model(folder, kind=Bilstm.name, manifest=manifest, arrays=arrays)
        return _f(folder, held) if quantise is None and held else 0.0

    whole = write(exact=True)
    if quantise is False or (quantise is None and not held):
        return False
    if write(exact=False) < whole - _LOSS:
        write(exact=True)
        return False
    return True


def _f(folder: Path, documents: Sequence[Document]) -> float:
    return scores(documents, Bilstm(model=str(folder)).detect(documents))["strict"]["f"] or 0.0
