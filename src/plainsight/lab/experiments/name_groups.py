"""Names by group: put names of one sex, ethnic group or region in the place of all names of a note.

Names of a sex or census group are drawn as often as people bear them (US Census 2020); a group has the names
most of whose bearers belong to it. Names of a region are from a list written for this purpose, all drawn
alike. Everybody keeps one name within a patient's notes; case, order, titles and initials stay as written.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from hashlib import sha256
from importlib.resources import files
from itertools import accumulate
from types import MappingProxyType

from plainsight.document import Document, Span
from plainsight.replace.surrogate.keyed import Keyed
from plainsight.replace.surrogate.names.census import Role, bearers, load
from plainsight.replace.surrogate.names.context import find_sexes
from plainsight.replace.surrogate.names.linking import is_name
from plainsight.replace.surrogate.names.scope_names import KEPT, ScopeNames
from plainsight.replace.surrogate.names.writing import write
from plainsight.replace.surrogate.scope import Mention, Scope, by_owner

NAMES = ("PATIENT", "DOCTOR")
"""The labels of names of people."""

ATTRIBUTES = ("sex", "ethnicity", "region")
"""By what names are grouped."""

_CENSUS = MappingProxyType(
    {"W": "white", "B": "black", "H": "Hispanic", "A": "Asian and Pacific", "N": "Native American"}
)
_EVERYBODY = "WBHANX"  # and those that white and black people bear alike
_SEXES = MappingProxyType({"F": "Ff", "M": "Mm", "": "FfMmu"})
_TURNS = 50


@dataclass(frozen=True, slots=True, repr=False)
class Pool:
    """Names to draw from, each as often as its weight says."""

    name: str
    names: tuple[str, ...]
    reach: tuple[float, ...]
    """The weights added up."""

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


def renamed(documents: Sequence[Document], group: Group | None, *, seed: int) -> list[Document]:
    """Return the notes with the names of a group, or with their own; only names that can change are spans.

    Names that cannot change, such as initials, are the same for every group and are left out.
    """
    made = list(documents)
    for whose, members in by_owner(documents).items():
        theirs = _renamed([documents[place] for place in members], group, f"{seed} {whose}")
        for place, document in zip(members, theirs, strict=True):
            made[place] = document
    return made


# --- groups -----------------------------------------------------------------------------------------------


def _by_sex() -> Iterator[Group]:
    surnames = _census("surnames", "-", _EVERYBODY)
    for sex, name in (("F", "female"), ("M", "male")):
        pool = _census("first_names", _SEXES[sex], _EVERYBODY)
        yield Group("sex", name, dict.fromkeys(_SEXES, pool), surnames)


def _by_ethnicity() -> Iterator[Group]:
    for code, name in _CENSUS.items():
        # no given name is borne mostly by Native Americans
        given = {
            sex: _census("first_names", sorts, code if code != "N" else _EVERYBODY)
            for sex, sorts in _SEXES.items()
        }
        yield Group("ethnicity", name, given, _census("surnames", "-", code))  # fmt: skip


@cache
def _census(role: Role, sexes: str, groups: str) -> Pool:
    found = [
        name
        for bucket in load(role).buckets
        if bucket.sex in sexes and bucket.group in groups
        for name in (*bucket.drawn, *bucket.known)
    ]
    return Pool(f"{role} {sexes} {groups}", tuple(found), tuple(accumulate(bearers(role, n) for n in found)))


def _by_region() -> Iterator[Group]:
    text = (files("plainsight.data") / "fairness" / "regions.txt").read_text(encoding="utf-8")
    for block in text.split("\n\n"):
        lines = [line for line in block.splitlines() if line and not line.startswith("#")]
        if not lines:
            continue
        region, (female, male, surnames) = lines[0], (line.partition(": ")[2].split() for line in lines[1:])
        lists = {"F": female, "M": male, "": female + male}
        given = {sex: _even(f"{region} {sex}", names) for sex, names in lists.items()}
        yield Group("region", region, given, _even(region, surnames))


def _even(name: str, names: Sequence[str]) -> Pool:
    return Pool(name, tuple(names), tuple(float(place) for place in range(1, len(names) + 1)))


# --- notes ------------------------------------------------------------------------------------------------


def _renamed(documents: Sequence[Document], group: Group | None, chance: str) -> list[Document]:
    """Rename the people of one patient's notes."""
    scope = _scope(documents)
    names = ScopeNames(scope, scope.mentions)
    evidence = [(name.given, name.cue) for name in names.all if name.given]
    known = find_sexes(evidence, sorted({name.given for name in names.all}))
    words = {
        (at < name.form.given, word)
        for name in names.all
        for at, word in enumerate(name.form.words)
        if is_name(word)
    }
    new = _drawn(words, group, known, chance) if group else {}
    changed: list[dict[Span, str]] = [{} for _ in documents]
    for mention in scope.mentions:
        name = names.of[mention]
        pieces = [piece.text for piece in name.name.pieces]
        hit = False
        for at, (place, word) in enumerate(zip(name.places, name.form.words, strict=True)):
            if place != KEPT and is_name(word):
                hit = True
                if group:
                    pieces[place] = write(new[at < name.form.given, word], name.name.pieces[place])
        if hit:
            changed[mention.note][Span(mention.start, mention.end, mention.label)] = "".join(pieces)
    return [_rewritten(document, texts) for document, texts in zip(documents, changed, strict=True)]


def _scope(documents: Sequence[Document]) -> Scope:
    mentions = [
        Mention(note, span.start, span.end, span.label, document.text[span.start : span.end])
        for note, document in enumerate(documents)
        for span in document.spans
        if span.label in NAMES
    ]
    # The structured record knows the old names: it is left out here and in what comes back.
    return Scope(Keyed(bytes(32)), [replace(document, patient=None) for document in documents], mentions)


def _drawn(
    words: set[tuple[bool, str]], group: Group, known: Mapping[str, str], chance: str
) -> dict[tuple[bool, str], str]:
    """Return a name for each word; different words get different ones while there are enough."""
    new: dict[tuple[bool, str], str] = {}
    for given, word in sorted(words):
        pool = group.given[known.get(word, "")] if given else group.surnames
        for turn in range(_TURNS):
            made = pool.draw(f"{chance} {word} {turn}")
            if made != word and made not in new.values():
                break
        new[given, word] = made
    return new


def _rewritten(document: Document, texts: Mapping[Span, str]) -> Document:
    """Return the note with other texts for some spans, which are its only spans now."""
    pieces: list[str] = []
    spans = []
    last = length = 0
    for span, after in texts.items():
        before = document.text[last : span.start]
        length += len(before)
        spans.append(Span(length, length + len(after), span.label))
        pieces += before, after
        length += len(after)
        last = span.end
    pieces.append(document.text[last:])
    return replace(document, text="".join(pieces), spans=tuple(spans), patient=None, meta={})
