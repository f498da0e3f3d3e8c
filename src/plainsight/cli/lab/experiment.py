"""``plainsight experiment``: many runs that make one table and one figure, and can be resumed."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

import typer

from plainsight.cli.gold import Gold
from plainsight.cli.lab.active_learning import active_learning
from plainsight.cli.lab.experiment_options import (
    Learner,
    Learners,
    Results,
    Sides,
    named_paths,
)
from plainsight.cli.lab.settings import read_settings
from plainsight.cli.lab.simulated_site import simulated_site
from plainsight.cli.options import check_paths, grouped
from plainsight.errors import UsageError
from plainsight.lab.experiments.ablation import ablation, architecture, variants_of
from plainsight.lab.experiments.bench import Bench, Split
from plainsight.lab.experiments.bias_sweep import BIASES, bias_sweep, found_by, read_from, steps
from plainsight.lab.experiments.confidence import note_confidence
from plainsight.lab.experiments.cross_corpus import cross_corpus
from plainsight.lab.experiments.fairness import fairness
from plainsight.lab.experiments.learning_curve import SIZES, learning_curve
from plainsight.lab.experiments.name_groups import ATTRIBUTES
from plainsight.lab.experiments.portability import portability
from plainsight.lab.experiments.results import SCORERS

app = typer.Typer(
    add_completion=False,
    help=(
        "Run experiments. Each writes its runs (results.jsonl), a table and a figure to a folder and prints "
        "the table. Run the same command again to continue an interrupted experiment."
    ),
    no_args_is_help=True,
)

Seed = Annotated[int, typer.Option(help="Random seed.")]
Corpora = Annotated[
    list[str] | None, typer.Option("--corpus", metavar="NAME=PATH", help="A corpus and its name; repeatable.")
]
Policies = Annotated[
    list[str] | None, typer.Option("--policy", "-p", help="A policy's name or file; repeatable.")
]
Models = Annotated[
    list[str] | None,
    typer.Option("--model", metavar="DETECTOR=FOLDER", help="A trained detector; repeatable."),
]


Scorer = Annotated[
    str, typer.Option(help="The figure shows strict or binary-token; of a curve: if there are several.")
]


def _check_scorer(scorer: str) -> None:
    if scorer not in SCORERS:
        raise UsageError(f"the figure shows {' or '.join(SCORERS)}, not {scorer}")


def _command(name: str) -> Callable[[Callable[..., None]], Any]:
    return lambda function: app.command(name)(grouped(function))


@_command("learning-curve")
def _learning_curve(
    *,
    sides: Sides,
    sizes: Annotated[
        str | None,
        typer.Option(metavar="A,B,...", help="Numbers of notes, or shares. Default: 13,2%,...,100%."),
    ] = None,
    seeds: Annotated[int, typer.Option(min=1, help="Random subsets of each size.")] = 3,
    scorer: Scorer = "binary-token",
    learners: Learners,
    results: Results,
) -> None:
    """Draw a learning curve: F after training on random subsets of the notes.

    Examples:

        plainsight experiment learning-curve --train corpus/office --test corpus/letters -o out/curve

        plainsight experiment learning-curve --train ward/ --held-out 0.2 --group i2b2-hipaa -o out/curve
            --detector crf --detector bilstm --detector crf+bilstm
    """
    _check_scorer(scorer)
    benches, splits = learners.benches(results), sides.splits(results)
    wanted = sizes.split(",") if sizes else SIZES
    results.give(learning_curve(benches, splits, sizes=wanted, seeds=seeds, seed=sides.seed, scorer=scorer))


@_command("ablation")
def _ablation(
    *,
    sides: Sides,
    variants: Annotated[
        list[str] | None,
        typer.Option(
            "--variant",
            metavar="NAME[:KEY=VALUE,...]",
            help="A named variant of the detector, or your own; repeatable. Default: all named ones.",
        ),
    ] = None,
    learner: Learner,
    results: Results,
) -> None:
    """Compare feature sets or settings: variants of one detector, each against the first.

    Example: plainsight experiment ablation --train corpus/letters --folds 5 -o out/features
    """
    bench = learner.bench(results)
    wanted = {} if variants else variants_of(learner.detector)
    for variant in variants or ():
        name, own, settings = variant.partition(":")
        named = read_settings(settings.split(",")) if own else variants_of(learner.detector, [name])[name]
        wanted[name] = named
    results.give(ablation(bench, sides.splits(results), variants=wanted))


@_command("architecture")
def _architecture(
    *,
    sides: Sides,
    epochs: Annotated[int | None, typer.Option(min=1, help="Passes of each network over the notes.")] = None,
    vectors: Annotated[
        list[Path] | None,
        typer.Option(
            help="Word vectors in GloVe's format; adds a row without them. Repeat it to compare files."
        ),
    ] = None,
    settings: Annotated[
        list[str] | None,
        typer.Option(
            "--set", metavar="KEY=VALUE", help="A setting of every network, such as batch=64; repeatable."
        ),
    ] = None,
    crf: Annotated[
        list[str] | None,
        typer.Option(metavar="KEY=VALUE", help="A setting of the CRF, such as iterations=50; repeatable."),
    ] = None,
    results: Results,
) -> None:
    """Compare the network of 2016 with itself without each part, with a CRF, and with their union.

    Uses a GPU where PyTorch sees one.

    Example: plainsight experiment architecture --train corpus --held-out 0.2 --vectors glove.txt -o out/parts
    """
    own = {"seed": sides.seed, **read_settings(settings)}
    own |= {"epochs": epochs} if epochs else {}
    files = vectors or []
    check_paths(files, (results.out,), force=True)
    own |= {"vectors": str(files[0])} if files else {}
    bench = Bench(results.ledger(), "bilstm", results.group, own)
    results.give(architecture(bench, sides.splits(results), crf=read_settings(crf), vectors=files[1:]))


@_command("bias-sweep")
def _bias_sweep(
    *,
    sides: Sides,
    model: Annotated[Path | None, typer.Option(help="Instead of --train: a trained model.")] = None,
    biases: Annotated[
        str, typer.Option(metavar="FROM:TO:STEP", help="Biases as a range, or separated by commas.")
    ] = BIASES,
    policies: Policies = None,
    also: Annotated[
        list[str] | None,
        typer.Option("--also", metavar="NAME=PATH", help="Notes marked by another system; repeatable."),
    ] = None,
    also_labels: Annotated[
        str | None, typer.Option(metavar="SCHEME", help="Map the labels of --also to ours.")
    ] = None,
    scorer: Scorer = "strict",
    learners: Learners,
    results: Results,
) -> None:
    """Draw precision against recall: models with many biases, and other systems as points.

    Example: plainsight experiment bias-sweep --train corpus/office --test corpus/letters -p fast -o out/bias
    """
    _check_scorer(scorer)
    benches, systems = learners.benches(results), results.systems(policies)
    if model:
        if sides.train or sides.folds or sides.held_out or sides.test is None:
            raise UsageError("give --model and --test, or --train")
        check_paths((model,), (results.out,), force=True)
        splits = [Split((), results.notes(sides.test))]
    else:
        splits = sides.splits(results)
    tested = [note for split in splits for note in split.test]
    others = {system.name: found_by(benches[0], system, tested) for system in systems}
    for name, path in named_paths(also).items():
        others[name] = read_from(path, tested, labels=also_labels, group=results.group)
    results.give(bias_sweep(benches, splits, biases=steps(biases), model=model, others=others, scorer=scorer))


@_command("confidence")
def _confidence(*, sides: Sides, learner: Learner, results: Results) -> None:
    """Compare a detector's confidence in each note with the note's F.

    Example: plainsight experiment confidence --train corpus/office --test corpus/letters -o out/confidence
    """
    if results.group:
        raise UsageError("confidence is about whole notes: --group does not apply")
    results.give(note_confidence(learner.bench(results), sides.splits(results)))


@_command("cross-corpus")
def _cross_corpus(
    *,
    corpora: Corpora = None,
    folder: Annotated[
        Path | None,
        typer.Option("--corpora", help="Instead: a folder, each sub-folder of which is a corpus."),
    ] = None,
    test_only: Annotated[
        list[str] | None,
        typer.Option("--test-only", metavar="NAME=PATH", help="A corpus that is only tested on; repeatable."),
    ] = None,
    test_share: Annotated[
        float, typer.Option(min=0.0, max=1.0, help="The share of each corpus to test on.")
    ] = 0.3,
    learner: Learner,
    results: Results,
    seed: Seed = 0,
) -> None:
    """Train on each corpus and test on each other, without and with notes of the tested corpus.

    Example: plainsight experiment cross-corpus --corpus a=corpus/office --corpus b=corpus/letters -o out
    """
    if (folder is None) == (corpora is None):
        raise UsageError("give --corpus NAME=PATH several times, or --corpora FOLDER")
    if folder:
        paths = {entry.name: entry for entry in sorted(folder.iterdir()) if entry.is_dir()}
    else:
        paths = named_paths(corpora)
    bench = learner.bench(results)
    train, test = (
        {name: results.notes(path) for name, path in side.items()} for side in (paths, named_paths(test_only))
    )
    results.give(cross_corpus(bench, train, test_only=test, test_share=test_share, seed=seed))


@_command("portability")
def _portability(
    *, corpora: Corpora = None, policies: Policies = None, models: Models = None, results: Results
) -> None:
    """Measure accuracy on several corpora, speed, load time and memory, system by system.

    Example: plainsight experiment portability --corpus a=corpus/office --corpus b=corpus/world -p fast -o out
    """
    ledger, systems = results.ledger(), results.systems(policies, models)
    notes = {name: results.notes(path) for name, path in named_paths(corpora).items()}
    results.give(portability(ledger, systems, notes, group=results.group))


@_command("fairness")
def _fairness(
    *,
    gold: Gold,
    policies: Policies = None,
    models: Models = None,
    by: Annotated[str, typer.Option(metavar="A,B,...", help="How to group names.")] = ",".join(ATTRIBUTES),
    rounds: Annotated[int, typer.Option(min=1, help="Random draws of names.")] = 3,
    results: Results,
    seed: Seed = 0,
) -> None:
    """Measure the recall of names by sex, ethnic group and region.

    Example: plainsight experiment fairness corpus/letters --policy fast -o out/fairness
    """
    ledger, systems = results.ledger(), results.systems(policies, models)
    if len(systems) != 1:
        raise UsageError("fairness is measured for one system: give one --policy or one --model")
    if results.group:
        raise UsageError("fairness measures names only: --group does not apply")
    attributes, notes = by.split(","), results.notes(gold)
    results.give(fairness(ledger, systems[0], notes, attributes=attributes, rounds=rounds, seed=seed))


app.command("simulated-site")(grouped(simulated_site))
app.command("active-learning")(active_learning)
