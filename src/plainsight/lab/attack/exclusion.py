"""The exclusion attack: find a site's own names as the values that never, or too seldom, are in its release.

All patients of a site share its laboratory director, hospital, town and so on. If a surrogate could not be
its own original, the true director would be the one name of the pool that nobody's notes show. The attacker
has one note of each of many patients, counts how often each value stands in the place of the director, and
ranks the values by that count. If the original ranks like any other value, absence tells him nothing.

Values of the pool that happened to fall to no patient are candidates, too; how many there are is estimated
from the values seen once and twice (Chao 1984). Over many sites, each with its own key, the places of the
originals are compared with chance in two ways: ``p`` with the middle of all values, and ``p_elsewhere`` with
the place of the same value at another site of the same kind, whose originals are the surrogates of one
patient of the first. The second tells values that are common wherever they stand from an original that
stands out, and also finds an original that only its own site can show.
"""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from statistics import mean, stdev

from plainsight import lists
from plainsight.document import Document, Span
from plainsight.lab.attack.release import Consistency, Maker, key_of, surrogate
from plainsight.lab.attack.statistics import Record, rounded
from plainsight.locale.calendar import fold
from plainsight.replace.base import Operation

_COMMON = 1500  # names of a list that a site's people bear
_SMALLEST_TOWN = 5000
KINDS = ("surname", "given name", "hospital", "town", "state", "county", "organisation")
"""What is attacked."""

_NOTE = (
    "LABORATORY REPORT\n",
    ("HOSPITAL", "hospital"),
    "\n",
    ("CITY", "town"),
    ", ",
    ("STATE", "state"),
    "\nLaboratory director: ",
    ("DOCTOR", "director"),
    ", MD\nPatient: ",
    ("PATIENT", "patient"),
    "   MRN ",
    ("MEDICALRECORD", "number"),
    "\nCollected ",
    ("DATE", "date"),
    ". Lives in ",
    ("LOCATION_OTHER", "county"),
    " and works at ",
    ("ORGANIZATION", "organisation"),
    ".\nPotassium 4.1, sodium 139.\n",
)


@dataclass(frozen=True, slots=True)
class Site:
    """What all patients of a site share."""

    director: str
    hospital: str
    town: str
    state: str
    county: str
    organisation: str

    def originals(self) -> dict[str, str]:
        """Return the original of each kind."""
        given, _, surname = self.director.partition(" ")
        return {
            "surname": surname,
            "given name": given,
            "hospital": self.hospital,
            "town": self.town,
            "state": self.state,
            "county": self.county,
            "organisation": self.organisation,
        }


def exclusion(
    *,
    patients: int = 1000,
    sites: int = 20,
    consistency: Consistency = "patient",
    seed: int = 0,
    make: Maker = surrogate,
) -> list[Record]:
    """Attack some sites, each with one note of each patient; return a row for each kind."""
    own: dict[str, list[float]] = {kind: [] for kind in KINDS}
    elsewhere: dict[str, list[float]] = {kind: [] for kind in KINDS}
    absent: Counter[str] = Counter()
    values: Counter[str] = Counter()
    for number in range(sites):
        chance = random.Random(f"site {seed} {number}")
        site = draw_site(chance)
        made = _release(site, patients, make(key_of(seed, f"exclusion {number}"), consistency), chance)
        stranger = _site_of(chance.choice(made))
        other = _release(stranger, patients, make(key_of(seed, f"stranger {number}"), consistency), chance)
        counts, strange = _counted(made), _counted(other)
        for kind, original in site.originals().items():
            original = fold(original)
            own[kind].append(percentile(counts[kind], original, chance))
            elsewhere[kind].append(percentile(strange[kind], original, chance))
            absent[kind] += original not in counts[kind]
            values[kind] += len(counts[kind])
    return [
        {
            "kind": kind,
            "consistency": consistency,
            "sites": sites,
            "patients": patients,
            "values_seen": round(values[kind] / sites),
            "sites_without_the_original": absent[kind],
            "mean_percentile": rounded(mean(own[kind])),
            "random": 0.5,
            "p": rounded(by_chance(own[kind])),
            "elsewhere": rounded(mean(elsewhere[kind])),
            "p_elsewhere": rounded(as_elsewhere(own[kind], elsewhere[kind])),
        }
        for kind in KINDS
    ]


def _release(site: Site, patients: int, operation: Operation, chance: random.Random) -> list[list[str]]:
    """Return the surrogates of one note of each patient of a site."""
    return operation.replace([_note(site, number, chance) for number in range(patients)])


def _site_of(texts: Sequence[str]) -> Site:
    """Return the site that the surrogates of one patient name."""
    values = {name: texts[place] for name, place in _places().items()}
    return Site(**{name: values[name] for name in Site.__slots__})


@cache
def _large_towns() -> list[tuple[str, str]]:
    cities = lists.load("us_cities")
    columns = zip(cities["name"], cities["state"], cities["population"], strict=True)
    return [(town, state) for town, state, people in columns if int(people) > _SMALLEST_TOWN]


def draw_site(chance: random.Random) -> Site:
    """Draw what a site's patients share from the public lists."""
    town, state = chance.choice(_large_towns())
    counties = lists.load("counties")
    near = [name for name, home in zip(counties["name"], counties["state"], strict=True) if home == state]
    county = chance.choice(near or list(counties["name"]))
    hospitals = (
        chance.choice(lists.load("hospitals")["name"]),
        f"{town} Regional Hospital",
        f"{_name(chance).split()[1]} Memorial Hospital",
    )
    return Site(
        director=_name(chance),
        hospital=chance.choice(hospitals),
        town=town,
        state=state,
        county=county if "county" in county.casefold() else f"{county} County",
        organisation=chance.choice(lists.load("organizations")["name"]),
    )


def _name(chance: random.Random) -> str:
    names = (chance.choice(lists.load(name)["name"][:_COMMON]) for name in ("first_names", "surnames"))
    return " ".join(names).title()


def _note(site: Site, number: int, chance: random.Random) -> Document:
    texts = {
        "director": site.director,
        "hospital": site.hospital,
        "town": site.town,
        "state": site.state,
        "county": site.county,
        "organisation": site.organisation,
        "patient": _name(chance),
        "number": f"{chance.randrange(10**7, 10**8)}",
        "date": f"{chance.randrange(1, 13)}/{chance.randrange(1, 29)}/{chance.randrange(2015, 2025)}",
    }
    text, spans = "", []
    for piece in _NOTE:
        if isinstance(piece, str):
            text += piece
        else:
            label, name = piece
            spans.append(Span(len(text), len(text) + len(texts[name]), label))
            text += texts[name]
    return Document(f"n{number}", text, tuple(spans), patient_id=f"p{number}")


@cache
def _places() -> Mapping[str, int]:
    """Return which span of a note each marked piece is."""
    return {piece[1]: place for place, piece in enumerate(p for p in _NOTE if not isinstance(p, str))}


def _counted(made: Sequence[Sequence[str]]) -> dict[str, Counter[str]]:
    """Count how often each value stands in the place of each kind."""
    counts: dict[str, Counter[str]] = {kind: Counter() for kind in KINDS}
    for texts in made:
        for kind, value in _values(texts):
            counts[kind][fold(value)] += 1
    return counts


def _values(texts: Sequence[str]) -> Iterator[tuple[str, str]]:
    given, _, surname = texts[_places()["director"]].partition(" ")
    yield from (("given name", given), ("surname", surname))
    for kind in ("hospital", "town", "state", "county", "organisation"):
        yield kind, texts[_places()[kind]]


def percentile(counts: Mapping[str, int], original: str, chance: random.Random) -> float:
    """Return where the original stands among all values of the pool by their count, from 0 (rarest) to 1.

    Equal counts are ordered by chance, so that the place of an ordinary value is uniform. If all patients
    have the same value, nothing can be ranked, and the place is by chance.

    >>> percentile({"a": 3, "b": 4, "c": 2, "d": 3}, "e", random.Random(0)) < 0.2
    True
    """
    if len(counts) < 2:
        return chance.random()
    own = counts.get(original, 0)
    once, twice = (sum(count == times for count in counts.values()) for times in (1, 2))
    unseen = once * (once - 1) / (2 * (twice + 1)) - (own == 0)
    below = sum(count < own for count in counts.values()) + (unseen if own else 0)
    ties = sum(count == own for count in counts.values()) - (own > 0) + (0 if own else max(0.0, unseen))
    total = len(counts) + max(0.0, unseen) + (own == 0)
    return float((max(0.0, below) + chance.random() * (ties + 1)) / total)


def by_chance(own: Sequence[float]) -> float:
    """Return how likely a mean place so far from the middle is by chance (normal approximation)."""
    return math.erfc(abs(mean(own) - 0.5) * math.sqrt(12 * len(own)) / math.sqrt(2))


def as_elsewhere(own: Sequence[float], elsewhere: Sequence[float]) -> float:
    """Return how likely so large a mean difference is by chance: pairs, normal approximation."""
    differences = [one - other for one, other in zip(own, elsewhere, strict=True)]
    spread = stdev(differences) / math.sqrt(len(differences))
    if not spread:
        return 1.0 if not mean(differences) else 0.0
    return math.erfc(abs(mean(differences)) / spread / math.sqrt(2))
