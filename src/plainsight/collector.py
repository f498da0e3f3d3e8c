"""The garbage collector, kept from going through all that is loaded and remembered, over and over.

Lists, models and what is remembered of words are more than a million objects that are here to stay, and work
on notes leaves hardly any cycles. So it waits while notes are worked on, and learns at once what is old.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager

__all__ = ["grow_old", "paused"]


@contextmanager
def paused() -> Iterator[None]:
    """Collect nothing meanwhile; what is left over is collected afterwards."""
    on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if on:
            gc.enable()


def grow_old() -> None:
    """Count all that is there among the oldest objects, which are hardly ever gone through.

    The collector would find out by going through all of it twice, a tenth of a second each time. To call this
    often would let garbage grow old, too.
    """
    if not gc.get_freeze_count():  # what others have frozen stays frozen
        gc.freeze()
        gc.unfreeze()
