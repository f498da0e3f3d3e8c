"""``plainsight review``: the review app for one project, in the browser."""

from __future__ import annotations

import contextlib
import ipaddress
import socket
import sys
import threading
import webbrowser
from pathlib import Path
from typing import Annotated

from typer import Option, confirm

from plainsight.cli.opened_project import ProjectFolder
from plainsight.cli.options import EngineOptions, InputOptions, KeyOptions, PolicyName, grouped
from plainsight.cli.project import import_into, new_project
from plainsight.errors import UsageError
from plainsight.sources.places import place


@grouped
def review(
    *,
    project: ProjectFolder,
    source: Annotated[
        Path | None,
        Option("--import", parser=place, metavar="NOTES", help="Import these notes first, in any format."),
    ] = None,
    policy: PolicyName = "balanced",
    host: Annotated[str, Option(help="The address to listen on. Default: this machine alone.")] = "127.0.0.1",
    port: Annotated[int, Option(min=0, max=65535, help="The port to listen on; 0: any free one.")] = 8421,
    browser: Annotated[bool, Option(help="Open the page in the browser.")] = True,
    certificate: Annotated[
        Path | None, Option(metavar="PEM", help="HTTPS: the certificate, with those between it and the root.")
    ] = None,
    certificate_key: Annotated[
        Path | None, Option(metavar="PEM", help="HTTPS: the certificate's private key.")
    ] = None,
    name: Annotated[
        list[str] | None, Option("--name", help="A name under which browsers reach this machine.")
    ] = None,
    input_options: InputOptions,
    engine_options: EngineOptions,
    key_options: KeyOptions,
) -> None:
    """Read doubtful notes in the browser and correct their marks.

    Opens a page of this machine by a link that logs in once, as the project's admin. A project that does not
    exist is made with `--import`, or after a question. Everything stays on this machine. For a team, add
    people with `plainsight project users`, and listen on another address with a certificate.

    Example: plainsight review ward/ --import notes.csv
    """
    from plainsight.review.folder import is_project
    from plainsight.review.project import Project

    local = _is_local(host)
    if not local and not (certificate and certificate_key):
        raise UsageError("passwords and notes would travel in the clear: give --certificate and its key")
    listening = _listen(host, port)
    if not is_project(project):
        if source is None and not (sys.stdin.isatty() and confirm(f"No project at {project}. Make one?")):
            raise UsageError(f"no project at {project}: give --import NOTES to make one")
        new_project(project, policy=policy, key=key_options.secret)
    with Project.open(project, key=key_options.secret) as opened, listening:
        if source is not None:
            import_into(opened, source, input_options, engine_options)
        from plainsight.serve.review_app import review_app, serve

        names = ["127.0.0.1", "localhost", "[::1]"] if local else list(name or [])
        app = review_app(opened, hosts=names, secure=certificate is not None)
        port = listening.getsockname()[1]
        if local:
            shown = f"[{host}]" if ":" in host else host
            link = f"{'https' if certificate else 'http'}://{shown}:{port}/start?token={app.state.link.token}"
            print(f"{opened.name}: {link}\nThe link works once. Stop with Ctrl-C.", flush=True)
            if browser:
                threading.Thread(target=_open, args=[link], daemon=True).start()
        else:
            print(f"{opened.name}: listening on port {port}. Stop with Ctrl-C.", flush=True)
        with contextlib.suppress(KeyboardInterrupt):
            serve(app, listening, certificate=certificate, certificate_key=certificate_key)


def _is_local(host: str) -> bool:
    try:
        return host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def _listen(host: str, port: int) -> socket.socket:
    try:
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        return socket.create_server((host, port), family=family)
    except OSError as error:
        raise UsageError(f"cannot listen on port {port} of {host}: {error.strerror}") from None


def _open(link: str) -> None:
    with contextlib.suppress(Exception):  # without a browser, the link is printed
        webbrowser.open(link)
