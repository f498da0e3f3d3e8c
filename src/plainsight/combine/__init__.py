"""From proposals to spans: routing, voting, overlap resolution, propagation through a patient's notes."""

from plainsight.combine.resolve import PRECEDENCE, combine

__all__ = ["PRECEDENCE", "combine"]
