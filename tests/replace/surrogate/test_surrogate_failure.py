"""What stands for an identifier that no surrogate can be made for."""

import doctest

import pytest

from plainsight.document import Document, Span
from plainsight.errors import PluginError
from plainsight.replace.surrogate import failure
from plainsight.replace.surrogate.failure import stand_in
from plainsight.replace.surrogate.keyed import Keyed
from plainsight.replace.surrogate.operation import Surrogate

KEY = bytes(range(32))


def test_examples_in_docstrings():
    assert doctest.testmod(failure).failed == 0


def test_nothing_that_can_be_undone_or_is_the_original():
    assert stand_in("keep-format", "DATE", "Okafor", None) == "[DATE]"
    assert stand_in("keep-format", "DATE", "?!", Keyed(KEY)) == "[DATE]"
    assert stand_in("mask", "STATE", "Ohio", Keyed(KEY)) == "[STATE]"
    assert stand_in("mask", "DATE", "the 2019 flood", Keyed(KEY)) == "[DATE]"


@pytest.mark.parametrize("text", ["13/45/20", "Blorptide", "?"])
def test_the_policy_says_what_stands_for_what_is_no_date(text):
    note = Document("1", text, (Span(0, len(text), "DATE"),))
    assert Surrogate(key=KEY).replace([note]) == [["[DATE]"]]
    assert Surrogate(key=KEY, on_failure="mask").replace([note]) == [["[DATE]"]]
    ((made,),) = Surrogate(key=KEY, on_failure="keep-format").replace([note])
    assert made != text
    assert made == "[DATE]" or len(made) == len(text)


def test_unknown_styles_are_refused():
    with pytest.raises(PluginError, match="on_failure"):
        Surrogate(on_failure="scramble")
