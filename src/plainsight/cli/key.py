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

    Who has the key and a released note can find out who is behind it; keep it apart from both. Who loses
    it cannot make the same surrogates again, nor restore anything. It is never overwritten.

    Example: plainsight key new project.key
    """
    print(f"{file}: a new key, fingerprint {new_key(file).fingerprint}")


@app.command()
def check(file: Annotated[Path, Argument(help="A key file.", show_default=False)]) -> None:
    """Tell whether a key can be used, and its fingerprint, by which two people can compare their keys.

    Example: plainsight key check project.key
    """
    key = read_key(file)
    print(f"{file}: {len(key.secret)} bytes, fingerprint {key.fingerprint}")
    if key.warning:
        print(f"warning: {key.warning}", file=sys.stderr)
