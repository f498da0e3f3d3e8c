"""The page that compares systems."""

import re

from marked_pairs import pair

from plainsight.evaluate.report.charts import ranges
from plainsight.evaluate.report.comparison import comparison_page
from plainsight.evaluate.systems import Systems


def compared(gold, **found):
    made = {name: [pair(gold, marks)] * 2 for name, marks in found.items()}
    return comparison_page(Systems(made, shuffles=99), title="A < B")


def test_the_page_holds_every_table_and_nothing_from_outside():
    page = compared(
        "{{PATIENT|Ann}} {{AGE|70}}", **{"x<y": "{{PATIENT|Ann}} 70", "two": "{{PATIENT|Ann}} {{AGE|70}}"}
    )
    cells = [re.findall(r"<t[dh]>(.*?)</t[dh]>", row) for row in re.findall(r"<tr>(.*?)</tr>", page)]
    assert ["x&lt;y", "1.0000 [1.000, 1.000]", "0.5000 [0.500, 0.500]", "0.6667 [0.667, 0.667]", "2"] in cells
    assert ["all", "2", "0"] in cells  # identifiers that only it found, that only the first found
    assert ["AGE", "2", "0.0000", "1.0000"] in cells
    assert ["x&lt;y", "0.0000", "2", "1", *cells[-2][4:]] in cells
    assert "A &lt; B" in page
    assert "Ann" not in page
    assert not re.search(r"<script|<link|<img|src=|@import|url\(|href=", page)


def test_systems_that_found_nothing():
    assert "n/a" in compared("well", one="well", two="well")


def test_ranges_are_drawn_to_scale():
    chart = ranges("F", {"one": (0.5, 0.4, 0.6), "two": (None, None, None), "three": (0.6, None, None)})
    assert re.findall(r'<polyline[^>]*points="([\d.]+),[\d.]+ ([\d.]+),', chart) == [("170.0", "550.0")]
    assert '<circle cx="360.0"' in chart
    assert ">n/a<" in chart
    assert ranges("F", {"one": (None, None, None)}) == ""
