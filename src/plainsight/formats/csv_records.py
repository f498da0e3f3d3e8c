"""Split the lines of a delimited table into fields, and join fields to the same line again.

The standard library's reader forgets which fields were quoted and cannot recover from a stray quote. Here
all that is not note text must come back byte for byte, and a broken row must cost no other row.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from plainsight.errors import FormatError
from plainsight.formats.encodings import Undecoded
from plainsight.formats.limits import longest_note


@dataclass(frozen=True, slots=True)
class Dialect:
    """The characters between fields and around quoted ones; without quotes when ``quote`` is empty."""

    delimiter: str = ","
    quote: str = '"'


@dataclass(slots=True, repr=False)
class Record:
    """One record: its fields, the number of its first line, a bit for each quoted field, its line end.

    ``bare`` says that an unquoted field contains quotes; ``problem`` says why a broken record is broken.
    """

    fields: list[str]
    line: int = 0
    quoted: int = 0
    bare: bool = False
    end: str = ""
    problem: str = ""


def split(lines: Iterator[str], dialect: Dialect) -> Iterator[Record]:
    """Yield the records of lines; skip blank lines.

    Of a broken record only the first line is lost: reading goes on with its second line.
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
            record.problem = next((part.problem for part in used if isinstance(part, Undecoded)), "")
        yield record


def _scan(used: list[str], again: deque[str], lines: Iterator[str], dialect: Dialect) -> Record:
    """Read one record; append the lines after its first to ``used``."""
    delimiter, quote = dialect.delimiter, dialect.quote
    record, longest = Record([]), longest_note()  # in a longer one, a quote is never closed
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
        pieces, size = [], 0
        while (stop := _closing(line, at, quote)) < 0:
            following = again.popleft() if again else next(lines, None)
            pieces.append(line[at:])
            size += len(pieces[-1])
            used += [] if following is None else [following]
            if following is None or size > longest:
                record.problem = "a quote is opened and never closed"
                return record
            line, at = following, 0
        pieces.append(line[at:stop])
        record.quoted |= 1 << len(record.fields)
        record.fields.append("".join(pieces).replace(quote + quote, quote))
        at = stop + 1
        if not line.startswith(delimiter, at):
            body, record.end = _body(line[at:])
            record.problem = "text after a closing quote" if body else ""
            return record
        at += len(delimiter)


def _closing(line: str, at: int, quote: str) -> int:
    """Return the position of the next quote that is not doubled, or -1."""
    stop = line.find(quote, at)
    while stop >= 0 and line.startswith(quote, stop + 1):
        stop = line.find(quote, stop + 2)
    return stop


def _body(line: str) -> tuple[str, str]:
    """Split a line into its text and its line end."""
    for end in ("\r\n", "\n", "\r"):
        if line.endswith(end):
            return line[: -len(end)], end
    return line, ""


def join(fields: Sequence[str], dialect: Dialect, *, quoted: int = 0, bare: bool = False) -> str:
    """Join fields to a record, quoting those whose bit is set and those that need it.

    With ``bare``, a field that merely contains a quote is not quoted.

    >>> join(["7", "a", "b,c"], Dialect(), quoted=0b010)
    '7,"a","b,c"'
    """
    delimiter, quote = dialect.delimiter, dialect.quote
    written = list(fields)
    for index, value in enumerate(written):
        needed = delimiter in value or "\n" in value or "\r" in value
        if quote and not needed:
            needed = value.startswith(quote) if bare else quote in value
        if not (needed or quoted >> index & 1 or (not value and len(written) == 1)):
            continue
        if quote:
            written[index] = f"{quote}{value.replace(quote, quote + quote)}{quote}"
        elif needed:
            raise FormatError("a field holds a delimiter or line end, and the table has no quotes")
    return delimiter.join(written)
