"""How much faster a simulated site's notes are read with its known sentences and templates, and how well.

    python benchmarks/site_speed.py --seed 11 --policy balanced

With ``--learn 600``, 200 of so many notes are chosen, corrected by their gold marks and learned first; with
``--without-transformer`` as ``plainsight site learn --without-transformer`` does. All
notes of the site go into its sentence store, sentences that it repeats are settled, and templates are
harvested from a part of the notes. Then some notes are read with the policy as it ships and with each of
these parts added, in turns, and scored. The parts are also tried on notes of our corpus, which repeat nothing
of the site. Times are of the processor.
"""

from __future__ import annotations

import argparse
import json
import random
import tempfile
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from statistics import median
from typing import Any

from plainsight.config import Policy, load_policy
from plainsight.document import Document
from plainsight.evaluate.pairs import Pair
from plainsight.evaluate.read_notes import read_notes
from plainsight.lab.site_learning import learn
from plainsight.lab.synth.simulated_site import SimulatedSite
from plainsight.pipeline import Pipeline
from plainsight.site.audit import audit
from plainsight.site.choose import Strategy, candidates, choose, second_opinion
from plainsight.site.corrections import begin_round, correct
from plainsight.site.folder import Site, new_site, write_private
from plainsight.site.harvest import Harvest, Limits, careful_claims
from plainsight.site.knowledge import save_known
from plainsight.site.known import AS_WRITTEN, sentences_of
from plainsight.site.policy import with_site
from plainsight.site.sentences import SentenceStore
from plainsight.site.settle import LEAST, MOST, settle

KEY = bytes(range(32))


def by_patient(notes: Sequence[Document]) -> list[Document]:
    """Return notes in the order in which a run reads them."""
    return sorted(notes, key=lambda note: note.patient_id or "")


def bare(notes: Sequence[Document]) -> list[Document]:
    """Return notes without their marks."""
    return [replace(note, spans=()) for note in notes]


def read_and_learn(
    site: Site, pool: Sequence[Document], seed: int, *, without_transformer: bool = False
) -> dict[str, Any]:
    """Choose 200 notes of a pool, correct and learn them; say whether the new model is used."""
    shipped = load_policy(site.policy)
    known = candidates(Pipeline(shipped), bare(pool), others=second_opinion(shipped.name, bare(pool)))
    begin_round(
        site, choose(known, 200, Strategy.GAIN, audit=50, seed=seed), strategy="gain", notes=len(known)
    )
    correct(site, pool, more=True)
    learned = learn(site, made="", without_transformer=without_transformer)
    return {"learned": learned.kept, "reason": learned.reason}


def learn_sentences(site: Site, policy: Policy, notes: Sequence[Document]) -> dict[str, Any]:
    """Store the sentences of notes and settle those that the site repeats."""
    began = time.process_time()
    with SentenceStore(site.sentences, site.key("sentences")) as store:
        store.add(notes)
        repeated = store.repeated(least=LEAST, most=MOST)
    stored = time.process_time() - began
    pipeline = Pipeline(policy, key=KEY)
    settled = settle(pipeline, bare(notes), repeated)
    save_known(site, policy, [detector.name for detector in pipeline.local_detectors], settled)
    seconds = time.process_time() - began
    return {
        "repeated": len(repeated),
        "settled": len(settled),
        "store_s": round(stored),
        "in_all_s": round(seconds),
        "characters_settled": round(share(notes, settled), 3),
    }


def share(notes: Sequence[Document], known: Any) -> float:
    """Return the share of the characters of all sentences that stand in known ones."""
    sentences = [each for note in notes for each in sentences_of(note.text)]
    in_known = [each for each in sentences if each.text in known or AS_WRITTEN + each.written in known]
    return sum(len(each.text) for each in in_known) / sum(len(each.text) for each in sentences)


def harvest(site: Site, policy: Policy, notes: Sequence[Document], agreement: float) -> int:
    """Harvest templates of notes; return how many there are."""
    found = Harvest(site.key("templates"), limits=Limits(agreement=agreement))
    for note in Pipeline(policy, key=KEY).detect(bare(notes)):
        assert isinstance(note, Document)
        found.add(note)
    made = found.finish(careful=careful_claims(policy, key=KEY))
    write_private(site.templates, made.to_json())
    return len(made.rules)


def timed(
    pipelines: dict[str, Pipeline], notes: Sequence[Document], rounds: int, method: str
) -> dict[str, float]:
    """Return the milliseconds that each pipeline takes for a note; the first round warms up."""
    took: dict[str, list[float]] = {name: [] for name in pipelines}
    for _ in range(rounds + 1):
        for name, pipeline in pipelines.items():
            began = time.process_time()
            for _ in getattr(pipeline, method)(notes):
                pass
            took[name].append(time.process_time() - began)
    return {name: 1000 * median(seconds[1:]) / len(notes) for name, seconds in took.items()}


def found_by(pipeline: Pipeline, notes: Sequence[Document]) -> list[Document]:
    """Return notes with what a pipeline finds in them."""
    found = list(pipeline.detect(bare(notes)))
    assert all(isinstance(note, Document) for note in found)
    return found  # type: ignore[return-value]


def scores(
    notes: Sequence[Document], found: Sequence[Document], others: Sequence[Document]
) -> dict[str, float]:
    """Return precision, recall and F of exact spans and of tokens, and how much is as in ``others``."""
    pairs = [Pair(n.id, n.text, n.spans, f.spans) for n, f in zip(notes, found, strict=True)]
    judged = audit(pairs)
    figures = {
        f"{name} {figure}": round(getattr(getattr(judged, name), figure) or 0, 4)
        for name in ("strict", "token")
        for figure in ("precision", "recall", "f")
    }
    spans = [[{(s.start, s.end, s.label) for s in note.spans} for note in each] for each in (found, others)]
    same = sum(len(one & two) for one, two in zip(*spans, strict=True))
    every = sum(len(one | two) for one, two in zip(*spans, strict=True))
    alike = sum(one == two for one, two in zip(*spans, strict=True))
    return figures | {"same spans": round(same / every, 4), "same notes": round(alike / len(notes), 4)}


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seed", type=int, required=True)
    parser.add_argument("--policy", default="balanced")
    parser.add_argument("--notes", type=int, default=20_000)
    parser.add_argument("--learn", type=int, default=0)
    parser.add_argument("--without-transformer", action="store_true")
    parser.add_argument("--harvest", type=int, default=1_000)
    parser.add_argument("--agreement", type=float, default=0.95)
    parser.add_argument("--timed", type=int, default=150)
    parser.add_argument("--scored", type=int, default=500)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--method", nargs="+", default=["detect"], choices=("detect", "deidentify"))
    parser.add_argument("--later", action="store_true", help="score and time notes that were not stored")
    given = parser.parse_args()
    notes = list(SimulatedSite(seed=given.seed).notes(given.notes))
    draw = random.Random(given.seed)
    test = draw.sample(notes[-given.scored * 4 :] if given.later else notes, given.scored)
    stored = notes[: -given.scored * 4] if given.later else notes
    corpus = bare(read_notes(Path("corpus/bench"), format="inline"))[: given.timed]
    shipped = load_policy(given.policy)
    with tempfile.TemporaryDirectory() as name:
        site = new_site(Path(name) / "site", policy=given.policy, secret=KEY)
        pipelines = {"shipped": Pipeline(shipped, key=KEY)}
        if given.learn:
            pool = draw.sample(stored, given.learn)
            learned = read_and_learn(site, pool, given.seed, without_transformer=given.without_transformer)
            print(json.dumps(learned), flush=True)
            pipelines["learned"] = Pipeline(replace(with_site(shipped, site), site=None), key=KEY)
        policy = with_site(shipped, site)
        print(json.dumps(learn_sentences(site, policy, stored)), flush=True)
        pipelines["+ sentences"] = Pipeline(policy, key=KEY)
        rules = harvest(site, replace(policy, site=None), draw.sample(stored, given.harvest), given.agreement)
        print(json.dumps({"rules": rules}), flush=True)
        pipelines["+ templates"] = Pipeline(with_site(shipped, site), key=KEY)
        for method in given.method:
            for where, some in (("site", by_patient(test)[: given.timed]), ("corpus", corpus)):
                took = timed(pipelines, bare(some), given.rounds, method)
                ratios = {f"{name} x": round(took["shipped"] / took[name], 2) for name in took}
                print(json.dumps({"method": method, "notes": where} | ratios |
                                 {name: round(ms, 2) for name, ms in took.items()}), flush=True)  # fmt: skip
        gold = by_patient(test)
        found = {name: found_by(pipeline, gold) for name, pipeline in pipelines.items()}
        base = found["learned" if given.learn else "shipped"]
        for name, own in found.items():
            print(json.dumps({"policy": name} | scores(gold, own, base)), flush=True)


if __name__ == "__main__":
    main()
