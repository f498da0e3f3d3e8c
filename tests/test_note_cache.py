import gc

from plainsight import note_cache


class Owner:
    pass


calls = []


@note_cache.note_cache(8)
def length(word: str) -> int:
    calls.append(word)
    return len(word)


def test_results_are_cached_for_one_owner_and_forgotten_with_it():
    owner = Owner()
    note_cache.claim(owner)
    calls.clear()
    assert (length("Okafor"), length("Okafor")) == (6, 6)
    note_cache.claim(owner)
    length("Okafor")
    assert calls == ["Okafor"]
    del owner
    gc.collect()
    length("Okafor")
    assert calls == ["Okafor", "Okafor"]


def test_another_owner_starts_empty_and_is_not_disturbed_when_the_first_goes():
    first, second = Owner(), Owner()
    note_cache.claim(first)
    length("Okafor")
    calls.clear()
    note_cache.claim(second)
    length("Okafor")
    del first
    gc.collect()
    length("Okafor")
    assert calls == ["Okafor"]
