"""How fast templates match, by the number of rules, and how harvesting grows with the lines.

    python benchmarks/templates.py match
    python benchmarks/templates.py harvest --lines 100000 --policy fast

Notes are those of a simulated site. Times are of the processor, so other work on the machine counts less.
"""

from __future__ import annotations

import argparse
import json
import random
import resource
import time
from itertools import islice

from plainsight.config import load_policy
from plainsight.detect.templates import Matcher, Rule
from plainsight.document import Document
from plainsight.lab.synth.simulated_site import SimulatedSite
from plainsight.pipeline import Pipeline
from plainsight.site.harvest import Harvest, careful_claims
from plainsight.text.lines import sentences

_WORDS = "report signed by for the unit of note filed in seen on call with plan given to from at visit"
_SLOTS = ("{{DOCTOR|W W}}", "{{DATE|N/N/N}}", "{{PHONE|(N) N-N}}", "{{MEDICALRECORD|W/N/N}}", "{{IDNUM|A}}")


def notes_of(seed: int, count: int) -> list[Document]:
    return list(islice(SimulatedSite(seed=seed).notes(count), count))


def invented_rules(count: int) -> list[Rule]:
    """Make different rules of three to nine words and one or two slots."""
    draw = random.Random(1)
    words_of = _WORDS.split()
    templates: set[str] = set()
    while len(templates) < count:
        words = [draw.choice(words_of) for _ in range(draw.randint(3, 9))]
        for _ in range(draw.randint(1, 2)):
            words.insert(draw.randint(1, len(words)), draw.choice(_SLOTS))
        templates.add(" ".join(["Then", *words]))
    return [Rule(template, 20, 5) for template in sorted(templates)]


def match(counts: list[int]) -> list[dict[str, float]]:
    notes = notes_of(1, 300)
    characters = sum(len(note.text) for note in notes)
    began = time.process_time()
    lines = sum(len(sentences(note.text)) for note in notes)
    splitting = time.process_time() - began
    rows = []
    for count in counts:
        rules = invented_rules(count)
        began = time.process_time()
        matcher = Matcher(rules)
        loading = time.process_time() - began
        # Every tenth sentence is one that a rule fits: the frame with words in its slots.
        fitting = "\n".join(_filled(rule) for rule in rules[:: max(1, count // 300)][:300])
        began = time.process_time()
        hits = sum(1 for note in notes for _ in matcher.in_note(note.text))
        seconds = time.process_time() - began
        began = time.process_time()
        fits = sum(1 for _ in matcher.in_note(fitting))
        matched = time.process_time() - began
        rows.append(
            {
                "rules": count,
                "load_s": round(loading, 2),
                "us_per_sentence": round(1e6 * seconds / lines, 1),
                "of_it_splitting": round(1e6 * splitting / lines, 1),
                "us_per_match": round(1e6 * matched / max(1, fits), 1),
                "mb_per_s": round(characters / seconds / 1e6, 2),
                "matches": hits,
            }
        )
    return rows


def _filled(rule: Rule) -> str:
    """Return a sentence that a rule fits."""
    text = rule.template
    for slot, words in zip(
        _SLOTS, ("Ada Quill", "3/4/2019", "(617) 555-0101", "MR/12/34", "B7X2"), strict=True
    ):
        text = text.replace(slot, words)
    return text


def harvest(lines: int, policy: str) -> dict[str, float]:
    pipeline = Pipeline(load_policy(policy))
    found = Harvest(b"benchmark" * 4)
    detecting = adding = 0.0
    notes = SimulatedSite(seed=1, patients=200).notes(lines)
    while found.sentences < lines:
        batch = list(islice(notes, 200))
        if not batch:
            break
        began = time.process_time()
        done = list(pipeline.detect(batch))
        detecting += time.process_time() - began
        began = time.process_time()
        for note in done:
            found.add(note)
        adding += time.process_time() - began
    began = time.process_time()
    result = found.finish(careful=careful_claims(load_policy(policy)))
    deciding = time.process_time() - began
    return {
        "lines": found.sentences,
        "different": found.different,
        "rules": len(result.rules),
        "detect_s": round(detecting, 1),
        "gather_s": round(adding, 1),
        "decide_s": round(deciding, 1),
        "peak_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("what", choices=("match", "harvest"))
    parser.add_argument("--lines", type=int, default=100_000)
    parser.add_argument("--policy", default="fast")
    given = parser.parse_args()
    if given.what == "match":
        for row in match([0, 1_000, 10_000, 50_000]):
            print(json.dumps(row))
    else:
        print(json.dumps(harvest(given.lines, given.policy)))


if __name__ == "__main__":
    main()
