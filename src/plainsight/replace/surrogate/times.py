"""Surrogate times of day: all of a patient's times move alike, so that intervals within a day survive."""

from __future__ import annotations

from collections.abc import Sequence

from plainsight.locale.times import read_time
from plainsight.replace.surrogate.scope import Mention, Scope

_LEAST, _MOST = 17, 113  # minutes: a time stays in its part of the day


class Times:
    """Moves times by one number of minutes for each patient, forwards or backwards, in the form they have.

    A time without minutes (``2 pm``) moves by whole hours. What cannot be read has none.
    """

    def __init__(self, scope: Scope) -> None:
        self._scope = scope

    def surrogates(self, mentions: Sequence[Mention]) -> list[str]:
        """Return a time for each mention."""
        keyed = self._scope.patient_keyed.child("times")
        number = keyed.number("minutes", 2 * (_MOST - _LEAST))
        minutes = _LEAST + number // 2 if number % 2 else -_LEAST - number // 2
        made = []
        for mention in mentions:
            time = read_time(mention.text)
            made.append(str(time.moved(minutes)) if time else "")
        return made
