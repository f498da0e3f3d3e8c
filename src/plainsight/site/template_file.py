"""The file of a site's templates: rules, refused templates, and those that wait for more evidence."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from plainsight.detect.templates import FORMAT, Rule, read_file
from plainsight.errors import DataError
from plainsight.site.template_checks import Reason


@dataclass(frozen=True, slots=True)
class Refused:
    """A template that did not become a rule: a keyed digest instead of its text."""

    digest: str
    reason: str
    support: int
    examples: tuple[tuple[str, int], ...]

    def to_json(self) -> dict[str, Any]:
        """Return the entry of the file."""
        record = {"digest": self.digest, "reason": self.reason, "support": self.support}
        return record | {"examples": [list(example) for example in self.examples]}


@dataclass(frozen=True, slots=True)
class Harvested:
    """The content of a file of rules."""

    rules: tuple[Rule, ...] = ()
    refused: tuple[Refused, ...] = ()
    waiting: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    """Support and patients of templates without enough evidence yet, by keyed digest."""
    inputs: tuple[str, ...] = ()
    """Keyed digests of the notes of each harvest."""

    def to_json(self) -> bytes:
        """Return the file's bytes; rules with the most support come first."""
        rules = sorted(self.rules, key=lambda rule: (-rule.support, rule.template))
        content = {
            "format": FORMAT,
            "rules": [rule.to_json() for rule in rules],
            "refused": [one.to_json() for one in sorted(self.refused, key=lambda one: -one.support)],
            "waiting": dict(self.waiting),
            "inputs": list(self.inputs),
        }
        return json.dumps(content, indent=1, ensure_ascii=False).encode("utf-8", "surrogatepass")

    @classmethod
    def from_json(cls, content: Mapping[str, Any]) -> Harvested:
        """Read what `plainsight.detect.templates.read_file` returns."""
        try:
            return cls(
                tuple(Rule.from_json(record) for record in content["rules"]),
                tuple(
                    Refused(
                        str(one["digest"]),
                        Reason(one["reason"]),
                        int(one["support"]),
                        tuple((str(note), int(start)) for note, start in one["examples"]),
                    )
                    for one in content["refused"]
                ),
                {str(key): (int(value[0]), int(value[1])) for key, value in content["waiting"].items()},
                tuple(map(str, content["inputs"])),
            )
        except (KeyError, TypeError, ValueError, IndexError, AttributeError):
            raise DataError("a file of templates is damaged") from None


def read_harvested(path: Path) -> Harvested:
    """Return the content of a file of rules; refuse a damaged or foreign one."""
    content = read_file(path)
    try:
        return Harvested.from_json(content)
    except DataError:
        raise DataError(f"{path} is damaged: move it away to begin anew") from None
