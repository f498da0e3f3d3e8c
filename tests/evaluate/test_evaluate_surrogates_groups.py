"""Whether a name word is of a group of origin."""

import pytest

from plainsight.evaluate.surrogates.groups import fits_group


@pytest.mark.parametrize(
    ("word", "group", "fits"),
    [
        ("kim", "korean", True),
        ("nguyen", "vietnamese", True),
        ("vang", "hmong", True),
        ("pahoua", "hmong", True),  # of syllables
        ("hassan", "arabic", True),
        ("garcia", "hispanic", True),
        ("garcia", "filipino", True),
        ("garcia", "korean", False),
        ("smith", "english", True),
        ("kowalski", "slavic", True),
        ("qzxwv", "slavic", None),
        ("smith", "klingon", None),
    ],
)
def test_groups(word, group, fits):
    assert fits_group(word, group) is fits
