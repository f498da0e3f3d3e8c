"""One round of the site loop on simulated sites: which share of the shipped policy's errors it takes away.

    python benchmarks/site_loop.py --seed 11 --seed 12 --seed 13 -o site-loop.json

Each seed is another invented hospital of 20,000 notes. A random 2,000 of them are offered to
``plainsight site doubt``, which chooses 200: 150 to learn from and 50 random ones to judge by. The gold marks
play the reader. Another 600 random notes are scored with the policy as it ships and with the site. Use seeds
1 to 3 to develop with.
"""

from __future__ import annotations

import argparse
import json
import random
import tempfile
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

from plainsight.config import load_policy
from plainsight.lab.site_learning import judge, learn
from plainsight.lab.synth.simulated_site import SimulatedSite
from plainsight.pipeline import Pipeline
from plainsight.site.audit import Audit
from plainsight.site.choose import Strategy, candidates, choose, second_opinion
from plainsight.site.corrections import begin_round, correct
from plainsight.site.folder import new_site
from plainsight.site.policy import with_site

KEY = bytes(range(32))
NOTES, PATIENTS = 20_000, 200


def measure(seed: int, arguments: argparse.Namespace) -> dict[str, Any]:
    """Return the scores of one site before and after a round."""
    notes = list(SimulatedSite(seed=seed, patients=PATIENTS).notes(NOTES))
    random.Random(seed).shuffle(notes)
    pool, test = notes[: arguments.pool], notes[-arguments.test :]
    began = time.perf_counter(), time.process_time()
    with tempfile.TemporaryDirectory() as folder:
        site = new_site(Path(folder) / "site", policy=arguments.policy, secret=KEY)
        shipped = load_policy(site.policy)
        bare = [replace(note, spans=()) for note in pool]
        known = candidates(Pipeline(shipped), bare, others=second_opinion(shipped.name, bare))
        chosen = choose(known, arguments.read, Strategy(arguments.strategy), audit=arguments.audit, seed=seed)
        begin_round(site, chosen, strategy=arguments.strategy, notes=len(known))
        read = correct(site, pool, more=True)
        learned = learn(site, made="")
        took = time.perf_counter() - began[0], time.process_time() - began[1]
        before = judge(shipped, KEY, test)
        after = judge(with_site(shipped, site), KEY, test)
    return {
        "seed": seed,
        "read": len(read),
        "minutes": round(sum(each.seconds for each in read) / 60),
        "kept": learned.kept,
        "loop_wall_s": round(took[0]),
        "loop_processor_s": round(took[1]),
        "before": before.to_json(),
        "after": after.to_json(),
        "audit_after": learned.after.to_json(),
        "removed": removed(before, after),
        "corpus": [learned.corpus_before.token.to_json(), learned.corpus_after.token.to_json()],
    }


def removed(before: Audit, after: Audit) -> dict[str, float]:
    """Return the share of errors taken away, of recall and of precision."""
    shares = {}
    for name in ("strict", "token"):
        old, new = getattr(before, name), getattr(after, name)
        shares[f"{name} recall"] = 1 - (1 - new.recall) / (1 - old.recall)
        shares[f"{name} precision"] = 1 - (1 - new.precision) / (1 - old.precision)
    return shares


def row(result: dict[str, Any]) -> str:
    """Return a line of a Markdown table."""
    cells = [str(result["seed"])]
    for name in ("strict", "token"):
        for figure in ("precision", "recall"):
            old, new = result["before"][name][figure], result["after"][name][figure]
            share = result["removed"][f"{name} {figure}"]
            cells.append(f"{old:.4f} → {new:.4f} ({share:.0%})")
    leaks = [result[side]["leaking_notes"]["value"] for side in ("before", "after")]
    estimate = result["audit_after"]["leaking_notes"]
    cells.append(f"{leaks[0]:.1%} → {leaks[1]:.1%}")
    cells.append(f"{estimate['value']:.0%} ({estimate['low']:.1%} to {estimate['high']:.1%})")
    cells.append(f"{result['loop_processor_s']} s")
    return "| " + " | ".join(cells) + " |"


def main() -> None:
    """Measure each seed and print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--seed", type=int, action="append", required=True)
    parser.add_argument("--policy", default="balanced")
    parser.add_argument("--strategy", default="gain", choices=[each.value for each in Strategy])
    parser.add_argument("--pool", type=int, default=2000)
    parser.add_argument("--read", type=int, default=200)
    parser.add_argument("--audit", type=int, default=50)
    parser.add_argument("--test", type=int, default=600)
    parser.add_argument("-o", "--output", type=Path, required=True)
    arguments = parser.parse_args()
    known = json.loads(arguments.output.read_text()) if arguments.output.exists() else []
    for seed in arguments.seed:
        if seed not in [result["seed"] for result in known]:
            known.append(measure(seed, arguments))
            arguments.output.write_text(json.dumps(known, indent=1) + "\n")
    print("| seed | span P | span R | token P | token R | notes with a leak | estimated | processor |")
    print("|---|--:|--:|--:|--:|--:|--:|--:|")
    for result in known:
        print(row(result))


if __name__ == "__main__":
    main()
