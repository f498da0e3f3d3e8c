"""``plainsight experiment active-learning``: what each choice of notes to read would have brought."""

from __future__ import annotations

from typing import Annotated

from typer import Option

from plainsight.cli.gold import Gold
from plainsight.cli.lab.experiment_options import Results
from plainsight.cli.options import PolicyName, grouped
from plainsight.errors import UsageError
from plainsight.lab.experiments.active_learning import RANDOM_SIZES, SIZES
from plainsight.lab.experiments.active_learning import active_learning as experiment
from plainsight.site.choose import Strategy


@grouped
def active_learning(
    *,
    gold: Gold,
    policy: PolicyName = "balanced",
    strategies: Annotated[
        list[Strategy] | None, Option("--strategy", help="A strategy to compare; repeatable. Default: all.")
    ] = None,
    sizes: Annotated[str, Option(metavar="N,N,...", help="How many notes are read.")] = ",".join(
        map(str, SIZES)
    ),
    random_sizes: Annotated[
        str, Option(metavar="N,N,...", help="Further sizes for random: how far one gets without choosing.")
    ] = ",".join(map(str, RANDOM_SIZES)),
    test_share: Annotated[float, Option(min=0.05, max=0.9, help="The share of patients to test on.")] = 0.3,
    draws: Annotated[int, Option(min=1, help="Random splits into pool and test.")] = 1,
    seed: Annotated[int, Option(help="Random seed of the first split.")] = 0,
    results: Results,
) -> None:
    """Compare ways to choose the notes that a reader corrects, with a gold standard as the reader.

    Draws F and leaks against notes read and against estimated minutes: chosen notes are longer and need more
    corrections, so a strategy may win by notes and lose by minutes.

    Example: plainsight experiment active-learning site/notes.jsonl -o out/active --sizes 50,100,150
    """
    if results.group or results.coarse:
        raise UsageError("active-learning counts all labels of the policy: no --group and no --coarse")
    outcome = experiment(
        results.ledger(),
        results.notes(gold),
        policy=policy,
        strategies=strategies or tuple(Strategy),
        sizes=_sizes(sizes),
        random_sizes=_sizes(random_sizes),
        test_share=test_share,
        draws=draws,
        seed=seed,
    )
    results.give(outcome)


def _sizes(text: str) -> list[int]:
    try:
        return [int(size) for size in text.split(",") if size]
    except ValueError:
        raise UsageError(f"{text!r}: give sizes such as 50,100,200") from None
