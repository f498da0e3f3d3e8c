"""The command line: one file per verb, thin commands over plain functions.

Exit codes: 0 done, 1 done but some notes were set aside, 2 wrong use.
"""

from __future__ import annotations

import sys
import traceback
from typing import Annotated

import typer

import plainsight
from plainsight.cli import deidentify, demo, detect, plugins, policy
from plainsight.errors import PlainsightError

__all__ = ["app", "main"]

app = typer.Typer(
    name="plainsight",
    help="Find every identifier in clinical notes and hide patients in plain sight. All of it runs offline.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,  # a pretty traceback prints local variables, and those hold note text
    rich_markup_mode="markdown",
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.command()(deidentify.deidentify)
app.command()(detect.detect)
app.command()(demo.demo)
app.command()(plugins.plugins)
app.add_typer(policy.app, name="policy")


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
    try:
        app()
    except PlainsightError as error:
        _fail(str(error), 2)
    except BrokenPipeError:
        sys.stderr.close()  # the reader of our output has gone; say nothing more
        sys.exit(1)
    except KeyboardInterrupt:
        _fail("interrupted; no output was written", 130)
    except OSError as error:
        _fail(f"{error.filename or 'input or output'}: {error.strerror or type(error).__name__}", 2)
    except Exception as error:  # the message could hold note text, so only kind and place are told
        frame = traceback.extract_tb(error.__traceback__)[-1]
        place = f"{frame.filename.rpartition('plainsight')[2].lstrip('/')}:{frame.lineno}"
        _fail(f"internal error: {type(error).__name__} at {place}; please report it", 1)


def _fail(message: str, code: int) -> None:
    print(f"plainsight: {message}", file=sys.stderr)
    sys.exit(code)
