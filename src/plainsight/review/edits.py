"""Edits of the marks of a note, as pure functions: a state and an edit give a state.

Offsets are code points. Marks that count never overlap and never leave the text; a rejected mark stays in
the state, so that it can be restored, and may overlap others. An edit that puts a mark over others takes from
them what it covers: it uncovers nothing of them.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterable, Sequence
from itertools import pairwise
from typing import Any, Literal, TypeAlias

import msgspec

from plainsight.document import Span
from plainsight.errors import DataError

FOUND, ACCEPTED, REJECTED, ADDED, CHANGED = "found", "accepted", "rejected", "added", "changed"
"""What became of a mark: as the policy found it, confirmed, taken away, made by a person, altered by one."""

MADE = (ACCEPTED, ADDED, CHANGED)
"""What a person said is to be marked."""

REVIEWER = "reviewer"
"""The source of marks that a person added."""


class Mark(msgspec.Struct, frozen=True, omit_defaults=True):
    """A mark of a note; ``origin`` is its start, end and label as the policy found it."""

    id: int
    start: int
    end: int
    label: str
    status: str = FOUND
    score: float = 1.0
    source: str = ""
    origin: tuple[int, int, str] | None = None

    @property
    def counts(self) -> bool:
        """Whether the mark is not rejected."""
        return self.status != REJECTED

    @property
    def span(self) -> Span:
        """The mark as a span."""
        return Span(self.start, self.end, self.label, self.score, self.source)


class State(msgspec.Struct, frozen=True, omit_defaults=True):
    """The marks of a note as one reader left them, and the likely misses that the reader dismissed."""

    marks: tuple[Mark, ...] = ()
    dismissed: tuple[int, ...] = ()

    @property
    def spans(self) -> tuple[Span, ...]:
        """The marks that count, in the order of the text."""
        return tuple(mark.span for mark in self.marks if mark.counts)

    @property
    def changed(self) -> int:
        """How many marks a person rejected, added or changed."""
        return sum(mark.status in (REJECTED, ADDED, CHANGED) for mark in self.marks)


class Change(msgspec.Struct, frozen=True, omit_defaults=True):
    """What an edit did: the marks before that are not there after it, and the other way round."""

    before: tuple[Mark, ...] = ()
    after: tuple[Mark, ...] = ()
    dismissed: tuple[int, ...] = ()
    recalled: tuple[int, ...] = ()


class Add(msgspec.Struct, frozen=True, tag_field="do", tag="add", forbid_unknown_fields=True):
    """Mark a stretch of text."""

    start: int
    end: int
    label: str


class Accept(msgspec.Struct, frozen=True, tag_field="do", tag="accept", forbid_unknown_fields=True):
    """Confirm a mark."""

    span: int


class Reject(msgspec.Struct, frozen=True, tag_field="do", tag="reject", forbid_unknown_fields=True):
    """Take a mark away."""

    span: int


class Restore(msgspec.Struct, frozen=True, tag_field="do", tag="restore", forbid_unknown_fields=True):
    """Make a mark what the policy found."""

    span: int


class Label(msgspec.Struct, frozen=True, tag_field="do", tag="label", forbid_unknown_fields=True):
    """Give a mark another label."""

    span: int
    label: str


class Move(msgspec.Struct, frozen=True, tag_field="do", tag="move", forbid_unknown_fields=True):
    """Give a mark another start and end."""

    span: int
    start: int
    end: int


class Split(msgspec.Struct, frozen=True, tag_field="do", tag="split", forbid_unknown_fields=True):
    """Divide a mark at an offset."""

    span: int
    at: int


class Remove(msgspec.Struct, frozen=True, tag_field="do", tag="remove", forbid_unknown_fields=True):
    """Take away a mark that was added; one that was found is rejected."""

    span: int


class Dismiss(msgspec.Struct, frozen=True, tag_field="do", tag="dismiss", forbid_unknown_fields=True):
    """Say that a likely miss is none."""

    miss: int


class Alike(msgspec.Struct, frozen=True, tag_field="do", tag="alike", forbid_unknown_fields=True):
    """Do the same wherever the same text stands: of a mark, or of a stretch of text."""

    what: Literal["add", "accept", "reject", "label"]
    where: Literal["note", "patient", "project"] = "note"
    span: int | None = None
    start: int | None = None
    end: int | None = None
    label: str | None = None


Single: TypeAlias = Add | Accept | Reject | Restore | Label | Move | Split | Remove | Dismiss
Edit: TypeAlias = Single | Alike


def read_edits(raw: Any) -> list[Edit]:
    """Read edits from JSON."""
    try:
        return msgspec.convert(raw, list[Edit])
    except msgspec.ValidationError:
        raise DataError("not a list of edits") from None


def found_state(spans: Sequence[Span]) -> State:
    """Return the state of a note that nobody has read: every span as it was found."""
    return State(
        tuple(
            Mark(i, s.start, s.end, s.label, FOUND, s.score, s.source, (s.start, s.end, s.label))
            for i, s in enumerate(spans)
        )
    )


def apply(text: str, state: State, edits: Iterable[Single], labels: Collection[str]) -> State:
    """Return the state after edits of a note with this text; refuse what is not there."""
    for edit in edits:
        state = _applied(text, state, edit, labels)
    return state


def _applied(text: str, state: State, edit: Single, labels: Collection[str]) -> State:
    if isinstance(edit, Add | Label) and edit.label not in labels:
        raise DataError("no such label")
    if isinstance(edit, Dismiss):
        return msgspec.structs.replace(state, dismissed=tuple(sorted({*state.dismissed, edit.miss})))
    if isinstance(edit, Add):
        return _added(text, state, edit)
    mark = _find(state, edit.span)
    if isinstance(edit, Reject | Remove):
        new = None if mark.origin is None else msgspec.structs.replace(mark, status=REJECTED)
        return _with(state, mark, new)
    if isinstance(edit, Restore):
        if mark.origin is None:
            raise DataError("only a mark that was found can be restored")
        start, end, label = mark.origin
        restored = msgspec.structs.replace(mark, start=start, end=end, label=label, status=FOUND)
        return _put(text, state, mark, restored)
    if isinstance(edit, Split):
        return _split(text, state, mark, edit.at)
    if isinstance(edit, Move):
        start, end = _extent(text, edit.start, edit.end)
        moved = msgspec.structs.replace(mark, start=start, end=end)
        return _put(text, state, mark, _judged(moved))
    label = edit.label if isinstance(edit, Label) else mark.label
    return _put(text, state, mark, _judged(msgspec.structs.replace(mark, label=label)))


def _added(text: str, state: State, edit: Add) -> State:
    """Add a mark; where one with the same extent is, that one counts again, with the label given."""
    start, end = _extent(text, edit.start, edit.end)
    same = [mark for mark in state.marks if (mark.start, mark.end) == (start, end)]
    if same:
        mark = next((one for one in same if one.counts), same[0])
        return _put(text, state, mark, _judged(msgspec.structs.replace(mark, label=edit.label)))
    new = Mark(_free_id(state), start, end, edit.label, ADDED, source=REVIEWER)
    return _put(text, state, None, new)


def _judged(mark: Mark) -> Mark:
    """Return a mark with the status that a person's word gives it."""
    if mark.origin is None:
        return msgspec.structs.replace(mark, status=ADDED)
    same = mark.origin == (mark.start, mark.end, mark.label)
    return msgspec.structs.replace(mark, status=ACCEPTED if same else CHANGED)


def _split(text: str, state: State, mark: Mark, at: int) -> State:
    if not mark.start < at < mark.end or not mark.counts:
        raise DataError("a mark is divided inside")
    first, second = _trimmed(text, mark.start, at), _trimmed(text, at, mark.end)
    if first is None or second is None:
        raise DataError("each part of a mark needs a letter or digit")
    left = _judged(msgspec.structs.replace(mark, start=first[0], end=first[1]))
    right = Mark(_free_id(state), *second, mark.label, ADDED, mark.score, mark.source)
    others = (other for other in state.marks if other.id != mark.id)
    return msgspec.structs.replace(state, marks=_ordered((*others, left, right)))


def _find(state: State, number: int) -> Mark:
    for mark in state.marks:
        if mark.id == number:
            return mark
    raise DataError(f"no mark {number}")


def _extent(text: str, start: int, end: int) -> tuple[int, int]:
    """Return an extent without white space at its edges; refuse one outside the text."""
    if not 0 <= start < end <= len(text):
        raise DataError(f"{start} to {end} is not inside the text")
    while start < end and text[start].isspace():
        start += 1
    while start < end and text[end - 1].isspace():
        end -= 1
    if start == end:
        raise DataError("only white space is there")
    return start, end


def _trimmed(text: str, start: int, end: int) -> tuple[int, int] | None:
    """Return an extent from its first letter or digit to its last; None without any."""
    while start < end and not _is_word(text[start]):
        start += 1
    while start < end and not _is_word(text[end - 1]):
        end -= 1
    return (start, end) if start < end else None


def _is_word(char: str) -> bool:
    """Whether a character is a letter, a digit, or an accent that stands after its letter."""
    return char.isalnum() or unicodedata.category(char).startswith("M")


def _with(state: State, old: Mark | None, new: Mark | None) -> State:
    marks = [mark for mark in state.marks if old is None or mark.id != old.id]
    if new is not None:
        marks.append(new)
    return msgspec.structs.replace(state, marks=_ordered(marks))


def _put(text: str, state: State, old: Mark | None, new: Mark) -> State:
    """Put a mark in the place of an old one, and take from the others what it covers."""
    marks: list[Mark] = []
    free = max(_free_id(state), new.id + 1)
    for mark in state.marks:
        if mark.id == new.id or (old is not None and mark.id == old.id):
            continue
        if not mark.counts or mark.end <= new.start or new.end <= mark.start:
            marks.append(mark)
            continue
        parts = [
            part
            for part in (_trimmed(text, mark.start, new.start), _trimmed(text, new.end, mark.end))
            if part is not None
        ]
        if not parts:
            if mark.origin is not None:
                marks.append(msgspec.structs.replace(mark, status=REJECTED))
            continue
        marks.append(_judged(msgspec.structs.replace(mark, start=parts[0][0], end=parts[0][1])))
        for part in parts[1:]:
            marks.append(Mark(free, *part, mark.label, ADDED, mark.score, mark.source))
            free += 1
    return msgspec.structs.replace(state, marks=_ordered((*marks, new)))


def _ordered(marks: Iterable[Mark]) -> tuple[Mark, ...]:
    return tuple(sorted(marks, key=lambda mark: (mark.start, mark.end, mark.id)))


def _free_id(state: State) -> int:
    return 1 + max((mark.id for mark in state.marks), default=-1)


# --- undo and redo --------------------------------------------------------------------------------------


def difference(before: State, after: State) -> Change:
    """Return what changed from one state to another."""
    old, new = set(before.marks), set(after.marks)
    return Change(
        tuple(mark for mark in before.marks if mark not in new),
        tuple(mark for mark in after.marks if mark not in old),
        tuple(sorted({*after.dismissed} - {*before.dismissed})),
        tuple(sorted({*before.dismissed} - {*after.dismissed})),
    )


def undone(state: State, change: Change) -> State:
    """Return the state before a change; refuse a change that is not the last one of what it touched."""
    return redone(state, Change(change.after, change.before, change.recalled, change.dismissed))


def redone(state: State, change: Change) -> State:
    """Return the state after a change was made again."""
    marks = set(state.marks)
    if not marks.issuperset(change.before):
        raise DataError("the marks have changed since")
    marks = (marks - set(change.before)) | set(change.after)
    dismissed = ({*state.dismissed} - {*change.recalled}) | {*change.dismissed}
    ordered = _ordered(marks)
    counting = [mark for mark in ordered if mark.counts]
    ids = {mark.id for mark in ordered}
    if len(ids) < len(ordered) or any(one.end > two.start for one, two in pairwise(counting)):
        raise DataError("the marks have changed since")
    return State(ordered, tuple(sorted(dismissed)))


# --- all alike ------------------------------------------------------------------------------------------


def alike_pattern(wanted: str) -> re.Pattern[str]:
    r"""Return a pattern that finds a text as whole words, whatever white space is between them.

    >>> alike_pattern("Ann Lee").findall("Ann Lee, Ann\nLee, Joann Lee")
    ['Ann Lee', 'Ann\nLee']
    """
    words = r"\s+".join(map(re.escape, wanted.split()))
    before = r"(?<!\w)" if wanted[:1].isalnum() else ""
    after = r"(?!\w)" if wanted[-1:].isalnum() else ""
    return re.compile(before + words + after)


def alike_edits(
    text: str,
    state: State,
    pattern: re.Pattern[str],
    what: str,
    *,
    old_label: str | None,
    label: str | None,
) -> list[Single]:
    """Return the edits that do the same to every place of a note with the text that the pattern finds.

    ``old_label`` limits accepting, rejecting and labelling to marks of that label. Adding leaves alone what
    any mark covers already.
    """
    edits: list[Single] = []
    places = {match.span() for match in pattern.finditer(text)}
    if what == "add":
        counting = [mark for mark in state.marks if mark.counts]
        for start, end in sorted(places):
            if not any(mark.start < end and start < mark.end for mark in counting):
                edits.append(Add(start, end, label or ""))
        return edits
    for mark in state.marks:
        if not mark.counts or (mark.start, mark.end) not in places:
            continue
        if old_label is not None and mark.label != old_label:
            continue
        if what == "accept" and mark.status == FOUND:
            edits.append(Accept(mark.id))
        elif what == "reject":
            edits.append(Reject(mark.id))
        elif what == "label" and mark.label != label:
            edits.append(Label(mark.id, label or ""))
    return edits
