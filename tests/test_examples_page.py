"""The page of examples is what its script makes."""

import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]


def test_the_page_is_current(monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT / "scripts"))
    from build_examples import PAGE, page

    assert PAGE.read_text(encoding="utf-8") == page()
    sys.modules.pop("build_examples")
