#!/usr/bin/env python3
"""Say what the wheel is made of and depends on, as a CycloneDX 1.6 bill of materials.

    python scripts/build_sbom.py > sbom.cdx.json

The build of the wheel runs this and puts the result into ``*.dist-info/sboms`` (PEP 770). It holds the
dependencies with their ranges, and for each folder of data and each model its origin, licence and checksum,
from ``source.toml``, the models' manifests and ``checksums.txt``. The same tree gives the same bytes.
"""

from __future__ import annotations

import hashlib
import json
import re
import shutil
import tempfile
import tomllib
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "src" / "plainsight"  # read as files: where a wheel is built, the package cannot be imported


class SbomHook(BuildHookInterface):
    """Put the bill of materials into the wheel."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Write it before the build."""
        self._folder = Path(tempfile.mkdtemp())
        path = self._folder / "plainsight.cdx.json"
        path.write_text(as_text(sbom()), encoding="utf-8")
        build_data["sbom_files"].append(str(path))

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Remove it after the build."""
        shutil.rmtree(self._folder)


def as_text(bill: dict[str, Any]) -> str:
    """Return a bill of materials as JSON."""
    return json.dumps(bill, indent=1, ensure_ascii=False) + "\n"


def sbom() -> dict[str, Any]:
    """Return the bill of materials."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    [version] = re.findall('__version__ = "(.+)"', (PACKAGE / "version.py").read_text(encoding="utf-8"))
    components = [*_libraries(project), *_data(), *_models()]
    own = {
        "bom-ref": "plainsight",
        "type": "application",
        "name": "plainsight",
        "version": version,
        "purl": f"pkg:pypi/plainsight@{version}",
        "licenses": [{"expression": project["license"]}],
    }
    required = [part["bom-ref"] for part in components if part.get("scope") != "optional"]
    number = uuid.uuid5(uuid.NAMESPACE_URL, json.dumps([own, components], sort_keys=True))
    return {
        "$schema": "http://cyclonedx.org/schema/bom-1.6.schema.json",
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "serialNumber": f"urn:uuid:{number}",
        "version": 1,
        "metadata": {"component": own},
        "components": components,
        "dependencies": [{"ref": "plainsight", "dependsOn": required}],
    }


def _libraries(project: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield the dependencies; those of extras for users are optional, those for developers left out."""
    wanted: dict[str, list[str]] = {requirement: [] for requirement in project["dependencies"]}
    for extra, requirements in project["optional-dependencies"].items():
        if extra not in ("dev", "docs", "release"):
            for requirement in requirements:
                wanted.setdefault(requirement, []).append(extra)
    for requirement, extras in sorted(wanted.items()):
        name = re.split(r"[<>=!~;\[ ]", requirement)[0].lower()
        properties = [{"name": "plainsight:requirement", "value": requirement}]
        properties += [{"name": "plainsight:extra", "value": extra} for extra in extras]
        yield {
            "bom-ref": f"pypi:{requirement}",
            "type": "library",
            "name": name,
            "purl": f"pkg:pypi/{name}",
            "scope": "optional" if extras else "required",
            "properties": properties,
        }


def _data() -> Iterator[dict[str, Any]]:
    """Yield each folder of lists and each locale."""
    folders: dict[str, str] = {}
    for line in (PACKAGE / "checksums.txt").read_text(encoding="ascii").splitlines(keepends=True):
        checksum, _, path = line.partition("  ")
        folder, _, name = path.rpartition("/")
        folders[folder] = folders.get(folder, "") + f"{checksum}  {name}"
    for folder, lines in folders.items():
        source = PACKAGE / folder / "source.toml"
        if folder.startswith("data/models/"):
            continue
        tables = [tomllib.loads(source.read_text(encoding="utf-8"))] if source.exists() else [{}]
        tables += [table for table in tables[0].values() if isinstance(table, dict)]
        origins = dict.fromkeys(text for table in tables for text in _texts(table.get("origin")))
        licences = dict.fromkeys(text for table in tables for text in _texts(table.get("licence")))
        yield {
            "bom-ref": f"data:{folder.removeprefix('data/')}",
            "type": "data",
            "name": folder.removeprefix("data/"),
            "description": "; ".join(origins) or "written for plainsight",
            "licenses": [_licence(text) for text in licences or ["Apache-2.0"]],
            "hashes": [{"alg": "SHA-256", "content": hashlib.sha256(lines.encode()).hexdigest()}],
        }


def _models() -> Iterator[dict[str, Any]]:
    """Yield each model, with what it was trained on."""
    for path in sorted((PACKAGE / "data" / "models").glob("*/manifest.json")):
        manifest, name = json.loads(path.read_text(encoding="utf-8")), path.parent.name
        yield {
            "bom-ref": f"model:{name}",
            "type": "machine-learning-model",
            "name": name,
            "description": manifest["description"],
            "licenses": [_licence(manifest["licence"])],
            "hashes": [{"alg": "SHA-256", "content": manifest["files"]["network.onnx"]}],
            "modelCard": {
                "modelParameters": {"datasets": [{"type": "dataset", "name": manifest["data"]}]},
                "considerations": {"technicalLimitations": [manifest["limits"]]},
            },
        }


def _texts(value: Any) -> list[str]:
    return value if isinstance(value, list) else [value] if value else []


def _licence(text: str) -> dict[str, Any]:
    return {"license": {"id": text} if text == "Apache-2.0" else {"name": text}}


if __name__ == "__main__":
    print(as_text(sbom()), end="")
