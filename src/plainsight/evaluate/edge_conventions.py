"""Move the edges of a system's spans to where annotators put them, to see what the difference costs.

In most corpora, field names, titles and the sign after an identifier lie outside the span, and days written
as one word are marked one by one. A system with other habits is better than its strict figures say; the
figures with moved edges show by how much.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace

from plainsight.document import Span
from plainsight.evaluate.pairs import Pair

_BEFORE = re.compile(
    r"""(?: [\s,;:*#]
          | [A-Za-z][A-Za-z .]{0,20}(?:\#|[:=])        # MR: MRN# Tel:
          | (?:Dr|Drs|Mr|Mrs|Ms|Miss|Prof)\b\.?(?=\s)  # a title
        )+""",
    re.VERBOSE,
)
_AFTER = re.compile(r"(?:[\s,;:]|['’]s\b|\.(?=\Z)(?<![A-Z]\.))+\Z")
_DAY = re.compile(r"Mo|M|Tu|Th|T|We|W|Fr|F|Sa|Su|S", re.IGNORECASE)
_JOINED = re.compile(r"(?=..)(?:Mo?)?(?:Tu?)?(?:We?)?(?:Th?)?(?:Fr?)?(?:Sa?)?(?:Su)?", re.IGNORECASE)
"""Days of a week in their order, at least two letters of them: MWF, TThSa."""


def trim_edges(pair: Pair) -> Pair:
    """Return the pair with the edges of the system's spans moved; the gold standard's stay.

    >>> text = "MR: 4471, Dr. Roe's"
    >>> trimmed = trim_edges(Pair("1", text, (), (Span(0, 9, "MEDICALRECORD"), Span(10, 19, "DOCTOR"))))
    >>> [text[span.start : span.end] for span in trimmed.found]
    ['4471', 'Roe']
    """
    return replace(pair, found=tuple(_spans(pair.text, pair.found)))


def _spans(text: str, spans: Iterable[Span]) -> Iterator[Span]:
    for span in spans:
        inside = text[span.start : span.end]
        before, after = _BEFORE.match(inside), _AFTER.search(inside)
        start = span.start + (before.end() if before else 0)
        end = span.end - (len(after[0]) if after else 0)
        # a mark of which nothing would be left stays as it is
        whole = replace(span, start=start, end=end) if start < end else span
        yield from _days(text, whole) if span.label == "DATE" else [whole]


def _days(text: str, span: Span) -> list[Span]:
    """Return one mark a day where the days of a week are written as one word: TThSa."""
    word = text[span.start : span.end]
    days = list(_DAY.finditer(word)) if _JOINED.fullmatch(word) else []
    if len(days) < 2:
        return [span]
    return [replace(span, start=span.start + day.start(), end=span.start + day.end()) for day in days]
