"""Redact puts a fixed string or the label in place."""

import pytest

from plainsight.document import Document, Span
from plainsight.errors import PluginError
from plainsight.replace.redact import Redact

NOTE = Document("1", "Seen by Dr. Okafor on 3/4.", (Span(12, 18, "DOCTOR"), Span(22, 25, "DATE")))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[{label}]", ["[DOCTOR]", "[DATE]"]),
        ("***", ["***", "***"]),
        ("", ["", ""]),
        ("{{{label}|***}}", ["{DOCTOR|***}", "{DATE|***}"]),
        ("{label}/{label}", ["DOCTOR/DOCTOR", "DATE/DATE"]),
    ],
)
def test_redact(text: str, expected: list[str]) -> None:
    assert Redact(text=text).replace([NOTE]) == [expected]


def test_redact_writes_the_label_unless_told() -> None:
    assert Redact().replace([NOTE, Document("2", "nothing")]) == [["[DOCTOR]", "[DATE]"], []]


@pytest.mark.parametrize(
    "text",
    [
        "{text}",
        "{}",
        "{0}",
        "{label!r}",
        "{label:>9}",
        "{label.__class__}",
        "{label[0]}",
        "{label",
        "label}",
        "{",
    ],
)
def test_any_other_placeholder_is_refused_when_built(text: str) -> None:
    with pytest.raises(PluginError, match="redact"):
        Redact(text=text)


def test_text_is_a_string() -> None:
    with pytest.raises(PluginError, match="not int"):
        Redact(text=3)  # type: ignore[arg-type]


def test_options_are_keyword_only() -> None:
    with pytest.raises(TypeError):
        Redact("***")  # type: ignore[misc]
