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
        # Rule by rule, and first its scan, then its checks: automata and tables then stay in the
        # processor's cache instead of pushing each other out at every text.
        for rule in RULES:
            source = f"patterns.{rule.name}"
            hits = [rule.candidates(view) for view in views]
            for view, candidates, spans in zip(views, hits, found, strict=True):
                if candidates:
                    spans += [Span(*claim, source) for claim in rule.decide(view, candidates)]
        return found
