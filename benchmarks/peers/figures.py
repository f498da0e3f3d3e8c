"""Figures, tables and the chart of the race."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from plainsight.document import Document, Span
from plainsight.evaluate.leaks import leaks
from plainsight.evaluate.pairs import Pair
from plainsight.evaluate.report.charts import Chart, Series
from plainsight.evaluate.scorers import score
from plainsight.profiles import in_profile

_UNMARKED = re.compile(
    r"(19|20)\d\d|\d{1,3}[ -]?(years?|months?|weeks?|days?|yrs?|y/?o)?([ -]?old)?", re.IGNORECASE
)
"""Years and ages, which the short queries' gold standard leaves unmarked."""
_UNMARKED_LABELS = {"AGE", "PROFESSION"}

Marks = Sequence[Sequence[tuple[int, int, str]]]


def pairs(gold: Sequence[Document], marks: Marks) -> list[Pair]:
    """Return gold notes beside what a system found, without marks that hold no letter or digit."""
    return [
        Pair(
            note.id,
            note.text,
            note.spans,
            tuple(
                Span(start, end, label)
                for start, end, label in found
                if any(char.isalnum() for char in note.text[start:end])
            ),
        )
        for note, found in zip(gold, marks, strict=True)
    ]


def accuracy(both: Sequence[Pair]) -> dict[str, Any]:
    """Return token recall and precision by any label, recall of what Safe Harbor names, and clean notes."""
    tally = score(both, "binary-token").micro
    lawful = [replace(pair, gold=tuple(in_profile("safe-harbor", pair.text, pair.gold))) for pair in both]
    return {
        "recall": tally.recall,
        "precision": tally.precision,
        "safe_harbor": score(lawful, "binary-token").micro.recall,
        "clean": leaks(both).clean_notes,
        "notes": len(both),
    }


def query_figures(both: Sequence[Pair]) -> dict[str, Any]:
    """Return `accuracy` of short queries, and their published measure: values gone, and over-redaction.

    Ages, years and jobs are not marked in them, so they count for nobody.
    """
    kept = [replace(pair, found=tuple(s for s in pair.found if not _unmarked(pair.text, s))) for pair in both]
    values = [(pair, pair.text[span.start : span.end]) for pair in kept for span in pair.gold]
    gone = sum(value not in _masked(pair) for pair, value in values)
    empty = [pair for pair in kept if not pair.gold]
    return accuracy(kept) | {
        "gone": gone / len(values) if values else None,
        "over": sum(bool(pair.found) for pair in empty) / len(empty) if empty else None,
    }


def _unmarked(text: str, span: Span) -> bool:
    return span.label in _UNMARKED_LABELS or bool(_UNMARKED.fullmatch(text[span.start : span.end].strip()))


def _masked(pair: Pair) -> str:
    characters = list(pair.text)
    for span in pair.found:
        characters[span.start : span.end] = "\0" * (span.end - span.start)
    return "".join(characters)


def table(head: Sequence[str], rows: Iterable[Sequence[str]], *, words: int = 1) -> str:
    """Return a Markdown table; all columns but the first ``words`` are numbers."""
    rule = "|".join(["---"] * words + ["--:"] * (len(head) - words))
    return "\n".join([_row(head), f"|{rule}|", *map(_row, rows)])


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def share(value: float | None) -> str:
    """Return a share with three places, without the zero."""
    return "n/a" if value is None else f"{value:.3f}".removeprefix("0")


def rate(value: float) -> str:
    """Return notes per second in two or three digits."""
    return f"{value:.0f}" if value >= 20 else f"{value:.1f}"


def main_table(results: Mapping[str, dict[str, Any]]) -> str:
    """Return the table of speed, memory and accuracy on the made notes, the fastest of each kind first."""
    rows = []
    for result in _ordered(results):
        if "notes" not in result.get("figures", {}):
            continue
        figures = result["figures"]["notes"]
        rows.append(
            [
                result["title"],
                rate(result["cold"]),
                rate(result["warm"]),
                f"{result['load']:.1f}",
                f"{result['peak']:.0f}",
                *(share(figures[key]) for key in ("recall", "safe_harbor", "precision")),
                f"{figures['clean']} of {figures['notes']}",
                f"{result['read']:,}",
            ]
        )
    speed = ["notes/s cold", "warm", "load, s", "peak MB"]
    head = ["system", *speed, "token recall", "of Safe Harbor", "precision", "clean notes", "notes read"]
    return table(head, rows)


def accuracy_table(results: Mapping[str, dict[str, Any]], name: str) -> str:
    """Return the table of one further set."""
    rows = []
    for result in _ordered(results):
        if name not in result.get("figures", {}):
            continue
        figures = result["figures"][name]
        row = [result["title"], *(share(figures[key]) for key in ("recall", "precision"))]
        row.append(f"{figures['clean']} of {figures['notes']}")
        if name == "queries":
            row += [_percent(figures["gone"]), _percent(figures["over"])]
        else:
            row.insert(2, share(figures["safe_harbor"]))
        rows.append(row)
    if name == "queries":
        head = ["system", "token recall", "precision", "clean queries", "values gone", "over-redaction"]
    else:
        head = ["system", "token recall", "of Safe Harbor", "precision", "clean notes"]
    return table(head, rows)


def _percent(value: float | None) -> str:
    return "n/a" if value is None else f"{100 * value:.1f} %"


def failures(results: Mapping[str, dict[str, Any]]) -> str:
    """Return a list of the systems that could not be measured, or not on every set, and why."""
    lines = [
        f"- {result['title']}: {result['failure']}" for result in results.values() if result.get("failure")
    ]
    return "\n".join(lines)


def leaves_table(results: Mapping[str, dict[str, Any]]) -> str:
    """Return what each system does not try to find."""
    return table(
        ["system", "does not try to find"], [[r["title"], r["leaves"]] for r in results.values()], words=2
    )


def verdict(results: Mapping[str, dict[str, Any]], *, least_recall: float = 0.85) -> str:
    """Say how many times as fast our policies are, and which peer leads `balanced` in what."""
    ours = {name: result for name, result in results.items() if result["ours"] and "warm" in result}
    peers = [peer for peer in results.values() if not peer["ours"] and "notes" in peer.get("figures", {})]
    lines = []
    if ours and peers:
        able = [peer for peer in peers if _best_recall(peer) >= least_recall]
        rival = max(able, key=lambda peer: peer["warm"]) if able else max(peers, key=_best_recall)
        lines.append(
            f"The fastest peer with a token recall of at least {share(least_recall)}, of all identifiers or "
            f"of those that Safe Harbor names, is {rival['title']}."
            if able
            else f"No peer has a token recall of {share(least_recall)}; {rival['title']} has the highest."
        )
        times = ", ".join(
            f"`{name}` is {ours[name]['warm'] / rival['warm']:.1f} times as fast" for name in ours
        )
        lines.append(f"Beside it, warm: {times}.")
    ahead = [
        f"- {key} on {SET_NAMES[name]} ({share(figures[key])}): "
        + "; ".join(
            f"{peer['title']} {share(theirs[key])} (recall {share(theirs['recall'])})"
            for peer, theirs in higher
        )
        for name, figures in ours.get("balanced", {}).get("figures", {}).items()
        for key in ("recall", "precision")
        if (higher := _ahead(peers, name, key, figures[key]))
    ]
    if ahead:
        lines.append("Ahead of `balanced`:\n\n" + "\n".join(ahead))
    elif "balanced" in ours and peers:
        lines.append("Recall and precision of `balanced` are the highest on every set.")
    return "\n".join(lines)


def _best_recall(peer: dict[str, Any]) -> float:
    figures = peer["figures"]["notes"]
    return max(figures["recall"] or 0.0, figures["safe_harbor"] or 0.0)


def _ahead(
    peers: Sequence[dict[str, Any]], name: str, key: str, value: float | None
) -> list[tuple[dict[str, Any], dict[str, Any]]]:
    """Return the peers with a higher figure on a set, each with its figures there."""
    there = [(peer, peer["figures"][name]) for peer in peers if name in peer["figures"]]
    return [(peer, figures) for peer, figures in there if (figures[key] or 0.0) > (value or 0.0)]


SET_NAMES = {"notes": "the made notes", "hand": "the hand-written notes", "queries": "the short queries"}


def chart(results: Mapping[str, dict[str, Any]]) -> str:
    """Return token recall over notes per second as SVG."""
    series = [
        Series(
            re.sub(r"`|plainsight ", "", r["title"]),
            [(r["warm"], r["figures"]["notes"]["recall"])],
            line=False,
        )
        for r in _ordered(results)
        if "notes" in r.get("figures", {}) and r["figures"]["notes"]["recall"] is not None
    ]
    return Chart(
        title="Token recall and speed on one core",
        x="notes of 500 words a second, warm (logarithmic)",
        y="token recall",
        series=series,
        log_x=True,
    ).svg()


def _ordered(results: Mapping[str, dict[str, Any]]) -> list[dict[str, Any]]:
    """Return our systems, then the others by recall."""

    def place(result: dict[str, Any]) -> tuple[bool, float]:
        figures = result.get("figures", {}).get("notes", {})
        return not result["ours"], 0.0 if result["ours"] else -(figures.get("recall") or 0.0)

    return sorted(results.values(), key=place)


def put_between(page: Path, marker: str, text: str) -> None:
    """Replace what stands between ``<!-- MARKER -->`` and ``<!-- end of MARKER -->`` in a page."""
    old = page.read_text(encoding="utf-8")
    begin, end = f"<!-- {marker} -->", f"<!-- end of {marker} -->"
    if old.count(begin) != 1 or old.count(end) != 1:
        raise SystemExit(f"{page} needs the lines {begin} and {end} once each")
    before, rest = old.split(begin)
    after = rest.split(end)[1]
    page.write_text(f"{before}{begin}\n\n{text.strip()}\n\n{end}{after}", encoding="utf-8")
