"""How long a leak search takes in a project, for each kind of query.

    python benchmarks/leak_search.py --notes 100000

The notes are those of an invented hospital, with their gold marks instead of a policy's, so that most of the
time goes into searching. Figures are processor time, and scaled to 100,000 notes.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from pathlib import Path

from plainsight.lab.synth.simulated_site import SimulatedSite
from plainsight.review.leak_search import search_project
from plainsight.review.project import Project

QUERIES = ("Kowalczyk", "Ann Quillerby", "May 3, 2019", "0371-88-214")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--notes", type=int, default=10_000)
    arguments = parser.parse_args()
    site = SimulatedSite(seed=1, patients=max(20, arguments.notes // 50))
    with (
        tempfile.TemporaryDirectory() as folder,
        Project.create(Path(folder) / "project", policy="fast", key=bytes(range(32))) as project,
    ):
        project.import_notes(site.notes(arguments.notes), marked=True)
        size = sum(len(project.document(number).text) for number in range(1, 101)) / 100
        print(f"{arguments.notes:,} notes of about {size:.0f} characters")
        for query in QUERIES:
            for fuzzy in (True, False):
                began = time.process_time()
                found = search_project(project, query, where="inputs", fuzzy=fuzzy)
                seconds = (time.process_time() - began) * 100_000 / found.searched
                how = "with misspellings" if fuzzy else "forms alone"
                whole = "" if found.complete else f", stopped after {found.searched:,} notes"
                print(
                    f"{query:<15} {how:<18} {seconds:6.1f} s for 100,000 notes, {len(found.hits)} hits{whole}"
                )


if __name__ == "__main__":
    main()
