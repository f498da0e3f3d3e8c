"""The patterns detector: deterministic rules for identifiers that have a shape."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from plainsight.detect.patterns import addresses, ages, contacts, dates, numbers
from plainsight.detect.patterns.rule import Rule
from plainsight.document import Document, Span
from plainsight.text.shadow import shadow

__all__ = ["Patterns"]

RULES: tuple[Rule, ...] = dates.RULES + ages.RULES + contacts.RULES + numbers.RULES + addresses.RULES


class Patterns:
    """Find dates, ages, contacts, numbers and addresses by shape, context cues and validity checks."""

    name: ClassVar[str] = "patterns"
    labels: ClassVar[frozenset[str]] = frozenset(
        {
            "ACCOUNT", "AGE", "BIOID", "DATE", "DEVICE", "EMAIL", "FAX", "HEALTHPLAN", "HOSPITAL", "IDNUM",
            "IPADDR", "LICENSE", "MEDICALRECORD", "PHONE", "SSN", "STATE", "STREET", "URL", "USERNAME",
            "VEHICLE", "ZIP",
        }
    )  # fmt: skip

    def detect(self, documents: Sequence[Document]) -> list[list[Span]]:
        """Return what the rules claim in each document."""
        views = [shadow(document.text) for document in documents]
        found: list[list[Span]] = [[] for _ in documents]
        # Rule by rule, not text by text: a rule's automaton and its tables then stay in the processor's cache.
        for rule in RULES:
            source = f"patterns.{rule.name}"
            for view, spans in zip(views, found, strict=True):
                spans += [Span(*claim, source) for claim in rule.claims(view)]
        return found
