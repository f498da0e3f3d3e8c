"""Charts: where things stand, and that the SVG is well formed and needs nothing from outside."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import pytest

from plainsight.evaluate.report.charts import Chart, Series, bars, ranges, shades

SVG = "{http://www.w3.org/2000/svg}"


def drawn(svg: str) -> ElementTree.Element:
    assert "href" not in svg
    assert "<script" not in svg
    return ElementTree.fromstring(svg)


def texts(root: ElementTree.Element) -> list[str]:
    return [element.text or "" for element in root.iter(f"{SVG}text")]


def chart(*series: Series, **options: bool) -> ElementTree.Element:
    return drawn(Chart(title="F & R", x="notes", y="F", series=series, **options).svg())


def test_points_stand_where_the_axes_say() -> None:
    root = chart(Series("crf", [(0, 0), (1, 1)]))
    # the plot reaches from 64 to 640-16 across and from 400-52 up to 36
    (line,) = root.iter(f"{SVG}polyline")
    assert line.get("points") == "64.0,348.0 624.0,36.0"
    assert texts(root)[:2] == ["F & R", "0"]
    assert [title.text for title in root.iter(f"{SVG}title")] == ["crf: 0, 0", "crf: 1, 1"]


@pytest.mark.parametrize(
    ("values", "ticks"),
    [
        ((0, 1), ["0", "0.2", "0.4", "0.6", "0.8", "1"]),  # 1/6 and more a step: .2
        ((0.95, 0.99), ["0.95", "0.96", "0.97", "0.98", "0.99"]),
        ((0, 100), ["0", "20", "40", "60", "80", "100"]),
        ((3, 3), ["3", "3.5"]),
        ((0, 0), ["0", "0.2"]),
        ((-1, 1), ["-1", "-0.5", "0", "0.5", "1"]),
    ],
)
def test_ticks_are_round_numbers_around_the_values(values: tuple[float, float], ticks: list[str]) -> None:
    root = chart(Series("s", [(value, 0.5) for value in values]))
    assert texts(root)[1 : 1 + len(ticks)] == ticks


def test_a_logarithmic_axis() -> None:
    root = chart(Series("s", [(10, 0), (100, 1), (1000, 1)]), log_x=True)
    (line,) = root.iter(f"{SVG}polyline")
    assert [point.partition(",")[0] for point in (line.get("points") or "").split()] == [
        "64.0",
        "344.0",
        "624.0",
    ]
    assert texts(root)[1:4] == ["10", "100", "1000"]


def test_several_series_have_their_own_marker_and_key() -> None:
    many = [Series(f"s<{number}", [(0, number)], notes=["here"]) for number in range(9)]
    root = chart(*many)
    assert [text for text in texts(root) if text.startswith("s<")] == [series.name for series in many]
    assert root.get("viewBox") == "0 0 640 460"  # three rows of keys below
    assert "s<8: here" in [title.text for title in root.iter(f"{SVG}title")]
    assert len(list(root.iter(f"{SVG}circle"))) == 2 * 3  # the first, fifth and ninth, in chart and key
    assert not list(root.iter(f"{SVG}polyline"))  # one point makes no line


def test_lines_can_be_left_out_and_a_diagonal_drawn() -> None:
    root = chart(Series("s", [(0, 0.5), (1, 0.75)], line=False), diagonal=True)
    (line,) = root.iter(f"{SVG}polyline")
    # the axes reach from 0 to 1 across and from .5 to .75 up: the diagonal from .5 to .75
    assert line.get("points") == "344.0,348.0 484.0,36.0"
    assert line.get("stroke-dasharray")


def test_nothing_to_draw() -> None:
    assert Chart(title="t", x="x", y="y", series=[Series("s", [])]).svg() == ""


def test_bars() -> None:
    root = drawn(bars("Recall <all>", {"AGE": 0.5, "A&B": None, "ZIP": 1.0}))
    # 640 - 170 - 70 is the whole length
    assert [rect.get("width") for rect in root.iter(f"{SVG}rect")] == ["100%", "200.0", "400.0"]
    assert texts(root) == ["Recall <all>", "AGE", "0.500", "A&B", "n/a", "ZIP", "1.000"]


def test_shades() -> None:
    root = drawn(shades("Confusion", {"AGE": {"AGE": 3, "missing": 1}, "spurious": {"DATE": 2}, "x": {}}))
    boxes = [rect for rect in root.iter(f"{SVG}rect") if rect.get("fill-opacity")]
    # .08 + .92*3/4 = .77, .08 + .92/4 = .31, 1
    assert [box.get("fill-opacity") for box in boxes] == ["0.77", "0.31", "1.00"]
    assert texts(root)[1:4] == ["AGE", "DATE", "missing"]
    assert drawn(shades("none", {})) is not None


def test_ranges_are_drawn_to_scale():
    chart = ranges("F", {"one": (0.5, 0.4, 0.6), "two": (None, None, None), "three": (0.6, None, None)})
    assert re.findall(r'<polyline[^>]*points="([\d.]+),[\d.]+ ([\d.]+),', chart) == [("170.0", "550.0")]
    assert '<circle cx="360.0"' in chart
    assert ">n/a<" in chart
    assert ranges("F", {"one": (None, None, None)}) == ""
