"""Cross-validate whole policies on the corpus: each fifth is read by models that have not learnt from it.

    python scripts/cross_validate.py --models conv-en=f-{}/conv-en wide-en=f-{}/wide-en gte-en=f-{}/gte-en

``--models`` say where the replacements of bundled models are, with ``{}`` for the number of the fold: those
of ``build_encoders.py --fold N`` and ``build_convolutions.py``. Prints for each policy, over the notes of all
``--folds``: token recall, precision and F, strict F, notes without a leak, and milliseconds of
processor time for 500 words, which are dense in identifiers here. ``--among`` is a file with names of notes,
one a line: they are also scored by themselves. ``--labels`` adds figures by label.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from itertools import repeat
from multiprocessing import get_context
from pathlib import Path

from network_figures import FOLDS, ROOT, cell, read_corpus, split_fold
from plainsight.config import Policy, load_policy
from plainsight.document import Document
from plainsight.errors import UsageError
from plainsight.evaluate.leaks import leaks
from plainsight.evaluate.pairs import Pair
from plainsight.evaluate.scorers import by_any_label, score
from plainsight.models import sources_of
from plainsight.models import with_models as give_models
from plainsight.pipeline import Pipeline

HEAD = "| policy | notes | token recall | precision | F | strict F | without a leak | ms for 500 words |"


def with_models(policy: Policy, models: Mapping[str, str]) -> Policy:
    """Return the policy with other models in the place of bundled ones."""
    chosen = []
    for choice in policy.detectors:
        sources = sources_of(choice)
        if missing := [source for source in sources if source not in models]:
            raise UsageError(f"{policy.name} has {missing[0]}, which has learnt from the notes: see --models")
        if sources:
            choice = give_models(choice, [models[source] for source in sources])
        chosen.append(choice)
    return replace(policy, detectors=tuple(chosen))


def found_in(name: str, fold: int, corpus: Path, places: Mapping[str, str]) -> tuple[list[Pair], float]:
    """Return what a policy finds in a fold by the models of this fold, and the seconds that it took."""
    models = {bundled: place.format(fold) for bundled, place in places.items()}
    pipeline = Pipeline(with_models(load_policy(name), models))
    _, held_out = split_fold(read_corpus(corpus), fold)
    began = time.process_time()
    found = list(pipeline.detect(held_out))
    spent = time.process_time() - began
    pairs = [
        Pair(note.id, note.text, note.spans, made.spans)
        for note, made in zip(held_out, found, strict=True)
        if isinstance(made, Document)
    ]
    if len(pairs) < len(held_out):
        raise UsageError(f"{name}, fold {fold}: {len(held_out) - len(pairs)} notes set aside")
    return pairs, spent


def row(policy: str, pairs: Sequence[Pair], spent: float | None) -> str:
    """Return a row of the table."""
    whole, exact = score(pairs, "binary-token").micro, score(pairs, "strict")
    shares = (whole.recall, whole.precision, whole.f, exact.micro.f, leaks(pairs).clean_share)
    words = sum(len(pair.text.split()) for pair in pairs)
    cells = [f"`{policy}`", str(len(pairs)), *map(cell, shares)]
    return f"| {' | '.join([*cells, f'{spent / words * 500e3:.0f}' if spent and words else ''])} |"


def by_label(pairs: Sequence[Pair]) -> Iterator[str]:
    """Yield a row for each label: tokens, the share hidden under any label, strict F."""
    yield "| label | marked tokens | recall | strict F |\n|---|--:|--:|--:|"
    hidden, exact = by_any_label(pairs), score(pairs, "strict").by_label
    for label, its in sorted(hidden.items(), key=lambda entry: -entry[1].gold):
        if its.gold:
            yield f"| {label} | {its.gold:,} | {cell(its.recall)} | {cell(exact[label].f)} |"


def main(given: Sequence[str] | None = None) -> None:
    """Print a table with a row for each policy."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--models", nargs="+", required=True, metavar="NAME=FOLDER-{}")
    parser.add_argument("--corpus", type=Path, default=ROOT / "corpus", help="notes with inline marks")
    parser.add_argument("--folds", type=int, nargs="+", choices=range(FOLDS), default=range(FOLDS))
    parser.add_argument("--policies", nargs="+", default=["fast", "balanced", "best"])
    parser.add_argument("--among", type=Path, help="names of notes to tell of by themselves")
    parser.add_argument("--labels", action="store_true", help="figures by label, too")
    parser.add_argument("--processes", type=int, default=1)
    arguments = parser.parse_args(given)
    places = dict(model.split("=", 1) for model in arguments.models)
    for name in arguments.policies:  # what is wrong with one is told before the others take their time
        with_models(load_policy(name), places)
    among = set(arguments.among.read_text(encoding="utf-8").splitlines()) if arguments.among else set()
    work = [(name, fold) for name in arguments.policies for fold in arguments.folds]
    with ProcessPoolExecutor(arguments.processes, mp_context=get_context("spawn")) as pool:
        done = pool.map(found_in, *zip(*work, strict=True), repeat(arguments.corpus), repeat(places))
        print(HEAD, "|---|--:|--:|--:|--:|--:|--:|--:|", sep="\n")
        for name in arguments.policies:
            parts = [next(done) for _ in arguments.folds]
            pairs = [pair for part, _ in parts for pair in part]
            print(row(Path(name).stem, pairs, sum(spent for _, spent in parts)), flush=True)
            if among:
                some = [pair for pair in pairs if pair.id in among]
                print(row(f"{Path(name).stem}, among", some, None), flush=True)
            if arguments.labels:
                print("", *by_label(pairs), "", sep="\n", flush=True)


if __name__ == "__main__":
    main()
