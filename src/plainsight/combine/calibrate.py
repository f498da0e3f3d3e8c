"""Calibration of scores, so that of the spans with a score of .7 about 70 % are identifiers.

Networks are too sure of what they mark, the more so with a bias. A policy says how to mend that with two
numbers, fitted by ``benchmarks/triage.py`` on notes that its networks had not learned from: the log-odds of a
span become ``offset + slope * log-odds``. Which spans there are is decided before; only the scores
of the result change. The claims behind a span keep the scores of their detectors.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from math import exp, log

from plainsight.config import Calibration
from plainsight.document import Span

_LEAST = 1e-6  # scores of 0 and 1 have no finite log-odds


def calibrated_score(score: float, calibration: Calibration) -> float:
    """Return a calibrated score.

    >>> calibrated_score(0.9, Calibration(offset=-1.0, slope=0.5))
    0.524633
    """
    return round(1.0 / (1.0 + exp(-calibration.offset - calibration.slope * log_odds(score))), 6)


def log_odds(score: float) -> float:
    """Return the log-odds of a score, finite for 0 and 1."""
    score = min(max(score, _LEAST), 1.0 - _LEAST)
    return log(score / (1.0 - score))


def calibrated(spans: Iterable[Span], calibration: Calibration) -> tuple[Span, ...]:
    """Return spans with calibrated scores."""
    return tuple(replace(span, score=calibrated_score(span.score, calibration)) for span in spans)
