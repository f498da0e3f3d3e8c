"""The lists of a site: what its systems know, kept encrypted, and the detector that finds it.

`write_lists` makes one encrypted file for each table in ``SITE/lists``, and `SiteLists` reads them. The file
holds the entries as `plainsight.detect.listed_words` wants them, so that loading is decryption and splitting.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar

import msgspec

from plainsight.config import Choice, Policy
from plainsight.detect.listed_words import BY_NAME, KINDS, Listed, starts_of, weigh
from plainsight.detect.patient.people import Kind, read_name
from plainsight.document import Document, Patient, Span
from plainsight.errors import DataError
from plainsight.site.census import full_name, read_rows
from plainsight.site.folder import Site, open_site, read_sealed, write_sealed
from plainsight.text.shadow import shadow

NAME = "site_lists"
TABLES = ("patients", "providers", "facilities", "units", "employers", "streets")
_PART = "lists"
_SUFFIX = ".list"
_FORMAT = 1
_IDS = {"MEDICALRECORD": "record", "ACCOUNT": "account", "SSN": "ssn", "HEALTHPLAN": "plan"}
_PLACES = {"facilities": "facility", "units": "unit", "employers": "employer", "streets": "street"}

Entry = tuple[str, str]
"""A kind and a text."""


def of_patient(patient: Patient) -> Iterator[Entry]:
    """Yield what is listed of a patient: full names, numbers, the street line, the employer."""
    for name in (*patient.names, *patient.relatives):
        yield from _full("person", name)
    for label, number in patient.ids:
        if label in _IDS:
            yield _IDS[label], number
    for phone in patient.phones:
        yield "phone", phone
    for address in patient.addresses:
        if address.street[:1].isdigit():
            yield "address", address.street
    for employer in patient.employers:
        yield "employer", employer


def of_rows(table: str, path: Path) -> Iterator[Entry]:
    """Yield what is listed of the rows of any table but that of the patients."""
    for row in read_rows(table, path):
        if table == "providers":
            yield from _of_provider(row)
        else:
            for text in (*row.get("name", ()), *row.get("alias", ())):
                yield _PLACES[table], text


def _of_provider(row: Mapping[str, list[str]]) -> Iterator[Entry]:
    yield from _full("provider", full_name(row))
    for surname in row.get("last", ()):
        yield "surname", surname
    for letters in row.get("initials", ()):
        style = (
            "initials" if letters.isupper() else "small_initials" if letters.islower() else "mixed_initials"
        )
        yield style, letters
    for role, kind in (("login", "login"), ("pager", "phone"), ("phone", "phone"), ("npi", "licence")):
        for text in row.get(role, ()):
            yield kind, text


def _full(kind: str, text: str) -> Iterator[Entry]:
    """Yield the first given name with each surname, in both orders."""
    for name in read_name(shadow(text)):
        given = next((word for word, what in name.words if what & Kind.GIVEN and len(word) > 1), b"")
        surnames = [word for word, what in name.words if what == Kind.SURNAME and len(word) > 1]
        for surname in surnames if given else ():
            yield kind, f"{given.decode()} {surname.decode()}"
            yield kind, f"{surname.decode()} {given.decode()}"


def write_lists(site: Site, table: str, entries: Iterable[Entry]) -> int:
    """Replace the list of a table; return how many entries it has."""
    blocks: defaultdict[int, set[bytes]] = defaultdict(set)
    for kind, text in entries:
        if (weighed := weigh(kind, text)) is not None:
            blocks[weighed[1]].add(weighed[0])
    by_length: defaultdict[int, list[bytes]] = defaultdict(list)
    for word, count in starts_of(key for keys in blocks.values() for key in keys).items():
        by_length[count].append(word)
    packed = {
        "entries": [
            (KINDS[code // 3].name, code % 3, b"\n".join(sorted(keys)))
            for code, keys in sorted(blocks.items())
        ],
        "starts": [(count, b"\n".join(sorted(words))) for count, words in sorted(by_length.items())],
    }
    site.lists.mkdir(mode=0o700, exist_ok=True)
    data = msgspec.msgpack.encode({"format": _FORMAT, **packed})
    write_sealed(site, _file(site, table), data, part=_PART)
    return sum(map(len, blocks.values()))


def _file(site: Site, table: str) -> Path:
    return site.lists / f"{table}{_SUFFIX}"


def read_lists(site: Site) -> Listed:
    """Return the entries of all lists of a site."""
    listed = Listed()
    for table in TABLES:
        if (file := _file(site, table)).is_file():
            _read(listed, read_sealed(site, file, part=_PART), file)
    return listed


def name_words(site: Site) -> set[str]:
    """Return the words of all names of people in a site's lists, in small letters."""
    files = [file for table in ("patients", "providers") if (file := _file(site, table)).is_file()]
    return {
        word.decode("ascii", "replace")
        for file in files
        for kind, _, keys in _content(read_sealed(site, file, part=_PART), file)["entries"]
        if kind in ("person", "provider", "surname")
        for word in keys.split()
        if len(word) > 1
    }


def _content(data: bytes, file: Path) -> dict[str, Any]:
    content: dict[str, Any] = msgspec.msgpack.decode(data)
    if content.get("format") != _FORMAT:
        raise DataError(f"{file} was made by another version: run `plainsight site lists` again")
    return content


def _read(listed: Listed, data: bytes, file: Path) -> None:
    content = _content(data, file)
    for name, level, keys in content["entries"]:
        listed.add_all(keys.split(b"\n"), 3 * BY_NAME[name] + level)
    for count, words in content["starts"]:
        for word in words.split(b"\n"):
            if listed.starts.get(word, 0) < count:
                listed.starts[word] = count


class SiteLists:
    """Find what the systems of a site know: full names, numbers, wards, facilities, employers, streets.

    ``lists`` is the folder ``lists`` of a site; without it there is nothing to find. Needs the site's key.
    """

    name: ClassVar[str] = NAME
    labels: ClassVar[frozenset[str]] = frozenset(kind.label for kind in KINDS)

    def __init__(self, *, lists: str | None = None) -> None:
        self.lists = lists
        self._secret: bytes | None = None

    def with_key(self, secret: bytes) -> SiteLists:
        """Return the detector with the secret key of the site."""
        other = SiteLists(lists=self.lists)
        other._secret = secret
        return other

    @cached_property
    def _listed(self) -> Listed:
        return (
            Listed() if self.lists is None else read_lists(open_site(Path(self.lists).parent, self._secret))
        )

    def detect(self, documents: Sequence[Document]) -> list[list[Span]]:
        """Return what the lists know in each document."""
        return [
            [Span(*claim[:4], f"{NAME}.{claim.rule}") for claim in self._listed.find(document.text)]
            for document in documents
        ]


def with_lists(policy: Policy, site: Site) -> Policy:
    """Return a policy with the site's lists, if it has any; their label counts next after the record's."""
    files = [file for table in TABLES if (file := _file(site, table)).is_file()]
    if not files:
        return policy
    for file in files:
        read_sealed(site, file, part=_PART)  # refuse a damaged one before any note is read
    choice = Choice(NAME, {"lists": str(site.lists)})
    others = tuple(each for each in policy.detectors if each.plugin != NAME)
    order = None if policy.precedence is None else tuple(each for each in policy.precedence if each != NAME)
    if order is not None:
        after = order.index("patient") + 1 if "patient" in order else 0
        order = (*order[:after], NAME, *order[after:])
    return replace(policy, detectors=(*others, choice), precedence=order)
