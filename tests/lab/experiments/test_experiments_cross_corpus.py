import pytest
from tiny_notes import notes

from plainsight.errors import UsageError
from plainsight.lab.experiments.cross_corpus import OTHERS, cross_corpus


def test_notes_from_there_help(bench, words):
    corpora = {"a": notes(12, "a"), "b": notes(12, "b")[6:]}
    outcome = cross_corpus(bench, corpora, test_share=0.25, seed=1)
    cells = [(row["target"], row["source"], row["target_added"]) for row in outcome.data]
    assert cells == [
        ("a", "a", False), ("a", "b", False), ("a", "b", True),
        ("b", "b", False), ("b", "a", False), ("b", "a", True),
    ]  # fmt: skip
    without, added = outcome.data[1:3]
    assert added["training_notes"] > without["training_notes"]
    assert added["figures"]["token"]["recall"]["value"] >= without["figures"]["token"]["recall"]["value"]
    assert without["against_without"] == {}
    assert set(added["against_without"]) == {"phrase", "token"}
    assert outcome.rows[2][1] == "b + a"
    assert "b + a → a" in outcome.svg
    trained = len(words)
    cross_corpus(bench, corpora, test_share=0.25, seed=1)
    assert len(words) == trained


@pytest.mark.server  # takes long
def test_of_three_corpora_two_teach_together(bench):
    corpora = {name: notes(4, name) for name in "abc"}
    outcome = cross_corpus(bench, corpora, test_share=0.5)
    together = [row for row in outcome.data if row["source"] == OTHERS]
    assert [row["training_notes"] for row in together] == [4, 6, 4, 6, 4, 6]


def test_one_corpus_is_not_enough_and_a_shared_note_too_much(bench):
    with pytest.raises(UsageError, match="at least two"):
        cross_corpus(bench, {"a": notes(4)})
    with pytest.raises(UsageError, match="among the training notes"):
        cross_corpus(bench, {"a": notes(6), "b": notes(6)[::-1]}, test_share=0.5, seed=3)


def test_a_corpus_for_the_test_alone_teaches_nobody(bench, words):
    corpora = {name: notes(4, name) for name in "ab"}
    outcome = cross_corpus(bench, corpora, test_only={"c": notes(5, "c")}, test_share=0.5)
    cells = [(row["source"], row["target_added"]) for row in outcome.data if row["target"] == "c"]
    assert cells == [("a", False), ("b", False), (OTHERS, False)]
    assert all(row["source"] != "c" for row in outcome.data)
    assert not any(row["source"] == OTHERS for row in outcome.data if row["target"] in corpora)
    assert max(count for count, _ in words) == 4  # two notes of each, never the third corpus's
    assert "c only tests" in outcome.about
    with pytest.raises(UsageError, match="called a"):
        cross_corpus(bench, corpora, test_only={"a": notes(5, "c")})
    with pytest.raises(UsageError, match="one of them to learn from"):
        cross_corpus(bench, {}, test_only=corpora)
