"""What the verbs that read and write notes share: their options, and the way from input to output."""

from __future__ import annotations

import json
import os
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from hashlib import blake2b
from pathlib import Path
from typing import Annotated, Any

import typer

from plainsight import registry
from plainsight.cli.progress import Bar
from plainsight.config import Policy
from plainsight.document import Document, SetAside
from plainsight.errors import UsageError
from plainsight.formats.base import Format
from plainsight.formats.guess import by_suffix, guess
from plainsight.formats.unique import unique
from plainsight.pipeline import Item
from plainsight.run.local import Account, run
from plainsight.run.manifest import write_manifest
from plainsight.run.patients import read_patients
from plainsight.run.quarantine import Quarantine

__all__ = ["Job", "Reading"]

In = Annotated[Path, typer.Argument(help="A file, table or folder of notes.", show_default=False)]
Out = Annotated[Path, typer.Option("--output", "-o", help="Where the result goes.", show_default=False)]
PolicyName = Annotated[str, typer.Option("--policy", "-p", help="A built-in policy's name or a policy file.")]
FormatName = Annotated[
    str | None,
    typer.Option("--format", help="Input format; guessed when not given (see `plainsight plugins`)."),
]
OutputFormat = Annotated[
    str | None, typer.Option("--output-format", help="Output format; by the output's name when not given.")
]
Encoding = Annotated[
    str | None, typer.Option(help="Encoding of the input; UTF-8 or detected when not given.")
]
TextColumn = Annotated[str | None, typer.Option("--text-column", help="Tables: the column with the note.")]
IdColumn = Annotated[str | None, typer.Option("--id-column", help="Tables: the column with the note's id.")]
PatientColumn = Annotated[
    str | None, typer.Option("--patient-column", help="Tables: the column with the patient's id.")
]
TypeColumn = Annotated[
    str | None, typer.Option("--type-column", help="Tables: the column with the note's type.")
]
DateColumn = Annotated[
    str | None, typer.Option("--date-column", help="Tables: the column with the note's date.")
]
Patients = Annotated[
    Path | None,
    typer.Option(
        "--patients", help="Structured patient records: JSON, JSON lines, or a folder of JSON files."
    ),
]
PatientFolders = Annotated[
    bool,
    typer.Option("--patient-folders", help="Folders of notes: the first folder's name is the patient's id."),
]
QuarantineFile = Annotated[
    Path | None,
    typer.Option("--quarantine", help="Where notes set aside are listed. Default: OUT.quarantine.jsonl."),
]
Force = Annotated[
    bool, typer.Option("--force", help="Overwrite existing output; other files in a folder stay.")
]
AsJson = Annotated[bool, typer.Option("--json", help="Print the summary as JSON.")]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="No progress bar, no summary.")]


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """How the input is to be read, as far as the user said."""

    text: str | None = None
    id: str | None = None
    patient: str | None = None
    type: str | None = None
    date: str | None = None
    encoding: str | None = None

    def options(self) -> dict[str, str]:
        """Return what was given, by the names that formats have for it."""
        return {key: value for key in self.__slots__ if (value := getattr(self, key)) is not None}


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """One run of a verb over one input."""

    source: Path
    output: Path
    reading: Reading = Reading()
    format: str | None = None
    output_format: str | None = None
    patients: Path | None = None
    patient_folders: bool = False
    quarantine: Path | None = None
    anonymous_names: bool = False
    force: bool = False
    as_json: bool = False
    quiet: bool = False

    def run(
        self,
        verb: str,
        policy: Policy,
        work: Callable[[Iterable[Item]], Iterator[Item]],
        *,
        writer: str | None = None,
        writing: dict[str, Any] | None = None,
        finish: Callable[[Document], Document] = lambda document: document,
    ) -> None:
        """Read, work, write, account; exit with 1 when notes were set aside.

        ``writer`` names the output format when neither the user nor the output's name does; ``writing`` are
        options for it, as far as it has them; ``finish`` is applied to each document before it is written.
        """
        manifest = _beside(self.output, ".manifest.json")
        quarantine = self.quarantine or _beside(self.output, ".quarantine.jsonl")
        self._check_places(manifest, quarantine)
        name = self.format or guess(self.source)
        reader: Format = registry.create("formats", name, **self.reading.options())
        sink = self._writer(writer or name, writing or {})
        matched = Counter[str]()
        items = work(self._read(reader, matched))
        if self.anonymous_names:
            salt = os.urandom(16)  # forgotten with the run: nobody can go back from these names
            items = (_anonymous(item, number, salt) for number, item in enumerate(items, start=1))
        render = getattr(sink, "render", None)

        def prepare(document: Document) -> Document:
            finished = finish(document)
            if render:
                render(finished)  # refuses what the format cannot hold
            return finished

        bar = Bar(self.source, hidden=self.quiet or not sys.stderr.isatty())
        with Quarantine(quarantine) as aside, bar as each:
            account = run(
                items, lambda notes: sink.write(notes, self.output), aside, prepare=prepare, each=each
            )
        if not account.set_aside:
            quarantine.unlink(missing_ok=True)  # of an earlier run
        record = write_manifest(manifest, verb=verb, policy=policy, account=account)
        self._report(account, record, aside)
        if self.patients and not matched["notes"]:
            print("no note's patient_id is in the patient records", file=sys.stderr)
        if account.set_aside:
            raise typer.Exit(1)

    def _read(self, reader: Format, matched: Counter[str]) -> Iterator[Item]:
        """Read the notes, each id once, each with what is known of its patient; count these."""
        patients = read_patients(self.patients) if self.patients else {}
        for item in unique(reader.read(self.source)):
            if isinstance(item, Document):
                if self.patient_folders and item.patient_id is None and "/" in item.id:
                    item = replace(item, patient_id=item.id.partition("/")[0])
                if item.patient_id in patients:
                    matched["notes"] += 1
                    item = replace(item, patient=patients[item.patient_id])
            yield item

    def _writer(self, default: str, wanted: dict[str, Any]) -> Format:
        """Choose the output format: as asked, by the output's name, or the default."""
        name = self.output_format or by_suffix(self.output, default)
        known = registry.options("formats", name)
        options = {key: value for key, value in wanted.items() if key in known}
        writer: Format = registry.create("formats", name, **options)
        return writer

    def _check_places(self, manifest: Path, quarantine: Path) -> None:
        """Refuse places that do not exist, exist already, or would destroy one another."""
        if not self.source.exists():
            raise UsageError(f"no input at {self.source}")
        written = [self.output, manifest, quarantine]
        for path in written:
            if path.exists() and not self.force:
                raise UsageError(f"{path} exists; --force overwrites it")
            if not path.absolute().parent.is_dir():
                raise UsageError(f"no folder at {path.parent}")
            if self.source.is_dir() and path.resolve().is_relative_to(self.source.resolve()):
                raise UsageError(f"{path} lies inside the input, and would be read as a note the next time")
        places = [path.resolve() for path in (self.source, self.patients, *written) if path is not None]
        if len(set(places)) < len(places):
            raise UsageError("the output would overwrite the input or another output")

    def _report(self, account: Account, record: dict[str, Any], aside: Quarantine) -> None:
        if self.as_json:
            print(json.dumps(record))
        elif not self.quiet:
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


def _anonymous(item: Item, number: int, salt: bytes) -> Item:
    """Hide a note's id behind its place in the input, and its patient's behind a code."""
    name = f"note-{number:07d}"
    if isinstance(item, SetAside):
        return SetAside(name, item.reason)
    if item.patient_id is None:
        return replace(item, id=name)
    code = blake2b(item.patient_id.encode("utf-8", "surrogatepass"), key=salt, digest_size=8).hexdigest()
    return replace(item, id=name, patient_id=f"patient-{code}")


def _beside(path: Path, ending: str) -> Path:
    return Path(os.fspath(path).rstrip("/") + ending)
