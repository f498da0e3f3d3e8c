"""``plainsight experiment``: many runs that make one table and one figure, and can be resumed."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from plainsight.cli.lab.experiment_options import (
    Learner,
    Results,
    Sides,
    named_paths,
    read_settings,
    systems_of,
)
from plainsight.cli.marks import Gold, GoldOptions
from plainsight.cli.options import grouped
from plainsight.errors import UsageError

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


@app.command("learning-curve")
@grouped
def learning_curve(
    *,
    sides: Sides,
    sizes: Annotated[
        str | None,
        typer.Option(metavar="A,B,...", help="Numbers of notes, or shares. Default: 13,2%,...,100%."),
    ] = None,
    seeds: Annotated[int, typer.Option(min=1, help="Random subsets of each size.")] = 3,
    learner: Learner,
    owners: GoldOptions,
    results: Results,
    seed: Seed = 0,
) -> None:
    """Draw a learning curve: F after training on random subsets of the notes.

    Example: plainsight experiment learning-curve --train corpus/office --test corpus/letters -o out/curve
    """
    bench = learner.bench(results, sides.train, sides.test)
    from plainsight.lab.experiments.learning_curve import SIZES
    from plainsight.lab.experiments.learning_curve import learning_curve as run

    splits = sides.splits(owners, results, seed)
    wanted = sizes.split(",") if sizes else SIZES
    results.give(run(bench, splits, sizes=wanted, seeds=seeds, seed=seed, settings=learner.given))


@app.command()
@grouped
def ablation(
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
    owners: GoldOptions,
    results: Results,
    seed: Seed = 0,
) -> None:
    """Compare feature sets or settings: variants of one detector, each against the first.

    Example: plainsight experiment ablation --train corpus/letters --folds 5 -o out/features
    """
    bench = learner.bench(results, sides.train, sides.test)
    from plainsight.lab.experiments.ablation import ablation as run
    from plainsight.lab.experiments.ablation import variants_of

    chosen = {} if variants else variants_of(learner.detector)
    for variant in variants or ():
        name, own, settings = variant.partition(":")
        chosen[name] = (
            read_settings(settings.split(",")) if own else variants_of(learner.detector, [name])[name]
        )
    splits = sides.splits(owners, results, seed)
    results.give(run(bench, splits, variants=chosen, settings=learner.given))


@app.command()
@grouped
def architecture(
    *,
    sides: Sides,
    epochs: Annotated[int | None, typer.Option(min=1, help="Passes of each network over the notes.")] = None,
    vectors: Annotated[
        Path | None, typer.Option(help="Word vectors in GloVe's format; adds a row without them.")
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
    owners: GoldOptions,
    results: Results,
    seed: Seed = 0,
) -> None:
    """Compare the network of 2016 with itself without each part, with a CRF, and with their union.

    Uses a GPU where PyTorch sees one.

    Example: plainsight experiment architecture --train corpus --held-out 0.2 --vectors glove.txt -o out/parts
    """
    ledger = results.ledger(sides.train, sides.test, vectors)
    from plainsight.lab.experiments.architecture import architecture as run
    from plainsight.lab.experiments.bench import Bench

    given = {"epochs": epochs, "vectors": vectors and str(vectors)}
    given = {name: value for name, value in given.items() if value is not None}
    outcome = run(
        Bench(ledger, "bilstm", results.group, results.tell),
        sides.splits(owners, results, seed),
        settings={"seed": seed, **read_settings(settings or ()), **given},
        crf=read_settings(crf or ()),
    )
    results.give(outcome)


@app.command("bias-sweep")
@grouped
def bias_sweep(
    *,
    sides: Sides,
    model: Annotated[Path | None, typer.Option(help="Instead of --train: a trained model.")] = None,
    biases: Annotated[
        str, typer.Option(metavar="FROM:TO:STEP", help="Biases as a range, or separated by commas.")
    ] = "-4:2:0.5",
    policies: Policies = None,
    also: Annotated[
        list[str] | None,
        typer.Option("--also", metavar="NAME=PATH", help="Notes marked by another system; repeatable."),
    ] = None,
    also_labels: Annotated[
        str | None, typer.Option(metavar="SCHEME", help="Map the labels of --also to ours.")
    ] = None,
    scorer: Annotated[str, typer.Option(help="The figure shows strict or binary-token.")] = "strict",
    learner: Learner,
    owners: GoldOptions,
    results: Results,
    seed: Seed = 0,
) -> None:
    """Draw precision against recall: one model with many biases, and other systems as points.

    Example: plainsight experiment bias-sweep --train corpus/office --test corpus/letters -p fast -o out/bias
    """
    bench = learner.bench(results, sides.train, sides.test, model)
    from plainsight.lab.experiments import bias_sweep as sweep
    from plainsight.lab.experiments.measurement import SCORERS
    from plainsight.lab.experiments.splits import Split
    from plainsight.lab.experiments.system import System

    if scorer not in SCORERS:
        raise UsageError(f"the figure shows {' or '.join(SCORERS)}, not {scorer}")
    results.check_policies(policies)
    if model:
        if sides.train or sides.folds or sides.held_out or sides.test is None:
            raise UsageError("give --model and --test, or --train")
        splits = [Split((), results.read(owners, sides.test))]
    else:
        splits = sides.splits(owners, results, seed)
    tested = [note for split in splits for note in split.test]
    others = {
        system.name: sweep.found_by(bench, system, tested) for system in map(System.of_policy, policies or ())
    }
    for name, path in named_paths(also or ()).items():
        others[name] = sweep.read_from(path, tested, labels=also_labels, group=results.group)
    outcome = sweep.bias_sweep(
        bench,
        splits,
        biases=sweep.steps(biases),
        settings=learner.given,
        model=model,
        others=others,
        scorer=scorer,
    )
    results.give(outcome)


@app.command()
@grouped
def confidence(
    *, sides: Sides, learner: Learner, owners: GoldOptions, results: Results, seed: Seed = 0
) -> None:
    """Compare a detector's confidence in each note with the note's F.

    Example: plainsight experiment confidence --train corpus/office --test corpus/letters -o out/confidence
    """
    if results.group:
        raise UsageError("confidence is about whole notes: --group does not apply")
    bench = learner.bench(results, sides.train, sides.test)
    from plainsight.lab.experiments.confidence import note_confidence

    results.give(note_confidence(bench, sides.splits(owners, results, seed), settings=learner.given))


@app.command("cross-corpus")
@grouped
def cross_corpus(
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
    owners: GoldOptions,
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
        paths = named_paths(corpora or ())
    only = named_paths(test_only or ())
    bench = learner.bench(results, *paths.values(), *only.values())
    from plainsight.lab.experiments.cross_corpus import cross_corpus as run

    notes, tests = (
        {name: results.read(owners, path) for name, path in side.items()} for side in (paths, only)
    )
    outcome = run(
        bench, notes, test_only=tests, test_share=test_share, seed=seed, settings=learner.given
    )  # fmt: skip
    results.give(outcome)


@app.command()
@grouped
def portability(
    *,
    corpora: Corpora = None,
    policies: Policies = None,
    models: Models = None,
    owners: GoldOptions,
    results: Results,
) -> None:
    """Measure accuracy on several corpora, speed, load time and memory, system by system.

    Example: plainsight experiment portability --corpus a=corpus/office --corpus b=corpus/world -p fast -o out
    """
    paths = named_paths(corpora or ())
    ledger = results.ledger(*paths.values())
    from plainsight.lab.experiments.portability import portability as run

    results.check_policies(policies)
    systems = systems_of(policies, models)
    notes = {name: results.read(owners, path) for name, path in paths.items()}
    results.give(run(ledger, systems, notes, group=results.group, tell=results.tell))


@app.command()
@grouped
def fairness(
    *,
    gold: Gold,
    policies: Policies = None,
    models: Models = None,
    by: Annotated[str, typer.Option(metavar="A,B,...", help="How to group names.")] = (
        "sex,ethnicity,region"
    ),
    rounds: Annotated[int, typer.Option(min=1, help="Random draws of names.")] = 3,
    owners: GoldOptions,
    results: Results,
    seed: Seed = 0,
) -> None:
    """Measure the recall of names by sex, ethnic group and region.

    Example: plainsight experiment fairness corpus/letters --policy fast -o out/fairness
    """
    ledger = results.ledger(gold)
    from plainsight.lab.experiments.fairness import fairness as run

    results.check_policies(policies)
    systems = systems_of(policies, models)
    if len(systems) != 1:
        raise UsageError("fairness is measured for one system: give one --policy or one --model")
    if results.group:
        raise UsageError("fairness measures names only: --group does not apply")
    notes = results.read(owners, gold)
    outcome = run(
        ledger, systems[0], notes, attributes=by.split(","), rounds=rounds, seed=seed, tell=results.tell
    )
    results.give(outcome)
