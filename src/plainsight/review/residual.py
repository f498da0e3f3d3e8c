"""What still leaks in notes that nobody read, estimated from those that were drawn at random and read.

The audit sample holds notes as the policy marked them and as readers left them. An identifier leaks when any
of its letters or digits was not marked: half a name still leaks. Rates are given per identifier, per note and
per patient, for direct identifiers (`DIRECT_LABELS`), indirect ones and all. Readers are taken to be right.

**Per identifier and per note.** Identifiers of a note are not independent, nor are notes of a patient. The
clusters of the interval (`plainsight.evaluate.shares`) are patients. A string that is missed once is missed
wherever it stands, so the design effect is at least that of the strings that a patient's notes repeat.

**Per patient.** The sample shows single notes, not whole patients, and how a patient's notes go together is
not known. The bounds hold for any way: at most, every leaking note is of another patient; at least, the
leaking notes are all of the patients with the most notes. The value in between is that of notes that leak
independently.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import NormalDist

from plainsight.document import Span
from plainsight.evaluate.pairs import Pair
from plainsight.evaluate.shares import UNKNOWN, Clustered, Share, binomial_share, clustered_share, t_quantile
from plainsight.evaluate.tally import Figures
from plainsight.labels import DIRECT_LABELS
from plainsight.text.rare_words import marked

KINDS = ("all", "direct", "indirect")
LEVEL = 0.95
"""How sure the intervals are."""

_STRATA, _LEAST_IN_STRATUM = 5, 10  # of doubt: at most so many, with so many notes of the sample in each


@dataclass(frozen=True, slots=True, repr=False)
class Read:
    """A note of the audit sample: ``gold`` is what readers left, ``found`` what the policy marked.

    ``patient`` is any text or digest that is the same for all notes of a patient; None is a patient with
    this one note. ``weight`` is for how many notes it stands, where the sample's notes differ in that; 1 on
    average.
    """

    pair: Pair
    patient: str | bytes | None = None
    weight: float = 1.0


@dataclass(frozen=True, slots=True)
class Population(Figures):
    """All notes that the sample was drawn from, and how many each patient has."""

    notes: int
    notes_of_patients: Counter[int]
    """How many patients have so many notes."""

    @classmethod
    def of(cls, sizes: Iterable[int]) -> Population:
        """Return the population of patients with so many notes each.

        >>> Population.of([1, 1, 3])
        Population(notes=5, notes_of_patients=Counter({1: 2, 3: 1}))
        """
        counts = Counter(sizes)
        return cls(sum(size * patients for size, patients in counts.items()), counts)

    @property
    def patients(self) -> int:
        """How many patients there are."""
        return self.notes_of_patients.total()


@dataclass(frozen=True, slots=True)
class Rates(Figures):
    """The leaks of one kind of identifiers: what was counted in the sample, and the rates of all notes."""

    notes: int
    identifiers: int
    leaked: int
    leaking_notes: int
    per_identifier: Share
    per_note: Share
    per_patient: Share
    effect: float
    note_effect: float


@dataclass(frozen=True, slots=True)
class Residual(Figures):
    """What leaks in notes as the policy marks them: all, direct and indirect identifiers."""

    population: int
    patients: int
    all: Rates
    direct: Rates
    indirect: Rates


@dataclass(frozen=True, slots=True)
class Needed(Figures):
    """How many random notes to read until the interval lies below a wanted rate.

    ``as_now`` is for a sample that leaks like the present one, None if that is no better than wanted;
    ``none_leak`` is for a sample without any leak.
    """

    wanted: float
    as_now: int | None
    none_leak: int | None


def residual(sample: Sequence[Read], population: Population, *, apart: bool = False) -> Residual:
    """Estimate what leaks in all notes from a random sample of them.

    ``apart`` says that the sample is no part of the population, such as that of the notes that nobody read.
    """
    rates = {kind: _rates(sample, population, kind, apart=apart) for kind in KINDS}
    return Residual(population.notes, population.patients, **rates)


def notes_needed(rates: Rates, population: Population, wanted: float, *, per: str = "identifier") -> Needed:
    """Return how large a sample shows that at most the ``wanted`` share leaks, ``per`` identifier or note.

    >>> none = _rates([], Population.of([1] * 10_000), "all")
    >>> notes_needed(none, Population.of([1] * 10_000), 0.01, per="note").none_leak
    357
    """
    if per not in ("identifier", "note"):
        raise ValueError("a sample is sized per identifier or per note")
    share = rates.per_identifier if per == "identifier" else rates.per_note
    a_note = rates.identifiers / rates.notes if per == "identifier" and rates.notes else 1.0
    each = a_note / (rates.effect if per == "identifier" else rates.note_effect)
    now = None
    if share.value is not None and share.value < wanted:
        now = _smallest(share.value, each, population.notes, wanted)
    return Needed(wanted, now, _smallest(0.0, each, population.notes, wanted))


def stands_for(sample: Sequence[float], others: Sequence[float]) -> list[float]:
    """Return for how many others each note of a sample stands, by their doubts; 1 on average.

    People read the most doubtful notes first, so those that stay unread are less doubtful than a random
    sample. Within a stratum of doubt, the two are alike.

    >>> stands_for([0.1] * 10 + [0.9] * 10, [0.1] * 3 + [0.9]) == [1.5] * 10 + [0.5] * 10
    True
    """
    order, strata = sorted(sample), min(_STRATA, len(sample) // _LEAST_IN_STRATUM)
    cuts = sorted({order[len(order) * part // strata] for part in range(1, strata)} - set(order[:1]))
    own = Counter(bisect_right(cuts, doubt) for doubt in sample)
    theirs = Counter(bisect_right(cuts, doubt) for doubt in others)
    each = len(sample) / (len(others) or 1)
    return [theirs[bisect_right(cuts, doubt)] / own[bisect_right(cuts, doubt)] * each for doubt in sample]


def _rates(sample: Sequence[Read], population: Population, kind: str, *, apart: bool = False) -> Rates:
    identifiers: defaultdict[object, list[float]] = defaultdict(lambda: [0, 0])
    notes: defaultdict[object, list[float]] = defaultdict(lambda: [0, 0])
    strings: Counter[tuple[object, str]] = Counter()
    seen = hit = hit_notes = 0
    for at, read in enumerate(sample):
        cluster: object = read.patient if read.patient is not None else at
        own = [span for span in read.pair.gold if is_kind(span.label, kind)]
        for span in own:
            strings[cluster, read.pair.text[span.start : span.end].casefold()] += 1
        leaked = sum(is_kind(span.label, kind) for span in leaked_spans(read.pair))
        identifiers[cluster][0] += read.weight * leaked
        identifiers[cluster][1] += read.weight * len(own)
        notes[cluster][0] += read.weight * (leaked > 0)
        notes[cluster][1] += read.weight
        seen, hit, hit_notes = seen + len(own), hit + leaked, hit_notes + (leaked > 0)
    fraction = len(sample) / population.notes if population.notes else 0.0
    fraction = -fraction if apart else fraction
    repeats = sum(count * count for count in strings.values()) / (strings.total() or 1)
    uneven = len(sample) * sum(read.weight**2 for read in sample) / (sum(r.weight for r in sample) ** 2 or 1)
    by_identifier = _share(identifiers.values(), fraction, least_effect=repeats * uneven)
    by_note = _share(notes.values(), fraction, least_effect=uneven)
    return Rates(
        notes=len(sample),
        identifiers=seen,
        leaked=hit,
        leaking_notes=hit_notes,
        per_identifier=by_identifier.share,
        per_note=by_note.share,
        per_patient=_per_patient(by_note.share, population),
        effect=by_identifier.effect,
        note_effect=by_note.effect,
    )


def leaked_spans(pair: Pair) -> list[Span]:
    """Return the right marks of which a letter or digit was not marked.

    >>> text, name = "Ann Lee came", Span(0, 7, "PATIENT")
    >>> leaked_spans(Pair("1", text, (name,), (Span(0, 3, "PATIENT"),))) == [name]
    True
    """
    covered = marked(pair.text, pair.found)
    return [
        span
        for span in pair.gold
        if not all(covered[span.start : span.end])
        and any(
            not hidden and char.isalnum()
            for hidden, char in zip(
                covered[span.start : span.end], pair.text[span.start : span.end], strict=True
            )
        )
    ]


def is_kind(label: str, kind: str) -> bool:
    """Whether a label is one of ``all``, ``direct`` or ``indirect`` identifiers.

    >>> is_kind("PATIENT", "direct"), is_kind("DATE", "direct"), is_kind("DATE", "all")
    (True, False, True)
    """
    return kind == "all" or (label in DIRECT_LABELS) == (kind == "direct")


def _share(clusters: Iterable[Sequence[float]], fraction: float, *, least_effect: float = 1.0) -> Clustered:
    pairs = [pair for pair in clusters if pair[1]]
    hits, units = [hit for hit, _ in pairs], [unit for _, unit in pairs]
    return clustered_share(hits, units, least_effect=least_effect, fraction=fraction, level=LEVEL)


def _per_patient(per_note: Share, population: Population) -> Share:
    """Return the share of patients with a leak in any note, from the share of leaking notes."""
    patients = population.patients
    if per_note.value is None or per_note.low is None or per_note.high is None or not patients:
        return UNKNOWN
    clean = 1 - per_note.value
    value = sum(count * (1 - clean**size) for size, count in population.notes_of_patients.items()) / patients
    left, fewest = per_note.low * population.notes, 0.0
    for size, count in sorted(population.notes_of_patients.items(), reverse=True):
        filled = min(count, left / size)
        fewest, left = fewest + filled, left - filled * size
    most = min(1.0, per_note.high * population.notes / patients)
    return Share(value, fewest / patients, most)


def _smallest(share: float, each: float, population: int, wanted: float) -> int | None:
    """Return the smallest sample whose interval ends below the wanted share."""

    def shows(notes: int) -> bool:
        if notes >= population:
            return share <= wanted
        widening = (NormalDist().inv_cdf((1 + LEVEL) / 2) / t_quantile((1 + LEVEL) / 2, notes - 1)) ** 2
        size = notes * each * widening / (1 - notes / population)
        high = binomial_share(share * size, size, level=LEVEL).high
        return high is not None and high <= wanted

    low, high = 1, max(population, 2)
    if not shows(high):
        return None
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if shows(middle) else (middle, high)
    return min(high, population)
