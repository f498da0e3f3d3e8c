"""Write a surrogate in the case of the original."""

from __future__ import annotations

__all__ = ["like"]


def like(original: str, surrogate: str) -> str:
    """Return the surrogate in capitals, in small letters or as it is, as the original is written.

    >>> like("MEMPHIS", "Tulsa"), like("memphis", "Tulsa"), like("Memphis", "Tulsa")
    ('TULSA', 'tulsa', 'Tulsa')
    """
    if original.isupper() and sum(map(str.isalpha, original)) > 1:
        return surrogate.upper()
    return surrogate.lower() if original.islower() else surrogate
