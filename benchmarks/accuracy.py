"""Measure detectors against marked notes: token recall and precision by label.

    python benchmarks/accuracy.py corpus [--policy fast | --detectors patterns,lexicon]
                                         [--show LABEL] [--wrong LABEL] [--json]

With a policy the whole pipeline is measured, combination and propagation included; with detectors, what they
claim before anything is combined. Neither is given a patient's record here.

A token is a maximal run of letters and digits, as in the i2b2-2014 scorer. A marked token is found when
every marked character of it is covered by a claim of any label; a claimed token is right when any of its
characters is marked. ``--show`` lists missed tokens of a gold label with their lines, ``--wrong`` the
wrongly claimed tokens of a claimed label; the notes are invented, so their text may be printed.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections import Counter, defaultdict
from pathlib import Path

from plainsight import load
from plainsight.document import Document, Span
from plainsight.formats.inline import parse
from plainsight.registry import create

TOKEN = re.compile(r"[^\W_]+")


def read(folder: Path) -> list[Document]:
    documents = []
    for path in sorted(folder.rglob("*.txt")):
        text, spans = parse(path.read_text(encoding="utf-8"))
        documents.append(Document(id=str(path.relative_to(folder)), text=text, spans=spans))
    return documents


def labels_by_character(length: int, spans: list[Span] | tuple[Span, ...]) -> list[str | None]:
    labels: list[str | None] = [None] * length
    for span in sorted(spans, key=lambda span: span.score):
        labels[span.start : span.end] = [span.label] * (span.end - span.start)
    return labels


def line_of(text: str, start: int, end: int) -> str:
    left, right = text.rfind("\n", 0, start) + 1, text.find("\n", end)
    right = len(text) if right < 0 else right
    left, right = max(left, start - 70), min(right, end + 50)
    return f"{text[left:start]}>>{text[start:end]}<<{text[end:right]}"


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("notes", type=Path, help="a folder of notes in inline markup")
    parser.add_argument("--policy", help="measure this policy's whole pipeline")
    parser.add_argument("--detectors", default="patterns,lexicon")
    parser.add_argument("--only", default="", help="take only notes whose path holds this")
    parser.add_argument("--show", metavar="LABEL", help="list missed tokens of this gold label")
    parser.add_argument("--wrong", metavar="LABEL", help="list wrongly claimed tokens of this claimed label")
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()

    documents = [document for document in read(arguments.notes) if arguments.only in document.id]
    claims: list[list[Span]] = [[] for _ in documents]
    if arguments.policy:
        claims = [list(item.spans) for item in load(arguments.policy).detect(documents)]
    else:
        for name in arguments.detectors.split(","):
            for found, spans in zip(claims, create("detectors", name).detect(documents), strict=True):
                found += spans

    found, total = Counter[str](), Counter[str]()
    right, claimed = Counter[str](), Counter[str]()
    typed = Counter[str]()
    confused: dict[str, Counter[str]] = defaultdict(Counter)
    for document, spans in zip(documents, claims, strict=True):
        gold = labels_by_character(len(document.text), document.spans)
        system = labels_by_character(len(document.text), spans)
        sources = labels_by_character(
            len(document.text), [Span(s.start, s.end, s.source or s.label, s.score) for s in spans]
        )
        for token in TOKEN.finditer(document.text):
            start, end = token.span()
            label = next(filter(None, gold[start:end]), None)
            claim = next(filter(None, system[start:end]), None)
            if label:
                total[label] += 1
                if all(s for g, s in zip(gold[start:end], system[start:end], strict=True) if g):
                    found[label] += 1
                elif arguments.show == label:
                    print(f"{document.id}: {line_of(document.text, start, end)}")
            if claim:
                claimed[claim] += 1
                right[claim] += label is not None
                typed[claim] += label == claim
                if label is not None and label != claim:
                    confused[claim][label] += 1
                if label is None and arguments.wrong in (claim, "ALL"):
                    source = next(filter(None, sources[start:end]), "")
                    print(f"{claim} {source} {document.id}: {line_of(document.text, start, end)}")

    rows = {
        label: {
            "gold": total[label],
            "recall": found[label] / total[label] if total[label] else None,
            "claimed": claimed[label],
            "precision": right[label] / claimed[label] if claimed[label] else None,
            "right label": typed[label] / claimed[label] if claimed[label] else None,
        }
        for label in sorted(total | claimed, key=lambda label: -total[label])
    }
    rows["all"] = {
        "gold": total.total(),
        "recall": found.total() / total.total() if total else None,
        "claimed": claimed.total(),
        "precision": right.total() / claimed.total() if claimed else None,
        "right label": typed.total() / claimed.total() if claimed else None,
    }
    if arguments.json:
        json.dump(rows, sys.stdout, indent=1)
        return
    print(f"{'label':16}{'gold':>7}{'recall':>8}{'claimed':>9}{'precision':>11}{'right label':>13}")
    for label, row in rows.items():
        shown = zip(row.values(), (7, 8, 9, 11, 13), strict=True)
        print(f"{label:16}" + "".join(f"{cell(value):>{width}}" for value, width in shown))


def cell(value: float | None) -> str:
    """Format a count or a share; undefined is n/a."""
    return "n/a" if value is None else f"{value:.4f}" if isinstance(value, float) else str(value)


if __name__ == "__main__":
    main()
