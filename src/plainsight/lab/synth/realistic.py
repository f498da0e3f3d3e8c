"""Make surrogates realistic: a model would learn the rules by which they are fictional.

The surrogate engine writes phones as 555-01xx, web addresses under example.org and unassigned social security
numbers, so that they are not taken for real, and leaves ages alone. Training notes need all numbers, domains
and ages.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from random import Random

_DIGIT, _NUMBER = re.compile(r"\d"), re.compile(r"\d+")
_FICTIONAL = re.compile(r"\bexample(\.(?:com|org|net|edu))?\b")
_UNDER_EXAMPLE = re.compile(r"(?<=[\w-])\.example(\.(?:com|org|net|edu))?\b")
_PROVIDERS = ("gmail.com", "yahoo.com", "hotmail.com", "aol.com", "outlook.com", "comcast.net", "icloud.com")
_ENDINGS = (".com", ".org", ".net", ".edu", ".health", ".us", ".ca", ".co.uk", ".gov", ".clinic")
_SMALL = re.compile(r"\d{1,3}(?=\D*(?:mo|m\b|w|d))", re.IGNORECASE)


def realistic(label: str, text: str, random: Random) -> str:
    """Return a surrogate as it might occur in a note.

    >>> realistic("DOCTOR", "Ng", Random(1)), len(realistic("PHONE", "212-555-0123", Random(1)))
    ('Ng', 12)
    """
    change = _CHANGES.get(label)
    return change(text, random) if change else text


def _phone(text: str, random: Random) -> str:
    """Draw all digits behind the area code anew."""
    digits = len(_DIGIT.findall(text))
    if digits < 7:
        return text
    kept = 0 if digits == 7 else 4 if text.lstrip("(+").startswith("1") and digits == 11 else 3
    place = 0

    def draw(match: re.Match[str]) -> str:
        nonlocal place
        place += 1
        if place <= kept:
            return match[0]
        return random.choice("23456789" if place == kept + 1 else "0123456789")

    return _DIGIT.sub(draw, text)


def _address(text: str, random: Random) -> str:
    """Give an address of the web a domain as others have."""
    shorter = _UNDER_EXAMPLE.sub(lambda match: match[1] or random.choice(_ENDINGS), text)
    return _FICTIONAL.sub(lambda match: random.choice(_PROVIDERS), shorter)


def _network(text: str, random: Random) -> str:
    parts = text.split(".")
    if len(parts) != 4 or not all(map(str.isdigit, parts)):
        return text
    first = random.choice(([10], [192, 168], [172, random.randint(16, 31)], [random.randint(11, 223)]))
    return ".".join(map(str, (*first, *(random.randint(0, 254) for _ in range(4 - len(first))))))


def _social_security(text: str, random: Random) -> str:
    return random.choice("012345678") + text[1:] if len(_DIGIT.findall(text)) == 9 else text


def _age(text: str, random: Random) -> str:
    """Draw another age of the same kind: of a child, in months or weeks, a decade, or of a grown-up."""

    def draw(match: re.Match[str]) -> str:
        age = int(match[0][:4])
        if _SMALL.match(text, match.start()):
            return str(random.randint(2, 22))
        if text.endswith("s") and age % 10 == 0:
            return str(random.choice(range(20, 100, 10)))
        return str(random.randint(1, 17) if age < 18 else round(random.triangular(18, 100, 66)))

    return _NUMBER.sub(draw, text.removesuffix("+"))  # 90+ is how the engine hides the oldest


_CHANGES: Mapping[str, Callable[[str, Random], str]] = {
    "PHONE": _phone,
    "FAX": _phone,
    "EMAIL": _address,
    "URL": _address,
    "IPADDR": _network,
    "SSN": _social_security,
    "AGE": _age,
}
