"""Results as tables."""

from plainsight.lab.attack.dictionary import Guessed
from plainsight.lab.attack.parrot import Parroted
from plainsight.lab.attack.statistics import Flagged
from plainsight.lab.attack.table import Table


def test_a_table_has_a_row_for_each_record_and_a_column_for_each_figure():
    rows = [Parroted("note", "5% by chance", "counts", Flagged(100, 5, 0, 0, None)).to_json()]
    table = Table.of("Parrot", rows)
    assert table.columns[:4] == ("consistency", "left in", "attacker", "names")
    assert table.rows == (
        ("note", "5% by chance", "counts", "100", "5", "0", "0", "n/a", "0", "0.05", "n/a"),
    )
    assert table.to_markdown().splitlines()[2].startswith("| consistency | left in |")


def test_figures_are_short():
    table = Table.of("Keys", [Guessed("SSN", 9, 2400, 0, 2.4e-6).to_json()])
    assert table.rows == (("SSN", "9", "2,400", "0", "2.4e-06"),)
    assert Table.of("Nothing", []).rows == ()
