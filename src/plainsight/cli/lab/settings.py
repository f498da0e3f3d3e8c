"""Settings of a training on the command line: ``--set KEY=VALUE``."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from plainsight.errors import UsageError


def read_settings(entries: Sequence[str] | None) -> dict[str, Any]:
    """Read settings: JSON values, or else text."""
    made: dict[str, Any] = {}
    for setting in entries or ():
        key, equals, value = setting.partition("=")
        if not key or not equals:
            raise UsageError(f"{setting!r}: a setting is KEY=VALUE")
        try:
            made[key] = json.loads(value)
        except ValueError:
            made[key] = value
    return made
