"""The dictionary attack: try all numbers, or guess keys.

A hash without a key hides nothing if all originals can be tried: all medical record numbers of six digits,
all social security numbers. With a key, the attacker has to guess the key first. `guess_keys` attacks the
surrogates of numbers: the attacker knows originals, surrogates and method. `digits_kept` counts the digits
that stay in place.
"""

from __future__ import annotations

import hashlib
import random
import re
from collections import Counter
from collections.abc import Callable, Sequence
from time import perf_counter

from plainsight.document import Document, Span
from plainsight.lab.attack.release import Maker, key_of, surrogate
from plainsight.lab.attack.statistics import Record
from plainsight.replace.surrogate.keyed import Keyed

_NUMBERED = (
    "SSN", "MEDICALRECORD", "HEALTHPLAN", "ACCOUNT", "LICENSE", "VEHICLE", "DEVICE", "IDNUM", "PHONE", "FAX",
    "ZIP",
)  # fmt: skip
_FICTIONAL = re.compile(r"555\D?01")


def hashes(*, digits: int = 6, victims: int = 200, seed: int = 0) -> list[Record]:
    """Recover record numbers from their hashes, without a key and with one, by trying all numbers."""
    numbers = random.Random(seed).sample(range(10**digits), victims)
    secret, guess = (Keyed.from_secret(key_of(seed, name)) for name in ("hash", "guess of the hash"))
    schemes: dict[str, tuple[Callable[[str], bytes], Callable[[str], bytes]]] = {
        "SHA-256, no key": (_sha256, _sha256),
        "plainsight's own (BLAKE2b), key unknown": (secret.digest, guess.digest),
    }
    records: list[Record] = []
    for scheme, (published, tried) in schemes.items():
        targets = {published(f"{number:0{digits}}") for number in numbers}
        began = perf_counter()
        recovered = sum(tried(f"{number:0{digits}}") in targets for number in range(10**digits))
        seconds = perf_counter() - began
        records.append(
            {
                "scheme": scheme,
                "space": 10**digits,
                "victims": victims,
                "recovered": recovered,
                "seconds": round(seconds, 2),
                "hours_for_all_ssns": round(seconds / 10**digits * 1e9 / 3600, 2),
            }
        )
    return records


def _sha256(number: str) -> bytes:
    return hashlib.sha256(number.encode()).digest()


def guess_keys(*, numbers: int = 60, keys: int = 40, seed: int = 0, make: Maker = surrogate) -> list[Record]:
    """Count how often a random key gives the released surrogate, beside chance."""
    chance = random.Random(seed)
    records: list[Record] = []
    for label, digits in (("SSN", 9), ("MEDICALRECORD", 7), ("IDNUM", 4)):
        originals = [f"{n:0{digits}d}" for n in chance.sample(range(10 ** (digits - 1), 10**digits), numbers)]
        span = Span(4, 4 + digits, label)
        notes = [
            Document(f"n{place}", f"No. {number}.", (span,), patient_id=f"p{place}")
            for place, number in enumerate(originals)
        ]
        released = make(key_of(seed, "numbers"), "patient").replace(notes)
        hits = 0
        for guess in range(keys):
            tried = make(key_of(seed + guess, "guess"), "patient").replace(notes)
            hits += sum(one == other for one, other in zip(tried, released, strict=True))
        tries = numbers * keys
        record = {"kind": label, "digits": digits, "tries": tries, "hits": hits}
        records.append({**record, "expected_by_chance": tries / 10**digits})
    return records


def digits_kept(gold: Sequence[Document], surrogates: Sequence[Sequence[str]]) -> list[Record]:
    """Count the digits of each label that are the same at the same place before and after; chance is 0.1.

    The fixed digits of fictional telephone numbers (555-01xx) are left out.
    """
    identifiers, digits, kept = Counter[str](), Counter[str](), Counter[str]()
    for document, texts in zip(gold, surrogates, strict=True):
        for span, after in zip(document.spans, texts, strict=True):
            before = document.text[span.start : span.end]
            fixed = {place for hit in _FICTIONAL.finditer(after) for place in range(*hit.span())}
            places = [place for place, sign in enumerate(before) if sign.isdigit() and place not in fixed]
            identifiers[span.label] += 1
            digits[span.label] += len(places)
            kept[span.label] += sum(before[place] == after[place : place + 1] for place in places)
    return [
        {
            "label": label,
            "identifiers": identifiers[label],
            "digits": digits[label],
            "kept": kept[label],
            "share": round(kept[label] / digits[label], 4) if digits[label] else None,
            "random": 0.1,
        }
        for label in _NUMBERED
        if identifiers[label]
    ]
