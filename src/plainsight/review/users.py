"""The people of a project, their roles and passwords, and who is logged in.

Passwords are hashed with argon2. A name that nobody has costs as much time as a wrong password.
"""

from __future__ import annotations

import hmac
import secrets
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

import sqlalchemy as sa

from plainsight.errors import UsageError
from plainsight.review import store
from plainsight.review.audit_log import AuditLog
from plainsight.review.folder import Folder
from plainsight.review.row_seals import RowSeals
from plainsight.review.store import Store

if TYPE_CHECKING:
    from argon2 import PasswordHasher

REVIEWER, ADJUDICATOR, ADMIN = ROLES = ("reviewer", "adjudicator", "admin")
"""What a person may do: read notes; also decide between readers; everything."""

IDLE, ABSOLUTE = 30 * 60.0, 12 * 3600.0
"""After how many seconds a session ends: without any request, and at last."""

SHORTEST_PASSWORD, LONGEST_PASSWORD = 12, 1024
_LONGEST_NAME = 64
_KEPT_SEEN = 30.0  # seconds until a session's last request is written again


@dataclass(frozen=True, slots=True)
class User:
    """A person of the project; without a password, only the one-time link of the command logs in."""

    id: int
    name: str
    role: str
    disabled: bool
    has_password: bool
    seal: bytes = field(default=b"", repr=False, compare=False)
    """That of the person's row as it was read: it says whether anything was changed since."""

    def may(self, role: str) -> bool:
        """Whether the person's role includes another."""
        return not self.disabled and ROLES.index(self.role) >= ROLES.index(role)


@dataclass(frozen=True, slots=True, repr=False)
class Session:
    """Somebody who is logged in, and the word that their unsafe requests must carry."""

    user: User
    csrf: str


class Users:
    """The people of a project."""

    def __init__(
        self, opened: Store, folder: Folder, seals: RowSeals, log: AuditLog, clock: Callable[[], float]
    ) -> None:
        self._store = opened
        self._seals = seals
        self._session_key = folder.key("sessions")
        self._log = log
        self._clock = clock

    @cached_property
    def _hasher(self) -> PasswordHasher:
        from argon2 import PasswordHasher

        return PasswordHasher()

    @cached_property
    def _nobody(self) -> str:
        """The hash that is checked when nobody has the name."""
        return self._hasher.hash(secrets.token_hex(16))

    def all(self) -> list[User]:
        """Return everybody, by name."""
        with self._store.read() as connection:
            rows = connection.execute(sa.select(store.users).order_by(store.users.c.name)).all()
        return [self._user(row) for row in rows]

    def find(self, name: str) -> User | None:
        """Return the person of a name."""
        with self._store.read() as connection:
            row = connection.execute(sa.select(store.users).where(store.users.c.name == name)).first()
        return None if row is None else self._user(row)

    def add(self, name: str, role: str, password: str | None = None, *, by: str) -> User:
        """Add a person. Names are never given twice, because readings and the audit log hold them."""
        _check_name(name)
        _check_role(role)
        hashed = self._hash(password)
        with self._store.write() as connection:
            if connection.execute(sa.select(store.users.c.id).where(store.users.c.name == name)).first():
                raise UsageError("somebody has this name already")
            with self._seals.changing(connection, store.users, store.users.c.name == name):
                connection.execute(
                    store.users.insert().values(name=name, role=role, password_hash=hashed, disabled=0)
                )
            self._log.add(connection, self._clock(), by, f"add user {name} as {role}")
            row = connection.execute(sa.select(store.users).where(store.users.c.name == name)).one()
        return self._user(row)

    def change(
        self,
        number: int,
        *,
        by: str,
        role: str | None = None,
        password: str | None = None,
        disabled: bool | None = None,
    ) -> User:
        """Change a person's role or password, or lock them out; their sessions end. One admin must stay."""
        values: dict[str, Any] = {}
        said = []
        if role is not None:
            _check_role(role)
            values["role"] = role
            said.append(f"role {role}")
        if password is not None:
            values["password_hash"] = self._hash(password)
            said.append("new password")
        if disabled is not None:
            values["disabled"] = int(disabled)
            said.append("disabled" if disabled else "enabled")
        if not values:
            raise UsageError("nothing to change: give a role, a password, or disabled")
        with self._store.write() as connection:
            row = connection.execute(sa.select(store.users).where(store.users.c.id == number)).first()
            if row is None:
                raise UsageError("nobody has this number")
            with self._seals.changing(connection, store.users, store.users.c.id == number):
                connection.execute(store.users.update().where(store.users.c.id == number).values(values))
            admins = sa.select(sa.func.count()).where(
                store.users.c.role == ADMIN, store.users.c.disabled == 0
            )
            if not connection.execute(admins).scalar_one():
                raise UsageError("a project needs an admin")
            connection.execute(store.sessions.delete().where(store.sessions.c.user == number))
            self._log.add(connection, self._clock(), by, f"change user {row.name}: {', '.join(said)}")
            row = connection.execute(sa.select(store.users).where(store.users.c.id == number)).one()
        return self._user(row)

    def check(self, name: str, password: str) -> User | None:
        """Return the person if the password is theirs, always after the same work."""
        from argon2.exceptions import InvalidHashError, VerificationError

        with self._store.read() as connection:
            row = connection.execute(sa.select(store.users).where(store.users.c.name == name)).first()
        known = row is not None and bool(row.password_hash) and not row.disabled
        try:
            self._hasher.verify(
                row.password_hash if row is not None and known else self._nobody, password[:LONGEST_PASSWORD]
            )
        except (VerificationError, InvalidHashError):
            return None
        return self._user(row) if row is not None and known else None

    def _hash(self, password: str | None) -> str:
        if password is None:
            return ""
        if not SHORTEST_PASSWORD <= len(password) <= LONGEST_PASSWORD:
            raise UsageError(f"a password has {SHORTEST_PASSWORD} to {LONGEST_PASSWORD} characters")
        return self._hasher.hash(password)

    # --- sessions ---------------------------------------------------------------------------------------

    def begin_session(self, user: User) -> str:
        """Log somebody in; return the secret of the cookie, of which only a digest is kept.

        Somebody who was changed since they were checked, such as by a new password, is refused.
        """
        token, now = secrets.token_urlsafe(32), self._clock()
        with self._store.write() as connection:
            row = connection.execute(sa.select(store.users).where(store.users.c.id == user.id)).one()
            if row.disabled or not hmac.compare_digest(self._user(row).seal, user.seal):
                raise UsageError("the person was changed just now: log in again")
            connection.execute(store.sessions.delete().where(self._ended(now)))
            connection.execute(
                store.sessions.insert().values(
                    digest=self._digest(token),
                    user=user.id,
                    csrf=secrets.token_urlsafe(32),
                    began=now,
                    seen=now,
                )
            )
            self._log.add(connection, now, user.name, "log in")
        return token

    def session(self, token: str) -> Session | None:
        """Return the session of a cookie, if it has not ended."""
        now, digest = self._clock(), self._digest(token)
        with self._store.read() as connection:
            row = connection.execute(
                sa.select(store.sessions.c.csrf, store.sessions.c.seen, store.users)
                .join(store.users, store.users.c.id == store.sessions.c.user)
                .where(store.sessions.c.digest == digest, ~self._ended(now), store.users.c.disabled == 0)
            ).first()
        if row is None:
            return None
        if now - row.seen > _KEPT_SEEN:
            with self._store.write() as connection:
                seen = store.sessions.update().where(store.sessions.c.digest == digest)
                connection.execute(seen.values(seen=now))
        return Session(self._user(row), row.csrf)

    def end_session(self, token: str) -> None:
        """Log somebody out."""
        session = self.session(token)
        with self._store.write() as connection:
            connection.execute(store.sessions.delete().where(store.sessions.c.digest == self._digest(token)))
            if session is not None:
                self._log.add(connection, self._clock(), session.user.name, "log out")

    def _user(self, row: Any) -> User:
        self._seals.check_row(store.users, row)
        return User(row.id, row.name, row.role, bool(row.disabled), bool(row.password_hash), bytes(row.seal))

    def _digest(self, token: str) -> bytes:
        return hmac.digest(self._session_key, token.encode("utf-8", "replace"), "sha256")

    @staticmethod
    def _ended(now: float) -> sa.ColumnElement[bool]:
        return (store.sessions.c.seen < now - IDLE) | (store.sessions.c.began < now - ABSOLUTE)


def _check_name(name: str) -> None:
    if not 1 <= len(name) <= _LONGEST_NAME or not name.isprintable() or name != name.strip():
        raise UsageError(f"a name has 1 to {_LONGEST_NAME} characters that can be printed")


def _check_role(role: str) -> None:
    if role not in ROLES:
        raise UsageError(f"a role is one of {', '.join(ROLES)}")
