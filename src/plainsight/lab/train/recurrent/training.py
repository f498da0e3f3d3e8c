"""From notes to a model folder: tables, lessons, the fit, the choice of a bias, and what is written."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from plainsight.document import Document, Span
from plainsight.errors import UsageError
from plainsight.lab.detect.bilstm import Bilstm
from plainsight.lab.detect.bilstm.columns import digests_of, vector_forms
from plainsight.lab.detect.bilstm.reading import Reader
from plainsight.lab.train.bias import Sweep, sweep
from plainsight.lab.train.checkpoint import Checkpoint, signature
from plainsight.lab.train.recurrent.architecture import Architecture
from plainsight.lab.train.recurrent.fit import Fitting, fit, transitions_of
from plainsight.lab.train.recurrent.graph import Weights, to_onnx, weights_of
from plainsight.lab.train.recurrent.language import LanguageModel, load_language_model
from plainsight.lab.train.recurrent.layers import new_parts
from plainsight.lab.train.recurrent.lessons import Teacher, alphabet_of, corpus_of, known_forms
from plainsight.lab.train.recurrent.vectors import Vectors, read_vectors
from plainsight.lab.train.scores import scores
from plainsight.model import save_model
from plainsight.text.tags import OUTSIDE

__all__ = ["Sources", "train"]

Arrays = dict[str, NDArray[Any]]

_LOSS = 0.001  # of F that bytes for weights may cost


@dataclass(frozen=True, slots=True, kw_only=True)
class Sources:
    """What is learnt from; ``claims`` are those on the notes to learn, then the held-out, the unlabelled."""

    learn: Sequence[Document]
    held: Sequence[Document]
    unlabelled: Sequence[Document]
    claims: Sequence[Sequence[Span]]
    tags: Sequence[str]
    vectors: Sequence[Path]
    language_model: str | Path | None
    teacher: Teacher | None


@dataclass(frozen=True, slots=True)
class _Tables:
    """The strings known of each column, how often the notes have them, and vectors to begin with."""

    arrays: Arrays
    counts: Mapping[str, NDArray[np.float32]]
    begin: Mapping[str, NDArray[np.float32]]


def train(
    sources: Sources,
    folder: Path,
    architecture: Architecture,
    manifest: Mapping[str, Any],
    *,
    dev: Sequence[Document],
    most_words: int,
    quantise: bool | None,
    bias: float | None,
    recall: float | None,
    seed: int,
    progress: Callable[[int, float], None],
    stage: Callable[[str], None],
) -> dict[str, Any]:
    """Fit a network and write its folder: see `plainsight.lab.train.bilstm.train_bilstm`."""
    context = load_language_model(sources.language_model) if sources.language_model else None
    tables = _tables(sources, architecture, context, most_words)
    fitting = _fitting(sources, architecture, tables, context, seed)
    settings = {
        **asdict(architecture),
        "seed": seed,
        "context": context and context.files,
        "tags": sources.tags,
    }
    settings |= {"vectors": [path.name for path in sources.vectors], "taught": sources.teacher is not None}
    training = signature([*sources.learn, *sources.held, *sources.unlabelled], settings)
    checkpoint = Checkpoint(folder, training)
    stage("fitting")
    told = fit(fitting, checkpoint, progress=progress)

    made = {
        "labels": sorted({tag[2:] for tag in sources.tags if tag != OUTSIDE}),
        "tags": list(sources.tags),
        "bias": bias or 0.0,
        "network": _network(architecture),
        **manifest,
    }
    made["training"] = {**made["training"], **told}
    arrays = {**tables.arrays, "transitions": transitions_of(fitting)}
    weights = weights_of(fitting.parts, architecture, context=context)
    stage("writing")
    made["quantised"] = _write(folder, made, arrays, weights, quantise, sources.held)
    if bias is None and sources.held:
        stage("choosing the bias")
        chosen = _sweep(folder, sources.held)
        made["bias"] = chosen.best(recall=recall)
        made["bias_choice"] = {
            "folds": 1, "notes": len(sources.held), "recall": recall, "sweep": chosen.to_json()
        }  # fmt: skip
    saved = save_model(folder, kind=Bilstm.name, manifest=made, arrays=arrays)
    if dev:
        stage("measuring")
        made["scores"] = scores(dev, Bilstm(model=str(folder)).detect(dev))
        saved = save_model(folder, kind=Bilstm.name, manifest=made, arrays=arrays)
    checkpoint.clear()
    return saved


def _network(architecture: Architecture) -> dict[str, Any]:
    """Return what the detector must know to read notes."""
    return {
        "tokens": architecture.tokens,
        "pieces": dict(architecture.pieces),
        "columns": list(architecture.columns),
    }


# --- tables -----------------------------------------------------------------------------------------------


def _tables(
    sources: Sources, architecture: Architecture, context: LanguageModel | None, most_words: int
) -> _Tables:
    learnt = [*sources.learn, *sources.unlabelled]
    claims = [
        *sources.claims[: len(sources.learn)],
        *sources.claims[len(sources.learn) + len(sources.held) :],
    ]
    arrays: Arrays = {}
    counts: dict[str, NDArray[np.float32]] = {}
    begin: dict[str, NDArray[np.float32]] = {}
    for column, size in architecture.columns.items():
        seen = known_forms(column, learnt, claims, architecture)
        forms = list(seen)
        if column == "vector" and sources.vectors:
            known = read_vectors(sources.vectors)
            forms += [word for word in list(known)[:most_words] if word not in seen]
            begin[column] = _begin(forms, known, size)
        arrays[f"column-{column}"] = digests_of(column, forms)
        counts[column] = np.array([0.0, *(seen.get(form, 0) for form in forms)], np.float32)
    if context:
        arrays["characters"] = context.characters
    elif architecture.spelt:
        arrays["characters"] = alphabet_of(document.text for document in sources.learn)
    return _Tables(arrays, counts, begin)


def _begin(words: Sequence[str], known: Vectors, size: int) -> NDArray[np.float32]:
    """Return the vectors of words, by themselves or by a form that is known; nan where there is none."""
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
    sources: Sources, architecture: Architecture, tables: _Tables, context: LanguageModel | None, seed: int
) -> Fitting:
    read = Reader(_network(architecture), tables.arrays)
    first, second = len(sources.learn), len(sources.learn) + len(sources.held)
    learn = corpus_of(
        sources.learn,
        sources.claims[:first],
        read,
        sources.tags,
        architecture,
        unlabelled=sources.unlabelled,
        unlabelled_claims=sources.claims[second:],
        teacher=sources.teacher,
    )
    held = (
        corpus_of(sources.held, sources.claims[first:second], read, sources.tags, architecture)
        if sources.held
        else None
    )
    torch.manual_seed(seed)
    rows = {column: len(tables.arrays[f"column-{column}"]) for column in architecture.columns}
    signs = len(tables.arrays.get("characters", ()))
    parts = new_parts(
        architecture, rows=rows, signs=signs, context=context.width if context else 0, tags=len(sources.tags)
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
        schedule=architecture.schedule,
        tags=sources.tags,
        learn=learn,
        held=held,
        forget=forget,
        context=context,
        seed=seed,
    )


def _chances(counts: NDArray[np.float32], architecture: Architecture) -> NDArray[np.float32]:
    """Return how likely each number of a column passes for unknown."""
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


def _sweep(folder: Path, documents: Sequence[Document]) -> Sweep:
    """Label the held-out notes at every bias and count."""
    return sweep(documents, lambda bias: Bilstm(model=str(folder), bias=bias).detect(documents))
