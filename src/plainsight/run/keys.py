"""Find the secret key of surrogates in a file, the environment or the system's keyring; make a new one.

A key is at least 32 bytes, written as base64 or hexadecimal text; a file may also hold the bytes themselves.
A key is never shown, logged or written anywhere. Manifests hold only its fingerprint.
"""

from __future__ import annotations

import base64
import os
import stat
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path

from plainsight import registry
from plainsight.config import Policy
from plainsight.errors import UsageError
from plainsight.keys import SHORTEST_KEY, decode_key, load_key
from plainsight.replace.base import KeyedOperation
from plainsight.replace.surrogate.keyed import fingerprint

VARIABLE = "PLAINSIGHT_KEY"
"""The environment variable that may hold the key."""

SERVICE = "plainsight"
"""The name under which a keyring holds plainsight's keys."""


@dataclass(frozen=True, slots=True)
class Key:
    """A secret and where it comes from; ``warning`` says what is unsafe about that."""

    secret: bytes = field(repr=False)
    source: str
    warning: str = ""
    forgotten: bool = False

    @property
    def fingerprint(self) -> str:
        """Eight characters to check whether two people have the same key."""
        return fingerprint(self.secret)

    @property
    def about(self) -> str:
        """What a manifest says of the key."""
        return self.source if self.forgotten else f"{self.source}, fingerprint {self.fingerprint}"


def keyed_operations(policy: Policy) -> list[KeyedOperation]:
    """Return the operations of a policy's labels that take a key, without one."""
    choices = (policy.operations[label] for label in policy.labels)
    operations = (registry.create("operations", choice.name, **choice.options) for choice in choices)
    return [operation for operation in operations if isinstance(operation, KeyedOperation)]


def key_from(
    *, file: Path | None = None, keyring: str | None = None, environ: Mapping[str, str] = os.environ
) -> Key | None:
    """Return the key that is named, otherwise the environment's, otherwise None."""
    if file is not None and keyring is not None:
        raise UsageError("one key is enough: give a key file or a keyring's, not both")
    if file is not None:
        return read_key(file)
    if keyring is not None:
        return Key(_from_keyring(keyring), "keyring")
    if given := environ.get(VARIABLE):
        return Key(_from_text(given, VARIABLE), "environment")
    return None


def forgotten_key() -> Key:
    """Draw a random key that is stored nowhere."""
    return Key(os.urandom(SHORTEST_KEY), "random, forgotten", forgotten=True)


def read_key(file: Path) -> Key:
    """Read a key file, and warn when others can read it, too."""
    secret = load_key(file)
    exposed = os.name == "posix" and stat.S_IMODE(file.stat().st_mode) & 0o077
    warning = f"others can read or change the key: chmod 600 {file}" if exposed else ""
    return Key(secret, "file", warning)


def new_key(file: Path) -> Key:
    """Make a key file of 32 random bytes that only its owner can read; never overwrite one."""
    folder = file.absolute().parent
    if not folder.is_dir():
        raise UsageError(f"no folder at {folder}")
    if os.name == "posix" and stat.S_IMODE(folder.stat().st_mode) & 0o022:
        raise UsageError(f"others can write to {folder}, and could replace the key: chmod go-w {folder}")
    secret = os.urandom(SHORTEST_KEY)
    try:
        handle = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        raise UsageError(f"{file} exists, and a key is never overwritten") from None
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(base64.b64encode(secret) + b"\n")
            stream.flush()
            os.fsync(stream.fileno())
    except OSError:
        file.unlink()  # half a key is none
        raise
    return Key(secret, "file")


def _from_keyring(name: str) -> bytes:
    """Read a key from the system's keyring, which needs the package keyring."""
    try:
        keyring = import_module("keyring")
    except ImportError:
        install = "pip install 'plainsight[keyring]'"
        raise UsageError(f"the system's keyring needs another package: {install}") from None
    try:
        given: str | None = keyring.get_password(SERVICE, name)
    except Exception as error:  # locked or missing: every system has its own exceptions
        raise UsageError(f"the system's keyring cannot be read: {type(error).__name__}") from None
    if given is None:
        raise UsageError(f"no key {name!r} in the keyring: keyring set {SERVICE} {name}")
    return _from_text(given, f"keyring's {name!r}")


def _from_text(text: str, where: str) -> bytes:
    secret = decode_key(text.encode())
    if len(secret) < SHORTEST_KEY or secret == text.strip().encode():
        raise UsageError(f"{where}: a key has at least {SHORTEST_KEY} bytes, in base64 or hexadecimal")
    return secret
