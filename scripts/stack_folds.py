"""Compare a stacker with the plain mean of its models, on folds of the corpus that neither has learnt from.

    python scripts/stack_folds.py --models f-{}/192 f-{}/gte-en --among first.txt

``--models`` are the models of each fold, ``{}`` being its number (see ``cross_validate.py``). They read the
notes of their fold; a stacker is fitted on four folds and scored on the fifth, for each fold in turn. Prints
token recall, precision and F, strict F at several biases, and the calibration error. Rules and propagation
are off. ``--among`` is a file with the names of the notes to read; the default is all.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from network_figures import FOLDS, ROOT, read_corpus, split_fold, sweep_biases, table
from network_notes import TAGS
from plainsight.document import Document
from plainsight.errors import UsageError
from plainsight.lab.detect.stacker import Pool, SharedTags, mean_pool, probabilities_of
from plainsight.lab.train.stacker import ModelOpinions, ask_models, calibration_error, fit_pool
from plainsight.model import read_manifest
from plainsight.text.tags import OUTSIDE

Part = tuple[list[Document], list[ModelOpinions]]


def print_figures(parts: Sequence[Part], pools: Sequence[Pool]) -> None:
    """Print the figures of pools, one for each fold, on the notes of their folds."""
    outside = pools[0].shared.tags.index(OUTSIDE)
    notes = [note for some, _ in parts for note in some]
    combined = [(each, pool) for (_, some), pool in zip(parts, pools, strict=True) for each in some]
    print(table(sweep_biases(notes, [(each.tokens, each.scores(pool)) for each, pool in combined])))
    probable = -np.expm1(
        np.concatenate([pool.combine(each.logarithms)[:, outside] for each, pool in combined])
    )
    truth = np.concatenate([each.right for each, _ in combined]) != outside
    print(f"\ncalibration: off by {calibration_error(probable, truth):.4f} at {len(truth):,} tokens\n")


def main(given: Sequence[str] | None = None) -> None:
    """Print both tables."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--models", nargs="+", required=True, metavar="FOLDER-{}")
    parser.add_argument("--corpus", type=Path, default=ROOT / "corpus", help="notes with inline marks")
    parser.add_argument("--among", type=Path, help="names of the notes to read")
    parser.add_argument("--gaussian", type=float, default=10.0, help="strength of the prior towards the mean")
    arguments = parser.parse_args(given)
    among = set(arguments.among.read_text(encoding="utf-8").splitlines()) if arguments.among else None
    corpus = read_corpus(arguments.corpus)
    shared = SharedTags([read_manifest(model.format(0))["tags"] for model in arguments.models])
    if shared.tags != TAGS:
        raise UsageError("the models must have all of our labels, and no others")
    parts: list[Part] = []
    for fold in range(FOLDS):
        notes = [note for note in split_fold(corpus, fold)[1] if among is None or note.id in among]
        members = [probabilities_of(model.format(fold)) for model in arguments.models]
        parts.append((notes, ask_models(notes, members, shared)))
    print("## The plain mean\n")
    print_figures(parts, [mean_pool(shared)] * FOLDS)
    print("## The stacker\n")
    others = [
        [each for place, (_, some) in enumerate(parts) if place != fold for each in some]
        for fold in range(FOLDS)
    ]
    print_figures(
        parts, [fit_pool(some, shared=shared, gaussian=arguments.gaussian, iterations=100) for some in others]
    )


if __name__ == "__main__":
    main()
