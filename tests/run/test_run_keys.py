"""Keys: found, made, compared; never shown."""

import base64
import os
import stat
import sys
from types import ModuleType

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plainsight.config import load_policy
from plainsight.errors import UsageError
from plainsight.run.keys import (
    SERVICE,
    VARIABLE,
    Key,
    forgotten_key,
    key_from,
    keyed_operations,
    new_key,
    read_key,
)

SECRET = bytes(range(32))

posix = pytest.mark.skipif(os.name != "posix", reason="permissions of POSIX")


@pytest.fixture
def file(tmp_path):
    def write(data: bytes, mode: int = 0o600):
        path = tmp_path / "key"
        path.write_bytes(data)
        path.chmod(mode)
        return path

    return write


@pytest.mark.parametrize(
    "data",
    [
        SECRET,
        SECRET.hex().encode(),
        SECRET.hex().upper().encode() + b"\r\n",
        base64.b64encode(SECRET),
        base64.b64encode(SECRET) + b"\n",
        base64.b64encode(SECRET).rstrip(b"="),
        b"  " + base64.urlsafe_b64encode(SECRET) + b"\n",
    ],
)
def test_a_file_holds_the_bytes_or_text_for_them(file, data):
    assert read_key(file(data)).secret == SECRET


@given(st.binary(min_size=32, max_size=64).map(lambda secret: b"\xff" + secret))  # bytes that are not text
def test_text_in_the_environment_gives_the_same_key_as_bytes(secret):
    for text in (secret.hex(), base64.b64encode(secret).decode(), base64.urlsafe_b64encode(secret).decode()):
        found = key_from(environ={VARIABLE: text})
        # hexadecimal digits are base64, too; a text is always read the same way
        assert found == key_from(environ={VARIABLE: f" {text}\n"})
        assert found is not None
        assert found.secret == secret


def test_raw_bytes_that_look_like_white_space_count(file):
    secret = b"\n" + os.urandom(30).replace(b"a", b"b") + b"\xff\n"
    assert read_key(file(secret)).secret == secret


def test_a_pass_phrase_is_taken_as_it_is_written(file):
    phrase = b"correct horse battery staple, and then some more words"
    assert read_key(file(phrase + b"\n")).secret == phrase


@pytest.mark.parametrize("data", [b"", b"k" * 31, b"k" * 31 + b"\n", b"\xff" * 31])
def test_short_files_are_refused(file, data):
    with pytest.raises(UsageError, match="at least 32 bytes"):
        read_key(file(data))


@pytest.mark.parametrize("text", ["short", "k" * 32, "é" * 64, "a b" * 30, "k" * 45, SECRET[:31].hex()])
def test_short_or_unreadable_text_is_refused_without_repeating_it(text):
    with pytest.raises(UsageError) as caught:
        key_from(environ={VARIABLE: text})
    assert VARIABLE in str(caught.value)
    assert text not in str(caught.value)


def test_what_is_named_comes_before_the_environment(file):
    environ = {VARIABLE: os.urandom(32).hex()}
    assert key_from(environ={}) is None
    assert key_from(environ={VARIABLE: ""}) is None
    assert key_from(file=file(SECRET), environ=environ).secret == SECRET
    assert key_from(environ=environ).source == "environment"
    with pytest.raises(UsageError, match="not both"):
        key_from(file=file(SECRET), keyring="x", environ=environ)
    with pytest.raises(UsageError, match="no key file"):
        key_from(file=file(SECRET).with_name("none"), environ={})


def keyring(monkeypatch, get_password):
    module = ModuleType("keyring")
    module.get_password = get_password
    monkeypatch.setitem(sys.modules, "keyring", module)


def test_the_keyring_is_asked_by_name(monkeypatch):
    known = {(SERVICE, "project"): base64.b64encode(SECRET).decode(), (SERVICE, "short"): "abc"}
    keyring(monkeypatch, lambda service, name: known.get((service, name)))
    found = key_from(keyring="project", environ={VARIABLE: os.urandom(32).hex()})
    assert (found.secret, found.source) == (SECRET, "keyring")
    with pytest.raises(UsageError, match="keyring set plainsight other"):
        key_from(keyring="other", environ={})
    with pytest.raises(UsageError, match="at least 32 bytes"):
        key_from(keyring="short", environ={})


def test_a_keyring_that_fails_or_is_missing_is_told(monkeypatch):
    def locked(service, name):
        raise RuntimeError("secret words")

    keyring(monkeypatch, locked)
    with pytest.raises(UsageError, match=r"cannot be read: RuntimeError$"):
        key_from(keyring="project", environ={})
    monkeypatch.setitem(sys.modules, "keyring", None)  # as if it were not installed
    with pytest.raises(UsageError, match=r"pip install 'plainsight\[keyring\]'"):
        key_from(keyring="project", environ={})


def test_a_new_key_is_private_and_never_overwrites(tmp_path):
    tmp_path.chmod(0o700)
    made = new_key(tmp_path / "key")
    assert read_key(tmp_path / "key") == made
    assert len(made.secret) == 32
    assert made.secret not in (tmp_path / "key").read_bytes()  # text that can be copied
    if os.name == "posix":
        assert stat.S_IMODE((tmp_path / "key").stat().st_mode) == 0o600
    before = (tmp_path / "key").read_bytes()
    with pytest.raises(UsageError, match="never overwritten"):
        new_key(tmp_path / "key")
    assert (tmp_path / "key").read_bytes() == before
    assert new_key(tmp_path / "other").secret != made.secret
    with pytest.raises(UsageError, match="no folder"):
        new_key(tmp_path / "no" / "key")


@posix
@pytest.mark.parametrize("mode", [0o777, 0o770, 0o1777])
def test_no_key_in_a_folder_that_others_can_write(tmp_path, mode):
    tmp_path.chmod(mode)
    with pytest.raises(UsageError, match="others can write"):
        new_key(tmp_path / "key")
    assert not list(tmp_path.iterdir())


@posix
@pytest.mark.parametrize(("mode", "warned"), [(0o600, False), (0o400, False), (0o640, True), (0o604, True)])
def test_a_key_that_others_can_read_gives_a_warning(file, mode, warned):
    assert ("chmod 600" in read_key(file(SECRET, mode)).warning) is warned


def test_fingerprints_tell_keys_apart_and_nothing_else():
    key, other = Key(SECRET, "file"), Key(SECRET[::-1], "file")
    assert key.fingerprint == Key(SECRET, "environment").fingerprint != other.fingerprint
    assert len(key.fingerprint) == 8
    assert key.about == f"file, fingerprint {key.fingerprint}"
    for told in (repr(key), str(key), key.about):
        assert SECRET.hex() not in told
        assert repr(SECRET)[2:-1] not in told


def test_a_forgotten_key_is_another_each_time():
    first, second = forgotten_key(), forgotten_key()
    assert first.secret != second.secret
    assert first.about == "random, forgotten"


def test_only_operations_that_take_a_key_need_one():
    assert not keyed_operations(load_policy("redact"))
    assert keyed_operations(load_policy("balanced"))
    assert keyed_operations(load_policy("safe-harbor"))
