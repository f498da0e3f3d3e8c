"""Learn from a site's corrections, and keep the old model unless the new one proves better.

What was chosen for its doubt is learned from. The audit sample, which was drawn at random, is not: it judges.
A new model is used only if

- it makes fewer errors in the audit sample: a higher F of exact spans, and no more leaked tokens, and
- on notes of our own corpus that were not replayed, F of exact spans and of tokens and the recall of tokens
  are not lower than those of the shipped model by more than .002. If they are, it learns again, more
  cautiously, up to twice.
"""

from __future__ import annotations

import gzip
import json
import shutil
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from statistics import fmean
from typing import Any

from plainsight import registry
from plainsight.config import Policy, load_policy
from plainsight.detect.cascade import Cascade
from plainsight.detect.learned import TokenScorer
from plainsight.document import Document, SetAside
from plainsight.errors import UsageError
from plainsight.evaluate.pairs import Pair
from plainsight.formats.jsonl import read_spans
from plainsight.lab.train.corrections import PENALTIES, Corrector, Examples
from plainsight.model import read_manifest
from plainsight.models import sources_of
from plainsight.pipeline import Pipeline
from plainsight.shipped import read_shipped
from plainsight.site.audit import Audit, audit
from plainsight.site.corrections import Corrected, corrected_rounds, read_round
from plainsight.site.folder import Site
from plainsight.site.learned import (
    NO_DOUBT,
    WITHOUT_TRANSFORMER,
    scoring_detector,
    use_model,
    with_corrections,
)
from plainsight.site.policy import with_site
from plainsight.site.rounds import add_round

TOLERANCE = 0.002
"""How much worse than the shipped model a new one may be on our own corpus."""

LEAST_AUDIT = 10
"""Notes that an audit sample has at least; fewer cannot tell a better model from a worse one."""

_CHECKED = 3  # every third note of the replayed ones is for checking
_REPLAY = "data/replay/notes.jsonl.gz"


@dataclass(frozen=True, slots=True)
class Learned:
    """What came of a round: whether the new model is used, why not, and the scores before and after."""

    number: int
    kept: bool
    reason: str
    before: Audit
    after: Audit
    corpus_before: Audit
    corpus_after: Audit
    seconds: float

    def to_json(self) -> dict[str, Any]:
        """Return the line of the ledger, without scores of single notes."""
        audits = {
            name: getattr(self, name).to_json()
            for name in ("before", "after", "corpus_before", "corpus_after")
        }
        about = {"round": self.number, "kept": self.kept, "reason": self.reason}
        return {**about, "seconds": round(self.seconds, 1), **audits}


def shipped_replay() -> tuple[list[Document], list[Document]]:
    """Return notes of our corpus: those to replay, and those to check for forgetting."""
    lines = gzip.decompress(read_shipped(_REPLAY)).decode().splitlines()
    records = map(json.loads, lines)
    notes = [Document(each["id"], each["text"], read_spans(each["spans"])) for each in records]
    checked = notes[::_CHECKED]
    return [note for at, note in enumerate(notes) if at % _CHECKED], checked


def corrector(
    policy: Policy, secret: bytes, *, salt: str | None = None, without_transformer: bool = False
) -> Corrector:
    """Return what learns corrections of a policy's network, or of the fast network of its cascade alone."""
    choice = scoring_detector(policy)
    if choice is None:
        raise UsageError(f"policy {policy.name!r} has no network whose scores could be corrected")
    if without_transformer and choice.plugin != Cascade.name:
        raise UsageError(f"policy {policy.name!r} has no transformer that could be left out")
    options = {**choice.options, **NO_DOUBT} if without_transformer else choice.options
    network: TokenScorer = registry.create("detectors", choice.plugin, **options)
    bias = choice.options.get("bias")
    if bias is None:
        bias = fmean(read_manifest(source).get("bias", 0.0) for source in sources_of(choice))
    return Corrector(network, bias=bias, secret=secret, salt=salt)


def learn(
    site: Site,
    *,
    made: str,
    replay: Sequence[Document] | None = None,
    checked: Sequence[Document] | None = None,
    without_transformer: bool = False,
    stage: Callable[[str], None] = lambda name: None,
) -> Learned:
    """Learn from all corrections of a site, use the model if it is better, and write a line of the ledger.

    ``made`` is the time for the ledger. ``replay`` and ``checked`` are gold notes to remember and to check
    by, instead of those that ship. ``without_transformer`` leaves out the transformer of a cascade: that is
    several times as fast, so it is used as well if F in the audit sample stays the same.
    """
    began = time.perf_counter()
    rounds = corrected_rounds(site)
    lessons, sample = _parts(site, rounds)
    own_replay, own_checked = shipped_replay()
    replay = own_replay if replay is None else replay
    checked = own_checked if checked is None else checked
    shipped = load_policy(site.policy)
    now = with_site(shipped, site)
    number = max(rounds)
    folder = site.models / f"{number:03}.new"
    stage("reading the corrected notes")
    teacher = corrector(shipped, site.secret, without_transformer=without_transformer)
    corrected = teacher.examples([done.document for done in lessons])
    stage("reading notes of our corpus")
    remembered: Examples | None = teacher.examples(replay) if replay else None
    about = {"notes": len(lessons), "round": number, WITHOUT_TRANSFORMER: without_transformer}
    corpus_before = judge(shipped, site.secret, checked)
    kept = False
    try:
        for penalty in PENALTIES:
            stage("learning")
            teacher.learn(corrected, folder, replay=remembered, penalty=penalty, about=about)
            stage("judging")
            corpus_after = judge(with_corrections(shipped, folder), site.secret, checked)
            if not (forgotten := forgets(corpus_before, corpus_after)):
                break
        new = with_corrections(_uncorrected(now, shipped), folder)
        before, after = (judge(policy, site.secret, sample) for policy in (now, new))
        reason = refusal(before, after, or_equal=without_transformer) or forgotten
        kept = not reason
    finally:
        if not kept:
            shutil.rmtree(folder)
    if kept:
        final = site.models / f"{number:03}"
        if final.exists():  # learned again: the old files stay until the new ones are whole
            shutil.rmtree(final)
        folder.rename(final)
        use_model(site, final.name)
    seconds = time.perf_counter() - began
    learned = Learned(number, kept, reason, before, after, corpus_before, corpus_after, seconds)
    add_round(site, {"made": made, **_reading(site, rounds), **learned.to_json()})
    return learned


def _parts(site: Site, rounds: dict[int, list[Corrected]]) -> tuple[list[Corrected], list[Document]]:
    """Return what is learned from, and the audit sample; refuse too little of either."""
    if not rounds:
        raise UsageError(f"{site.folder}: nothing was corrected yet: `plainsight site doubt`, then `correct`")
    done = [each for read in rounds.values() for each in read]
    lessons = [each for each in done if not each.is_audit]
    sample = [each.document for each in done if each.is_audit]
    if not lessons:
        raise UsageError("only notes of the audit sample were corrected, and those are not learned from")
    if len(sample) < LEAST_AUDIT:
        raise UsageError(
            f"the audit sample has {len(sample)} notes; a new model needs {LEAST_AUDIT} to be judged by"
        )
    return lessons, sample


def _uncorrected(now: Policy, shipped: Policy) -> Policy:
    """Return the site's policy with its network as shipped; all other parts of the site stay."""
    networks = {choice.name: choice for choice in shipped.detectors}
    return replace(
        now,
        detectors=tuple(
            networks[choice.name] if choice.plugin == "corrected" else choice for choice in now.detectors
        ),
    )


def judge(policy: Policy, secret: bytes, gold: Sequence[Document]) -> Audit:
    """Return how a policy does on notes with the right spans."""
    pipeline = Pipeline(policy, key=secret)
    wanted = [item for item in pipeline.choose(gold) if isinstance(item, Document)]
    bare = [replace(note, spans=()) for note in gold]
    pairs = []
    for right, found in zip(wanted, pipeline.detect(bare), strict=True):
        if isinstance(found, SetAside):
            raise UsageError(f"note {found.id} cannot be judged: {found.reason}")
        pairs.append(Pair(right.id, right.text, right.spans, found.spans))
    return audit(pairs)


def refusal(before: Audit, after: Audit, *, or_equal: bool = False) -> str:
    """Return why a new model is not used at the site; an empty text if it is better, or as good."""
    if after.token.missed > before.token.missed:
        return f"in the audit sample {after.token.missed:g} tokens leak, {before.token.missed:g} before"
    old, new = before.strict.f or 0.0, after.strict.f or 0.0
    if new < old or (new == old and not or_equal):
        return f"F in the audit sample is not higher: {new:.4f}, {old:.4f} before"
    return ""


def forgets(before: Audit, after: Audit) -> str:
    """Return what a new model forgets of our own corpus; an empty text if nothing."""
    figures = {
        "F of spans": (before.strict.f, after.strict.f),
        "F of tokens": (before.token.f, after.token.f),
        "recall of tokens": (before.token.recall, after.token.recall),
    }
    for name, (first, second) in figures.items():
        if (first or 0.0) - (second or 0.0) > TOLERANCE:
            return f"it forgets: {name} on our corpus falls from {first or 0:.4f} to {second or 0:.4f}"
    return ""


def _reading(site: Site, rounds: dict[int, list[Corrected]]) -> dict[str, Any]:
    """Return what the ledger says about the reading of the last round, and of all rounds."""
    number = max(rounds)
    own, every = rounds[number], [done for read in rounds.values() for done in read]
    return {
        "strategy": read_round(site, number).strategy,
        "read": len(own),
        "audit": sum(done.is_audit for done in own),
        "minutes": round(sum(done.seconds for done in own) / 60, 1),
        "read_in_all": len(every),
        "minutes_in_all": round(sum(done.seconds for done in every) / 60, 1),
    }
