"""The review app: the pages, and the routes under ``/api`` that they call, for one project."""

from __future__ import annotations

import json
import logging
import mimetypes
import re
from collections.abc import Sequence
from importlib.resources import files
from pathlib import Path
from socket import socket
from typing import Any

from fastapi import FastAPI, HTTPException, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import FileResponse, RedirectResponse
from starlette.exceptions import HTTPException as StarletteHTTPException
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.responses import JSONResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from plainsight.errors import DataError, PlainsightError, UsageError
from plainsight.review.notes import MissingNoteError
from plainsight.review.project import Project
from plainsight.review.readings import StaleError
from plainsight.run.core_dumps import no_core_dumps
from plainsight.run.processes import LIMITS, Limits
from plainsight.serve import evidence_routes, review_routes, review_routes_notes, review_routes_team
from plainsight.serve.logs import log, set_up
from plainsight.serve.review_routes_notes import LARGEST_UPLOAD
from plainsight.serve.sessions import Guesses, Headers, Link, set_cookie

PAGES = (
    "/", "/login", "/dashboard", "/search", "/adjudicate", "/claims", "/users", "/releases", "/learning",
)  # fmt: skip
"""The addresses that answer the shell of the pages, which holds no data."""

PUBLIC = frozenset({*PAGES, "/assets/{name}", "/start", "/api/login"})
"""The routes that need no session."""

LARGEST_BODY = 4 << 20
UPLOAD = "/api/import"
_ASSET = re.compile(r"[a-z0-9_-]+\.(js|css|svg|html)")


class Json(JSONResponse):
    """JSON in ASCII, so that a text that is no proper Unicode can be sent, too."""

    def render(self, content: Any) -> bytes:
        """Return the bytes."""
        return json.dumps(content, separators=(",", ":"), allow_nan=False).encode()


def review_app(
    project: Project, *, hosts: Sequence[str] = (), secure: bool = False, limits: Limits | None = LIMITS
) -> FastAPI:
    """Return the application of a project.

    ``hosts`` are the names under which browsers may ask for it; empty allows all. ``secure`` says that it is
    reached by HTTPS, so that the cookie never travels otherwise. ``limits`` are those of each note of an
    import; None reads them in this process.
    """
    app = FastAPI(
        title="plainsight review",
        docs_url=None,
        redoc_url=None,
        openapi_url=None,
        default_response_class=Json,
    )
    app.state.project = project
    app.state.link = Link(project.clock)
    app.state.guesses = Guesses(project.clock)
    app.state.secure = secure
    app.state.limits = limits
    _handle_errors(app)
    rooms = (review_routes, review_routes_notes, review_routes_team, evidence_routes)
    for router in (router for room in rooms for router in room.ROUTERS):
        app.include_router(router)
    _add_pages(app)
    app.add_middleware(_Failures)
    app.add_middleware(_Bodies)
    if hosts:
        app.add_middleware(TrustedHostMiddleware, allowed_hosts=list(hosts), www_redirect=False)
    app.add_middleware(Headers)
    return app


def _add_pages(app: FastAPI) -> None:
    folder = Path(str(files("plainsight.serve") / "pages"))

    def shell() -> Response:
        return _asset(folder, "index.html")

    for page in PAGES:
        app.get(page, include_in_schema=False)(shell)

    @app.get("/assets/{name}", include_in_schema=False)
    def asset(name: str) -> Response:
        return _asset(folder, name)

    @app.get("/start", include_in_schema=False)
    def start(request: Request, token: str = "") -> Response:
        """Log the browser in that the command opened."""
        if not request.app.state.link.use(token):
            raise HTTPException(403, "this link was used or is too old: run the command again")
        users = request.app.state.project.users
        response = RedirectResponse("/", 303)
        admin = request.app.state.project.local_admin()
        set_cookie(response, users.begin_session(admin), secure=request.app.state.secure)
        return response


def _asset(folder: Path, name: str) -> Response:
    file = folder / name
    if not _ASSET.fullmatch(name) or not file.is_file():
        raise HTTPException(404, "no such file")
    kind = "text/javascript" if name.endswith(".js") else mimetypes.guess_type(name)[0]
    return FileResponse(file, media_type=kind, headers={"Cache-Control": "no-cache"})


def _handle_errors(app: FastAPI) -> None:
    """Answer errors without any word of the request or of a note."""

    @app.exception_handler(StarletteHTTPException)
    def _http(_: Request, error: StarletteHTTPException) -> Response:
        return Json({"detail": error.detail}, error.status_code, headers=error.headers)

    @app.exception_handler(RequestValidationError)
    def _malformed(_: Request, error: RequestValidationError) -> Response:
        places = sorted({".".join(str(part) for part in one["loc"][:2]) for one in error.errors()})
        return Json({"detail": f"malformed: {', '.join(places)}" if _plain(places) else "malformed"}, 422)

    @app.exception_handler(StaleError)
    def _stale(_: Request, error: StaleError) -> Response:
        return Json({"revision": error.revision, "detail": str(error)}, 409)

    @app.exception_handler(MissingNoteError)
    def _missing(_: Request, error: MissingNoteError) -> Response:
        return Json({"detail": str(error)}, 404)

    @app.exception_handler(DataError)
    @app.exception_handler(UsageError)
    def _refused(_: Request, error: PlainsightError) -> Response:
        return Json({"detail": str(error)}, 422)


def _plain(places: Sequence[str]) -> bool:
    """Whether places are names of our own parameters, not keys that somebody sent."""
    return all(re.fullmatch(r"(body|query|path)(\.[a-z_]{1,20}|\.\d+)?", place) for place in places)


class _Failures:
    """Answer 500 to what nobody foresaw, and log its kind and place: its message could hold note text."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        began = False

        async def sending(message: Message) -> None:
            nonlocal began
            began = began or message["type"] == "http.response.start"
            await send(message)

        try:
            await self.app(scope, receive, sending)
        except Exception as error:
            log("request_failed", level=logging.ERROR, error=error)
            if not began:
                await Json({"detail": "the server failed; see its log"}, 500)(scope, receive, send)


class _Bodies:
    """Refuse bodies that are too long, however they say their length."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        limit = LARGEST_UPLOAD if scope["path"] == UPLOAD else LARGEST_BODY
        said = dict(scope["headers"]).get(b"content-length", b"0")
        if not said.isdigit() or int(said) > limit:
            await Json({"detail": "the body is too long"}, 413)(scope, receive, send)
            return
        taken = 0

        async def receiving() -> Message:
            nonlocal taken
            message = await receive()
            taken += len(message.get("body", b""))
            if taken > limit:
                raise HTTPException(413, "the body is too long")
            return message

        await self.app(scope, receiving, send)


def serve(
    app: FastAPI, listening: socket, *, certificate: Path | None = None, certificate_key: Path | None = None
) -> None:
    """Serve an application on an open socket until a signal stops it; requests under way are finished."""
    import uvicorn

    set_up()
    no_core_dumps()
    config = uvicorn.Config(
        app,
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=False,
        timeout_graceful_shutdown=10,
        ssl_certfile=certificate,
        ssl_keyfile=certificate_key,
    )
    uvicorn.Server(config).run(sockets=[listening])
