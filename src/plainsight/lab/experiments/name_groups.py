"""Name groups: replace all names of a note by names of one sex, ethnic group or region.

Names of a sex or census group are drawn by their frequency in the US Census of 2020; a name belongs to the
group of most people who have it. Names of a region come from a list written for this purpose and are equally
likely. Each person keeps one name within a patient's notes; case, order, titles and initials stay.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from hashlib import sha256
from itertools import accumulate
from types import MappingProxyType

from plainsight.document import Document, Span
from plainsight.lab.synth.pieces import rewrite
from plainsight.replace.surrogate.keyed import Keyed
from plainsight.replace.surrogate.names.census import Role, bearers, home, load, sex_of
from plainsight.replace.surrogate.names.note_names import NoteNames
from plainsight.replace.surrogate.names.parse import Name, Unit, write
from plainsight.replace.surrogate.scope import Mention, Scope, by_owner
from plainsight.shipped import read_shipped

NAMES = ("PATIENT", "DOCTOR")
"""The labels of names of people."""

ATTRIBUTES = ("sex", "ethnicity", "region")
"""The attributes by which names can be grouped."""

_CENSUS = MappingProxyType(
    {
        "white": "en de nl fr it gr sc sl je am pt ar fa",
        "black": "bl wa ea",
        "Hispanic": "hi",
        "Asian and Pacific": "zh ko vi hm ja in ph se pc",
        "Native American": "na",
    }
)
_ALL_GROUPS = f"{' '.join(_CENSUS.values())} X"  # X: about as frequent among white and black people
_SEXES = MappingProxyType({"F": "Ff", "M": "Mm", "": "FfMmu"})
_TURNS = 50


@dataclass(frozen=True, slots=True, repr=False)
class Pool:
    """Names to draw from, by weight; ``reach`` holds the cumulative weights."""

    name: str
    names: tuple[str, ...]
    reach: tuple[float, ...]

    def draw(self, value: str) -> str:
        """Return the name that a value chooses."""
        share = int.from_bytes(sha256(f"{self.name} {value}".encode()).digest()[:8], "big") / 2**64
        return self.names[bisect_right(self.reach, share * self.reach[-1])]


@dataclass(frozen=True, slots=True, repr=False)
class Group:
    """A group of names: given names for each sex (``F``, ``M``, unknown), and surnames."""

    attribute: str
    name: str
    given: Mapping[str, Pool]
    surnames: Pool


@cache
def groups(attribute: str) -> tuple[Group, ...]:
    """Return the groups of an attribute."""
    return tuple({"sex": _by_sex, "ethnicity": _by_ethnicity, "region": _by_region}[attribute]())


def rename(documents: Sequence[Document], group: Group | None, *, seed: int) -> list[Document]:
    """Return the notes with the names of a group, or with their own; only names that can change are spans.

    Names that cannot change, such as initials, are the same for every group and do not count.
    """
    made = list(documents)
    for owner, places in by_owner(documents).items():
        renamed = _rename_patient([documents[place] for place in places], group, f"{seed} {owner}")
        for place, document in zip(places, renamed, strict=True):
            made[place] = document
    return made


# --- groups -----------------------------------------------------------------------------------------------


def _by_sex() -> Iterator[Group]:
    surnames = _census("surnames", "-", _ALL_GROUPS)
    for sex, name in (("F", "female"), ("M", "male")):
        pool = _census("first_names", _SEXES[sex], _ALL_GROUPS)
        yield Group("sex", name, dict.fromkeys(_SEXES, pool), surnames)


def _by_ethnicity() -> Iterator[Group]:
    for name, codes in _CENSUS.items():
        # few given names are mostly Native American
        whose = codes if codes != "na" else _ALL_GROUPS
        given = {sex: _census("first_names", sorts, whose) for sex, sorts in _SEXES.items()}
        yield Group("ethnicity", name, given, _census("surnames", "-", codes))


@cache
def _census(role: Role, sexes: str, groups: str) -> Pool:
    names = [
        name
        for bucket in load(role).buckets
        if bucket.sex in sexes and bucket.group in groups.split()
        for name in (*bucket.drawn, *bucket.known)
    ]
    return Pool(
        f"{role} {sexes} {groups}", tuple(names), tuple(accumulate(bearers(role, name) for name in names))
    )


def _by_region() -> Iterator[Group]:
    text = read_shipped("data/fairness/regions.txt").decode()
    for block in text.split("\n\n"):
        lines = [line for line in block.splitlines() if line and not line.startswith("#")]
        if not lines:
            continue
        region, (female, male, surnames) = lines[0], (line.partition(": ")[2].split() for line in lines[1:])
        lists = {"F": female, "M": male, "": female + male}
        given = {sex: _equal(f"{region} {sex}", names) for sex, names in lists.items()}
        yield Group("region", region, given, _equal(region, surnames))


def _equal(name: str, names: Sequence[str]) -> Pool:
    return Pool(name, tuple(names), tuple(float(place) for place in range(1, len(names) + 1)))


# --- notes ------------------------------------------------------------------------------------------------


def _rename_patient(documents: Sequence[Document], group: Group | None, seed: str) -> list[Document]:
    """Rename the people of one patient's notes."""
    mentions = [
        Mention(note, span.start, span.end, span.label, document.text[span.start : span.end])
        for note, document in enumerate(documents)
        for span in document.spans
        if span.label in NAMES
    ]
    # The structured record knows the old names, so it is left out.
    bare = [replace(document, patient=None, meta={}) for document in documents]
    scope = Scope(Keyed(bytes(32)), bare, mentions)
    names = {}
    for note in range(len(bare)):
        own = [mention for mention in mentions if mention.note == note]
        read = NoteNames(scope, own, ())
        names.update({mention: name for mention in own if (name := read.name(mention))})
    words = {pair for name in names.values() for pair in _words(name)}
    new = _draw_names(words, group, seed) if group else {}
    replacements: list[list[tuple[Span, str]]] = [[] for _ in documents]
    for mention, name in names.items():
        pieces = [piece.text for piece in name.pieces]
        for unit in name.units if group else ():
            for place, word in zip(unit.pieces, unit.words, strict=True):
                if len(word) > 1:
                    pieces[place] = write(new[_is_given(name, unit), word], name.pieces[place])
        if any(len(word) > 1 for unit in name.units for word in unit.words):
            span = Span(mention.start, mention.end, mention.label)
            replacements[mention.note].append((span, "".join(pieces)))
    return [rewrite(*pair) for pair in zip(bare, replacements, strict=True)]


def _words(name: Name) -> Iterator[tuple[bool, str]]:
    """Yield the words of a name, each with whether it is a given name."""
    for unit in name.units:
        yield from ((_is_given(name, unit), word) for word in unit.words if len(word) > 1)


def _is_given(name: Name, unit: Unit) -> bool:
    """Whether a unit is a given name: by the comma, by its place, or by what most who bear it use it as."""
    if unit.particle:
        return False
    place = name.units.index(unit)
    if name.comma is not None:
        return place >= name.comma
    if len(name.units) > 1:
        return place < len(name.units) - 1
    found = home(unit.words[0])
    return found is not None and found.role == "first_names"


def _draw_names(words: set[tuple[bool, str]], group: Group, seed: str) -> dict[tuple[bool, str], str]:
    """Return a name for each word; different words get different names while there are enough."""
    new: dict[tuple[bool, str], str] = {}
    for is_given, word in sorted(words):
        pool = group.given[sex_of(word)] if is_given else group.surnames
        for turn in range(_TURNS):
            name = pool.draw(f"{seed} {word} {turn}")
            if name != word and name not in new.values():
                break
        new[is_given, word] = name
    return new
