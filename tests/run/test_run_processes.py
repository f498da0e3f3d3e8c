"""Several processes make of a stream what one makes of it."""

from __future__ import annotations

import pytest

from plainsight.config import load_policy
from plainsight.document import Document, SetAside
from plainsight.errors import UsageError
from plainsight.pipeline import Pipeline, Replaced
from plainsight.run.processes import spread

RULES = """
labels = "all"
detectors = ["patterns"]
replace.default = "surrogate"
"""


@pytest.fixture
def pipeline(tmp_path) -> Pipeline:
    path = tmp_path / "rules.toml"
    path.write_text(RULES)
    return Pipeline(load_policy(path))  # without a key: they must share the random one


def notes() -> list[Document | SetAside]:
    filler = "The patient sleeps well and eats well.\n" * 800  # so that there are several batches
    made: list[Document | SetAside] = [
        Document(
            f"{number}", f"MRN 44718829, seen on 3/{number + 1}/2019.\n{filler}", patient_id=str(number // 2)
        )
        for number in range(8)
    ]
    made.insert(3, SetAside("torn", "cannot be read"))
    return made


def test_the_result_is_the_same_and_in_order(pipeline):
    one, two = (list(spread(pipeline, "with_originals", notes(), processes=count)) for count in (1, 2))
    assert one == two
    assert isinstance(one[3], SetAside)
    texts = [item.document.text for item in one if isinstance(item, Replaced)]
    assert len(texts) == 8
    assert not any("44718829" in text for text in texts)


def test_settings_that_cannot_be_are_told(pipeline):
    with pytest.raises(UsageError, match="at least 32 bytes"):
        list(spread(Pipeline(pipeline.policy, key=b"short"), "with_originals", notes(), processes=2))
