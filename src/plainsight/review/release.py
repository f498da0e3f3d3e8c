"""Freeze a project's finished notes into a release that a person signs.

A release is a folder: ``notes.jsonl`` (the de-identified notes), ``release.json`` (what was done, by whom,
with which figures, and a checksum of every file), ``report.html`` (the same for people to read and print) and
``signature.json`` (the signature below ``release.json``). No original word of any note is in it.

Notes that everybody has read who should, and on which the readers agree or an adjudicator decided, are
released as they were left. A project in which any is missing is refused, unless it is said that they are
left out, or that they are released unread: as the policy in use marks them, with what readers marked beside
it. The report then says what leaks in them. The audit sample must be read whole in any case, because without
it the leak rate would be guessed.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import sqlalchemy as sa

import plainsight
from plainsight import registry
from plainsight.document import Document, SetAside
from plainsight.errors import DataError, UsageError, plural
from plainsight.formats.base import write_all
from plainsight.formats.files import atomic_folder
from plainsight.models import models_of
from plainsight.review import rereading, store
from plainsight.review.dashboard import dashboard, reviewers
from plainsight.review.notes import DISAGREE, DONE, TODO
from plainsight.review.project import Project
from plainsight.review.release_check import FORMAT, NOTES, RECORD, REPORT, SIGNATURE
from plainsight.review.report import report
from plainsight.review.signing import Signer, public_fingerprint
from plainsight.run.ids import IdChoice, Ids
from plainsight.run.manifest import checksum, site_files, versions
from plainsight.shipped import folder_checksums


@dataclass(frozen=True, slots=True)
class Released:
    """A release: its number in the project, where it lies, and what it says."""

    number: int
    folder: Path
    record: dict[str, Any]


def missing(project: Project, *, leave_out_unread: bool = False, release_unread: bool = False) -> list[str]:
    """Return what a release of the project still needs; nothing if it can be released."""
    notes = store.notes
    with project.store.read() as connection:
        rows = connection.execute(
            sa.select(notes.c.state, notes.c.is_audit, sa.func.count()).group_by(
                notes.c.state, notes.c.is_audit
            )
        ).all()
    counts: Counter[str] = Counter()
    audit: Counter[str] = Counter()
    importing = 0
    for state, is_audit, count in rows:
        counts[state] += count
        audit[state] += count if is_audit == 1 else 0
        importing += count if is_audit is None else 0
    total = counts.total()
    needed = []
    if not counts[DONE]:
        needed.append("no note is finished")
    if importing:
        needed.append(f"an import of {plural(importing, 'note')} is not finished: import them again")
    if rereading.is_unfinished(project):
        needed.append("notes are still to be read again with the new model")
    if not audit.total():
        needed.append("no audit sample was drawn, so nothing is known about leaks")
    if waiting := audit.total() - audit[DONE]:
        needed.append(f"{waiting:,} of the {audit.total():,} notes of the audit sample are not finished")
    if not leave_out_unread:
        if counts[TODO] and not release_unread:
            wanted = project.settings.readers
            readers = "anybody" if wanted == 1 else f"{wanted} people"
            needed.append(f"{counts[TODO]:,} of {total:,} notes are not read by {readers}")
        if counts[DISAGREE]:
            needed.append(f"{counts[DISAGREE]:,} of {total:,} notes wait for an adjudicator")
    return needed


def release(
    project: Project,
    output: Path,
    *,
    signer: Signer,
    name: str,
    statement: str,
    by: str,
    ids: IdChoice = IdChoice.KEYED,
    leave_out_unread: bool = False,
    release_unread: bool = False,
) -> Released:
    """Write and sign a release; nothing is written if anything is missing or any note cannot be replaced.

    ``name`` is the person who signs, and ``statement`` what they say. Note ids become keyed codes unless
    ``ids`` says otherwise. Notes that nobody finished can be left out, or released unread.
    """
    if leave_out_unread and release_unread:
        raise UsageError("unread notes are either left out or released")
    name, statement = name.strip(), statement.strip()
    if not name.isprintable() or not name or not statement:
        raise UsageError("a release needs the name of who signs it, and a statement")
    if output.exists() and (not output.is_dir() or any(output.iterdir())):
        raise UsageError(f"{output} exists and is not empty: a release is written once")
    if needed := missing(project, leave_out_unread=leave_out_unread, release_unread=release_unread):
        raise UsageError("this cannot be released: " + "; ".join(needed))
    project.seals.check()
    entries = project.audit_log.check()
    now = datetime.fromtimestamp(project.clock(), UTC)
    record = _record(project, name=name, statement=statement, by=by, at=now, signer=signer)
    record["audit_log"] = {"entries": entries, "end": project.audit_log.end}
    record["note_ids"] = ids.value
    with atomic_folder(output) as folder:
        record |= _write_notes(project, folder / NOTES, Ids(ids, project.secret), unread=release_unread)
        project.seals.check()
        record["files"] = {NOTES: _file(folder / NOTES)}
        (folder / REPORT).write_text(report(record), encoding="utf-8")
        record["files"][REPORT] = _file(folder / REPORT)
        data = (json.dumps(record, indent=2) + "\n").encode()
        (folder / RECORD).write_bytes(data)
        signature = {"algorithm": "Ed25519", "public_key": signer.public, "signature": signer.sign(data)}
        (folder / SIGNATURE).write_text(json.dumps(signature, indent=2) + "\n", encoding="utf-8")
    number = _remember(project, output, name, hashlib.sha256(data).hexdigest(), by)
    return Released(number, output, record)


def releases(project: Project) -> list[dict[str, Any]]:
    """Return the releases of a project, the last one first; ``notes`` is None for one that was moved."""
    table = store.releases
    with project.store.read() as connection:
        rows = connection.execute(sa.select(table).order_by(table.c.id.desc())).all()
    listed = []
    for row in rows:
        project.seals.check_row(table, row)
        file = Path(row.folder) / RECORD
        record: dict[str, Any] = {}
        if file.is_file():
            data = file.read_bytes()
            if hashlib.sha256(data).hexdigest() == row.digest:
                record = json.loads(data)
        listed.append(
            {
                "id": row.id, "at": row.at, "signer": row.by,
                "notes": record.get("notes", {}).get("released"),
                "fingerprint": record.get("signer", {}).get("fingerprint"),
                "digest": row.digest,
            }
        )  # fmt: skip
    return listed


def release_folder(project: Project, number: int) -> Path:
    """Return where a release lies."""
    table = store.releases
    with project.store.read() as connection:
        row = connection.execute(sa.select(table).where(table.c.id == number)).first()
    if row is None:
        raise DataError(f"the project has no release {number}")
    project.seals.check_row(table, row)
    return Path(row.folder)


def release_report(project: Project, number: int) -> str:
    """Return the report of a release, if it and what it was made from are as they were signed."""
    folder = release_folder(project, number)
    known = next(one for one in releases(project) if one["id"] == number)
    if known["fingerprint"] is None:
        raise DataError("the release was moved, deleted or changed")
    data = (folder / REPORT).read_bytes() if (folder / REPORT).is_file() else b""
    record = json.loads((folder / RECORD).read_bytes())
    if hashlib.sha256(data).hexdigest() != record["files"][REPORT]["sha256"]:
        raise DataError("the report is missing, or was changed since it was signed")
    return data.decode("utf-8")


def _record(
    project: Project, *, name: str, statement: str, by: str, at: datetime, signer: Signer
) -> dict[str, Any]:
    policy = project.policy
    figures = dashboard(project)
    if figures["seconds"]:
        figures["seconds"].pop("by_note")
    toml = policy.to_toml()
    return {
        "format": FORMAT,
        "plainsight": plainsight.__version__,
        "project": project.name,
        "released_at": at.isoformat(timespec="seconds"),
        "released_by": by,
        "signer": {
            "name": name,
            "statement": statement,
            "public_key": signer.public,
            "fingerprint": public_fingerprint(signer.public),
        },
        "readers_per_note": project.settings.readers,
        "surrogate_key": project.settings.key,
        "policy": {
            "name": policy.name,
            "sha256": hashlib.sha256(toml.encode()).hexdigest(),
            "operations": {label: policy.operations[label].name for label in sorted(policy.labels)},
            "toml": toml,
        },
        "models": models_of(policy),
        "site_files": site_files(policy),
        "data": folder_checksums(),
        "versions": versions(),
        "figures": figures,
        "reviewers": reviewers(project),
    }


def _write_notes(project: Project, path: Path, ids: Ids, *, unread: bool) -> dict[str, Any]:
    """Write the notes and return what was written."""
    labels: Counter[str] = Counter()
    released, states = 0, _states(project, unread=unread)

    def marked() -> Iterator[Document]:
        for document in _documents(project, states):
            labels.update(span.label for span in document.spans)
            yield document

    def written() -> Iterator[Document]:
        nonlocal released
        for item in project.pipeline.replace(marked()):
            if isinstance(item, SetAside):
                raise DataError(f"a note cannot be released: {item.reason}")
            renamed = ids.rename(replace(item, spans=()))
            assert isinstance(renamed, Document)
            released += 1
            yield renamed

    write_all(registry.create("formats", "jsonl"), written(), path)
    with project.store.read() as connection:
        total = connection.execute(sa.select(sa.func.count()).select_from(store.notes)).scalar_one()
    notes = {
        "in_project": total,
        "released": released,
        "unread": sum(state == TODO for state in states.values()),
        "left_out": total - released,
    }
    return {"notes": notes, "identifiers_replaced": dict(sorted(labels.items()))}


def _states(project: Project, *, unread: bool) -> dict[int, str]:
    """Return the notes to release and whether they are read, those of a patient together."""
    notes, wanted = store.notes, [DONE, TODO] if unread else [DONE]
    query = sa.select(notes.c.id, notes.c.state).where(notes.c.state.in_(wanted))
    with project.store.read() as connection:
        rows = connection.execute(query.order_by(notes.c.patient, notes.c.id)).all()
    return {row.id: row.state for row in rows}


def _documents(project: Project, states: dict[int, str]) -> Iterator[Document]:
    """Yield notes with the spans that are released."""
    for number, state in states.items():
        document = project.final_document(number) if state == DONE else project.unread_document(number)
        if document is None:
            raise DataError(f"note {number} changed while it was released: release again")
        yield document


def _file(path: Path) -> dict[str, Any]:
    return {"sha256": checksum(path), "bytes": path.stat().st_size}


def _remember(project: Project, output: Path, name: str, digest: str, by: str) -> int:
    with project.store.write() as connection:
        last = connection.execute(sa.select(sa.func.max(store.releases.c.id))).scalar() or 0
        values = {
            "id": last + 1, "at": project.clock(), "by": name,
            "folder": str(output.absolute()), "digest": digest,
        }  # fmt: skip
        with project.seals.changing(connection, store.releases, store.releases.c.id == last + 1):
            connection.execute(store.releases.insert().values(values))
        project.audit_log.add(connection, project.clock(), by, f"release {last + 1}, digest {digest}")
    return int(last + 1)
