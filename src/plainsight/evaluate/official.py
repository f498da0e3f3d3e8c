"""The official i2b2-2014 figures, to the last digit (S9, S89).

The challenge's script compares sets of marks, note by note, and these are its rules, odd ones included:

- a token is a run of ASCII letters and digits inside a mark, and its label is the mark's; a mark without any
  is one empty token at its end;
- the case of a label counts for tokens, but not for marks;
- relaxed takes ends up to two characters apart. Marks of one side that are equal in that sense count once, as
  the first of them; so hits may differ from side to side, and true positives are those of the side with fewer
  marks, the system's where both have as many;
- micro figures add the counts of all notes; macro figures are the mean over notes of each note's precision
  and recall, with the population's standard deviation, and macro F is made of those two means;
- a figure that is undefined is 0, also for a note without any mark; but the script prints ``nan`` for a macro
  F of two means that are 0, and here it is None;
- its HIPAA filter takes dates and ages however their label is written, the others in capitals; it never lets
  IDNUM through (a space too many in the pattern), although the task's guide lists it. `OFFICIAL_HIPAA` does
  as the script does; the group ``i2b2-hipaa`` of `plainsight.labels` as the guide.

The script also tells apart marks that are equal but for the name of their XML element; here the element
follows from the label, as in the challenge's own files. It prints four digits, and two of a deviation; it
skips notes that one side lacks (``unmatched="skip"`` of `pairs.pair_up`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Any

from plainsight.document import Span
from plainsight.evaluate.pairs import Pair
from plainsight.evaluate.scorers import FUZZY_END, units
from plainsight.labels import CATEGORIES, CATEGORY_OF, group

__all__ = ["OFFICIAL_HIPAA", "Official", "official", "official_by_category"]

OFFICIAL_HIPAA = group("i2b2-hipaa") - {"IDNUM"}
"""The labels that the script's HIPAA filter lets through."""

_ELEMENTS = {**CATEGORY_OF, "ROOM": "LOCATION", "DEPARTMENT": "LOCATION", "LOCATION-OTHER": "LOCATION"}

Count = tuple[int, int, int]
"""True positives, false positives and false negatives of one note."""


@dataclass(frozen=True, slots=True)
class Official:
    """One block of the script's report."""

    precision: float
    recall: float
    f: float
    macro_precision: float
    macro_precision_sd: float
    macro_recall: float
    macro_recall_sd: float
    macro_f: float | None

    def to_json(self) -> dict[str, Any]:
        """Return the figures by name."""
        return {name: getattr(self, name) for name in self.__slots__}


def official(pairs: Sequence[Pair]) -> dict[str, Official]:
    """Return the blocks of the script's report over all notes, by the script's own titles."""
    protected = _hipaa(_labels(pairs))
    hipaa = [pair.only(protected) for pair in pairs]
    blocks: dict[str, tuple[Sequence[Pair], Callable[[Pair], Count]]] = {
        "Token": (pairs, _token),
        "Strict": (pairs, _strict),
        "Relaxed": (pairs, _relaxed),
        "HIPAA Token": (hipaa, _token),
        "HIPAA Strict": (hipaa, _strict),
        "HIPAA Relaxed": (hipaa, _relaxed),
        "Binary Token": (pairs, _binary_token),
        "Binary Strict": (pairs, _binary_strict),
        "Binary HIPAA Token": (hipaa, _binary_token),
        "Binary HIPAA Strict": (hipaa, _binary_strict),
    }
    return {title: _summary([count(pair) for pair in chosen]) for title, (chosen, count) in blocks.items()}


def official_by_category(pairs: Sequence[Pair]) -> dict[str, Official]:
    """Return the blocks of the script's report for each category: ``NAME Token``, ``NAME HIPAA Strict``."""
    labels = _labels(pairs)
    blocks = {}
    for category in (*CATEGORIES, "OTHER"):
        inside = {label for label in labels if _ELEMENTS.get(label.upper(), "OTHER") == category}
        for title, kept in ((category, inside), (f"{category} HIPAA", _hipaa(inside))):
            chosen = [pair.only(kept) for pair in pairs]
            blocks[f"{title} Token"] = _summary([_token(pair) for pair in chosen])
            blocks[f"{title} Strict"] = _summary([_strict(pair) for pair in chosen])
    return blocks


def _labels(pairs: Iterable[Pair]) -> set[str]:
    return {span.label for pair in pairs for span in (*pair.gold, *pair.found)}


def _hipaa(labels: Iterable[str]) -> set[str]:
    return {label for label in labels if label in OFFICIAL_HIPAA or label.upper() in ("AGE", "DATE")}


def _token(pair: Pair) -> Count:
    return _compared(units("token", pair.text, pair.gold), units("token", pair.text, pair.found))


def _binary_token(pair: Pair) -> Count:
    gold, found = (
        {(start, end) for _, start, end in units("token", pair.text, spans)}
        for spans in (pair.gold, pair.found)
    )
    return _compared(gold, found)


def _strict(pair: Pair) -> Count:
    gold, found = ({(s.label.upper(), s.start, s.end) for s in spans} for spans in (pair.gold, pair.found))
    return _compared(gold, found)


def _binary_strict(pair: Pair) -> Count:
    gold, found = ({(s.start, s.end) for s in spans} for spans in (pair.gold, pair.found))
    return _compared(gold, found)


Ends = dict[tuple[str, int], list[int]]


def _relaxed(pair: Pair) -> Count:
    gold, found = _ends(pair.gold), _ends(pair.found)
    wanted, claimed = (sum(map(len, ends.values())) for ends in (gold, found))
    gold_hits, found_hits = _near(gold, found), _near(found, gold)
    # a set's intersection walks through the smaller one, and through the other one of two as large
    hits = gold_hits if wanted < claimed else found_hits
    return hits, claimed - found_hits, wanted - gold_hits


def _ends(spans: Iterable[Span]) -> Ends:
    """Return the ends of marks by label and start, without those that are near an earlier one."""
    ends: Ends = {}
    for span in spans:
        known = ends.setdefault((span.label.upper(), span.start), [])
        if not _among(span.end, known):
            known.append(span.end)
    return ends


def _near(these: Ends, others: Ends) -> int:
    """Count the marks of one side to which the other has a near one."""
    return sum(_among(end, others.get(key, ())) for key, ends in these.items() for end in ends)


def _among(end: int, ends: Iterable[int]) -> bool:
    return any(abs(end - other) <= FUZZY_END for other in ends)


def _compared(gold: set[Any], found: set[Any]) -> Count:
    return len(gold & found), len(found - gold), len(gold - found)


def _summary(counts: Sequence[Count]) -> Official:
    right, spurious, missed = (sum(column) for column in zip(*counts, strict=True))
    precision, recall = _share(right, spurious), _share(right, missed)
    macro_precision, precision_sd = _mean([_share(tp, fp) for tp, fp, _ in counts])
    macro_recall, recall_sd = _mean([_share(tp, fn) for tp, _, fn in counts])
    return Official(
        precision=precision,
        recall=recall,
        f=_f(precision, recall),
        macro_precision=macro_precision,
        macro_precision_sd=precision_sd,
        macro_recall=macro_recall,
        macro_recall_sd=recall_sd,
        macro_f=_f(macro_precision, macro_recall) if macro_precision + macro_recall else None,
    )


def _share(right: int, wrong: int) -> float:
    return right / (right + wrong) if right + wrong else 0.0


def _f(precision: float, recall: float) -> float:
    return 2 * precision * recall / (precision + recall) if precision + recall else 0.0


def _mean(values: Sequence[float]) -> tuple[float, float]:
    mean = sum(values) / len(values)
    return mean, sqrt(sum((value - mean) ** 2 for value in values) / len(values))
