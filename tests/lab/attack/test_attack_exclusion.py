"""The exclusion attack, against draws that leave the original out and draws that do not."""

import random

import pytest

from plainsight.lab.attack.exclusion import chance_of, draw_site, exclusion, percentile

POOL = [f"Name{letter}{other}" for letter in "abcdefgh" for other in "abcdef"]


class Drawn:
    """A stand-in engine that draws from a pool with each original in it, or from the pool without it."""

    name = "drawn"

    def __init__(self, key, consistency, *, leave_out=False, favour=False):
        self.key, self.consistency, self.leave_out, self.favour = key, consistency, leave_out, favour

    def replace(self, documents):
        return [[self._draw(document, span) for span in document.spans] for document in documents]

    def _draw(self, document, span):
        text = document.text[span.start : span.end]
        owner = "site" if self.consistency == "site" else document.patient_id
        pool = POOL + ([] if self.leave_out else [text]) * (1 + 3 * self.favour)
        drawn = random.Random(f"{self.key.hex()} {owner} {text}").choice(pool)
        return f"{drawn} {drawn}" if span.label == "DOCTOR" and drawn != text else drawn


def plain(key, consistency):
    return Drawn(key, consistency)


def without_itself(key, consistency):
    return Drawn(key, consistency, leave_out=True)


def often_itself(key, consistency):
    return Drawn(key, consistency, favour=True)


def test_a_plain_draw_tells_nothing():
    for row in exclusion(patients=300, sites=12, make=plain):
        assert row["p"] > 0.01
        assert 0.2 < row["mean_percentile"] < 0.8


def test_an_original_that_never_appears_is_found():
    for row in exclusion(patients=300, sites=12, make=without_itself):
        assert row["p"] < 0.001
        assert row["mean_percentile"] < 0.05
        assert row["sites_without_the_original"] == 12


def test_an_original_that_appears_too_often_is_found():
    for row in exclusion(patients=300, sites=12, make=often_itself):
        assert row["p"] < 0.001
        assert row["mean_percentile"] > 0.9


def test_one_surrogate_for_the_whole_site_tells_nothing():
    for row in exclusion(patients=50, sites=12, consistency="site", make=without_itself):
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
    assert chance_of([0.5] * 10) == 1.0
    assert chance_of([0.01] * 10) < 1e-6
    assert chance_of([0.3, 0.7, 0.5, 0.9]) > 0.2


def test_sites_are_drawn_with_their_state():
    site = draw_site(random.Random(5))
    assert len(site.state) == 2
    assert set(site.originals()) == {
        "surname",
        "given name",
        "hospital",
        "town",
        "state",
        "county",
        "organisation",
    }
    assert site == draw_site(random.Random(5))


@pytest.mark.parametrize("kind", ["surname", "town"])
def test_results_repeat_with_the_seed(kind):
    one, same, other = (
        {row["kind"]: row for row in exclusion(patients=20, sites=3, seed=seed, make=plain)}[kind]
        for seed in (1, 1, 2)
    )
    assert one == same != other
