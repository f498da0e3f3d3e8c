"""``plainsight key``: make and check the secret key of surrogates, and make a person's signing key."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

from typer import Argument, Option, Typer

from plainsight.errors import UsageError
from plainsight.run.keys import new_key, read_key

app = Typer(
    add_completion=False,
    help="Make and check secret keys, from which surrogates are drawn, and signing keys. None is ever shown.",
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


@app.command()
def signer(
    file: Annotated[
        Path | None,
        Argument(help="Where the key goes; its public part goes to FILE.pub.", show_default=False),
    ] = None,
    keyring: Annotated[
        str | None, Option(metavar="NAME", help="Put the key into the system's keyring instead.")
    ] = None,
) -> None:
    """Make the key with which a person signs releases (Ed25519).

    A file is protected by a passphrase of at least 12 characters, which is asked for or taken from
    $PLAINSIGHT_SIGNING_PASSPHRASE. Give FILE.pub, or the fingerprint that is printed, to those who check what
    the person signed. A key is never overwritten.

    Example: plainsight key signer officer.key
    """
    from plainsight.cli.release import passphrase
    from plainsight.review import signing

    if (file is None) == (keyring is None):
        raise UsageError("give a file for the key, or --keyring NAME")
    if file is not None:
        made = signing.new_signing_key(file, passphrase(new=True))
    else:
        made = signing.new_signing_key_in_keyring(keyring or "")
    print(f"{file or keyring}: a new signing key, fingerprint {signing.public_fingerprint(made.public)}")
