"""The folder of a site: where each part of it lies, and the key of each part.

``plainsight site init`` makes it. ``site.toml`` says which policy the site extends and which key it belongs
to; all else is made by the parts of the loop when they are first used. What holds words of notes is encrypted
(`write_sealed`, `read_sealed`) or stored as keyed digests, with a key of its own for each part (`Site.key`).
"""

from __future__ import annotations

import os
import re
import tomllib
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from plainsight.config import built_in_policies, load_policy
from plainsight.errors import DataError, UsageError
from plainsight.formats.staging import sync_folder
from plainsight.keys import decode_key
from plainsight.replace.surrogate.keyed import fingerprint
from plainsight.sealing import Sealer, derived_key
from plainsight.version import __version__

SETTINGS = "site.toml"
_POLICY = "policy.toml"
_FORMAT = 1
_SETTINGS = f"""\
[site]
format = {_FORMAT}
policy = "{{}}"
key = "{{}}" # the fingerprint, as `plainsight key check` prints it
salt = "{{}}"
made_with = "{__version__}"
"""
_SALT = re.compile(r"[0-9a-f]{64}")


@dataclass(frozen=True, slots=True)
class Site:
    """An open site: its folder, the policy that it extends, and its secret key.

    ``policy`` is a built-in policy's name or the path of a policy file.
    """

    folder: Path
    policy: str
    salt: bytes = field(repr=False)
    secret: bytes = field(repr=False)

    def key(self, part: str) -> bytes:
        """Return the 32 bytes of the key of a part, such as ``"corrections"``."""
        return derived_key(self.secret, salt=self.salt, about=f"plainsight site {_FORMAT} {part}")

    @property
    def sentences(self) -> Path:
        """The store of unique sentences."""
        return self.folder / "sentences.db"

    @property
    def inclusion(self) -> Path:
        """The sentences that a person accepted as free of identifiers."""
        return self.folder / "inclusion.sealed"

    @property
    def known(self) -> Path:
        """What detectors claim in sentences that the site repeats."""
        return self.folder / "known.sealed"

    @property
    def templates(self) -> Path:
        """The rules harvested from the site's notes."""
        return self.folder / "templates.json"

    @property
    def lists(self) -> Path:
        """The folder of what the site's records know."""
        return self.folder / "lists"

    @property
    def corrections(self) -> Path:
        """The folder of what readers corrected."""
        return self.folder / "corrections"

    @property
    def models(self) -> Path:
        """The folder of models learned from the corrections."""
        return self.folder / "models"

    @property
    def rounds(self) -> Path:
        """The ledger of rounds: one line of JSON for each."""
        return self.folder / "rounds.jsonl"


def new_site(folder: Path, *, policy: str, secret: bytes) -> Site:
    """Make the folder of a site; it must not exist, or be empty.

    A policy file is copied into it as it reads now, so later changes of that file do not change the site.
    """
    chosen = load_policy(policy)
    secret = decode_key(secret)
    salt = os.urandom(32)
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        what = "is a site already" if (folder / SETTINGS).is_file() else "exists and is not empty"
        raise UsageError(f"{folder} {what}: give a new folder")
    name = policy if policy in built_in_policies() else _POLICY
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    folder.chmod(0o700)
    if name == _POLICY:
        write_private(folder / _POLICY, chosen.to_toml().encode())
    write_private(folder / SETTINGS, _SETTINGS.format(name, fingerprint(secret), salt.hex()).encode())
    return open_site(folder, secret)


def open_site(folder: str | Path, secret: bytes | None) -> Site:
    """Open the folder of a site with its key; refuse another key, and what is not a site."""
    folder = Path(folder)
    settings = _settings(folder)
    if secret is None:
        raise UsageError(f"{folder}: a site needs its key (--key-file)")
    secret = decode_key(secret)
    own, given = settings["key"], fingerprint(secret)
    if own != given:
        raise UsageError(f"{folder}: the site's key has the fingerprint {own}, the one given {given}")
    policy = settings["policy"]
    if policy not in built_in_policies():
        policy = str(folder / Path(policy).name)
    return Site(folder, policy, bytes.fromhex(settings["salt"]), secret)


def _settings(folder: Path) -> dict[str, Any]:
    """Read and check ``site.toml``."""
    file = folder / SETTINGS
    if not file.is_file():
        raise UsageError(f"no site at {folder}: make one with `plainsight site init`")
    try:
        settings = tomllib.loads(file.read_text(encoding="utf-8")).get("site", {})
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise DataError(f"{file} is damaged: {error}") from None
    if not isinstance(settings, dict) or settings.get("format") != _FORMAT:
        raise DataError(f"{file}: not a site of format {_FORMAT}; it was made by another version")
    texts = [settings.get(key) for key in ("policy", "key", "salt")]
    if not all(isinstance(text, str) for text in texts) or not _SALT.fullmatch(settings["salt"]):
        raise DataError(f"{file} is damaged: policy, key or salt is missing")
    return settings


def write_private(path: Path, data: bytes) -> None:
    """Write a file that only its owner can read; after a crash it is the old or the new one."""
    path.parent.mkdir(mode=0o700, exist_ok=True)
    unfinished = path.with_name(f".{path.name}.tmp")
    with os.fdopen(os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    unfinished.replace(path)
    sync_folder(path.parent)


def write_sealed(site: Site, path: Path, data: bytes, *, part: str) -> None:
    """Write an encrypted file of a part; it can be read under its own name only."""
    write_private(path, Sealer(site.key(part)).seal(data, about=path.name))


def read_sealed(site: Site, path: Path, *, part: str) -> bytes:
    """Return what an encrypted file of a part holds; refuse a damaged or foreign one."""
    try:
        return Sealer(site.key(part)).open(path.read_bytes(), about=path.name)
    except DataError:
        raise DataError(f"{path} is damaged, or belongs to another site") from None
