"""A site over the fast policy, and its notes."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from site_notes import KEY, marked

from plainsight.document import Document
from plainsight.site.folder import Site, new_site


@pytest.fixture
def note() -> Callable[[int], Document]:
    return marked


@pytest.fixture
def site(tmp_path) -> Site:
    return new_site(tmp_path / "ward", policy="fast", secret=KEY)
