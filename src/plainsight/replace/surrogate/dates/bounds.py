"""How far dates may be shifted: one check for all who offer it."""

from __future__ import annotations

from plainsight.errors import PluginError

__all__ = ["check_shift"]

_FARTHEST = 36_500


def check_shift(whose: str, min_shift: int, max_shift: int, *, whole_weeks: bool) -> None:
    """Refuse bounds that hold no number of days, or that are none."""
    if type(min_shift) is not int or type(max_shift) is not int:
        raise PluginError(f"{whose}: min_shift and max_shift are whole numbers of days")
    if not 0 < min_shift <= max_shift <= _FARTHEST:
        raise PluginError(
            f"{whose}: min_shift is at least 1 and at most max_shift, and that a hundred years ({_FARTHEST})"
        )
    if whole_weeks and max_shift // 7 * 7 < min_shift:
        raise PluginError(f"{whose}: no whole week lies between min_shift and max_shift")
