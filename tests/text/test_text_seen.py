"""A note as a reader sees it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plainsight.document import Document, Span
from plainsight.text.seen import seen

any_text = st.text(
    st.one_of(st.characters(), st.sampled_from("aM \n\u200b\u0301\u0430\ufb03é<b>/&#x;%204+=-")), max_size=80
)


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ("Ma\u200bry\u2060 \u202eRoe\u202c O\u00adkafor", "Mary Roe Okafor"),
        ("Jose\u0301 Mun\u0303oz", "José Muñoz"),
        ("José Łoś e\u0302\u0301 k\u0301 \u0301 \uff45\u0301 \u0435\u0301x", "José Łoś ế ḱ  e éx"),
        ("Ｄｒ．　Ｒｏｅ 𝐌𝐚𝐫𝐲 Gri\ufb03n", "Dr. Roe Mary Griffin"),
        ("M\u0430r\u0443 \u0420\u043e\u0435 ᴍᴀʀʏ", "Mary Poe mary"),
        ("Ма\u200bry", "Mary"),
        ("Привет Иван TNF-α κ α1", "Привет Иван TNF-α κ α1"),  # letters of another script, not look-alikes
        ("٣/٤ ²½ …", "3/4 ²½ …"),
        ("<b>Mary</b> <td>Roe</TD><br/>67 p<0.05 <Roe>", "Mary \nRoe\n\n67 p<0.05 <Roe>"),
        ("O&#39;Brien &amp; Jos&eacute; &x; AT&T;", "O'Brien & José &x; AT&T;"),
        (r"Jos\u00e9 C:\users\mary", r"José C:\users\mary"),
        ("q=Mary+Roe&at=Elm%20St%2C%C3%A9 4+5 95%30 98%", "q=Mary Roe&at=Elm St,é 4+5 95%30 98%"),
        ("https://x.org/?q=Mary+Roe%20Elm", "https://x.org/?q=Mary+Roe%20Elm"),
        ("Wash-\nington fol-\r\nlow Roe-\nPoe T-\n", "Washington follow Roe-\nPoe T-\n"),
        ("plain text, 3/4", "plain text, 3/4"),
    ],
)
def test_what_a_reader_sees(written: str, shown: str) -> None:
    assert seen(Document("1", written)).document.text == shown


def test_spans_and_cuts_go_there_and_back() -> None:
    note = Document(
        "1", "<b>Jose\u0301</b> Gri\ufb03n", (Span(3, 8, "PATIENT"), Span(13, 18, "DOCTOR")), cuts=(13,)
    )
    there = seen(note)
    assert there.document.text == "José Griffin"
    assert there.document.spans == (Span(0, 4, "PATIENT"), Span(5, 12, "DOCTOR"))
    assert there.document.cuts == (5,)
    assert there.in_written(there.document.spans) == note.spans


def test_two_spans_never_share_a_character() -> None:
    there = seen(Document("1", "Gri\ufb03n"))
    claims = (Span(3, 5, "AGE"),)
    first, second = there.in_written([Span(0, 4, "PATIENT"), Span(4, 7, "DOCTOR", claims=claims)])
    assert (first.end, second.start, second.end) == (4, 4, 5)
    assert second.claims == (Span(3, 4, "AGE"),)
    assert there.in_written([Span(3, 4, "PATIENT"), Span(4, 5, "DOCTOR")]) == (Span(3, 4, "PATIENT"),)


def test_a_mark_on_nothing_that_is_seen_leaves_the_note_as_it_is() -> None:
    note = Document("1", "a\u200bb é", (Span(1, 2, "PATIENT"),))
    assert seen(note).document is note


@given(any_text, st.data())
def test_every_stretch_stands_somewhere(text: str, data: st.DataObject) -> None:
    there = seen(Document("1", text))
    length = len(there.document.text)
    edges = sorted(data.draw(st.lists(st.integers(0, length), max_size=6, unique=True)))
    spans = [Span(*pair, "PATIENT") for pair in zip(edges[::2], edges[1::2], strict=False)]
    Document("1", text, there.in_written(spans))  # in order, without overlaps, inside the text
    assert all(start < end for start, end in (there.place(span.start, span.end) for span in spans))


@pytest.mark.parametrize("code", ["%00", "&#0;", r"\u0000", r"\ud83d", "&#xD800;", "%FF"])
def test_codes_of_control_characters_stay_as_they_are_written(code: str) -> None:
    text = f"{code} Mary"
    assert seen(Document("1", text)).document.text == text
