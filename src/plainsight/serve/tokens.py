"""API tokens in a file that only its owner can read. The file holds digests, never a token.

A token has 256 random bits, so a plain SHA-256 of it cannot be guessed; slow hashes are for passwords, which
people choose. The service reads the file again when it has changed, so a revoked token stops working at once.
"""

from __future__ import annotations

import hashlib
import hmac
import os
import secrets
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal

import msgspec

from plainsight.errors import UsageError

Scope = Literal["notes", "metrics"]
_PREFIX = "plainsight"


class Token(msgspec.Struct, frozen=True):
    """What is stored of a token. A token for ``metrics`` reads no notes."""

    id: str
    name: str
    digest: str
    scope: Scope
    made: datetime
    expires: datetime | None = None


class _File(msgspec.Struct):
    tokens: list[Token]


class Tokens:
    """The tokens of a file."""

    def __init__(self, file: Path) -> None:
        self.file = file
        self._seen: object = None
        self._tokens: dict[str, Token] = {}
        if file.exists():
            self._refresh()

    def __iter__(self) -> Iterator[Token]:
        self._refresh()
        return iter(self._tokens.values())

    def find(self, given: str, now: datetime) -> Token | None:
        """Return the token that this text is, if it is one that may be used now."""
        prefix, _, rest = given.partition("_")
        id, _, _ = rest.partition("_")  # noqa: A001
        try:
            self._refresh()
        except (UsageError, OSError):  # nobody gets in while the file cannot be read
            return None
        token = self._tokens.get(id)
        if prefix != _PREFIX or token is None or not hmac.compare_digest(token.digest, _digest(given)):
            return None
        return None if token.expires is not None and token.expires <= now else token

    def new(self, name: str, *, scope: Scope, expires: datetime | None, now: datetime) -> str:
        """Add a token and return it. Nobody can read it again."""
        text = f"{_PREFIX}_{(id := secrets.token_hex(4))}_{secrets.token_urlsafe(32)}"  # noqa: A001
        with self._changing() as tokens:
            tokens[id] = Token(id, name, _digest(text), scope, now, expires)
        return text

    def revoke(self, id: str) -> Token:  # noqa: A002
        """Remove a token by its id, and return what was known of it."""
        with self._changing() as tokens:
            if id not in tokens:
                raise UsageError(f"{self.file}: no token with this id; see `plainsight serve token list`")
            return tokens.pop(id)

    @contextmanager
    def _changing(self) -> Iterator[dict[str, Token]]:
        """Yield the tokens to change, then write the file as a whole."""
        if self.file.exists():
            self._refresh()
        tokens = dict(self._tokens)
        yield tokens
        data = msgspec.json.format(msgspec.json.encode(_File(list(tokens.values()))), indent=1) + b"\n"
        new = self.file.with_name(f"{self.file.name}.{os.getpid()}.new")
        with os.fdopen(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as stream:
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())
        new.replace(self.file)
        self._tokens = tokens

    def _refresh(self) -> None:
        """Read the file if it has changed since it was read last."""
        try:
            status = self.file.stat()
        except FileNotFoundError:
            raise UsageError(f"no tokens at {self.file}: plainsight serve token new NAME") from None
        seen = status.st_ino, status.st_mtime_ns, status.st_size
        if seen == self._seen:
            return
        if os.name == "posix" and stat.S_IMODE(status.st_mode) & 0o022:
            raise UsageError(f"others can change {self.file}, and let themselves in: chmod 600 {self.file}")
        try:
            file = msgspec.json.decode(self.file.read_bytes(), type=_File)
        except msgspec.DecodeError:
            raise UsageError(f"{self.file}: not a file of tokens") from None
        self._tokens = {token.id: token for token in file.tokens}
        self._seen = seen


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def now() -> datetime:
    """Return the time, for tokens that end."""
    return datetime.now(UTC)
