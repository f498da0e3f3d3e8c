"""What the verbs that read and write notes share: their options, and the way from input to output."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.progress import BarColumn, DownloadColumn, Progress, SpinnerColumn, TextColumn, TimeRemainingColumn

from plainsight import __version__, registry
from plainsight.config import Policy
from plainsight.document import Document, Patient, SetAside
from plainsight.errors import DataError, FormatError, UsageError
from plainsight.formats.base import Format
from plainsight.formats.files import atomic_file
from plainsight.formats.guess import guess
from plainsight.formats.unique import unique
from plainsight.pipeline import Item
from plainsight.run.local import Account, run
from plainsight.run.quarantine import Quarantine

__all__ = ["Columns", "Job", "read_patients"]

In = Annotated[Path, typer.Argument(help="A file, table or folder of notes.", show_default=False)]
Out = Annotated[Path, typer.Option("--output", "-o", help="Where the result goes.", show_default=False)]
PolicyName = Annotated[str, typer.Option("--policy", "-p", help="A built-in policy's name or a policy file.")]
FormatName = Annotated[
    str | None,
    typer.Option("--format", help="Input format; guessed when not given. `plainsight plugins` lists them."),
]
OutputFormat = Annotated[
    str | None, typer.Option("--output-format", help="Output format.", show_default=False)
]
Encoding = Annotated[
    str | None, typer.Option(help="Encoding of the input; UTF-8 or detected when not given.")
]
TextColumnName = Annotated[
    str | None, typer.Option("--text-column", help="Tables: the column with the note.")
]
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
Explain = Annotated[
    bool, typer.Option("--explain", help="Also write every claim behind a span, and who made it.")
]
Force = Annotated[bool, typer.Option("--force", help="Overwrite existing output.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print the summary as JSON.")]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="No progress bar, no summary.")]


@dataclass(frozen=True, slots=True, kw_only=True)
class Columns:
    """Which columns of a table hold what, and how the input is encoded."""

    text: str | None = None
    id: str | None = None
    patient: str | None = None
    type: str | None = None
    date: str | None = None
    encoding: str | None = None

    def given(self) -> dict[str, str]:
        """Return the options that were given, by the name the formats know them by."""
        return {key: value for key in self.__slots__ if (value := getattr(self, key)) is not None}


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """One run of a verb over one input."""

    source: Path
    output: Path
    columns: Columns
    format: str | None = None
    output_format: str | None = None
    patients: Path | None = None
    patient_folders: bool = False
    quarantine: Path | None = None
    anonymous_names: bool = False
    explain: bool = False
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
        finish: Callable[[Document], Document] = lambda document: document,
    ) -> None:
        """Read, work, write, account; exit with 1 when notes were set aside.

        ``writer`` names the output format when it does not follow the input's; ``finish`` is applied to
        each document just before it is written.
        """
        if not self.source.exists():
            raise UsageError(f"no input at {self.source}")
        name = self.format or guess(self.source)
        reader: Format = registry.create("formats", name, **self.columns.given())
        sink = self._writer(name, reader, writer)
        manifest, quarantine = _beside(self.output, ".manifest.json"), self.quarantine
        quarantine = quarantine or _beside(self.output, ".quarantine.jsonl")
        self._refuse_to_overwrite(manifest, quarantine)
        items = work(self._read(reader))
        if self.anonymous_names:
            items = (_numbered(item, number) for number, item in enumerate(items, start=1))
        items = _writable(items, sink)
        quarantine.unlink(missing_ok=True)
        with Quarantine(quarantine) as aside, self._progress() as each:
            account = run(items, lambda notes: sink.write(map(finish, notes), self.output), aside, each=each)
        record = {"plainsight": __version__, "verb": verb, **account.to_json(), "policy": policy.to_toml()}
        with atomic_file(manifest) as temporary:
            temporary.write_text(json.dumps(record, indent=2) + "\n", encoding="utf-8")
        self._report(account, record, aside)
        if account.set_aside:
            raise typer.Exit(1)

    def _read(self, reader: Format) -> Iterator[Item]:
        """Read the notes, each id once, each with what is known of its patient."""
        patients = read_patients(self.patients) if self.patients else {}
        for item in unique(reader.read(self.source)):
            if isinstance(item, Document):
                if self.patient_folders and item.patient_id is None and "/" in item.id:
                    item = replace(item, patient_id=item.id.partition("/")[0])
                if item.patient_id in patients:
                    item = replace(item, patient=patients[item.patient_id])
            yield item

    def _writer(self, reader_name: str, reader: Format, fixed: str | None) -> Format:
        """Choose the output format: as asked, by the verb, by the output's name, or as the input."""
        name = self.output_format or fixed or _by_suffix(self.output, reader_name)
        options: dict[str, Any] = {"explain": True} if self.explain else {}
        if fixed and "spans" in registry.options("formats", name):
            options["spans"] = "spans"  # a table tells where the identifiers are in a column of its own
        if name == reader_name and not options:
            return reader
        writer: Format = registry.create("formats", name, **options)
        return writer

    def _refuse_to_overwrite(self, *others: Path) -> None:
        if self.output.exists() and self.output.samefile(self.source):
            raise UsageError("the output would overwrite the input")
        for path in (self.output, *others):
            if path.exists() and not self.force:
                raise UsageError(f"{path} exists; --force overwrites it")
        if not self.output.absolute().parent.is_dir():
            raise UsageError(f"no folder at {self.output.parent}")

    def _progress(self) -> _Bar:
        total = self.source.stat().st_size if self.source.is_file() else None
        return _Bar(total, hidden=self.quiet or not sys.stderr.isatty())

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


class _Bar:
    """A progress bar on stderr, by characters done; silent when hidden."""

    def __init__(self, total: int | None, *, hidden: bool) -> None:
        self._progress = Progress(
            SpinnerColumn(),
            TextColumn("{task.fields[notes]} notes"),
            BarColumn(),
            DownloadColumn(),
            TimeRemainingColumn(),
            console=Console(stderr=True),
            disable=hidden,
        )
        self._task = self._progress.add_task("", total=total, notes=0)
        self._notes = 0

    def __enter__(self) -> Callable[[Item], None]:
        self._progress.start()
        return self._step

    def __exit__(self, *_: object) -> None:
        self._progress.stop()

    def _step(self, item: Item) -> None:
        self._notes += 1
        if not self._progress.disable:
            self._progress.update(self._task, advance=len(getattr(item, "text", "")), notes=self._notes)


def read_patients(path: Path) -> dict[str, Patient]:
    """Read structured patient records: a JSON file (one or a list), JSON lines, or a folder of such files."""
    files = sorted(path.rglob("*.json*")) if path.is_dir() else [path]
    patients: dict[str, Patient] = {}
    for file in files:
        for number, record in _records(file):
            try:
                patient = Patient.from_json(record)
            except (DataError, TypeError, ValueError, AttributeError) as error:
                reason = str(error) if isinstance(error, DataError) else "not a patient record"
                raise FormatError(reason, f"{file}, record {number}") from None
            patients[patient.id] = patient
    if not patients:
        raise FormatError("no patient records", str(path))
    return patients


def _records(file: Path) -> Iterator[tuple[int, Any]]:
    try:
        content = file.read_text(encoding="utf-8-sig")
        if file.suffix == ".json":
            whole = json.loads(content)
            yield from enumerate(whole if isinstance(whole, list) else [whole], start=1)
        else:
            for number, line in enumerate(content.splitlines(), start=1):
                if line.strip():
                    yield number, json.loads(line)
    except (OSError, UnicodeDecodeError, json.JSONDecodeError) as error:
        raise FormatError(f"cannot be read ({type(error).__name__})", str(file)) from None


def _writable(items: Iterable[Item], sink: Format) -> Iterator[Item]:
    """Set aside the notes that the output format cannot hold."""
    render = getattr(sink, "render", None)
    for item in items:
        try:
            if render and isinstance(item, Document):
                render(item)
        except FormatError as error:
            item = SetAside(item.id, f"the output format cannot hold it: {error.reason}")
        yield item


def _numbered(item: Item, number: int) -> Item:
    """Hide the input's name behind its place in the input."""
    if isinstance(item, SetAside):
        return SetAside(f"note-{number:07d}", item.reason)
    return replace(item, id=f"note-{number:07d}")


def _by_suffix(path: Path, default: str) -> str:
    """Name the format that the output's file name asks for."""
    for name in [default, *registry.names("formats")]:
        if any(path.name.endswith(suffix) for suffix in registry.resolve("formats", name).suffixes):
            return name
    return default


def _beside(path: Path, ending: str) -> Path:
    return Path(os.fspath(path).rstrip("/") + ending)
