"""Signing keys: protected by their passphrase, never overwritten, and a signature that any change breaks."""

from __future__ import annotations

import os
import stat

import pytest

from plainsight.errors import UsageError
from plainsight.review.signing import (
    is_signed,
    new_signing_key,
    open_signing_key,
    public_fingerprint,
    read_public_key,
)

PHRASE = "correct horse battery"


def test_a_key_signs_and_a_changed_byte_is_found(tmp_path):
    made = new_signing_key(tmp_path / "me.key", PHRASE)
    signer = open_signing_key(tmp_path / "me.key", PHRASE)
    assert signer.public == made.public == read_public_key(tmp_path / "me.key.pub")
    signature = signer.sign(b"record")
    assert is_signed(b"record", signature, signer.public)
    assert not is_signed(b"recore", signature, signer.public)
    assert not is_signed(
        b"record", signature[:-2] + ("00" if signature[-2:] != "00" else "01"), signer.public
    )
    other = new_signing_key(tmp_path / "other.key", PHRASE)
    assert not is_signed(b"record", signature, other.public)
    assert not is_signed(b"record", "no hex", "nor this")


def test_the_private_key_is_nobody_elses(tmp_path):
    signer = new_signing_key(tmp_path / "me.key", PHRASE)
    file = tmp_path / "me.key"
    assert b"ENCRYPTED" in file.read_bytes()
    assert "private" not in repr(signer)
    if os.name == "posix":
        assert stat.S_IMODE(file.stat().st_mode) == 0o600
    for wrong in ("another phrase", ""):
        with pytest.raises(UsageError, match="passphrase"):
            open_signing_key(file, wrong)
    with pytest.raises(UsageError, match="never overwritten"):
        new_signing_key(file, PHRASE)
    with pytest.raises(UsageError, match="at least 12"):
        new_signing_key(tmp_path / "short.key", "short")


def test_what_is_no_key_is_refused(tmp_path):
    (tmp_path / "no.key").write_text("nothing")
    with pytest.raises(UsageError, match="no signing key"):
        open_signing_key(tmp_path / "no.key", PHRASE)
    with pytest.raises(UsageError, match="no signing key"):
        open_signing_key(tmp_path / "absent.key", PHRASE)
    with pytest.raises(UsageError, match="no public"):
        read_public_key(tmp_path / "no.key")
    assert public_fingerprint("xyz") == "unreadable"


def test_a_key_in_the_keyring(monkeypatch):
    keyring = pytest.importorskip("keyring")
    from keyring.backend import KeyringBackend

    from plainsight.review.signing import new_signing_key_in_keyring, open_signing_key_in_keyring

    class Memory(KeyringBackend):
        priority = 1
        kept: dict = {}  # noqa: RUF012

        def get_password(self, service, username):
            return self.kept.get((service, username))

        def set_password(self, service, username, password):
            self.kept[service, username] = password

        def delete_password(self, service, username):
            del self.kept[service, username]

    before = keyring.get_keyring()
    keyring.set_keyring(Memory())
    try:
        made = new_signing_key_in_keyring("me")
        assert open_signing_key_in_keyring("me").public == made.public
        with pytest.raises(UsageError, match="already"):
            new_signing_key_in_keyring("me")
        with pytest.raises(UsageError, match="no signing key"):
            open_signing_key_in_keyring("nobody")
    finally:
        keyring.set_keyring(before)
