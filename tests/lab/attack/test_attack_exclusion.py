"""The exclusion attack, against draws that leave the original out and draws that do not."""

import random

import pytest

from plainsight.lab.attack.exclusion import as_elsewhere, by_chance, draw_site, exclusion, percentile

SITES = 12
WORDS = [f"Name{letter}{other}" for letter in "abcdefgh" for other in "abcdef"]
FIELDS = {
    "DOCTOR": "director",
    "HOSPITAL": "hospital",
    "CITY": "town",
    "STATE": "state",
    "LOCATION_OTHER": "county",
    "ORGANIZATION": "organisation",
}
DRAWN = [draw_site(random.Random(f"site 0 {number}")) for number in range(SITES)]
POOLS = {
    label: sorted({getattr(site, name) for site in DRAWN} | {f"{word} {word}" for word in WORDS})
    for label, name in FIELDS.items()
}
"""The values of each label: the originals of all sites, and others."""


class Drawn:
    """A stand-in engine that draws from a pool with each original in it, unless it is told otherwise."""

    name = "drawn"

    def __init__(self, key, consistency, *, leave_out=False, add=False, times=1, skew=False):
        self.key, self.consistency, self.skew = key, consistency, skew
        self.leave_out, self.add, self.times = leave_out, add, times

    def replace(self, documents):
        return [[self._draw(document, span) for span in document.spans] for document in documents]

    def _draw(self, document, span):
        text = document.text[span.start : span.end]
        pool = [value for value in POOLS.get(span.label, WORDS) if value != text]
        if self.add:
            pool = [f"{word} {word}" for word in WORDS]
        pool = sorted(pool + ([] if self.leave_out else [text]) * self.times)
        owner = "site" if self.consistency == "site" else document.patient_id
        chance = random.Random(f"{self.key.hex()} {owner} {text}")
        if self.skew:
            return pool[min(int(chance.expovariate(3) * len(pool)), len(pool) - 1)]
        return chance.choice(pool)


def engine(**options):
    return lambda key, consistency: Drawn(key, consistency, **options)


def rows(**options):
    return exclusion(patients=400, sites=SITES, make=engine(**options))


def test_a_plain_draw_tells_nothing():
    assert all(row["p"] > 0.001 and row["p_elsewhere"] > 0.001 for row in rows())


def test_an_original_that_never_appears_is_found():
    for row in rows(leave_out=True):
        assert row["p"] < 0.001
        assert row["p_elsewhere"] < 0.001
        assert row["mean_percentile"] < 0.05
        assert row["sites_without_the_original"] == SITES


def test_an_original_that_appears_too_often_is_found():
    for row in rows(times=5):
        assert row["p"] < 0.001
        assert row["p_elsewhere"] < 0.001
        assert row["mean_percentile"] > 0.9


def test_an_original_that_is_in_no_other_pool_is_found():
    for row in rows(add=True):
        assert row["p"] > 0.01  # it ranks like any other
        assert row["p_elsewhere"] < 0.01


def test_values_that_are_common_everywhere_tell_nothing():
    assert all(row["p_elsewhere"] > 0.01 for row in rows(skew=True))


def test_one_surrogate_for_the_whole_site_tells_nothing():
    for row in exclusion(patients=50, sites=SITES, consistency="site", make=engine(leave_out=True)):
        assert row["values_seen"] == 1
        assert row["p"] > 0.01


def test_a_large_pool_has_values_that_nobody_got():
    # 1,000 of 5,000 values fall to somebody: that the original is not among them says little
    chance = random.Random(1)
    counts = {f"v{number}": 1 for number in range(900)} | {f"w{number}": 2 for number in range(100)}
    places = [percentile(counts, "original", chance) for _ in range(200)]
    assert 0.2 < sum(places) / len(places) < 0.5
    assert max(places) < 0.9


def test_chance():
    strange = [0.1, 0.9, 0.4, 0.6, 0.3, 0.7, 0.2, 0.8]
    assert as_elsewhere(strange, strange) == 1.0
    assert as_elsewhere([0.01] * 8, strange) < 0.001
    assert as_elsewhere(strange[::-1], strange) > 0.5
    assert by_chance(strange) == 1.0
    assert by_chance([0.01] * 8) < 1e-5


def test_sites_are_drawn_with_their_state():
    site = draw_site(random.Random(5))
    assert len(site.state) == 2
    kinds = {"surname", "given name", "hospital", "town", "state", "county", "organisation"}
    assert set(site.originals()) == kinds
    assert site == draw_site(random.Random(5))


@pytest.mark.parametrize("kind", ["surname", "town"])
def test_results_repeat_with_the_seed(kind):
    one, same, other = (
        next(row for row in exclusion(patients=20, sites=3, seed=seed, make=engine()) if row["kind"] == kind)
        for seed in (1, 1, 2)
    )
    assert one == same != other
