"""The report of a release as one HTML page, which prints well; all it says comes from the record."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from html import escape
from importlib.resources import files
from string import Template
from typing import Any

from plainsight.errors import plural
from plainsight.evaluate.report.charts import ranges

_KINDS = {"all": "all identifiers", "direct": "direct identifiers", "indirect": "indirect identifiers"}
_DASH = "–"


def report(record: Mapping[str, Any]) -> str:
    """Return the page of a release."""
    figures, notes = record["figures"], record["notes"]
    progress = figures["progress"]
    template = (files("plainsight.review") / "report.html").read_text(encoding="utf-8")
    words = {
        "title": f"Release of {record['project']}",
        "released_at": record["released_at"].replace("T", " ").replace("+00:00", " UTC"),
        "plainsight": record["plainsight"],
        "policy_name": record["policy"]["name"],
        "signer": record["signer"]["name"],
        "signer_file": "signer",
        "statement": record["signer"]["statement"],
        "fingerprint": record["signer"]["fingerprint"],
        "whole": _whole(notes, record["readers_per_note"]),
        "estimate": _estimate(progress, figures["residual_of"], notes["unread"]),
        "agreement": _agreement(figures["agreement"], record["readers_per_note"]),
        "entries": f"{record['audit_log']['entries']:,}",
        "log_end": record["audit_log"]["end"],
        "surrogate_key": record["surrogate_key"],
        "note_ids": record["note_ids"],
        "policy": record["policy"]["toml"],
    }
    parts = {
        "cards": _cards(record),
        "chart": _chart(figures["residual"]),
        "rates": _rates(figures["residual"]),
        "samples": _samples(figures["sample"]),
        "reviewers": _reviewers(record["reviewers"]),
        "corrections": _corrections(figures["corrections"]["by_label"]),
        "operations": _operations(record["policy"]["operations"]),
        "files": _files(record["files"]),
        "models": _pairs(("Model", "SHA-256"), record["models"].items(), code=True),
        "versions": _pairs(("Version of", ""), record["versions"].items()),
    }
    return Template(template).substitute({name: escape(str(word)) for name, word in words.items()} | parts)


def percent(share: float | None) -> str:
    """Return a share in per cent, with more places the smaller it is.

    >>> [percent(share) for share in (0.5, 0.0123, 0.00042, 0.0, None)]
    ['50.0 %', '1.23 %', '0.042 %', '0 %', '–']
    """
    if share is None:
        return _DASH
    if not share:
        return "0 %"
    value = 100 * share
    return f"{value:.{1 if value >= 10 else 2 if value >= 1 else 3}f} %"


def _whole(notes: Mapping[str, int], readers: int) -> str:
    people = "one person" if readers == 1 else f"{readers} people, each blind to the others"
    every = (
        "Every released note"
        if not notes["unread"]
        else f"Of the released notes, {notes['released'] - notes['unread']:,}"
    )
    was = "was" if not notes["unread"] or notes["released"] - notes["unread"] == 1 else "were"
    said = f"{every} {was} read by {people}"
    said += "." if readers == 1 else ", and an adjudicator decided where they differed."
    if notes["unread"]:
        was = "was" if notes["unread"] == 1 else "were"
        said += f" {notes['unread']:,} {was} released unread, as the policy marks them."
    if notes["left_out"]:
        was = "was" if notes["left_out"] == 1 else "were"
        said += f" {plural(notes['left_out'], 'note')} of the project {was} not finished and left out."
    return said


def _estimate(progress: Mapping[str, Any], of: Mapping[str, Any], unread: int) -> str:
    sample = plural(progress["audit"], "note")
    left = (
        f"What the policy leaves in the {plural(of['notes'], 'note')} that nobody has finished, "
        if of["unread"]
        else "What the policy would leave in the notes if nobody read them, "
    )
    said = (
        f"{left}estimated from {sample} drawn at random among the {progress['notes']:,} of the project "
        "and read without knowing that they were drawn. "
    )
    if unread:
        return f"{said}{plural(unread, 'note')} among the released ones: so much is left in them."
    return f"{said}The released notes were read and corrected, so less is left in them."


def _agreement(found: Mapping[str, Any] | None, readers: int) -> str:
    if found is None:
        return "No note was read by two people, so nothing is known about what one reader overlooks."
    return (
        f"Two readers agree with Cohen's kappa {found['kappa']:.3f} over the words of "
        f"{plural(found['notes'], 'note')} that both read"
        + (f" ({found['kappa_marked']:.3f} for marked or not)." if found["kappa_marked"] is not None else ".")
    )


def _cards(record: Mapping[str, Any]) -> str:
    figures = record["figures"]
    rates = {(row["of"], row["kind"]): row for row in figures["residual"]}
    direct = rates.get(("identifier", "direct"))
    cards = [
        (f"{record['notes']['released']:,}", "notes released"),
        (f"{sum(record['identifiers_replaced'].values()):,}", "identifiers replaced"),
        (f"{figures['progress']['audit_done']:,}", "audit notes read"),
        (percent(direct["rate"]) if direct else _DASH, _left(record["notes"]["unread"])),
        (percent(direct["high"]) if direct else _DASH, "at most (95 % interval)"),
    ]
    return "".join(f'<div class="card"><b>{escape(value)}</b>{escape(name)}</div>' for value, name in cards)


def _left(unread: int) -> str:
    return (
        "of direct identifiers left in unread notes"
        if unread
        else "of direct identifiers left before reading"
    )


def _chart(rows: Sequence[Mapping[str, Any]]) -> str:
    values = {
        f"per {row['of']}, {row['kind']}": (row["rate"], row["low"], row["high"])
        for row in rows
        if row["of"] != "patient"
    }
    return ranges("Share left, with 95 % intervals", values)


def _rates(rows: Sequence[Mapping[str, Any]]) -> str:
    body = [
        (
            f"per {row['of']}: {_KINDS[row['kind']]}",
            f"{row['leaks']:,} of {row['seen']:,}" + (" notes" if row["of"] != "identifier" else ""),
            percent(row["rate"]),
            f"{percent(row['low'])} to {percent(row['high'])}",
        )
        for row in rows
    ]
    return _table(("Leaks", "Seen in the sample", "Rate", "Interval of 95 %"), body)


def _samples(rows: Sequence[Mapping[str, Any]]) -> str:
    head = (
        "Wanted rate",
        "Per note, if none leaks",
        "if as now",
        "Per direct identifier, if none leaks",
        "if as now",
    )
    keys = ("notes", "as_now", "direct_identifiers", "direct_identifiers_as_now")
    return _table(
        head,
        [
            (percent(row["rate"]), *(_DASH if row[key] is None else f"{row[key]:,}" for key in keys))
            for row in rows
        ],
    )


def _reviewers(people: Sequence[Mapping[str, Any]]) -> str:
    body = [
        (
            one["name"],
            one["role"] or _DASH,
            f"{one['notes_read']:,}",
            f"{one['notes_adjudicated']:,}",
            one["hours"],
        )
        for one in people
    ]
    return _table(("Name", "Role", "Notes read", "Adjudicated", "Hours"), body)


def _corrections(rows: Sequence[Mapping[str, Any]]) -> str:
    head = ("Label", "Kept", "Added (were missed)", "Changed", "Rejected")
    keys = ("kept", "added", "changed", "rejected")
    return _table(head, [(row["label"], *(f"{row[key]:,}" for key in keys)) for row in rows])


def _operations(chosen: Mapping[str, str]) -> str:
    """Return a row for each operation, with the labels that it replaces."""
    labels: dict[str, list[str]] = {}
    for label, operation in chosen.items():
        labels.setdefault(operation, []).append(label)
    return _pairs(("Operation", "Labels"), ((name, ", ".join(own)) for name, own in sorted(labels.items())))


def _files(listed: Mapping[str, Mapping[str, Any]]) -> str:
    body = ((name, f"{about['bytes']:,} bytes, {about['sha256']}") for name, about in listed.items())
    return _pairs(("File", "SHA-256"), body, code=True)


def _pairs(head: tuple[str, str], rows: Iterable[tuple[str, Any]], *, code: bool = False) -> str:
    body = "".join(
        f"<tr><td>{escape(name)}</td><td>{'<code>' if code else ''}{escape(str(value or _DASH))}"
        f"{'</code>' if code else ''}</td></tr>"
        for name, value in rows
    )
    heads = "".join(f"<th>{escape(name)}</th>" for name in head)
    return f'<table class="words"><thead><tr>{heads}</tr></thead><tbody>{body}</tbody></table>'


def _table(head: Sequence[str], rows: Iterable[Sequence[Any]]) -> str:
    heads = "".join(f"<th>{escape(name)}</th>" for name in head)
    body = "".join(
        "<tr>" + "".join(f"<td>{escape(str(cell))}</td>" for cell in row) + "</tr>" for row in rows
    )
    return f"<table><thead><tr>{heads}</tr></thead><tbody>{body}</tbody></table>"
