"""Results as tables."""

from plainsight.lab.attack import table
from plainsight.lab.attack.dictionary import Guessed, Hashed, Kept
from plainsight.lab.attack.distinguisher import Distinguished
from plainsight.lab.attack.offset import Recovered, Setting
from plainsight.lab.attack.parrot import Parroted
from plainsight.lab.attack.statistics import Flagged, Mean


def test_parrot_rows():
    told = table.parrot_table([Parroted("note", "5% by chance", "counts", Flagged(100, 5, 0, 0, None))])
    assert told.rows == (("note", "5% by chance", "counts", "5 of 100", "0", "n/a", "0.050", "0.000", "n/a"),)
    assert told.to_markdown().splitlines()[2].startswith("| consistency | left in |")


def test_distinguisher_rows():
    area = Mean(0.5512, 0.54, 0.56, 60)
    told = table.distinguisher_table(
        [Distinguished("patient", True, 0.01, area, ()), Distinguished("none", False, 0.01, None, ())]
    )
    assert told.rows == (
        ("patient", "looks and counts", "1%", "0.551 (0.540–0.560)", "60"),
        ("none", "looks", "1%", "n/a", "0"),
    )


def test_dictionary_rows():
    hashed = [Hashed("plain", 1000, 5, 5, 0.5, 138.9), Hashed("keyed", 1000, 5, 0, 0.5, 138.9)]
    assert [row[2:] for row in table.hash_table(hashed).rows] == [
        ("5 of 5", "0.5 s", "138.9 h"),
        ("0 of 5", "0.5 s", "never"),
    ]
    assert table.guess_table([Guessed("SSN", 9, 2400, 0, 2.4e-6)]).rows == (
        ("SSN", "9", "2,400", "0", "2.4e-06"),
    )
    assert table.kept_table([Kept("SSN", 2, 18, 2)]).rows == (("SSN", "2", "18", "2", "0.111"),)


def test_offset_rows():
    told = table.offset_table([Recovered(Setting(), 100, 672, 1, 3, 0.45, 0.2)])
    assert told.rows == (
        ("any day, holidays shift", "100", "672", "0.010", "0.001", "0.030", "0.015", "0.450", "0.200"),
    )
