"""The official figures of three challenges, to the last digit.

**i2b2-2006** scores every token of the text, ``O`` where no span covers it. The figure is the mean of
the labels' F, weighted by each label's gold tokens. Nearly all tokens are ``O``, so any system comes close to
1; `i2b2_2006` therefore also returns the mean over identifiers alone.

**i2b2-2014** compares sets of marks, note by note. These are its script's rules, odd ones included:

- a token is a run of ASCII letters and digits inside a mark, with the mark's label; a mark without any is one
  empty token at its end;
- the case of a label counts for tokens, but not for marks;
- relaxed takes ends up to two characters apart. Marks of one side that are equal in that sense count once, as
  the first of them; so hits may differ from side to side, and true positives are those of the side with fewer
  marks, the system's where both have as many;
- micro figures add the counts of all notes; macro figures are the mean over notes of each note's precision
  and recall, with the population's standard deviation, and macro F is the harmonic mean of those two;
- an undefined figure is 0, also for a note without any mark; but the script prints ``nan`` for the macro F of
  two means that are 0, and here it is None;
- its HIPAA filter takes dates and ages however their label is written, the others in capitals; it never lets
  IDNUM through (a space too many in the pattern), although the task's guide lists it. `OFFICIAL_HIPAA` does
  as the script does; the group ``i2b2-hipaa`` of `plainsight.labels` follows the guide.

- the name of a mark's XML element counts: ``<PHI TYPE="DATE">`` is not ``<DATE TYPE="DATE">``, and a mark in
  an element that the script does not know is none. The HIPAA filter reads element and label. Where a side is
  of another format, the element follows from the label, as in the challenge's own files;
- a mark may have no TYPE, or no character;
- notes that one side lacks are left out (``unmatched="skip"`` of `pairs.pair_up`).

**MEDDOCAN** has three tracks, all micro averages with 0 for undefined figures:

- **NER**: marks that agree in type, start and end, and in their XML elements; the leak score is the missed
  marks per sentence;
- **strict spans**: start and end alone;
- **merged spans**: marks with no letter or digit between them are joined on both sides; what agrees strictly
  or joined is right, and a mark inside something right is neither missed nor spurious.

The task counts sentences with its own splitter. Pass its number for each note where you have it; ours counts
the others.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from math import fsum, sqrt

from plainsight.document import Span
from plainsight.evaluate.agreement import OUTSIDE, token_labels
from plainsight.evaluate.pairs import Pair
from plainsight.evaluate.scorers import FUZZY_END
from plainsight.evaluate.tally import Figures, Tally, ratio
from plainsight.formats.standoff import WrittenMark
from plainsight.labels import CATEGORIES, CATEGORY_OF, group
from plainsight.text.lines import sentences
from plainsight.text.tokens import scorer_tokens

OFFICIAL_HIPAA = group("i2b2-hipaa") - {"IDNUM"}
"""The labels that the HIPAA filter of the i2b2-2014 script lets through."""

_ELEMENTS = {**CATEGORY_OF, "ROOM": "LOCATION", "DEPARTMENT": "LOCATION", "LOCATION-OTHER": "LOCATION"}
_KNOWN_ELEMENTS = {*CATEGORIES, "OTHER", "PHI"}

Note = tuple[str, Sequence[WrittenMark], Sequence[WrittenMark]]
"""The text of a note, the gold marks and the system's."""

Count = tuple[int, int, int]
"""True positives, false positives and false negatives of one note."""

Compare = Callable[[Note], Count]


def i2b2_2006(pairs: Sequence[Pair]) -> dict[str, float | None]:
    """Return the token figures of the 2006 challenge over all notes, with unmarked tokens and without."""
    gold, found, hits = Counter[str](), Counter[str](), Counter[str]()
    for pair in pairs:
        one, two = (token_labels(pair.text, side) for side in (pair.gold, pair.found))
        gold.update(one)
        found.update(two)
        hits.update(label for label, other in zip(one, two, strict=True) if label == other)
    tallies = {label: Tally(gold[label], hits[label], found[label], hits[label]) for label in gold}
    return {
        "f": _weighted(tallies.values()),
        "f_identifiers": _weighted(tally for label, tally in tallies.items() if label != OUTSIDE),
        "tokens": gold.total(),
        "accuracy": ratio(hits.total(), gold.total()),
    }


def _weighted(tallies: Iterable[Tally]) -> float | None:
    known = list(tallies)
    return ratio(sum(tally.gold * (tally.f or 0.0) for tally in known), sum(tally.gold for tally in known))


@dataclass(frozen=True, slots=True)
class Block(Figures):
    """One block of the i2b2-2014 script's report."""

    precision: float
    recall: float
    f: float
    macro_precision: float
    macro_precision_sd: float
    macro_recall: float
    macro_recall_sd: float
    macro_f: float | None


def i2b2_2014(pairs: Sequence[Pair]) -> dict[str, Block]:
    """Return the blocks of the script's report over all notes, by the script's own titles."""
    return {title: _block(counts) for title, counts in counts_2014(pairs).items()}


def counts_2014(pairs: Sequence[Pair]) -> dict[str, list[Count]]:
    """Return each note's counts for the blocks of the script's report."""
    notes = _notes(pairs)
    hipaa = _only(notes, _is_hipaa)
    with_labels = {"Token": _TOKEN, "Strict": _STRICT, "Relaxed": _relaxed}
    binary = {"Token": _BINARY_TOKEN, "Strict": _BINARY_STRICT}
    return {
        f"{title}{part}{name}": list(map(count, chosen))
        for title, counters in (("", with_labels), ("Binary ", binary))
        for part, chosen in (("", notes), ("HIPAA ", hipaa))
        for name, count in counters.items()
    }


def i2b2_2014_by_category(pairs: Sequence[Pair]) -> dict[str, Block]:
    """Return the blocks of the script's report for each category: ``NAME Token``, ``NAME HIPAA Strict``."""
    notes = _notes(pairs)
    blocks = {}
    for category in (*CATEGORIES, "OTHER"):
        inside = _only(notes, partial(_is_in, category))
        for title, chosen in ((category, inside), (f"{category} HIPAA", _only(inside, _is_hipaa))):
            blocks[f"{title} Token"] = _block(list(map(_TOKEN, chosen)))
            blocks[f"{title} Strict"] = _block(list(map(_STRICT, chosen)))
    return blocks


def _notes(pairs: Iterable[Pair]) -> list[Note]:
    """Return the marks as the scripts see them."""
    notes: list[Note] = []
    for pair in pairs:
        gold, found = pair.written or (tuple(map(_mark, pair.gold)), tuple(map(_mark, pair.found)))
        known = [tuple(mark for mark in side if mark.element in _KNOWN_ELEMENTS) for side in (gold, found)]
        notes.append((pair.text, known[0], known[1]))
    return notes


def _mark(span: Span) -> WrittenMark:
    """Return a span as a mark whose element follows from the label."""
    return WrittenMark(_ELEMENTS.get(span.label.upper(), "OTHER"), span.label, span.start, span.end)


def _only(notes: Iterable[Note], wanted: Callable[[WrittenMark], bool]) -> list[Note]:
    return [(text, tuple(filter(wanted, gold)), tuple(filter(wanted, found))) for text, gold, found in notes]


def _is_in(category: str, mark: WrittenMark) -> bool:
    return mark.element == category


def _is_hipaa(mark: WrittenMark) -> bool:
    """Whether the script's HIPAA filter lets a mark through: it looks at how element and label begin."""
    if mark.element in ("AGE", "DATE"):
        return True
    return any(mark.element == _ELEMENTS[name] and mark.label.startswith(name) for name in OFFICIAL_HIPAA)


def _compare(kind: str, *, labelled: bool = True, any_case: bool = False) -> Compare:
    """Return a function that compares both sides' marks or tokens as sets."""

    def side(text: str, marks: Iterable[WrittenMark]) -> set[tuple[str, str, int, int]]:
        made = set[tuple[str, str, int, int]]()
        for mark in marks:
            name = (mark.element, mark.label.upper() if any_case else mark.label) if labelled else ("", "")
            made.update((*name, start, end) for start, end in _extents(kind, text, mark))
        return made

    def count(note: Note) -> Count:
        text, *sides = note
        gold, found = (side(text, marks) for marks in sides)
        return len(gold & found), len(found - gold), len(gold - found)

    return count


def _extents(kind: str, text: str, mark: WrittenMark) -> list[tuple[int, int]]:
    """Return the extent of a mark, or those of its tokens; a mark without any has an empty one at its end."""
    if kind == "span":
        return [(mark.start, mark.end)]
    tokens = scorer_tokens(text[mark.start : mark.end]) or [(mark.end - mark.start,) * 2]
    return [(mark.start + start, mark.start + end) for start, end in tokens]


_TOKEN = _compare("token")
_STRICT = _compare("span", any_case=True)
_SAME = _compare("span")
_BINARY_TOKEN = _compare("token", labelled=False)
_BINARY_STRICT = _compare("span", labelled=False)

Ends = dict[tuple[str, str, int], list[int]]


def _relaxed(note: Note) -> Count:
    gold, found = map(_ends, note[1:])
    wanted, claimed = (sum(map(len, ends.values())) for ends in (gold, found))
    gold_hits, found_hits = _near(gold, found), _near(found, gold)
    # Python intersects sets by walking through the smaller, and through the second of two equally large
    hits = gold_hits if wanted < claimed else found_hits
    return hits, claimed - found_hits, wanted - gold_hits


def _ends(marks: Iterable[WrittenMark]) -> Ends:
    """Return the ends of marks by element, label and start, without those that are near an earlier one."""
    ends: Ends = {}
    for mark in marks:
        known = ends.setdefault((mark.element, mark.label.upper(), mark.start), [])
        if not _among(mark.end, known):
            known.append(mark.end)
    return ends


def _near(these: Ends, others: Ends) -> int:
    """Count the marks of one side that have a near one on the other."""
    return sum(_among(end, others.get(key, ())) for key, ends in these.items() for end in ends)


def _among(end: int, ends: Iterable[int]) -> bool:
    return any(abs(end - other) <= FUZZY_END for other in ends)


def _block(counts: Sequence[Count]) -> Block:
    precisions = [_share(right, spurious) for right, spurious, _ in counts]
    recalls = [_share(right, missed) for right, _, missed in counts]
    (precision, precision_sd), (recall, recall_sd) = _mean(precisions), _mean(recalls)
    macro_f = _f(precision, recall) if precision + recall else None
    return Block(*_micro(counts), precision, precision_sd, recall, recall_sd, macro_f)


def _mean(values: Sequence[float]) -> tuple[float, float]:
    mean = fsum(values) / len(values)
    return mean, sqrt(fsum((value - mean) ** 2 for value in values) / len(values))


def _micro(counts: Sequence[Count]) -> tuple[float, float, float]:
    right, spurious, missed = (sum(column) for column in zip(*counts, strict=True))
    precision, recall = _share(right, spurious), _share(right, missed)
    return precision, recall, _f(precision, recall)


def _share(right: int, wrong: int) -> float:
    return right / (right + wrong) if right + wrong else 0.0


def _f(precision: float, recall: float) -> float:
    return 2 * precision * recall / (precision + recall) if precision + recall else 0.0


def meddocan(
    pairs: Sequence[Pair], *, sentences_of: Mapping[str, int] | None = None
) -> dict[str, dict[str, float]]:
    """Return the figures of each track by its title; ``sentences_of`` maps note ids to sentence counts."""
    known = sentences_of or {}
    count = sum(known[pair.id] if pair.id in known else len(sentences(pair.text)) for pair in pairs)
    tracks = counts_meddocan(pairs)
    missed = sum(missed for _, _, missed in tracks["NER"])
    names = ("precision", "recall", "f")
    figures = {title: dict(zip(names, _micro(counts), strict=True)) for title, counts in tracks.items()}
    figures["NER"]["leak"] = missed / count if count else 0.0
    return figures


def counts_meddocan(pairs: Sequence[Pair]) -> dict[str, list[Count]]:
    """Return each note's counts for each track."""
    compare = {"NER": _SAME, "strict spans": _BINARY_STRICT, "merged spans": _merged}
    notes = _notes(pairs)
    return {title: list(map(count, notes)) for title, count in compare.items()}


Edges = tuple[int, int]


def _merged(note: Note) -> Count:
    text, *sides = note
    gold, found = map(_edges, sides)
    right = (gold & found) | (_joined(text, gold) & _joined(text, found))
    spurious, missed = (
        sum(not any(start <= edges[0] and edges[1] <= end for start, end in right) for edges in left)
        for left in (found - gold, gold - found)
    )
    return len(right), spurious, missed


def _edges(marks: Iterable[WrittenMark]) -> set[Edges]:
    return {(mark.start, mark.end) for mark in marks}


def _joined(text: str, edges: set[Edges]) -> set[Edges]:
    """Return the spans with those joined that only signs and white space part.

    A span joined to one that it lies in ends the whole, as in the task's script.
    """
    joined: list[Edges] = []
    for start, end in sorted(edges):
        if joined and not any(character.isalnum() for character in text[joined[-1][1] : start]):
            joined[-1] = (joined[-1][0], end)
        else:
            joined.append((start, end))
    return set(joined)
