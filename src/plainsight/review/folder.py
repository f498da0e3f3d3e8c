"""The folder of a review project: its settings, its key, and what is sealed with keys drawn from it."""

from __future__ import annotations

import json
import os
import re
import tomllib
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from hashlib import blake2b
from pathlib import Path
from typing import Any

from plainsight.config import Policy, built_in_policies, load_policy
from plainsight.errors import DataError, UsageError
from plainsight.keys import decode_key, load_key
from plainsight.replace.surrogate.keyed import fingerprint
from plainsight.review.store import Store, server_store, sqlite_store
from plainsight.run.keys import new_key
from plainsight.sealing import Sealer, derived_key
from plainsight.site.folder import write_private

SETTINGS, DATABASE, ADDRESS, KEY = "project.toml", "review.sqlite", "database.url", "project.key"
_POLICY = "policy.toml"
_FORMAT = 1
_SALT = re.compile(r"[0-9a-f]{64}")


@dataclass(frozen=True, slots=True)
class Settings:
    """What a project is made with.

    ``readers`` is how many people read each note, blind; ``audit`` how many of the notes are the audit
    sample, as a share, or as a number of each import. ``policy`` is a built-in policy's name or a file.
    """

    name: str
    policy: str
    readers: int = 1
    audit: float = 0.05
    seed: int = 0
    key: str = ""
    salt: str = ""

    def to_toml(self) -> str:
        """Return the settings as the file that holds them."""
        lines = [f"{name} = {json.dumps(getattr(self, name), ensure_ascii=False)}" for name in self.__slots__]
        return "\n".join(["[project]", f"format = {_FORMAT}", *lines, ""])


class Folder:
    """An open folder, with its secret."""

    def __init__(self, path: Path, settings: Settings, secret: bytes) -> None:
        self.path = path
        self.settings = settings
        self.secret = secret

    def __repr__(self) -> str:
        return f"Folder({self.path})"

    def key(self, part: str) -> bytes:
        """Return the 32 bytes of the key of a part."""
        salt = bytes.fromhex(self.settings.salt)
        return derived_key(self.secret, salt=salt, about=f"plainsight review {_FORMAT} {part}")

    @cached_property
    def sealer(self) -> Sealer:
        """What seals the rows of the database."""
        return Sealer(self.key("rows"))

    @cached_property
    def _digest_key(self) -> bytes:
        return self.key("ids")

    def digest(self, kind: str, text: str) -> bytes:
        """Return a keyed digest, by which a row is found."""
        data = f"{kind} {text}".encode("utf-8", "surrogatepass")
        return blake2b(data, key=self._digest_key, digest_size=16).digest()

    @property
    def policy(self) -> Policy:
        """The policy of the project."""
        name = self.settings.policy
        return load_policy(name if name in built_in_policies() else self.path / Path(name).name)

    def with_settings(self, **changes: Any) -> Folder:
        """Write changed settings; return the folder with them."""
        settings = replace(self.settings, **changes)
        write_private(self.path / SETTINGS, settings.to_toml().encode())
        return Folder(self.path, settings, self.secret)

    def with_policy(self, policy: Policy) -> Folder:
        """Give the project another policy, which is copied into it."""
        write_private(self.path / _POLICY, policy.to_toml().encode())
        return self.with_settings(policy=_POLICY)

    def open_store(self, *, new: bool = False) -> Store:
        """Open the database: the embedded one, or that of the address."""
        address = self.path / ADDRESS
        if address.is_file():
            return server_store(address.read_text(encoding="utf-8").strip())
        return sqlite_store(self.path / DATABASE, new=new)


def new_folder(
    path: Path, *, policy: str | Path | Policy, key: bytes | None, url: str | None, settings: Settings
) -> Folder:
    """Make the folder of a project; it must not exist, or be empty."""
    chosen = policy if isinstance(policy, Policy) else load_policy(policy)
    _check(settings)
    if path.exists() and (not path.is_dir() or any(path.iterdir())):
        what = "is a project already" if (path / SETTINGS).is_file() else "exists and is not empty"
        raise UsageError(f"{path} {what}: give a new folder")
    if url is not None:
        server_store(url).close()  # refuse an address that is none
    path.mkdir(mode=0o700, parents=True, exist_ok=True)
    path.chmod(0o700)
    secret = new_key(path / KEY).secret if key is None else decode_key(key)
    if url is not None:
        write_private(path / ADDRESS, url.encode())
    built_in = isinstance(policy, str) and policy in built_in_policies()
    settings = replace(settings, key=fingerprint(secret), salt=os.urandom(32).hex())
    folder = Folder(path, replace(settings, policy=str(policy) if built_in else _POLICY), secret)
    if not built_in:
        return folder.with_policy(chosen)
    return folder.with_settings()


def open_folder(path: Path, key: bytes | None) -> Folder:
    """Open the folder of a project with its key; refuse another key, and what is no project."""
    settings = _read(path)
    if key is None:
        own = path / KEY
        if not own.is_file():
            raise UsageError(f"{path}: the project's key is not in its folder: give it (--key-file)")
        key = load_key(own)
    secret = decode_key(key)
    if (given := fingerprint(secret)) != settings.key:
        raise UsageError(
            f"{path}: the project's key has the fingerprint {settings.key}, the one given {given}"
        )
    return Folder(path, settings, secret)


def is_project(path: Path) -> bool:
    """Whether a folder is that of a project."""
    return (path / SETTINGS).is_file()


def _read(path: Path) -> Settings:
    file = path / SETTINGS
    if not file.is_file():
        raise UsageError(f"no project at {path}: make one with `plainsight project new`")
    try:
        table = tomllib.loads(file.read_text(encoding="utf-8")).get("project", {})
        if table.pop("format", None) != _FORMAT:
            raise DataError(f"{file}: not a project of format {_FORMAT}; it was made by another version")
        settings = Settings(**table)
        _check(settings)
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, TypeError, AttributeError, UsageError):
        raise DataError(f"{file} is damaged") from None
    if not _SALT.fullmatch(settings.salt):
        raise DataError(f"{file} is damaged: its salt is missing")
    return settings


def _check(settings: Settings) -> None:
    kinds: dict[str, Callable[[Any], bool]] = {
        "name": lambda value: isinstance(value, str) and value.isprintable() and 0 < len(value) <= 200,
        "readers": lambda value: isinstance(value, int) and 1 <= value <= 9,
        "audit": lambda value: isinstance(value, int | float) and value >= 0,
        "seed": lambda value: isinstance(value, int),
    }
    for name, right in kinds.items():
        if not right(getattr(settings, name)):
            raise UsageError(f"a project's {name} cannot be that")
