"""A lazy attribute is computed once for each object, and only when asked for."""

from plainsight.replace.surrogate.lazy import lazy


class Counting:
    def __init__(self):
        self.asked = 0

    @lazy
    def value(self):
        """Return how often it was computed."""
        self.asked += 1
        return self.asked


def test_it_is_computed_once_for_each_object():
    one, other = Counting(), Counting()
    assert one.asked == 0
    assert [one.value, one.value, other.value] == [1, 1, 1]
    assert (one.asked, other.asked) == (1, 1)
    assert Counting.__dict__["value"].__doc__ == "Return how often it was computed."
