"""The dictionary attack: go through all numbers there are, or all keys one can think of.

A hash without a key hides nothing when the originals can be counted up: all medical record numbers of six
digits, all nine-digit social security numbers. With a key the attacker has to guess the key first. The
surrogates of numbers are attacked likewise: knowing the original and the method, how often does a guessed
key give the surrogate that was released? And how many digits stay in place?
"""

from __future__ import annotations

import hashlib
import random
import re
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from time import perf_counter

from plainsight.document import Document, Span
from plainsight.lab.attack.release import Maker, key_of, surrogate
from plainsight.replace.surrogate.keyed import Keyed


@dataclass(frozen=True, slots=True)
class Hashed:
    """How many originals an attacker recovers by hashing every possible number."""

    scheme: str
    space: int
    victims: int
    recovered: int
    seconds: float
    hours_for_all_ssns: float

    def to_json(self) -> dict[str, object]:
        """Return plain data."""
        rounded = {"seconds": round(self.seconds, 2), "hours_for_all_ssns": round(self.hours_for_all_ssns, 2)}
        return {**asdict(self), **rounded}


def hashes(*, digits: int = 6, victims: int = 200, seed: int = 0) -> list[Hashed]:
    """Recover record numbers from their hashes, without a key and with one, by counting them all up."""
    numbers = random.Random(seed).sample(range(10**digits), victims)
    secret, guess = (Keyed.from_secret(key_of(seed, name)) for name in ("hash", "guess of the hash"))
    schemes: dict[str, tuple[Callable[[str], bytes], Callable[[str], bytes]]] = {
        "SHA-256, no key": (_plain, _plain),
        "plainsight's own (BLAKE2b), key unknown": (secret.digest, guess.digest),
    }
    found = []
    for scheme, (published, tried) in schemes.items():
        targets = {published(f"{number:0{digits}}") for number in numbers}
        began = perf_counter()
        recovered = sum(tried(f"{number:0{digits}}") in targets for number in range(10**digits))
        seconds = perf_counter() - began
        hours = seconds / 10**digits * 1e9 / 3600
        found.append(Hashed(scheme, 10**digits, victims, recovered, seconds, hours))
    return found


def _plain(number: str) -> bytes:
    return hashlib.sha256(number.encode()).digest()


@dataclass(frozen=True, slots=True)
class Guessed:
    """How often a guessed key gave the surrogate that was released, beside what chance gives."""

    kind: str
    digits: int
    tries: int
    hits: int
    expected_by_chance: float

    def to_json(self) -> dict[str, object]:
        """Return plain data."""
        return asdict(self)


def guess_keys(*, numbers: int = 60, keys: int = 40, seed: int = 0, make: Maker = surrogate) -> list[Guessed]:
    """Guess keys: the attacker knows originals, surrogates and method, and tries keys at random."""
    chance = random.Random(seed)
    found = []
    for label, digits in (("SSN", 9), ("MEDICALRECORD", 7), ("IDNUM", 4)):
        originals = [f"{n:0{digits}d}" for n in chance.sample(range(10 ** (digits - 1), 10**digits), numbers)]
        notes = [_note(label, place, number) for place, number in enumerate(originals)]
        released = make(key_of(seed, "numbers"), "patient").replace(notes)
        hits = 0
        for guess in range(keys):
            tried = make(key_of(seed + guess, "guess"), "patient").replace(notes)
            hits += sum(one == other for one, other in zip(tried, released, strict=True))
        tries = numbers * keys
        found.append(Guessed(label, digits, tries, hits, tries / 10**digits))
    return found


def _note(label: str, place: int, number: str) -> Document:
    return Document(f"n{place}", f"No. {number}.", (Span(4, 4 + len(number), label),), patient_id=f"p{place}")


@dataclass(frozen=True, slots=True)
class Kept:
    """How many digits of a label's identifiers stay in place; a tenth is what chance gives."""

    label: str
    identifiers: int
    digits: int
    kept: int

    @property
    def share(self) -> float | None:
        """The share of digits that stay."""
        return self.kept / self.digits if self.digits else None

    def to_json(self) -> dict[str, object]:
        """Return plain data."""
        share = self.share
        return {**asdict(self), "share": None if share is None else round(share, 4), "random": 0.1}


_NUMBERED = (
    "SSN", "MEDICALRECORD", "HEALTHPLAN", "ACCOUNT", "LICENSE", "VEHICLE", "DEVICE", "IDNUM", "PHONE", "FAX",
    "ZIP",
)  # fmt: skip


_FICTIONAL = re.compile(r"555\D?01")


def digits_kept(gold: Sequence[Document], surrogates: Sequence[Sequence[str]]) -> list[Kept]:
    """Count the digits that are the same at the same place of an identifier before and after.

    The fixed digits of fictional telephone numbers (555-01xx) are left out.
    """
    counts = {label: [0, 0, 0] for label in _NUMBERED}
    for document, texts in zip(gold, surrogates, strict=True):
        for span, made in zip(document.spans, texts, strict=True):
            if span.label in counts:
                before = document.text[span.start : span.end]
                fixed = {place for hit in _FICTIONAL.finditer(made) for place in range(*hit.span())}
                digits = [place for place, sign in enumerate(before) if sign.isdigit() and place not in fixed]
                told = counts[span.label]
                told[0] += 1
                told[1] += len(digits)
                told[2] += sum(before[place] == made[place : place + 1] for place in digits)
    return [Kept(label, *told) for label, told in counts.items() if told[0]]
