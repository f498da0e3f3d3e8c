#!/usr/bin/env python3
"""Write src/plainsight/data/fields/fhir_types.json: the elements of every FHIR R4 type and their types.

    pip install "fhir.resources==6.1.0" "pydantic<1.10.2"    # R4 (4.0.1), in an environment of its own
    python scripts/build_fhir_types.py
    python scripts/build_checksums.py

The names of elements and types are those of the specification (HL7, CC0).
"""

from __future__ import annotations

import json
import pkgutil
from importlib import import_module
from pathlib import Path
from typing import Any

import fhir.resources

TARGET = Path(__file__).parent.parent / "src" / "plainsight" / "data" / "fields" / "fhir_types.json"
PLAIN = {"bool": "boolean"}


def type_name(annotation: Any) -> str:
    """Return the name of an element's type as FHIR has it."""
    inner = annotation.__args__[0] if hasattr(annotation, "__args__") else annotation
    inner = inner.__args__[0] if hasattr(inner, "__args__") else inner
    name = PLAIN.get(inner.__name__, inner.__name__)
    if (
        name.endswith("Type")
        and inner.__module__ == "fhir.resources.fhirtypes"
        and hasattr(inner, "__resource_type__")
    ):
        return str(inner.__resource_type__)
    return name[0].lower() + name[1:]


def main() -> None:
    """Write the table."""
    table: dict[str, dict[str, str]] = {}
    for module in pkgutil.iter_modules(fhir.resources.__path__):
        if module.ispkg or module.name.startswith(("fhir", "core", "get_")):
            continue
        for found in vars(import_module(f"fhir.resources.{module.name}")).values():
            if (
                not isinstance(found, type)
                or not hasattr(found, "__fields__")
                or "resource_type" not in found.__fields__
            ):
                continue
            elements = {
                field.alias: type_name(field.outer_type_)
                for name, field in found.__fields__.items()
                if not name.endswith("__ext") and name not in ("resource_type", "fhir_comments", "extension")
            }
            table[found.__fields__["resource_type"].default] = elements
    lines = [f"{json.dumps(name)}: {json.dumps(table[name])}" for name in sorted(table)]
    TARGET.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="ascii")


if __name__ == "__main__":
    main()
