"""The official i2b2-2014 figures, worked out by hand from the challenge's rules."""

from __future__ import annotations

from math import sqrt
from pathlib import Path

import pytest
from marked_pairs import pair

from plainsight.document import Document, Span
from plainsight.evaluate.challenges import OFFICIAL_HIPAA, Block, i2b2_2014, i2b2_2014_by_category
from plainsight.evaluate.pairs import Pair, pair_up
from plainsight.evaluate.read_notes import read_notes, relabelled
from plainsight.formats.standoff import written_marks

NOTES = [
    # Strict: only the number is right. Relaxed: the date's end is 1 off, the patient's 4.
    # Tokens: gold Ann Roe 3 4 Coe 77, found Ann 3 4 Coe 77; Coe has the wrong label.
    pair(
        "{{PATIENT|Ann Roe}}, {{DATE|3/4}}, {{DOCTOR|Coe}}, id {{IDNUM|77}}",
        "{{PATIENT|Ann}} Roe, {{DATE|3/4,}} {{HOSPITAL|Coe}}, id {{IDNUM|77}}",
    ),
    pair("{{AGE|70}} y", "{{AGE|70}} {{DATE|y}}"),
    # nothing wanted and nothing found is precision 0 and recall 0
    pair("well", "well"),
]

#                     true positives, false positives, false negatives of the notes (the third has none)
#   Token                4 1 2    1 1 0    together 5 2 2
#   Strict               1 3 3    1 1 0             2 4 3
#   Relaxed              2 2 2    1 1 0             3 3 2
#   HIPAA (PATIENT, DATE and AGE here; IDNUM is left out)
#     Token              3 0 1    1 1 0             4 1 1
#     Strict             0 2 2    1 1 0             1 3 2
#     Relaxed            1 1 1    1 1 0             2 2 1
#   Binary Token         5 0 1    1 1 0             6 1 1
#   Binary Strict        2 2 2    1 1 0             3 3 2    (Coe and 77)
# Macro figures are means over three notes, F of those means.
EXPECTED = {
    # P 5/7, R 5/7; macro P (4/5 + 1/2 + 0)/3 = 13/30, R (4/6 + 1 + 0)/3 = 5/9,
    # F = 2*(13/30)*(5/9) / (89/90) = 130/267
    "Token": (5 / 7, 5 / 7, 5 / 7, 13 / 30, 5 / 9, 130 / 267),
    # P 2/6, R 2/5, F = 2*2/(6+5); macro P (1/4 + 1/2)/3 = 1/4, R (1/4 + 1)/3 = 5/12, F = (5/24)/(2/3) = 5/16
    "Strict": (2 / 6, 2 / 5, 4 / 11, 1 / 4, 5 / 12, 5 / 16),
    # P 3/6, R 3/5, F = 6/11; macro P (1/2 + 1/2)/3, R (1/2 + 1)/3, F = 2*(1/6)/(5/6) = 2/5
    "Relaxed": (1 / 2, 3 / 5, 6 / 11, 1 / 3, 1 / 2, 2 / 5),
    # P 4/5, R 4/5; macro P (1 + 1/2)/3 = 1/2, R (3/4 + 1)/3 = 7/12, F = (7/12)/(13/12) = 7/13
    "HIPAA Token": (4 / 5, 4 / 5, 4 / 5, 1 / 2, 7 / 12, 7 / 13),
    # P 1/4, R 1/3, F = 2/7; macro P 1/6, R 1/3, F = (1/9)/(1/2) = 2/9
    "HIPAA Strict": (1 / 4, 1 / 3, 2 / 7, 1 / 6, 1 / 3, 2 / 9),
    # P 2/4, R 2/3, F = 4/7; macro as Relaxed
    "HIPAA Relaxed": (1 / 2, 2 / 3, 4 / 7, 1 / 3, 1 / 2, 2 / 5),
    # P 6/7, R 6/7; macro P (1 + 1/2)/3 = 1/2, R (5/6 + 1)/3 = 11/18, F = (11/18)/(20/18) = 11/20
    "Binary Token": (6 / 7, 6 / 7, 6 / 7, 1 / 2, 11 / 18, 11 / 20),
    # P 3/6, R 3/5; macro P (2/4 + 1/2)/3, R (2/4 + 1)/3
    "Binary Strict": (1 / 2, 3 / 5, 6 / 11, 1 / 3, 1 / 2, 2 / 5),
    "Binary HIPAA Token": (4 / 5, 4 / 5, 4 / 5, 1 / 2, 7 / 12, 7 / 13),
    "Binary HIPAA Strict": (1 / 4, 1 / 3, 2 / 7, 1 / 6, 1 / 3, 2 / 9),
}


def figures(block: Block) -> tuple[float | None, ...]:
    return (
        *(block.precision, block.recall, block.f),
        *(block.macro_precision, block.macro_recall, block.macro_f),
    )


ZERO = (0, 0, 0, 0, 0, None)
"""What is undefined is 0, but for the macro F of two means that are 0: the script prints nan."""


def test_every_block() -> None:
    blocks = i2b2_2014(NOTES)
    assert blocks.keys() == EXPECTED.keys()
    for title, expected in EXPECTED.items():
        assert figures(blocks[title]) == pytest.approx(expected, abs=1e-15), title


def test_the_deviation_is_the_populations() -> None:
    blocks = i2b2_2014(NOTES)
    # precision 24/30, 15/30, 0 about 13/30: (11² + 2² + 13²)/900/3 = 294/2700 = 49/450
    assert blocks["Token"].macro_precision_sd == pytest.approx(sqrt(49 / 450))
    # recall 6/9, 9/9, 0 about 5/9: (1 + 16 + 25)/81/3 = 14/81
    assert blocks["Token"].macro_recall_sd == pytest.approx(sqrt(14 / 81))
    # precision 1/4, 1/2, 0 about 1/4: (0 + 1/16 + 1/16)/3 = 1/24
    assert blocks["Strict"].macro_precision_sd == pytest.approx(sqrt(1 / 24))
    assert blocks["Strict"].to_json()["macro_precision_sd"] == blocks["Strict"].macro_precision_sd


def test_blocks_of_categories() -> None:
    blocks = i2b2_2014_by_category(NOTES)
    # gold Ann Roe Coe, found Ann (Coe is a hospital there): P 1/1, R 1/3, F = (2/3)/(4/3) = 1/2
    assert figures(blocks["NAME Token"])[:3] == pytest.approx((1, 1 / 3, 1 / 2))
    # the doctor is left out: R 1/2, F = 1/(3/2) = 2/3
    assert figures(blocks["NAME HIPAA Token"])[:3] == pytest.approx((1, 1 / 2, 2 / 3))
    assert figures(blocks["ID Strict"])[:3] == (1, 1, 1)
    assert figures(blocks["ID HIPAA Strict"]) == ZERO  # IDNUM never passes
    assert figures(blocks["LOCATION Strict"]) == ZERO  # one found, none wanted
    assert len(blocks) == 8 * 4


@pytest.mark.parametrize(
    ("label", "category"), [("ROOM", "LOCATION"), ("LOCATION-OTHER", "LOCATION"), ("OTHER", "OTHER")]
)
def test_categories_of_the_challenges_own_labels(label: str, category: str) -> None:
    made = Pair("1", "abc", (Span(0, 3, label),), (Span(0, 3, label),))
    assert i2b2_2014_by_category([made])[f"{category} Strict"].f == 1


def test_nothing_at_all_is_zero() -> None:
    assert {figures(block) for block in i2b2_2014([pair("well", "well")]).values()} == {ZERO}


def test_an_empty_side_is_zero() -> None:
    for gold, found in (("{{AGE|7}}", "7"), ("7", "{{AGE|7}}")):
        assert {figures(block) for block in i2b2_2014([pair(gold, found)]).values()} == {ZERO}


def test_the_hipaa_filter_lacks_idnum() -> None:
    assert "IDNUM" not in OFFICIAL_HIPAA
    assert {"MEDICALRECORD", "AGE", "DATE", "ORGANIZATION"} <= OFFICIAL_HIPAA
    assert not {"DOCTOR", "USERNAME", "HOSPITAL", "STATE", "COUNTRY", "URL", "PROFESSION"} & OFFICIAL_HIPAA


def relaxed(gold: list[tuple[int, int]], found: list[tuple[int, int]]) -> tuple[float, float]:
    one, two = (tuple(Span(*edges, "DATE") for edges in side) for side in (gold, found))
    block = i2b2_2014([Pair("1", "x" * 40, one, two)])["Relaxed"]
    return block.precision, block.recall


def test_marks_of_one_side_that_are_equal_in_the_relaxed_sense_count_as_the_first() -> None:
    # 4 and 6 are 2 apart: one mark, the first; 8 is 4 from the 4, but 2 from the 6
    assert relaxed([(0, 4), (0, 6)], [(0, 8)]) == (0, 0)
    assert relaxed([(0, 6), (0, 4)], [(0, 8)]) == (1, 1)


def test_hits_are_those_of_the_side_with_fewer_marks() -> None:
    # both 2 and 6 are near 4: one hit of one gold mark, no spurious mark; P 1/(1+0), R 1/(1+0)
    assert relaxed([(0, 4)], [(0, 2), (0, 6)]) == (1, 1)
    assert relaxed([(0, 2), (0, 6)], [(0, 4)]) == (1, 1)
    # as many on both sides: the system's hits, 2; one gold mark missed; P 2/(2+0), R 2/(2+1)
    assert relaxed([(0, 4), (20, 24)], [(0, 2), (0, 6)]) == (1, 2 / 3)


def test_the_case_of_a_label_counts_for_tokens_alone() -> None:
    made = Pair("1", "May", (Span(0, 3, "DATE"),), (Span(0, 3, "Date"),))
    blocks = i2b2_2014([made])
    assert [blocks[title].f for title in ("Strict", "Relaxed", "Token", "Binary Token")] == [1, 1, 0, 1]


def test_the_hipaa_filter_takes_dates_and_ages_in_any_case_and_others_in_capitals() -> None:
    spans = (Span(0, 3, "Date"), Span(4, 6, "age"), Span(7, 10, "Patient"))
    block = i2b2_2014([Pair("1", "May 70 Ann", spans, spans[:1])])["HIPAA Strict"]
    assert (block.precision, block.recall) == (1, 1 / 2)  # the patient does not count


def test_nested_marks_and_marks_without_a_token() -> None:
    # gold: Elm City as a hospital and City as a city: three tokens, two of them places; found the hospital
    nested = pair("{{HOSPITAL|Elm City}}", "{{HOSPITAL|Elm City}}", also_gold=[(4, 8, "CITY")])
    blocks = i2b2_2014([nested])
    assert figures(blocks["Token"])[:3] == pytest.approx((1, 2 / 3, 4 / 5))  # F = 2*(2/3)/(5/3)
    assert figures(blocks["Binary Token"])[:3] == (1, 1, 1)
    # a dash and a Greek name are one empty token each, at their ends: two of three, two of two
    signs = pair("{{IDNUM|-}} {{PATIENT|Ρω}} {{DATE|3}}", "{{IDNUM|-}} {{PATIENT|Ρω}} 3")
    assert figures(i2b2_2014([signs])["Token"])[:3] == pytest.approx((1, 2 / 3, 4 / 5))


XML = '<?xml version="1.0"?>\n<deIdi2b2>\n<TEXT><![CDATA[{}]]></TEXT>\n<TAGS>\n{}\n</TAGS>\n</deIdi2b2>\n'


def read_xml(folder: Path, text: str, marks: str, name: str = "100-01") -> list[Document]:
    folder.mkdir(exist_ok=True)
    (folder / f"{name}.xml").write_text(XML.format(text, marks))
    return read_notes(folder, format="i2b2-2014", keep_overlaps=True)


def blocks_of(folder: Path, text: str, gold: str, found: str) -> dict[str, Block]:
    pairs = pair_up(read_xml(folder / "gold", text, gold), read_xml(folder / "found", text, found))
    return i2b2_2014(pairs)


def test_the_name_of_the_element_counts(tmp_path: Path) -> None:
    # two dates in gold; the system has the second in another element, with the same TYPE
    gold = '<DATE start="0" end="3" TYPE="DATE"/><DATE start="4" end="8" TYPE="DATE"/>'
    found = '<DATE start="0" end="3" TYPE="DATE"/><PHI start="4" end="8" TYPE="DATE"/>'
    blocks = blocks_of(tmp_path, "May June", gold, found)
    for title in ("Token", "Strict", "Relaxed"):
        assert figures(blocks[title])[:2] == (1 / 2, 1 / 2), title
        # the filter asks for DATE in DATE: PHI does not pass, so it is not spurious
        assert figures(blocks[f"HIPAA {title}"])[:2] == (1, 1 / 2), title
    assert figures(blocks["Binary Token"])[:2] == figures(blocks["Binary Strict"])[:2] == (1, 1)
    # in gold and found alike it agrees
    assert blocks_of(tmp_path, "May June", found, found)["Strict"].f == 1


def test_an_element_that_the_script_does_not_know_is_no_mark(tmp_path: Path) -> None:
    gold = '<DATE start="0" end="3" TYPE="DATE"/>'
    found = gold + '<MEDICATION start="4" end="8" TYPE="DRUG"/>'
    assert figures(blocks_of(tmp_path, "May June", gold, found)["Binary Strict"])[:2] == (1, 1)


def test_marks_without_type_and_without_a_character_count(tmp_path: Path) -> None:
    # equal but for the missing TYPE: no match with labels, a match without
    gold = '<DATE start="0" end="3" TYPE="DATE"/><NAME start="8" end="8" TYPE="PATIENT"/>'
    found = '<DATE start="0" end="3"/><NAME start="8" end="8" TYPE="PATIENT"/>'
    blocks = blocks_of(tmp_path, "May June", gold, found)
    assert figures(blocks["Strict"])[:2] == figures(blocks["Token"])[:2] == (1 / 2, 1 / 2)
    assert figures(blocks["Binary Strict"])[:2] == (1, 1)
    (document,) = read_xml(tmp_path / "found", "May June", found)
    assert document.spans == (Span(0, 3, "DATE"),)  # our own figures see a date


def test_without_elements_on_one_side_the_label_decides(tmp_path: Path) -> None:
    [gold] = read_xml(tmp_path, "May June", '<PHI start="0" end="3" TYPE="DATE"/>')
    [made] = pair_up([gold], [Document("100-01", "May June", (Span(0, 3, "DATE"),))])
    assert i2b2_2014([made])["Strict"].f == 1


def test_a_part_of_the_labels_keeps_its_elements(tmp_path: Path) -> None:
    gold = '<DATE start="0" end="3" TYPE="DATE"/><NAME start="4" end="8" TYPE="PATIENT"/>'
    found = '<PHI start="0" end="3" TYPE="DATE"/><NAME start="4" end="8" TYPE="PATIENT"/>'
    sides = (read_xml(tmp_path / side, "May June", marks) for side, marks in (("g", gold), ("f", found)))
    [made] = pair_up(*sides)
    assert i2b2_2014([made.only({"DATE"})])["Strict"].f == 0
    assert i2b2_2014([made.only({"PATIENT"})])["Strict"].f == 1


def test_other_labels_forget_the_elements(tmp_path: Path) -> None:
    [note] = read_xml(tmp_path, "May June", '<PHI start="0" end="3" TYPE="DATE"/>')
    assert written_marks(note)
    assert written_marks(relabelled(note, "i2b2-2014")) is None


def test_the_mean_of_many_notes_is_exact() -> None:
    # ten notes with recall 1/10 each: a running sum of 0.1 gives 0.9999999999999999, whose tenth is not 0.1
    one = "{{DATE|a}}" + " {{AGE|b}}" * 9
    notes = [pair(one, "{{DATE|a}}" + " b" * 9, name=str(number)) for number in range(10)]
    block = i2b2_2014(notes)["Strict"]
    assert (block.macro_recall, block.macro_recall_sd) == (0.1, 0)
