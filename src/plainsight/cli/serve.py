"""``plainsight serve``: answer over HTTP; ``plainsight serve token``: who may ask."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from typer import Argument, Context, Option, Typer

from plainsight import load
from plainsight.cli import options
from plainsight.errors import UsageError
from plainsight.interop.packages import need
from plainsight.run.processes import Limits

if TYPE_CHECKING:
    from plainsight.serve.tokens import Scope

_TOKENS = Path("tokens.json")
_INSTALL = "'plainsight[serve]'"

app = Typer(
    add_completion=False,
    help="Answer over HTTP: detect, de-identify, streams, FHIR, and what Presidio's services answer.",
    rich_markup_mode="markdown",
)
token = Typer(help="Make, list and revoke the tokens that clients of the service show.", no_args_is_help=True)
app.add_typer(token, name="token")

TokenFile = Annotated[Path, Option("--tokens", metavar="FILE", help="The file of tokens.")]


@dataclass(frozen=True, slots=True, kw_only=True)
class ListenOptions:
    """Where the service listens."""

    host: Annotated[str, Option(help="The address to listen on; 0.0.0.0 is every one.")] = "127.0.0.1"
    port: Annotated[int, Option(min=1, max=65535, help="The port to listen on.")] = 8765
    certificate: Annotated[Path | None, Option(help="Speak HTTPS: the certificate chain (PEM).")] = None
    certificate_key: Annotated[Path | None, Option(help="Speak HTTPS: the certificate's key (PEM).")] = None
    client_authority: Annotated[
        Path | None, Option(help="Only clients with a certificate of these authorities (PEM) may connect.")
    ] = None
    plain_http: Annotated[
        bool, Option("--plain-http", help="Allow HTTP beyond this machine: a proxy in front speaks HTTPS.")
    ] = False


@dataclass(frozen=True, slots=True, kw_only=True)
class LimitOptions:
    """What requests may be."""

    max_mb: Annotated[int, Option(min=1, help="Megabytes of a request, or of a line of a stream.")] = 16
    max_notes: Annotated[int, Option(min=1, help="Notes of a request that is no stream.")] = 1000
    max_seconds: Annotated[float, Option(min=1, help="Seconds until a request is given up.")] = 120
    max_requests: Annotated[
        int, Option(min=1, help="Requests under way or waiting; more are told to come back (429).")
    ] = 256
    note_seconds: Annotated[
        float, Option(min=0, help="Set a note aside that takes longer, for each 200,000 characters.")
    ] = 30
    note_memory: Annotated[
        int, Option(min=0, metavar="MB", help="Set a note aside that needs more memory (Linux).")
    ] = 4096
    stop_seconds: Annotated[int, Option(min=0, help="Seconds to finish requests when stopped.")] = 30


@app.callback(invoke_without_command=True)
@options.grouped
def serve(
    context: Context,
    *,
    policy: Annotated[
        list[str],
        Option(
            "--policy",
            "-p",
            help="A policy to offer; give it again for more. The first is the default.",
            autocompletion=options.complete_policy,
        ),
    ] = ["balanced"],  # noqa: B006 - typer copies it
    key_options: options.KeyOptions,
    tokens: Annotated[
        Path | None, Option(metavar="FILE", help="Who may ask: see `plainsight serve token`.")
    ] = None,
    processes: Annotated[
        int,
        Option(
            parser=options.processes, metavar="N|auto", help="Processes that do notes; auto: one per core."
        ),
    ] = 1,
    listen_options: ListenOptions,
    limit_options: LimitOptions,
) -> None:
    """Answer over HTTP until it is stopped; a stop finishes what runs.

    On this machine alone (127.0.0.1) no token is needed; anywhere else one is. With a key, a patient gets the
    same surrogates in every request; without one, until the service stops. Logs are JSON lines on standard
    error, without anything of a note.

    Example: plainsight serve --policy balanced --key-file project.key --processes auto
    """
    if context.invoked_subcommand is not None:
        return
    need("fastapi", _INSTALL), need("uvicorn", _INSTALL), need("prometheus_client", _INSTALL)
    from plainsight.serve.gate import is_loopback
    from plainsight.serve.limits import RequestLimits
    from plainsight.serve.server import Listen, serve
    from plainsight.serve.service import Settings, create_app
    from plainsight.serve.tokens import Tokens

    here = is_loopback(listen_options.host)
    if tokens is None and not here:
        raise UsageError(
            "beyond this machine, clients need tokens: give --tokens (see `plainsight serve token`)"
        )
    if not here and not listen_options.certificate and not listen_options.plain_http:
        raise UsageError(
            "beyond this machine, notes need HTTPS: give --certificate, or --plain-http behind a proxy"
        )
    if (listen_options.certificate is None) != (listen_options.certificate_key is None):
        raise UsageError("HTTPS needs both --certificate and --certificate-key")
    if listen_options.client_authority and not listen_options.certificate:
        raise UsageError("--client-authority is for HTTPS: give --certificate and --certificate-key")
    for file in (listen_options.certificate, listen_options.certificate_key, listen_options.client_authority):
        if file is not None and not file.is_file():
            raise UsageError(f"no file at {file}")
    known = None
    if tokens is not None:
        known = Tokens(tokens)
        if not list(known):
            raise UsageError(f"{tokens} has no token: plainsight serve token new NAME --tokens {tokens}")
    key = key_options.find()
    pipelines = [load(name, key=key.secret if key else None) for name in policy]
    names = [pipeline.policy.name for pipeline in pipelines]
    if len({*names}) < len(names):
        raise UsageError("two policies have the same name")
    size = limit_options.max_mb << 20
    settings = Settings(
        policies=dict(zip(names, pipelines, strict=True)),
        key=key.secret if key else None,
        tokens=known,
        processes=processes,
        limits=RequestLimits(
            body_bytes=size,
            notes=limit_options.max_notes,
            seconds=limit_options.max_seconds,
            requests=limit_options.max_requests,
            held_bytes=max(256 << 20, 4 * size),
        ),
        note_limits=Limits(
            seconds=limit_options.note_seconds or None, megabytes=limit_options.note_memory or None
        ),
    )
    listen = Listen(
        host=listen_options.host,
        port=listen_options.port,
        certificate=listen_options.certificate,
        certificate_key=listen_options.certificate_key,
        client_authority=listen_options.client_authority,
        stop_seconds=limit_options.stop_seconds,
    )
    serve(create_app(settings), listen)


@token.command()
def new(
    name: Annotated[str, Argument(help="Whose it is, for logs: a team, an application.", show_default=False)],
    tokens: TokenFile = _TOKENS,
    days: Annotated[int, Option(min=0, help="Days until it ends; 0: never.")] = 365,
    metrics: Annotated[bool, Option("--metrics", help="It reads /metrics, and no notes.")] = False,
) -> None:
    """Make a token and print it. It is shown this once; the file holds its digest.

    Example: plainsight serve token new ward-7 --tokens tokens.json
    """
    need("fastapi", _INSTALL)
    from plainsight.serve.tokens import Tokens, now

    if not name.isprintable() or not 0 < len(name) <= 64:
        raise UsageError("a name has 1 to 64 printable characters")
    made = now()
    scope: Scope = "metrics" if metrics else "notes"
    expires = made + timedelta(days=days) if days else None
    print(Tokens(tokens).new(name, scope=scope, expires=expires, now=made))
    if sys.stdout.isatty():
        print(f"shown this once; {tokens} holds its digest", file=sys.stderr)


@token.command(name="list")
def list_tokens(tokens: TokenFile = _TOKENS) -> None:
    """List tokens: id, name, what for, when made and when they end. The tokens themselves are not kept.

    Example: plainsight serve token list --tokens tokens.json
    """
    from plainsight.serve.tokens import Tokens

    for one in Tokens(tokens):
        ends = f"until {one.expires:%Y-%m-%d}" if one.expires else "without end"
        print(f"{one.id}  {one.name}  {one.scope}  made {one.made:%Y-%m-%d}  {ends}")


@token.command()
def revoke(
    id: Annotated[str, Argument(help="The token's id, as `list` shows it.", show_default=False)],  # noqa: A002
    tokens: TokenFile = _TOKENS,
) -> None:
    """Revoke a token. A running service refuses it at once.

    Example: plainsight serve token revoke 1f2e3d4c --tokens tokens.json
    """
    from plainsight.serve.tokens import Tokens

    gone = Tokens(tokens).revoke(id)
    print(f"{gone.id} ({gone.name}) is revoked")
