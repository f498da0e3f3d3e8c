from __future__ import annotations

import csv
import io

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from plainsight.errors import FormatError
from plainsight.formats.csv_records import Dialect, join, split
from plainsight.formats.encodings import Undecoded

fields = st.text(st.characters(exclude_categories=()) | st.sampled_from('",;\t\r\n '))


def _lines(text: str) -> list[str]:
    return list(io.StringIO(text, newline="\n"))


def _records(text: str, dialect: Dialect = Dialect()) -> list[tuple[int, list[str], str]]:  # noqa: B008 - frozen
    return [
        (r.line, r.fields if not r.problem else [], r.problem) for r in split(iter(_lines(text)), dialect)
    ]


@given(
    st.lists(st.lists(fields, min_size=1, max_size=4), max_size=4),
    st.sampled_from([csv.QUOTE_ALL, csv.QUOTE_MINIMAL]),
    st.sampled_from([",", ";", "\t"]),
)
def test_what_the_standard_library_writes_comes_back_byte_for_byte(
    rows: list[list[str]], quoting: int, delimiter: str
) -> None:
    file = io.StringIO(newline="")
    csv.writer(file, delimiter=delimiter, quoting=quoting, lineterminator="\r\n").writerows(rows)  # type: ignore[arg-type]
    dialect = Dialect(delimiter)
    records = list(split(iter(_lines(file.getvalue())), dialect))
    assert [record.fields for record in records] == rows
    joined = (join(r.fields, dialect, quoted=r.quoted, bare=r.bare) + r.end for r in records)
    assert "".join(joined) == file.getvalue()


@given(st.lists(fields, min_size=1, max_size=4))
def test_what_is_joined_splits_alike_here_and_in_the_standard_library(row: list[str]) -> None:
    line = join(row, Dialect()) + "\r\n"
    assert _records(line) == [(1, row, "")]
    if "\0" not in line:  # which the standard library refuses before Python 3.11.4
        assert list(csv.reader(io.StringIO(line, newline=""))) == [row]


@given(st.text(st.sampled_from('ab",\r\n')))
@example('a "b",c\n')
def test_any_text_is_split_or_refused_and_good_records_come_back(text: str) -> None:
    for record in split(iter(_lines(text)), Dialect()):
        again = join(record.fields, Dialect(), quoted=record.quoted, bare=record.bare)
        if not record.problem:
            # carriage returns alone are quoted on the way out; everything else is as it was
            assert again + record.end in text or "\r" in "".join(record.fields)
            assert _records(again + (record.end or "\n"))[0][1] == record.fields


def test_a_stray_quote_costs_one_row() -> None:
    text = '1,a\n2,"stray\n3,c\n\n4,"ok, two\nlines"\n5,"x"y\n6,f\n7,"never closed\n8,h\n'
    assert _records(text) == [
        (1, ["1", "a"], ""),
        (2, [], "text after a closing quote"),
        (3, ["3", "c"], ""),
        (5, ["4", "ok, two\nlines"], ""),
        (7, [], "text after a closing quote"),
        (8, ["6", "f"], ""),
        (9, [], "a quote is opened and never closed"),
        (10, ["8", "h"], ""),
    ]


def test_a_record_without_end_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("plainsight.formats.csv_records.longest_note", lambda: 10)
    assert _records('1,"' + "xxxx\n" * 9 + '"\n2,b\n')[0] == (1, [], "a quote is opened and never closed")
    assert _records('1,"xx\nyy"\n2,b\n')[0] == (1, ["1", "xx\nyy"], "")


def test_lines_that_do_not_decode_spoil_their_record_alone() -> None:
    lines = iter(["1,a\n", '2,"b\n', Undecoded("ÿ\n"), 'c"\n', Undecoded("3,ÿ\n"), "4,d"])
    found = [(record.line, record.problem) for record in split(lines, Dialect())]
    bad = "not valid in the file's encoding"
    assert found == [(1, ""), (2, bad), (5, bad), (6, "")]


def test_without_quotes_they_are_text() -> None:
    dialect = Dialect("\t", "")
    assert _records('1\t"a\n2\tb"\n', dialect) == [(1, ["1", '"a'], ""), (2, ["2", 'b"'], "")]
    assert join(["1", '"a', ""], dialect) == '1\t"a\t'
    with pytest.raises(FormatError, match="no quotes"):
        join(["1", "a\tb"], dialect)
