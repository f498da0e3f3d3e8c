"""Count errors of people and institutions by the ids of gold marks: who is who is known, not guessed.

People are *split* if one of their words, or two spellings of it, became unlike words, or if their initials do
not fit their name; *merged* if a mention reads like a mention of somebody else although the originals did
not.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import combinations

from plainsight.evaluate.surrogates.forms import (
    alike,
    disagreements,
    forms,
    initials,
    is_tag,
    letters_of,
    words,
)
from plainsight.evaluate.surrogates.pairs import Count, Note, Pair, all_pairs
from plainsight.evaluate.surrogates.people import name_of, rather_surname, sex_of
from plainsight.evaluate.surrogates.persons import Person, Persons

_NAMES = ("PATIENT", "DOCTOR")
_INSTITUTIONS = ("HOSPITAL", "ORGANIZATION")
_LOGINS = ("USERNAME", "EMAIL")
_IN_LOGIN = 4  # letters of a name that a login holds
Named = Mapping[str, Sequence[Pair]]
"""The mentions of each person or institution."""


def named(notes: Iterable[Note], labels: Sequence[str] = _NAMES) -> Named:
    """Return the mentions of each id in the notes of one patient."""
    found: dict[str, list[Pair]] = defaultdict(list)
    for pair in all_pairs(notes):
        if pair.span.entity and pair.label in labels:
            found[pair.span.entity].append(pair)
    return found


def has_ids(notes: Iterable[Note]) -> bool:
    """Whether gold marks of people have ids."""
    return bool(named(notes))


def split(notes: Sequence[Note], persons: Persons) -> Count:
    """Count the people whose mentions do not fit together."""
    return _disagreeing(named(notes))


def institutions(notes: Sequence[Note], persons: Persons) -> Count:
    """Count the hospitals and organisations with several forms that do not fit together."""
    found = named(notes, _INSTITUTIONS)
    return _disagreeing(
        {name: pairs for name, pairs in found.items() if len({p.original for p in pairs}) > 1}
    )


def _disagreeing(people: Named) -> Count:
    errors = {}
    for name, pairs in people.items():
        texts = [(pair.original, pair.surrogate) for pair in pairs]
        if found := [*_wrong_initials(texts), *disagreements(_without_initials(texts))]:
            errors[name] = f"{name}: {'; '.join(found)}"
    return Count(len(errors), len(people), tuple(errors.values()))


Texts = Sequence[tuple[str, str]]


def _full(texts: Texts) -> list[tuple[str, str]]:
    """Return the mentions with at least two words that are no initials."""
    return [
        (original, made)
        for original, made in texts
        if sum(len(word) > 1 for word in words(original)) > 1 and not letters_of(original)
    ]


def _without_initials(texts: Texts) -> Texts:
    known = {letters for original, _ in _full(texts) for letters in initials(original)}
    return [pair for pair in texts if letters_of(pair[0]) not in known]


def _wrong_initials(texts: Texts) -> Iterator[str]:
    """Yield initials that are those of the name before and not after, alone or before a surname."""
    full = _full(texts)
    for original, made in dict.fromkeys(texts):
        if letters := letters_of(original):
            expected = {i for other, new in full if letters in initials(other) for i in initials(new)}
            if expected and "".join(filter(str.isalpha, made)).casefold() not in expected:
                yield f"{original} → {made}"
        elif len(short := [word for word in words(original) if len(word) == 1]) == 1:
            rest = [word for word in words(original) if len(word) > 1]
            bearers = [
                new
                for other, new in full
                if rest and rest[-1] in words(other) and short[0] == (name_of(other).given or " ")[0]
            ]
            letter = next((word for word in words(made) if len(word) == 1), "")
            if len(rest) == 1 and bearers and letter not in {name_of(new).given[:1] for new in bearers}:
                yield f"{original} → {made}"


def merged(notes: Sequence[Note], persons: Persons) -> Count:
    """Count the people of whom a mention reads like one of somebody else, although the originals did not."""
    people = named(notes)
    by_text: dict[str, set[tuple[str, str]]] = defaultdict(set)
    for name, pairs in people.items():
        for pair in pairs:
            made = "".join(words(pair.surrogate))
            if len(made) > 1 and not is_tag(pair.surrogate) and not letters_of(pair.original):
                by_text[made].add((name, "".join(words(pair.original))))
    errors: dict[str, str] = {}
    for made, originals in by_text.items():
        for (one, was), (other, also) in combinations(sorted(originals), 2):
            if one != other and not alike(was, also):
                for name in (one, other):
                    errors.setdefault(name, f"{one} {was}, {other} {also} → {made}")
    return Count(len(errors), len(people), tuple(dict.fromkeys(errors.values())))


def wrong_sex(notes: Sequence[Note], persons: Persons) -> Count:
    """Count the people with a given name of the other sex, where both are certain."""
    errors, checked = [], 0
    for name, pairs in named(notes).items():
        sex = persons.people.get(name, Person()).sex
        givens = {name_of(pair.surrogate).given for pair in pairs}
        made = {found for given in givens if not rather_surname(given) and (found := sex_of(given))}
        if sex and made:
            checked += 1
            errors += [f"{name}: {', '.join(sorted(givens))}"] if made != {sex} else []
    return Count(len(errors), checked, tuple(errors))


def broken_families(notes: Sequence[Note], persons: Persons) -> Count:
    """Count the families whose members shared a surname and do not share its surrogate."""
    families: dict[str, list[dict[str, set[str]]]] = defaultdict(list)
    for name, pairs in named(notes).items():
        if family := persons.people.get(name, Person()).family:
            families[family].append(forms((pair.original, pair.surrogate) for pair in pairs))
    errors, checked = [], 0
    for family, members in families.items():
        bearers = Counter(word for member in members for word in member)
        surname = next(
            (word for word, count in bearers.most_common() if alike(word, family) and count > 1), ""
        )
        if surname:
            made = [member[surname] for member in members if surname in member]
            checked += 1
            if not set.intersection(*made):
                errors.append(f"{family} → {', '.join(sorted(set.union(*made)))}")
    return Count(len(errors), checked, tuple(errors))


def lost_logins(notes: Sequence[Note], persons: Persons) -> Count:
    """Count the logins and e-mail addresses that held a word of their person's name and hold no longer its
    surrogate.
    """  # noqa: D205 - one sentence
    names = named(notes)
    errors, checked = [], 0
    for name, pairs in named(notes, _LOGINS).items():
        made = forms((pair.original, pair.surrogate) for pair in names.get(name, ()))
        for original, surrogate in {(pair.original.casefold(), pair.surrogate.casefold()) for pair in pairs}:
            held = [word for word in made if len(word) >= _IN_LOGIN and word in original]
            if held:
                checked += 1
                longest = max(held, key=len)
                if not any(new[:_IN_LOGIN] in surrogate for new in made[longest]):
                    errors.append(f"{name}: {original} → {surrogate}")
    return Count(len(errors), checked, tuple(errors))


def kept_groups(
    notes: Sequence[Note], persons: Persons, fits: Callable[[str, str], bool | None]
) -> dict[str, Count]:
    """Count by group the people whose surrogate is a name of the same group.

    ``fits`` says whether a name word is of a group, or None if nothing is known of the word or the group. A
    person keeps the group if a word of the fullest mention's surrogate is of it. Initials, and names of which
    all words are of other groups (Kevin, Fiona), say nothing.
    """
    found: dict[str, Count] = defaultdict(Count)
    for name, pairs in named(notes).items():
        group = persons.people.get(name, Person()).group
        fullest = max(pairs, key=lambda pair: (len(words(pair.original)), len(pair.original)))
        was, now = (
            [fits(word, group) for word in words(text) if len(word) > 1]
            for text in (fullest.original, fullest.surrogate)
        )
        says_nothing = letters_of(fullest.original) or all(verdict is False for verdict in was)
        if group in ("", "other") or says_nothing or all(verdict is None for verdict in now):
            continue
        lost = () if any(now) else (f"{name}: {fullest.original} → {fullest.surrogate}",)
        found[group] += Count(int(any(now)), 1, lost)
    return dict(found)
