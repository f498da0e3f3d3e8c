"""Clusters of words by the labels that a model expects in their places."""

from __future__ import annotations

import pytest

from plainsight.document import Document
from plainsight.errors import DataError
from plainsight.formats.inline import parse
from plainsight.lab.word_clusters import word_clusters

LINES = [
    "Seen by Dr. {{DOCTOR|Okafor}} and Dr. Ferreira on {{DATE|March 3, 2019}}. Lungs clear.",
    "Dr. Ferreira called Dr. {{DOCTOR|Okafor}} on {{DATE|April 5, 2019}}. Lungs clear.",
    "Dr. Nguyen and Dr. {{DOCTOR|Marchetti}} agree, {{DATE|March 9, 2019}}; {{DATE|April 1, 2019}}.",
]
NOTES = [Document(str(number), *parse(line)) for number, line in enumerate(LINES)]


def test_names_and_months_are_apart_and_ordinary_words_left_out():
    clusters = word_clusters(NOTES, clusters=2)
    words = {cluster.label: {word.text for word in cluster.words} for cluster in clusters}
    assert words["DOCTOR"] == {"okafor", "ferreira"}
    assert words["DATE"] == {"march", "april"}
    assert clusters[0].label == "DOCTOR"  # it has unmarked places, which come first
    [name] = [word for word in clusters[0].words if word.text == "ferreira"]
    assert (name.count, name.marked) == (2, 0)


def test_the_same_seed_gives_the_same_clusters():
    assert word_clusters(NOTES, least=1, clusters=3, seed=4) == word_clusters(
        NOTES, least=1, clusters=3, seed=4
    )
    assert len(word_clusters(NOTES, least=1, clusters=50)) <= 7  # never more than words


def test_notes_without_candidates_are_refused():
    with pytest.raises(DataError, match="no word occurs"):
        word_clusters([Document("1", "Lungs clear. Lungs clear.")])
