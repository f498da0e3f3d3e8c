"""``plainsight project``: make a review project, and do without a browser what the review app does."""

from __future__ import annotations

import getpass
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from typer import Argument, Exit, Option, Typer

from plainsight import registry
from plainsight.cli.notes import Job
from plainsight.cli.opened_project import ProjectFolder, opened
from plainsight.cli.options import (
    EngineOptions,
    Force,
    InputOptions,
    KeyOptions,
    Out,
    PolicyName,
    check_paths,
    complete_format,
    grouped,
)
from plainsight.cli.project_learn import learn
from plainsight.cli.results import print_tables
from plainsight.errors import UsageError, plural, printable
from plainsight.formats.base import write_all
from plainsight.formats.guess import guess
from plainsight.run.processes import Limits
from plainsight.sources.places import place

if TYPE_CHECKING:
    from plainsight.review.project import Project

app = Typer(
    add_completion=False,
    help="Review projects: notes with marks that people check. `plainsight review` opens one in the browser.",
    no_args_is_help=True,
)
_users = Typer(help="Who may log in, and as what.", no_args_is_help=True)
_log = Typer(help="The audit log: who did what.", no_args_is_help=True)
app.add_typer(_users, name="users")
app.add_typer(_log, name="log")
app.command()(learn)

UserName = Annotated[str, Argument(metavar="NAME", help="The person's name.", show_default=False)]
Role = Annotated[str, Option(help="reviewer, adjudicator or admin.")]


def new_project(
    folder: Path,
    *,
    policy: str,
    key: bytes | None,
    url: str | None = None,
    readers: int = 1,
    audit: float = 0.05,
    seed: int = 0,
) -> None:
    """Make a project, and say so."""
    from plainsight.review.project import Project

    with Project.create(
        folder, policy=policy, key=key, url=url, readers=readers, audit=audit, seed=seed
    ) as made:
        where = "" if key else f"; its key is {folder / 'project.key'}: keep a copy elsewhere"
        print(f"{folder}: a new project, policy {made.policy.name}{where}", file=sys.stderr)


def import_into(
    project: Project,
    source: Path,
    input_options: InputOptions,
    engine_options: EngineOptions,
    *,
    audit: float | None = None,
    marked: bool = False,
) -> int:
    """Import notes into a project and say what was done; return how many notes were set aside."""
    job = Job(source=source, output=Path(), input=input_options)
    limits = Limits(seconds=engine_options.note_seconds or None, megabytes=engine_options.note_memory or None)
    done = project.import_notes(
        job.notes(), audit=audit, marked=marked, processes=engine_options.processes, limits=limits
    )
    there = f", {done.skipped} were there" if done.skipped else ""
    print(f"{plural(done.added, 'note')} imported{there}", file=sys.stderr)
    if done.set_aside:
        print(f"{plural(len(done.set_aside), 'note')} set aside", file=sys.stderr)
        for item in done.set_aside[:10]:
            print(printable(f"  {item.where or item.id}: {item.reason}"), file=sys.stderr)
    return len(done.set_aside)


@app.command()
@grouped
def new(
    *,
    project: ProjectFolder,
    policy: PolicyName = "balanced",
    database: Annotated[
        str | None,
        Option(metavar="URL", help="A PostgreSQL database. Default: a file in the project's folder."),
    ] = None,
    readers: Annotated[
        int, Option(min=1, max=9, help="How many people read each note, blind to each other.")
    ] = 1,
    audit: Annotated[
        str,
        Option(help="How many notes of each import are drawn for the audit sample: 5% or 50, say."),
    ] = "5%",
    seed: Annotated[int, Option(help="Random seed of the audit sample.")] = 0,
    key_options: KeyOptions,
) -> None:
    """Make a review project.

    Its folder holds the notes' text, encrypted. Without a key, one is made and kept beside it.

    Example: plainsight project new ward/ --readers 2 --audit 50
    """
    new_project(
        project, policy=policy, key=key_options.secret, url=database, readers=readers,
        audit=_audit(audit), seed=seed,
    )  # fmt: skip


def _audit(given: str) -> float:
    """Read a share or a number."""
    try:
        if given.endswith("%"):
            share = float(given[:-1]) / 100
            if 0 <= share <= 1:
                return share
        elif int(given) >= 0:
            return int(given)
    except ValueError:
        pass
    raise UsageError("the audit sample is a share, such as 5%, or a number of notes")


@app.command("import")
@grouped
def import_(
    *,
    project: ProjectFolder,
    source: Annotated[Path, Argument(parser=place, metavar="NOTES", help="Notes in any format.")],
    marked: Annotated[
        bool, Option("--marked", help="Take the marks that the notes have, instead of running the policy.")
    ] = False,
    audit: Annotated[
        str | None, Option(help="How many of these notes are drawn for the audit sample: 5% or 50, say.")
    ] = None,
    input_options: InputOptions,
    engine_options: EngineOptions,
    key_options: KeyOptions,
) -> None:
    """Import notes: find identifiers by the project's policy, and put the notes into the queue.

    Notes whose id is there are skipped, so a run that was stopped goes on.

    Example: plainsight project import ward/ notes.csv --processes auto
    """
    with opened(project, key_options) as one:
        share = None if audit is None else _audit(audit)
        if import_into(one, source, input_options, engine_options, audit=share, marked=marked):
            raise Exit(1)


@app.command()
@grouped
def export(
    *,
    project: ProjectFolder,
    output: Out,
    output_format: Annotated[
        str | None, Option(help="Output format. Default: by OUT's name.", autocompletion=complete_format)
    ] = None,
    force: Force = False,
    key_options: KeyOptions,
) -> None:
    """Write the notes that are read, with the marks that they were left with. The text is the original one.

    Example: plainsight project export ward/ -o read.jsonl
    """
    check_paths([], [output], force=force)
    with opened(project, key_options) as one:
        documents = list(one.final_documents())
        name = output_format or guess(output)
        write_all(registry.create("formats", name), documents, output, span_column=True)
        one.log(getpass.getuser(), f"export {len(documents)} notes")
    print(f"{plural(len(documents), 'note')} -> {output}", file=sys.stderr)


@app.command()
@grouped
def agreement(*, project: ProjectFolder, key_options: KeyOptions) -> None:
    """Show how far readers agree who read the same notes: Cohen's kappa over tokens.

    Example: plainsight project agreement ward/
    """
    from plainsight.review.agreement import agreements

    with opened(project, key_options) as one:
        rows = [
            (
                *pair.readers,
                pair.notes,
                pair.agreement.tokens,
                pair.agreement.kappa,
                pair.agreement.kappa_marked,
            )
            for pair in agreements(one)
        ]
    if not rows:
        print("no note was read by two people")
        return
    head = ("reader", "reader", "notes", "tokens", "kappa", "kappa, marked or not")
    print_tables([("Agreement (Cohen's kappa over tokens)", head, rows)])


@_users.command("list")
@grouped
def list_users(*, project: ProjectFolder, key_options: KeyOptions) -> None:
    """List who may log in.

    Example: plainsight project users list ward/
    """
    with opened(project, key_options) as one:
        rows = [
            (user.name, user.role, "locked out" if user.disabled else "", "" if user.has_password else "none")
            for user in one.users.all()
        ]
    print_tables([("Users", ("name", "role", "", "password"), rows)])


@_users.command("add")
@grouped
def add_user(
    *, project: ProjectFolder, name: UserName, role: Role = "reviewer", key_options: KeyOptions
) -> None:
    """Add a person; the password is asked for, or read from a pipe.

    Example: plainsight project users add ward/ ann --role adjudicator
    """
    with opened(project, key_options) as one:
        one.users.add(name, role, _password(), by=getpass.getuser())
    print(f"{name} may log in as {role}", file=sys.stderr)


@_users.command("change")
@grouped
def change_user(
    *,
    project: ProjectFolder,
    name: UserName,
    role: Annotated[str | None, Option(help="reviewer, adjudicator or admin.")] = None,
    password: Annotated[bool, Option("--password", help="Ask for a new password.")] = False,
    locked: Annotated[
        bool | None, Option("--lock-out/--let-in", help="Whether the person may log in.", show_default=False)
    ] = None,
    key_options: KeyOptions,
) -> None:
    """Change a person's role or password, or lock them out; their sessions end.

    Example: plainsight project users change ward/ ann --lock-out
    """
    with opened(project, key_options) as one:
        user = one.users.find(name)
        if user is None:
            raise UsageError("nobody has this name")
        one.users.change(
            user.id, by=getpass.getuser(), role=role, password=_password() if password else None,
            disabled=locked,
        )  # fmt: skip


def _password() -> str:
    if not sys.stdin.isatty():
        return sys.stdin.readline().rstrip("\n")
    first = getpass.getpass("Password: ")
    if first != getpass.getpass("Again: "):
        raise UsageError("the passwords differ")
    return first


@_log.command("check")
@grouped
def check_log(*, project: ProjectFolder, key_options: KeyOptions) -> None:
    """Check that no entry of the audit log, and nothing that a release counts on, was changed from outside.

    Example: plainsight project log check ward/
    """
    with opened(project, key_options) as one:
        one.seals.check()
        count = one.audit_log.check()
        print(f"{count} entries, none changed or missing; the last is {one.audit_log.end[:16]}")


@_log.command("show")
@grouped
def show_log(
    *,
    project: ProjectFolder,
    last: Annotated[int, Option(min=1, help="How many entries.")] = 50,
    key_options: KeyOptions,
) -> None:
    """Show the last entries of the audit log.

    Example: plainsight project log show ward/ --last 20
    """
    from collections import deque
    from datetime import UTC, datetime

    with opened(project, key_options) as one:
        entries = deque(one.audit_log.entries(), maxlen=last)
    rows = [
        (
            entry.seq, f"{datetime.fromtimestamp(entry.at, UTC):%Y-%m-%d %H:%M:%S}", printable(entry.user),
            printable(entry.action), "" if entry.note is None else entry.note, entry.label or "",
        )
        for entry in entries
    ]  # fmt: skip
    print_tables([("Audit log (times are UTC)", ("", "at", "user", "action", "note", "label"), rows)])
