from tiny_notes import notes

from plainsight.evaluate.statistics import Interval
from plainsight.evaluate.tally import Tally
from plainsight.lab.experiments.results import Measured, Outcome, average, measure, pool, shown


def test_counts_are_by_note_and_read_back():
    whole = notes(3)
    found = [whole[0].spans, whole[1].spans[:2], ()]
    measured = measure(whole, found, seconds={"detect": 1.0})
    # 5 spans a note: patient, date, doctor, patient again, phone; 2 + 3 + 2 + 1 + 3 tokens
    assert [t.gold for t in measured.tallies["strict"]] == [5, 5, 5]
    assert [t.gold_hits for t in measured.tallies["strict"]] == [5, 2, 0]
    assert [t.gold_hits for t in measured.tallies["binary-token"]] == [11, 5, 0]
    assert measured.micro("strict").recall == 7 / 15
    assert measured.figures()["phrase"]["recall"]["value"] == 7 / 15


def test_only_the_labels_of_a_group_count():
    whole = notes(2)
    measured = measure(whole, [note.spans for note in whole], seconds={}, group="safe-harbor")
    assert measured.micro("strict").gold == 8, "doctors are not in Safe Harbor"


def test_parts_are_pooled_and_draws_averaged():
    one = Measured({"strict": (Tally(2, 1, 1, 1),), "binary-token": (Tally(4, 2, 2, 2),)}, {"train": 1.0})
    two = Measured({"strict": (Tally(2, 2, 2, 2),), "binary-token": (Tally(4, 4, 4, 4),)}, {"train": 3.0})
    assert pool([one, two]).micro("strict") == Tally(4, 3, 3, 3)
    assert pool([one, two]).seconds == {"train": 4.0}
    assert average([one, two]).tallies["strict"] == (Tally(2, 1.5, 1.5, 1.5),)
    assert average([one, two]).seconds == {"train": 2.0}
    assert two.against(one, "strict").recall == 0.5


def test_a_table_is_markdown_and_lies_beside_its_figure(tmp_path):
    outcome = Outcome(
        name="some", title="Some", about="What it is.", head=("a|b", "F"),
        rows=[("one", 0.5), ("two", None)], data=[], svg="<svg/>",
    )  # fmt: skip
    table, drawing = outcome.write(tmp_path / "new")
    assert table.read_text() == (
        "# Some\n\n| a\\|b | F |\n| --- | --: |\n| one | 0.5000 |\n| two | n/a |\n\nWhat it is.\n"
    )
    assert drawing.read_text() == "<svg/>\n"
    assert drawing.name == "some.svg"
    assert shown(Interval(0.5, 0.25, 0.75)) == "0.5000 [0.250, 0.750]"


def test_the_best_figure_of_a_column_is_bold():
    rows = [
        ("a", "x", 3, "0.5000 [0.4, 0.6]", 0.2),
        ("a", "y", 9, "0.7000 [0.6, 0.8]", None),
        ("b", "x", 1, "0.1", 0.3),
    ]
    outcome = Outcome(
        name="n", title="T", about="", head=("tested on", "trained on", "notes", "token F", "p"), names=2,
        rows=rows, data=[], svg="",
    )  # fmt: skip
    table = outcome.to_markdown()
    assert "**0.7000 [0.6, 0.8]**" in table
    assert table.count("**") == 2, "the best of corpus a; b has no rival, and p is no score"
