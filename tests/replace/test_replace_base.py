"""The protocol says which operations take a key."""

import pytest

from plainsight import registry
from plainsight.replace.base import KeyedOperation, Operation

KEYED = {"surrogate", "shift-date", "randomise-digits", "hash"}


@pytest.mark.parametrize("name", registry.BUILT_IN["operations"])
def test_operations_that_take_a_key_say_so(name):
    operation = registry.create("operations", name)
    assert isinstance(operation, Operation)
    assert isinstance(operation, KeyedOperation) is (name in KEYED)


@pytest.mark.parametrize("name", sorted(KEYED))
def test_a_key_is_taken_without_being_shown(name):
    operation = registry.create("operations", name)
    keyed = operation.with_key(b"k" * 32)
    assert keyed.key == b"k" * 32
    assert operation.key is None
    assert "kkk" not in repr(keyed)
    assert keyed.consistency == "patient"


def test_a_parameter_called_key_is_not_enough():
    class Named:
        name = "named"

        def __init__(self, *, key=b""):
            self.key = key

        def replace(self, documents):
            return [[] for _ in documents]

    assert isinstance(Named(), Operation)
    assert not isinstance(Named(), KeyedOperation)
