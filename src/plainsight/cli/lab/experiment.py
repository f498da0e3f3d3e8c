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

__all__ = ["app"]

app = typer.Typer(
    add_completion=False,
    help=(
        "Run experiments. Each writes its runs (results.jsonl), a table and a figure into a folder, and "
        "prints the table; started again, it does only the runs that are not there yet."
    ),
    no_args_is_help=True,
)

Seed = Annotated[int, typer.Option(help="Everything random follows from it.")]
Corpora = Annotated[
    list[str] | None, typer.Option("--corpus", metavar="NAME=PATH", help="A corpus and its name; several.")
]
Policies = Annotated[
    list[str] | None, typer.Option("--policy", "-p", help="A policy's name or file; several.")
]
Models = Annotated[
    list[str] | None,
    typer.Option("--model", metavar="DETECTOR=FOLDER", help="A trained detector by itself; several."),
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
    seeds: Annotated[int, typer.Option(min=1, help="How often each size is drawn.")] = 3,
    learner: Learner,
    owners: GoldOptions,
    results: Results,
    seed: Seed = 0,
) -> None:
    """Show how much is learnt from how many notes: F on random subsets of the training notes.

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
            help="A named variant of the detector, or one of your own; several. Default: all named ones.",
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
    epochs: Annotated[int | None, typer.Option(min=1, help="Rounds of each network over the notes.")] = None,
    vectors: Annotated[
        Path | None,
        typer.Option(help="Word vectors to begin with, in GloVe's format; then also a row without them."),
    ] = None,
    settings: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="KEY=VALUE", help="A setting of every network: batch=64; several."),
    ] = None,
    crf: Annotated[
        list[str] | None,
        typer.Option(metavar="KEY=VALUE", help="A setting of the CRF: iterations=50; several."),
    ] = None,
    owners: GoldOptions,
    results: Results,
    seed: Seed = 0,
) -> None:
    """Take the network of 2016 apart: whole, without each of its parts, beside a CRF, and both together.

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
    model: Annotated[Path | None, typer.Option(help="Instead of --train: a model that is there.")] = None,
    biases: Annotated[
        str, typer.Option(metavar="FROM:TO:STEP", help="Biases; or numbers with commas.")
    ] = "-4:2:0.5",
    policies: Policies = None,
    also: Annotated[
        list[str] | None,
        typer.Option("--also", metavar="NAME=PATH", help="Notes as another system marked them; several."),
    ] = None,
    also_labels: Annotated[
        str | None, typer.Option(metavar="SCHEME", help="Turn the labels of --also into ours.")
    ] = None,
    scorer: Annotated[str, typer.Option(help="The figure shows strict or binary-token.")] = "strict",
    learner: Learner,
    owners: GoldOptions,
    results: Results,
    seed: Seed = 0,
) -> None:
    """Draw precision against recall: one model under many biases, other systems beside the curve.

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
            raise UsageError("a model is tested, not trained: give --model and --test")
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
    *,
    sides: Sides,
    learner: Learner,
    owners: GoldOptions,
    results: Results,
    seed: Seed = 0,
) -> None:
    """Ask whether a detector knows which notes it got right: its confidence in a note against the note's F.

    Example: plainsight experiment confidence --train corpus/office --test corpus/letters -o out/confidence
    """
    if results.group:
        raise UsageError("confidence is in a note as a whole: --group has no place in it")
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
        typer.Option("--test-only", metavar="NAME=PATH", help="A corpus that nobody learns from; several."),
    ] = None,
    test_share: Annotated[float, typer.Option(min=0.0, max=1.0, help="How much of each corpus tests.")] = 0.3,
    learner: Learner,
    owners: GoldOptions,
    results: Results,
    seed: Seed = 0,
) -> None:
    """Train here, test there: each corpus against each, without and with notes from there.

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
    by: Annotated[str, typer.Option(metavar="A,B,...", help="By what names are grouped.")] = (
        "sex,ethnicity,region"
    ),
    rounds: Annotated[int, typer.Option(min=1, help="How often names are drawn.")] = 3,
    owners: GoldOptions,
    results: Results,
    seed: Seed = 0,
) -> None:
    """Ask whether some people's names are found less often: recall by sex, ethnic group and region.

    Example: plainsight experiment fairness corpus/letters --policy fast -o out/fairness
    """
    ledger = results.ledger(gold)
    from plainsight.lab.experiments.fairness import fairness as run

    results.check_policies(policies)
    systems = systems_of(policies, models)
    if len(systems) != 1:
        raise UsageError("fairness is measured for one system: give one --policy or one --model")
    if results.group:
        raise UsageError("fairness is about names alone: --group has no place in it")
    notes = results.read(owners, gold)
    outcome = run(
        ledger, systems[0], notes, attributes=by.split(","), rounds=rounds, seed=seed, tell=results.tell
    )
    results.give(outcome)
