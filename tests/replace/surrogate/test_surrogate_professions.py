from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plainsight.document import Document
from plainsight.locale import default_locale
from plainsight.replace.surrogate.keyed import Keyed
from plainsight.replace.surrogate.professions import Professions, sector_of, sectors, singular
from plainsight.replace.surrogate.scope import Mention, Scope

KEYS = [bytes([number]) * 32 for number in range(1, 5)]


def jobs(*titles: str, key: bytes = KEYS[0], around: str = "") -> list[str]:
    text, mentions = around, []
    for title in titles:
        text += "\n"
        mentions.append(Mention(0, len(text), len(text) + len(title), "PROFESSION", title))
        text += title
    scope = Scope(Keyed.from_secret(key), [Document("note", text)], mentions)
    return Professions(scope).surrogates(mentions)


@pytest.mark.parametrize(
    ("title", "sector"),
    [
        ("glazier", "construction worker"),
        ("Tool-and-die maker", "factory worker"),
        ("school cook", "food worker"),
        ("school bus driver", "transport worker"),
        ("teacher's aide", "teacher"),
        ("pharmacy tech", "health worker"),
        ("securities", "finance worker"),
        ("feedlot manager", "farm worker"),
        ("heavy equipment operator", "construction worker"),
        ("choker setter", "fishing and forestry worker"),
        ("bakers", "food worker"),
        ("CNA", "health worker"),
        ("kitchen", "food worker"),
        ("continuous miner operator", "miner"),
    ],
)
def test_the_sector_of_a_job(title: str, sector: str) -> None:
    found = sector_of(title)
    assert found is not None
    assert found.name == sector
    for key in KEYS:
        (made,) = jobs(title, key=key)
        other = sector_of(made)
        assert other is not None
        assert made.casefold() != title.casefold()


def test_an_unknown_job_has_no_sector_but_a_surrogate() -> None:
    assert sector_of("zzyzx") is None
    (made,) = jobs("zzyzx")
    assert any(made in sector.roles for sector in sectors())


@pytest.mark.parametrize(
    ("title", "holds"),
    [
        ("LINE COOK", str.isupper),
        ("Line Cook", str.istitle),
        ("Line cook", lambda made: made[0].isupper() and made[1:].islower()),
        ("line cook", lambda made: made.islower() and " " in made),
        ("baker", lambda made: " " not in made),
        ("bakers", lambda made: made.endswith("s")),
        ("roofing", lambda made: any(made in sector.fields for sector in sectors())),
        ("picking peaches", lambda made: any(made in sector.fields for sector in sectors())),
        ("cafeteria", lambda made: any(made in sector.places for sector in sectors())),
        ("CNA", str.isupper),
        ("IT", str.isupper),
    ],
)
def test_form_is_kept(title: str, holds: object) -> None:
    assert callable(holds)
    for key in KEYS:
        (made,) = jobs(title, key=key)
        assert holds(made), made


@pytest.mark.parametrize(
    ("before", "title", "holds"),
    [
        (
            "He ",
            "drives a truck",
            lambda made: made.startswith("drives a ") and made[9:] in objects_of("drive"),
        ),
        ("He drives a ", "truck", lambda made: made in objects_of("drive")),
        ("She drove an ", "ambulance", lambda made: made in objects_of("drive") and made[0] in "aeio"),
        ("She teaches ", "third grade", lambda made: made in objects_of("teach")),
        ("They owned a ", "bakery", lambda made: made in objects_of("own")),
        ("works in ", "securities", lambda made: any(made in sector.fields for sector in sectors())),
        ("works in ", "zymurgy", lambda made: any(made in sector.fields for sector in sectors())),
        ("worked at the ", "zymurgy", lambda made: any(made in sector.places for sector in sectors())),
        ("is a ", "gate agent", lambda made: made in sector_of("gate agent").roles and made[0] not in "aeio"),
        ("an ", "electrician", lambda made: made[0] in "aeio"),
        ("a ", "retired welder", lambda made: made.startswith("retired ") and "welder" not in made),
        ("an ", "RN", lambda made: made.isupper() and made[0] in "AEFHILMNORSX"),
        ("", "---", lambda made: made == ""),
    ],
)
def test_a_job_fits_its_sentence(before: str, title: str, holds: object) -> None:
    assert callable(holds)
    for key in KEYS:
        text = before + title
        mention = Mention(0, len(before), len(text), "PROFESSION", title)
        scope = Scope(Keyed.from_secret(key), [Document("1", text)], [mention])
        (made,) = Professions(scope).surrogates([mention])
        assert holds(made), made


def objects_of(verb: str) -> list[str]:
    lines = default_locale().table("sectors")["phrases"].splitlines()
    return next(
        line.partition("|")[2].split(", ") for line in lines if verb in line.partition("|")[0].split()
    )


TITLES = st.sampled_from([role for sector in sectors() for role in (*sector.roles, *sector.fields)])


@settings(max_examples=100, deadline=None)
@given(st.lists(TITLES, min_size=1, max_size=12, unique_by=str.casefold), st.sampled_from(KEYS))
def test_each_job_becomes_another_whatever_stands_beside_it(titles: list[str], key: bytes) -> None:
    made = jobs(*titles, key=key)
    assert made == [jobs(title, key=key)[0] for title in titles]
    assert all(job.casefold() != title.casefold() for job, title in zip(made, titles, strict=True))


@given(st.text(min_size=1, max_size=60))
@settings(max_examples=100, deadline=None)
def test_odd_text_never_crashes(text: str) -> None:
    (made,) = jobs(text)
    assert made != text


def test_the_same_job_is_one_whatever_its_case() -> None:
    assert len({made.casefold() for made in jobs("Baker", "baker", "BAKER")}) == 1


def test_keys_differ() -> None:
    assert len({tuple(jobs("welder", "nurse", "teacher", key=key)) for key in KEYS}) == len(KEYS)


def test_other_words_of_the_notes_change_nothing() -> None:
    sector = sector_of("baker")
    assert sector is not None
    for key in KEYS:
        assert jobs("baker", key=key, around=" ".join(sector.roles[:15])) == jobs("baker", key=key)


def test_the_list_is_large_and_plural_forms_are_read() -> None:
    assert len(sectors()) >= 20
    assert sum(len(sector.roles) + len(sector.fields) for sector in sectors()) > 1200
    assert [singular(word) for word in ("bakers", "cowboys", "secretaries", "firemen", "waitress")] == [
        *("baker", "cowboy", "secretary", "fireman", "waitress")
    ]
