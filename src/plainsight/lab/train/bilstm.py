"""Train a recurrent network on annotated notes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, replace
from functools import partial
from pathlib import Path
from typing import Any, Literal

from plainsight.detect.learned import claims_of
from plainsight.document import Document
from plainsight.errors import UsageError, suggest
from plainsight.lab.detect.bilstm import Bilstm
from plainsight.lab.detect.bilstm.inputs import NoteReader
from plainsight.lab.train.bias import hold_out, sweep
from plainsight.lab.train.check_notes import check_notes
from plainsight.lab.train.checkpoint import Checkpoint, signature
from plainsight.lab.train.extra import require_network_libraries
from plainsight.lab.train.recurrent.architecture import ARCHITECTURES, GATES, Architecture
from plainsight.lab.train.recurrent.corpus import corpus_of, tables_of
from plainsight.lab.train.scores import save_scored, scores
from plainsight.model import save_model
from plainsight.text.tags import OUTSIDE, Scheme
from plainsight.text.variants import in_variant

_HELD_OUT = 10  # one patient in so many
_LOSS = 0.001  # of F that 8-bit weights may cost
_PREFIXES = {"BIO": "BI", "BIOES": "BIES", "IO": "I"}


def train_bilstm(
    documents: Sequence[Document],
    folder: Path,
    *,
    dev: Sequence[Document] = (),
    held_out: Sequence[Document] | None = None,
    architecture: str = "2016",
    gates: Literal["usual", "coupled"] | None = None,
    text: str | None = None,
    vectors: str | Path | Sequence[Path] = (),
    language_model: str | Path | None = None,
    words: bool = True,
    characters: bool = True,
    transitions: bool = True,
    scheme: Scheme | None = None,
    optimiser: Literal["sgd", "rmsprop", "adam"] | None = None,
    rate: float | None = None,
    cooling: bool | None = None,
    batch: int | None = None,
    epochs: int | None = None,
    patience: int | None = None,
    most_words: int = 100_000,
    quantise: bool | None = None,
    bias: float | None = 0.0,
    recall: float | None = None,
    seed: int = 0,
    progress: Callable[[int, float], None] = lambda epoch, loss: None,
    stage: Callable[[str], None] = lambda name: None,
) -> dict[str, Any]:
    """Fit a network, write its model folder and return the manifest.

    ``architecture`` is one of `ARCHITECTURES`. ``vectors`` are files of word vectors to begin with; the
    model keeps the ``most_words`` first of them and those of the notes. ``language_model`` is a folder that
    `train_language_model` wrote. Without ``words``, ``characters`` or ``transitions`` that part is
    left out; ``scheme`` and ``gates`` override the architecture's. ``text`` is the variant of the text that
    the model reads (`TEXT_VARIANTS`), as written if None.

    Fitting stops when ``held_out`` notes get no better for ``patience`` epochs: a tenth of the patients,
    unless given. With a patience of 0 there are none, and all notes teach to the last epoch. The held-out
    notes also choose the bias if it is None, for the best F or for a wanted ``recall``; and they decide
    whether weights are stored as bytes if ``quantise`` is None: if that costs at most 0.1 points of F.
    ``dev`` notes are only scored.

    ``progress`` is called with each epoch and its loss, ``stage`` with the name of each stage. An interrupted
    training leaves ``FOLDER.part``, and the same call continues from there.
    """
    require_network_libraries()
    from plainsight.lab.train.recurrent.fit import fit, new_fitting, transitions_of
    from plainsight.lab.train.recurrent.graph import to_onnx, weights_of
    from plainsight.lab.train.recurrent.language import load_language_model

    found = check_notes(documents)
    options = {
        "optimiser": optimiser,
        "rate": rate,
        "cooling": cooling,
        "batch": batch,
        "epochs": epochs,
        "patience": patience,
    }
    wanted = _architecture(
        architecture,
        options,
        words=words,
        characters=characters,
        transitions=transitions,
        scheme=scheme,
        gates=gates,
    )
    if wanted.context != (language_model is not None):
        verb = "needs a" if wanted.context else "has no use for a"
        raise UsageError(f"the architecture {architecture!r} {verb} language model")
    if held_out is None and wanted.schedule.patience:
        learn, held_out = hold_out(documents, _HELD_OUT)
        if not learn or not any(document.spans for document in held_out):  # too few notes
            learn, held_out = list(documents), []
    else:
        learn, held_out = list(documents), held_out or ()
    labels = sorted({span.label for document in (*documents, *held_out) for span in document.spans})
    tags = [OUTSIDE, *(f"{prefix}-{label}" for label in labels for prefix in _PREFIXES[wanted.scheme])]
    paths = [Path(vectors)] if isinstance(vectors, str | Path) else list(vectors)

    stage("reading the notes")
    context = load_language_model(language_model) if language_model else None
    claims = claims_of(Bilstm.needs if "claim" in wanted.columns else (), [*learn, *held_out])
    read_learn, read_held_out = in_variant(learn, text), in_variant(held_out, text)
    tables = tables_of(
        read_learn, claims[: len(learn)], wanted, paths, most_words, context.characters if context else None
    )
    network = {"tokens": wanted.tokens, "pieces": dict(wanted.pieces), "columns": list(wanted.columns)}
    corpus = partial(corpus_of, read=NoteReader(network, tables.arrays), tags=tags, architecture=wanted)
    fitting = new_fitting(
        tags,
        corpus(read_learn, claims[: len(learn)]),
        corpus(read_held_out, claims[len(learn) :]) if held_out else None,
        wanted,
        tables,
        context,
        seed,
    )
    settings = {**asdict(wanted), "seed": seed, "context": context and context.files}
    settings |= {"tags": tags, "text": text, "vectors": [path.name for path in paths]}
    checkpoint = Checkpoint(folder, signature([*learn, *held_out], settings))
    stage("fitting")
    figures = fit(fitting, checkpoint, progress=progress)

    stage("writing")
    kept = ("hidden", "gates", "transitions", "scheme", "layers", "columns", "schedule")
    about = {name: value for name, value in asdict(wanted).items() if name in kept}
    about["layers"] = list(wanted.layers)
    manifest = {
        "labels": sorted({tag[2:] for tag in tags if tag != OUTSIDE}),
        "tags": tags,
        "text": text,
        "bias": bias or 0.0,
        "network": network,
        "training": {**asdict(found), "architecture": architecture, "seed": seed, **about, **figures},
    }
    arrays = {**tables.arrays, "transitions": transitions_of(fitting)}
    weights = weights_of(fitting.parts, wanted, context=context)
    folder.mkdir(parents=True, exist_ok=True)

    def write(exact: bool) -> float:
        """Write the model; return its F on the held-out notes if that decides how weights are stored."""
        (folder / "network.onnx").write_bytes(to_onnx(weights, exact=exact))
        save_model(folder, kind=Bilstm.name, manifest=manifest, arrays=arrays)
        if quantise is not None or not held_out:
            return 0.0
        return scores(held_out, Bilstm(model=str(folder)).detect(held_out))["strict"]["f"] or 0.0

    exact_f = write(exact=True)
    quantised = bool(quantise or (quantise is None and held_out))
    if quantised and write(exact=False) < exact_f - _LOSS:
        quantised = False
        write(exact=True)
    manifest["quantised"] = quantised
    if bias is None and held_out:
        stage("choosing the bias")
        swept = sweep(held_out, lambda bias: Bilstm(model=str(folder), bias=bias).detect(held_out))
        manifest |= swept.to_manifest(notes=len(held_out), recall=recall)
    save = partial(save_model, folder, kind=Bilstm.name, arrays=arrays)
    saved = save_scored(save, manifest, dev, lambda: Bilstm(model=str(folder)), stage)
    checkpoint.clear()
    return saved


def _architecture(
    name: str,
    options: Mapping[str, Any],
    *,
    words: bool,
    characters: bool,
    transitions: bool,
    scheme: Scheme | None,
    gates: Literal["usual", "coupled"] | None,
) -> Architecture:
    """Return an architecture without the unwanted parts, with other options of its schedule."""
    if name not in ARCHITECTURES:
        raise UsageError(f"unknown architecture {name!r}{suggest(name, ARCHITECTURES)}")
    if gates not in (None, *GATES):
        raise UsageError(f"unknown gates {gates!r}{suggest(gates, GATES)}")
    made = replace(ARCHITECTURES[name], gates=gates or ARCHITECTURES[name].gates)
    if not words:
        columns = {column: size for column, size in made.columns.items() if column not in ("vector", "word")}
        made = replace(made, columns=columns)
    if not characters:
        made = replace(made, characters=0, spelt=0)
    if not transitions:
        made = replace(made, transitions="none")
    if not made.columns and not made.spelt and not made.context:
        raise UsageError("a network without words and without characters has no input")
    given = {key: value for key, value in options.items() if value is not None}
    return replace(made, scheme=scheme or made.scheme, schedule=replace(made.schedule, **given))
