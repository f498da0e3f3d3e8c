"""Words of the landscape: what domains, boats and call signs are named after, and nobody in particular."""

from __future__ import annotations

__all__ = ["FIRST_WORDS", "SECOND_WORDS"]

_FIRST_WORDS = """
    alder amber aspen birch bright broad cedar clear copper cross east elm fair fern field forest glen
    gold grand green harbor hazel heather high holly iron juniper kings lake laurel linden long maple
    meadow mill north oak orchard pine prairie quarry red ridge river rock sage silver south spring stone
    summer sun sweet valley west white wild willow winter wood
"""
_SECOND_WORDS = """
    bank bay bend bluff bridge brook camp cliff cove creek crest dale dell falls farm field ford gate
    glade grove harbor haven heath hill hollow hurst lake land lawn ledge light mark mead mere mill mont
    mount orchard park path peak point pond port ridge rock run shore side spring stead stone summit
    trail vale view wall water way well wick wood yard
"""

FIRST_WORDS: tuple[str, ...] = tuple(_FIRST_WORDS.split())
SECOND_WORDS: tuple[str, ...] = tuple(_SECOND_WORDS.split())
"""The two halves of a made-up name."""
