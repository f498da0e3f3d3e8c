"""What corrected notes of a site bring: a filter of false alarms, and templates harvested by their marks.

    python benchmarks/corrected_notes.py --policy balanced --seeds 11 12 13 --read 50 200

The corrected notes are drawn from half of the patients of a simulated site, which no network has seen;
figures are of notes of the other half, and for the filter also of another site. They count words.
"""

from __future__ import annotations

import argparse
import json
import random
import tempfile
from collections.abc import Sequence
from dataclasses import replace
from itertools import islice
from pathlib import Path

from plainsight.config import Choice, Policy, load_policy
from plainsight.document import Document
from plainsight.lab.synth.simulated_site import SimulatedSite
from plainsight.lab.train.span_filter import train_filter
from plainsight.pipeline import Pipeline
from plainsight.site.harvest import Harvest, Limits, careful_claims
from plainsight.text.tokens import scorer_tokens


def notes_of(seed: int, count: int) -> list[Document]:
    notes = islice(SimulatedSite(seed=seed, patients=40).notes(count), count)
    return sorted(notes, key=lambda note: note.patient_id or "")


def figures(policy: Policy, notes: Sequence[Document]) -> dict[str, float]:
    right = wrong = missed = 0
    for note, found in zip(notes, Pipeline(policy).detect(notes), strict=True):
        assert isinstance(found, Document)
        gold, ours = (
            {s.start + start for s in one.spans for start, _ in scorer_tokens(note.text[s.start : s.end])}
            for one in (note, found)
        )
        right, wrong, missed = right + len(gold & ours), wrong + len(ours - gold), missed + len(gold - ours)
    precision, recall = right / (right + wrong), right / (right + missed)
    return {"precision": round(precision, 4), "recall": round(recall, 4), "wrong": wrong, "missed": missed}


def with_templates(policy: Policy, notes: Sequence[Document], folder: Path) -> tuple[Policy, int]:
    """Return a policy with the templates of corrected notes, and how many there are."""
    found = Harvest(b"benchmark" * 4, limits=Limits(support=2, patients=2, words=1, fillings=1))
    for note in notes:
        found.add(note)
    made = found.finish(careful=careful_claims(policy))
    (folder / "templates.json").write_bytes(made.to_json())
    choice = Choice("templates", {"rules": str(folder / "templates.json")})
    return replace(policy, detectors=(*policy.detectors, choice)), len(made.rules)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--policy", default="balanced")
    parser.add_argument("--seeds", type=int, nargs="+", default=[1])
    parser.add_argument("--read", type=int, nargs="+", default=[50, 200])
    parser.add_argument("--test", type=int, default=200)
    parser.add_argument("--loss", type=float, default=0.001)
    given = parser.parse_args()
    policy = load_policy(given.policy)
    for seed in given.seeds:
        site = notes_of(seed, 2 * max(*given.read, given.test) + 200)
        first = set(sorted({note.patient_id or "" for note in site})[::2])
        pool = [note for note in site if note.patient_id in first]
        others = [note for note in site if note.patient_id not in first]
        draw = random.Random(seed)
        draw.shuffle(pool)
        test = sorted(draw.sample(others, given.test), key=lambda note: note.patient_id or "")
        tests = {"the site": test, "another site": notes_of(seed + 20, given.test)}

        def show(name: str, read: int, policy: Policy, test: str = "the site", **more: object) -> None:
            row = {"seed": seed, "read": read, "policy": name, "test": test} | more  # noqa: B023
            print(json.dumps(row | figures(policy, tests[test])), flush=True)  # noqa: B023

        for test_name in tests:
            show(given.policy, 0, policy, test_name)
        for read in given.read:
            notes = sorted(pool[:read], key=lambda note: note.patient_id or "")
            with tempfile.TemporaryDirectory() as name:
                folder = Path(name)
                train_filter(notes, folder / "filter", policy=given.policy, loss=given.loss)
                filtered = replace(policy, filter=str(folder / "filter"))
                for test_name in tests:
                    show("filter", read, filtered, test_name)
                harvested, rules = with_templates(policy, notes, folder)
                show("templates", read, harvested, rules=rules)
                show("both", read, replace(harvested, filter=filtered.filter), rules=rules)


if __name__ == "__main__":
    main()
