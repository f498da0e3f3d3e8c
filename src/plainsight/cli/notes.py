"""What the verbs that read and write notes share: the way from input to output."""

from __future__ import annotations

import json
import os
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import typer

from plainsight import registry
from plainsight.cli.options import Reading, Telling, Writing
from plainsight.cli.progress import Bar
from plainsight.config import Policy
from plainsight.document import Document, Patient
from plainsight.errors import UsageError
from plainsight.formats.base import Format
from plainsight.formats.guess import by_suffix, guess
from plainsight.formats.unique import unique
from plainsight.pipeline import Item
from plainsight.run.local import Account, run
from plainsight.run.manifest import write_manifest
from plainsight.run.patients import read_patients
from plainsight.run.quarantine import Quarantine

__all__ = ["Job"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """One run of a verb over one input.

    ``reads`` and ``writes`` are further files that it touches. An input that is ``ours``, written by an
    earlier run, may have another format than the options are for, and its spans are read, too.
    """

    source: Path
    output: Path
    reading: Reading
    telling: Telling
    writing: Writing = field(default_factory=Writing)
    reads: tuple[Path | None, ...] = ()
    writes: tuple[Path | None, ...] = ()
    ours: bool = False

    def run(
        self,
        verb: str,
        work: Callable[[Iterable[Item]], Iterator[Item]],
        *,
        policy: Policy | None = None,
        writer: str | None = None,
        writing: Mapping[str, Any] | None = None,
        finish: Callable[[Document], Document] = lambda document: document,
        about: Mapping[str, Any] | None = None,
        whole: bool = False,
    ) -> None:
        """Read, work, write, account; exit with 1 when notes were set aside.

        ``writer`` names the output format when neither the user nor the output's name does; ``writing`` are
        options for it, as far as it has them; ``finish`` is applied to each document before it is written;
        ``about`` goes into the manifest; with ``whole``, a note set aside is an error.
        """
        manifest = _beside(self.output, ".manifest.json")
        quarantine = self.writing.quarantine or _beside(self.output, ".quarantine.jsonl")
        self._check_places(manifest, quarantine)
        matched = Counter[str]()
        items = work(self.notes(matched))
        sink = self._writer(writer or self.format, writing or {})
        render = getattr(sink, "render", None)

        def prepare(document: Document) -> Document:
            finished = finish(document)
            if render:
                render(finished)  # refuses what the format cannot hold
            return finished

        bar = Bar(self.source, hidden=self.telling.quiet or not sys.stderr.isatty())
        with Quarantine(quarantine) as aside, bar as each:
            account = run(
                items,
                lambda notes: sink.write(notes, self.output),
                aside,
                prepare=prepare,
                each=each,
                whole=whole,
            )
        if not account.set_aside:
            quarantine.unlink(missing_ok=True)  # of an earlier run
        record = write_manifest(manifest, verb=verb, account=account, about=about or {}, policy=policy)
        self._report(account, record, aside)
        if self.reading.patients and not matched["notes"]:
            print("no note's patient_id is in the patient records", file=sys.stderr)
        if account.set_aside:
            raise typer.Exit(1)

    @property
    def format(self) -> str:
        """The input's format: as the user says, or guessed."""
        return self.reading.format or guess(self.source)

    def notes(self, matched: Counter[str] | None = None) -> Iterator[Item]:
        """Read the notes, each id once, each with what is known of its patient; count these."""
        name, options = self.format, self.reading.of_format()
        if self.ours:
            known = registry.options("formats", name)
            options = {key: value for key, value in {**options, "spans": "spans"}.items() if key in known}
        reader: Format = registry.create("formats", name, **options)
        patients = read_patients(self.reading.patients) if self.reading.patients else {}
        return self._notes(reader, patients, Counter() if matched is None else matched)

    def _notes(
        self, reader: Format, patients: Mapping[str, Patient], matched: Counter[str]
    ) -> Iterator[Item]:
        for item in unique(reader.read(self.source)):
            if isinstance(item, Document):
                if self.reading.patient_folders and item.patient_id is None and "/" in item.id:
                    item = replace(item, patient_id=item.id.partition("/")[0])
                if item.patient_id is not None and item.patient_id in patients:
                    matched["notes"] += 1
                    item = replace(item, patient=patients[item.patient_id])
            yield item

    def _writer(self, default: str, wanted: Mapping[str, Any]) -> Format:
        """Choose the output format: as asked, by the output's name, or the default."""
        name = self.writing.output_format or by_suffix(self.output, default)
        known = registry.options("formats", name)
        options = {key: value for key, value in wanted.items() if key in known}
        writer: Format = registry.create("formats", name, **options)
        return writer

    def _check_places(self, manifest: Path, quarantine: Path) -> None:
        """Refuse places that do not exist, exist already, or would destroy one another."""
        if not self.source.exists():
            raise UsageError(f"no input at {self.source}")
        read = [self.source, *filter(None, (self.reading.patients, *self.reads))]
        taken = {path.resolve() for path in read}
        folders = [path.resolve() for path in read if path.is_dir()]
        for path in (self.output, manifest, quarantine, *filter(None, self.writes)):
            if path.exists() and not self.telling.force:
                raise UsageError(f"{path} exists; --force overwrites it")
            if not path.absolute().parent.is_dir():
                raise UsageError(f"no folder at {path.parent}")
            if path.resolve() in taken:
                raise UsageError(f"{path} would overwrite the input or another output")
            if any(path.resolve().is_relative_to(folder) for folder in folders):
                raise UsageError(f"{path} lies inside the input, and would be read as a note the next time")
            taken.add(path.resolve())

    def _report(self, account: Account, record: dict[str, Any], aside: Quarantine) -> None:
        if self.telling.as_json:
            print(json.dumps(record))
        elif not self.telling.quiet:
            rate = account.characters / 1e6 / max(account.seconds, 1e-9)
            print(
                f"{account.notes} notes, {account.labels.total()} identifiers, "
                f"{account.seconds:.1f} s ({rate:.1f} MB/s) -> {self.output}",
                file=sys.stderr,
            )
        if aside.count:
            print(f"{aside.count} notes set aside; reasons in {aside.path}", file=sys.stderr)
            for item in aside.first:
                print(f"  {item.where or item.id}: {item.reason}", file=sys.stderr)


def _beside(path: Path, ending: str) -> Path:
    return Path(os.fspath(path).rstrip("/") + ending)
