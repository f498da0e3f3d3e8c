"""``plainsight detect --doubt``: what a reader should look at, without a gold standard."""

from __future__ import annotations

import json

import pytest

UNSURE = "Van 1100. Plan B Meadowsweet. Will call. Dukoral given, RD Stamaril. Queries to the MBBS FACTM."
SURE = "The wound is clean and dry. Continue the same dressing."


@pytest.fixture
def source(jsonl, tmp_path):
    return jsonl(tmp_path / "in.jsonl", {"id": "sure", "text": SURE}, {"id": "unsure", "text": UNSURE})


def test_the_least_sure_note_comes_first_without_its_text(plainsight, source, tmp_path):
    output = tmp_path / "doubts.jsonl"
    result = plainsight("detect", source, "--doubt", "-o", output, "--policy", "fast")
    assert result.code == 0, result.err
    first, second = map(json.loads, output.read_text().splitlines())
    assert (first["id"], second["id"]) == ("unsure", "sure")
    assert first["confidence"] < second["confidence"] <= 1
    assert {"likely miss"} <= {place["kind"] for place in first["doubts"]}
    assert all(0 <= place["start"] < place["end"] <= len(UNSURE) for place in first["doubts"])
    assert not any(word in output.read_text() for word in ("Meadowsweet", "FACTM", "Dukoral"))
    assert not (tmp_path / "doubts.jsonl.manifest.json").exists()


def test_show_text_shows_the_words_in_doubt(plainsight, source):
    hidden = plainsight("detect", source, "--doubt", "--policy", "fast")
    shown = plainsight("detect", source, "--doubt", "--policy", "fast", "--show-text")
    assert hidden.code == shown.code == 0
    places = json.loads(
        plainsight("detect", source, "--doubt", "--policy", "fast", "--json", "--show-text").out
    )
    words = [place["text"] for place in places["least_sure"][0]["doubts"]]
    assert all(word in shown.out for word in words)
    assert not any(word in hidden.out for word in words)


def test_most_limits_the_notes(plainsight, source):
    told = plainsight("detect", source, "--doubt", "--most", "1", "--json", "--policy", "fast").json
    assert told["notes"] == 2
    assert [note["id"] for note in told["least_sure"]] == ["unsure"]
    table = plainsight("detect", source, "--doubt", "--most", "1", "--policy", "fast").out
    assert "The 1 least sure of 2 notes" in table
    assert "sure" in table


def test_a_text_given_on_the_command_line(plainsight):
    told = plainsight("detect", "--text", UNSURE, "--doubt", "--json", "--policy", "fast").json
    assert told["least_sure"][0]["id"] == "text"


def test_a_note_that_cannot_be_read_is_reported(plainsight, jsonl, tmp_path):
    source = jsonl(tmp_path / "in.jsonl", {"id": "1", "text": SURE}, "no json\n")
    result = plainsight("detect", source, "--doubt", "--json", "--policy", "fast")
    assert result.code == 1
    assert result.json["set_aside"] == 1
    assert "set aside" in result.err


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--most", "3"], "--most and --show-text need --doubt"),
        (["--show-text"], "--most and --show-text need --doubt"),
        (["--doubt", "--explain"], "--explain is for notes"),
        (["--doubt", "--output-format", "brat"], "--output-format is for notes"),
    ],
)
def test_options_that_do_not_go_together_are_refused(plainsight, source, tmp_path, options, message):
    result = plainsight("detect", source, "-o", tmp_path / "out.jsonl", *options)
    assert result.code == 2
    assert message in result.err
    assert not (tmp_path / "out.jsonl").exists()


def test_an_existing_file_is_not_overwritten(plainsight, source, tmp_path):
    (tmp_path / "out.jsonl").write_text("mine")
    result = plainsight("detect", source, "--doubt", "-o", tmp_path / "out.jsonl", "--policy", "fast")
    assert result.code == 2
    assert (tmp_path / "out.jsonl").read_text() == "mine"


def test_show_underlines_likely_misses(plainsight, source, tmp_path):
    page = tmp_path / "look.html"
    assert plainsight("show", source, "--html", page, "--policy", "fast").code == 0
    assert "likely miss: " in page.read_text()
    assert "<u " in page.read_text()
