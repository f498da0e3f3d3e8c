import pytest
from small_notes import note


@pytest.fixture
def notes():
    """Return so many small annotated notes."""
    return lambda count, first=0: [note(number) for number in range(first, first + count)]
