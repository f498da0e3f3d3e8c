from plainsight.evaluate.statistics import Interval
from plainsight.lab.experiments.outcome import Outcome, shown


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
