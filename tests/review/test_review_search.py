"""Leak search: what counts as the same text, where it is found, and what is left alone."""

from __future__ import annotations

import pytest

from plainsight.document import Document
from plainsight.errors import UsageError
from plainsight.review.search import Searcher, search


def found(query, text, **options):
    return [(hit.text, hit.how) for hit in Searcher(query, **options).hits(Document("1", text))]


@pytest.mark.parametrize(
    ("query", "text", "how"),
    [
        ("Okafor", "Okafor", "exact"),
        ("Okafor", "OKAFOR", "variant"),
        ("Zoë Müller", "zoe muller", "variant"),
        ("Ann Quillerby", "Quillerby, Ann", "variant"),
        ("Quillerby, Ann", "Ann Quillerby", "variant"),
        ("Ann Quillerby", "A. Quillerby", "variant"),
        ("Ann Quillerby", "aquillerby", "variant"),
        ("Ann Quillerby", "Quillerby A", "variant"),
        ("Ann Quillerby", "Ann\nQuillerby", "variant"),
        ("Ann Quillerby", "A.Q.", "variant"),
        ("Ann May Quillerby", "AMQ", "variant"),
        ("Ann Quillerby", "Quillerby", "variant"),
        ("Okafor", "Okaffor", "misspelt"),
        ("Kowalczyk", "Kowlaczky", "misspelt"),
        ("Catherine", "Kathryn", "sounds alike"),
        ("Smith", "Smyth", "misspelt"),
        ("Okafor", "Occafore", "sounds alike"),
        ("0371-88-214", "037188214", "variant"),
        ("037188214", "0371 88 214", "variant"),
        ("0371-88-214", "0371-88-241", "misspelt"),
        ("5/3/2019", "May 3rd, 2019", "variant"),
        ("May 3, 2019", "05/03/19", "variant"),
        ("2019-05-03", "3 May 2019", "variant"),
        ("2019-05-03", "20190503", "variant"),
        ("May 3, 2019", "May 3", "variant"),
        ("Иванов", "ИВАНОВ", "variant"),
    ],
)
def test_a_text_is_found_however_it_is_written(query, text, how):
    around = f"Seen today 😀 with {text}, stable."
    hits = Searcher(query).hits(Document("n", around))
    assert [(hit.text, hit.how) for hit in hits] == [(text, how)]
    assert around[hits[0].start : hits[0].end] == text  # code points, after an emoji
    assert hits[0].before.endswith("with ")
    assert hits[0].after == ", stable."


@pytest.mark.parametrize(
    ("query", "text"),
    [
        ("Ann Quillerby", "annual review, aq"),  # small letters are no initials
        ("Smith", "The smile of a blacksmiths guild"),
        ("0371-88-214", "10371882149"),  # another number
        ("Иванов", "Петров"),
        ("5/3/2019", "BP 15/3 in 2019"),
        ("May 3, 2019", "June 3, 2019"),
        ("Hope", "Hoping"),
    ],
)
def test_what_is_something_else_is_left_alone(query, text):
    assert found(query, text) == []


def test_without_fuzzy_only_forms_are_found():
    assert found("Okafor", "Okafor OKAFOR Okaffor", fuzzy=False) == [
        ("Okafor", "exact"),
        ("OKAFOR", "variant"),
    ]


def test_signs_of_patterns_are_signs():
    assert found("a.*b (c", "a.*b (c") == [("a.*b (c", "exact")]
    assert found(".*", "nothing") == []


@pytest.mark.parametrize("query", ["", "   ", "x" * 201])
def test_a_query_of_no_length_is_refused(query):
    with pytest.raises(UsageError):
        Searcher(query)


def test_hits_end_at_the_limit_and_show_no_words():
    notes = (Document(str(n), "Okafor and Okafor") for n in range(10))
    hits = list(search("Okafor", notes, limit=3))
    assert [hit.note for hit in hits] == ["0", "0", "1"]
    assert "Okafor" not in repr(hits)
