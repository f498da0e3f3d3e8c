"""Rules for ages."""

from __future__ import annotations

from plainsight.detect.patterns.rule import Rule

__all__ = ["RULES"]

RULES: tuple[Rule, ...] = ()
