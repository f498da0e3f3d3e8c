"""Convert notes between formats and label schemes."""

import json
from itertools import product

import pytest
from annotated_notes import documents
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from note_formats import NOTE_FORMATS

from plainsight import registry
from plainsight.document import Document, Span
from plainsight.errors import FormatError, UsageError
from plainsight.formats.base import write_all
from plainsight.formats.inline import parse
from plainsight.formats.standoff import annotated
from plainsight.labels import LABELS, SCHEMES
from plainsight.run.convert import LOSSES, Conversion, loss_kinds

FORMATS = NOTE_FORMATS


def create(name):
    return registry.create("formats", name)


def convert(name, note, **labels):
    conversion = Conversion(format=create(name), **labels)
    return conversion.convert(note), conversion.losses.to_json()


def marked(text):
    return Document("1", *parse(text))


words = st.lists(
    st.sampled_from(["Ann", "Roe,", "3/4", "é", "<b>", "&", '"', "]]>", "x"]), min_size=1, max_size=9
)
notes = documents(
    text=words.map(" ".join),
    ids=st.from_regex(r"n[0-9]{1,3}", fullmatch=True),
    labels=st.sampled_from(["DATE", "PATIENT", "LOCATION_OTHER"]),
    is_edge=lambda char: char != " ",
)


def path_of(folder, name):
    form = create(name)
    many_in_one = name not in ("text", "inline", "brat", "brat-whole", "i2b2-2014", "meddocan")
    return folder / f"{name}{form.suffixes[0]}" if many_in_one else folder / name


def through(form, notes, path):
    write_all(form, notes, path, span_column=True)
    return sorted(form.read(path), key=lambda note: note.id)


@pytest.mark.parametrize(("first", "second"), list(product(FORMATS, FORMATS)))
@settings(max_examples=3, deadline=None, suppress_health_check=list(HealthCheck), phases=[Phase.generate])
@given(written=notes)
def test_every_pair_of_formats_keeps_text_spans_and_labels(tmp_path_factory, first, second, written):
    folder = tmp_path_factory.mktemp("pair")
    there = Conversion(format=create(second), beside=folder)
    back = Conversion(format=create(first), beside=folder)
    begun = through(create(first), written, path_of(folder, first))
    middle = through(create(second), [there.convert(note) for note in begun], path_of(folder, second))
    ended = [back.convert(note) for note in middle]
    assert [(note.id, note.text) for note in ended] == sorted((note.id, note.text) for note in written)
    if "text" in (first, second):
        lost = sum(len(note.spans) for note in begun)
        assert sum(there.losses.counts.get("spans", {}).values()) == (lost if second == "text" else 0)
        assert not any(note.spans for note in middle)
    else:
        spans = {note.id: note.spans for note in written}
        assert {note.id: note.spans for note in ended} == spans
        assert not there.losses
        assert not back.losses


@pytest.mark.parametrize(
    ("name", "note", "lost"),
    [
        (
            "inline",
            Document("1", "Ann", (Span(0, 3, "PATIENT", 0.5, "crf"),)),
            {"scores": {"inline has none": 1}},
        ),
        ("jsonl", Document("1", "Ann", (Span(0, 3, "PATIENT", 0.5, "crf"),), "p1", meta={"unit": 4}), {}),
        ("muc", Document("1", "Ann", patient_id="p1"), {"patients": {"muc has no patient ids": 1}}),
        ("brat", Document("1", "Ann", meta={"unit": "4B"}), {"meta": {"brat leaves out 'unit'": 1}}),
        ("text", marked("{{PATIENT|Ann}} and {{DATE|May}}"), {"spans": {"text wrote none": 2}}),
        ("conll", Document("1", "Ann Roe", (Span(0, 4, "PATIENT"),)), {"edges": {"conll cuts PATIENT": 1}}),
        (
            "i2b2-2006",
            annotated("1", "Ann Roe", [Span(0, 7, "PATIENT"), Span(4, 7, "DOCTOR")]),
            {"spans": {"i2b2-2006 leaves out DOCTOR": 1}},
        ),
        ("text", Document("1", "\ufeffAnn"), {"text": {"text cannot hold it exactly": 1}}),
    ],
)
def test_what_a_format_loses(name, note, lost, tmp_path):
    conversion = Conversion(format=create(name), beside=tmp_path)
    assert conversion.convert(note) == note
    assert conversion.losses.to_json() == lost
    assert not list(tmp_path.iterdir())
    assert set(lost) <= set(LOSSES)


def test_labels_of_another_scheme():
    note = marked(
        "{{CITY|Yuma}} {{DOCTOR|Ng}} {{DATE|3/4/2019}} {{AGE|67}} {{PROFESSION|cook}} {{DATE|2012}}"
    )
    converted, lost = convert("i2b2-2006", note, to_labels="i2b2-2006")
    found = [(span.label, note.text[span.start : span.end]) for span in converted.spans]
    assert found == [("LOCATION", "Yuma"), ("DOCTOR", "Ng"), ("DATE", "3/4")]
    assert lost == {
        "labels": {"CITY -> LOCATION": 1},
        "edges": {"i2b2-2006 marks only a part of DATE": 1},
        "spans": {
            "i2b2-2006 does not mark such AGE": 1,
            "no label for PROFESSION": 1,
            "i2b2-2006 does not mark such DATE": 1,
        },
    }


def test_labels_from_another_scheme():
    note = Document("1", "Ann Ward 3 woman", (Span(0, 3, "PATIENT"), Span(4, 10, "ROOM")))
    converted, lost = convert("jsonl", note, from_labels="i2b2-2014")
    assert [span.label for span in converted.spans] == ["PATIENT", "HOSPITAL"]
    assert lost == {"labels": {"ROOM -> HOSPITAL": 1}}
    note = Document("1", "Ann woman", (Span(4, 9, "SEXO_SUJETO_ASISTENCIA"),))
    _, lost = convert("jsonl", note, from_labels="meddocan")
    assert lost == {"spans": {"SEXO_SUJETO_ASISTENCIA is no identifier here": 1}}


@pytest.mark.parametrize(("first", "second"), list(product(SCHEMES, SCHEMES)))
def test_every_pair_of_schemes_says_what_it_loses(first, second):
    for label, ours in SCHEMES[first].inward.items():
        note = Document("1", "?!x~#", (Span(0, 5, label),))
        converted, lost = convert("jsonl", note, from_labels=first, to_labels=second)
        if not ours or not converted.spans:
            assert lost["spans"]
        elif not lost:  # then the way back gives the same label
            again, _ = convert("jsonl", converted, from_labels=second, to_labels=first)
            assert [span.label for span in again.spans] == [label]


@pytest.mark.parametrize("scheme", SCHEMES)
def test_our_labels_come_back_unless_a_loss_is_counted(scheme):
    for label in LABELS:
        note = Document("1", "?!x~#", (Span(0, 5, label),))
        there, lost = convert("jsonl", note, to_labels=scheme)
        if not lost:
            back, _ = convert("jsonl", there, from_labels=scheme)
            assert back.spans == note.spans


def test_a_note_that_a_format_cannot_hold():
    with pytest.raises(FormatError):
        convert("inline", Document("1", "{{PATIENT|Ann}}"))
    with pytest.raises(FormatError):
        convert("i2b2-2014", Document("1", "\x01"))


def test_unknown_schemes_and_losses_are_refused():
    with pytest.raises(UsageError, match="did you mean 'mimic'"):
        Conversion(format=create("jsonl"), to_labels="mimik")
    with pytest.raises(UsageError, match="no kind of loss is called 'score'"):
        loss_kinds("score")
    assert loss_kinds("all") == set(LOSSES)
    assert loss_kinds("") == frozenset()


def test_losses_hold_no_note_text():
    note = Document("1", "Quillerby", (Span(0, 9, "PATIENT"),), meta={"unit": "Quillerby"})
    _, lost = convert("text", note)
    assert "Quillerby" not in json.dumps(lost)


def test_a_text_that_reads_as_something_else_is_refused():
    with pytest.raises(FormatError):
        convert("text", Document("1", '{"id": "1", "text": "Ann"}'))  # it would be taken for JSON lines
