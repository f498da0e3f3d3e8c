"""Options that commands share, their completion in the shell, and checks of the paths they name.

A group of options is a dataclass; `grouped` lets a command take it as one parameter.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import MISSING, dataclass, fields, is_dataclass
from enum import StrEnum
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, get_type_hints

from typer import Argument, BadParameter, Option

from plainsight import registry
from plainsight.cli.policy_options import Recall, choose_policy
from plainsight.config import Policy, built_in_policies
from plainsight.errors import UsageError
from plainsight.formats.files import MemoryFile
from plainsight.labels import GROUPS, SCHEMES
from plainsight.model import bundled_models
from plainsight.pipeline import Item, Pipeline
from plainsight.run.convert import LOSSES
from plainsight.run.cores import usable_cores
from plainsight.run.keys import VARIABLE, Key, forgotten_key, key_from, keyed_operations
from plainsight.run.processes import Limits, Method, spread
from plainsight.run.spark import check_installed, spread_on_spark
from plainsight.sources.places import Database, place

if TYPE_CHECKING:
    from plainsight.site.records import SiteRecords


def complete_policy(incomplete: str) -> list[str]:
    """Return the built-in policies and the TOML files that begin as typed."""
    files = (path for path in _beginning(incomplete) if path.is_dir() or path.suffix == ".toml")
    return _matching(incomplete, built_in_policies(), files)


def complete_format(incomplete: str) -> list[str]:
    """Return the formats that begin as typed."""
    return _matching(incomplete, registry.names("formats"), ())


def complete_group(incomplete: str) -> list[str]:
    """Return the label groups that begin as typed."""
    return _matching(incomplete, GROUPS, ())


def complete_system(incomplete: str) -> list[str]:
    """Return the systems to run here, and the files and folders, that begin as typed."""
    policies = (f"policy:{name}" for name in built_in_policies())
    systems = ("presidio", "presidio:blank", "philter", "philter:", "physionet:", "model:", "command:")
    return _matching(incomplete, (*policies, *systems), _beginning(incomplete))


def complete_scheme(incomplete: str) -> list[str]:
    """Return the label schemes that begin as typed."""
    return _matching(incomplete, SCHEMES, ())


def complete_loss(incomplete: str) -> list[str]:
    """Return the kinds of loss that may follow what is typed, with commas between."""
    before, comma, last = incomplete.rpartition(",")
    return [before + comma + kind for kind in _matching(last, ("all", *LOSSES), ())]


def complete_model(incomplete: str) -> list[str]:
    """Return the bundled models and the folders that begin as typed."""
    return _matching(incomplete, bundled_models(), (path for path in _beginning(incomplete) if path.is_dir()))


def _beginning(typed: str) -> list[Path]:
    """Return the visible files and folders whose path begins as typed."""
    folder, _, begun = typed.rpartition("/")
    root = Path(folder or ("/" if typed.startswith("/") else "."))
    try:
        paths = sorted(path for path in root.iterdir() if path.name.startswith(begun))
    except OSError:
        return []
    return [path for path in paths if begun or not path.name.startswith(".")]


def _matching(typed: str, names: Iterable[str], paths: Iterable[Path]) -> list[str]:
    shown = [f"{path}/" if path.is_dir() else str(path) for path in paths]
    return [name for name in (*names, *shown) if name.startswith(typed)]


In = Annotated[
    Path | None,
    Argument(
        parser=place,
        metavar="[IN]",
        help="A file, table or folder of notes, or the URL of one or of a database; `-` is standard input.",
        show_default=False,
    ),
]
Text = Annotated[
    str | None,
    Option(help="One note itself, instead of a file. Shows up in the shell's history and the process list."),
]
Out = Annotated[Path, Option("--output", "-o", help="Where the result goes.", show_default=False)]
OutOrStandard = Annotated[
    Path | None,
    Option(
        "--output",
        "-o",
        parser=place,
        metavar="PATH",
        help="Where the result goes; standard output for `-` and `--text`.",
        show_default=False,
    ),
]
PolicyName = Annotated[
    str,
    Option(
        "--policy", "-p", help="A built-in policy's name or a policy file.", autocompletion=complete_policy
    ),
]
SiteFolder = Annotated[Path, Argument(metavar="SITE", help="The site's folder.", show_default=False)]
Force = Annotated[bool, Option("--force", help="Overwrite existing files.")]


@dataclass(frozen=True, slots=True, kw_only=True)
class PolicyOptions:
    """The policy of a run, and how to change it."""

    policy: PolicyName = "balanced"
    model: Annotated[
        list[Path] | None,
        Option(
            metavar="FOLDER",
            help="A model made by `plainsight train`, instead of the policy's own for that detector.",
            autocompletion=complete_model,
        ),
    ] = None
    recall: Annotated[Recall, Option(help="Accept more false alarms for fewer misses.")] = Recall.BALANCED
    site: Annotated[
        Path | None,
        Option(
            metavar="SITE",
            help="Use what a site has learned (see `plainsight site`): its policy, with its key.",
        ),
    ] = None

    def load(self, *, replacing: bool, key_options: KeyOptions) -> Policy:
        """Return the policy with the models, the recall and the site that were asked for."""
        from plainsight.site.folder import open_site  # loads ciphers, which most runs need later or never
        from plainsight.site.policy import with_site

        site = None if self.site is None else open_site(self.site, key_options.secret)
        if site and self.policy not in ("balanced", site.policy):
            raise UsageError(f"--site uses the site's own policy, {site.policy}: leave out --policy")
        name = site.policy if site else self.policy
        policy = choose_policy(name, self.model or (), recall=self.recall, replacing=replacing)
        if site is None and policy.site is not None:
            site = open_site(policy.site, key_options.secret)
        return with_site(policy, site) if site else policy

    @staticmethod
    def records(policy: Policy, key_options: KeyOptions) -> SiteRecords | None:
        """Return the patient records of the policy's site, if it has any."""
        if policy.site is None:
            return None
        from plainsight.site.folder import open_site
        from plainsight.site.records import site_records

        return site_records(open_site(policy.site, key_options.secret))


def processes(given: str | int) -> int:
    """Read a number of processes, or ``auto``."""
    if given == "auto":
        return usable_cores()
    try:
        count = int(given)
    except ValueError:
        count = 0
    if count < 1:
        raise BadParameter("give a number of processes, or auto for one per core")
    return count


class Engine(StrEnum):
    """Who does the work."""

    LOCAL = "local"
    SPARK = "spark"


@dataclass(frozen=True, slots=True, kw_only=True)
class EngineOptions:
    """Which processes share the work, and what one note may use."""

    engine: Annotated[
        Engine, Option(help="Who does the work: processes of this machine, or a Spark cluster.")
    ] = Engine.LOCAL
    master: Annotated[
        str | None,
        Option(
            metavar="URL",
            help="The Spark cluster: spark://HOST:7077, yarn, k8s://…, sc://HOST (Spark Connect), local[N].",
        ),
    ] = None
    processes: Annotated[
        int,
        Option(parser=processes, metavar="N|auto", help="Processes that share the work; auto: one per core."),
    ] = 1
    note_seconds: Annotated[
        float,
        Option(min=0, help="Set a note aside that takes longer, for each 200,000 characters; 0: no limit."),
    ] = 30
    note_memory: Annotated[
        int, Option(min=0, metavar="MB", help="Set a note aside that needs more memory (Linux); 0: no limit.")
    ] = 4096

    def spread(
        self, pipeline: Pipeline, method: Method, items: Iterable[Item], *, here: bool = False
    ) -> Iterator[Any]:
        """Yield the results of a method of the pipeline, in order.

        ``here`` is for a note on the command line: without a worker, the answer comes sooner.
        """
        if here:
            return spread(pipeline, method, items, processes=1, limits=None)
        limited = Limits(seconds=self.note_seconds or None, megabytes=self.note_memory or None)
        limits = limited if limited.seconds or limited.megabytes else None
        if self.engine is Engine.SPARK:
            return spread_on_spark(pipeline, method, items, master=self.master, limits=limits)
        return spread(pipeline, method, items, processes=self.processes, limits=limits)

    def check(self, *, state: Path | None = None) -> None:
        """Refuse options of the other engine before any note is read."""
        if self.engine is Engine.LOCAL:
            if self.master:
                raise UsageError("--master is for --engine spark")
            return
        if self.processes != 1:
            raise UsageError("--processes is for this machine; --engine spark takes the cores of the cluster")
        if state:
            raise UsageError("a state is a file of this machine: --engine spark cannot share it")
        check_installed()


@dataclass(frozen=True, slots=True, kw_only=True)
class InputOptions:
    """How to read the notes."""

    format: Annotated[
        str | None,
        Option(
            help="Input format: see `plainsight plugins`. Default: guessed.", autocompletion=complete_format
        ),
    ] = None
    text_column: Annotated[str | None, Option(help="Tables: the column with the note.")] = None
    id_column: Annotated[str | None, Option(help="Tables: the column with the note's id.")] = None
    patient_column: Annotated[str | None, Option(help="Tables: the column with the patient's id.")] = None
    type_column: Annotated[str | None, Option(help="Tables: the column with the note's type.")] = None
    date_column: Annotated[str | None, Option(help="Tables: the column with the note's date.")] = None
    query: Annotated[
        str | None, Option(metavar="SELECT", help="Databases: read the result of this instead of a table.")
    ] = None
    encoding: Annotated[str | None, Option(help="Encoding of the input. Default: UTF-8 or detected.")] = None
    fields: Annotated[
        Path | None,
        Option(help="FHIR, HL7, C-CDA and databases: a file that says what becomes of further fields."),
    ] = None
    patients: Annotated[
        Path | None, Option(help="Structured patient records: JSON, JSON lines, or a folder of JSON files.")
    ] = None
    patient_folders: Annotated[
        bool, Option("--patient-folders", help="The first folder of a note's id is the patient's id.")
    ] = False

    def of_format(self) -> dict[str, str]:
        """Return the given options under the names that formats have for them."""
        roles = ("text", "id", "patient", "type", "date")
        given = {role: getattr(self, f"{role}_column") for role in roles}
        given |= {"encoding": self.encoding, "query": self.query}
        given["fields"] = None if self.fields is None else str(self.fields)
        return {key: value for key, value in given.items() if value is not None}


@dataclass(frozen=True, slots=True, kw_only=True)
class WriterOptions:
    """In which format to write notes, and where to list those set aside."""

    output_format: Annotated[
        str | None, Option(help="Output format. Default: by OUT's name.", autocompletion=complete_format)
    ] = None
    neutralise_formulas: Annotated[
        bool,
        Option(
            "--neutralise-formulas",
            help="CSV and TSV: put an apostrophe before cells that a spreadsheet would run (=, +, -, @).",
        ),
    ] = False
    output_labels: Annotated[
        str | None,
        Option(
            metavar="SCHEME",
            help=f"Write spans under another scheme's labels: {', '.join(SCHEMES)}.",
            autocompletion=complete_scheme,
        ),
    ] = None
    quarantine: Annotated[
        Path | None, Option(help="Where notes set aside are listed. Default: OUT.quarantine.jsonl.")
    ] = None

    def of_format(self, name: str) -> dict[str, bool]:
        """Return the given options under the names that formats have for them."""
        if not self.neutralise_formulas:
            return {}
        if "neutralise_formulas" not in registry.options("formats", name):
            raise UsageError(f"--neutralise-formulas is for CSV and TSV, and the output is {name}")
        return {"neutralise_formulas": True}


@dataclass(frozen=True, slots=True, kw_only=True)
class OutputOptions:
    """What a run may overwrite, and what it prints."""

    force: Annotated[bool, Option("--force", help="Replace existing output, a folder whole.")] = False
    as_json: Annotated[bool, Option("--json", help="Print the summary as JSON.")] = False
    quiet: Annotated[bool, Option("--quiet", "-q", help="No progress bar, no summary.")] = False


@dataclass(frozen=True, slots=True, kw_only=True)
class KeyOptions:
    """Where the secret key is."""

    key_file: Annotated[
        Path | None,
        Option(help=f"The file with the secret key (see `plainsight key`). Default: ${VARIABLE}."),
    ] = None
    key_keyring: Annotated[
        str | None, Option(metavar="NAME", help="The name of the secret key in the system's keyring.")
    ] = None

    def find(self) -> Key | None:
        """Return the key that was given, if any; warn when it is not safe there."""
        key = key_from(file=self.key_file, keyring=self.key_keyring)
        if key and key.warning:
            print(f"warning: {key.warning}", file=sys.stderr)
        return key

    @property
    def secret(self) -> bytes | None:
        """The key's bytes, if one was given."""
        key = key_from(file=self.key_file, keyring=self.key_keyring)
        return key.secret if key else None

    def find_or_forget(self, policy: Policy, *, forget: bool) -> Key | None:
        """Return the key for a policy's operations, or None if they need none."""
        if forget and (self.key_file or self.key_keyring):
            raise UsageError("--forget-key draws a random key: give no other")
        if forget and policy.site is not None:
            raise UsageError("--forget-key does not go with a site, which needs its own key")
        key = None if forget else self.find()
        if key is not None or not keyed_operations(policy):
            return key
        if not forget:
            print("no key given: a random one is used and forgotten (see `plainsight key`)", file=sys.stderr)
        return forgotten_key()


def grouped(command: Callable[..., None]) -> Callable[..., None]:
    """Let a command take dataclasses of options; each field becomes an option of the command line."""
    groups: dict[str, type[Any]] = {}
    shown: list[inspect.Parameter] = []
    for parameter in inspect.signature(command, eval_str=True).parameters.values():
        group = parameter.annotation
        if not is_dataclass(group) or not isinstance(group, type):
            shown.append(parameter)
            continue
        groups[parameter.name] = group
        hints = get_type_hints(group, include_extras=True)
        for option in fields(group):
            default = parameter.empty if option.default is MISSING else option.default
            shown.append(parameter.replace(name=option.name, default=default, annotation=hints[option.name]))

    @wraps(command)
    def flat(**given: Any) -> None:
        for name, group in groups.items():
            given[name] = group(**{option.name: given.pop(option.name) for option in fields(group)})
        command(**given)

    flat.__signature__ = inspect.Signature(shown)  # type: ignore[attr-defined]
    flat.__annotations__ = {parameter.name: parameter.annotation for parameter in shown}
    return flat


def check_paths(inputs: Iterable[Path | None], outputs: Iterable[Path | None], *, force: bool) -> None:
    """Refuse to overwrite files without ``force``, to write into an input, and to write a file twice."""
    inputs = list(inputs)
    read = [path.resolve() for path in inputs if path and not isinstance(path, MemoryFile)]
    taken = set(read)
    for path in [path for path in outputs if path and not isinstance(path, MemoryFile)]:
        if path.exists() and not force:
            raise UsageError(f"{path} exists; --force overwrites it")
        if any(_share_a_file(path, other) for other in inputs):
            raise UsageError(f"{path}: its file is read, so it cannot be written; give another database")
        if path.resolve() in taken:
            raise UsageError(f"{path} would overwrite the input or another output")
        if any(path.resolve().is_relative_to(folder) for folder in read):
            raise UsageError(f"{path} lies inside the input, and would be read as a note the next time")
        taken.add(path.resolve())


def _share_a_file(output: Path, source: Path | None) -> bool:
    """Whether two tables are in one database file, which takes one reader or writer at a time."""
    files = [
        database.file for database in (output, source) if isinstance(database, Database) and database.file
    ]
    return len(files) == 2 and files[0].resolve() == files[1].resolve()
