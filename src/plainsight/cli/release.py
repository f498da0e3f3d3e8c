"""``plainsight release``: freeze a project's finished notes, and sign them."""

from __future__ import annotations

import getpass
import os
import sys
from pathlib import Path
from typing import Annotated

from typer import Option

from plainsight.cli.opened_project import ProjectFolder, opened
from plainsight.cli.options import KeyOptions, grouped
from plainsight.errors import UsageError, plural
from plainsight.run.ids import IdChoice

PASSPHRASE = "PLAINSIGHT_SIGNING_PASSPHRASE"
"""The environment variable that may hold the passphrase of a signing key."""


@grouped
def release(
    *,
    project: ProjectFolder,
    output: Annotated[Path, Option("-o", "--output", metavar="OUT", help="A new folder for the release.")],
    name: Annotated[str, Option("--name", help="Who signs: the name as it shall stand in the report.")],
    statement: Annotated[
        str, Option(help="What the person says: that they have read the figures, and what they conclude.")
    ],
    signing_key: Annotated[
        Path | None,
        Option(metavar="FILE", help="The person's signing key, made with `plainsight key signer`."),
    ] = None,
    signing_keyring: Annotated[
        str | None, Option(metavar="NAME", help="The name of the signing key in the system's keyring.")
    ] = None,
    ids: Annotated[
        IdChoice, Option(help="Ids of the released notes: codes drawn with the key, as they are, or numbers.")
    ] = IdChoice.KEYED,
    leave_out_unread: Annotated[
        bool, Option("--leave-out-unread", help="Release the finished notes, though others are not finished.")
    ] = False,
    release_unread: Annotated[
        bool,
        Option(
            "--release-unread", help="Release the others, too, as the policy marks them, with what leaks."
        ),
    ] = False,
    key_options: KeyOptions,
) -> None:
    """Freeze the finished notes of a review project into a release that a person signs.

    OUT gets the de-identified notes, a report (HTML, which prints well), the same for machines with a
    checksum of every file, and the signature. If anything is missing, such as an audit note that nobody has
    read, nothing is written and the message says what. `plainsight verify OUT` finds any later change.

    The passphrase of the signing key is asked for, or taken from $PLAINSIGHT_SIGNING_PASSPHRASE.

    Example:

        plainsight release ward/ -o release-1/ --name "Dr. A. Officer" --signing-key officer.key
        --statement "I have read the report. The risk that somebody is identified is very small."
    """
    from plainsight.review import release as releasing
    from plainsight.review.signing import open_signing_key, open_signing_key_in_keyring

    if (signing_key is None) == (signing_keyring is None):
        raise UsageError("a release needs one signing key: --signing-key FILE or --signing-keyring NAME")
    with opened(project, key_options) as one:
        unread = {"leave_out_unread": leave_out_unread, "release_unread": release_unread}
        if needed := releasing.missing(one, **unread):
            raise UsageError("this cannot be released: " + "; ".join(needed))
        if signing_key is not None:
            signer = open_signing_key(signing_key, passphrase())
        else:
            signer = open_signing_key_in_keyring(signing_keyring or "")
        made = releasing.release(
            one,
            output,
            signer=signer,
            name=name,
            statement=statement,
            by=getpass.getuser(),
            ids=ids,
            **unread,
        )
    fingerprint = made.record["signer"]["fingerprint"]
    notes = plural(made.record["notes"]["released"], "note")
    print(f"{notes} -> {output}, signed by {name} with the key {fingerprint}", file=sys.stderr)


def passphrase(*, new: bool = False) -> str:
    """Return the passphrase of a signing key: from the environment, a pipe, or asked for."""
    given = os.environ.get(PASSPHRASE)
    if given is not None:
        return given
    if not sys.stdin.isatty():
        return sys.stdin.readline().rstrip("\n")
    first = getpass.getpass("Passphrase of the signing key: ")
    if new and first != getpass.getpass("Again: "):
        raise UsageError("the passphrases differ")
    return first
