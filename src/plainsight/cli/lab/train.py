"""``plainsight train``: train a detector on annotated notes."""

from __future__ import annotations

import inspect
import json
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from hashlib import sha256
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

from plainsight import registry
from plainsight.cli.card import card
from plainsight.cli.lab.settings import read_settings
from plainsight.cli.lab.train_labels import choose_labels
from plainsight.cli.options import check_paths, grouped
from plainsight.document import Document
from plainsight.errors import UsageError, suggest
from plainsight.lab.train.trainers import (
    check_options,
    complete,
    find_trainer,
    missing_options,
    trainers_with,
)
from plainsight.labels import SCHEMES
from plainsight.text.tokenizers import SEQUENCES, TOKENIZERS
from plainsight.text.variants import TEXT_VARIANTS

_NAMES = {"features": "feature_set", "model": "models"}  # options that have another name in the trainers


@dataclass(frozen=True, slots=True, kw_only=True)
class Learning:
    """Settings of the training; the default of each is the trainer's."""

    features: Annotated[
        str | None,
        typer.Option(
            metavar="SET",
            help="crf: the feature set; `plain` fits any language, `few` suits a few notes. "
            "`plainsight plugins` lists all.",
        ),
    ] = None
    tokens: Annotated[
        str | None,
        typer.Option(help=f"crf: the tokens of notes: {', '.join(TOKENIZERS)}. Default: the feature set's."),
    ] = None
    sequences: Annotated[
        str | None,
        typer.Option(help=f"crf: what a sequence is: {', '.join(SEQUENCES)}. Default: the feature set's."),
    ] = None
    edges: Annotated[
        str | None,
        typer.Option(
            metavar="WORDS",
            help="crf: words that also weigh pairs of tags: word, previous, next, with commas; or none.",
        ),
    ] = None
    init: Annotated[
        Path | None, typer.Option(help="crf, convolution, transformer: continue from this model.")
    ] = None
    iterations: Annotated[int | None, typer.Option(min=1, help="crf, stacker: most iterations.")] = None
    gaussian: Annotated[
        float | None, typer.Option(min=0.0, help="crf, stacker: strength of the L2 penalty.")
    ] = None
    lasso: Annotated[float | None, typer.Option(min=0.0, help="crf: strength of the L1 penalty.")] = None
    rarest: Annotated[int | None, typer.Option(min=1, help="crf: leave out values seen fewer times.")] = None
    trust: Annotated[
        float | None, typer.Option(min=0.0, help="crf: prior weight of the claims of rules.")
    ] = None
    folds: Annotated[
        int | None,
        typer.Option(min=2, help="crf, stacker: folds of the cross-validation that chooses the bias."),
    ] = None

    encoder: Annotated[
        Path | None,
        typer.Option(
            help="transformer: the BERT, RoBERTa or MPNet to fine-tune, in Hugging Face's layout; "
            "convolution: take its word vectors."
        ),
    ] = None
    layers: Annotated[int | None, typer.Option(min=1, help="transformer: keep so many layers.")] = None
    window: Annotated[
        int | None, typer.Option(metavar="N", help="transformer (256): word pieces that it sees at once.")
    ] = None
    warm_up: Annotated[
        float | None,
        typer.Option(
            min=0.01, max=0.9, help="transformer (0.1): share of the steps in which the rate rises."
        ),
    ] = None
    width: Annotated[
        int | None, typer.Option(min=8, help="convolution (128), language-model (512): width of the layers.")
    ] = None
    claims: Annotated[
        bool | None, typer.Option(help="transformer, convolution: use the claims of the rules for English.")
    ] = None
    swap: Annotated[
        int | None,
        typer.Option(
            min=0,
            metavar="N",
            help="transformer, convolution: add N copies of each note with other identifiers.",
        ),
    ] = None
    architecture: Annotated[str | None, typer.Option(help="bilstm: the network; default 2016.")] = None
    vectors: Annotated[
        Path | None, typer.Option(help="bilstm: word vectors to begin with, in GloVe's format.")
    ] = None
    language_model: Annotated[
        Path | None, typer.Option(help="bilstm: the language model of mask-contextual.")
    ] = None
    model: Annotated[
        list[str] | None,
        typer.Option(help="stacker: a trained model, a folder or a bundled one's name; once for each."),
    ] = None
    epochs: Annotated[int | None, typer.Option(min=1, help="Networks: passes over the notes.")] = None
    batch: Annotated[int | None, typer.Option(min=1, help="Networks: batch size.")] = None
    rate: Annotated[float | None, typer.Option(min=0.0, help="Networks: learning rate.")] = None
    seed: Annotated[int | None, typer.Option(help="Networks: random seed.")] = None

    def given(self) -> dict[str, Any]:
        """Return the given settings under the trainers' names."""
        named = {_NAMES.get(f.name, f.name): getattr(self, f.name) for f in fields(self)}
        return {name: value for name, value in named.items() if value not in (None, [])}


_FLAGS = {*(field.name for field in fields(Learning)), "bias", "recall", "text", "dev"}


@grouped
def train(
    *,
    detector: Annotated[
        str,
        typer.Argument(
            help=f"What to train: {', '.join(registry.BUILT_IN['trainers'])}, or a plugin's detector.",
            show_default=False,
        ),
    ],
    train_notes: Annotated[
        Path, typer.Option("--train", help="Annotated notes to learn from.", show_default=False)
    ],
    dev_notes: Annotated[
        Path | None, typer.Option("--dev", help="Annotated notes to score at the end.", show_default=False)
    ] = None,
    out: Annotated[Path, typer.Option("--out", "-o", help="The model folder to write.", show_default=False)],
    format: Annotated[  # noqa: A002 - the domain's word
        str | None, typer.Option(help="Format of the notes; guessed when not given.")
    ] = None,
    labels: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAMES",
            help="Learn only these labels, categories or groups: PATIENT,AGE or LOCATION or safe-harbor; "
            f"and map the notes' labels to ours: {', '.join(SCHEMES)}.",
        ),
    ] = None,
    text: Annotated[
        str | None,
        typer.Option(metavar="VARIANT", help=f"Read a variant of the text: {', '.join(TEXT_VARIANTS)}."),
    ] = None,
    bias: Annotated[
        float | None,
        typer.Option(help="Below 0 finds more, above 0 less. Default: chosen on held-out training notes."),
    ] = None,
    recall: Annotated[
        float | None,
        typer.Option(min=0.0, max=1.0, help="Choose the bias for this token recall instead of the best F."),
    ] = None,
    learning: Learning,
    settings: Annotated[
        list[str] | None,
        typer.Option(
            "--set",
            metavar="KEY=VALUE",
            help="Any other setting of the trainer, such as order=6; repeatable.",
        ),
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Overwrite an existing model.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print the model's manifest as JSON.")] = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="No progress, no figures.")] = False,
) -> None:
    """Train a detector on annotated notes, in any format and with any labels, and write a model folder.

    The bias is chosen on held-out training notes, for the best entity F or for a wanted recall; crf and
    stacker cross-validate. The dev notes are only scored. With `--init`, training continues from a model, and
    its labels stay beside yours. If the command is stopped or killed, run it again to continue (crf, bilstm,
    convolution, transformer).

    A model holds no words, but it can be tested for names that it has learnt: protect it like the notes.

    Examples:

        plainsight train crf --train ward/train --dev ward/dev --out our-ward/

        plainsight train crf --train ward/ --out our-ward/ --init last-year/ --recall 0.98

        plainsight train crf --train brat/train --dev brat/dev --out es/ --format brat --features plain

        plainsight train convolution --train ward/train --dev ward/dev --out our-ward/

        plainsight train transformer --train ward/ --out our-ward/ --encoder gte-small/

        plainsight train transformer --train ward/ --out n/ --encoder gte-small/ --labels NAME --text lower

        plainsight detect notes/ -o found.jsonl --model our-ward/

        plainsight train stacker --train ward/other --model our-ward/ --model gte-en --out together/

        plainsight train language-model --train texts.jsonl --out lm/

        plainsight train bilstm --train ward/ --out m/ --architecture mask-contextual --language-model lm/

        plainsight train vectors --train texts.jsonl --out vectors.txt

        plainsight train bilstm --train ward/ --out m/ --vectors vectors.txt --set gates=coupled
    """
    if recall is not None and bias is not None:
        raise UsageError("--recall chooses the bias: give one of them, --bias or --recall")
    part = out.with_name(out.name + ".part")  # left by an interrupted training
    empty = out.is_dir() and not any(out.iterdir())
    check_paths((train_notes, dev_notes), (out,), force=force or empty or part.exists())
    chosen = choose_labels(labels or ())
    if text is not None and text not in TEXT_VARIANTS:
        raise UsageError(f"no text variant {text!r}{suggest(text, TEXT_VARIANTS)}")
    trainer = find_trainer(detector)
    known = inspect.signature(trainer).parameters
    further = read_settings(settings)
    check_options(detector, further)
    options = {**learning.given(), "recall": recall, "text": text, **further, "bias": bias}
    _check_options(detector, {**options, "dev": dev_notes}, known)
    if learning.init is not None:
        chosen.check_init(learning.init)
    marked = detector in registry.names("detectors")
    if labels and not marked:
        raise UsageError(f"{detector} learns from notes without marks: it has no option --labels")
    documents = chosen.read(train_notes, format)
    dev = chosen.read(dev_notes, format) if dev_notes else []
    if marked:
        _warn(documents, dev)
    watch = _Watch(hidden=quiet, iterations=options.get("iterations") or _default(known, "iterations"))
    try:
        with watch:
            every = {name: value for name, value in options.items() if value is not None or name == "bias"}
            every |= {"dev": dev, "labels": chosen.labels}
            given = {name: value for name, value in every.items() if name in known}
            given = complete(detector, given)
            manifest = trainer(documents, out, **given, progress=watch.progress, stage=watch.stage)
    except KeyboardInterrupt:
        print(
            f"stopped; run the same command again to continue from {part}" if part.exists() else "stopped",
            file=sys.stderr,
        )
        raise typer.Exit(1) from None
    if as_json:
        print(json.dumps(manifest))
    elif not quiet:
        Console(stderr=True).print(*card(out.name, manifest))


def _check_options(detector: str, options: Mapping[str, Any], known: Mapping[str, Any]) -> None:
    """Refuse options that the trainer does not have, saying which ones have them, and missing ones."""
    for name, value in options.items():
        if name not in known and value is not None:
            able = ", ".join(trainers_with(name))
            raise UsageError(
                f"{detector} has no option {_flag(name)}; trainers that have it: {able or 'none'}"
            )
    given = [name for name, value in options.items() if value is not None]
    if "init" not in given and (missing := missing_options(detector, given)):
        raise UsageError(f"{detector} needs {_flag(missing[0])}")


def _flag(option: str) -> str:
    """Return how an option of a trainer is written on the command line."""
    name = {theirs: ours for ours, theirs in _NAMES.items()}.get(option, option)
    return f"--{name.replace('_', '-')}" if name in _FLAGS else f"--set {name}=..."


def _default(known: Mapping[str, inspect.Parameter], name: str) -> int | None:
    return known[name].default if name in known else None


def _warn(documents: Sequence[Document], dev: Sequence[Document]) -> None:
    """Print warnings about the notes."""
    from plainsight.lab.train.check_notes import check_notes

    for warning in check_notes(documents).warnings():
        print(f"warning: {warning}", file=sys.stderr)
    if dev:
        check_notes(dev, what="dev")
    learnt = {_digest(document) for document in documents}
    if same := sum(_digest(document) in learnt for document in dev):
        print(
            f"warning: {same} dev notes are also training notes: the scores will be too high", file=sys.stderr
        )


def _digest(document: Document) -> bytes:
    return sha256(document.text.encode("utf-8", "surrogatepass")).digest()


class _Watch:
    """Show progress: a bar on a terminal, else a line for each stage."""

    def __init__(self, *, hidden: bool, iterations: int | None) -> None:
        self._hidden, self._iterations = hidden, iterations
        self._bar = Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            TextColumn("{task.fields[line]}"),
            TimeElapsedColumn(),
            console=Console(stderr=True),
            disable=hidden or not sys.stderr.isatty(),
        )
        self._task = self._bar.add_task("", total=None, line="")
        self._name = self._line = ""

    def __enter__(self) -> None:
        self._bar.start()

    def __exit__(self, *_: object) -> None:
        self._print()
        self._bar.stop()

    def stage(self, name: str) -> None:
        self._print()
        self._name, self._line = name, ""
        self._bar.reset(self._task, description=name, total=self._iterations, line="")

    def progress(self, iteration: int, loss: float) -> None:
        # a CRF's is a sum over all notes, a network's a mean over tokens
        self._line = f"{iteration} iterations, loss {loss:,.{1 if loss >= 10 else 4}f}"
        self._bar.update(self._task, completed=iteration, line=self._line)

    def _print(self) -> None:
        if self._bar.disable and not self._hidden and self._line:
            print(f"{self._name}: {self._line}", file=sys.stderr)
