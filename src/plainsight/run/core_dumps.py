"""No core dumps: the memory of a process that dies would hold the text of notes."""

from __future__ import annotations

import sys
from contextlib import suppress


def no_core_dumps() -> None:
    """Let neither this process nor those that it starts leave a core dump."""
    with suppress(ImportError, ValueError, OSError):  # there is no such limit here, or it cannot be changed
        import resource

        # 1, not 0: Linux ignores 0 where dumps are piped to a program, and no dump fits in one byte
        wanted = 1 if sys.platform == "linux" else 0
        _, most = resource.getrlimit(resource.RLIMIT_CORE)
        if most == resource.RLIM_INFINITY or most >= wanted:  # a lower limit cannot be raised
            resource.setrlimit(resource.RLIMIT_CORE, (wanted, wanted))
