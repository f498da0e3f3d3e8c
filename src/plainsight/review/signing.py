"""The signature of a person below a release: Ed25519, with a private key that a passphrase protects.

The public key stands in the release, so that anybody can check that nothing was changed since it was signed.
Whose key it is, no file can prove: compare its fingerprint with what the person says, or give the person's
own public key to `plainsight verify`.
"""

from __future__ import annotations

import hashlib
import os
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import Any

from cryptography.exceptions import InvalidSignature, UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import (
    BestAvailableEncryption,
    Encoding,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
    load_pem_private_key,
    load_pem_public_key,
)

from plainsight.errors import UsageError

SHORTEST_PASSPHRASE = 12
KEYRING = "plainsight signing"
"""The name under which a keyring holds signing keys."""

_DOMAIN = b"plainsight release 1\n"  # a signature of this is one of nothing else


@dataclass(frozen=True, slots=True)
class Signer:
    """A person's private key, open for signing."""

    private: Ed25519PrivateKey = field(repr=False)

    @property
    def public(self) -> str:
        """The public key as hexadecimal text."""
        return self.private.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw).hex()

    def sign(self, data: bytes) -> str:
        """Return the signature of data as hexadecimal text."""
        return self.private.sign(_DOMAIN + data).hex()


def new_signing_key(file: Path, passphrase: str) -> Signer:
    """Make a key file that the passphrase protects, and ``FILE.pub`` beside it; never overwrite one."""
    if len(passphrase) < SHORTEST_PASSPHRASE:
        raise UsageError(f"a passphrase has at least {SHORTEST_PASSPHRASE} characters")
    signer = Signer(Ed25519PrivateKey.generate())
    locked = BestAvailableEncryption(passphrase.encode())
    _write_new(file, signer.private.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, locked), 0o600)
    public = signer.private.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)
    _write_new(file.with_name(f"{file.name}.pub"), public, 0o644)
    return signer


def new_signing_key_in_keyring(name: str) -> Signer:
    """Make a key that the system's keyring holds; never overwrite one."""
    keyring = _keyring()
    signer = Signer(Ed25519PrivateKey.generate())
    text = signer.private.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()).decode()
    try:
        if keyring.get_password(KEYRING, name) is not None:
            raise UsageError(f"the keyring has a signing key {name!r} already")
        keyring.set_password(KEYRING, name, text)
    except keyring.errors.KeyringError as error:
        raise UsageError(f"the system's keyring cannot be used: {type(error).__name__}") from None
    return signer


def open_signing_key(file: Path, passphrase: str) -> Signer:
    """Open a key file with its passphrase."""
    if not file.is_file():
        raise UsageError(f"no signing key at {file}: make one with `plainsight key signer`")
    try:
        return _signer(file.read_bytes(), passphrase.encode() or None, str(file))
    except TypeError:  # a key with a passphrase and none given, or the other way round
        raise UsageError(f"{file}: a signing key is protected by a passphrase, and it is needed") from None


def open_signing_key_in_keyring(name: str) -> Signer:
    """Open a key that the system's keyring holds."""
    keyring = _keyring()
    try:
        text = keyring.get_password(KEYRING, name)
    except keyring.errors.KeyringError as error:
        raise UsageError(f"the system's keyring cannot be used: {type(error).__name__}") from None
    if text is None:
        raise UsageError(f"no signing key {name!r} in the keyring")
    return _signer(text.encode(), None, f"keyring's {name!r}")


def read_public_key(file: Path) -> str:
    """Return a public key file's key as hexadecimal text."""
    try:
        key = load_pem_public_key(file.read_bytes())
    except (OSError, ValueError, UnsupportedAlgorithm):
        key = None
    if not isinstance(key, Ed25519PublicKey):
        raise UsageError(f"{file}: no public signing key")
    return key.public_bytes(Encoding.Raw, PublicFormat.Raw).hex()


def is_signed(data: bytes, signature: str, public: str) -> bool:
    """Whether a signature of data was made with the private key of a public one."""
    try:
        key = Ed25519PublicKey.from_public_bytes(bytes.fromhex(public))
        key.verify(bytes.fromhex(signature), _DOMAIN + data)
    except (InvalidSignature, ValueError, TypeError):
        return False
    return True


def public_fingerprint(public: str) -> str:
    """Return what two people compare to know that they have the same public key.

    >>> public_fingerprint("00" * 32)
    '6668-7aad-f862-bd77-6c8f-c18b-8e9f-8e20'
    """
    try:
        digest = hashlib.sha256(bytes.fromhex(public)).hexdigest()
    except ValueError:
        return "unreadable"
    return "-".join(digest[at : at + 4] for at in range(0, 32, 4))


def _signer(data: bytes, passphrase: bytes | None, where: str) -> Signer:
    try:
        private = load_pem_private_key(data, passphrase)
    except (ValueError, UnsupportedAlgorithm):
        raise UsageError(f"{where}: wrong passphrase, or no signing key") from None
    if not isinstance(private, Ed25519PrivateKey):
        raise UsageError(f"{where}: no signing key, which is Ed25519")
    return Signer(private)


def _keyring() -> Any:
    try:
        return import_module("keyring")
    except ImportError:
        install = "pip install 'plainsight[keyring]'"
        raise UsageError(f"the system's keyring needs another package: {install}") from None


def _write_new(file: Path, data: bytes, mode: int) -> None:
    try:
        handle = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
    except FileExistsError:
        raise UsageError(f"{file} exists, and a key is never overwritten") from None
    except OSError as error:
        raise UsageError(f"{file} cannot be written: {error.strerror}") from None
    with os.fdopen(handle, "wb") as stream:
        stream.write(data)
        stream.flush()
        os.fsync(stream.fileno())
