"""Delimited records: split lines into fields and put them together again as they were.

The standard library's reader forgets which fields were quoted and cannot recover from a stray quote. Both
matter here: a table comes back byte for byte but for the notes, and one broken row costs one row.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from plainsight.errors import FormatError
from plainsight.formats.encodings import Undecoded

_LONGEST = 1 << 27  # characters in a record; more is taken for a quote that never closes


@dataclass(frozen=True, slots=True)
class Dialect:
    """What stands between fields and around those that need it; no quotes at all when ``quote`` is empty."""

    delimiter: str = ","
    quote: str = '"'


@dataclass(slots=True, repr=False)
class Record:
    """One record: its fields, its first line's number, which of them were quoted (bits), how it ended.

    ``bare`` says that a field without quotes around it holds some; ``problem`` why the record cannot be
    trusted, and is empty for a good one.
    """

    fields: list[str]
    line: int = 0
    quoted: int = 0
    bare: bool = False
    end: str = ""
    problem: str = ""


def find_delimiter(line: str, among: str) -> str:
    """Return the delimiter that a table's first line uses most.

    >>> find_delimiter("id;text", ",;")
    ';'
    """
    return max(among, key=line.count)


def split(lines: Iterator[str], dialect: Dialect) -> Iterator[Record]:
    """Yield the records of lines; blank lines are passed over.

    When a record is broken, its first line is given up and reading goes on with the next one.
    """
    again: deque[str] = deque()
    number = 0
    while True:
        line = again.popleft() if again else next(lines, None)
        if line is None:
            return
        number += 1
        used = [line]
        if dialect.quote and dialect.quote in line:
            record = _scan(used, again, lines, dialect)
        else:
            body, end = _body(line)
            if not body:
                continue
            record = Record(body.split(dialect.delimiter), end=end)
        record.line = number
        if record.problem:
            again.extendleft(reversed(used[1:]))
        else:
            number += len(used) - 1
            if any(isinstance(part, Undecoded) for part in used):
                record.problem = "not valid in the file's encoding"
        yield record


def _scan(used: list[str], again: deque[str], lines: Iterator[str], dialect: Dialect) -> Record:
    """Read one record, appending to ``used`` the lines it takes beyond the first."""
    delimiter, quote = dialect.delimiter, dialect.quote
    record = Record([])
    line, at = used[0], 0
    while True:
        if not line.startswith(quote, at):
            stop = line.find(delimiter, at)
            body, record.end = (line[at:stop], "") if stop >= 0 else _body(line[at:])
            record.fields.append(body)
            record.bare |= quote in body
            if stop < 0:
                return record
            at = stop + len(delimiter)
            continue
        at += 1
        began, opening = len(used), line[at:]
        stop = _closing(line, at, quote)
        value = line[at:stop]
        if stop < 0:
            size = len(opening)
            while stop < 0:
                following = again.popleft() if again else next(lines, None)
                if following is None or size > _LONGEST:
                    used += [] if following is None else [following]
                    record.problem = "a quote is opened and never closed"
                    return record
                used.append(following)
                size += len(following)
                if quote in following:
                    stop = _closing(following, 0, quote)
            line = used[-1]
            value = "".join((opening, *used[began:-1], line[:stop]))
        record.quoted |= 1 << len(record.fields)
        record.fields.append(value.replace(quote + quote, quote))
        at = stop + 1
        if not line.startswith(delimiter, at):
            body, record.end = _body(line[at:])
            record.problem = "text after a closing quote" if body else ""
            return record
        at += len(delimiter)


def _closing(line: str, at: int, quote: str) -> int:
    """Return where the next quote stands that is not doubled, or -1."""
    stop = line.find(quote, at)
    while stop >= 0 and line.startswith(quote, stop + 1):
        stop = line.find(quote, stop + 2)
    return stop


def _body(line: str) -> tuple[str, str]:
    """Split a line from its end."""
    for end in ("\r\n", "\n", "\r"):
        if line.endswith(end):
            return line[: -len(end)], end
    return line, ""


def join(fields: Sequence[str], dialect: Dialect, *, quoted: int = 0, bare: bool = False) -> str:
    """Put a record together, quoting the fields that were quoted and those that need it.

    With ``bare``, quotes inside a field are left alone where they do no harm.

    >>> join(["7", "a", "b,c"], Dialect(), quoted=0b010)
    '7,"a","b,c"'
    """
    delimiter, quote = dialect.delimiter, dialect.quote
    written = list(fields)
    for place, value in enumerate(written):
        needed = delimiter in value or "\n" in value or "\r" in value
        if quote and not needed:
            needed = value.startswith(quote) if bare else quote in value
        if not (needed or quoted >> place & 1 or (not value and len(written) == 1)):
            continue
        if quote:
            written[place] = f"{quote}{value.replace(quote, quote + quote)}{quote}"
        elif needed:
            raise FormatError("a field holds a delimiter or line end, and the table has no quotes")
    return delimiter.join(written)
