"""Logs as JSON lines, without anything of a note.

Our own events have a fixed name and fields that we choose. Of other packages' records only the template of
the message is written, never its arguments, and of an exception only its type and place, because both could
hold note text.
"""

from __future__ import annotations

import logging
import sys
import traceback
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, TextIO

import msgspec

NAME = "plainsight.serve"
_TEMPLATES = ("uvicorn", "uvicorn.error")
"""Loggers whose templates are fixed texts; others may format note text into a message before they log it."""


class JsonLine(logging.Formatter):
    """Write a record as one line of JSON."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the line."""
        line: dict[str, Any] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
        }
        if record.name.startswith(NAME):
            line["event"] = str(record.msg)
            line |= getattr(record, "fields", {})
        else:
            line |= {"event": "other", "logger": record.name, "line": f"{record.module}:{record.lineno}"}
            if record.name in _TEMPLATES:
                line["message"] = str(record.msg).strip()
        if record.exc_info and (error := record.exc_info[1]) is not None:
            line["error"] = about(error)
        return msgspec.json.encode(line).decode()


def about(error: BaseException) -> str:
    """Return the type and the place of an exception; its message could hold note text."""
    frames = traceback.extract_tb(error.__traceback__)
    place = ""
    if frames:
        place = f" at {'/'.join(Path(frames[-1].filename).parts[-2:])}:{frames[-1].lineno}"
    return f"{type(error).__name__}{place}"


def log(event: str, *, level: int = logging.INFO, error: BaseException | None = None, **fields: Any) -> None:
    """Log an event of the service."""
    logging.getLogger(NAME).log(level, event, extra={"fields": fields}, exc_info=error)


def set_up(stream: TextIO | None = None) -> None:
    """Send all logs of this process to a stream, as JSON lines; the default is standard error."""
    handler = logging.StreamHandler(stream or sys.stderr)
    handler.setFormatter(JsonLine())
    handler.handleError = lambda record: None  # type: ignore[method-assign] # its report shows the message
    root = logging.getLogger()
    root.handlers = [handler]
    root.setLevel(logging.WARNING)
    logging.getLogger(NAME).setLevel(logging.INFO)
    logging.getLogger("uvicorn.error").setLevel(logging.INFO)
    logging.captureWarnings(capture=True)
