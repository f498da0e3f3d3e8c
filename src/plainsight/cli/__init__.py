"""The command line: one file per command, thin commands over plain functions.

Exit codes: 0 done, 1 done but some notes were set aside, 2 wrong use, 3 the run stopped before its end.
"""

from __future__ import annotations

import os
import signal
import sys
import traceback
from importlib import import_module
from pathlib import Path
from typing import Annotated, Any, NoReturn

import typer
from typer.core import TyperCommand, TyperGroup
from typer.main import get_command

import plainsight
from plainsight.errors import DataError, PlainsightError, RunError, UsageError, printable
from plainsight.run.core_dumps import no_core_dumps

_PACKAGE = Path(plainsight.__file__).parent

_COMMANDS = {
    "deidentify": "deidentify",
    "detect": "detect",
    "verify": "verify",
    "convert": "convert",
    "show": "show",
    "evaluate": "evaluate",
    "compare": "compare",
    "site": "site",
    "review": "review",
    "project": "project",
    "release": "release",
    "serve": "serve",
    "experiment": "lab.experiment",
    "train": "lab.train",
    "models": "models",
    "attack": "lab.attack",
    "restore": "restore",
    "key": "key",
    "policy": "policy",
    "plugins": "plugins",
    "corpus": "lab.corpus",
    "synth": "lab.synth",
    "demo": "demo",
}
"""Every command, in the order of the help, and its module, with a function of that name or an ``app``."""


class _Command(TyperCommand):
    """A command whose errors never repeat words of a note that was pasted without quotes."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Read the arguments."""
        ctx.allow_extra_args = True
        rest = super().parse_args(ctx, args)
        if ctx.args and not ctx.resilient_parsing:
            ctx.fail('too many arguments: quote a name with spaces, and give a note with --text "..."')
        return rest


class _Commands(TyperGroup):
    """Import a command only when it is used, so that it starts quickly."""

    def list_commands(self, ctx: Any) -> list[str]:
        """Name the commands."""
        return list(_COMMANDS)

    def invoke(self, ctx: Any) -> Any:
        """Run a command; Ctrl-C ends it like any other failure."""
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt:
            raise RunError("stopped; nothing was written") from None

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """Import a command."""
        if cmd_name not in _COMMANDS:
            return None
        module = import_module(f"plainsight.cli.{_COMMANDS[cmd_name]}")
        commands = getattr(module, "app", None)
        if commands is None:
            commands = typer.Typer(add_completion=False, rich_markup_mode="markdown")
            commands.command(name=cmd_name, cls=_Command)(getattr(module, cmd_name))
        command = get_command(commands)
        command.name = cmd_name
        return command


app = typer.Typer(
    cls=_Commands,
    name="plainsight",
    help="De-identify clinical notes: find identifiers and replace them. All of it runs offline.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,  # a pretty traceback prints local variables, and those hold note text
    rich_markup_mode="markdown",
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _version(wanted: bool) -> None:
    if wanted:
        print(f"plainsight {plainsight.__version__}")
        raise typer.Exit


@app.callback()
def _root(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version and exit.")
    ] = False,
) -> None:
    pass


def main() -> None:
    """Run the command line; no traceback and no note text ever reaches the terminal."""
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, _stop)
    no_core_dumps()
    try:
        app()
    except (UsageError, DataError) as error:
        _fail(str(error), 2)
    except PlainsightError as error:
        _fail(str(error), 3)
    except BrokenPipeError:
        sys.stderr.close()  # the reader of our output has gone; say nothing more
        sys.exit(3)
    except OSError as error:
        code = 2 if isinstance(error, (FileNotFoundError, PermissionError, IsADirectoryError)) else 3
        _fail(f"{error.filename or 'reading or writing'}: {error.strerror or type(error).__name__}", code)
    except MemoryError:
        _fail("out of memory", 3)
    except Exception as error:  # its message could hold note text, so print only its kind and place
        frames = traceback.extract_tb(error.__traceback__)
        ours = [frame for frame in frames if Path(frame.filename).is_relative_to(_PACKAGE)]
        place = f"{Path(ours[-1].filename).relative_to(_PACKAGE)}:{ours[-1].lineno}"
        _fail(f"internal error: {type(error).__name__} at {place}; please report it", 3)


def _stop(*_: object) -> NoReturn:
    """Stop cleanly: unfinished output is removed, and the run says how to go on. The second time, at once."""
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, _stop_at_once)
    raise KeyboardInterrupt


def _stop_at_once(*_: object) -> NoReturn:
    os.write(2, b"plainsight: stopped at once; the next run removes what is left\n")
    os._exit(3)


def _fail(message: str, code: int) -> None:
    print(f"plainsight: {printable(message)}", file=sys.stderr)
    sys.exit(code)
