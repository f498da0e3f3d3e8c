"""A note with its surrogates, by the marks as a reader has them now."""

from __future__ import annotations

from dataclasses import replace

from plainsight.document import Document, SetAside, Span
from plainsight.errors import DataError
from plainsight.pipeline import Pipeline
from plainsight.replace.fields import divided
from plainsight.review.edits import State


def preview(pipeline: Pipeline, document: Document, state: State) -> tuple[str, list[tuple[Span, int]]]:
    """Return the de-identified text, and each surrogate with the number of the mark that it stands for."""
    before = divided(replace(document, spans=state.spans))
    [after] = pipeline.replace([before])
    if isinstance(after, SetAside):
        raise DataError(f"the note cannot be replaced: {after.reason}")
    marks = [mark for mark in state.marks if mark.counts]
    found: list[tuple[Span, int]] = []
    new = iter(after.spans)
    surrogate = next(new, None)
    old_end = new_end = 0
    for span in before.spans:
        start = new_end + span.start - old_end  # what is between marks stays as it is
        old_end, new_end = span.end, start
        if surrogate is not None and (surrogate.start, surrogate.label) == (start, span.label):
            mark = next(one for one in marks if one.start <= span.start and span.end <= one.end)
            found.append((surrogate, mark.id))
            new_end = surrogate.end
            surrogate = next(new, None)
    return after.text, found
