"""Notes of a site in which the shipped networks err the same way again and again."""

from __future__ import annotations

from plainsight.document import Document, Span

KEY = bytes(range(32))
_WARDS = ("Kelso", "Brack", "Tarn")


def marked(number: int) -> Document:
    """Return a note whose unit and initials the shipped networks do not know."""
    ward, initials = _WARDS[number % 3], f"{'abc'[number % 3]}{'xyz'[number % 2]}q"
    lines = [
        f"{number % 12 + 1:02}:30 {initials} ~ vitals stable, on {ward}-{number % 9}",
        "Zeddic protocol reviewed, NORABEL checklist done",
        f"Seen by Dr. Okafor on 3/{number % 27 + 1}/2019.",
    ]
    text = "\n".join(lines)
    spans = []
    for label, word in (
        ("DOCTOR", initials),
        ("HOSPITAL", f"{ward}-{number % 9}"),
        ("DOCTOR", "Okafor"),
        ("DATE", f"3/{number % 27 + 1}/2019"),
    ):
        start = text.index(word)
        spans.append(Span(start, start + len(word), label))
    return Document(f"n{number:03}", text, tuple(sorted(spans)))
