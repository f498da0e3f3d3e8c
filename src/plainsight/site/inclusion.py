"""The inclusion list: sentences that a person accepted as free of identifiers (S135-S138).

Frequent sentences of several patients, and repeated ones rich in medical terms, are proposed if no detector
of the site's policy claims anything in them, each at its most careful bias. A person accepts or refuses them.
An entry keeps who decided and when, how often the sentence occurs, and the models that found nothing in it.

In a pipeline, an accepted sentence that stands in a note exactly as accepted is not read by the models, and
every claim inside it is dropped, but those of the ``patient`` detector: what a record knows is never let
through. An entry counts only for the models, options and version that it was last scanned with. `rescan`
looks at all entries again after a change, and suspends those in which any detector now finds something.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from datetime import datetime
from itertools import islice
from typing import Literal

import msgspec

from plainsight.config import Policy
from plainsight.document import Document
from plainsight.errors import DataError, UsageError
from plainsight.labels import group
from plainsight.models import models_of, with_bias_moved
from plainsight.pipeline import Pipeline
from plainsight.shipped import read_shipped
from plainsight.site.folder import Site, read_sealed, write_sealed
from plainsight.site.known import settings_of
from plainsight.site.sentences import Stored
from plainsight.text.vocabulary import Is, flags_of

State = Literal["proposed", "accepted", "refused", "suspended"]
Reason = Literal["frequent", "medical"]

CAREFUL_BIAS = -3.0
"""Added to the bias of every network that looks at a proposal: finds words at a probability of about 1 %."""
LEAST_COUNT = 20
LEAST_COUNT_MEDICAL = 3
LEAST_PATIENTS = 5
"""In how many patients' notes a sentence stands that is proposed: one patient's own data does not."""

_FORMAT = 1
_PART = "inclusion"
_BATCH = 500
_WORD = re.compile(r"[A-Za-z]+")
_MEDICAL_WORDS, _MEDICAL_SHARE = 2, 0.3


class Entry(msgspec.Struct):
    """A sentence with all that is known of its acceptance.

    ``settings`` is the digest of the detectors that it was last scanned with, ``models`` their checksums;
    ``doubted_by`` names the detector because of which it is suspended.
    """

    text: str
    count: int
    reason: Reason
    state: State = "proposed"
    settings: str = ""
    models: dict[str, str] = {}
    who: str = ""
    when: str = ""
    doubted_by: str = ""


class _File(msgspec.Struct, array_like=True):
    format: int
    entries: list[Entry]


class InclusionList:
    """The entries by text."""

    def __init__(self, entries: Iterable[Entry] = ()) -> None:
        self._entries = {entry.text: entry for entry in entries}

    def __repr__(self) -> str:
        return f"InclusionList({len(self._entries)})"  # never its text

    def __len__(self) -> int:
        return len(self._entries)

    def __contains__(self, text: str) -> bool:
        return text in self._entries

    def entries(self, *states: State) -> list[Entry]:
        """Return the entries in some states, or all; the most frequent come first."""
        chosen = [entry for entry in self._entries.values() if not states or entry.state in states]
        return sorted(chosen, key=lambda entry: (-entry.count, entry.text))

    def propose(self, entries: Iterable[Entry]) -> int:
        """Add proposals that the list does not have; return how many those are."""
        new = [entry for entry in entries if entry.text not in self._entries]
        self._entries |= {entry.text: entry for entry in new}
        return len(new)

    def decide(self, text: str, *, accept: bool, who: str, when: datetime) -> Entry:
        """Accept or refuse an entry; a suspended one must be scanned again first."""
        entry = self._entries.get(text)
        if entry is None:
            raise UsageError("the sentence was not proposed: only a scanned sentence can be accepted")
        if accept and entry.state == "suspended":
            raise UsageError(f"the sentence is suspended: {entry.doubted_by} finds something in it")
        if not who.strip():
            raise UsageError("say who decides")
        entry.state = "accepted" if accept else "refused"
        entry.who, entry.when = who, when.isoformat(timespec="seconds")
        return entry

    def rescan(self, scan: Scan) -> list[Entry]:
        """Look at all entries but refused ones with other models; return those that are suspended now.

        A suspended entry in which nothing is found any more is proposed again: a person decides anew.
        """
        suspended = []
        entries = self.entries("proposed", "accepted", "suspended")
        for entry, doubted in zip(entries, scan([entry.text for entry in entries]), strict=True):
            entry.settings, entry.models = scan.settings, scan.models
            if doubted:
                if entry.state != "suspended":
                    suspended.append(entry)
                entry.state, entry.doubted_by = "suspended", doubted
            elif entry.state == "suspended":
                entry.state, entry.doubted_by = "proposed", ""
        return suspended

    def accepted(self, settings: str) -> frozenset[str]:
        """Return the sentences that were accepted and last scanned with these settings."""
        return frozenset(entry.text for entry in self.entries("accepted") if entry.settings == settings)


class Scan:
    """Look for identifiers in sentences with every detector of a policy, each at its most careful bias."""

    def __init__(self, policy: Policy, *, key: bytes | None = None) -> None:
        self.settings = settings_of(policy, [choice.name for choice in policy.detectors])
        self.models = models_of(policy)
        self._pipeline = Pipeline(careful(policy), key=key)

    def __call__(self, texts: Iterable[str]) -> Iterator[str]:
        """Yield for each sentence the name of a detector that finds something in it, or nothing."""
        pending = iter(texts)
        while batch := list(islice(pending, _BATCH)):
            notes = [Document(str(number), text) for number, text in enumerate(batch)]
            for claims in self._pipeline.claims(notes):
                yield claims[0].detector if claims else ""


def careful(policy: Policy) -> Policy:
    """Return a policy that finds most: careful networks, one vote is enough, and no site's knowledge."""
    detectors = tuple(with_bias_moved(choice, CAREFUL_BIAS) for choice in policy.detectors)
    labels = policy.labels | group("all")
    return replace(policy, detectors=detectors, labels=labels, vote=1, routes={}, thresholds={}, site=None)


def proposals(stored: Iterable[Stored], scan: Scan, known: InclusionList) -> Iterator[Entry]:
    """Yield an entry for each sentence worth proposing in which no detector finds anything."""
    pending = (
        Entry(one.text, one.count, reason)
        for one in stored
        if one.text not in known and (reason := _worth(one)) is not None
    )
    while batch := list(islice(pending, _BATCH)):
        for entry, doubted in zip(batch, scan([entry.text for entry in batch]), strict=True):
            if not doubted:
                entry.settings, entry.models = scan.settings, scan.models
                yield entry


def _worth(one: Stored) -> Reason | None:
    """Return why a sentence is worth proposing."""
    words = _WORD.findall(one.text)
    if one.patients < LEAST_PATIENTS or not words:
        return None
    if one.count >= LEAST_COUNT:
        return "frequent"
    medical = sum(bool(flags_of(word) & Is.MEDICAL) for word in words)
    rich = medical >= _MEDICAL_WORDS and medical >= _MEDICAL_SHARE * len(words)
    return "medical" if rich and one.count >= LEAST_COUNT_MEDICAL else None


def load_inclusion(site: Site) -> InclusionList:
    """Return a site's inclusion list; an empty one if it has none yet."""
    if not site.inclusion.exists():
        return InclusionList()
    try:
        file = msgspec.msgpack.decode(read_sealed(site, site.inclusion, part=_PART), type=_File)
    except msgspec.MsgspecError:
        raise DataError(f"{site.inclusion} is of another version: it was left as it is") from None
    return InclusionList(file.entries)


def save_inclusion(site: Site, entries: InclusionList) -> None:
    """Write a site's inclusion list, encrypted; after a crash the old one or the new one is there, whole."""
    packed = msgspec.msgpack.encode(_File(_FORMAT, entries.entries()))
    write_sealed(site, site.inclusion, packed, part=_PART)


def starter_sentences() -> list[Stored]:
    """Return the stock sentences that come with plainsight, as if many patients' notes had them."""
    lines = read_shipped("data/sentences/starter.txt").decode().splitlines()
    return [Stored(line, LEAST_COUNT, LEAST_PATIENTS) for line in lines]
