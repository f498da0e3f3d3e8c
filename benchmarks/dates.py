"""Measure how many dates of marked notes are read as dates and rewritten, and which shapes they have.

    python benchmarks/dates.py FOLDER... [--top 40] [--show-fallback] [--json]

Every DATE mark of the notes below the folders (inline markup) is shifted. A date is rewritten by structure
when it was read and written again in its own form; by fallback when it was not. The table counts surface
shapes: 9 for a digit, Month, Mon, Weekday, Wkd for the calendar's words, ``word`` for any other, so that by
default no text of a note is printed. ``--show-fallback`` prints the dates that fell back: for notes that may
be shown.
"""

from __future__ import annotations

import argparse
import json
import re
import time
from collections import Counter
from pathlib import Path

from plainsight.document import Document
from plainsight.formats.inline import parse
from plainsight.locale import DEFAULT_LOCALE
from plainsight.locale.calendar import fold, load_calendar
from plainsight.replace.surrogate.dates.shifter import Dates
from plainsight.replace.surrogate.keyed import Keyed
from plainsight.replace.surrogate.scope import Mention, Scope

KEY = bytes(range(32))


def scope_of(path: Path) -> Scope:
    text, spans = parse(path.read_text(encoding="utf-8"))
    mentions = [Mention(0, s.start, s.end, s.label, text[s.start : s.end]) for s in spans]
    return Scope(Keyed.from_secret(KEY), [Document(path.name, text)], mentions)


def shape(text: str) -> str:
    return re.sub(r"[^\W\d_]+|\d", lambda part: "9" if part[0].isdigit() else shape_of_word(part[0]), text)


def shape_of_word(word: str) -> str:
    if fold(word) in ("st", "nd", "rd", "th", "s", "of", "the", "day", "eve", "early", "mid", "late"):
        return fold(word)
    calendar = load_calendar(DEFAULT_LOCALE)
    if calendar.month_of(word):
        return "Mon" if len(word) <= 4 and fold(word) not in ("may", "june", "july") else "Month"
    if calendar.weekday_of(word) is not None:
        return "Wkd" if len(word) <= 5 else "Weekday"
    return "word"


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folders", type=Path, nargs="+", help="folders of notes in inline markup")
    parser.add_argument("--top", type=int, default=40, help="how many shapes to print")
    parser.add_argument("--show-fallback", action="store_true", help="print the dates that were not read")
    parser.add_argument("--json", action="store_true", help="print the figures only, as JSON")
    options = parser.parse_args()

    scopes = [scope_of(path) for folder in options.folders for path in sorted(folder.rglob("*.txt"))]
    shapes: Counter[str] = Counter()
    fallen: Counter[str] = Counter()
    texts: list[str] = []
    seconds = 0.0
    for scope in scopes:
        mentions = scope.of("DATE")
        dates = Dates(scope)
        start = time.process_time()
        read = dates.surrogates(mentions)
        seconds += time.process_time() - start
        for mention, structured in zip(mentions, read, strict=True):
            shapes[shape(mention.text)] += 1
            if not structured:
                fallen[shape(mention.text)] += 1
                texts.append(mention.text)

    total = sum(shapes.values())
    figures = {
        "notes": len(scopes),
        "dates": total,
        "by_structure": total - len(texts),
        "by_fallback": len(texts),
        "share_by_structure": round(1 - len(texts) / total, 5) if total else None,
        "shapes": len(shapes),
        "microseconds_per_date": round(1e6 * seconds / total, 1) if total else None,
    }
    if options.json:
        print(json.dumps(figures))
        return
    for name, value in figures.items():
        print(f"{name.replace('_', ' '):24} {value}")
    print(f"\n{'dates':>6} {'fell':>5}  shape")
    for like, count in shapes.most_common(options.top):
        print(f"{count:6} {fallen[like]:5}  {like!r}")
    if options.show_fallback:
        print("\nnot read:")
        for text in sorted(texts):
            print(f"  {text!r}")


if __name__ == "__main__":
    main()
