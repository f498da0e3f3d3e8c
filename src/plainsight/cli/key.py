"""``plainsight key``: make and check the secret key of surrogates."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

from typer import Argument, Typer

from plainsight.run.keys import new_key, read_key

app = Typer(
    add_completion=False,
    help="Make and check secret keys, from which surrogates are drawn. A key is never shown.",
    no_args_is_help=True,
)


@app.command()
def new(file: Annotated[Path, Argument(help="Where the key goes.", show_default=False)]) -> None:
    """Make a key: 32 random bytes as a line of base64, in a file that only its owner can read.

    With the key and a released note, one can find out who the patient is: keep the key apart from the notes.
    Without it, the same surrogates cannot be made again, and nothing can be restored. It is never
    overwritten.

    Example: plainsight key new project.key
    """
    print(f"{file}: a new key, fingerprint {new_key(file).fingerprint}")


@app.command()
def check(file: Annotated[Path, Argument(help="A key file.", show_default=False)]) -> None:
    """Check a key file and print the key's fingerprint, by which two people can compare their keys.

    Example: plainsight key check project.key
    """
    key = read_key(file)
    print(f"{file}: {len(key.secret)} bytes, fingerprint {key.fingerprint}")
    if key.warning:
        print(f"warning: {key.warning}", file=sys.stderr)
