"""How far a project is, how far its readers agree, what they corrected, how long it took, what still leaks.

No figure names a note, and none can be traced to the words of one. Which notes are the audit sample is not
told: only how many of them are read.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from statistics import median
from typing import Any

import sqlalchemy as sa

from plainsight.document import Span
from plainsight.evaluate.agreement import agreement
from plainsight.evaluate.pairs import Pair
from plainsight.evaluate.shares import Share
from plainsight.review import store
from plainsight.review.agreement import read_by_two
from plainsight.review.notes import DISAGREE, DONE, TODO
from plainsight.review.project import Project
from plainsight.review.residual import (
    KINDS,
    Population,
    Rates,
    Read,
    Residual,
    notes_needed,
    residual,
    stands_for,
)

WANTED_RATES = (0.1, 0.05, 0.02, 0.01, 0.005, 0.001)
"""The rates that a sample size is given for."""

PARTS = ("kept", "added", "changed", "rejected")
"""What becomes of a mark: as found, new, of another extent or label, taken away."""

_UNITS = ("identifier", "note", "patient")


def dashboard(project: Project) -> dict[str, Any]:
    """Return all figures of a project; ``why`` says why there is none of a kind."""
    progress = _progress(project)
    by_label, by_detector = _corrections(project)
    kappa = _agreement(project)
    leaks = estimate(project) if progress["audit_done"] else None
    why: dict[str, str] = {}
    if leaks is None:
        drawn = progress["audit"]
        why["residual"] = f"None of the {drawn} audit notes is read." if drawn else "No audit note was drawn."
        why["sample"] = why["residual"]
    if not by_label:
        why["corrections"] = "No note is read by all who should read it."
    return {
        "progress": progress,
        "agreement": kappa,
        "corrections": {"by_label": by_label, "by_detector": by_detector},
        "seconds": _seconds(project),
        "residual": residual_rows(leaks) if leaks else [],
        "residual_of": {"unread": progress["todo"] > 0, "notes": progress["todo"] or progress["notes"]},
        "sample": sample_rows(leaks, _population(project)) if leaks else [],
        "why": why,
    }


def audit_sample(project: Project) -> Iterator[Read]:
    """Yield the notes of the audit sample that are read: as the policy in use marks them, and as readers did.

    Each stands for so many of the notes that nobody has read as are alike in doubt.
    """
    read = [note for note in project.audit_notes() if note.state == DONE]
    unread = _unread_doubts(project)
    weights = stands_for([note.doubt for note in read], unread) if unread else [1.0] * len(read)
    for note, weight in zip(read, weights, strict=True):
        right = project.final_spans(note.id)
        if right is not None:
            document, found = project.document(note.id), project.spans_now(note.id)
            yield Read(Pair(document.id, document.text, right, found), document.patient_id, weight)


def estimate(project: Project) -> Residual:
    """Return what leaks in the notes that nobody has read, as the policy in use marks them.

    Where all are read, it is what would leak if nobody had.
    """
    unread = bool(_unread_doubts(project))
    return residual(list(audit_sample(project)), _population(project, unread=unread), apart=unread)


def residual_rows(leaks: Residual) -> list[dict[str, Any]]:
    """Return the rates as rows: per identifier, note and patient, for all, direct and indirect ones."""
    rows = []
    for kind in KINDS:
        rates: Rates = getattr(leaks, kind)
        for unit in _UNITS:
            share: Share = getattr(rates, f"per_{unit}")
            if share.value is None:
                continue
            seen, hit = rates.notes, rates.leaking_notes
            if unit == "identifier":
                seen, hit = rates.identifiers, rates.leaked
            rows.append(
                {
                    "of": unit, "kind": kind, "rate": share.value, "low": share.low, "high": share.high,
                    "seen": seen, "leaks": hit,
                }
            )  # fmt: skip
    return rows


def sample_rows(leaks: Residual, population: Population) -> list[dict[str, Any]]:
    """Return how many audit notes show a wanted rate per note, and per direct identifier.

    ``notes`` is for a sample in which no note leaks, ``as_now`` for one that leaks as the present one does.
    """
    rows = []
    for wanted in WANTED_RATES:
        note = notes_needed(leaks.all, population, wanted, per="note")
        direct = notes_needed(leaks.direct, population, wanted, per="identifier")
        rows.append(
            {
                "rate": wanted, "notes": note.none_leak, "as_now": note.as_now,
                "direct_identifiers": direct.none_leak, "direct_identifiers_as_now": direct.as_now,
            }
        )  # fmt: skip
    return rows


def reviewers(project: Project) -> list[dict[str, Any]]:
    """Return who read or adjudicated notes, in which role, how many, and for how long."""
    with project.store.read() as connection:
        readings, finals = store.readings, store.finals
        read = connection.execute(
            sa.select(readings.c.reader, sa.func.count(), sa.func.sum(readings.c.seconds))
            .where(readings.c.state == DONE)
            .group_by(readings.c.reader)
        ).all()
        judged = connection.execute(sa.select(finals.c.by, sa.func.count()).group_by(finals.c.by)).all()
    roles = {user.name: user.role for user in project.users.all()}
    people: dict[str, dict[str, Any]] = {}
    for name, notes, seconds in read:
        people[name] = {"notes_read": notes, "hours": round((seconds or 0) / 3600, 2)}
    for name, notes in judged:
        people.setdefault(name, {})["notes_adjudicated"] = notes
    empty = {"notes_read": 0, "hours": 0.0, "notes_adjudicated": 0}
    return [{"name": name, "role": roles.get(name, ""), **empty, **people[name]} for name in sorted(people)]


# --- the parts --------------------------------------------------------------------------------------------


def _progress(project: Project) -> dict[str, Any]:
    notes, readings = store.notes, store.readings
    with project.store.read() as connection:
        counts = sa.select(notes.c.state, sa.func.count()).group_by(notes.c.state)
        states = {row[0]: row[1] for row in connection.execute(counts)}
        audit = {row[0]: row[1] for row in connection.execute(counts.where(notes.c.is_audit == 1))}
        ended = connection.execute(
            sa.select(sa.func.max(readings.c.done_at))
            .join(notes, notes.c.id == readings.c.note)
            .where(notes.c.state == DONE, readings.c.state == DONE)
            .group_by(readings.c.note)
        ).scalars()
        days = Counter(datetime.fromtimestamp(at, UTC).date().isoformat() for at in ended)
    return {
        "notes": sum(states.values()),
        "done": states.get(DONE, 0),
        "todo": states.get(TODO, 0),
        "disagree": states.get(DISAGREE, 0),
        "audit": sum(audit.values()),
        "audit_done": audit.get(DONE, 0),
        "by_day": [{"day": day, "done": days[day]} for day in sorted(days)],
    }


def _population(project: Project, *, unread: bool = False) -> Population:
    notes = store.notes
    count = sa.select(sa.func.count()).select_from(notes)
    if unread:
        count = count.where(notes.c.state == TODO)
    with project.store.read() as connection:
        by_patient = count.where(notes.c.patient.is_not(None)).group_by(notes.c.patient)
        known = list(connection.execute(by_patient).scalars())
        alone = connection.execute(count.where(notes.c.patient.is_(None))).scalar_one()
    return Population.of([*known, *([1] * alone)])


def _unread_doubts(project: Project) -> list[float]:
    notes = store.notes
    with project.store.read() as connection:
        return list(connection.execute(sa.select(notes.c.doubt).where(notes.c.state == TODO)).scalars())


def _agreement(project: Project) -> dict[str, Any] | None:
    """Return Cohen's kappa over all notes that two people have read; None without any."""
    pairs = [pair for _, pair in read_by_two(project)]
    found = agreement(pairs)
    if found.kappa is None:
        return None
    notes = len({pair.id for pair in pairs})
    return {"kappa": found.kappa, "kappa_marked": found.kappa_marked, "notes": notes}


def _corrections(project: Project) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    labels: defaultdict[str, Counter[str]] = defaultdict(Counter)
    detectors: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for note in project.notes(state=DONE):
        right = project.final_spans(note.id)
        if right is None:
            continue
        for part, span in corrections(project.document(note.id).spans, right):
            labels[span.label][part] += 1
            detectors["" if part == "added" else span.detector][part] += 1
    return _counted("label", labels), _counted("detector", detectors)


def corrections(found: Sequence[Span], right: Sequence[Span]) -> Iterator[tuple[str, Span]]:
    """Yield what became of each mark: of those that were found, and of those that a reader added.

    >>> [part for part, _ in corrections([Span(0, 4, "DATE"), Span(6, 8, "AGE")], [Span(0, 5, "DATE")])]
    ['changed', 'rejected']
    """
    same = {(span.start, span.end, span.label) for span in right}
    for span in found:
        if (span.start, span.end, span.label) in same:
            yield "kept", span
        else:
            yield "changed" if any(_touch(span, other) for other in right) else "rejected", span
    for span in right:
        if not any(_touch(span, other) for other in found):
            yield "added", span


def _touch(one: Span, other: Span) -> bool:
    return one.start < other.end and other.start < one.end


def _counted(name: str, counts: dict[str, Counter[str]]) -> list[dict[str, Any]]:
    rows = [{name: key, **{part: count[part] for part in PARTS}} for key, count in counts.items()]
    return sorted(rows, key=lambda row: (-sum(row[part] for part in PARTS), row[name]))


def _seconds(project: Project) -> dict[str, Any] | None:
    """Return the seconds of each reading in the order in which they ended, and their median."""
    readings = store.readings
    with project.store.read() as connection:
        seconds = (
            connection.execute(
                sa.select(readings.c.seconds)
                .where(readings.c.state == DONE, readings.c.seconds > 0)
                .order_by(readings.c.done_at)
            )
            .scalars()
            .all()
        )
    if not seconds:
        return None
    return {"median": round(median(seconds), 1), "by_note": [round(each, 1) for each in seconds]}
