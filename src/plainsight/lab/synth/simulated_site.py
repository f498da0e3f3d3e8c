"""A simulated site: the notes of one hospital over three years, with exact marks.

A note is made of families of boiler-plate (`simulated_site.txt`), a few lines of its own and sometimes a
trap. In that file ``[a|b]`` is chosen once for a hospital, ``<a|b>`` each time, and ``{slot}`` is filled in;
slots that identify carry a label. Every seed is another hospital: its people and local vocabulary
(`hospital.py`), its wording of each family, and which families its kinds of notes use. Besides plain lines
there are three layouts, which differ in detail from hospital to hospital.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from functools import partial
from itertools import cycle
from pathlib import Path
from random import Random
from typing import Any

from plainsight.document import Document
from plainsight.lab.synth.hospital import DAYS, FIRST_DAY, WORDS, Hospital, Person, Resident, drawn, shaped
from plainsight.lab.synth.pieces import Piece, Pieces, joined
from plainsight.lists import load

_TEXT = Path(__file__).with_suffix(".txt")
_KINDS = {"progress": 35, "nursing": 32, "report": 12, "discharge": 9, "letter": 6, "phone": 6}
_LAYOUTS = {"plain": 40, "margin": 20, "wire": 20, "coded": 20}
_TRAPPED = 0.03  # of the notes
_LEFT_OUT = 0.12  # of the boiler-plate that a kind of notes has
_STORY = (2, 6)  # lines of a note's own

_SITE_CHOICE = re.compile(r"\[([^\[\]]*)\]")
_CHOICE = re.compile(r"<([^<>]*)>")
_SLOT = re.compile(r"\{(\w+)\}")

Family = list[str]
"""The lines of a piece of boiler-plate."""


@dataclass(frozen=True, slots=True)
class Scene:
    """Whom and what a note is about."""

    hospital: Hospital
    resident: Resident
    other: Resident
    day: date
    ward: str
    doctor: Person
    visit: str
    random: Random

    def staff(self) -> Person:
        """Return any member of staff."""
        return self.random.choice(self.hospital.providers)

    def near(self) -> date:
        """Return a day within two months of the note."""
        return self.day + timedelta(days=self.random.randint(-40, 25))


def _comma(resident: Resident, hospital: Hospital) -> str:
    name = f"{resident.person.last}, {resident.person.first}"
    return name.upper() if hospital.capitals else name


def _age(scene: Scene) -> str:
    return str((scene.day - scene.resident.born).days // 365)


def _misspelt(scene: Scene) -> str:
    name = scene.resident.person.last
    place = scene.random.randrange(1, len(name))
    return name[:place] + name[place - 1] + name[place:]


def _employer_nickname(scene: Scene) -> str:
    """Return what people call the large employer; others are called by their names."""
    hospital = scene.hospital
    if scene.resident.employer == hospital.employer or scene.random.random() < 0.3:
        return scene.random.choice(hospital.nicknames)
    return scene.resident.employer


_IDENTIFIERS: Mapping[str, tuple[str, Callable[[Scene], str]]] = {
    "patient_comma": ("PATIENT", lambda s: _comma(s.resident, s.hospital)),
    "patient_full": ("PATIENT", lambda s: s.resident.person.full),
    "patient_first": ("PATIENT", lambda s: s.resident.person.first),
    "patient_last": ("PATIENT", lambda s: s.resident.person.last),
    "patient_last_upper": ("PATIENT", lambda s: s.resident.person.last.upper()),
    "patient_lower": ("PATIENT", lambda s: s.resident.person.full.lower()),
    "patient_misspelt": ("PATIENT", _misspelt),
    "word_name": ("PATIENT", lambda s: s.random.choice(("May", "Hope", "Grace", "Will", "Rash", "Pain"))),
    "other_comma": ("PATIENT", lambda s: _comma(s.other, s.hospital)),
    "other_first": ("PATIENT", lambda s: s.other.person.first),
    "other_last": ("PATIENT", lambda s: s.other.person.last),
    "relative_full": ("PATIENT", lambda s: s.resident.relative.full),
    "relative_first": ("PATIENT", lambda s: s.resident.relative.first),
    "relative_last": ("PATIENT", lambda s: s.resident.relative.last),
    "doctor_full": ("DOCTOR", lambda s: s.doctor.full),
    "doctor_last": ("DOCTOR", lambda s: s.doctor.last),
    "doctor_first": ("DOCTOR", lambda s: s.staff().first),
    "eponym_surname": ("DOCTOR", lambda s: s.hospital.eponyms[1]),
    "initials": ("DOCTOR", lambda s: s.doctor.initials),
    "initials_other": ("DOCTOR", lambda s: s.staff().initials),
    "username": ("USERNAME", lambda s: s.doctor.username),
    "mrn": ("MEDICALRECORD", lambda s: s.resident.mrn),
    "mrn_digits": ("MEDICALRECORD", lambda s: re.sub(r"\D", "", s.resident.mrn)),
    "other_mrn": ("MEDICALRECORD", lambda s: s.other.mrn),
    "visit": ("ACCOUNT", lambda s: s.visit),
    "job": ("IDNUM", lambda s: shaped(s.hospital.job_shape, s.random, s.day.year)),
    "accession": ("IDNUM", lambda s: shaped(s.hospital.accession_shape, s.random, s.day.year)),
    "dob": ("DATE", lambda s: s.resident.born.strftime(s.hospital.date_shape)),
    "date": ("DATE", lambda s: s.day.strftime(s.hospital.date_shape)),
    "date_short": ("DATE", lambda s: s.near().strftime(s.hospital.short_date)),
    "odd_date": ("DATE", lambda s: s.hospital.odd_date(s.near())),
    "weekday": ("DATE", lambda s: s.near().strftime(s.random.choice(("%A", "%a")))),
    "weekday_plural": ("DATE", lambda s: s.near().strftime("%As")),
    "year": ("DATE", lambda s: str(s.day.year - s.random.randint(1, 20))),
    "age": ("AGE", _age),
    "phone": ("PHONE", lambda s: s.resident.phone),
    "pager": ("PHONE", lambda s: s.doctor.pager),
    "hospital_phone": ("PHONE", lambda s: s.hospital.phone),
    "hospital": ("HOSPITAL", lambda s: s.hospital.name),
    "hospital_short": ("HOSPITAL", lambda s: s.hospital.short),
    "ward": ("HOSPITAL", lambda s: s.random.choice((s.ward, s.random.choice(s.hospital.wards)))),
    "ward_bed": ("HOSPITAL", lambda s: f"{s.ward}-{s.random.randint(1, 28)}"),
    "clinic": ("HOSPITAL", lambda s: s.random.choice(s.hospital.clinics)),
    "facility": ("HOSPITAL", lambda s: s.random.choice(s.hospital.facilities)),
    "pharmacy": ("HOSPITAL", lambda s: s.random.choice(s.hospital.pharmacies)),
    "church": ("ORGANIZATION", lambda s: s.random.choice(s.hospital.churches)),
    "employer": ("ORGANIZATION", lambda s: s.resident.employer),
    "employer_nick": ("ORGANIZATION", _employer_nickname),
    "profession": ("PROFESSION", lambda s: s.resident.profession),
    "street": ("STREET", lambda s: s.resident.street),
    "street_name": ("STREET", lambda s: s.resident.street.partition(" ")[2]),
    "hospital_street": ("STREET", lambda s: s.hospital.street),
    "city": ("CITY", lambda s: s.hospital.city),
    "place": ("CITY", lambda s: s.random.choice(load("us_cities")["name"][:3_000])),
    "state": ("STATE", lambda s: s.hospital.state),
    "zip": ("ZIP", lambda s: s.hospital.zip),
}
"""Slots that identify somebody: the label, and what is written."""

_FILLERS: Mapping[str, Callable[[Scene], str]] = {
    "n": lambda s: str(s.random.choice((s.random.randint(2, 9), s.random.randint(10, 99), 125, 250, 500))),
    "bp": lambda s: f"{s.random.randint(92, 178)}/{s.random.randint(48, 99)}",
    "hr": lambda s: str(s.random.randint(52, 121)),
    "sat": lambda s: str(s.random.randint(88, 100)),
    "temp": lambda s: f"{s.random.uniform(96.8, 102.4):.1f}",
    "time": lambda s: f"{s.random.randint(0, 23):02}{s.random.choice((':', ''))}{s.random.randint(0, 59):02}",
    "drug": lambda s: s.random.choice(WORDS["drugs"]),
    "symptom": lambda s: s.random.choice(WORDS["symptoms"]),
    "symptom_cap": lambda s: s.random.choice(WORDS["symptoms"]).capitalize(),
    "lab": lambda s: s.random.choice(WORDS["labs"]),
    "sex": lambda s: "female" if s.resident.person.female else "male",
    "sex_letter": lambda s: "F" if s.resident.person.female else "M",
    "patient_title": lambda s: s.random.choice(("Mrs.", "Ms.")) if s.resident.person.female else "Mr.",
    "relation": lambda s: s.resident.relation,
    "relation_cap": lambda s: s.resident.relation.capitalize(),
    "credential": lambda s: s.doctor.credential,
    "eponym_one": lambda s: s.hospital.eponyms[0],
    "eponym_two": lambda s: s.hospital.eponyms[1],
    "acronym_one": lambda s: s.hospital.acronyms[0],
    "acronym_two": lambda s: s.hospital.acronyms[1],
    "system": lambda s: s.hospital.system,
    "ward_phrase": lambda s: s.hospital.ward_phrase(s.random),
}
"""Slots that identify nobody. Local names of protocols, forms and programs are among them."""


@dataclass(frozen=True, slots=True)
class Recipe:
    """What a kind of notes consists of, in order."""

    kind: str
    head: str
    body: tuple[str, ...]
    end: tuple[str, ...]
    layout: str


class SimulatedSite:
    """The hospital of a seed and all its notes; nothing is drawn before `notes` is called.

    >>> site = SimulatedSite(seed=1, patients=2, census=0)
    >>> len(list(site.notes(5)))
    5
    """

    def __init__(self, *, seed: int, patients: int = 200, census: int = 2_000) -> None:
        self.seed = seed
        self.hospital = drawn(seed, patients=patients, census=census)
        random = Random(f"site {seed}")
        sections = _sections(_TEXT.read_text(encoding="utf-8"), random)
        self.families = {name: lines for (kind, name), lines in sections.items() if name}
        self._story = sections["story", ""]
        self._traps = [tuple(line.split(" = ", 1)) for line in sections["trap", ""]]
        self._recipes = _recipes(list(sections), random)
        self._layouts = _layouts(random)

    def notes(self, count: int) -> Iterator[Document]:
        """Yield so many notes in the order of their dates."""
        random = Random(f"notes {self.seed}")
        days = sorted(random.randrange(DAYS) for _ in range(count))
        for number, day in enumerate(days):
            yield self._note(number, FIRST_DAY + timedelta(days=day), Random(f"note {self.seed} {number}"))

    def records(self) -> list[dict[str, Any]]:
        """Return the records of the patients with notes, as `Patient.from_json` reads them."""
        return [_record(resident, self.hospital) for resident in self.hospital.patients]

    def _note(self, number: int, day: date, random: Random) -> Document:
        hospital = self.hospital
        place = random.randrange(len(hospital.patients))
        resident, other = hospital.patients[place], random.choice(hospital.census or hospital.patients)
        own = Random(
            f"{self.seed} {place} {day.toordinal() // 20}"
        )  # a stay: one ward, few doctors, one visit
        team = own.sample(hospital.providers, 4)
        scene = Scene(hospital, resident, other, day, own.choice(hospital.wards), random.choice(team),
                      shaped(hospital.visit_shape, own, day.year), random)  # fmt: skip
        recipe = random.choices(self._recipes, weights=[_KINDS[each.kind] for each in self._recipes])[0]
        body = [name for name in recipe.body if random.random() >= _LEFT_OUT]
        story = self._own_lines(scene)
        trap = random.choice(self._traps) if random.random() < _TRAPPED else None
        if trap:
            story.insert(random.randrange(len(story) + 1), trap[1])
        after = sorted(random.randrange(len(body) + 1) for _ in story)
        lines: list[tuple[str, Pieces]] = [
            ("", self._filled(line, scene)) for line in self.families[recipe.head]
        ]
        for turn in range(len(body) + 1):
            lines += [
                ("story", self._filled(line, scene))
                for line, at in zip(story, after, strict=True)
                if at == turn
            ]
            if turn < len(body):
                lines += [(body[turn], self._filled(line, scene)) for line in self.families[body[turn]]]
        for name in recipe.end:
            lines += [(name, self._filled(line, scene)) for line in self.families[name]]
        pieces = self._layouts[recipe.layout](lines, scene)
        meta = {"note_type": recipe.kind, "layout": recipe.layout, "date": day.isoformat()}
        document = joined(pieces, f"{self.seed}-{number:06}")
        return replace(
            document, patient_id=resident.person.id, meta={**meta, "trap": trap[0]} if trap else meta
        )

    def _own_lines(self, scene: Scene) -> list[str]:
        return scene.random.sample(self._story, scene.random.randint(*_STORY))

    def _filled(self, line: str, scene: Scene) -> Pieces:
        """Return a line with its choices made and its slots filled."""
        while (chosen := _CHOICE.sub(lambda hit: scene.random.choice(hit[1].split("|")), line)) != line:
            line = chosen
        made: Pieces = []
        for place, part in enumerate(_SLOT.split(line)):
            if place % 2 == 0:
                made.append(Piece(part))
            elif part in _FILLERS:
                made.append(Piece(_FILLERS[part](scene)))
            else:
                label, value = _IDENTIFIERS[part]
                made.append(Piece(value(scene), label))
        return [piece for piece in made if piece.text]


def _sections(text: str, random: Random) -> dict[tuple[str, str], list[str]]:
    """Return the lines of each section by kind and name, with what a hospital chooses once."""
    made: dict[tuple[str, str], list[str]] = {}
    for block in text.split("== ")[1:]:
        title, *lines = block.strip("\n").split("\n")
        kind, _, name = title.partition(" ")
        made[kind, name] = [_chosen(line, random).replace("\\n", "\n") for line in lines]
    return made


def _chosen(line: str, random: Random) -> str:
    while (chosen := _SITE_CHOICE.sub(lambda hit: random.choice(hit[1].split("|")), line)) != line:
        line = chosen
    return line


def _recipes(sections: Sequence[tuple[str, str]], random: Random) -> list[Recipe]:
    """Return three recipes for each kind of notes; all families are used."""
    decks = {}
    for kind in ("head", "body", "reminder", "sign"):
        names = [name for each, name in sections if each == kind]
        decks[kind] = cycle(random.sample(names, len(names)))
    layouts = cycle(random.choices(list(_LAYOUTS), weights=list(_LAYOUTS.values()), k=1) + list(_LAYOUTS))
    made = []
    for kind in _KINDS:
        for _ in range(3):
            body = tuple(next(decks["body"]) for _ in range(random.randint(4, 7)))
            end = (next(decks["reminder"]), next(decks["sign"]))
            made.append(Recipe(kind, next(decks["head"]), body, end, next(layouts)))
    return made


# --- layouts ----------------------------------------------------------------------------------------------

Lines = Iterable[tuple[str, Pieces]]
Layout = Callable[[Lines, Scene], Pieces]


def _layouts(random: Random) -> Mapping[str, Layout]:
    """Return the layouts of one hospital."""
    return {
        "plain": _plain,
        "margin": partial(_margin, bar=random.choice("~¦:!"), width=random.choice((12, 14, 16))),
        "wire": partial(_wire, end=random.choice((" //", " ..", " ##", "^"))),
        "coded": partial(_coded, sign=random.choice("@.%$"), long=random.choice((2, 3))),
    }


def _plain(lines: Lines, scene: Scene) -> Pieces:
    """Write lines, with an empty one before each new part."""
    made: Pieces = []
    last = ""
    for part, pieces in lines:
        if part != last:
            made.append(Piece("\n"))
        last = part
        made += [*pieces, Piece("\n")]
    return made


def _margin(lines: Lines, scene: Scene, *, bar: str, width: int) -> Pieces:
    """Write a left margin with the time and the initials of whoever wrote a line."""
    made: Pieces = []
    for part, pieces in lines:
        if part == "story":
            time, initials = _FILLERS["time"](scene), scene.staff().initials
            made += [Piece(f"{time} "), Piece(initials, "DOCTOR")]
            made.append(Piece(" " * max(1, width - len(time) - len(initials) - 1)))
        else:
            made.append(Piece(" " * width))
        made += [Piece(f"{bar} "), *pieces, Piece("\n")]
    return made


def _wire(lines: Lines, scene: Scene, *, end: str) -> Pieces:
    """Write capitals, with a sign at the end of each line."""
    made: Pieces = []
    for _, pieces in lines:
        made += [piece._replace(text=piece.text.upper()) for piece in pieces]
        made.append(Piece(f"{end}\n"))
    return made


def _coded(lines: Lines, scene: Scene, *, sign: str, long: int) -> Pieces:
    """Write a code of the part before each line."""
    made: Pieces = []
    for part, pieces in lines:
        code = (part or "id").replace("_", "")[:long].upper()
        made += [Piece(f"{sign}{code:<{long}} "), *pieces, Piece("\n")]
    return made


# --- what is beside the notes -----------------------------------------------------------------------------


def _record(resident: Resident, hospital: Hospital) -> dict[str, Any]:
    home = {"street": resident.street, "city": hospital.city, "state": hospital.state, "zip": hospital.zip}
    return {
        "patient_id": resident.person.id,
        "names": {"first": resident.person.first, "last": resident.person.last},
        "relatives": [resident.relative.full],
        "mrn": resident.mrn,
        "birth_date": resident.born.isoformat(),
        "addresses": [home],
        "phones": [resident.phone],
        "employer": resident.employer,
        "sex": "F" if resident.person.female else "M",
    }


class LineCounts:
    """Counts the lines of notes that are the same."""

    def __init__(self) -> None:
        self._counts: Counter[str] = Counter()

    def add(self, document: Document) -> None:
        """Count the lines of a note that have text."""
        self._counts.update(line for line in document.text.split("\n") if line.strip())

    @property
    def repeated(self) -> float:
        """The share of lines that occur more than once."""
        total = sum(self._counts.values())
        return sum(count for count in self._counts.values() if count > 1) / total if total else 0.0
