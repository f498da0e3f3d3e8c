"""Train a CRF by L-BFGS with a Gaussian prior, and choose its bias on held-out notes.

The prior draws weights towards those of an earlier model, or towards trust in the claims of rules, which
helps when there are few notes (`prior`).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from plainsight.arrays import Doubles, Floats, Ints
from plainsight.detect.learned import claims_of
from plainsight.document import Document, Span
from plainsight.errors import DataError, UsageError, suggest
from plainsight.lab.detect.chain import Chain
from plainsight.lab.detect.crf import Crf
from plainsight.lab.detect.crf.feature_sets import FEATURE_SETS, Note, read_notes, uses_claims
from plainsight.lab.detect.crf.weights import Weights, pack
from plainsight.lab.train.bias import NOTHING, Sweep, fold_of, some_of, sweep
from plainsight.lab.train.check_notes import check_notes
from plainsight.lab.train.checkpoint import Checkpoint, signature
from plainsight.lab.train.crf.likelihood import Likelihood, TrainingData, training_data
from plainsight.lab.train.crf.prior import Prior, of_claims, of_model
from plainsight.lab.train.extra import require
from plainsight.lab.train.lbfgs import minimise
from plainsight.lab.train.scores import save_scored
from plainsight.model import Model, load_model, save_model
from plainsight.text.tags import OUTSIDE, decode
from plainsight.text.variants import in_variant

_DEFAULT_SET = "plainsight"
_ENOUGH = 50_000  # tokens: more of them do not improve the choice of a bias


@dataclass(frozen=True, slots=True, kw_only=True)
class _Settings:
    """The settings of a fit."""

    feature_set: str
    gaussian: float
    lasso: float
    iterations: int
    rarest: int
    trust: float


def train_crf(
    documents: Sequence[Document],
    folder: Path,
    *,
    dev: Sequence[Document] = (),
    feature_set: str = _DEFAULT_SET,
    text: str | None = None,
    init: str | Path | None = None,
    gaussian: float = 0.1,
    lasso: float = 0.0,
    iterations: int = 100,
    rarest: int = 1,
    trust: float = 8.0,
    bias: float | None = 0.0,
    recall: float | None = None,
    folds: int = 2,
    smallest: float = 1e-3,
    exact: bool = False,
    progress: Callable[[int, float], None] = lambda iteration, loss: None,
    stage: Callable[[str], None] = lambda name: None,
) -> dict[str, Any]:
    """Fit a CRF on annotated notes, write its model folder and return the manifest.

    ``text`` is the variant of the text that the model reads (`TEXT_VARIANTS`), as written if None.
    ``gaussian`` and ``lasso`` weigh the penalties. Values seen fewer than ``rarest`` times are left out.
    ``trust`` is the weight that the prior gives to the claims of rules, if the feature set looks at them.
    Without a ``bias``, choose one by cross-validation in ``folds``: for the best entity F, or for a wanted
    ``recall`` of tokens. ``init`` continues from a model, with its feature set and labels. ``smallest`` and
    ``exact`` say how weights are stored (`pack`). ``dev`` notes are scored at the end.

    ``stage`` is called with the name of each stage, ``progress`` with the iteration and its loss. An
    interrupted training leaves ``FOLDER.part``, and the same call continues from there.
    """
    require("training a crf", "scipy")
    model = None if init is None else load_model(init, kind=Crf.name)
    settings = _Settings(
        feature_set=_feature_set(feature_set, model),
        gaussian=gaussian,
        lasso=lasso,
        iterations=iterations,
        rarest=rarest,
        trust=trust,
    )
    found = check_notes(documents)
    if model and not set(found.labels) & set(model.manifest["labels"]):
        raise DataError(
            "the notes share no label with the model to continue from: map their labels, or train a new model"
        )
    stage("reading the notes")
    templates = FEATURE_SETS[settings.feature_set]
    claims = claims_of(Crf.needs if uses_claims(templates) else (), documents)
    read = read_notes(in_variant(documents, text), claims)
    training = signature(
        documents, {**asdict(settings), "text": text, "init": model and model.manifest["files"]}
    )
    checkpoint = Checkpoint(folder, training)
    prior = _prior(model, settings, found.labels)
    fit = partial(_fit, prior=prior, settings=settings, checkpoint=checkpoint, progress=progress)
    tags = prior.tags if prior else ()

    choice: dict[str, Any] = {"bias": bias}
    if bias is None:
        few = some_of(documents, [len(note.tokens) for note in read], _ENOUGH)
        some = [read[place] for place in few]
        swept = _cross_validate(
            some, training_data(some, templates, rarest=rarest, tags=tags), folds, fit, stage
        )
        choice = swept.to_manifest(folds=folds, notes=len(few), recall=recall)

    stage("all notes")
    data = training_data(read, templates, rarest=rarest, tags=tags)
    likelihood, weights = fit("all", data)
    packed, scale = pack(_weights(likelihood, weights, prior), smallest=smallest, exact=exact)
    about = model and {"name": model.folder.name, "files": model.manifest["files"]}
    manifest: dict[str, Any] = {
        "labels": sorted({tag[2:] for tag in data.tags if tag != OUTSIDE}),
        "tags": data.tags,
        "feature_set": settings.feature_set,
        "text": text,
        **choice,
        "scale": scale,
        "training": {**asdict(found), **asdict(settings), "init": about},
    }
    arrays = {"transitions": likelihood.transitions(weights).astype(np.float32), **packed}
    save = partial(save_model, folder, kind=Crf.name, arrays=arrays)
    saved = save_scored(save, manifest, dev, lambda: Crf(model=str(folder)), stage)
    checkpoint.clear()
    return saved


# --- options ----------------------------------------------------------------------------------------------


def _feature_set(wanted: str, model: Model | None) -> str:
    if wanted not in FEATURE_SETS:
        raise UsageError(f"unknown feature set {wanted!r}{suggest(wanted, FEATURE_SETS)}")
    if model is None:
        return wanted
    name: str = model.manifest["feature_set"]
    if wanted not in (_DEFAULT_SET, name):
        raise UsageError(f"the model to continue from has the feature set {name!r}: it cannot be changed")
    return name


def _prior(model: Model | None, settings: _Settings, labels: Collection[str]) -> Prior | None:
    if model:
        return of_model(model)
    templates = FEATURE_SETS[settings.feature_set]
    trusted = settings.trust and uses_claims(templates)
    return of_claims(sorted(labels), templates, settings.trust) if trusted else None


# --- fitting ----------------------------------------------------------------------------------------------

Fit = Callable[..., tuple[Likelihood, Doubles]]


def _fit(
    name: str,
    data: TrainingData,
    sequences: Ints | None = None,
    *,
    prior: Prior | None,
    settings: _Settings,
    checkpoint: Checkpoint,
    progress: Callable[[int, float], None],
) -> tuple[Likelihood, Doubles]:
    """Minimise the loss, from where an interrupted fit of this name stopped, if there was one."""
    make = prior.likelihood if prior else Likelihood
    likelihood = make(data, gaussian=settings.gaussian, sequences=sequences)
    saved = checkpoint.load(name) or {"iteration": np.array(0), "weights": likelihood.centre}
    before, latest = int(saved["iteration"]), dict(saved)

    def after(iteration: int, loss: float, weights: Doubles) -> None:
        latest.update(iteration=np.array(before + iteration), weights=weights)
        if checkpoint.due():
            checkpoint.save(name, latest)
        progress(before + iteration, loss)

    try:
        if before < settings.iterations:
            left = settings.iterations - before
            minimise(likelihood, saved["weights"], iterations=left, lasso=settings.lasso, progress=after)
        latest["iteration"] = np.array(settings.iterations)  # done, perhaps early
    finally:
        checkpoint.save(name, latest)
    return likelihood, latest["weights"]


def _weights(likelihood: Likelihood, weights: Doubles, prior: Prior | None) -> Weights:
    """Return the feature weights, and those of the prior that the notes do not cover."""
    features, tags = np.divmod(likelihood.pairs, likelihood.tags)
    made = Weights(likelihood.data.keys[features], tags, weights[: len(features)])
    if prior is None:
        return made
    rest = prior.rest(likelihood.data)
    return Weights(*(np.concatenate(pair) for pair in zip(made, rest, strict=True)))


def _cross_validate(
    notes: Sequence[Note], data: TrainingData, folds: int, fit: Fit, stage: Callable[[str], None]
) -> Sweep:
    """Label each fold at every bias, with weights fitted on the other folds."""
    fold = np.array(fold_of([note.document for note in notes], folds))
    total = NOTHING
    for number in range(folds):
        held = [place for place, its in enumerate(fold.tolist()) if its == number]
        sequences = np.flatnonzero(fold[data.owners] != number)
        if not held or not len(sequences):
            continue
        stage(f"fold {number + 1} of {folds}")
        likelihood, weights = fit(f"fold-{number + 1}", data, sequences)
        detect = partial(_detect, [notes[place] for place in held], [data.starts[place] for place in held])
        total += sweep(
            [notes[place].document for place in held],
            partial(detect, data.tags, likelihood.emissions(weights), Chain(likelihood.transitions(weights))),
        )
    if total is NOTHING:
        raise DataError("too few notes for cross-validation: give a bias")
    return total


def _detect(
    notes: Sequence[Note],
    starts: Sequence[int],
    tags: Sequence[str],
    emissions: Floats,
    chain: Chain,
    bias: float,
) -> list[list[Span]]:
    """Return the spans of notes, given the scores of all places and where the notes start."""
    emissions = emissions.copy()
    emissions[:, tags.index(OUTSIDE)] += bias
    cut = [emissions[start : start + len(n.tokens)] for start, n in zip(starts, notes, strict=True)]
    return [
        decode([tags[tag] for tag in path], note.tokens)
        for note, path in zip(notes, chain.best(cut), strict=True)
    ]
