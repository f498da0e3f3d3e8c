"""Systems that mark notes here and now, to compare them with others.

| name | what it runs |
|---|---|
| ``policy:NAME`` | a policy of plainsight: ``policy:fast`` |
| ``model:FOLDER`` | a trained model alone, by the detector that its manifest names |
| ``presidio``, ``presidio:MODEL`` | Presidio with an installed spaCy model; ``presidio:blank``: without |
| ``philter``, ``philter:OUTPUT`` | philter-lite; with OUTPUT nothing: it reads what Philter wrote |
| ``physionet:PLACE`` | deid.pl in that folder; or it reads a ``.res`` or ``.phi`` file |
| ``command:COMMAND`` | any program: it reads JSON lines (id, text) and writes JSON lines (id, spans) |
"""

from __future__ import annotations

import json
import shlex
import subprocess
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from shutil import which

from plainsight import registry
from plainsight.config import load_policy
from plainsight.document import Document, Span
from plainsight.errors import DataError, UsageError
from plainsight.evaluate.read_notes import relabelled
from plainsight.formats.standoff import annotated
from plainsight.interop import philter, physionet
from plainsight.model import read_manifest
from plainsight.pipeline import Item, Pipeline

_KINDS = ("policy", "model", "presidio", "philter", "physionet", "command")


def is_system(name: str) -> bool:
    """Whether a name is that of a system to run. What exists as a file or folder is none."""
    return name.partition(":")[0] in _KINDS and not Path(name).exists()


def check_system(name: str) -> None:
    """Refuse a system that cannot be run, before any work begins."""
    kind, _, what = name.partition(":")
    if kind == "policy":
        load_policy(what)
    elif kind == "model":
        read_manifest(what)
    elif kind == "presidio":
        from plainsight.interop.presidio import MODEL, check_model

        check_model(what or MODEL)
    elif kind == "philter":
        if not what:
            philter.check()
        elif not Path(what).exists():
            raise UsageError(f"no output of Philter at {what}")
    elif kind == "physionet":
        physionet.check(Path(what))
    else:
        _check_program(shlex.split(what))


def run_system(name: str, documents: Sequence[Document], *, labels: str | None = None) -> list[Item]:
    """Return the notes as a system marks them, under our labels if ``labels`` names its scheme.

    The labels of Presidio, Philter and PhysioNet's deid always become ours.
    """
    kind, _, what = name.partition(":")
    bare = [replace(document, spans=(), meta={}) for document in documents]
    if kind == "policy":
        ordered = sorted(bare, key=lambda document: document.patient_id or "")
        return list(Pipeline(load_policy(what)).detect(ordered))
    if kind == "model":
        detector = registry.create("detectors", str(read_manifest(what).get("kind")), model=what)
        spans = zip(bare, detector.detect(bare), strict=True)
        found: Iterable[Document] = (annotated(note.id, note.text, own, note.meta) for note, own in spans)
    elif kind == "presidio":
        from plainsight.interop.presidio import MODEL, analyze, analyzer

        found = analyze(bare, analyzer(what or MODEL))
        labels = "presidio"
    elif kind == "philter":
        found = philter.read(Path(what), bare) if what else philter.run(bare)
        labels = "philter"
    elif kind == "physionet":
        found = physionet.mark(Path(what), bare)
        labels = "physionet"
    else:
        found = _run(shlex.split(what), bare)
    return [relabelled(document, labels) if labels else document for document in found]


def _check_program(command: Sequence[str]) -> None:
    """Refuse a command whose program does not exist."""
    if not command:
        raise UsageError("command: names no program")
    if which(command[0]) is None:
        raise UsageError(f"{command[0]} cannot be run: no such program")


def _run(command: Sequence[str], documents: Sequence[Document]) -> list[Document]:
    """Give notes to a command as JSON lines, and read the spans from the lines it writes."""
    lines = (json.dumps({"id": document.id, "text": document.text}) for document in documents)
    _check_program(command)
    try:
        done = subprocess.run(
            command, input="".join(f"{line}\n" for line in lines), stdout=subprocess.PIPE, encoding="utf-8"
        )
    except OSError as error:
        raise UsageError(f"{command[0]} cannot be run: {error.strerror}") from None
    if done.returncode:
        raise UsageError(f"{command[0]} failed with exit code {done.returncode}")
    by_id = {document.id: document for document in documents}
    marked = []
    for number, line in enumerate(done.stdout.removesuffix("\n").split("\n"), start=1):
        try:
            record = json.loads(line)
            note = by_id[str(record["id"])]
            spans = [Span.from_json(span) for span in record["spans"]]
            marked.append(annotated(note.id, note.text, spans))
        except (ValueError, KeyError, TypeError):
            raise DataError(f"line {number} of {command[0]} is no note with id and spans") from None
    return marked
