"""``plainsight site lists``: give a site what the hospital's systems know."""

from __future__ import annotations

import json
from itertools import chain
from pathlib import Path
from typing import Annotated, Any

from typer import Argument, Option

from plainsight.cli.options import KeyOptions
from plainsight.errors import UsageError
from plainsight.site.folder import open_site
from plainsight.sources.places import place


def _table(what: str) -> Any:
    return Option(
        metavar="TABLE", help=f"{what}: CSV, Parquet, JSON lines, FHIR or a database.", parser=place
    )


def lists(
    *,
    site: Annotated[Path, Argument(metavar="SITE", help="The site's folder.", show_default=False)],
    patients: Annotated[Path | None, _table("Patients, with names, numbers and addresses")] = None,
    providers: Annotated[Path | None, _table("Staff, with initials, logins and pagers")] = None,
    facilities: Annotated[Path | None, _table("Hospitals, clinics, nursing homes, pharmacies")] = None,
    units: Annotated[Path | None, _table("Wards and units")] = None,
    employers: Annotated[Path | None, _table("Employers, schools, churches")] = None,
    streets: Annotated[Path | None, _table("Streets")] = None,
    as_json: Annotated[bool, Option("--json", help="Print the counts as JSON.")] = False,
    key_options: KeyOptions,
) -> None:
    """Give a site what the hospital's systems know: patients, staff, wards, employers, streets.

    Runs with `--site SITE` then find these names and numbers in all notes, and each patient's own record in
    the patient's notes. An entry that is an ordinary word, such as a ward called Garden, is found only with a
    capital and a cue beside it: `to Garden`, `Garden-12`. Everything is encrypted with the site's key; no
    output, model or log holds it.

    Columns are found by their usual names: `last_name`, `first_name`, `mrn`, `initials`, `unit`, … A table
    that is given replaces the one given before; the others stay. A database is a URL with a table:
    `postgresql://reader@db/hospital#patients`.

    Example: plainsight site lists ward/ --patients patients.csv --providers staff.csv --key-file project.key
    """
    from plainsight.site.census import read_site_patients
    from plainsight.site.lists import of_patient, of_rows, write_lists
    from plainsight.site.records import write_records

    given = {
        "patients": patients, "providers": providers, "facilities": facilities, "units": units,
        "employers": employers, "streets": streets,
    }  # fmt: skip
    tables = {table: path for table, path in given.items() if path is not None}
    if not tables:
        raise UsageError(f"give at least one table: {', '.join(f'--{table}' for table in given)}")
    opened = open_site(site, key_options.secret)
    counts = {}
    for table, path in tables.items():
        entries = of_rows(table, path)
        if table == "patients":
            written = write_records(opened, read_site_patients(path))
            entries = chain.from_iterable(map(of_patient, written))
        counts[table] = write_lists(opened, table, entries)
    if as_json:
        print(json.dumps(counts))
    else:
        for table, count in counts.items():
            print(f"{table}: {count:,} entries")
