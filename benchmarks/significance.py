"""Measure the seconds that tests of significance, intervals and all figures take.

    python benchmarks/significance.py [--notes 1000] [--spans 50] [--draws 9999] [--json]

Two made-up systems are tried on made-up notes: one finds 95 % of the spans, the other 94 %. Approximate
randomisation and the bootstrap run on their tallies with one seed; every figure of an evaluation and its page
are made once. Run it on one core: OMP_NUM_THREADS=1 taskset -c 0 python benchmarks/significance.py
"""

from __future__ import annotations

import argparse
import json
import random
import time
from collections.abc import Callable
from typing import TypeVar

from plainsight.document import Span
from plainsight.evaluate.evaluation import Evaluation
from plainsight.evaluate.pairs import Pair
from plainsight.evaluate.report.page import page
from plainsight.evaluate.scorers import score
from plainsight.evaluate.statistics import bootstrap, randomisation

LABELS = ("PATIENT", "DOCTOR", "DATE", "HOSPITAL", "PHONE", "CITY", "IDNUM", "AGE")
Made = TypeVar("Made")


def systems(notes: int, spans: int) -> tuple[list[Pair], list[Pair]]:
    chance = random.Random(1)
    first, second = [], []
    for number in range(notes):
        text = " ".join(f"word{chance.randrange(1000):03}" for _ in range(12 * spans))
        places = sorted(chance.sample(range(12 * spans), spans))
        gold = tuple(Span(8 * place, 8 * place + 7, chance.choice(LABELS)) for place in places)
        for pairs, share in ((first, 0.95), (second, 0.94)):
            found = tuple(span for span in gold if chance.random() < share)
            pairs.append(Pair(str(number), text, gold, found))
    return first, second


def timed(work: Callable[[], Made]) -> tuple[float, Made]:
    start = time.perf_counter()
    made = work()
    return round(time.perf_counter() - start, 2), made


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--notes", type=int, default=1000)
    parser.add_argument("--spans", type=int, default=50)
    parser.add_argument("--draws", type=int, default=9999)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()

    first, second = systems(options.notes, options.spans)
    one, two = (score(pairs, "binary-token").by_note for pairs in (first, second))
    seconds = {}
    seconds["randomisation"], tested = timed(lambda: randomisation(one, two, shuffles=options.draws))
    seconds["bootstrap"], intervals = timed(lambda: bootstrap(one, draws=options.draws))
    seconds["figures"], evaluation = timed(lambda: _figures(first))
    seconds["page"], _ = timed(lambda: page(evaluation, title="made up"))
    result = {
        "notes": options.notes,
        "spans": options.spans,
        "draws": options.draws,
        "seconds": seconds,
        "p_recall": tested.p_recall,
        "recall": intervals["recall"].value,
        "recall_low": intervals["recall"].low,
        "recall_high": intervals["recall"].high,
    }
    if options.json:
        print(json.dumps(result))
        return
    print(f"{options.notes} notes of {options.spans} spans, {options.draws} draws")
    for name, taken in seconds.items():
        print(f"{name:15}{taken:7.2f} s")


def _figures(pairs: list[Pair]) -> Evaluation:
    evaluation = Evaluation(tuple(pairs))
    evaluation.data  # noqa: B018 - computes every figure
    return evaluation


if __name__ == "__main__":
    main()
