"""The options that verbs share: each group is a dataclass, and `grouped` lets a command take it whole."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable
from dataclasses import MISSING, dataclass, fields, is_dataclass
from functools import wraps
from pathlib import Path
from typing import Annotated, Any, get_type_hints

import typer

from plainsight.cli.completion import complete_format, complete_model, complete_policy
from plainsight.cli.policy_options import Recall
from plainsight.config import Policy
from plainsight.errors import UsageError
from plainsight.run.keys import VARIABLE, Key, forgotten_key, key_from, needs_key

In = Annotated[
    Path | None,
    typer.Argument(help="A file, table or folder of notes; `-` is standard input.", show_default=False),
]
Text = Annotated[str | None, typer.Option("--text", help="One note itself, instead of a file.")]
Out = Annotated[Path, typer.Option("--output", "-o", help="Where the result goes.", show_default=False)]
OutOrStandard = Annotated[
    Path | None,
    typer.Option(
        "--output",
        "-o",
        help="Where the result goes; standard output for `-` and `--text`.",
        show_default=False,
    ),
]
PolicyName = Annotated[
    str,
    typer.Option(
        "--policy", "-p", help="A built-in policy's name or a policy file.", autocompletion=complete_policy
    ),
]
Models = Annotated[
    list[Path] | None,
    typer.Option(
        "--model",
        metavar="FOLDER",
        help="A model made by `plainsight train`, in the place of the policy's own for that detector.",
        autocompletion=complete_model,
    ),
]
RecallDial = Annotated[
    Recall,
    typer.Option("--recall", help="How ready learned detectors are to find something: misses or noise."),
]
Processes = Annotated[
    int,
    typer.Option("--processes", min=1, help="How many processes share the work; one for each core is good."),
]


@dataclass(frozen=True, slots=True, kw_only=True)
class InputOptions:
    """How to read the notes."""

    format: Annotated[
        str | None,
        typer.Option(
            help="Input format; guessed when not given (see `plainsight plugins`).",
            autocompletion=complete_format,
        ),
    ] = None
    text_column: Annotated[str | None, typer.Option(help="Tables: the column with the note.")] = None
    id_column: Annotated[str | None, typer.Option(help="Tables: the column with the note's id.")] = None
    patient_column: Annotated[str | None, typer.Option(help="Tables: the column with the patient's id.")] = (
        None
    )
    type_column: Annotated[str | None, typer.Option(help="Tables: the column with the note's type.")] = None
    date_column: Annotated[str | None, typer.Option(help="Tables: the column with the note's date.")] = None
    encoding: Annotated[
        str | None, typer.Option(help="Encoding of the input; UTF-8 or detected when not given.")
    ] = None
    patients: Annotated[
        Path | None,
        typer.Option(help="Structured patient records: JSON, JSON lines, or a folder of JSON files."),
    ] = None
    patient_folders: Annotated[
        bool,
        typer.Option(
            "--patient-folders", help="Folders of notes: the first folder's name is the patient's id."
        ),
    ] = False

    def of_format(self) -> dict[str, str]:
        """Return what was given, by the names that formats have for it."""
        given = {
            "text": self.text_column,
            "id": self.id_column,
            "patient": self.patient_column,
            "type": self.type_column,
            "date": self.date_column,
            "encoding": self.encoding,
        }
        return {key: value for key, value in given.items() if value is not None}


@dataclass(frozen=True, slots=True, kw_only=True)
class WriterOptions:
    """In which format to write notes, and where to list those set aside."""

    output_format: Annotated[
        str | None,
        typer.Option(
            help="Output format; by the output's name when not given.", autocompletion=complete_format
        ),
    ] = None
    quarantine: Annotated[
        Path | None, typer.Option(help="Where notes set aside are listed. Default: OUT.quarantine.jsonl.")
    ] = None


@dataclass(frozen=True, slots=True, kw_only=True)
class OutputOptions:
    """What may be overwritten, and what a run prints."""

    force: Annotated[
        bool, typer.Option("--force", help="Overwrite existing output; other files in a folder stay.")
    ] = False
    as_json: Annotated[bool, typer.Option("--json", help="Print the summary as JSON.")] = False
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="No progress bar, no summary.")] = False


@dataclass(frozen=True, slots=True, kw_only=True)
class KeyOptions:
    """Where the secret key is."""

    key_file: Annotated[
        Path | None,
        typer.Option(help=f"The file with the secret key (see `plainsight key`). Default: ${VARIABLE}."),
    ] = None
    key_keyring: Annotated[
        str | None, typer.Option(metavar="NAME", help="The name of the secret key in the system's keyring.")
    ] = None

    def find(self) -> Key | None:
        """Return the key that was given, if any; warn about its place."""
        key = key_from(file=self.key_file, keyring=self.key_keyring)
        if key and key.warning:
            print(f"warning: {key.warning}", file=sys.stderr)
        return key

    def find_or_forget(self, policy: Policy, *, forget: bool) -> Key | None:
        """Return the key that a policy's operations get, or None if they need none."""
        if forget and (self.key_file or self.key_keyring):
            raise UsageError("--forget-key draws a key of its own: give no other")
        key = None if forget else self.find()
        if key is not None or not needs_key(policy):
            return key
        if not forget:
            print("no key given: a random one is used and forgotten (see `plainsight key`)", file=sys.stderr)
        return forgotten_key()


def grouped(command: Callable[..., None]) -> Callable[..., None]:
    """Let a command take dataclasses of options; the command line sees each field as an option."""
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
