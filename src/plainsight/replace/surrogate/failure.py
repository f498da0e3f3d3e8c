"""What stands for an identifier that no surrogate can be made for: ``on_failure`` in a policy."""

from __future__ import annotations

from typing import Literal

from plainsight.replace.mask import Mask
from plainsight.replace.surrogate.keyed import Keyed
from plainsight.replace.surrogate.scope import folded
from plainsight.replace.surrogate.shape import scramble

FailureStyle = Literal["tag", "mask", "keep-format"]


def stand_in(style: FailureStyle, label: str, text: str, keyed: Keyed | None) -> str:
    """Return what stands for a text that cannot be read.

    ``tag`` is its label in brackets; ``mask`` what the operation `mask` makes of it, such as three digits of
    a ZIP code; ``keep-format`` other letters and digits in the same places. Without a key the last is a tag:
    whoever has the program could undo it. A year of a date is no mask here, because it would show where the
    shifted dates come from.

    >>> [stand_in(style, "ZIP", "38114", Keyed(bytes(32))) for style in ("tag", "mask", "keep-format")]
    ['[ZIP]', '381**', '47003']
    """
    made = ""
    if style == "mask" and label != "DATE":
        made = Mask().general(label, text)
    elif style == "keep-format" and keyed is not None:
        made = scramble(keyed.child(f"checked {label}"), text)
    return made if made and folded(made) != folded(text) else f"[{label}]"
