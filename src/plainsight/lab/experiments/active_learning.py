"""Active learning: let a simulated reader correct notes that each strategy chooses, and see what it brings.

The notes are split by patients into a pool and a test part. Each strategy chooses 75 notes of the pool, the
reader corrects them, the corrections are learned as ``plainsight site learn`` does, and the next notes are
chosen by what the policy finds doubtful then. After several numbers of notes the test part is scored. The
reader makes no mistakes and takes the time that `plainsight.site.reading` estimates: results are shown
against notes read and against minutes.
"""

from __future__ import annotations

import random
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property, partial
from pathlib import Path
from statistics import fmean, pstdev
from typing import Any, ClassVar

from plainsight.config import load_policy
from plainsight.detect.corrected import Corrected
from plainsight.detect.learned import Scored, TokenScorer
from plainsight.detect.named import Named, named
from plainsight.document import Document, Span
from plainsight.errors import UsageError, plural
from plainsight.evaluate.pairs import Pair
from plainsight.evaluate.report.charts import Chart, Series, stacked
from plainsight.lab.experiments.bench import Ledger, key_of
from plainsight.lab.experiments.results import Outcome
from plainsight.lab.site_learning import corrector, shipped_replay
from plainsight.lab.train.corrections import Corrector, Examples, joined
from plainsight.pipeline import Pipeline
from plainsight.site.audit import Audit, audit
from plainsight.site.choose import Candidate, Strategy, candidates, choose, second_opinion
from plainsight.site.learned import with_corrections
from plainsight.site.reading import Pace, changes

SIZES = (75, 150)
"""Numbers of notes read."""

RANDOM_SIZES = (300,)
"""Further numbers of random notes: how far one gets without choosing."""

STEP = 75
"""Notes read between two rounds of learning: what comes next is chosen with what was learned so far."""

_SECRET = bytes(32)  # the notes are gold notes, and what is learned is thrown away
_COLUMNS = ("minutes", "strict_f", "token_f", "token_precision", "token_recall", "leaked", "wrong")


def active_learning(
    ledger: Ledger,
    notes: Sequence[Document],
    *,
    policy: str = "balanced",
    strategies: Sequence[Strategy] = tuple(Strategy),
    sizes: Sequence[int] = SIZES,
    random_sizes: Sequence[int] = RANDOM_SIZES,
    test_share: float = 0.3,
    draws: int = 1,
    seed: int = 0,
) -> Outcome:
    """Compare strategies by what their first notes teach; each draw is another split into pool and test."""
    if not strategies or not sizes or min((*sizes, *random_sizes)) < 1:
        raise UsageError("give strategies, and sizes of at least one note")
    about = {"experiment": "active-learning", "policy": policy, "notes": _digest(notes), "share": test_share}
    runs: dict[tuple[str, int], list[Mapping[str, float]]] = {}
    for draw in range(seed, seed + draws):
        trial = _Trial(notes, policy, test_share, draw)
        if max((*sizes, *random_sizes)) > len(trial.pool):
            raise UsageError(f"the pool has {len(trial.pool)} notes: give smaller sizes or more notes")
        none = {**about, "draw": draw, "strategy": "none", "size": 0}
        runs.setdefault(("none", 0), []).append(ledger.run(none, trial.shipped))
        for strategy in strategies:
            more = random_sizes if strategy is Strategy.RANDOM else ()
            for size in sorted({*sizes, *more}):
                settings = {**about, "draw": draw, "strategy": strategy.value, "size": size}
                ledger.tell(f"{strategy.value}, {size} notes, draw {draw}")
                result = ledger.run(settings, partial(trial.learned, strategy, size))
                runs.setdefault((strategy.value, size), []).append(result)
    data = [{"strategy": name, "notes": size, **_mean(each)} for (name, size), each in runs.items()]
    return Outcome(
        name="active-learning",
        title=f"Active learning with {policy}",
        about=(
            f"Means over {plural(draws, 'split')} into pool and test, SD of span F. F of exact spans with "
            "labels, and of tokens under any label; leaked and wrong tokens of the test part. Minutes are "
            "estimated: 0.3 s a word, 1 s a mark, 5 s a changed mark."
        ),
        head=("strategy", "notes", "minutes", "span F", "SD", "token F", "leaked", "wrong"),
        rows=[
            [
                each["strategy"],
                each["notes"],
                f"{each['minutes']:.0f}",
                each["strict_f"],
                each["sd"],
                each["token_f"],
                f"{each['leaked']:.0f}",
                f"{each['wrong']:.0f}",
            ]
            for each in data
        ],
        data=data,
        svg=_figure(data, policy),
        names=2,
    )


class _Trial:
    """One split of the notes: what is read again and again is computed once."""

    def __init__(self, notes: Sequence[Document], policy: str, test_share: float, draw: int) -> None:
        self.policy = load_policy(policy)
        self.draw = draw
        ids = sorted({note.patient_id or note.id for note in notes})
        random.Random(draw).shuffle(ids)
        tested = set(ids[: round(test_share * len(ids))])
        self.pool = [note for note in notes if (note.patient_id or note.id) not in tested]
        self.test = [note for note in notes if (note.patient_id or note.id) in tested]
        if not self.test or not self.pool:
            raise UsageError("too few notes or patients to split into a pool and a test part")
        self._gold = {note.id: note for note in self.pool}
        self._examples: dict[str, Examples] = {}
        self._orders: dict[Strategy, list[Candidate]] = {}
        self._folder = tempfile.TemporaryDirectory()  # removed with the trial
        self._models: dict[tuple[str, ...], Path] = {}

    @cached_property
    def _teacher(self) -> Corrector:
        return corrector(self.policy, _SECRET)

    @cached_property
    def _replay(self) -> Examples:
        return self._teacher.examples(shipped_replay()[0])

    @cached_property
    def _candidates(self) -> list[Candidate]:
        pipeline = Pipeline(self.policy)
        bare = [replace(note, spans=()) for note in self.pool]
        return candidates(pipeline, bare, others=self._others)

    @cached_property
    def _others(self) -> dict[str, tuple[Span, ...]]:
        return second_opinion(self.policy.name, [replace(note, spans=()) for note in self.pool])

    @cached_property
    def _scores(self) -> _Remembered:
        return _Remembered(self._teacher.network)

    def shipped(self) -> dict[str, float]:
        """Return the scores of the policy as it ships."""
        return _figures(self._judged(Pipeline(self.policy)), 0.0)

    def learned(self, strategy: Strategy, size: int) -> dict[str, float]:
        """Return the scores after the first notes that a strategy chooses were corrected and learned."""
        chosen = self._first(strategy, size)
        return _figures(self._judged(self._taught(chosen)), sum(map(self._seconds, chosen)) / 60)

    def _first(self, strategy: Strategy, size: int) -> list[Candidate]:
        """Return the first notes that a strategy reads; each step is chosen with what was learned before."""
        order = self._orders.setdefault(strategy, [])
        while len(order) < size:
            read = {note.document.id for note in order}
            known = self._candidates
            if order and strategy is not Strategy.RANDOM:
                bare = [note.document for note in known if note.document.id not in read]
                known = candidates(self._taught(order), bare, others=self._others)
            left = [note for note in known if note.document.id not in read]
            order += [note for note, _ in choose(left, STEP, strategy, seed=self.draw, read=order)]
        return order[:size]

    def _taught(self, chosen: Sequence[Candidate]) -> Pipeline:
        """Return the pipeline with what these notes teach."""
        gold = [self._gold[n.document.id] for n in chosen if n.document.id not in self._examples]
        for note, examples in zip(gold, self._teacher.examples_of(gold), strict=True):
            self._examples[note.id] = examples
        ids = tuple(note.document.id for note in chosen)
        if ids not in self._models:
            lessons = joined([self._examples[name] for name in ids])
            self._models[ids] = Path(self._folder.name) / f"{len(self._models)}"
            self._teacher.learn(lessons, self._models[ids], replay=self._replay)
        pipeline = Pipeline(with_corrections(self.policy, self._models[ids]), key=_SECRET)
        pipeline.__dict__["detectors"] = tuple(map(self._with_remembered, pipeline.detectors))
        return pipeline

    def _with_remembered(self, detector: Any) -> Any:
        """Return a detector that reads the scores of the test notes instead of computing them each time."""
        if not isinstance(detector, Named) or not isinstance(detector.detector, Corrected):
            return detector
        remembering: Any = detector.detector.with_network(self._scores)
        return named(remembering, detector.name)

    def _seconds(self, note: Candidate) -> float:
        right = self._gold[note.document.id].spans
        found = note.document.spans
        return Pace().seconds(note.document.text, len(found), changes(found, right))

    def _judged(self, pipeline: Pipeline) -> Audit:
        found = pipeline.detect([replace(note, spans=()) for note in self.test])
        right = pipeline.choose(self.test)
        pairs = []
        for gold, own in zip(right, found, strict=True):
            if not isinstance(gold, Document) or not isinstance(own, Document):
                raise UsageError(f"note {own.id} cannot be scored")
            pairs.append(Pair(gold.id, gold.text, gold.spans, own.spans))
        return audit(pairs)


class _Remembered(TokenScorer):
    """A network that remembers its scores of each note, by id."""

    name: ClassVar[str] = "remembered"

    def __init__(self, network: TokenScorer) -> None:
        self._network = network
        self._known: dict[str, Scored] = {}
        self.bias = network.bias

    @property
    def manifests(self) -> Sequence[Mapping[str, Any]]:
        """The manifests of the network's models."""
        return self._network.manifests

    def scores(self, document: Document, claims: Sequence[Span] = ()) -> Scored:
        """Return a note's tokens and the log-probability of each tag at each."""
        return next(self.scores_of([document], [claims]))

    def scores_of(self, documents: Sequence[Document], claims: Sequence[Sequence[Span]]) -> Iterator[Scored]:
        """Yield the scores of each note."""
        new = [(note, own) for note, own in zip(documents, claims, strict=True) if note.id not in self._known]
        if new:
            scored = self._network.scores_of([note for note, _ in new], [own for _, own in new])
            for (note, _), (tokens, scores) in zip(new, scored, strict=True):
                self._known[note.id] = tokens, scores.copy()
        for note in documents:
            tokens, scores = self._known[note.id]
            yield tokens, scores.copy()


def _digest(notes: Sequence[Document]) -> str:
    return key_of({note.id: [len(note.text), len(note.spans)] for note in notes})


def _figures(judged: Audit, minutes: float) -> dict[str, float]:
    return {
        "minutes": minutes,
        "strict_f": judged.strict.f or 0.0,
        "token_f": judged.token.f or 0.0,
        "token_precision": judged.token.precision or 0.0,
        "token_recall": judged.token.recall or 0.0,
        "leaked": judged.token.missed,
        "wrong": judged.token.wrong,
    }


def _mean(runs: Sequence[Mapping[str, float]]) -> dict[str, Any]:
    mean = {column: fmean(run[column] for run in runs) for column in _COLUMNS}
    return {
        **mean,
        "sd": pstdev([run["strict_f"] for run in runs]) if len(runs) > 1 else None,
        "draws": len(runs),
    }


def _figure(data: Sequence[Mapping[str, Any]], policy: str) -> str:
    """Draw F and leaks, against notes and against minutes."""
    names = [name for name in dict.fromkeys(each["strategy"] for each in data) if name != "none"]
    start = next(each for each in data if each["strategy"] == "none")
    charts = []
    for y, label in (("strict_f", "F of exact spans"), ("leaked", "leaked tokens")):
        for x, across in (("notes", "notes read"), ("minutes", "estimated minutes of reading")):
            series = [
                Series(
                    name,
                    [
                        (start[x], start[y]),
                        *((each[x], each[y]) for each in data if each["strategy"] == name),
                    ],
                )
                for name in names
            ]
            charts.append(
                Chart(title=f"{label} against {across}, {policy}", x=across, y=label, series=series)
            )
    return stacked([chart.svg() for chart in charts])
