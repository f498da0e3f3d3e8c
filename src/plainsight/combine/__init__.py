"""From claims to spans: routes, votes, overlaps, and propagation through a patient's notes."""

from plainsight.combine.resolve import PRECEDENCE, combine

__all__ = ["PRECEDENCE", "combine"]
