"""Leak search in a project: in the notes as they came, or in what would be released of them."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass, replace

import sqlalchemy as sa

from plainsight.document import Document, SetAside
from plainsight.errors import DataError, UsageError
from plainsight.review import store
from plainsight.review.project import Project
from plainsight.review.search import Hit, Searcher

MOST_HITS = 500
_PAGE = 500


@dataclass(frozen=True, slots=True, repr=False)
class Searched:
    """What a search found: hits with the numbers of their notes; ``complete`` if it saw all notes."""

    hits: tuple[tuple[int, Hit], ...]
    searched: int
    complete: bool
    seconds: float


def search_project(
    project: Project, query: str, *, where: str = "outputs", fuzzy: bool = True, most: int = MOST_HITS
) -> Searched:
    """Search all notes of a project.

    In ``outputs``, the notes that hold the query are replaced as they would be released, by their readers'
    marks or else by those that were found, and searched again. So a hit is something of the original that
    stays; a surrogate in another note that happens to read alike is none.
    """
    if where not in ("inputs", "outputs"):
        raise UsageError("search in inputs or outputs")
    began, searcher = time.perf_counter(), Searcher(query, fuzzy=fuzzy)
    hits: list[tuple[int, Hit]] = []
    searched = 0
    for number, text in _texts(project):
        searched += 1
        found = searcher.hits(Document(str(number), text))
        if found and where == "outputs":
            found = searcher.hits(output_of(project, number))
        if found:
            title = project.document(number).id
            hits += [(number, hit._replace(note=title)) for hit in found]
            if len(hits) >= most:
                return Searched(tuple(hits[:most]), searched, False, time.perf_counter() - began)
    return Searched(tuple(hits), searched, True, time.perf_counter() - began)


def output_of(project: Project, number: int) -> Document:
    """Return a note as it would be released now."""
    document = project.document(number)
    final = project.final_spans(number)
    if final is not None:
        document = replace(document, spans=final)
    [released] = project.pipeline.replace([document])
    if isinstance(released, SetAside):
        raise DataError(f"note {number} cannot be replaced: {released.reason}")
    return released


def _texts(project: Project) -> Iterator[tuple[int, str]]:
    """Yield the number and text of each note."""
    texts, last = store.texts, 0
    while True:
        query = sa.select(texts).where(texts.c.note > last).order_by(texts.c.note).limit(_PAGE)
        with project.store.read() as connection:
            rows = connection.execute(query).all()
        for row in rows:
            yield row.note, project.note_table.opened_text(row.note, row.sealed)
        if not rows:
            return
        last = rows[-1].note
