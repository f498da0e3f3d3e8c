"""Cross-validate whole policies on the corpus: each fifth is read by models that have not learnt from it.

    python scripts/cross_validate.py --models conv-en=conv/fold-{} wide-en=wide/fold-{} gte-en=gte/fold-{}

``--models`` say where the stand-ins of bundled models are, ``{}`` being the fold's number; those are what
``build_transformer.py --fold N --keep`` and ``build_convolution.py --fold N --keep`` leave. Prints for each
policy, over the notes of all ``--folds`` together: token recall, precision and F, strict F, notes without a
leak, and milliseconds of processor time for 500 words, which are dense in identifiers here.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from build_transformer import FOLDS, PATIENT, ROOT, parted
from plainsight.config import Policy, load_policy
from plainsight.document import Document
from plainsight.errors import UsageError
from plainsight.evaluate.gold import read_notes
from plainsight.evaluate.pairs import Pair
from plainsight.evaluate.summary import score
from plainsight.models import sources_of
from plainsight.pipeline import Pipeline


def with_models(policy: Policy, models: Mapping[str, str]) -> Policy:
    """Return the policy with other models in the place of bundled ones."""
    chosen = []
    for choice in policy.detectors:
        sources = sources_of(choice)
        if missing := [source for source in sources if source not in models]:
            raise UsageError(f"{policy.name} has {missing[0]}, which has learnt from the notes: see --models")
        if sources:
            instead = [models[source] for source in sources]
            given = instead if isinstance(choice.options.get("model"), list | tuple) else instead[0]
            choice = replace(choice, options={**choice.options, "model": given})
        chosen.append(choice)
    return replace(policy, detectors=tuple(chosen))


def figures(pairs: Sequence[Pair]) -> str:
    """Return the columns of a row."""
    tokens, exact = score(pairs, "binary-token"), score(pairs, "strict")
    whole = tokens.micro
    clean = sum(note.recall in (None, 1.0) for note in tokens.by_note)
    shares = (whole.recall, whole.precision, whole.f, exact.micro.f)
    return " | ".join([*(f"{share or 0:.3f}" for share in shares), f"{clean} of {len(pairs)}"])


def main(given: Sequence[str] | None = None) -> None:
    """Print a table with a row for each policy."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--models", nargs="+", required=True, metavar="NAME=FOLDER-{}")
    parser.add_argument("--corpus", type=Path, default=ROOT / "corpus", help="notes with inline marks")
    parser.add_argument("--folds", type=int, nargs="+", choices=range(FOLDS), default=range(FOLDS))
    parser.add_argument("--policies", nargs="+", default=["fast", "balanced", "best"])
    asked = parser.parse_args(given)
    places = dict(model.split("=", 1) for model in asked.models)
    documents = read_notes(asked.corpus, format="inline", patient_from_name=PATIENT)
    print("| policy | token recall | precision | F | strict F | notes without a leak | ms for 500 words |")
    print("|---|--:|--:|--:|--:|--:|--:|")
    for name in asked.policies:
        pairs: list[Pair] = []
        spent, words = 0.0, 0
        for fold in asked.folds:
            models = {bundled: place.format(fold) for bundled, place in places.items()}
            pipeline = Pipeline(with_models(load_policy(name), models))
            _, apart = parted(documents, fold)
            began = time.process_time()
            found = list(pipeline.detect(apart))
            spent += time.process_time() - began
            words += sum(len(note.text.split()) for note in apart)
            pairs += [
                Pair(note.id, note.text, note.spans, made.spans)
                for note, made in zip(apart, found, strict=True)
                if isinstance(made, Document)
            ]
        print(f"| `{Path(name).stem}` | {figures(pairs)} | {spent / words * 500e3:.0f} |", flush=True)


if __name__ == "__main__":
    main()
