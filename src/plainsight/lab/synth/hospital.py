"""An invented hospital: its people, places and local vocabulary, drawn from a seed.

Each seed gives another hospital: other names, other wards, another shape of record numbers, of initials and
of dates, another large employer with a nickname, and names of protocols and programs that look like people.
All of it is what the systems of a hospital know (`Hospital.tables`) or what its notes teach.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from pathlib import Path
from random import Random
from typing import Any

from plainsight.lists import load

FIRST_DAY = date(2021, 1, 1)
DAYS = 3 * 365

WORDS: Mapping[str, Any] = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
_WORD_WARDS: Mapping[str, str] = WORDS["word_wards"]
INITIALS: Sequence[Callable[[str], str]] = (str.lower, str.upper, lambda two: ".".join(two.lower()) + ".",
    lambda two: two[0].upper() + two[1:].lower())  # fmt: skip
ODD_DATES: Sequence[Callable[[date], str]] = (
    lambda day: f"{day:%y}.{day:%j}", lambda day: f"d{day:%j}/{day:%y}", lambda day: f"{day:%j}-{day:%y}",
    lambda day: f"{day:%Y}w{day.isocalendar().week:02}", lambda day: f"{day:%d%b%y}".upper(),
)  # fmt: skip
DATES: Sequence[str] = ("%m/%d/%Y", "%d-%b-%y", "%Y-%m-%d", "%b %d, %Y", "%m-%d-%y")
SHORT_DATES: Sequence[str] = ("%m/%d", "%-d %b", "%-m-%-d", "%b %-d", "%-m.%-d")


@dataclass(frozen=True, slots=True)
class Person:
    """A patient, relative or member of staff; staff have credentials, initials and a login."""

    id: str
    first: str
    last: str
    female: bool
    credential: str = ""
    initials: str = ""
    username: str = ""
    pager: str = ""
    department: str = ""

    @property
    def full(self) -> str:
        """First and last name."""
        return f"{self.first} {self.last}"


@dataclass(frozen=True, slots=True)
class Resident:
    """A patient with what registration knows."""

    person: Person
    mrn: str
    born: date
    street: str
    phone: str
    employer: str
    profession: str
    relative: Person
    relation: str


@dataclass(slots=True)
class Hospital:
    """One site; `drawn` makes it."""

    name: str
    short: str
    street: str
    city: str
    state: str
    zip: str
    phone: str
    wards: list[str]
    clinics: list[str]
    facilities: list[str]
    pharmacies: list[str]
    churches: list[str]
    streets: list[str]
    employer: str
    nicknames: list[str]
    employers: list[str]
    eponyms: tuple[str, str]
    acronyms: tuple[str, str]
    system: str
    providers: list[Person]
    patients: list[Resident] = field(default_factory=list)
    census: list[Resident] = field(default_factory=list)
    """People without notes here, who are in the registration all the same."""

    mrn_shape: str = "#######"
    visit_shape: str = "#######"
    job_shape: str = "#######"
    accession_shape: str = "#######"
    date_shape: str = DATES[0]
    short_date: str = SHORT_DATES[0]
    odd_date: Callable[[date], str] = ODD_DATES[0]
    capitals: bool = False

    def ward_phrase(self, random: Random) -> str:
        """Return words that are no ward although they look like one."""
        phrases = [_WORD_WARDS[ward] for ward in self.wards if ward in _WORD_WARDS]
        return random.choice(phrases or ["by the window"])

    def tables(self) -> Mapping[str, list[dict[str, str]]]:
        """Return what the hospital's systems export, by the name of the table.

        As in real ones something is missing: a twentieth of the staff, and every nickname of the employer.
        """
        residents = [*self.patients, *self.census]
        return {
            "patients": [_patient_row(resident, self) for resident in residents],
            "providers": [
                {"provider_id": p.id, "last_name": p.last, "first_name": p.first, "credential": p.credential,
                 "initials": p.initials, "login": p.username, "pager": p.pager, "department": p.department}
                for place, p in enumerate(self.providers) if place % 20 != 19
            ],
            "facilities": [
                {"name": name, "kind": kind, "short_name": self.short if name == self.name else ""}
                for kind, names in (("hospital", [self.name]), ("clinic", self.clinics),
                    ("nursing facility", self.facilities), ("pharmacy", self.pharmacies)) for name in names
            ],
            "units": [{"unit": ward, "facility": self.name} for ward in self.wards],
            "employers": [{"name": name} for name in (self.employer, *self.employers, *self.churches)],
            "streets": [{"street": street, "city": self.city} for street in self.streets],
        }  # fmt: skip


def _patient_row(resident: Resident, hospital: Hospital) -> dict[str, str]:
    person = resident.person
    return {
        "patient_id": person.id, "mrn": resident.mrn, "last_name": person.last, "first_name": person.first,
        "birth_date": resident.born.isoformat(), "sex": "F" if person.female else "M",
        "street": resident.street, "city": hospital.city, "state": hospital.state, "zip": hospital.zip,
        "phone": resident.phone, "employer": resident.employer,
        "next_of_kin": resident.relative.full, "relation": resident.relation,
    }  # fmt: skip


def drawn(seed: int, *, patients: int, census: int) -> Hospital:
    """Return the hospital of a seed with so many patients, and so many further people in its registration."""
    random = Random(f"hospital {seed}")
    draw = Names(random)
    cities = load("us_cities")
    city, state = random.choice(list(zip(cities["name"], cities["state"], strict=True))[2_000:9_000])
    founder, second, rival = (draw.surname() for _ in range(3))
    tree, first_street, street = random.choices(WORDS["streets"], k=3)
    name = random.choice((f"{founder} Memorial Hospital", f"{city} Regional Medical Center",
                          f"{founder} {second} Hospital", f"{tree} Valley Medical Center"))  # fmt: skip
    practice = random.choice(("Clinic", "Family Practice"))
    end = random.choice(WORDS["street_ends"])
    one, other = random.sample(WORDS["acronyms"], 2)
    surname_wards = [draw.surname() for _ in range(5)]
    word_wards = random.sample(sorted(_WORD_WARDS), 4)
    codes = [shape.format(n=random.randint(2, 9)) for shape in random.sample(WORDS["coded_wards"], 4)]
    make = random.choice(WORDS["makes"])
    owner = draw.surname()
    streets = [
        f"{random.choice((*WORDS['streets'], draw.surname()))} {random.choice(WORDS['street_ends'])}"
        for _ in range(40)
    ]
    firms = [shape.format(draw.surname()) for shape in WORDS["firms"] for _ in range(2)]
    initials = random.choice(INITIALS)
    pager = random.choice(WORDS["pager"])
    hospital = Hospital(
        name=name,
        short="".join(word[0] for word in name.split()),
        street=f"{random.randint(1, 900)} {street} {end}",
        city=city,
        state=state,
        zip=f"{random.randint(10_000, 99_000)}",
        phone=f"({random.randint(210, 989)}) 555-{random.randint(100, 999):04}",
        wards=[*surname_wards, *word_wards, *codes],
        clinics=[f"{first_street} {practice}", f"{rival} Clinic",
                 random.choice(("Uptown", "Riverside", "Eastgate", "The Annex"))],
        facilities=[f"{draw.surname()} {kind}" for kind in ("Manor", "House", "Rehab", "Commons")],
        pharmacies=[f"{draw.surname()}'s", f"{draw.surname()} Drug"],
        churches=random.sample(WORDS["churches"], 3),
        streets=sorted(set(streets)),
        employer=f"{owner} {make}",
        nicknames=[random.choice(WORDS["nicknames"]), owner, f"{owner[0]}{make[0]}{random.choice('CMI')}"],
        employers=sorted(set(firms)),
        eponyms=(draw.surname(), draw.surname()),
        acronyms=(one, other),
        system=random.choice(WORDS["systems"]),
        providers=[_provider(draw, number, initials, pager) for number in range(60)],
        mrn_shape=random.choice(WORDS["mrn"]),
        visit_shape=random.choice(WORDS["visit"]),
        job_shape=random.choice(WORDS["job"]),
        accession_shape=random.choice(WORDS["accession"]),
        date_shape=random.choice(DATES),
        short_date=random.choice(SHORT_DATES),
        odd_date=random.choice(ODD_DATES),
        capitals=random.random() < 0.5,
    )  # fmt: skip
    residents = [_resident(draw, hospital, number) for number in range(patients + census)]
    hospital.patients, hospital.census = residents[:patients], residents[patients:]
    return hospital


class Names:
    """Draws names of people as often as they are borne, and some that are words."""

    def __init__(self, random: Random) -> None:
        self.random = random
        surnames, firsts = load("surnames"), load("first_names")
        self._surnames = surnames["name"][:30_000]
        self._weights = _running(surnames["count"][:30_000])
        women = [n for n, share in enumerate(firsts["female"][:6_000]) if int(share) >= 50]
        men = [n for n, share in enumerate(firsts["female"][:6_000]) if int(share) < 50]
        self._firsts = {
            female: ([firsts["name"][n] for n in group], _running([firsts["count"][n] for n in group]))
            for female, group in ((True, women), (False, men))
        }

    def surname(self, *, words: float = 0.0) -> str:
        """Return a surname; with ``words`` as the chance, one that is also a word."""
        if words and self.random.random() < words:
            return str(self.random.choice(WORDS["word_surnames"]))
        return self.random.choices(self._surnames, cum_weights=self._weights)[0].title()

    def person(self, id: str, *, words: float = 0.0, female: bool | None = None) -> Person:  # noqa: A002
        """Return somebody."""
        is_female = self.random.random() < 0.55 if female is None else female
        names, weights = self._firsts[is_female]
        first = self.random.choices(names, cum_weights=weights)[0].title()
        return Person(id, first, self.surname(words=words), is_female)


def _running(counts: Sequence[str]) -> list[float]:
    """Return running sums of the square roots: frequent names come often, yet do not crowd out the others."""
    total, sums = 0.0, []
    for count in counts:
        total += int(count) ** 0.5
        sums.append(total)
    return sums


def shaped(shape: str, random: Random, year: int = 21) -> str:
    """Return a number of a shape: ``#`` is a digit, ``?`` and ``!`` are letters, ``YY`` is a year."""
    made = shape.replace("YY", f"{year % 100:02}")
    for slot, signs in (("#", "0123456789"), ("?", "bcdfghjkmpqrtvwxz"), ("!", "BCDFGHJKMPQRTVWXZ")):
        while slot in made:
            made = made.replace(slot, random.choice(signs), 1)
    return made


def _provider(draw: Names, number: int, style: Callable[[str], str], pager: str) -> Person:
    random, person = draw.random, draw.person(f"S{number:04}", words=0.04)
    letters = person.first[0] + random.choice(("", "a", "j", "m", "r")) + person.last[0]
    if style is INITIALS[3]:
        letters = letters[0] + letters[-1]
    if letters.lower() in WORDS["no_initials"]:
        letters = letters[0] + "q" + letters[-1]
    return Person(
        person.id, person.first, person.last, person.female,
        credential=random.choice(WORDS["credentials"]),
        initials=style(letters),
        username=f"{person.last[:5].lower()}{person.first[0].lower()}{random.randint(1, 9)}",
        pager=shaped(pager, random),
        department=random.choice(("Medicine", "Surgery", "Nursing", "Pharmacy", "Radiology", "Therapy")),
    )  # fmt: skip


def _resident(draw: Names, hospital: Hospital, number: int) -> Resident:
    random = draw.random
    person = draw.person(f"P{number:06}", words=0.06)
    relation, female = random.choice((("wife", True), ("husband", False), ("daughter", True), ("son", False),
                                      ("sister", True), ("brother", False), ("mother", True)))  # fmt: skip
    kin = draw.person("", female=female)
    kin = Person("", kin.first, person.last if random.random() < 0.6 else kin.last, female)
    at_the_employer = random.random() < 0.35
    return Resident(
        person,
        mrn=shaped(hospital.mrn_shape, random),
        born=FIRST_DAY - timedelta(days=random.randint(18 * 365, 92 * 365)),
        street=f"{random.randint(1, 999)} {random.choice(hospital.streets)}",
        phone=f"555-{random.randint(100, 9999):04}",
        employer=hospital.employer if at_the_employer else random.choice(hospital.employers),
        profession=random.choice(WORDS["professions"]),
        relative=kin,
        relation=relation,
    )  # fmt: skip
