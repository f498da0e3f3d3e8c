"""Train a CRF by L-BFGS with a Gaussian prior, and choose its bias on held-out notes.

The prior draws weights towards those of an earlier model, or towards trust in the claims of rules, which
helps when there are few notes (`prior`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np

from plainsight.arrays import Doubles, Floats, Ints
from plainsight.detect.learned import claims_of
from plainsight.document import Document, Span
from plainsight.errors import DataError, UsageError
from plainsight.lab.detect.chain import Chain, Edges
from plainsight.lab.detect.crf import NEEDS, Crf, reading, set_of_model
from plainsight.lab.detect.crf.feature_sets import edge_templates
from plainsight.lab.detect.crf.feature_sets import feature_set as set_by_name
from plainsight.lab.detect.crf.notes import Note, read_notes
from plainsight.lab.detect.crf.templates import Template, uses_claims
from plainsight.lab.detect.crf.weights import Weights, pack
from plainsight.lab.train.bias import NOTHING, Sweep, fold_of, some_of, sweep
from plainsight.lab.train.check_notes import check_notes
from plainsight.lab.train.checkpoint import Checkpoint, signature
from plainsight.lab.train.crf.gpu import fastest
from plainsight.lab.train.crf.likelihood import Likelihood
from plainsight.lab.train.crf.prior import Prior, of_claims, of_model
from plainsight.lab.train.crf.slots import TrainingData, keys_of, training_data
from plainsight.lab.train.extra import require
from plainsight.lab.train.lbfgs import minimise
from plainsight.lab.train.scores import save_scored
from plainsight.model import Model, load_model, save_model
from plainsight.run.keys import key_from
from plainsight.site.folder import open_site
from plainsight.site.lists import SiteLists
from plainsight.text.tags import OUTSIDE, decode
from plainsight.text.tokenizers import cut_sequences, tokenizer
from plainsight.text.variants import in_variant

_DEFAULT_SET = "plainsight"
_TOLERANCE, _FOLD_TOLERANCE = 5e-4, 2e-3  # a fold's weights only choose the bias
_ENOUGH = 50_000  # tokens: more of them do not improve the choice of a bias


@dataclass(frozen=True, slots=True, kw_only=True)
class _Settings:
    """The settings of a fit."""

    feature_set: str
    tokens: str
    sequences: str
    edges: tuple[str, ...]
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
    tokens: str | None = None,
    sequences: str | None = None,
    edges: str | None = None,
    gaussian: float | None = None,
    lasso: float | None = None,
    iterations: int | None = None,
    rarest: int = 1,
    trust: float = 8.0,
    bias: float | None = 0.0,
    recall: float | None = None,
    folds: int = 2,
    smallest: float = 1e-3,
    exact: bool = False,
    lists: str | None = None,
    key_file: str | None = None,
    progress: Callable[[int, float], None] = lambda iteration, loss: None,
    stage: Callable[[str], None] = lambda name: None,
) -> dict[str, Any]:
    """Fit a CRF on annotated notes, write its model folder and return the manifest.

    ``text`` is the variant of the text that the model reads (`TEXT_VARIANTS`), as written if None.
    What is None is as the feature set has it: ``tokens`` and ``sequences`` (presets of
    `plainsight.text.tokenizers`), ``edges`` (words that weigh pairs of tags, with commas between, or
    ``none``), the weights of the penalties ``gaussian`` and ``lasso``, and the most ``iterations``. Values
    seen fewer than ``rarest`` times are left out.
    ``trust`` is the weight that the prior gives to the claims of rules, if the feature set looks at them.
    Without a ``bias``, choose one by cross-validation in ``folds``: for the best entity F, or for a wanted
    ``recall`` of tokens. ``init`` continues from a model, with its feature set and labels. ``smallest`` and
    ``exact`` say how weights are stored (`pack`). ``dev`` notes are scored at the end.

    ``lists`` is the folder ``lists`` of a site, and ``key_file`` the file of its key: what the lists find is
    then a feature (S101). The model learns how far to trust them and holds none of their entries.

    ``stage`` is called with the name of each stage, ``progress`` with the iteration and its loss. An
    interrupted training leaves ``FOLDER.part``, and the same call continues from there.
    """
    require("training a crf", "scipy")
    model = None if init is None else load_model(init, kind=Crf.name)
    settings = _settings(
        feature_set,
        model,
        rarest=rarest,
        trust=trust,
        tokens=tokens,
        sequences=sequences,
        edges=None if edges is None else _names(edges),
        gaussian=gaussian,
        lasso=lasso,
        iterations=iterations,
    )
    found = check_notes(documents, tokens=settings.tokens)
    if model and not set(found.labels) & set(model.manifest["labels"]):
        raise DataError(
            "the notes share no label with the model to continue from: map their labels, or train a new model"
        )
    stage("reading the notes")
    chosen = set_by_name(settings.feature_set)
    templates = chosen.templates
    cut = {"tokens": settings.tokens, "sequences": settings.sequences}
    claims_in = partial(_claims, templates, _site_lists(lists, key_file, templates))
    claims = claims_in(documents)
    read = read_notes(in_variant(documents, text), claims, **cut)
    training = signature(
        documents,
        {**asdict(settings), "text": text, "init": model and model.manifest["files"], "lists": lists},
    )
    checkpoint = Checkpoint(folder, training)
    prior = _prior(model, settings, templates, found.labels)
    prepare = partial(
        training_data,
        templates=templates,
        edges=edge_templates(settings.edges),
        rarest=rarest,
        tags=prior.tags if prior else (),
    )
    fit = partial(_fit, prior=prior, settings=settings, checkpoint=checkpoint, progress=progress)

    choice: dict[str, Any] = {"bias": bias}
    if bias is None:
        sizes = Counter({note.owner: 0 for note in read})
        for note in read:
            sizes[note.owner] += len(note.tokens)
        few = some_of(documents, list(sizes.values()), _ENOUGH)
        some = [note for note in read if note.owner in {*few}]
        swept = _cross_validate(some, prepare(some), folds, fit, stage)
        choice = swept.to_manifest(folds=folds, notes=len(few), recall=recall)

    stage("all notes")
    data = prepare(read)
    likelihood, weights = fit("all", data)
    packed, scale = pack(_weights(likelihood, weights, prior), smallest=smallest, exact=exact)
    edge_record: dict[str, Any] = {}
    if settings.edges:
        packed_edges, edge_scale = pack(
            _edge_weights(likelihood, weights, prior), smallest=smallest, exact=exact
        )
        packed |= {f"edge_{name}": array for name, array in packed_edges.items()}
        edge_record = {"edges": list(settings.edges), "edge_scale": edge_scale}
    about = model and {"name": model.folder.name, "files": model.manifest["files"]}
    manifest: dict[str, Any] = {
        "labels": sorted({tag[2:] for tag in data.tags if tag != OUTSIDE}),
        "tags": data.tags,
        "feature_set": settings.feature_set,
        "edition": chosen.edition,
        **({"needs": [*NEEDS, SiteLists.name]} if lists else {}),
        **cut,
        **edge_record,
        "text": text,
        **choice,
        "scale": scale,
        "training": {**asdict(found), **asdict(settings), "edges": list(settings.edges), "init": about},
    }
    arrays = {"transitions": likelihood.transitions(weights).astype(np.float32), **packed}
    save = partial(save_model, folder, kind=Crf.name, arrays=arrays)
    tagger = Crf(model=str(folder))
    scored = SimpleNamespace(detect=lambda notes: tagger.detect_with(notes, claims_in(notes)))
    saved = save_scored(save, manifest, dev, lambda: scored, stage)
    checkpoint.clear()
    return saved


def _site_lists(lists: str | None, key_file: str | None, templates: Sequence[Template]) -> SiteLists | None:
    """Return the detector of a site's lists, if they are given and can be features."""
    if lists is None:
        return None
    if not uses_claims(templates):
        raise UsageError("lists are features of sets that look at claims: leave out --features")
    key = key_from(file=Path(key_file) if key_file else None)
    return SiteLists(lists=lists).with_key(open_site(Path(lists).parent, key.secret if key else None).secret)


def _claims(
    templates: Sequence[Template], listed: SiteLists | None, documents: Sequence[Document]
) -> list[list[Span]]:
    """Return the claims that features look at in each note."""
    claims = claims_of(NEEDS if uses_claims(templates) else (), documents)
    for own, more in zip(claims, listed.detect(documents) if listed else (), strict=False):
        own += more
    return claims


# --- options ----------------------------------------------------------------------------------------------


def _names(edges: str) -> tuple[str, ...]:
    """Return the names of edges, and refuse unknown ones."""
    names = tuple(name.strip() for name in edges.split(",")) if edges != "none" else ()
    edge_templates(names)
    return names


def _settings(wanted: str, model: Model | None, *, rarest: int, trust: float, **given: Any) -> _Settings:
    """Return the given settings; what is None is as the model or else the feature set has it."""
    if model is None:
        name, chosen = wanted, set_by_name(wanted)
        fixed: dict[str, Any] = {}
    else:
        name, chosen = model.manifest["feature_set"], set_of_model(model.manifest)
        fixed = {**reading(model.manifest), "edges": tuple(model.manifest.get("edges", ()))}
        if wanted not in (_DEFAULT_SET, name):
            raise UsageError(f"the model to continue from has the feature set {name!r}: it cannot be changed")
        for key, value in fixed.items():
            if given[key] not in (None, value):
                raise UsageError(f"the model to continue from has other {key}: they cannot be changed")
    values = {
        key: fixed.get(key, getattr(chosen, key)) if value is None else value for key, value in given.items()
    }
    tokenizer(values["tokens"])
    cut_sequences("", [], values["sequences"])
    return _Settings(feature_set=name, rarest=rarest, trust=trust, **values)


def _prior(
    model: Model | None, settings: _Settings, templates: Sequence[Template], labels: Collection[str]
) -> Prior | None:
    if model:
        return of_model(model)
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
            minimise(
                fastest(likelihood),
                saved["weights"],
                iterations=left,
                lasso=settings.lasso,
                tolerance=_TOLERANCE if sequences is None else _FOLD_TOLERANCE,
                progress=after,
            )
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


def _edge_weights(likelihood: Likelihood, weights: Doubles, prior: Prior | None) -> Weights:
    """Return the weights of edges, and those of the prior that the notes do not cover."""
    assert likelihood.edges is not None
    features, pairs = np.divmod(likelihood.edges.triples, likelihood.tags**2)
    made = Weights(keys_of(likelihood.data.edges)[features], pairs, likelihood.of_edges(weights))
    if prior is None:
        return made
    rest = prior.rest_of_edges(likelihood.data)
    return Weights(*(np.concatenate(pair) for pair in zip(made, rest, strict=True)))


def _cross_validate(
    notes: Sequence[Note], data: TrainingData, folds: int, fit: Fit, stage: Callable[[str], None]
) -> Sweep:
    """Label each fold at every bias, with weights fitted on the other folds."""
    fold = np.array(fold_of([note.document for note in notes], folds))
    total = NOTHING
    for number in range(folds):
        held = np.flatnonzero(fold == number).tolist()
        sequences = np.flatnonzero(fold[data.owners] != number)
        if not held or not len(sequences):
            continue
        stage(f"fold {number + 1} of {folds}")
        likelihood, weights = fit(f"fold-{number + 1}", data, sequences)
        own = [notes[place] for place in held]
        scores = likelihood.scores_of(weights, [data.starts[place] for place in held], own)
        chain = Chain(likelihood.transitions(weights))
        documents = {notes[place].owner: notes[place].document for place in held}
        total += sweep([*documents.values()], partial(_detect, own, data.tags, *scores, chain))
    if total is NOTHING:
        raise DataError("too few notes for cross-validation: give a bias")
    return total


def _detect(
    notes: Sequence[Note],
    tags: Sequence[str],
    emissions: Sequence[Floats],
    edges: Sequence[Edges] | None,
    chain: Chain,
    bias: float,
) -> list[list[Span]]:
    """Return the spans of each document, given the scores of its sequences."""
    lifted = np.zeros(len(tags), np.float32)
    lifted[tags.index(OUTSIDE)] = bias
    found: dict[int, list[Span]] = {note.owner: [] for note in notes}
    for note, path in zip(notes, chain.best([scores + lifted for scores in emissions], edges), strict=True):
        found[note.owner] += decode([tags[tag] for tag in path], note.tokens)
    return [*found.values()]
