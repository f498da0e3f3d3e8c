"""States and provinces with their postal abbreviations, folded."""

from __future__ import annotations

__all__ = ["STATES", "abbreviation_of"]

_TABLE = """
al alabama|ak alaska|az arizona|ar arkansas|ca california|co colorado|ct connecticut|de delaware|
dc district of columbia|fl florida|ga georgia|hi hawaii|id idaho|il illinois|in indiana|ia iowa|
ks kansas|ky kentucky|la louisiana|me maine|md maryland|ma massachusetts|mi michigan|mn minnesota|
ms mississippi|mo missouri|mt montana|ne nebraska|nv nevada|nh new hampshire|nj new jersey|nm new mexico|
ny new york|nc north carolina|nd north dakota|oh ohio|ok oklahoma|or oregon|pa pennsylvania|
ri rhode island|sc south carolina|sd south dakota|tn tennessee|tx texas|ut utah|vt vermont|va virginia|
wa washington|wv west virginia|wi wisconsin|wy wyoming|pr puerto rico|gu guam|vi virgin islands|
as american samoa|mp northern mariana islands|ab alberta|bc british columbia|mb manitoba|
nb new brunswick|nl newfoundland and labrador|ns nova scotia|nt northwest territories|nu nunavut|
on ontario|pe prince edward island|qc quebec|sk saskatchewan|yt yukon
"""

STATES: dict[bytes, bytes] = {
    entry.strip()[:2].encode(): entry.strip()[3:].encode() for entry in _TABLE.replace("\n", "").split("|")
}
"""Abbreviation to name."""

_ABBREVIATIONS = {name: short for short, name in STATES.items()}


def abbreviation_of(flat: bytes) -> bytes | None:
    """Return the abbreviation of a state given either way.

    >>> abbreviation_of(b"tennessee"), abbreviation_of(b"tn"), abbreviation_of(b"nowhere")
    (b'tn', b'tn', None)
    """
    return flat if flat in STATES else _ABBREVIATIONS.get(flat)
