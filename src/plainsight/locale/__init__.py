"""Locales: the words, numbers and formats of a country, as data.

A locale is a folder of TOML files. ``en_US`` is shipped. Each file is a table of one subject: ``calendar``
(date order, seasons and so on), ``languages`` (months, weekdays, number words), ``holidays`` and others. Code
asks for tables by name and never for a country, so another locale is another folder and no change of code. A
folder that says ``extends = "en_US"`` in its ``locale.toml`` only needs the keys that differ; each replaces
the whole value of the locale that it extends.

>>> load_locale("en_US").table("calendar")["date_order"]
'mdy'
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any

from plainsight.errors import PluginError, suggest
from plainsight.shipped import read_shipped
from plainsight.text.shadow import shadow

DEFAULT_LOCALE = "en_US"
_SHIPPED = Path(__file__).parent


class _Table(dict[str, Any]):
    """A table that names its file when a key is missing: the locale is at fault, not a note."""

    def __init__(self, file: str, values: Mapping[str, Any]) -> None:
        super().__init__(values)
        self._file = file

    def __missing__(self, key: str) -> Any:
        raise PluginError(f"{self._file} has no {key!r}")


class Locale:
    """The tables of one locale. Each is read on first use."""

    def __init__(self, folder: Path) -> None:
        self.name = folder.name
        self._folder = folder
        self._tables: dict[str, Mapping[str, Any]] = {}
        extended = self._read("locale").get("extends")
        self._parent = load_locale(extended) if extended else None

    def __repr__(self) -> str:
        return f"Locale({self.name!r})"

    @property
    def site_folders(self) -> list[Path]:
        """The folders of this locale that are not shipped: its own, and that of the locale it extends."""
        own = [] if self._folder.parent == _SHIPPED else [self._folder]
        return own + (self._parent.site_folders if self._parent else [])

    def table(self, name: str) -> Mapping[str, Any]:
        """Return a table: the keys of this locale's file, and other keys from the locale that it extends."""
        if name not in self._tables:
            inherited = self._parent.table(name) if self._parent else {}
            table = _Table(f"locale {self.name}: {name}.toml", {**inherited, **self._read(name)})
            self._tables[name] = MappingProxyType(table)
        return self._tables[name]

    def refuse_unknown_keys(self, name: str) -> None:
        """Refuse a table with a key that the same table of the shipped locale does not have."""
        known = default_locale().table(name)
        for key in self.table(name).keys() - known.keys():
            raise PluginError(f"locale {self.name}: {name}.toml: unknown key {key!r}{suggest(key, known)}")

    def words(self, table: str, key: str) -> tuple[str, ...]:
        """Return the words of a table's key, whose value is a string of words."""
        return tuple(self.table(table)[key].split())

    def word_sets(self, table: str) -> dict[str, frozenset[bytes]]:
        """Return the word lists of a table as sets of bytes, as detectors meet them in a shadow."""
        lists = {key: value for key, value in self.table(table).items() if isinstance(value, str)}
        return {key: frozenset(shadow(value).split()) for key, value in lists.items()}

    def patterns(self, table: str) -> dict[str, str]:
        """Return the regular expressions in a table, without their line ends."""
        return {key: value.replace("\n", "") for key, value in self.table(table)["patterns"].items()}

    def _read(self, name: str) -> dict[str, Any]:
        path = self._folder / f"{name}.toml"
        if not path.is_file():
            return {}
        try:
            shipped = self._folder.parent == _SHIPPED
            content = read_shipped(f"locale/{self.name}/{name}.toml") if shipped else path.read_bytes()
            return tomllib.loads(content.decode("utf-8"))
        except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
            raise PluginError(f"locale {self.name}: {name}.toml cannot be read: {error}") from None


def locale_names() -> list[str]:
    """Return the names of the shipped locales."""
    return sorted(folder.parent.name for folder in _SHIPPED.glob("*/calendar.toml"))


@cache
def load_locale(name: str) -> Locale:
    """Return a locale by the name of a shipped one, or by the path of a folder."""
    folder = Path(name) if "/" in name or "\\" in name else _SHIPPED / name
    if not folder.is_dir() and folder.parent != _SHIPPED:
        raise PluginError(f"no locale at {name}: there is no such folder")
    if not folder.is_dir():
        raise PluginError(f"unknown locale {name!r}{suggest(name, locale_names())}")
    return Locale(folder)


def default_locale() -> Locale:
    """Return the shipped locale, for code that has no option for one."""
    return load_locale(DEFAULT_LOCALE)


def one_of(words: Iterable[str]) -> str:
    """Return a pattern that matches exactly these words, the longest first.

    >>> one_of(["rd", "road", "rds"])
    '(?:road|rds|rd)'
    """
    longest_first = sorted({*words}, key=lambda word: (-len(word), word))
    return f"(?:{'|'.join(map(re.escape, longest_first))})" if longest_first else r"\b\B"
