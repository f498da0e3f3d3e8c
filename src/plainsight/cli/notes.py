"""A run of a command over notes, from input to output."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import asdict, dataclass, field, replace
from datetime import UTC, datetime
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer
from rich.console import Console
from rich.progress import (
    BarColumn,
    DownloadColumn,
    Progress,
    SpinnerColumn,
    TextColumn,
    TimeRemainingColumn,
    TransferSpeedColumn,
)

from plainsight import registry
from plainsight.cli.options import InputOptions, OutputOptions, WriterOptions, check_paths
from plainsight.config import Policy
from plainsight.document import Document, Patient, SetAside
from plainsight.errors import DataError, PlainsightError, RunError, UsageError, plural, printable
from plainsight.formats.base import Format, Sink
from plainsight.formats.files import MemoryFile
from plainsight.formats.guess import by_suffix, guess
from plainsight.formats.staging import Staged, remove_leftovers, staged
from plainsight.formats.unique import unique
from plainsight.formats.urls import UrlPath, without_password
from plainsight.labels import LABELS, find_scheme
from plainsight.pipeline import Item, Replaced
from plainsight.profiles import written
from plainsight.run.ids import Ids
from plainsight.run.ledger import Ledger
from plainsight.run.manifest import checksum, write_manifest
from plainsight.run.mapping import MappingFile
from plainsight.run.output import Output, Quarantine
from plainsight.run.patients import read_patients
from plainsight.run.updates import Update
from plainsight.sources.places import Database
from plainsight.version import __version__

if TYPE_CHECKING:
    from plainsight.site.records import SiteRecords


TEXT, STDIN = "text", "stdin"  # the names of a note given on the command line and of notes from a pipe


def input_and_output(source: Path | None, text: str | None, output: Path | None) -> tuple[Path, Path]:
    """Return the input and the output that a command line names: paths, standard input and output, a text.

    An error never repeats the input: it could be a note that was pasted as the argument.
    """
    if (source is None) == (text is None):
        raise UsageError("give either an input or --text")
    if text is not None:
        given = MemoryFile(TEXT)
        given.data = text.encode("utf-8", "surrogateescape")
    elif source == Path("-"):
        given = MemoryFile(STDIN)
        given.data = sys.stdin.buffer.read()
    elif source is not None and _is_there(source):
        if output is None:
            raise UsageError("say where the result goes: give --output")
        if not isinstance(source, UrlPath) and not (
            source.is_file() or source.is_dir()
        ):  # a pipe, which can be read only once
            piped = MemoryFile(source.name)
            piped.data = source.read_bytes()
            source = piped
        return source, MemoryFile("stdout") if output == Path("-") else output
    else:
        raise UsageError("no file or folder at the input path; to give a note itself, use --text")
    return given, MemoryFile("stdout") if output in (None, Path("-")) else output


def _is_there(source: Path) -> bool:
    """Whether there is an input; of a database only its server can say."""
    if isinstance(source, UrlPath):
        return source.format is not None or source.exists()
    return os.path.exists(source)  # noqa: PTH110 - false for names no file can have


@dataclass(slots=True, kw_only=True)
class Job:
    """One run of a command over one input.

    ``reads`` and ``writes`` are further files that it touches. ``released`` says that the input was written
    by an earlier run: it may have another format than the input options are for.
    """

    source: Path
    output: Path
    input: InputOptions
    options: OutputOptions = field(default_factory=OutputOptions)
    writer: WriterOptions = field(default_factory=WriterOptions)
    reads: tuple[Path | None, ...] = ()
    writes: tuple[Path | None, ...] = ()
    released: bool = False
    records: SiteRecords | None = None
    """The patient records of a site, for notes whose patient is not in those of the input options."""
    with_record: int = 0
    """Notes read so far whose patient is in the patient records."""

    @property
    def format(self) -> str:
        """The input's format: as the user says, or guessed."""
        return self.input.format or ("text" if self.source.name in (TEXT, STDIN) else guess(self.source))

    def notes(self) -> Iterator[Item]:
        """Read the notes, each id once, each with what is known of its patient."""
        name, options = self.format, self.input.of_format()
        if self.released:
            known = registry.options("formats", name)
            options = {key: value for key, value in options.items() if key in known}
        reader: Format = registry.create("formats", name, **options)
        patients = read_patients(self.input.patients) if self.input.patients else {}
        return self._notes(reader, patients)

    def _notes(self, reader: Format, patients: Mapping[str, Patient]) -> Iterator[Item]:
        for item in unique(reader.read(self.source)):
            if isinstance(item, Document):
                if self.input.patient_folders and item.patient_id is None and "/" in item.id:
                    item = replace(item, patient_id=item.id.partition("/")[0])
                if item.patient_id is not None and item.patient_id in patients:
                    self.with_record += 1
                    item = replace(item, patient=patients[item.patient_id])
                elif self.records and item.patient is None and (own := self.records.get(item.patient_id)):
                    item = replace(item, patient=own)
            yield item

    @property
    def to_disk(self) -> bool:
        """Whether the output is a file or folder, not standard output."""
        return not isinstance(self.output, MemoryFile)

    def ledger(
        self, secret: bytes | None, settings: Mapping[str, str], *, restart: bool, update: bool
    ) -> Ledger:
        """Return the ledger of this job's output; ``settings`` are those of the command beside the job's."""
        if update:
            remote = isinstance(self.output, UrlPath) and not isinstance(self.output, Database)
            if secret is None or not self.to_disk or remote:
                needs = "a folder or a database as --output, and a key that is kept: --key-file"
                raise UsageError(f"--update needs {needs}")
            if isinstance(self.output, Database) and self.output.table is None:
                raise UsageError(f"{self.output}: --update needs the name of the table, after a #")
            if self.options.force:
                raise UsageError("--update never overwrites: to begin anew, give another output")
        given = asdict(self.input) | asdict(self.writer)
        if given.get("query"):  # which may name a patient
            given["query"] = sha256(given["query"].encode()).hexdigest()[:8]
        patients = self.input.patients
        all_settings = {
            "plainsight": __version__,
            "input": "" if update else str(self.source.absolute()),
            "patient records": checksum(patients) if patients and not update else "",
            "records of the site": checksum(self.records.file) if self.records and not update else "",
            **{f"--{name.replace('_', '-')}": str(value or "") for name, value in given.items()},
            **settings,
        }
        folder = beside(self.output, ".ledger")
        secret = secret if self.to_disk else None
        return Ledger(folder, secret, all_settings, restart=restart, update=update)

    @contextmanager
    def open(
        self,
        command: str,
        *,
        policy: Policy | None = None,
        default_format: str | None = None,
        spans: bool = True,
        span_column: bool = False,
        explain: bool = False,
        open_sink: Callable[[Path], AbstractContextManager[Sink]] | None = None,
        ids: Ids | None = None,
        mapping: MappingFile | None = None,
        whole: bool = False,
        ledger: Ledger | None = None,
        secret: bytes | None = None,
        about: Mapping[str, Any] | None = None,
    ) -> Iterator[Output]:
        """Open the output; when the block ends, write the manifest, name the output and print the summary.

        Exit with 1 when notes were set aside. ``default_format`` is the output's when neither the user nor
        the output's name says otherwise, and ``open_sink`` takes the place of a format's ``open``. ``about``
        goes into the manifest, which is signed with ``secret``. Standard output gets no manifest, and notes
        set aside are printed. The other settings are those of `Output` and `Format.open`.
        """
        began = datetime.now(UTC)
        if self.options.as_json and not self.to_disk:
            raise UsageError("--json prints to standard output, where the notes go: give --output")
        manifest = beside(self.output, ".manifest.json") if self.to_disk else None
        quarantine = self.writer.quarantine or (
            beside(self.output, ".quarantine.jsonl") if self.to_disk else None
        )
        outputs = (self.output if self.to_disk else None, manifest, quarantine, *self.writes)
        inputs = (self.source, self.input.patients, *self.reads)
        record: dict[str, Any] = {}
        update: Update | None = None
        place: Staged | None = None
        with ExitStack() as stack, _failing_well(ledger):
            if ledger:
                if self.output.exists() and not ledger.update and not self.options.force:
                    ledger.remove_finished()
                    check_paths((), outputs[:1], force=False)
                stack.enter_context(ledger)
            self._check_paths(inputs, outputs, ledger)
            if open_sink is None:
                name = self.writer.output_format or by_suffix(self.output, default_format or self.format)
                options = self._columns(name) | self.writer.of_format(name)
                format: Format = registry.create("formats", name, **options)  # noqa: A001
                opens = format.open
                if ledger and ledger.index:
                    released, begun = (ids or Ids()).of_note, bool(ledger.parts)
                    update = Update(self.output, format, ledger.index, released, begun=begun)
                    opens = getattr(format, "open_to_update", opens)
                open_sink = partial(opens, span_column=span_column, explain=explain)
            if update:
                place = stack.enter_context(update.staged())
            elif self._is_staged():
                place = stack.enter_context(staged(self.output))
            written = place.path if place else self.output
            before, continued = (ledger.seconds, ledger.notes) if ledger else (0.0, 0)
            as_written = self._relabelled(policy) if self.writer.output_labels else lambda document: document
            with (
                progress_bar(self.source, hidden=self.options.quiet or not sys.stderr.isatty()) as each,
                Output(
                    open_sink(written),
                    Quarantine(quarantine),
                    mapping=mapping,
                    ids=ids or Ids(),
                    spans=spans,
                    whole=whole,
                    as_written=as_written,
                    each=each,
                    refused=ledger.refuse if ledger else lambda note: None,
                ) as output,
            ):
                yield output
            output.account.seconds += before
            if quarantine and not output.account.set_aside:
                quarantine.unlink(missing_ok=True)  # of an earlier run
            if update:
                if place:  # the folder has its name already; the index says what of it counts
                    update.place(place, output.account.notes)
                update.write_deleted(beside(self.output, ".deleted.jsonl"))
                written, place, about = self.output, None, {**(about or {}), "update": update.about()}
            if manifest:
                sources = [self.source, *filter(None, [self.input.patients])]
                record = write_manifest(
                    manifest,
                    name=command,
                    began=began,
                    command=_command_line(),
                    inputs=[path for path in sources if not isinstance(path, MemoryFile)],
                    output=written,
                    account=output.account,
                    about={**(about or {}), "notes_of_earlier_runs": continued},
                    policy=policy,
                    quarantine=quarantine,
                    secret=secret,
                )
            if ledger:
                ledger.finish()
            if place:
                place.place()  # last: an output that has its name is complete, and so is all beside it
        if isinstance(self.output, MemoryFile):
            ending = b"\n" if self.source.name == TEXT and not self.output.data.endswith(b"\n") else b""
            sys.stdout.buffer.write(self.output.data + ending)
            sys.stdout.flush()
        self._report(output, record)
        if update and not self.options.quiet:
            print(update, file=sys.stderr)
        if output.account.set_aside:
            raise typer.Exit(1)

    def _check_paths(
        self, inputs: Sequence[Path | None], outputs: Sequence[Path | None], ledger: Ledger | None
    ) -> None:
        """Refuse paths that cannot be read or written, before any work; remove what killed runs left."""
        local = [path for path in outputs if path and not isinstance(path, UrlPath)]
        for path in local:
            if not path.absolute().parent.is_dir():
                raise UsageError(f"no folder at {path.parent}")
        if ledger and (ledger.parts or ledger.index):
            check_paths(inputs, outputs, force=True)  # of the run that continues
            if ledger.parts and not self.options.quiet:
                print(f"{plural(ledger.notes, 'note')} are done, continuing", file=sys.stderr)
        else:
            check_paths(inputs, outputs, force=self.options.force)
        if self.options.force and self.to_disk and self.output in local and self.output.is_dir():
            known = beside(self.output, ".manifest.json").exists()
            if not known and any(self.output.iterdir()):
                reason = "it has no manifest, so it may hold other files than notes; give another output"
                raise UsageError(
                    f"{self.output}: --force replaces a folder whole, but not this one: {reason}"
                )
        for path in local:
            remove_leftovers(path.absolute().parent)
        if ledger and ledger.index and not isinstance(self.output, UrlPath):
            remove_leftovers(self.output)

    def _columns(self, name: str) -> dict[str, str]:
        """Return the given names of columns that a format takes: an update reads what it wrote."""
        known = registry.options("formats", name)
        given = self.input.of_format()
        return {key: value for key, value in given.items() if key in known and key != "encoding"}

    def _is_staged(self) -> bool:
        """Whether the output is a file or folder that can be given its name at the end; a device is not."""
        if isinstance(self.output, UrlPath):
            return False  # its format sees to that
        return self.to_disk and (not self.output.exists() or self.output.is_file() or self.output.is_dir())

    def _relabelled(self, policy: Policy | None) -> Callable[[Document], Document]:
        """Return a function that gives spans another scheme's labels; refuse labels that are not ours."""
        scheme = find_scheme(self.writer.output_labels or "").name
        if policy and not policy.labels <= set(LABELS):
            raise UsageError("--output-labels needs our labels, and a model has others")
        return lambda note: replace(note, spans=tuple(written(scheme, note.text, note.spans)))

    def _report(self, output: Output, record: dict[str, Any]) -> None:
        account, aside = output.account, output.quarantine
        if self.options.as_json:
            print(json.dumps(record))
        elif not self.options.quiet and self.source.name not in (TEXT, STDIN):
            rate = account.characters / 1e6 / max(account.seconds, 1e-9)
            counts = f"{plural(account.notes, 'note')}, {plural(account.labels.total(), 'identifier')}"
            speed = f"{account.seconds:.1f} s ({rate:.1f} MB/s)"
            print(f"{counts}, {speed} -> {printable(self.output)}", file=sys.stderr)
        if account.identifying_ids:
            print(
                f"warning: the id or file name of {plural(account.identifying_ids, 'note')} looks like an "
                "identifier of the note; --ids keyed replaces ids",
                file=sys.stderr,
            )
        if account.events and not self.options.quiet:
            print(
                f"{plural(account.events.total(), 'event')} outside the dates may betray the date offset "
                '(events_left in the manifest); offset = "strict" replaces them',
                file=sys.stderr,
            )
        if account.dropped and not self.options.quiet:
            print(
                f"left out {plural(account.dropped.total(), 'field')}, by the field policy or unknown to it "
                "(fields_dropped in the manifest)",
                file=sys.stderr,
            )
        if aside.count:
            reasons = f"; reasons in {printable(aside.path)}" if aside.path else ""
            print(f"{plural(aside.count, 'note')} set aside{reasons}", file=sys.stderr)
            for item in aside.first:
                print(printable(f"  {item.where or item.id}: {item.reason}"), file=sys.stderr)
        if self.input.patients and not self.with_record:
            print("no note's patient_id is in the patient records", file=sys.stderr)


def _command_line() -> list[str]:
    """Return the command line without note text, queries and passwords; keys are never in it."""
    words = ["plainsight", *map(without_password, sys.argv[1:])]
    for option in ("--text", "--query"):
        for index, word in enumerate(words):
            if word == option:
                words[index + 1 : index + 2] = ["…"]
            elif word.startswith(f"{option}="):
                words[index] = f"{option}=…"
    return words


def beside(path: Path, ending: str) -> Path:
    """Return the path of a file that belongs to an output."""
    whole = path.beside if isinstance(path, UrlPath) else path
    return Path(os.fspath(whole).rstrip("/") + ending)


@contextmanager
def _failing_well(ledger: Ledger | None) -> Iterator[None]:
    """Say of a run that stops before its end what is there and whether the same command continues it."""
    try:
        yield
    except (UsageError, DataError, BrokenPipeError):
        raise
    except (PlainsightError, OSError, MemoryError, KeyboardInterrupt) as error:
        what = {KeyboardInterrupt: "stopped", MemoryError: "out of memory"}.get(type(error), str(error))
        if isinstance(error, OSError):
            what = f"{error.filename or 'reading or writing'}: {error.strerror or type(error).__name__}"
        there = ledger.prospect if ledger else "nothing was written"
        raise RunError(f"{what}; {there}") from None
    except Exception:  # `main` prints its kind and place
        if ledger and ledger.parts:
            print(ledger.prospect, file=sys.stderr)
        raise


@contextmanager
def progress_bar(source: Path, *, hidden: bool) -> Iterator[Callable[[Document | Replaced | SetAside], None]]:
    """Show how many notes and characters are done; give the function to call for each note."""
    notes = TextColumn("{task.fields[notes]} notes")
    columns = (
        SpinnerColumn(),
        notes,
        BarColumn(),
        DownloadColumn(),
        TransferSpeedColumn(),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=Console(stderr=True), disable=hidden) as progress:
        is_local = not isinstance(source, UrlPath) and source.is_file()
        size = source.stat().st_size if is_local else None
        task = progress.add_task("", total=size, notes=0)

        def step(item: Document | Replaced | SetAside) -> None:
            if not hidden:
                document = item.document if isinstance(item, Replaced) else item
                characters = len(document.text) if isinstance(document, Document) else 0
                progress.update(task, advance=characters, notes=progress.tasks[0].fields["notes"] + 1)

        yield step
