"""Who asks, and whether they may: cookies, CSRF, roles, one-time links, slow guessing, protecting headers.

A request that changes anything carries the session's own word in a header, which no other site can read or
send. The cookie is strict, so no other site's request carries it at all.
"""

from __future__ import annotations

import hmac
import secrets
import threading
from collections import OrderedDict, deque
from collections.abc import Callable
from typing import Annotated, Any

from fastapi import Depends, HTTPException, Request
from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from plainsight.review.project import Project
from plainsight.review.users import ABSOLUTE, ADJUDICATOR, ADMIN, REVIEWER, Session, User

COOKIE = "plainsight_session"
CSRF = "X-CSRF-Token"
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "font-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
)
"""The content security policy of every answer: nothing inline, nothing from elsewhere."""

HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
}
_SAFE = frozenset({"GET", "HEAD", "OPTIONS"})

_WINDOW = 15 * 60.0  # seconds for which a wrong password counts
_PER_NAME_HERE, _PER_ADDRESS, _PER_NAME = 5, 20, 50  # wrong passwords in that time
_REMEMBERED = 10_000  # names and addresses
_HASHING = 2  # passwords that are checked at the same time: each takes 64 MB
_LINK_LIVES = 15 * 60.0


def project_of(request: Request) -> Project:
    """Return the project that the application serves."""
    project: Project = request.app.state.project
    return project


def session_of(request: Request) -> Session:
    """Return the session of a request; 401 without one, 403 when a change lacks the session's word."""
    session = project_of(request).users.session(request.cookies.get(COOKIE, ""))
    if session is None:
        raise HTTPException(401, "not logged in")
    if request.method not in _SAFE:
        given = request.headers.get(CSRF, "")
        if not hmac.compare_digest(given.encode(), session.csrf.encode()):
            raise HTTPException(403, f"the header {CSRF} is missing or wrong")
    return session


def _with_role(role: str) -> Callable[[Session], User]:
    def user(session: Annotated[Session, Depends(session_of)]) -> User:
        if not session.user.may(role):
            raise HTTPException(403, f"this is for the role {role}")
        return session.user

    return user


reviewer, adjudicator, admin = map(_with_role, (REVIEWER, ADJUDICATOR, ADMIN))

Reviewer = Annotated[User, Depends(reviewer)]
"""The person who asks: anybody who is logged in."""
Adjudicator = Annotated[User, Depends(adjudicator)]
"""The person who asks, who may decide between readers."""
Admin = Annotated[User, Depends(admin)]
"""The person who asks, who may do everything."""
The = Annotated[Project, Depends(project_of)]
"""The project."""


def set_cookie(response: Any, token: str, *, secure: bool) -> None:
    """Give the browser the cookie of a session."""
    response.set_cookie(
        COOKIE, token, max_age=int(ABSOLUTE), path="/", secure=secure, httponly=True, samesite="strict"
    )


class Link:
    """A secret that logs in once, for the browser that the command opens."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self.token = secrets.token_urlsafe(32)
        self._until = clock() + _LINK_LIVES
        self._clock = clock
        self._turn = threading.Lock()
        self._used = False

    def use(self, token: str) -> bool:
        """Whether a token is the secret, which then counts no more."""
        with self._turn:
            right = hmac.compare_digest(token.encode("utf-8", "replace"), self.token.encode())
            if not right or self._used or self._clock() > self._until:
                return False
            self._used = True
            return True


class Guesses:
    """Count wrong passwords, and say how long to wait after too many.

    They count for a name from one address, for an address, and for a name from anywhere; the last limit is
    wide, because it locks out the right person as well.
    """

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._turn = threading.Lock()
        self._wrong: OrderedDict[tuple[str, str], deque[float]] = OrderedDict()
        self.hashing = threading.BoundedSemaphore(_HASHING)

    def begin(self, name: str, address: str) -> float:
        """Return how many seconds to wait before a try; 0 for none.

        A try that may begin counts as wrong until it was `right`, so that tries at the same time all count.
        """
        now = self._clock()
        with self._turn:
            wait = max(self._left(key, limit, now) for key, limit in _keys(name, address))
            if wait <= 0:
                self._count(name, address, now)
            return wait

    def _left(self, key: tuple[str, str], limit: int, now: float) -> float:
        times = self._wrong.get(key, deque())
        while times and times[0] <= now - _WINDOW:
            times.popleft()
        return times[-limit] + _WINDOW - now if len(times) >= limit else 0.0

    def _count(self, name: str, address: str, now: float) -> None:
        for key, limit in _keys(name, address):
            times = self._wrong.setdefault(key, deque(maxlen=limit))
            times.append(now)
            self._wrong.move_to_end(key)
        while len(self._wrong) > _REMEMBERED:
            self._wrong.popitem(last=False)

    def right(self, name: str, address: str) -> None:
        """Forget the wrong passwords of somebody who knew the right one, and that this try was counted."""
        with self._turn:
            for key, _ in _keys(name, address):
                if times := self._wrong.get(key):
                    times.pop()
            self._wrong.pop((name, address), None)


def _keys(name: str, address: str) -> list[tuple[tuple[str, str], int]]:
    return [((name, address), _PER_NAME_HERE), (("", address), _PER_ADDRESS), ((name, ""), _PER_NAME)]


class Headers:
    """Put the headers that protect a page on every answer, and let no answer be kept."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return

        async def sending(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)  # a report has a policy of its own
                headers.setdefault("Cache-Control", "no-store")
            await send(message)

        await self.app(scope, receive, sending)
