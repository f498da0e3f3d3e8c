#!/usr/bin/env python3
"""Write .ci/constraints.txt: the versions that CI installs, from those installed here.

    python scripts/build_constraints.py

Run it in an environment where all tests pass. It pins what plainsight and its extras need, and what those
need in turn; torch and what comes with it are pinned by the extra ``train``.
"""

from __future__ import annotations

import re
import tomllib
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parent.parent
TARGET = ROOT / ".ci" / "constraints.txt"
INSTALLED_BY_CI = ["dask[dataframe]>=2025.1", "daft>=0.7"]  # by .ci/run, for one test each
LEFT_OUT = re.compile(r"setuptools|pip|torch|triton|nvidia-.*|cuda-.*|plainsight")


def pins() -> dict[str, str]:
    """Return the installed version of every package that is needed, by name."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    needed = [*project["build-system"]["requires"], *project["project"]["dependencies"]]
    needed += [line for lines in project["project"]["optional-dependencies"].values() for line in lines]
    pending = [Requirement(line) for line in (*needed, *INSTALLED_BY_CI)]
    found: dict[str, str] = {}
    seen: set[tuple[str, frozenset[str], str]] = set()
    while pending:
        requirement = pending.pop()
        name, extras = canonicalize_name(requirement.name), frozenset(requirement.extras)
        if (key := (name, extras, str(requirement.specifier))) in seen or LEFT_OUT.fullmatch(name):
            continue
        seen.add(key)
        try:
            installed = distribution(name)
        except PackageNotFoundError:  # of an extra that is not installed here
            continue
        found[name] = installed.version.partition("+")[0]
        if not requirement.specifier.contains(installed.version, prereleases=True):
            raise SystemExit(f"{name} {installed.version} is installed, but {requirement} is needed")
        for line in installed.requires or ():
            further = Requirement(line)
            wanted = further.marker is None or any(
                further.marker.evaluate({"extra": extra}) for extra in ("", *extras)
            )
            pending += [further] if wanted else []
    return found


if __name__ == "__main__":
    lines = [f"{name}=={version}\n" for name, version in sorted(pins().items())]
    head = "# The versions that CI tests with; scripts/build_constraints.py writes this file.\n"
    TARGET.write_text(head + "".join(lines), encoding="utf-8")
    print(f"{TARGET}: {len(lines)} packages")
